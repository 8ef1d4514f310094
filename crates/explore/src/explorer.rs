//! The driver loop of one worker: follow an input, keep the flips; pick a flip, solve it, follow the new input.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashMap;
use secateur_machine::{Decision, DecisionKind, End, Event, Exclusions, Limit, Machine, State};
use secateur_path::ChoiceKey;
use secateur_solver::{Answer, Patience, Solver, UnknownReason};

use crate::counters::Counters;
use crate::exchange::Parcel;
use crate::fate::{Fate, Origin};
use crate::flip::{Flip, Snapshot, Summary};
use crate::limits::StopReason;
use crate::observer::{Observer, PathEnd};
use crate::prune::Pruner;
use crate::search::{FlipId, Searcher, Tried};
use crate::team::Team;
use crate::trail::Trail;
use crate::view::{Map, View};

/// How many instructions run before the limits are looked at again.
pub(crate) const SLICE: u64 = 1 << 18;
/// After how many new flips memory use is looked at.
const MEMORY_CHECK: u64 = 1 << 10;

/// How many expressions there may be while a path runs. Few instructions make more than a hundred, so no slice fills a pool from here.
const EXPRESSIONS_OF_A_PATH: usize = 3 << 26;

/// How many flips are handed over at once, at most. The path of each must be run from the start, but few would soon be used up.
const MOST_HANDED_OVER: usize = 4;

/// What came of one worker: the limit that it hit, if any, and what it did.
pub(crate) type Work<E> = Result<(Option<StopReason>, Counters), E>;

/// Explores paths of a program: all of them, or those that follow from the flips that other workers hand over.
pub(crate) struct Explorer<'a> {
    pub machine: &'a mut Machine,
    solver: &'a mut Solver,
    pub searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    map: Map,
    pub flips: BTreeMap<FlipId, Flip>,
    next_flip: u64,
    /// Pending flips by the identity of the path up to them and beyond, if inputs are made that may take them.
    pub by_identity: FxHashMap<u64, FlipId>,
    /// The most input bytes that any path has read.
    pub longest_input: u32,
    /// The number of the path that runs.
    pub number: u64,
    /// Where the path that runs comes from.
    pub origin: Origin,
    /// The flip that was solved last and why it is no path, until the observer is told.
    closed: Option<(Flip, Fate)>,
    pub team: &'a Team,
    pub counters: Counters,
    /// The state before the first decision of all, from which every flip can be found again; kept along with the snapshots.
    trunk: Option<Box<State>>,
    /// Memory is short although there are no snapshots left.
    cramped: bool,
    /// A limit was hit, and what is pending may be used up until then.
    end_of_grace: Option<Instant>,
}

