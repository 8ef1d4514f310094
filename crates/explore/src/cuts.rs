//! Checks pruning: explores subtrees that were left out because nothing in them is new, and looks for what the run
//! lacks.
//!
//! While the run explores, it notes the subtrees that are left out without loss: what follows a path that ended as
//! subsumed, and the flips that a lossless pruner dropped. At its end, each is explored with nothing left out, up to a
//! limit. A bug or something unsupported that no path of the run came to, or code that none covered, is an internal
//! error.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use secateur_machine::{BugKind, Choice, End, Event, Exclusions, Machine, Refuted, State};
use secateur_path::ChoiceKey;
use secateur_program::{LocId, Location, Program};
use secateur_solver::{Answer, Solver};

use crate::counters::Counters;
use crate::event::Subscriber;
use crate::fault;
use crate::flip::Flip;
use crate::frontier::Pruned;
use crate::place::innermost_user;
use crate::portable::{pack, unpack};
use crate::subsumption::Cover;
use crate::team::Team;
use crate::tuning::Tuning;
use crate::worker::Worker;

/// A subtree that was left out, without anything that belongs to one worker.
pub(crate) struct PrunedSubtree {
    /// An input whose path comes to it, and the values that were excluded on the way.
    input: Arc<[u8]>,
    exclusions: Vec<(u32, u64)>,
    /// How many decisions come before it.
    depth: u32,
    /// The number of the path that came to it.
    path: u64,
    loc: LocId,
    why: Why,
}

/// Why a subtree was left out.
enum Why {
    /// A node covers the state of the path.
    Covered(Cover),
    /// The pruner of this name dropped this choice.
    Pruned(&'static str, ChoiceKey),
    /// This choice was dropped because a loop was proved.
    Proved(ChoiceKey),
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Notes the end of a path, if cuts are checked; `cover` is what it is subsumed by, if it is.
    pub(crate) fn note_end(&self, state: &State, end: &End, path: u64, cover: Option<&Cover>) {
        let Some(log) = &self.team.cuts else { return };
        let program = &self.machine.program;
        log.found(program, end);
        if let Some(Cover { path: by, depth, .. }) = cover {
            log.add(PrunedSubtree {
                input: Arc::from(self.machine.guide.input()),
                exclusions: pack(&state.exclusions),
                depth: state.path.len() as u32,
                path,
                loc: innermost_user(program, &state.stack(program)),
                why: Why::Covered(Cover { path: *by, depth: *depth, text: None }),
            });
        }
    }

    /// Notes that a pruner dropped a flip, if cuts are checked.
    pub(crate) fn note_pruned(&self, pruned: Pruned, flip: &Flip) {
        if pruned.lossless {
            self.note_dropped(flip, Why::Pruned(pruned.by, flip.key));
        }
    }

    /// Notes that a flip was dropped because of a proof, if cuts are checked.
    pub(crate) fn note_proved(&self, flip: &Flip) {
        self.note_dropped(flip, Why::Proved(flip.key));
    }

    fn note_dropped(&self, flip: &Flip, why: Why) {
        if let Some(log) = &self.team.cuts {
            log.add(PrunedSubtree {
                input: Arc::clone(&flip.input),
                exclusions: pack(&flip.exclusions),
                depth: flip.info.depth,
                path: flip.info.path,
                loc: flip.info.loc,
                why,
            });
        }
    }
}

/// What was left out, and what was found elsewhere.
pub(crate) struct CutLog {
    log: Mutex<Log>,
    /// How many cuts are checked.
    most: usize,
}

#[derive(Default)]
struct Log {
    cuts: Vec<PrunedSubtree>,
    /// Cuts that are not checked, because they are too many.
    left: u64,
    found: BTreeSet<Found>,
}

/// What a subtree may add to a run, apart from coverage.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    /// A bug of a kind at a line.
    Bug(BugKind, (u32, u32)),
    /// Something that is not modelled.
    Unsupported(String, (u32, u32)),
}

