//! `secateur run`: explores a program and writes what it finds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_c_tests::{CTests, Function};
use secateur_explore::{Counters, Limits, MAX_EXPRESSIONS, RunResult, Settings, StopReason, peak_memory};
use secateur_machine::Machine;
use secateur_program::{LoadError, Loaded, Program};
use secateur_report::{self as report, Findings, Unsupported};
use secateur_solver::{Rung, Solver, Statistics};
use secateur_suite::summary::{BugEntry, CoverageSummary, GivenUp, Paths, RungSummary, SolverSummary};
use secateur_suite::{CodeMap, Counts, Format, OutDir, OutOptions, Summary, testcomp};
use sha2::{Digest, Sha256};

use crate::args::RunArgs;
use crate::path_tree::PathTree;
use crate::progress::{Above, Progress};
use crate::recorder::{Keep, Recorder, coverage, file_line, function_branches, place};
use crate::tuning::Tuning;
use crate::{BUG_FOUND, DONE, Failure, c_tests, confirm, console, cuts, each_function, runtime, settings, text};

pub(crate) fn run(args: RunArgs) -> Result<u8, Failure> {
    args.input.unit.check(args.input.entry.as_deref()).map_err(Failure::Input)?;
    if args.input.unit.each_function {
        return each_function::run(args, stop_on_interrupt(Progress::new(true).above())?);
    }
    let started = Instant::now();
    if args.exploration.tune.iter().any(|setting| setting == "help") {
        console::print(Tuning::default().help())?;
        return Ok(DONE);
    }
    let checks = settings::enabled_checks(&args.exploration.check);
    let load_options = settings::load_options(&args, &runtime::folder()?, &checks);
    let loaded = secateur_program::load(&load_options).map_err(|error| match error {
        LoadError::NoEntry => {
            let files: Vec<String> = args.program.iter().map(|path| path.display().to_string()).collect();
            Failure::Input(format!("{}: {error}; name one with --entry", files.join(" ")))
        }
        error => Failure::from(error),
    })?;
    let printing = Printing::of(&args);
    let progress = Progress::new(printing != Printing::Report);
    let interrupted = stop_on_interrupt(progress.above())?;
    let summary = explore(&args, loaded, Session { started, interrupted, progress, printing })?;
    Ok(if summary.bugs.is_empty() { DONE } else { BUG_FOUND })
}

/// What a run prints at its end, beside errors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Printing {
    Nothing,
    Report,
    Json,
}

impl Printing {
    fn of(args: &RunArgs) -> Printing {
        match (args.output.json, args.output.quiet) {
            (true, _) => Printing::Json,
            (_, true) => Printing::Nothing,
            _ => Printing::Report,
        }
    }
}

/// What a run has to do with the people who wait for it.
pub(crate) struct Session {
    /// When the loading of the program began.
    pub started: Instant,
    /// Set when they want it to stop.
    pub interrupted: Arc<AtomicBool>,
    pub progress: Progress,
    pub printing: Printing,
}