impl<'a> Explorer<'a> {
    /// An explorer that has not started.
    pub(crate) fn new(
        machine: &'a mut Machine,
        solver: &'a mut Solver,
        searcher: Box<dyn Searcher>,
        pruners: Vec<Box<dyn Pruner>>,
        team: &'a Team,
    ) -> Explorer<'a> {
        solver.stop_after(team.watch.patience());
        Explorer {
            map: Map::new(Arc::clone(&machine.program), machine.options().clone()),
            machine,
            solver,
            searcher,
            pruners,
            flips: BTreeMap::new(),
            next_flip: 0,
            by_identity: FxHashMap::default(),
            longest_input: 0,
            number: 0,
            origin: Origin::START,
            closed: None,
            team,
            counters: Counters::default(),
            trunk: None,
            cramped: false,
            end_of_grace: None,
        }
    }

    /// Starts with an input and goes on until nothing is pending or a limit is hit, of which it tells.
    pub(crate) fn start<O: Observer>(mut self, input: Vec<u8>, observer: &mut O) -> Work<O::Error> {
        let trail = Trail::first(self.machine.coverage.news());
        let state = self.machine.start(input);
        self.number = self.team.watch.start_path(false).unwrap_or(1);
        let reason = self.follow(state, trail, observer, false)?;
        self.work(reason, observer)
    }

    /// Starts with flips that another worker has found.
    pub(crate) fn join<O: Observer>(mut self, parcels: Vec<Parcel>, observer: &mut O) -> Work<O::Error> {
        self.unpack(parcels);
        self.work(None, observer)
    }

    fn work<O: Observer>(mut self, mut reason: Option<StopReason>, observer: &mut O) -> Work<O::Error> {
        while reason.is_none() && (!self.flips.is_empty() || self.fetch()) {
            if self.machine.pool.len() > self.team.max_expressions || std::mem::take(&mut self.cramped) {
                self.forget_expressions();
            }
            if let Some(input) = self.searcher.fresh_input(self.longest_input) {
                reason = self.run_fresh(input, observer)?;
                continue;
            }
            self.share(self.flips.len() / 2);
            let view = &mut View { coverage: &self.machine.coverage, map: &mut self.map };
            let Some(id) = self.searcher.next(view) else { break };
            if self.prune(id, observer)? {
                continue;
            }
            reason = match self.prepare(id, false) {
                Some((state, trail)) => self.follow(state, trail, observer, false)?,
                None => {
                    self.tell_closed(observer)?;
                    self.team.watch.stop()
                }
            };
            observer.tick(self.machine, &self.counters)?;
        }
        let not_fetched = self.team.exchange.close();
        self.unpack(not_fetched);
        if reason.is_some() {
            self.use_up_pending(observer)?;
        }
        self.counters.refuted = self.machine.refuted;
        for flip in self.flips.values() {
            observer.flip_closed(self.machine, flip, Fate::Pending)?;
        }
        Ok((reason, self.counters))
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

    /// Hands over some flips, `most` at most, if another worker has none left. The oldest are the nearest to the start, so that most comes of them; every second
    /// one is kept, since this worker must not be the next to have none.
    fn share(&mut self, most: usize) {
        let team = self.team;
        if !team.exchange.wants_flips() || most == 0 {
            return;
        }
        team.exchange.give(|| {
            let count = MOST_HANDED_OVER.min(most);
            let ids: Vec<FlipId> = self.flips.keys().copied().step_by(2).take(count).collect();
            ids.into_iter().filter_map(|id| self.pack(id)).collect()
        });
    }

    fn pack(&mut self, id: FlipId) -> Option<Parcel> {
        let Flip { input, parent, key, exclusions, summary, .. } = self.remove(id)?;
        self.searcher.tried(Some(id), Tried::HandedOver);
        let stack = self.map.calls(summary.stack);
        Some(Parcel { input, parent, key, exclusions: exclusions.iter().copied().collect(), summary, stack })
    }

    /// Waits for flips of other workers; there are none if everything is done.
    fn fetch(&mut self) -> bool {
        let parcels = self.team.exchange.fetch();
        let some = parcels.is_some();
        self.unpack(parcels.unwrap_or_default());
        some
    }

    /// To the searcher, these flips are those of one path.
    fn unpack(&mut self, parcels: Vec<Parcel>) {
        if parcels.is_empty() {
            return;
        }
        for Parcel { input, parent, key, exclusions: excluded, summary, stack } in parcels {
            let mut exclusions = Exclusions::default();
            excluded.into_iter().rev().for_each(|exclusion| exclusions.push(exclusion));
            let summary = Summary { stack: self.map.stack(&stack), origin: None, ..summary };
            self.add(Flip { input, parent, key, exclusions, summary, snapshot: None });
        }
        self.searcher.tried(None, Tried::Ran { news: 0 });
    }

    /// A flip is pending from now on.
    fn add(&mut self, flip: Flip) -> FlipId {
        let id = FlipId(self.next_flip);
        self.next_flip += 1;
        self.searcher.add(id, &flip.summary);
        self.counters.pending += 1;
        self.counters.snapshots += u64::from(flip.snapshot.is_some());
        self.flips.insert(id, flip);
        id
    }

    /// Solves a flip and makes the machine follow the input that takes it; the state is ready to run.
    fn prepare(&mut self, id: FlipId, late: bool) -> Option<(State, Trail)> {
        let mut flip = self.remove(id)?;
        let calls = self.solver.statistics().backend_calls;
        let snapshot = match flip.snapshot.take() {
            Some(snapshot) => Some(snapshot),
            None => self.recreate(&flip),
        };
        let Some(Snapshot { mut state, choice }) = snapshot.map(|snapshot| *snapshot) else {
            if self.stop_at_once().is_some() {
                // The place was not reached in time; it is still there.
                self.flips.insert(id, flip);
                self.counters.pending += 1;
                return None;
            }
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
                let Some(number) = self.team.watch.start_path(late) else {
                    self.put_back(id, flip, Snapshot { state, choice });
                    return None;
                };
                self.number = number;
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

    /// The limit because of which what is under way stops, if any.
    fn stop_at_once(&self) -> Option<StopReason> {
        match self.end_of_grace {
            Some(end) => (Instant::now() >= end).then_some(StopReason::Time),
            None => self.team.watch.stop_at_once(),
        }
    }

    /// Tells of the flip that was solved last, if it did not become a path.
    fn tell_closed<O: Observer>(&mut self, observer: &mut O) -> Result<(), O::Error> {
        match self.closed.take() {
            Some((flip, fate)) => observer.flip_closed(self.machine, &flip, fate),
            None => Ok(()),
        }
    }

    /// A flip whose question was not finished, or whose path may not start, is pending as before.
    fn put_back(&mut self, id: FlipId, mut flip: Flip, snapshot: Snapshot) {
        if self.team.snapshots {
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
        self.machine.exclude(&flip.exclusions);
        let snapshot = self.run_up_to(flip);
        self.machine.exclude(&Exclusions::default());
        self.machine.refuted = refuted;
        snapshot
    }

    /// Runs a flip's input up to its decision.
    fn run_up_to(&mut self, flip: &Flip) -> Option<Box<Snapshot>> {
        let mut state = match &self.trunk {
            Some(trunk) => {
                self.machine.follow(flip.input.to_vec());
                State::clone(trunk)
            }
            None => self.machine.start(flip.input.to_vec()),
        };
        loop {
            let event = self.machine.run(&mut state, SLICE);
            if self.trunk.is_none() && self.team.snapshots && matches!(event, Event::Decision(_)) {
                self.trunk = Some(Box::new(state.clone()));
            }
            match event {
                Event::Pause if self.stop_at_once().is_some() => return None,
                Event::Pause => {}
                Event::End(_) => return None,
                Event::Decision(decision) if state.path.len() as u32 == flip.summary.depth => {
                    let choice = *decision.alternatives.iter().find(|choice| choice.key == flip.key)?;
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
        let input: Arc<[u8]> = Arc::from(self.machine.input.input());
        loop {
            match self.machine.run(&mut state, SLICE) {
                Event::Pause => {
                    observer.tick(self.machine, &self.counters)?;
                    self.share(self.flips.len().div_ceil(2));
                    // Far more than are kept between paths, but still less than a pool can hold.
                    if self.machine.pool.len() > EXPRESSIONS_OF_A_PATH {
                        return self.end_path(&state, &End::Limit(Limit::Expressions), &trail, observer, late);
                    }
                    // A path that is stopped half-way leaves nothing behind but its flips.
                    if let Some(reason) = self.team.watch.stop_at_once() {
                        observer.path_stopped(self.machine, self.number, self.origin, &state)?;
                        return Ok(Some(reason));
                    }
                }
                Event::Decision(decision) => {
                    if !late {
                        trail.at(state.instructions, self.machine.coverage.news());
                        self.keep_alternatives(&state, &decision, &input, &trail, observer)?;
                    }
                    self.machine.take(&mut state, &decision.chosen);
                    // Decisions about large expressions take long, and a path may be made of nothing else.
                    if let Some(reason) = self.stop_at_once() {
                        observer.path_stopped(self.machine, self.number, self.origin, &state)?;
                        return Ok(Some(reason));
                    }
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
        let path = PathEnd { number: self.number, origin: self.origin, state, end, covers_new: news > 0, late };
        observer.path_ended(self.machine, &path)?;
        Ok(self.team.watch.stop())
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
        for what in &state.given_up {
            *counters.given_up.entry(*what).or_default() += 1;
        }
        self.longest_input = self.longest_input.max(state.input_len);
        self.map.ends(end);
    }

    fn keep_alternatives<O: Observer>(
        &mut self,
        state: &State,
        decision: &Decision,
        input: &Arc<[u8]>,
        trail: &Trail,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        debug_assert!(decision.kind != DecisionKind::Concretisation || decision.alternatives.is_empty());
        let position = self.map.position(state);
        for choice in &decision.alternatives {
            let summary = Summary::new(state, position, decision.kind, choice, trail);
            let exclusions = state.exclusions.clone();
            let (input, key) = (Arc::clone(input), choice.key);
            let mut flip = Flip { input, parent: self.number, key, exclusions, summary, snapshot: None };
            if let Some(name) = self.cut(&flip.summary) {
                *self.counters.pruned.entry(name).or_default() += 1;
                observer.flip_closed(self.machine, &flip, Fate::Pruned(name))?;
                continue;
            }
            if self.team.snapshots {
                flip.snapshot = Some(Box::new(Snapshot { state: state.clone(), choice: *choice }));
            }
            let id = self.add(flip);
            // An input takes one value; it never stands for all the others.
            if self.searcher.makes_inputs() && !matches!(key, ChoiceKey::OtherThan(_)) {
                self.by_identity.insert(state.path.identity_with(key), id);
            }
            if id.0 % MEMORY_CHECK == MEMORY_CHECK - 1 && self.team.watch.memory_is_short() {
                self.cramped = self.counters.snapshots == 0;
                self.drop_snapshots();
            }
        }
        // There is work left even if the only flip goes: the rest of this path.
        self.share(self.flips.len().div_ceil(2));
        Ok(())
    }

    /// Starts over with no expressions. Flips are found again by running their inputs.
    fn forget_expressions(&mut self) {
        for flip in self.flips.values_mut() {
            flip.snapshot = None;
        }
        self.counters.snapshots = 0;
        self.trunk = None;
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
        let deadline = Instant::now() + self.team.grace;
        self.end_of_grace = Some(deadline);
        self.solver.stop_after(Patience::lasting(self.team.grace));
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
            if let Some((state, trail)) = self.prepare(id, true) {
                self.follow(state, trail, observer, true)?;
            }
            self.tell_closed(observer)?;
        }
        Ok(())
    }
}
