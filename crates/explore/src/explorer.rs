//! The driver loop: follow an input, keep the flips; pick a flip, solve it, follow the new input.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use secateur_machine::{Decision, DecisionKind, End, Event, Limit, Machine, State};
use secateur_solver::{Answer, Patience, Solver, UnknownReason};

use crate::fate::{Fate, Origin};
use crate::flip::{Flip, Snapshot, Summary};
use crate::limits::{Limits, StopReason, Watch};
use crate::observer::{Observer, PathEnd};
use crate::prune::Pruner;
use crate::search::{FlipId, Searcher, Tried};
use crate::trail::Trail;
use crate::view::{Map, View};

/// How many instructions run before the limits are looked at again.
pub(crate) const SLICE: u64 = 1 << 18;
/// After how many new flips memory use is looked at.
const MEMORY_CHECK: u64 = 1 << 10;

/// How many expressions there may be while a path runs. Few instructions make more than a hundred, so no slice fills a pool from here.
const EXPRESSIONS_OF_A_PATH: usize = 3 << 26;

/// What happened so far.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Paths that ended by the program's own means or in a bug.
    pub completed: u64,
    /// Of these, paths that ended in a bug.
    pub bugs: u64,
    /// Paths cut off by an assumption of the harness.
    pub cut: u64,
    /// Paths that ended at something that cannot be modelled.
    pub unsupported: u64,
    /// Paths that hit a limit for single paths.
    pub limited: u64,
    /// Flips that no input can take.
    pub infeasible: u64,
    /// Alternatives of which the path itself knew that no input can take them, so that they never became flips.
    pub refuted: u64,
    /// Flips for which the solver gave no answer.
    pub unknown: u64,
    /// Flips that had to be run from the start because their snapshot was dropped.
    pub replayed: u64,
    /// Flips whose place was not found again; this is our own fault.
    pub lost: u64,
    /// Flips that are pending.
    pub pending: u64,
    /// Snapshots among them.
    pub snapshots: u64,
    /// The longest path, in decisions.
    pub deepest: u64,
    /// Some path gave up values that are possible.
    pub concretised: bool,
    /// Flips that were not tried, by the cut that said so.
    pub pruned: BTreeMap<&'static str, u64>,
    /// Some of them might have added coverage or a bug.
    pub losses: bool,
}

impl Counters {
    /// Nothing was given up: when nothing is pending either, every path is known, or known to add nothing.
    pub fn is_complete(&self) -> bool {
        self.unsupported + self.limited + self.unknown + self.lost + self.pending == 0
            && !self.concretised
            && !self.losses
    }

    /// All paths that ended.
    pub fn paths(&self) -> u64 {
        self.completed + self.cut + self.unsupported + self.limited
    }
}

/// How a run is set up.
pub struct Settings {
    /// The order in which flips are tried.
    pub searcher: Box<dyn Searcher>,
    /// Which flips are not tried at all.
    pub pruners: Vec<Box<dyn Pruner>>,
    /// When to stop.
    pub limits: Limits,
    /// How long pending flips are made use of once a limit is hit.
    pub grace: Duration,
    /// Set from outside to stop the run.
    pub interrupted: Arc<AtomicBool>,
    /// The input to start with.
    pub first_input: Vec<u8>,
    /// Keep snapshots; without, every path runs from the start.
    pub snapshots: bool,
    /// How many expressions may be kept; when there are more, all are forgotten, and the snapshots with them.
    pub max_expressions: usize,
}

/// Expressions take about a hundred bytes each, and a pool holds a few times as many.
pub const MAX_EXPRESSIONS: usize = 1 << 26;

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it stopped.
    pub reason: StopReason,
    /// What happened.
    pub counters: Counters,
}

impl Outcome {
    /// How the run ended, for people.
    pub fn sentence(&self) -> &'static str {
        let finished = self.reason == StopReason::Finished;
        if finished && self.counters.losses {
            return "every path was tried but those that were pruned";
        }
        if finished && self.counters.is_complete() && !self.counters.pruned.is_empty() {
            return "every path was explored, or shown to add neither coverage nor a bug";
        }
        self.reason.sentence(self.counters.is_complete())
    }
}