impl Found {
    /// What the end of a path adds, and where.
    fn of(program: &Program, end: &End) -> Option<(Found, LocId)> {
        let line = |loc: LocId| {
            let at = program.locations.get(loc.index()).copied().unwrap_or_default();
            let Location { file, line, .. } = at;
            (if line == 0 { 0 } else { file }, line)
        };
        match end {
            End::Bug(bug) => {
                let loc = innermost_user(program, &bug.stack);
                Some((Found::Bug(bug.kind, line(loc)), loc))
            }
            End::Unsupported(unsupported) => {
                let loc = innermost_user(program, &unsupported.stack);
                Some((Found::Unsupported(unsupported.what.clone(), line(loc)), loc))
            }
            End::Exit(_) | End::Assumed | End::Ignored(_) | End::Limit(_) => None,
        }
    }

    /// What it is, for people.
    fn describe(&self) -> String {
        match self {
            Found::Bug(kind, _) => format!("a bug that no path has, {}", kind.name()),
            Found::Unsupported(what, _) => format!("something unsupported that no path came to, {what},"),
        }
    }
}

impl CutLog {
    pub(crate) fn new(tuning: &Tuning) -> CutLog {
        CutLog { log: Mutex::default(), most: tuning.checked_cuts }
    }

    /// A path of the run has ended.
    fn found(&self, program: &Program, end: &End) {
        if let Some((found, _)) = Found::of(program, end) {
            self.lock().found.insert(found);
        }
    }

    fn add(&self, cut: PrunedSubtree) {
        let mut log = self.lock();
        if log.cuts.len() < self.most {
            log.cuts.push(cut);
        } else {
            log.left += 1;
        }
    }

    /// What was noted stays true if a worker panics.
    fn lock(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Explores what was left out, when all else is done, as long as no limit is hit. What it finds becomes part of the
    /// counters; the coverage of the run does not change.
    pub(crate) fn check(&self, machine: &Machine, solver: &mut Solver, team: &Team, counters: &mut Counters) {
        let Log { cuts, left, found } = std::mem::take(&mut *self.lock());
        let (program, options) = (Arc::clone(&machine.program), machine.options().clone());
        let mut machine = Machine::sharing(program, options, machine.coverage.copy());
        machine.halt = team.watchdog.halt_flag();
        machine.set_refuted(Refuted::Counted);
        let has_proofs = counters.proved > 0;
        let mut checker = Checker { machine, solver, team, found, has_proofs };
        counters.cuts_left += left;
        for cut in &cuts {
            if checker.is_over() {
                counters.cuts_left += 1;
                continue;
            }
            counters.cuts_checked += 1;
            match fault::catch(|| checker.explore(cut)) {
                Ok(None) => {}
                Ok(Some(what)) => counters.add_fault(cut.sentence(&checker.machine.program, &what)),
                Err(message) => {
                    let place = checker.machine.program.describe(cut.loc);
                    counters.add_fault(format!("the check of what was left out at {place}: {message}"));
                }
            }
        }
    }
}

impl PrunedSubtree {
    /// What is wrong with it, given what it hides.
    fn sentence(&self, program: &Program, what: &str) -> String {
        let (path, place) = (self.path, program.describe(self.loc));
        match &self.why {
            Why::Covered(cover) => format!(
                "path {path} was ended at {place} as covered by the node after decision {} of path {}, but it leads to \
                 {what}",
                cover.depth, cover.path
            ),
            Why::Pruned(by, _) => {
                format!("{by} dropped an alternative of path {path} at {place}, but it leads to {what}")
            }
            Why::Proved(_) => {
                format!("an alternative of path {path} at {place} was proved to have no bug, but it leads to {what}")
            }
        }
    }
}

/// Explores subtrees, one after the other.
struct Checker<'a> {
    machine: Machine,
    solver: &'a mut Solver,
    team: &'a Team,
    /// What the run has found.
    found: BTreeSet<Found>,
    /// Loops were proved, whatever they cover: what is below them counts for bugs only.
    has_proofs: bool,
}

/// An alternative that is not tried yet.
struct Pending {
    state: State,
    choice: Choice,
    input: Arc<[u8]>,
}

