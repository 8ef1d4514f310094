//! The forward search: explores towards the target, and leaves out what cannot lead to it.
//!
//! The target is an error of the program that is explored: paths end there, and interpolants and invariants say that it
//! is not reached. So an exploration that is complete and has not reached it is a proof.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use secateur_explore::{Counters, EndedPath, Event, Goal, Keeper, PathEnd, StopReason, Subscriber, explore};
use secateur_graph::{Distances, Graph, StackEntry, Stacks, Start};
use secateur_machine::{End, Machine, Options as MachineOptions};
use secateur_program::{FuncId, LocId, Program};
use secateur_suite::OutError;
use secateur_suite::reach::{ReachVerdict, TargetAnswer};
use secateur_suite::summary::Reason;

use super::target::{Ends, ReachTarget};
use super::witness::Witnesses;
use super::{Explorer, MakeExplorer};
use crate::place::{file_and_line, file_line, innermost_user};
use crate::reasons::Omissions;
use crate::timeline;
use crate::tuning::Tuning;
use crate::watcher::Watcher;

/// So many lines apart may belong to one statement. This is a constant because it is about how code is written.
const NEAR: u32 = 2;

/// What is searched for, and where.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub program: &'a Arc<Program>,
    pub machine: &'a MachineOptions,
    pub target: &'a ReachTarget,
    pub limit: Option<Instant>,
    pub started: Instant,
    pub tuning: &'a Tuning,
}

/// How to explore.
pub(super) struct Way<'a> {
    pub explorer: &'a MakeExplorer<'a>,
    /// Leave out what interpolation and invariants account for. That proves more, and takes time for each path.
    pub cuts: bool,
    /// The input to start with.
    pub first_input: Vec<u8>,
    pub faults: &'a mut Vec<String>,
}

/// Why a search has ended.
pub(super) enum Ended {
    /// Its time was over.
    Time,
    /// There is nothing more to do, or another limit was hit.
    Itself,
    /// The options leave nothing out, so it would be the same as without cuts.
    NotBegun,
}

/// Searches for a target, and completes the answer.
pub(super) fn search(
    search: &Search<'_>,
    way: &mut Way<'_>,
    witnesses: &mut Witnesses<'_>,
    answer: &mut TargetAnswer,
    watcher: &mut dyn Watcher,
) -> Result<Ended, OutError> {
    let armed = search.target.arm(search.program);
    if armed.goal.as_ref().is_some_and(|goal| !leads_to(&armed.program, goal)) {
        answer.verdict = ReachVerdict::Unreachable;
        answer.way = "graph".to_string();
        answer.because.push("no sequence of branches and calls leads there from the start of the program".to_string());
        return Ok(Ended::Itself);
    }
    let Explorer { mut solver, mut settings } = match (way.explorer)(armed.goal.as_ref()) {
        Ok(explorer) => explorer,
        Err(why) => {
            answer.reasons.push(Reason { what: "fault".to_string(), why, ..Reason::default() });
            return Ok(Ended::Itself);
        }
    };
    if !way.cuts {
        settings.subsumption = None;
    } else if settings.subsumption.is_none() {
        return Ok(Ended::NotBegun);
    }
    settings.limits.time = search.limit.map(|limit| limit.saturating_duration_since(Instant::now()));
    settings.first_input = std::mem::take(&mut way.first_input);
    let ends = armed.ends;
    let program = Arc::new(armed.program);
    let mut machine = Machine::new(Arc::clone(&program), search.machine.clone());
    let mut observer = Observer {
        program: &program,
        target: search.target,
        ends,
        tuning: search.tuning,
        witnesses,
        watcher,
        started: search.started,
        omissions: Omissions::default(),
        reached: None,
        refuted: Vec::new(),
        failed: BTreeSet::new(),
        segments: 0,
    };
    let explored = explore(&mut machine, &mut solver, settings, &mut observer)?;
    answer.segments += observer.segments;
    answer.paths += explored.counters.paths();
    let (bugs, nearby) = (observer.bugs(), observer.failed_nearby());
    let Observer { reached, refuted, omissions, .. } = observer;
    way.faults.extend(explored.counters.faults.iter().cloned());
    if let Some((test, confirmed)) = reached {
        (answer.verdict, answer.way) = (ReachVerdict::Reached, "forward".to_string());
        answer.reasons.clear();
        (answer.test, answer.confirmed) = (Some(test), confirmed);
        return Ok(Ended::Itself);
    }
    let mut reasons = omissions.reasons(&program, &explored, &[], None);
    reasons.extend(refuted);
    reasons.extend(nearby);
    if explored.counters.is_complete() && reasons.is_empty() {
        (answer.verdict, answer.way) = (ReachVerdict::Unreachable, "forward".to_string());
        answer.reasons.clear();
        answer.because.push(proof(&explored.counters));
        answer.because.extend(bugs);
        return Ok(Ended::Itself);
    }
    if reasons.is_empty() {
        let why = "not every path towards it was explored".to_string();
        reasons.push(Reason { what: "incomplete".to_string(), why, ..Reason::default() });
    }
    answer.reasons.extend(reasons);
    Ok(if explored.reason == StopReason::Time { Ended::Time } else { Ended::Itself })
}