/// Explores the paths of a program.
pub struct Explorer<'a> {
    pub(crate) machine: &'a mut Machine,
    solver: &'a mut Solver,
    pub(crate) searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    map: Map,
    pub(crate) flips: BTreeMap<FlipId, Flip>,
    next_flip: u64,
    /// Pending flips by the identity of the path up to them and beyond, if inputs are made that may take them.
    pub(crate) by_identity: FxHashMap<u64, FlipId>,
    /// The most input bytes that any path has read.
    pub(crate) longest_input: u32,
    /// How many paths have started; the one that runs has this number.
    started: u64,
    /// Where the path that runs comes from.
    pub(crate) origin: Origin,
    /// The flip that was solved last and why it is no path, until the observer is told.
    closed: Option<(Flip, Fate)>,
    pub(crate) watch: Watch,
    pub(crate) counters: Counters,
    keep_snapshots: bool,
    max_expressions: usize,
    /// Memory is short although there are no snapshots left.
    cramped: bool,
    grace: Duration,
    first_input: Vec<u8>,
}

impl<'a> Explorer<'a> {
    /// An explorer that has not started.
    pub fn new(machine: &'a mut Machine, solver: &'a mut Solver, settings: Settings) -> Explorer<'a> {
        Explorer {
            map: Map::new(Arc::clone(&machine.program), machine.options().clone()),
            machine,
            solver,
            searcher: settings.searcher,
            pruners: settings.pruners,
            flips: BTreeMap::new(),
            next_flip: 0,
            by_identity: FxHashMap::default(),
            longest_input: 0,
            started: 0,
            origin: Origin::START,
            closed: None,
            watch: Watch::new(settings.limits, settings.interrupted),
            counters: Counters::default(),
            keep_snapshots: settings.snapshots,
            max_expressions: settings.max_expressions,
            cramped: false,
            grace: settings.grace,
            first_input: settings.first_input,
        }
    }

    /// Explores until nothing is pending or a limit is hit.
    pub fn run<O: Observer>(mut self, observer: &mut O) -> Result<Outcome, O::Error> {
        self.solver.stop_after(self.watch.patience());
        let trail = Trail::first(self.machine.coverage.news());
        let state = self.machine.start(std::mem::take(&mut self.first_input));
        let mut reason = self.follow(state, trail, observer, false)?;
        while reason.is_none() && !self.flips.is_empty() {
            if self.machine.pool.len() > self.max_expressions || std::mem::take(&mut self.cramped) {
                self.forget_expressions();
            }
            if let Some(input) = self.searcher.fresh_input(self.longest_input) {
                reason = self.run_fresh(input, observer)?;
                continue;
            }
            let view = &mut View { coverage: &self.machine.coverage, map: &mut self.map };
            let Some(id) = self.searcher.next(view) else { break };
            if self.prune(id, observer)? {
                continue;
            }
            reason = match self.prepare(id) {
                Some((state, trail)) => self.follow(state, trail, observer, false)?,
                None => {
                    self.tell_closed(observer)?;
                    self.watch.stop(self.counters.paths())
                }
            };
            observer.tick(self.machine, &self.counters)?;
        }
        if reason.is_some() {
            self.use_up_pending(observer)?;
        }
        self.counters.refuted = self.machine.refuted;
        for flip in self.flips.values() {
            observer.flip_closed(self.machine, flip, Fate::Pending)?;
        }
        Ok(Outcome { reason: reason.unwrap_or(StopReason::Finished), counters: self.counters })
    }

    /// Drops a flip if a cut says so; true if it is gone.
    fn prune<O: Observer>(&mut self, id: FlipId, observer: &mut O) -> Result<bool, O::Error> {
        if self.pruners.is_empty() {
            return Ok(false);
        }
        let Some(about) = self.flips.get(&id).map(|flip| flip.summary.clone()) else { return Ok(false) };
        let Some(name) = self.cut(&about) else { return Ok(false) };
        *self.counters.pruned.entry(name).or_default() += 1;
        if let Some(flip) = self.remove(id) {
            observer.flip_closed(self.machine, &flip, Fate::Pruned(name))?;
        }
        self.searcher.tried(Some(id), Tried::Pruned);
        Ok(true)
    }

    /// The cut that a flip falls to.
    fn cut(&mut self, about: &Summary) -> Option<&'static str> {
        let view = &mut View { coverage: &self.machine.coverage, map: &mut self.map };
        let pruner = self.pruners.iter_mut().find_map(|pruner| pruner.cuts(about, view).then_some(pruner))?;
        self.counters.losses |= !pruner.is_lossless();
        Some(pruner.name())
    }

    /// A flip is no longer pending.
    pub(crate) fn remove(&mut self, id: FlipId) -> Option<Flip> {
        let flip = self.flips.remove(&id)?;
        self.counters.pending -= 1;
        self.counters.snapshots -= u64::from(flip.snapshot.is_some());
        Some(flip)
    }

    /// Solves a flip and makes the machine follow the input that takes it; the state is ready to run.
    fn prepare(&mut self, id: FlipId) -> Option<(State, Trail)> {
        let mut flip = self.remove(id)?;
        let calls = self.solver.statistics().backend_calls;
        let snapshot = match flip.snapshot.take() {
            Some(snapshot) => Some(snapshot),
            None => self.recreate(&flip),
        };
        let Some(Snapshot { mut state, choice }) = snapshot.map(|snapshot| *snapshot) else {
            self.counters.lost += 1;
            self.closed = Some((flip, Fate::Lost));
            self.searcher.tried(Some(id), Tried::Unanswered);
            return None;
        };
        let preferred = choice.prefer.and_then(|prefer| {
            let both = self.machine.pool.and(choice.condition, prefer);
            match self.solver.solve(&mut self.machine.pool, &state.path, both, &flip.input) {
                Answer::Sat(input) => Some(input),
                _ => None,
            }
        });
        let answer = match preferred {
            Some(input) => Answer::Sat(input),
            None => self.solver.solve(&mut self.machine.pool, &state.path, choice.condition, &flip.input),
        };
        match answer {
            Answer::Sat(input) => {
                self.machine.follow(input);
                self.machine.take(&mut state, &choice);
                self.origin = Origin::of(&flip);
                let calls = self.solver.statistics().backend_calls - calls;
                Some((state, Trail::of(id, &flip.summary, calls, self.machine.coverage.news())))
            }
            Answer::Unsat(_) => {
                self.counters.infeasible += 1;
                self.searcher.tried(Some(id), Tried::Infeasible);
                self.closed = Some((flip, Fate::Infeasible));
                None
            }
            Answer::Unknown(UnknownReason::Stopped) => {
                self.put_back(id, flip, Snapshot { state, choice });
                None
            }
            Answer::Unknown(_) => {
                self.counters.unknown += 1;
                self.closed = Some((flip, Fate::Unknown));
                self.searcher.tried(Some(id), Tried::Unanswered);
                None
            }
        }
    }

    /// Tells of the flip that was solved last, if it did not become a path.
    fn tell_closed<O: Observer>(&mut self, observer: &mut O) -> Result<(), O::Error> {
        match self.closed.take() {
            Some((flip, fate)) => observer.flip_closed(self.machine, &flip, fate),
            None => Ok(()),
        }
    }

    /// A flip whose question was not finished is pending as before.
    fn put_back(&mut self, id: FlipId, mut flip: Flip, snapshot: Snapshot) {
        if self.keep_snapshots {
            flip.snapshot = Some(Box::new(snapshot));
            self.counters.snapshots += 1;
        }
        self.flips.insert(id, flip);
        self.counters.pending += 1;
    }

    /// Makes the snapshot of a flip again.
    fn recreate(&mut self, flip: &Flip) -> Option<Box<Snapshot>> {
        self.counters.replayed += 1;
        // What the path refutes on the way was counted the first time.
        let refuted = self.machine.refuted;
        let snapshot = self.run_up_to(flip);
        self.machine.refuted = refuted;
        snapshot
    }

    /// Runs a flip's input from the start up to its decision.
    fn run_up_to(&mut self, flip: &Flip) -> Option<Box<Snapshot>> {
        let mut state = self.machine.start(flip.input.to_vec());
        loop {
            match self.machine.run(&mut state, SLICE) {
                Event::Pause => {}
                Event::End(_) => return None,
                Event::Decision(decision) if state.path.len() as u32 == flip.depth => {
                    let choice = *decision.alternatives.iter().find(|choice| choice.outcome == flip.outcome)?;
                    return Some(Box::new(Snapshot { state, choice }));
                }
                Event::Decision(decision) => self.machine.take(&mut state, &decision.chosen),
            }
        }
    }

    /// Runs a state to its end and keeps the flips on its way.
    pub(crate) fn follow<O: Observer>(
        &mut self,
        mut state: State,
        mut trail: Trail,
        observer: &mut O,
        late: bool,
    ) -> Result<Option<StopReason>, O::Error> {
        let input: Rc<[u8]> = Rc::from(self.machine.input.input());
        self.started += 1;
        loop {
            match self.machine.run(&mut state, SLICE) {
                Event::Pause => {
                    observer.tick(self.machine, &self.counters)?;
                    // Far more than are kept between paths, but still less than a pool can hold.
                    if self.machine.pool.len() > EXPRESSIONS_OF_A_PATH {
                        return self.end_path(&state, &End::Limit(Limit::Expressions), &trail, observer, late);
                    }
                    // A path that is stopped half-way leaves nothing behind but its flips.
                    if let Some(reason) = self.watch.stop(self.counters.paths()) {
                        observer.path_stopped(self.machine, self.started, self.origin, &state)?;
                        return Ok(Some(reason));
                    }
                }
                Event::Decision(decision) => {
                    if !late {
                        trail.at(state.instructions, self.machine.coverage.news());
                        self.keep_alternatives(&state, &decision, &input, &trail, observer)?;
                    }
                    self.machine.take(&mut state, &decision.chosen);
                }
                Event::End(end) => return self.end_path(&state, &end, &trail, observer, late),
            }
        }
    }

    fn end_path<O: Observer>(
        &mut self,
        state: &State,
        end: &End,
        trail: &Trail,
        observer: &mut O,
        late: bool,
    ) -> Result<Option<StopReason>, O::Error> {
        self.count(end, state);
        let news = self.machine.coverage.news() - trail.known;
        self.searcher.tried(trail.origin, Tried::Ran { news });
        let path = PathEnd { number: self.started, origin: self.origin, state, end, covers_new: news > 0, late };
        observer.path_ended(self.machine, &path)?;
        Ok(self.watch.stop(self.counters.paths()))
    }

    fn count(&mut self, end: &End, state: &State) {
        let counters = &mut self.counters;
        match end {
            End::Exit(_) => counters.completed += 1,
            End::Bug(_) => {
                counters.completed += 1;
                counters.bugs += 1;
            }
            End::Cut => counters.cut += 1,
            End::Unsupported(_) => counters.unsupported += 1,
            End::Limit(_) => counters.limited += 1,
        }
        counters.deepest = counters.deepest.max(state.path.len() as u64);
        counters.concretised |= state.concretised;
        self.longest_input = self.longest_input.max(state.input_len);
        self.map.ends(end);
    }

    fn keep_alternatives<O: Observer>(
        &mut self,
        state: &State,
        decision: &Decision,
        input: &Rc<[u8]>,
        trail: &Trail,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        debug_assert!(decision.kind != DecisionKind::Concretisation || decision.alternatives.is_empty());
        let position = self.map.position(state);
        for choice in &decision.alternatives {
            let summary = Summary::new(state, position, decision.kind, choice, trail);
            let mut flip = Flip {
                input: Rc::clone(input),
                parent: self.started,
                depth: summary.depth,
                outcome: choice.outcome,
                summary,
                snapshot: None,
            };
            if let Some(name) = self.cut(&flip.summary) {
                *self.counters.pruned.entry(name).or_default() += 1;
                observer.flip_closed(self.machine, &flip, Fate::Pruned(name))?;
                continue;
            }
            let id = FlipId(self.next_flip);
            self.next_flip += 1;
            self.searcher.add(id, &flip.summary);
            if self.searcher.makes_inputs() {
                self.by_identity.insert(state.path.identity_with(choice.outcome), id);
            }
            if self.keep_snapshots {
                flip.snapshot = Some(Box::new(Snapshot { state: state.clone(), choice: *choice }));
                self.counters.snapshots += 1;
            }
            self.flips.insert(id, flip);
            self.counters.pending += 1;
            if id.0 % MEMORY_CHECK == MEMORY_CHECK - 1 && self.watch.memory_is_short() {
                self.cramped = self.counters.snapshots == 0;
                self.drop_snapshots();
            }
        }
        Ok(())
    }

    /// Starts over with no expressions. Flips are found again by running their inputs.
    fn forget_expressions(&mut self) {
        for flip in self.flips.values_mut() {
            flip.snapshot = None;
        }
        self.counters.snapshots = 0;
        self.machine.forget_expressions();
    }

    /// Gives up half of the snapshots, the oldest first: depth-first search needs them last, and any of them can be had again.
    fn drop_snapshots(&mut self) {
        let mut left = self.counters.snapshots / 2;
        for flip in self.flips.values_mut() {
            if left == 0 {
                break;
            }
            if flip.snapshot.take().is_some() {
                left -= 1;
                self.counters.snapshots -= 1;
            }
        }
    }

    /// A limit was hit: what is pending still becomes tests where that is quick, first of all where it covers something new.
    fn use_up_pending<O: Observer>(&mut self, observer: &mut O) -> Result<(), O::Error> {
        let deadline = Instant::now() + self.grace;
        self.solver.stop_after(Patience::lasting(self.grace));
        let mut ids: Vec<(bool, FlipId)> = self
            .flips
            .iter()
            .map(|(id, flip)| {
                let covered = match flip.summary.branch {
                    Some((branch, outcome)) => self.machine.coverage.taken(branch, outcome),
                    None => flip.summary.bug.is_none(),
                };
                (covered, *id)
            })
            .collect();
        ids.sort();
        for (_, id) in ids {
            if Instant::now() >= deadline {
                break;
            }
            if let Some((state, trail)) = self.prepare(id) {
                self.follow(state, trail, observer, true)?;
            }
            self.tell_closed(observer)?;
        }
        Ok(())
    }
}