impl Checker<'_> {
    fn is_over(&self) -> bool {
        self.team.watchdog.immediate_stop().is_some() || self.machine.is_halted()
    }

    /// Explores a subtree; returns what it has that the run lacks, if anything.
    fn explore(&mut self, cut: &PrunedSubtree) -> Option<String> {
        // Nothing of the last one is needed.
        self.machine.forget_expressions();
        let most = self.team.tuning.checked_paths;
        let counts_coverage = matches!(cut.why, Why::Pruned(..)) || !self.has_proofs;
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let mut next = self.start(cut, &mut pending);
        for number in 0..most {
            if let Some(state) = next.take()
                && let Some(what) = self.follow(state, &mut pending, most, counts_coverage)
            {
                return Some(what);
            }
            // The first and the last alternatives in turn: both those close to the cut and those close to the end.
            while next.is_none() {
                let chosen = if number % 2 == 0 { pending.pop_front() } else { pending.pop_back() }?;
                next = self.solve(chosen);
            }
        }
        None
    }

    /// The state at a cut; for a choice that was dropped, it becomes pending instead.
    fn start(&mut self, cut: &PrunedSubtree, pending: &mut VecDeque<Pending>) -> Option<State> {
        let mut state = self.machine.start(cut.input.to_vec());
        self.machine.exclude(&unpack(&cut.exclusions));
        let decision = loop {
            match self.machine.run(&mut state, self.team.tuning.slice) {
                Event::End(_) => break None,
                Event::Pause if self.is_over() => break None,
                Event::Pause => {}
                Event::Decision(decision) if state.path.len() as u32 == cut.depth => break Some(decision),
                Event::Decision(decision) => self.machine.take(&mut state, &decision.chosen),
            }
        };
        self.machine.exclude(&Exclusions::default());
        let decision = decision?;
        let (Why::Pruned(_, key) | Why::Proved(key)) = cut.why else { return Some(state) };
        let choice = *decision.alternatives.iter().find(|choice| choice.key == key)?;
        pending.push_back(Pending { state, choice, input: Arc::clone(&cut.input) });
        None
    }

    /// Runs a path to its end, unless that takes too long, and keeps its alternatives.
    fn follow(
        &mut self,
        state: State,
        pending: &mut VecDeque<Pending>,
        most: usize,
        counts_coverage: bool,
    ) -> Option<String> {
        let mut uncovered = None;
        let end = self.run(state, pending, most, &mut uncovered);
        if uncovered.is_some() {
            // Each wrong cut is reported by itself.
            self.machine.coverage = self.machine.coverage.copy();
        }
        let program = &self.machine.program;
        let found = end.and_then(|end| Found::of(program, &end)).filter(|(found, _)| !self.found.contains(found));
        match (found, uncovered.filter(|_| counts_coverage)) {
            (Some((found, loc)), _) => Some(format!("{} at {}", found.describe(), program.describe(loc))),
            (None, Some(loc)) => Some(format!("code that no path covers, before {}", program.describe(loc))),
            (None, None) => None,
        }
    }

    /// Runs a path; returns its end, if it comes to it. `uncovered` is where it first covers something new.
    fn run(
        &mut self,
        mut state: State,
        pending: &mut VecDeque<Pending>,
        most: usize,
        uncovered: &mut Option<LocId>,
    ) -> Option<End> {
        let input: Arc<[u8]> = Arc::from(self.machine.guide.input());
        let last = state.instructions.saturating_add(self.team.tuning.checked_instructions);
        loop {
            let remaining = last.saturating_sub(state.instructions);
            let event = self.machine.run(&mut state, remaining.min(self.team.tuning.slice));
            if self.machine.coverage.newly_covered() > 0 && uncovered.is_none() {
                let program = &self.machine.program;
                *uncovered = Some(innermost_user(program, &state.stack(program)));
            }
            match event {
                Event::Pause if remaining == 0 || self.is_over() => return None,
                Event::Pause => {}
                Event::Decision(decision) => {
                    for choice in decision.alternatives.iter().take(most.saturating_sub(pending.len())) {
                        pending.push_back(Pending { state: state.clone(), choice: *choice, input: Arc::clone(&input) });
                    }
                    self.machine.take(&mut state, &decision.chosen);
                }
                Event::End(end) => return Some(end),
            }
        }
    }

    /// The state of a path that takes an alternative, which the machine then follows; `None` if no input is found.
    fn solve(&mut self, pending: Pending) -> Option<State> {
        let Pending { mut state, choice, input } = pending;
        match self.solver.solve(&mut self.machine.pool, &state.path, choice.condition, &input) {
            Answer::Sat(input) => {
                self.machine.follow(input);
                self.machine.take(&mut state, &choice);
                Some(state)
            }
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }
}
