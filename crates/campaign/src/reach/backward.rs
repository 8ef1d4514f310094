//! The backward search: from the target to the start of the program. Its candidates are run before they count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_backward::{
    Answer, BackwardResult, Obstacle, Options, Progress, Runner, Tuning as BackwardTuning, Waypoint,
};
use secateur_machine::{End, Machine, error_functions};
use secateur_program::{Callee, FuncId, GoalPoint, Inst, Program};
use secateur_solver::{ConcreteSearchTuning, Deadline, Solver};
use secateur_suite::OutError;
use secateur_suite::reach::{PathStep, ReachVerdict, TargetAnswer};
use secateur_suite::summary::Reason;

use super::forward::Search;
use super::target::{Armed, Ends, What};
use super::witness::{Witness, Witnesses, run_to_end};
use crate::place::{file_and_line, file_line};
use crate::watcher::Watcher;

/// How the search works.
#[derive(Clone, Debug)]
pub struct BackwardOptions {
    /// How often a loop is entered backwards before it is left out as a whole.
    pub unroll: u32,
    /// The most steps.
    pub max_steps: u64,
    /// How many inputs are run at most to find what was deferred.
    pub search_budget: u64,
    /// Another seed makes that search try others.
    pub seed: u64,
    /// Numbers for measurements.
    pub tuning: BackwardTuning,
    /// The same of that search for inputs.
    pub concrete: ConcreteSearchTuning,
}

/// Searches for a target, and completes the answer if there is one. Returns an input that came close otherwise.
pub(super) fn search(
    search: &Search<'_>,
    options: &BackwardOptions,
    (solver, forward_solver): (&mut Solver, Option<Solver>),
    interrupted: &Arc<AtomicBool>,
    witnesses: &mut Witnesses<'_>,
    answer: &mut TargetAnswer,
    watcher: &mut dyn Watcher,
) -> Result<Option<Vec<u8>>, OutError> {
    let program = search.program;
    let Some(places) = places(program, search) else {
        answer.reasons.push(reason("an error function may be called through a pointer".to_string()));
        return Ok(None);
    };
    let left = search.limit.map(|limit| limit.saturating_duration_since(Instant::now()));
    let deadline = Deadline::lasting(left.unwrap_or(Duration::MAX)).unless(Arc::clone(interrupted));
    let BackwardOptions { unroll, max_steps, search_budget: evaluations, seed, tuning, concrete } = options.clone();
    let options = Options { unroll, max_steps, evaluations, seed, deadline, tuning, concrete };
    let mut runner =
        Candidates { search, witnesses, forward_solver, armed: None, witness: None, error: None, interrupted, watcher };
    let BackwardResult { answer: found, steps, segments, deferred, candidate, evaluations, path } =
        secateur_backward::search(program, &places, solver, &options, &mut runner);
    let Candidates { witness, error, .. } = runner;
    if let Some(error) = error {
        return Err(error);
    }
    answer.steps += steps;
    answer.segments += segments;
    answer.deferred = deferred.into();
    answer.evaluations += evaluations;
    answer.path = path.into_iter().map(|point| step(program, point)).collect();
    match found {
        Answer::Reached => {
            (answer.verdict, answer.way) = (ReachVerdict::Reached, "backward".to_string());
            if let Some(Witness { test, confirmed, .. }) = witness {
                (answer.test, answer.confirmed) = (Some(test), confirmed);
            }
        }
        Answer::Unreachable { refutations } => {
            (answer.verdict, answer.way) = (ReachVerdict::Unreachable, "backward".to_string());
            answer.because.extend(proof(program, &refutations));
        }
        Answer::Unknown(obstacles) => {
            answer.reasons.extend(obstacles.into_iter().map(|obstacle| reason_of(program, obstacle)));
        }
    }
    Ok(candidate)
}

