//! Answers whether targets can be reached: with a test that the native program confirms, or with a proof.

mod backward;
mod forward;
mod outside;
mod rules;
mod target;
mod witness;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_explore::{Goal, Settings};
use secateur_machine::{BugKind, Options as MachineOptions};
use secateur_program::{Loaded, Program};
use secateur_solver::Solver;
use secateur_suite::findings::{FINDINGS, Findings};
use secateur_suite::reach::{REACH, ReachReport, ReachVerdict, TargetAnswer};
use secateur_suite::replay::ReplayOptions;
use secateur_suite::summary::Reason;
use secateur_suite::{CodeMap, OutDir, OutError, OutOptions};

pub use backward::BackwardOptions;
pub use rules::kinds_of_rule;
pub use target::{ReachTarget, What};
pub(crate) use witness::run_to_end;

use crate::logging;
use crate::tuning::Tuning;
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
    /// The findings of an analyser that the first targets stand for.
    pub findings: Option<Findings>,
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
    /// Numbers for measurements.
    pub tuning: Tuning,
}

/// Makes what explores towards a goal, or everywhere, or says why it cannot.
pub type MakeExplorer<'a> = dyn Fn(Option<&Goal>) -> Result<Explorer, String> + 'a;

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
    mut options: ReachOptions<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ReachResult, OutError> {
    let program = Arc::new(loaded.program);
    let code = CodeMap::of(&program);
    let out = OutDir::create_for(&options.out, options.tests.clone(), &loaded.user_bitcode, &code, None)?;
    let _logging = logging::start(&out, options.log_paths)?;
    let mut witnesses = Witnesses::new(&program, &options.machine, &out, options.confirm.take(), &options.tuning);
    let mut report = ReachReport {
        program: std::mem::take(&mut options.program),
        options: std::mem::take(&mut options.echoed),
        scope: std::mem::take(&mut options.scope),
        ..ReachReport::default()
    };
    let mut faults = Vec::new();
    let mut judged: BTreeMap<(String, Vec<BugKind>), TargetAnswer> = BTreeMap::new();
    for target in targets {
        // Analysers find the same more than once.
        let finding = match &target.what {
            What::Failure(_, kinds) => Some((target.text.clone(), kinds.clone())),
            _ => None,
        };
        let begin = Instant::now();
        let mut answer = match finding.as_ref().and_then(|finding| judged.get(finding)) {
            Some(known) => known.clone(),
            None => {
                let mut answering = Answering {
                    program: &program,
                    options: &options,
                    witnesses: &mut witnesses,
                    faults: &mut faults,
                    watcher: &mut *watcher,
                    limit: options.time.map(|time| begin + time),
                };
                answering.answer_any(&target)?
            }
        };
        answer.time = begin.elapsed().as_secs_f64();
        judged.extend(finding.map(|finding| (finding, answer.clone())));
        tracing::info!(target = answer.target, verdict = %answer.verdict, way = answer.way, "answered");
        report.targets.push(answer);
        // A process that is killed leaves the answers so far.
        report.time = options.started.elapsed().as_secs_f64();
        out.write(REACH, report.to_json().as_bytes())?;
        secateur_report::write_reach(&out, &report)?;
        if let Some(findings) = &options.findings {
            out.write(FINDINGS, findings.with_answers(&report.targets).as_bytes())?;
        }
    }
    watcher.explored();
    out.check()?;
    Ok(ReachResult { report, unconfined: witnesses.unconfined(), faults })
}

/// The ways to search that have not ended.
struct Ways {
    is_backward: bool,
    is_forward: bool,
}

/// What it takes to answer for one target.
struct Answering<'a, 'b> {
    program: &'a Arc<Program>,
    options: &'a ReachOptions<'a>,
    witnesses: &'a mut Witnesses<'b>,
    faults: &'a mut Vec<String>,
    watcher: &'a mut dyn Watcher,
    limit: Option<Instant>,
}

impl Answering<'_, '_> {
    fn answer_any(&mut self, target: &ReachTarget) -> Result<TargetAnswer, OutError> {
        let mut answer = TargetAnswer::unknown(&target.text, target.describe(self.program));
        match &target.what {
            What::Nowhere(why) => {
                answer.reasons.push(Reason { what: "place".to_string(), why: why.clone(), ..Reason::default() });
            }
            What::Failure(_, kinds) => self.answer_finding(target, kinds, &mut answer)?,
            What::Places(_) | What::AnyError => self.answer(target, 1, &mut answer)?,
        }
        if answer.verdict == ReachVerdict::Unreachable
            && let Some(why) = outside::doubt(self.program, target)
        {
            answer.verdict = ReachVerdict::Unknown;
            answer.way.clear();
            answer.because.clear();
            answer.reasons.push(Reason { what: "outside".to_string(), why, ..Reason::default() });
        }
        Ok(answer)
    }

    /// Searches in one part of so many of the time that is left.
    fn answer(&mut self, target: &ReachTarget, parts: u32, answer: &mut TargetAnswer) -> Result<(), OutError> {
        let now = Instant::now();
        let limit = self.limit.map(|limit| now + limit.saturating_duration_since(now) / parts);
        let ways = Ways { is_backward: self.options.backward.is_some(), is_forward: self.options.is_forward };
        self.take_turns(target, ways, limit, answer)
    }