/// Whether anything that runs by itself can lead to the goal.
fn leads_to(program: &Program, goal: &Goal) -> bool {
    let starts: Vec<FuncId> = program.constructors.iter().chain(&program.entry).copied().collect();
    leads_from(program, goal, &starts)
}

/// Whether a call of any of these functions can lead to the goal.
pub(super) fn leads_from(program: &Program, goal: &Goal, starts: &[FuncId]) -> bool {
    let graph = Graph::new(program, |function| secateur_machine::returns_of(program, function));
    let mut distances = Distances::to_calls(program, &graph, goal.functions());
    let mut stacks = Stacks::default();
    starts.iter().any(|function| {
        let stack = stacks.of(program, [StackEntry { function: *function, context: 0, pc: 0 }]);
        let start = Start { function: *function, pc: 0, stack, branch: None };
        distances.from(program, &graph, &stacks, &start).is_some()
    })
}

fn proof(counters: &Counters) -> String {
    let paths = counters.paths() + counters.subsumed;
    let paths = if paths == 1 { "1 path".to_string() } else { format!("{paths} paths") };
    format!("every path towards it was explored or is accounted for ({paths}), and none gets there")
}

/// Takes the input of a path that has reached the target.
pub(super) struct InputKeeper(Ends);

impl Keeper for InputKeeper {
    type Record = Vec<u8>;

    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Vec<u8>> {
        self.0.are_reached(&machine.program, path.end).then(|| machine.guide.input().to_vec())
    }
}

/// Waits for a path that reaches the target, and notes what was left out.
struct Observer<'a, 'b> {
    program: &'a Program,
    target: &'a ReachTarget,
    ends: Ends,
    tuning: &'a Tuning,
    witnesses: &'a mut Witnesses<'b>,
    watcher: &'a mut dyn Watcher,
    started: Instant,
    omissions: Omissions,
    /// The test that reaches it, and whether that is confirmed.
    reached: Option<(String, Option<bool>)>,
    /// Tests that should have reached it.
    refuted: Vec<Reason>,
    /// Where paths have failed a check, and which.
    failed: BTreeSet<(LocId, &'static str)>,
    segments: u64,
}

impl Observer<'_, '_> {
    fn path_ended(&mut self, path: &EndedPath, input: Option<Vec<u8>>) -> Result<(), OutError> {
        self.segments += u64::from(path.decisions.saturating_sub(path.departure.depth)) + 1;
        self.omissions.path_ended(self.program, path);
        if let Some(input) = input.filter(|_| self.reached.is_none() && self.refuted.len() < self.tuning.reach_refuted)
        {
            let witness = self.witnesses.check(self.target, input)?;
            if witness.confirmed == Some(false) {
                let why = format!("{} should reach it, but natively: {}", witness.test, witness.what);
                self.refuted.push(Reason { what: "native".to_string(), why, paths: 1, ..Reason::default() });
            } else {
                self.reached = Some((witness.test, witness.confirmed));
            }
        } else if let End::Bug(bug) = &path.end
            && !self.ends.are_reached(self.program, &path.end)
        {
            self.failed.insert((innermost_user(self.program, &bug.stack), bug.kind.name()));
        }
        Ok(())
    }

    /// Where a check of the wanted kind fails on a neighbouring line: of a statement with several lines, an analyser
    /// may name another one than we do.
    fn failed_nearby(&self) -> Option<Reason> {
        let Ends::Failing(lines, kinds) = &self.ends else { return None };
        let is_near = |loc: LocId| {
            let at = self.program.locations[loc.index()];
            lines.iter().any(|(file, line)| *file == at.file && line.abs_diff(at.line) <= NEAR)
        };
        let is_wanted = |name: &str| kinds.iter().any(|kind| kind.name() == name);
        let (loc, kind) = self.failed.iter().find(|(loc, name)| is_wanted(name) && is_near(*loc))?;
        let (file, line) = file_line(self.program, *loc);
        let why = format!("the check `{kind}` fails on this line instead");
        Some(Reason { what: "finding".to_string(), why, file, line, ..Reason::default() })
    }

    /// What the proof assumes of paths that have failed a check.
    fn bugs(&self) -> Vec<String> {
        let sentence = |(loc, kind): &(LocId, &str)| {
            let (file, line) = file_line(self.program, *loc);
            format!("a path that fails the check `{kind}` at {} ends there", file_and_line(&file, line))
        };
        self.failed.iter().map(sentence).collect()
    }
}

impl Subscriber for Observer<'_, '_> {
    type Error = OutError;
    type Keeper = InputKeeper;

    fn keeper(&self) -> InputKeeper {
        InputKeeper(self.ends.clone())
    }

    fn has_bug(&self) -> bool {
        self.reached.is_some() || self.refuted.len() >= self.tuning.reach_refuted
    }

    fn receive(&mut self, event: Event<Vec<u8>>) -> Result<(), OutError> {
        match event {
            Event::PathEnded(path, input) => self.path_ended(&path, input)?,
            Event::FlipClosed(flip) => self.omissions.flip_closed(&flip),
            Event::InputRan(..) | Event::SideRefuted(_) => {}
            Event::Progress(progress) => {
                if self.watcher.wants_sample(Instant::now()) {
                    let time = self.started.elapsed().as_secs_f64();
                    self.watcher.sample(&timeline::sample(time, &progress.counters, progress.branches), None);
                }
            }
        }
        Ok(())
    }
}