/// Explores a loaded program.
pub(crate) fn explore(args: &RunArgs, loaded: Loaded, session: Session) -> Result<Summary, Failure> {
    let mut checks = settings::enabled_checks(&args.exploration.check);
    settings::add_sanitizer_checks(&args.exploration.check, &loaded.program, &mut checks);
    let machine_options = settings::machine_options(args, &checks)?;
    let searcher = settings::searcher(args, 0)?;
    let pruners = cuts::pruners(args)?;
    for warning in &loaded.warnings {
        eprintln!("secateur: {warning}");
    }
    let mut solver = Solver::new(settings::solver_options(args)?)?;
    let program = Arc::new(loaded.program);
    let code = CodeMap::of(&program);
    let out = Arc::new(OutDir::create_for(&args.out, out_options(args), &loaded.user_bitcode, &code)?);
    let log = out.open_log()?;
    // Without times, which are in `timeline.csv`: the log of the same run is the same text.
    let subscriber = tracing_subscriber::fmt().without_time().with_writer(std::sync::Mutex::new(log)).with_ansi(false);
    let level = if args.output.verbose > 0 { tracing::Level::DEBUG } else { tracing::Level::INFO };
    let _logging = tracing::subscriber::set_default(subscriber.with_max_level(level).finish());
    tracing::info!(program = ?args.program, "loaded");

    let mut machine = Machine::new(Arc::clone(&program), machine_options);
    let keep = match (args.output.all_tests, args.output.no_tests) {
        (true, _) => Keep::All,
        (_, true) => Keep::Nothing,
        _ => Keep::NewCoverage,
    };
    let tree = PathTree::new(&out, args.output.list_paths)?;
    let mut recorder =
        Recorder::new(&out, &program, keep, args.output.show_output, session.progress, session.started, tree);
    recorder.c_tests =
        loaded.unit.filter(|_| keep != Keep::Nothing).map(|unit| CTests::new(Arc::new(Function::new(unit))));
    let settings = Settings {
        searcher,
        pruners,
        limits: Limits {
            time: args.limits.max_time,
            paths: args.limits.max_paths,
            snapshot_memory: args.limits.snapshot_memory.or(Some(args.limits.max_memory / 4 * 3)),
            // What is under way when this is noticed takes some more.
            memory: Some(args.limits.max_memory / 10 * 9),
        },
        grace: args.limits.grace,
        interrupted: session.interrupted,
        first_input: Vec::new(),
        snapshots: !args.exploration.no_snapshots,
        max_expressions: MAX_EXPRESSIONS,
        recheck: args.exploration.recheck,
        leave_memory: !args.input.unit.each_function,
        workers: (1..settings::jobs(args)).map(|worker| settings::worker(args, worker)).collect::<Result<_, _>>()?,
    };
    let explored = secateur_explore::explore(&mut machine, &mut solver, settings, &mut recorder);
    let written = recorder.finish();
    let outcome = explored?;
    written?;
    let (stopped, counters) = (outcome.reason.name(), &outcome.counters);
    tracing::info!(
        stopped,
        completed = counters.completed,
        bugs = counters.bugs,
        pending = counters.pending,
        "explored"
    );
    let (covered, counts) = coverage(&machine, &code);
    out.write_coverage(&code, &covered)?;
    c_tests::write(recorder.c_tests.as_ref(), args, &out)?;
    let not_checked = confirm::confirm(args, &out);
    recorder.last_sample(&machine, &outcome.counters)?;
    let mut summary =
        summary(args, &out, &outcome, counts, solver.statistics(), session.started.elapsed(), machine.instructions);
    summary.expressions = outcome.expressions;
    summary.not_checked = not_checked;
    summary.given_up = given_up(&machine.program, &outcome.counters);
    summary.coverage.entry = args.input.entry.as_deref().map(|entry| function_branches(&machine, entry));
    out.write_summary(&summary)?;
    if !args.output.no_report {
        report::write(
            &out,
            &Findings {
                summary: &summary,
                sentence: outcome.sentence(),
                code: &code,
                coverage: &covered,
                sides: &recorder.tree.sides,
                unsupported: unsupported(&recorder),
                left_out: recorder.tree.left_out(),
            },
        )?;
    }
    out.check()?;
    match session.printing {
        Printing::Nothing => {}
        Printing::Json => console::print(summary.to_json())?,
        Printing::Report => {
            let has_page = !args.output.no_report;
            console::print(Report { summary: &summary, outcome: &outcome, recorder: &recorder, out: &out, has_page })?;
        }
    }
    report_disagreement(&solver, &out)?;
    report_faults(&outcome.counters)?;
    Ok(summary)
}

fn unsupported(recorder: &Recorder<'_>) -> Vec<Unsupported> {
    let entries = recorder.unsupported.iter();
    entries.map(|((what, at), paths)| Unsupported { what: what.clone(), at: at.clone(), paths: *paths }).collect()
}

fn given_up(program: &Program, counters: &Counters) -> Vec<GivenUp> {
    // Several places of one line are one to people; a path that gave up at two of them counts twice.
    let mut lines: BTreeMap<_, u64> = BTreeMap::new();
    for ((what, loc), paths) in &counters.given_up {
        *lines.entry((*what, file_line(program, *loc))).or_default() += paths;
    }
    let entries = lines.into_iter().map(|((what, (file, line)), paths)| GivenUp {
        why: what.describe().to_string(),
        file,
        line,
        paths,
    });
    entries.collect()
}

/// Two solvers that contradict each other leave nothing to rely on.
fn report_disagreement(solver: &Solver, out: &OutDir) -> Result<(), Failure> {
    let Some(disagreement) = solver.disagreements().first() else { return Ok(()) };
    out.write("disagreement.smt2", disagreement.question.as_bytes())?;
    let file = out.path().join("disagreement.smt2");
    Err(Failure::Own(format!(
        "{disagreement} on the question in {} ({} in all)",
        file.display(),
        text::count(solver.disagreements().len() as u64, "disagreement")
    )))
}

/// What was found is written, but it is not all there is.
fn report_faults(counters: &Counters) -> Result<(), Failure> {
    let Some(first) = counters.faults.first() else { return Ok(()) };
    let more = match counters.faults.len() {
        1 => String::new(),
        number => format!(" (and {} more)", number - 1),
    };
    Err(Failure::Own(format!("{first}{more}; everything else was explored, and is in the output folder")))
}

