//! The steps of a campaign.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use secateur_c_tests::{CTests, Function};
use secateur_explore::{Counters, RoundLimits, RunResult, StopReason, explore};
use secateur_machine::Machine;
use secateur_program::Loaded;
use secateur_report::{self as report, Findings, Unsupported};
use secateur_suite::replay::{Confirmer, Deadline, NativeCounts};
use secateur_suite::summary::{CoverageSummary, NativeSummary, Reason, SeedSummary};
use secateur_suite::{CodeMap, OutDir, PENDING, Summary};

use crate::collect::CollectLimits;
use crate::confirm::{self, Confirmation, confirm};
use crate::coverage::{self, coverage};
use crate::fault::Fault;
use crate::first_bug::FirstBug;
use crate::journal::{Continuation, JournalError, JournalWriter};
use crate::keep::Keep;
use crate::native::{self, NATIVE, NativeFindings};
use crate::options::Options;
use crate::path_tree::PathTree;
use crate::recorder::Recorder;
use crate::seeds::{SEED, SeedInputs};
use crate::verdict::verdict;
use crate::watcher::Watcher;
use crate::{c_tests, collect, learning, logging, summary};

/// The result of a campaign. Everything else is in the output folder.
pub struct CampaignResult {
    /// The content of `summary.json`, with the measured times and memory.
    pub summary: Summary,
    /// How the exploration ended.
    pub explored: RunResult,
    /// What could not be modelled.
    pub unsupported: Vec<Unsupported>,
    /// The limits that single paths have reached, by place.
    pub limits: Vec<Reason>,
    /// Whether any path had symbolic input.
    pub has_input: bool,
    /// The output folder.
    pub out: PathBuf,
    /// `report.html`, if it was written.
    pub report: Option<PathBuf>,
    /// The tests in C, if a single function was tested.
    pub c_tests: Option<PathBuf>,
    /// Whether something is pending, so that the run can be continued.
    pub can_continue: bool,
    /// What the sandbox could not prevent on this system while bugs were checked.
    pub unconfined: Vec<&'static str>,
    /// What went wrong by our own fault.
    pub fault: Option<Fault>,
}

