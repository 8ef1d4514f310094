//! The backward search: from the target to the start of the program. Its candidates are run before they count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use secateur_backward::{Answer, Obstacle, Options, Outcome, Progress, Runner};
use secateur_explore::Counters;
use secateur_machine::{End, Machine, error_functions};
use secateur_program::{Callee, FuncId, Inst, LocId, Place, Program};
use secateur_solver::{Deadline, Solver};
use secateur_suite::OutError;
use secateur_suite::reach::{ReachVerdict, TargetAnswer};
use secateur_suite::summary::Reason;

use super::forward::Search;
use super::target::{Armed, is_reached};
use super::witness::{Witness, Witnesses, run_to_end};
use crate::place::{file_and_line, file_line};
use crate::timeline;
use crate::watcher::Watcher;

/// How the search works.
#[derive(Clone, Copy, Debug)]
pub struct BackwardOptions {
    /// How often a loop is entered backwards before it is left out as a whole.
    pub unroll: u32,
    /// The most steps.
    pub max_steps: u64,
}

/// Searches for a target, and completes the answer if there is one. Returns an input that came close otherwise.
pub(super) fn search(
    search: &Search<'_>,
    options: &BackwardOptions,
    solver: &mut Solver,
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
    let options = Options { unroll: options.unroll, max_steps: options.max_steps, deadline };
    let mut runner = Candidates { search, witnesses, armed: None, witness: None, error: None, interrupted, watcher };
    let Outcome { answer: found, steps, segments, deferred, candidate } =
        secateur_backward::search(program, &places, solver, &options, &mut runner);
    let Candidates { witness, error, .. } = runner;
    if let Some(error) = error {
        return Err(error);
    }
    answer.steps += steps;
    answer.segments += segments;
    answer.deferred = deferred.into();
    match found {
        Answer::Reached => {
            (answer.verdict, answer.way) = (ReachVerdict::Reached, "backward".to_string());
            if let Some(Witness { test, confirmed, .. }) = witness {
                (answer.test, answer.confirmed) = (Some(test), confirmed);
            }
        }
        Answer::Unreachable { refuted_at } => {
            (answer.verdict, answer.way) = (ReachVerdict::Unreachable, "backward".to_string());
            answer.because.push(proof(program, &refuted_at));
        }
        Answer::Unknown(obstacles) => {
            answer.reasons.extend(obstacles.into_iter().map(|obstacle| reason_of(program, obstacle)));
        }
    }
    Ok(candidate)
}

/// Where paths to the target end; `None` if that is not known.
fn places(program: &Program, search: &Search<'_>) -> Option<Vec<Place>> {
    if let Some(places) = &search.target.places {
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
                places.push(Place::Before { function: FuncId(index as u32), pc: pc as u32 });
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

fn proof(program: &Program, refuted_at: &[LocId]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for loc in refuted_at {
        let (file, line) = file_line(program, *loc);
        let text = file_and_line(&file, line);
        if !lines.contains(&text) {
            lines.push(text);
        }
    }
    match lines.as_slice() {
        [] => "nothing leads there from the start of the program".to_string(),
        lines => format!("on every way there, conditions contradict each other: at {}", lines.join(", ")),
    }
}

/// Runs candidates on the program whose paths end at the target, and those that get there natively.
struct Candidates<'a, 'b> {
    search: &'a Search<'a>,
    witnesses: &'a mut Witnesses<'b>,
    /// The program, once there is a candidate.
    armed: Option<(Arc<Program>, Option<Vec<LocId>>)>,
    witness: Option<Witness>,
    error: Option<OutError>,
    interrupted: &'a AtomicBool,
    watcher: &'a mut dyn Watcher,
}

impl Runner for Candidates<'_, '_> {
    fn reaches(&mut self, input: &[u8]) -> bool {
        let search = self.search;
        let (program, ends) = self.armed.get_or_insert_with(|| {
            let Armed { program, ends, .. } = search.target.arm(search.program);
            (Arc::new(program), ends)
        });
        let mut machine = Machine::new(Arc::clone(program), search.machine.clone());
        let (_, end): (_, End) = run_to_end(&mut machine, input.to_vec());
        if !is_reached(ends.as_deref(), &end) {
            return false;
        }
        match self.witnesses.check(search.target, input.to_vec()) {
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

    fn goes_on(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        if self.watcher.wants_sample(now) {
            let counters = Counters { pending: progress.pending, ..Counters::default() };
            let time = self.search.started.elapsed().as_secs_f64();
            self.watcher.sample(&timeline::sample(time, &counters, (0, 0)), None);
        }
        !self.interrupted.load(Ordering::Relaxed) && self.search.limit.is_none_or(|limit| now < limit)
    }
}
