//! Answers whether targets can be reached: with a test that the native program confirms, or with a proof.

mod backward;
mod forward;
mod target;
mod witness;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_explore::{Goal, Settings};
use secateur_machine::Options as MachineOptions;
use secateur_program::Loaded;
use secateur_solver::Solver;
use secateur_suite::reach::{REACH, ReachReport, ReachVerdict, TargetAnswer};
use secateur_suite::replay::ReplayOptions;
use secateur_suite::{CodeMap, OutDir, OutError, OutOptions};

pub use backward::BackwardOptions;
pub use target::ReachTarget;

use crate::logging;
use crate::watcher::Watcher;
use witness::Witnesses;

/// What is to be reached, and how.
pub struct ReachOptions<'a> {
    /// When it began, the loading of the program included.
    pub started: Instant,
    /// How the machine runs the program.
    pub machine: MachineOptions,
    /// Makes a solver and the settings of an exploration towards a goal.
    pub explorer: &'a MakeExplorer<'a>,
    /// Search backwards first, if that is wanted.
    pub backward: Option<BackwardOptions>,
    /// Search forwards, after the backward search if there is one.
    pub is_forward: bool,
    /// How long one target may take.
    pub time: Option<Duration>,
    /// Set when the user wants it to stop.
    pub interrupted: Arc<AtomicBool>,
    /// The output folder.
    pub out: PathBuf,
    /// How tests are written.
    pub tests: OutOptions,
    /// How tests are checked on the native program; `None` if they are not.
    pub confirm: Option<ReplayOptions>,
    /// `run.log` has a line for every path.
    pub log_paths: bool,
    /// For the report: the files of the program.
    pub program: Vec<String>,
    /// For the report: the options that matter.
    pub echoed: BTreeMap<String, serde_json::Value>,
    /// For the report: what the answers are restricted to by the arguments.
    pub scope: Vec<String>,
}

/// Makes what explores towards a goal, or says why it cannot.
pub type MakeExplorer<'a> = dyn Fn(&Goal) -> Result<Explorer, String> + 'a;

/// What explores towards a goal.
pub struct Explorer {
    /// Answers the questions of the first worker.
    pub solver: Solver,
    /// Searcher, pruners, limits and further workers.
    pub settings: Settings,
}

/// The answers, and what else the user should know.
pub struct ReachResult {
    /// The content of `reach.json`.
    pub report: ReachReport,
    /// What the sandbox could not prevent on this system.
    pub unconfined: Vec<&'static str>,
    /// What went wrong by our own fault.
    pub faults: Vec<String>,
}

/// Answers for each target in turn, and writes the tests and `reach.json`.
pub fn reach(
    loaded: Loaded,
    targets: Vec<ReachTarget>,
    options: ReachOptions<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ReachResult, OutError> {
    let program = Arc::new(loaded.program);
    let code = CodeMap::of(&program);
    let out = OutDir::create_for(&options.out, options.tests, &loaded.user_bitcode, &code, None)?;
    let _logging = logging::start(&out, options.log_paths)?;
    let mut witnesses = Witnesses::new(&program, &options.machine, &out, options.confirm);
    let mut report = ReachReport {
        program: options.program,
        options: options.echoed,
        scope: options.scope,
        ..ReachReport::default()
    };
    let mut faults = Vec::new();
    for target in targets {
        let begin = Instant::now();
        let mut answer = TargetAnswer::unknown(&target.text, target.describe(&program));
        if !options.interrupted.load(Ordering::Relaxed) {
            let search = forward::Search {
                program: &program,
                machine: &options.machine,
                target: &target,
                limit: options.time.map(|time| begin + time),
                started: options.started,
            };
            let mut first_input = Vec::new();
            if let Some(backward) = &options.backward {
                let mut solver = match (options.explorer)(&Goal::new(Vec::new(), Vec::new())) {
                    Ok(explorer) => explorer.solver,
                    Err(why) => {
                        faults.push(why);
                        break;
                    }
                };
                // The forward search has at least half of the time.
                let share = if options.is_forward { 2 } else { 1 };
                let limit = options.time.map(|time| begin + time / share);
                let close = backward::search(
                    &forward::Search { limit, ..search },
                    backward,
                    &mut solver,
                    &options.interrupted,
                    &mut witnesses,
                    &mut answer,
                    watcher,
                )?;
                first_input = close.unwrap_or_default();
            }
            if answer.verdict == ReachVerdict::Unknown && options.is_forward {
                let mut way = forward::Way { explorer: options.explorer, first_input, faults: &mut faults };
                forward::search(&search, &mut way, &mut witnesses, &mut answer, watcher)?;
            }
        }
        answer.time = begin.elapsed().as_secs_f64();
        tracing::info!(target = answer.target, verdict = %answer.verdict, way = answer.way, "answered");
        report.targets.push(answer);
        // A process that is killed leaves the answers so far.
        report.time = options.started.elapsed().as_secs_f64();
        out.write(REACH, report.to_json().as_bytes())?;
    }
    watcher.explored();
    out.check()?;
    Ok(ReachResult { report, unconfined: witnesses.unconfined(), faults })
}

impl ReachResult {
    /// Some target is neither reached nor proved unreachable.
    pub fn has_unknown(&self) -> bool {
        !self.report.all(&[ReachVerdict::Reached, ReachVerdict::Unreachable])
    }

    /// Every target is reached.
    pub fn all_reached(&self) -> bool {
        self.report.all(&[ReachVerdict::Reached])
    }
}
