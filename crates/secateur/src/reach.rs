//! `secateur reach`: an input for each target, or a proof that there is none.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use secateur_campaign::{BackwardOptions, BugKind, Explorer, ReachOptions};
use secateur_explore::prune::Toward;
use secateur_explore::{Goal, search};
use secateur_solver::Solver;

use crate::args::{ReachArgs, RunArgs};
use crate::campaign_options::{self, file_names};
use crate::progress::Progress;
use crate::prune::Pruning;
use crate::reach_targets::{self, read_findings};
use crate::reach_text::ReachText;
use crate::replay::warn_unconfined;
use crate::run::{self, Printing};
use crate::tuning::Tuning;
use crate::verify::{self, VerifyChoice};
use crate::{DONE, Failure, UNKNOWN, UNREACHABLE, console, runtime, settings};

/// How long each of several targets may take, unless `--max-time` says so.
const TIME_OF_SEVERAL: Duration = Duration::from_secs(60);

/// What no answer takes into account.
const OUTSIDE: &str =
    "addresses and what `cpuid` says are those of the model; no signals come from outside, and no other thread runs";
const NO_FAILURES: &str = "no call fails although nothing is wrong with it, such as malloc (--fail-calls 0)";

pub(crate) fn reach(mut args: ReachArgs) -> Result<u8, Failure> {
    let run = &mut args.run;
    if run.program.is_empty() {
        return Err(Failure::Input("the following required arguments were not provided: <PROGRAM>...".to_string()));
    }
    if args.target.is_empty() && !args.error && args.uncovered.is_none() && args.sarif.is_none() {
        let why = "name what to reach with --target, --error, --uncovered or --sarif";
        return Err(Failure::Input(why.to_string()));
    }
    run.input.unit.check(run.input.entry.as_deref()).map_err(Failure::Input)?;
    if run.input.unit.each_function {
        return Err(Failure::Input("--each-function does not work with `reach`; name one with --entry".to_string()));
    }
    run.verify = Some(VerifyChoice { keep_going: false });
    if run.exploration.prune.is_empty() {
        run.exploration.prune = vec![Pruning::Interpolation, Pruning::Invariants];
    }
    // The earlier run keeps its folder.
    if args.uncovered.as_ref().is_some_and(|earlier| is_same(earlier, &run.out)) {
        run.out.as_mut_os_string().push("-reach");
    }
    let started = Instant::now();
    let findings = args.sarif.as_deref().map(read_findings).transpose()?;
    let mut checks = settings::enabled_checks(&run.exploration.check);
    // What an analyser warns of is looked for.
    checks.extend(findings.iter().flat_map(reach_targets::kinds));
    checks.sort();
    checks.dedup();
    let loaded = run::load(run, &settings::load_options(run, &runtime::folder()?, &checks)?)?;
    let targets = reach_targets::targets(&loaded.program, &args, findings.as_ref())?;
    let ReachArgs { way, unroll, search_budget, max_steps, run, .. } = args;
    let printing = Printing::of(&run);
    let mut progress = Progress::new(printing != Printing::Report, false);
    let interrupted = run::stop_on_interrupt(progress.above())?;
    for warning in &loaded.warnings {
        eprintln!("secateur: {warning}");
    }
    // Whether the options make sense shows before anything is written.
    explorer(&run, None, &interrupted)?;
    let make_explorer = |goal: Option<&Goal>| {
        explorer(&run, goal, &interrupted).map_err(|failure| match failure {
            Failure::Input(message) | Failure::Own(message) => message,
        })
    };
    settings::add_sanitizer_checks(&run.exploration.check, &loaded.program, &mut checks);
    let Tuning { campaign, backward: tuning, concrete, .. } = settings::tuning(&run)?;
    let options = ReachOptions {
        started,
        tuning: campaign,
        machine: settings::machine_options(&run, &checks)?,
        explorer: &make_explorer,
        backward: (way != "forward").then(|| BackwardOptions {
            unroll,
            max_steps: max_steps.unwrap_or(if way == "backward" { u64::MAX } else { tuning.steps }),
            search_budget,
            seed: run.exploration.seed,
            tuning,
            concrete,
        }),
        is_forward: way != "backward",
        // One that takes for ever must not keep the others from their turn.
        time: run.limits.max_time.or((targets.len() > 1).then_some(TIME_OF_SEVERAL)),
        interrupted: Arc::clone(&interrupted),
        out: run.out.clone(),
        findings,
        tests: campaign_options::out_options(&run, &loaded),
        confirm: campaign_options::confirm_options(&run)?,
        log_paths: run.output.verbose > 0,
        program: file_names(&run),
        echoed: campaign_options::echoed(&run),
        scope: scope(&run, loaded.max_len, &checks),
    };
    let result = secateur_campaign::reach(loaded, targets, options, &mut progress)?;
    warn_unconfined(&result.unconfined);
    match printing {
        Printing::Nothing => {}
        Printing::Json => console::print(result.report.to_json())?,
        Printing::Report => console::print(ReachText(&result.report, &run.out))?,
    }
    if let Some(fault) = result.faults.first() {
        return Err(Failure::Own(fault.clone()));
    }
    Ok(match (result.has_unknown(), result.all_reached()) {
        (true, _) => UNKNOWN,
        (_, true) => DONE,
        _ => UNREACHABLE,
    })
}

/// What the answers are restricted to.
fn scope(run: &RunArgs, max_len: Option<u32>, checks: &[BugKind]) -> Vec<String> {
    let mut scope = verify::scope(run, max_len, checks);
    if run.input.fail_calls == 0 {
        scope.push(NO_FAILURES.to_string());
    }
    scope.push(OUTSIDE.to_string());
    scope
}

/// Both name the same folder.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// What explores towards a goal, or everywhere.
fn explorer(args: &RunArgs, goal: Option<&Goal>, interrupted: &Arc<AtomicBool>) -> Result<Explorer, Failure> {
    let mut settings = settings::exploration(args, Arc::clone(interrupted))?;
    if let Some(goal) = goal {
        let tuning = settings.tuning.clone();
        settings.searcher = search::in_turn(vec![search::toward(goal.clone(), &tuning), settings.searcher]);
        settings.pruners.push(Box::new(Toward::new(goal.clone())));
        for worker in &mut settings.workers {
            worker.pruners.push(Box::new(Toward::new(goal.clone())));
        }
    }
    // Several explorations run one after another.
    settings.leave_memory = false;
    Ok(Explorer { solver: Solver::new(settings::solver_options(args)?)?, settings })
}