/// Ctrl-C once: stop and write everything. Twice: give up.
fn stop_on_interrupt(above: Above) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        above.say("secateur: stopping; press Ctrl-C again to give up at once");
    })
    .map_err(|error| Failure::Own(format!("cannot listen to Ctrl-C: {error}")))?;
    Ok(interrupted)
}

/// The hash of a file in hexadecimal. It was read a moment ago; if it is gone since, there is none.
fn hash_of(file: &Path) -> String {
    let bytes = std::fs::read(file).unwrap_or_default();
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn out_options(args: &RunArgs) -> OutOptions {
    OutOptions {
        program: settings::program_name(args),
        formats: args.output.format.iter().filter_map(|name| Format::from_name(name)).collect(),
        metadata: testcomp::Metadata {
            program_file: args.program[0].display().to_string(),
            program_hash: hash_of(&args.program[0]),
            entry_function: args.input.entry.clone().unwrap_or_else(|| "main".to_string()),
            ..testcomp::Metadata::default()
        },
    }
}

fn summary(
    args: &RunArgs,
    out: &OutDir,
    outcome: &RunResult,
    counts: Counts,
    solver: &Statistics,
    time: Duration,
    instructions: u64,
) -> Summary {
    let counters = &outcome.counters;
    Summary {
        program: args.program.iter().map(|path| path.display().to_string()).collect(),
        options: options(args),
        stopped: outcome.reason.name().to_string(),
        // Paths that run when a limit was hit already leave no flips behind, so that none may be pending and yet not all be known.
        complete: outcome.reason == StopReason::Finished && counters.is_complete(),
        paths: Paths {
            completed: counters.completed,
            pruned: counters.pruned.iter().map(|(name, count)| (name.to_string(), *count)).collect(),
            infeasible: counters.infeasible + counters.refuted,
            unsupported: counters.unsupported,
            cut: counters.assumed,
            ignored: counters.ignored,
            ignored_sides: counters.ignored_sides,
            limited: counters.limited,
            unknown: counters.unknown,
            pending: counters.pending,
        },
        tests: out.tests(),
        bugs: out.bugs().iter().map(BugEntry::from).collect(),
        coverage: CoverageSummary { branches: counts.branches, lines: counts.lines, entry: None },
        solver: SolverSummary {
            queries: solver.queries,
            answered: Rung::ALL.iter().map(|rung| (rung.name().to_string(), solver.rung(*rung).answered)).collect(),
            refuted_by_path: counters.refuted,
            time: Some(solver.time().as_secs_f64()),
            rungs: Rung::ALL.iter().map(|rung| rung_summary(*rung, solver)).collect(),
        },
        time: Some(time.as_secs_f64()),
        peak_memory: peak_memory(),
        instructions,
        ..Summary::default()
    }
}

fn rung_summary(rung: Rung, solver: &Statistics) -> RungSummary {
    let counts = solver.rung(rung);
    RungSummary {
        name: rung.name().to_string(),
        asked: counts.asked,
        answered: counts.answered,
        time: Some(counts.time.as_secs_f64()),
    }
}

/// The options that matter for what was found.
fn options(args: &RunArgs) -> BTreeMap<String, serde_json::Value> {
    let mut options = BTreeMap::new();
    let mut add = |name: &str, value: serde_json::Value| options.insert(name.to_string(), value);
    add("search", args.exploration.search.clone().into());
    add("solve-first", args.exploration.solve_first.into());
    add("prune", cuts::chosen(args).iter().map(ToString::to_string).collect());
    add("check", args.exploration.check.clone().into());
    add("solver", args.exploration.solver.clone().into());
    add("seed", args.exploration.seed.into());
    add("jobs", settings::jobs(args).into());
    add("opt", args.compiler.opt.clone().into());
    if let Some(time) = args.limits.max_time {
        add("max-time", time.as_secs_f64().into());
    }
    if let Some(paths) = args.limits.max_paths {
        add("max-paths", paths.into());
    }
    if !args.exploration.tune.is_empty() {
        add("tune", args.exploration.tune.clone().into());
    }
    if let Some(entry) = &args.input.entry {
        add("entry", entry.clone().into());
    }
    options
}

/// How many bugs and unsupported constructs are listed, so that the end of a run fits a screen.
const MOST_LISTED: usize = 8;

/// Says how many there are beyond those that were listed.
fn write_rest(f: &mut std::fmt::Formatter<'_>, before: &str, all: usize, what: &str) -> std::fmt::Result {
    match all.saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        rest => writeln!(f, "{before} {}", text::count(rest as u64, &format!("more {what}"))),
    }
}