    /// Lets the ways to search take turns, each turn twice as long as the one before: which of them answers at once,
    /// and which never does, depends on the program. A search that has ended by itself has no further turns.
    fn take_turns(
        &mut self,
        target: &ReachTarget,
        mut ways: Ways,
        limit: Option<Instant>,
        answer: &mut TargetAnswer,
    ) -> Result<(), OutError> {
        let options = self.options;
        let (mut backward_reasons, mut forward_reasons) = (Vec::new(), Vec::new());
        let mut first_input = Vec::new();
        let mut turn = options.tuning.reach_turn;
        let is_alone = !ways.is_forward;
        loop {
            // A turn ends after this time, but not after the limit.
            let until = |turn: Duration| {
                let end = Instant::now() + turn;
                Some(limit.map_or(end, |limit| limit.min(end)))
            };
            let search = |limit| forward::Search {
                program: self.program,
                machine: &options.machine,
                target,
                limit,
                started: options.started,
                tuning: &options.tuning,
            };
            let is_over = || {
                let is_late = limit.is_some_and(|limit| limit <= Instant::now());
                is_late || options.interrupted.load(Ordering::Relaxed)
            };
            if let Some(backward) = options.backward.as_ref().filter(|_| ways.is_backward && !is_over()) {
                let solver = || (options.explorer)(None).map(|explorer| explorer.solver);
                let solvers = solver().and_then(|first| Ok((first, ways.is_forward.then(solver).transpose()?)));
                let (mut solver, forward_solver) = match solvers {
                    Ok(solvers) => solvers,
                    Err(why) => {
                        self.faults.push(why);
                        return Ok(());
                    }
                };
                let search = search(if is_alone { limit } else { until(turn) });
                let close = backward::search(
                    &search,
                    backward,
                    (&mut solver, forward_solver),
                    &options.interrupted,
                    self.witnesses,
                    answer,
                    self.watcher,
                )?;
                first_input = close.unwrap_or_default();
                if answer.verdict != ReachVerdict::Unknown {
                    return Ok(());
                }
                backward_reasons = std::mem::take(&mut answer.reasons);
                if is_alone || search.limit.is_none_or(|limit| Instant::now() < limit) {
                    ways.is_backward = false;
                }
            }
            for (cuts, length) in [(false, turn), (true, 2 * turn)] {
                if !ways.is_forward || is_over() {
                    continue;
                }
                let first_input = first_input.clone();
                let mut way = forward::Way { explorer: options.explorer, cuts, first_input, faults: self.faults };
                let ended = forward::search(&search(until(length)), &mut way, self.witnesses, answer, self.watcher)?;
                if answer.verdict != ReachVerdict::Unknown {
                    return Ok(());
                }
                match ended {
                    forward::Ended::NotBegun => {}
                    forward::Ended::Time => forward_reasons = std::mem::take(&mut answer.reasons),
                    forward::Ended::Itself => {
                        forward_reasons = std::mem::take(&mut answer.reasons);
                        ways.is_forward = false;
                    }
                }
            }
            if is_over() || !ways.is_backward && !ways.is_forward {
                answer.reasons.append(&mut backward_reasons);
                answer.reasons.append(&mut forward_reasons);
                return Ok(());
            }
            turn *= 2;
        }
    }

    /// A finding cannot happen if its line is unreachable, or if every path is accounted for and no check fails there.
    fn answer_finding(
        &mut self,
        target: &ReachTarget,
        kinds: &[BugKind],
        answer: &mut TargetAnswer,
    ) -> Result<(), OutError> {
        self.answer(&target.as_place(), 2, answer)?;
        let mut reached = None;
        match answer.verdict {
            ReachVerdict::Unreachable => return Ok(()),
            ReachVerdict::Reached => reached = answer.test.take(),
            ReachVerdict::Unknown => answer.reasons.clear(),
        }
        (answer.verdict, answer.confirmed) = (ReachVerdict::Unknown, None);
        answer.way.clear();
        if kinds.is_empty() {
            let why = match rules::is_about_memory(&target.text) {
                true => "allocations that fail are not looked for; `run --fail-calls 1` tries them".to_string(),
                false => "no check of Secateur corresponds to the rule of this finding".to_string(),
            };
            answer.reasons.push(Reason { what: "rule".to_string(), why, ..Reason::default() });
        } else if !self.options.interrupted.load(Ordering::Relaxed) {
            self.take_turns(target, Ways { is_backward: false, is_forward: true }, self.limit, answer)?;
        }
        if let Some(test) = reached.filter(|_| answer.verdict == ReachVerdict::Unknown) {
            let but = if kinds.is_empty() { "" } else { ", but no check fails there on the paths that were tried" };
            let why = format!("the line is reached by {test}{but}");
            answer.reasons.push(Reason { what: "finding".to_string(), why, ..Reason::default() });
        }
        Ok(())
    }
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