/// Where paths to the target end; `None` if that is not known.
fn places(program: &Program, search: &Search<'_>) -> Option<Vec<GoalPoint>> {
    if let What::Places(places) = &search.target.what {
        return Some(places.clone());
    }
    let errors = error_functions(program);
    let addresses: Vec<u64> = errors.iter().map(|function| secateur_program::function_address(*function)).collect();
    let mut places = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        if body.consts.iter().any(|constant| addresses.contains(constant)) {
            return None;
        }
        for (pc, inst) in body.code.iter().enumerate() {
            if let Inst::Call { info } = inst
                && let Callee::Direct(callee) = body.calls[info.index()].callee
                && errors.contains(&callee)
            {
                places.push(GoalPoint::Before { function: FuncId(index as u32), pc: pc as u32 });
            }
        }
    }
    let in_data = |address: &u64| {
        let bytes = address.to_le_bytes();
        program.globals.iter().any(|global| global.init.windows(6).any(|window| window == &bytes[..6]))
    };
    (!addresses.iter().any(in_data)).then_some(places)
}

fn reason(why: String) -> Reason {
    Reason { what: "backward".to_string(), why, ..Reason::default() }
}

fn reason_of(program: &Program, obstacle: Obstacle) -> Reason {
    let (file, line) = file_line(program, obstacle.loc);
    Reason { file, line, paths: 1, ..reason(obstacle.why) }
}

fn step(program: &Program, Waypoint { loc, conditions }: Waypoint) -> PathStep {
    let (file, line) = file_line(program, loc);
    PathStep { place: file_and_line(&file, line), conditions }
}

/// Sentences without their ends: where paths to the target end, and why.
fn proof(program: &Program, refutations: &[Waypoint]) -> Vec<String> {
    let mut explained: Vec<String> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for Waypoint { loc, conditions } in refutations {
        let (file, line) = file_line(program, *loc);
        let place = file_and_line(&file, line);
        if conditions.is_empty() {
            if !lines.contains(&place) {
                lines.push(place);
            }
        } else {
            explained.push(format!("at {place}, it would need: {}", conditions.join(", and ")));
        }
    }
    if !lines.is_empty() {
        explained.push(format!("on every way there, conditions contradict each other: at {}", lines.join(", ")));
    }
    if explained.is_empty() {
        explained.push("nothing leads there from the start of the program".to_string());
    }
    explained
}

/// Runs candidates on the program whose paths end at the target, and those that get there natively.
struct Candidates<'a, 'b> {
    search: &'a Search<'a>,
    witnesses: &'a mut Witnesses<'b>,
    /// For the questions of forward states, if there are to be any.
    forward_solver: Option<Solver>,
    /// The program, once there is a candidate.
    armed: Option<(Arc<Program>, Ends)>,
    witness: Option<Witness>,
    error: Option<OutError>,
    interrupted: &'a AtomicBool,
    watcher: &'a mut dyn Watcher,
}

impl Runner for Candidates<'_, '_> {
    fn reaches(&mut self, input: &[u8]) -> bool {
        let mut machine = self.machine();
        let (_, end): (_, End) = run_to_end(&mut machine, input.to_vec(), self.search.tuning.reach_instructions);
        if !self.is_reached(&end) {
            return false;
        }
        match self.witnesses.check(self.search.target, input.to_vec()) {
            Ok(witness) if witness.confirmed == Some(false) => false,
            Ok(witness) => {
                self.witness = Some(witness);
                true
            }
            Err(error) => {
                self.error = Some(error);
                true
            }
        }
    }

    fn forward_solver(&mut self) -> Option<Solver> {
        self.forward_solver.take()
    }

    fn machine(&mut self) -> Machine {
        let search = self.search;
        let (program, _) = self.armed.get_or_insert_with(|| {
            let Armed { program, ends, .. } = search.target.arm(search.program);
            (Arc::new(program), ends)
        });
        Machine::new(Arc::clone(program), search.machine.clone())
    }

    fn is_reached(&self, end: &End) -> bool {
        self.armed.as_ref().is_some_and(|(program, ends)| ends.are_reached(program, end))
    }

    fn goes_on(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        if self.watcher.wants_sample(now) {
            let time = self.search.started.elapsed().as_secs_f64();
            self.watcher.searching(&self.search.target.text, time, progress);
        }
        !self.interrupted.load(Ordering::Relaxed) && self.search.limit.is_none_or(|limit| now < limit)
    }
}