/// The end of a run, for people.
struct Report<'a> {
    summary: &'a Summary,
    outcome: &'a RunResult,
    recorder: &'a Recorder<'a>,
    out: &'a OutDir,
    /// There is a page with more.
    has_page: bool,
}

impl std::fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (summary, counters) = (self.summary, &self.outcome.counters);
        writeln!(
            f,
            "{} in {:.2} s: {}",
            summary.program.join(" "),
            summary.time.unwrap_or_default(),
            self.outcome.sentence()
        )?;
        if !self.recorder.saw_input {
            writeln!(
                f,
                "  input     none: nothing in this program is symbolic, so it ran once (see `secateur run --help`)"
            )?;
        }
        write!(f, "  paths     {} completed", text::grouped(counters.completed))?;
        let others = [
            (counters.assumed, "cut by assumptions"),
            (counters.ignored, "ended where a check fails that is switched off"),
            (counters.ignored_sides, "not tried because a check that is switched off fails there"),
            (counters.stopped, "stopped half-way"),
            (counters.limited, "stopped at a limit for single paths"),
            (counters.unsupported, "ended at something unsupported"),
            (counters.unknown, "given up by the solver"),
            (counters.lost, "lost"),
            (counters.pending, "not tried"),
        ];
        for (number, what) in others.iter().filter(|(number, _)| *number > 0) {
            write!(f, ", {} {what}", text::grouped(*number))?;
        }
        for (name, number) in &counters.pruned {
            write!(f, ", {} pruned by {name}", text::grouped(*number))?;
        }
        writeln!(f)?;
        writeln!(f, "  tests     {} in {}", text::grouped(summary.tests), self.out.path().join("tests").display())?;
        if let (Some(entry), Some(name)) = (summary.coverage.entry, summary.options.get("entry")) {
            let name = name.as_str().unwrap_or_default();
            let (covered, total) = (entry.covered, entry.total);
            writeln!(f, "  function  {covered}/{total} branches ({:.1}%) of `{name}`", entry.percent())?;
        }
        let (branches, lines) = (summary.coverage.branches, summary.coverage.lines);
        writeln!(
            f,
            "  coverage  {}/{} branches ({:.1}%), {}/{} lines ({:.1}%)",
            branches.covered,
            branches.total,
            branches.percent(),
            lines.covered,
            lines.total,
            lines.percent()
        )?;
        let smt = summary.solver.answered.get("smt").copied().unwrap_or(0);
        write!(
            f,
            "  solver    {}, {} answered by the SMT solver, {:.2} s",
            text::count(summary.solver.queries, "question"),
            text::grouped(smt),
            summary.solver.time.unwrap_or_default()
        )?;
        if summary.solver.refuted_by_path > 0 {
            write!(f, "; {} refuted without a question", text::count(summary.solver.refuted_by_path, "side"))?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "  machine   {}, {} of memory",
            text::count(summary.instructions, "instruction"),
            text::size(summary.peak_memory.unwrap_or_default())
        )?;
        let unsupported = &self.recorder.unsupported;
        for ((what, at), paths) in unsupported.iter().take(MOST_LISTED) {
            writeln!(f, "  unsupported at {at}: {what} ({})", text::count(*paths, "path"))?;
        }
        write_rest(f, "  unsupported at", unsupported.len(), "place")?;
        for given_up in summary.given_up.iter().take(MOST_LISTED) {
            let (at, paths) = (place(&given_up.file, given_up.line), text::count(given_up.paths, "path"));
            writeln!(f, "  given up at {at}: {} ({paths})", given_up.why)?;
        }
        write_rest(f, "  given up at", summary.given_up.len(), "place")?;
        if summary.bugs.is_empty() {
            writeln!(f, "  bugs      none")?;
        } else {
            writeln!(f, "  bugs      {}{}", summary.bugs.len(), confirm::remark(summary))?;
            for bug in summary.bugs.iter().take(MOST_LISTED) {
                let (at, native) = (place(&bug.file, bug.line), &bug.native);
                writeln!(f, "    {at}: {}: {} ({}, {native})", bug.kind, bug.message, bug.test)?;
            }
            write_rest(f, "   ", summary.bugs.len(), "bug")?;
        }
        if self.has_page {
            writeln!(f, "  report    {}", self.out.path().join(report::REPORT).display())?;
        }
        if let Some(tests) = &self.recorder.c_tests {
            writeln!(f, "  in C      {}", self.out.path().join("tests").join(tests.file_name()).display())?;
        }
        writeln!(f, "  replay    secateur replay {}", self.out.path().display())
    }
}