/// Explores a program and writes everything that is found. An error is about the output folder, which the user can fix;
/// our own faults are part of the result, because everything else that was found is still valid.
pub fn run(
    loaded: Loaded,
    mut options: Options<'_>,
    watcher: &mut dyn Watcher,
) -> Result<CampaignResult, JournalError> {
    let Options { started, mut solver, keep, .. } = options;
    let journal = options.journal;
    if journal.as_ref().is_some_and(|journal| journal.bitcode != loaded.user_bitcode) {
        return Err(JournalError::Changed);
    }
    // They may be in the output folder, which is replaced.
    let mut seeds = options.seeds.map(|seeds| SeedInputs::read(&seeds, &options.machine.environment)).transpose()?;
    let program = Arc::new(loaded.program);
    let code = CodeMap::of(&program);
    let begun = match &journal {
        Some(journal) => Some(journal.bytes().to_vec()),
        None => options.beginning.as_ref().map(JournalWriter::beginning),
    };
    let out = OutDir::create_for(&options.out, options.tests, &loaded.user_bitcode, &code, begun.as_deref())?;
    let out = Arc::new(out);
    out.write_given_files(&options.machine.environment.given)?;
    let _logging = logging::start(&out, options.log_paths)?;
    tracing::info!(program = ?options.program, "loaded");

    let seeds_given = seeds.as_ref().map(|seeds| seeds.inputs.len() as u64);
    seeds.iter().flat_map(|seeds| &seeds.warnings).for_each(|sentence| {
        tracing::warn!("{sentence}");
        watcher.warn(sentence);
    });
    let mut machine = Machine::new(Arc::clone(&program), options.machine);
    let tree = PathTree::new(&out, options.list_paths)?;
    let unit = loaded.unit.filter(|_| keep != Keep::Nothing);
    let tests_in_c = unit.map(|unit| CTests::new(Arc::new(Function::new(unit, options.c_tests))));
    let mut recorder = Recorder::new(&out, &program, keep, tests_in_c, tree, started, watcher);
    let path = out.path().to_path_buf();
    let mut continuation = Continuation::default();
    recorder.confirmer = options.confirm.map(|options| Confirmer::new(&out, options));
    if let Some(journal) = journal {
        continuation = journal.replay(&path, |step| recorder.replay(step).map_err(JournalError::from))?;
        for entry in &continuation.covered {
            machine.coverage.restore(*entry);
        }
        recorder.began_before(Duration::from_secs_f64(continuation.seconds.clamp(0.0, 1e9)));
    }
    if begun.is_some() {
        recorder.journal = Some(JournalWriter::new(&out, continuation.counters.clone(), recorder.began())?);
    }
    let mut exploration = options.exploration;
    exploration.continued = continuation.has_begun.then_some(continuation.continued);
    let leave_memory = exploration.leave_memory;
    let (limit, interrupted) =
        (exploration.limits.time.map(|time| started + time), Arc::clone(&exploration.interrupted));
    let deadline = limit.map_or_else(Deadline::default, Deadline::at).unless(Arc::clone(&interrupted));
    if let (Some(seeds), Some(help), None) = (&mut seeds, &options.native, &options.steps) {
        native::reduce(seeds, help, out.path(), &deadline);
    }
    let seeds_kept = seeds.as_ref().map_or(0, |seeds| seeds.inputs.len() as u64);
    let (inputs, native) = native::inputs(seeds, options.native, &program, out.path(), deadline);
    exploration.inputs = inputs;
    // What was done before, such as compiling and loading, counts.
    exploration.limits.time = limit.map(|limit| limit.saturating_duration_since(Instant::now()));
    let stops = options.verify.as_ref().is_some_and(|verify| !verify.keep_going);
    recorder.first_bug = stops.then(|| FirstBug::new(limit, Arc::clone(&interrupted), &options.tuning));
    let mut work = None;
    let explored = match (&mut options.steps, &mut options.learning) {
        (Some(steps), _) => {
            let limits = CollectLimits {
                at: limit,
                paths: exploration.limits.paths,
                interrupted: Arc::clone(&interrupted),
                keep,
                listed: options.list_paths,
            };
            collect::collect(*steps, &mut machine, &mut recorder, &limits).map(|(explored, done)| {
                work = Some(done);
                explored
            })
        }
        (None, Some(learning)) => {
            let limits = RoundLimits { limits: exploration.limits, inputs: exploration.inputs };
            learning::explore(&mut machine, &mut solver, learning, limits, &out, &mut recorder)
        }
        (None, None) => explore(&mut machine, &mut solver, exploration, &mut recorder),
    };
    let written = recorder.finish();
    let mut explored = explored?;
    written?;
    if continuation.has_begun {
        let now = &mut explored.counters;
        let earlier = Counters { pending: 0, stopped: 0, left: 0, snapshots: 0, ..continuation.counters };
        *now += &earlier;
    }
    if let Some(mut journal) = recorder.journal.take()
        && let Some(error) = journal.finish()
    {
        let sentence = format!("{}: {error}; this run cannot be continued", path.join(PENDING).display());
        recorder.warn(&sentence);
    }
    let (stopped, counters) = (explored.reason.name(), &explored.counters);
    tracing::info!(
        stopped,
        completed = counters.completed,
        bugs = counters.bugs,
        pending = counters.pending,
        "explored"
    );

    let covered = coverage(&machine);
    out.write_coverage(&code, &covered)?;
    let tests_in_c = recorder.c_tests.as_ref();
    let c_tests = tests_in_c.map(|tests| c_tests::write_file(tests, &options.sources, &out)).transpose()?;
    let bugs = out.bugs().len();
    let confirmation = match recorder.confirmer.take().filter(|_| bugs > 0) {
        Some(confirmer) => confirm(confirmer, &out, confirm::deadline(bugs, limit, interrupted, &options.tuning)),
        None => Confirmation::default(),
    };
    recorder.last_sample(&machine, counters)?;
    let native = native.map(|report| report.get());
    let unconfined = native.iter().flat_map(|native| native.unconfined.iter().copied());
    let unconfined = confirmation.unconfined.iter().copied().chain(unconfined).collect::<BTreeSet<_>>();
    let (counts, entry) = (covered.counts(&code), options.entry.as_deref());
    let statistics = work.as_ref().map_or_else(|| solver.statistics(), |work| &work.solver);
    let fault = Fault::of(&solver, counters, &out)?;
    let mut summary = Summary {
        program: options.program,
        options: options.echoed,
        not_checked: confirmation.not_checked,
        coverage: CoverageSummary {
            branches: counts.branches,
            lines: counts.lines,
            reachable: Some(coverage::reachable(&program, &code, &covered)),
            entry: entry.map(|entry| coverage::of_function(&program, &code, &covered, entry)),
        },
        seeds: seeds_given.map(|given| SeedSummary { given, kept: seeds_kept, followed: followed(counters, SEED) }),
        native: native.as_ref().map(|native| native_summary(native, counters)),
        learning: options.learning.as_ref().map(|learning| (learning.summary)()),
        time: Some(started.elapsed().as_secs_f64()),
        instructions: work.as_ref().map_or(machine.instructions, |work| work.instructions),
        ..summary::of_exploration(&out, &program, &explored, statistics)
    };
    let reasons = recorder.omissions.reasons(&program, &explored, &out.bugs(), fault.as_ref());
    summary = match options.verify {
        Some(verify) => {
            let (verdict, reasons) = verdict(summary.complete && counters.bugs == 0, &out.bugs(), reasons);
            Summary { verdict: Some(verdict), reasons, scope: verify.scope, ..summary }
        }
        None if summary.complete => summary,
        None => Summary { reasons, ..summary },
    };
    out.write_summary(&summary)?;
    if begun.is_some() && explored.reason == StopReason::Finished {
        out.remove_pending()?;
    }
    if leave_memory {
        std::mem::forget(machine);
    }
    let unsupported = recorder.unsupported.list();
    if options.report {
        let findings = Findings {
            summary: &summary,
            sentence: explored.sentence(),
            code: &code,
            coverage: &covered,
            sides: &recorder.tree.sides,
            unsupported: &unsupported,
            interpolants: &recorder.interpolants.list(),
            left_out: recorder.tree.left_out(),
        };
        report::write(&out, &findings)?;
    }
    out.check()?;
    Ok(CampaignResult {
        summary,
        unsupported,
        limits: recorder.omissions.limits(&program),
        has_input: recorder.has_input,
        out: out.path().to_path_buf(),
        report: options.report.then(|| out.path().join(report::REPORT)),
        c_tests,
        can_continue: begun.is_some() && explored.reason != StopReason::Finished,
        unconfined: unconfined.into_iter().collect(),
        fault,
        explored,
    })
}

/// How many inputs from this source became paths.
fn followed(counters: &Counters, from: &str) -> u64 {
    counters.inputs_followed.get(from).copied().unwrap_or(0)
}

fn native_summary(native: &NativeFindings, counters: &Counters) -> NativeSummary {
    let NativeCounts { runs, crashes, hangs } = native.counts;
    NativeSummary { runs, crashes, hangs, followed: followed(counters, NATIVE), problem: native.problem.clone() }
}
