//! The driver loop of one worker: follow an input, keep the flips; pick a flip, solve it, follow the new input.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustc_hash::FxHashMap;
use secateur_machine::{Choice, Decision, DecisionKind, End, Event, Exclusions, Limit, Machine, State, Unsupported};
use secateur_path::ChoiceKey;
use secateur_solver::{Answer, Solver, UnknownReason};

use crate::counters::Counters;
use crate::exchange::Parcel;
use crate::fate::{Fate, Origin};
use crate::fault;
use crate::flip::{Flip, Snapshot, Summary};
use crate::limits::StopReason;
use crate::observer::{Observer, PathEnd};
use crate::prune::Pruner;
use crate::search::{FlipId, Searcher, Tried};
use crate::team::Team;
use crate::trail::Trail;
use crate::view::{Map, View};
use crate::watch::Pressure;

/// How many instructions run before the limits are looked at again.
pub(crate) const SLICE: u64 = 1 << 18;
/// How many pending flips are made use of once there are enough paths. They are counted rather than timed, so that a run that is limited to a number of paths gives the same files every time.
const LATE_FLIPS: usize = 100;

/// So few expressions are not worth forgetting.
const FEW_EXPRESSIONS: usize = 1 << 16;

/// How many instructions may be executed meanwhile.
const LATE_INSTRUCTIONS: u64 = 10_000_000;

/// How long a machine that was asked to pause rests before it tries again.
const REST: Duration = Duration::from_millis(1);

/// How many expressions there may be while a path runs. Few instructions make more than a hundred, so no slice fills a pool from here.
const EXPRESSIONS_OF_A_PATH: usize = 3 << 26;

/// How many bytes a question takes for each expression that there is: the solver evaluates them under inputs of its own.
const BYTES_OF_A_QUESTION: usize = 32;

/// So many bytes are worth a look at what is left.
const LARGE_QUESTION: usize = 16 << 20;

/// How many flips are handed over at once, at most. The path of each must be run from the start, but few would soon be used up.
const MOST_HANDED_OVER: usize = 4;

/// What a worker has executed since it got flips from another.
#[derive(Clone, Copy, Default)]
struct Effort {
    /// How many instructions it had executed then.
    start: u64,
    /// How many it executed since then only to get to places where others had been.
    rerun: u64,
}

impl Effort {
    /// It was not more work to get there than to go on from there.
    fn is_worthwhile(self, instructions: u64) -> bool {
        instructions - self.start >= 2 * self.rerun
    }
}

/// What came of one worker: the limit that it hit, if any, and what it did.
pub(crate) type Work<E> = Result<(Option<StopReason>, Counters), E>;

/// What came of looking for the place of a flip.
enum Recreated {
    Found(Box<Snapshot>),
    /// A limit was hit on the way.
    Stopped,
    /// It is not where it was; this is our own fault.
    Lost,
}

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
    /// What was made of the flips that were handed over last.
    effort: Effort,
    /// All expressions are to be forgotten before the next path.
    forget: bool,
    /// At which measurement something was done about the use of memory.
    relieved: u64,
    /// How many expressions there were before the path that runs; 0 once it has been run again without them.
    expressions_before: usize,
    /// The number of instructions at which use is no longer made of what is pending.
    late_end: u64,
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
        machine.halt = team.watch.halt();
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
            effort: Effort::default(),
            forget: false,
            relieved: 0,
            expressions_before: 0,
            late_end: u64::MAX,
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
            if self.machine.pool.len() > self.team.max_expressions || self.forget {
                self.forget_expressions();
            }
            reason = self.relieve_between_paths();
            if reason.is_some() {
                break;
            }
            if let Some(input) = self.searcher.fresh_input(self.longest_input) {
                reason = self.run_fresh(input, observer)?;
                continue;
            }
            self.share();
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
            self.tick(observer)?;
        }
        let not_fetched = self.team.exchange.close();
        self.unpack(not_fetched);
        self.counters.left = self.flips.len() as u64 + self.counters.stopped;
        if let Some(reason) = reason {
            self.use_up_pending(reason, observer)?;
        }
        self.counters.refuted = self.machine.refuted;
        self.counters.ignored_sides = self.machine.ignored;
        self.counters.solver_time = self.solver.statistics().time();
        for flip in self.flips.values() {
            observer.flip_closed(self.machine, flip, Fate::Pending)?;
        }
        let flips = std::mem::take(&mut self.flips);
        self.leave(flips);
        Ok((reason, self.counters))
    }

    /// Something that may be large is no longer used, and the run is about to end.
    fn leave<T>(&self, large: T) {
        if self.team.leave_memory {
            std::mem::forget(large);
        }
    }

    /// Tells how far the run is.
    pub(crate) fn tick<O: Observer>(&mut self, observer: &mut O) -> Result<(), O::Error> {
        self.counters.solver_time = self.solver.statistics().time();
        observer.tick(self.machine, &self.counters)
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

    /// Hands over some flips if another worker has none left and this one has enough. Those that are nearest to the start take the other the least to reach, and most comes of them; every second
    /// one is kept, since this worker must not be the next to have none.
    fn share(&mut self) {
        let team = self.team;
        if !team.exchange.wants_flips(self.flips.len()) {
            return;
        }
        team.exchange.give(|| {
            let count = MOST_HANDED_OVER.min(self.flips.len() / 2);
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
        let parcels = self.team.exchange.fetch(self.effort.is_worthwhile(self.machine.instructions));
        self.effort = Effort { start: self.machine.instructions, rerun: 0 };
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
            Some(snapshot) => Recreated::Found(snapshot),
            None => self.recreate(&flip, late),
        };
        let Snapshot { mut state, choice } = match snapshot {
            Recreated::Found(snapshot) => *snapshot,
            Recreated::Stopped => {
                self.put_back(id, flip, None);
                return None;
            }
            Recreated::Lost => {
                self.counters.lost += 1;
                self.closed = Some((flip, Fate::Lost));
                self.searcher.tried(Some(id), Tried::Unanswered);
                return None;
            }
        };
        match self.solve(&state, &choice, &flip) {
            Answer::Sat(input) => {
                let Some(number) = self.team.watch.start_path(late) else {
                    self.put_back(id, flip, Some(Snapshot { state, choice }));
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
                self.put_back(id, flip, Some(Snapshot { state, choice }));
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

    /// An input that takes a choice, if possible one that shows better what happens there.
    fn solve(&mut self, state: &State, choice: &Choice, flip: &Flip) -> Answer {
        let bytes = self.machine.pool.len() * BYTES_OF_A_QUESTION;
        if bytes > LARGE_QUESTION && !self.team.watch.has_room_for(bytes as u64) {
            // Most of these expressions may be those of other paths: the next question finds none of them.
            self.forget = true;
            return Answer::Unknown(UnknownReason::NoMemory);
        }
        let (solver, pool) = (&mut *self.solver, &mut self.machine.pool);
        let answer = fault::catch(|| {
            let preferred = choice.prefer.and_then(|prefer| {
                let both = pool.and(choice.condition, prefer);
                match solver.solve(pool, &state.path, both, &flip.input) {
                    Answer::Sat(input) => Some(input),
                    _ => None,
                }
            });
            match preferred {
                Some(input) => Answer::Sat(input),
                None => solver.solve(pool, &state.path, choice.condition, &flip.input),
            }
        });
        answer.unwrap_or_else(|message| {
            let place = self.machine.program.describe(flip.summary.loc);
            self.counters.add_fault(format!("a question about {place}: {message}"));
            // Whatever was under way, nothing of it is used again.
            self.forget = true;
            Answer::Unknown(UnknownReason::Fault)
        })
    }

    /// Tells of the flip that was solved last, if it did not become a path.
    fn tell_closed<O: Observer>(&mut self, observer: &mut O) -> Result<(), O::Error> {
        match self.closed.take() {
            Some((flip, fate)) => observer.flip_closed(self.machine, &flip, fate),
            None => Ok(()),
        }
    }

    /// A flip whose question was not finished, or whose path may not start, is pending as before.
    fn put_back(&mut self, id: FlipId, mut flip: Flip, snapshot: Option<Snapshot>) {
        if let Some(snapshot) = snapshot.filter(|_| self.team.snapshots) {
            flip.snapshot = Some(Box::new(snapshot));
            self.counters.snapshots += 1;
        }
        self.flips.insert(id, flip);
        self.counters.pending += 1;
    }

    /// Makes the snapshot of a flip again.
    fn recreate(&mut self, flip: &Flip, late: bool) -> Recreated {
        self.counters.replayed += 1;
        let before = self.machine.instructions;
        self.machine.halt = self.team.watch.end();
        let snapshot = self.again(&flip.exclusions, |explorer| explorer.run_up_to(flip, late));
        self.machine.halt = self.team.watch.halt();
        self.effort.rerun += self.machine.instructions - before;
        snapshot
    }

    /// Runs along a path on which these values were excluded once more. What the path refutes or ignores was counted the first time.
    pub(crate) fn again<R>(&mut self, exclusions: &Exclusions, run: impl FnOnce(&mut Self) -> R) -> R {
        let (refuted, ignored) = (self.machine.refuted, self.machine.ignored);
        self.machine.exclude(exclusions);
        let result = run(self);
        self.machine.exclude(&Exclusions::default());
        (self.machine.refuted, self.machine.ignored) = (refuted, ignored);
        result
    }

    /// Runs a flip's input up to its decision.
    fn run_up_to(&mut self, flip: &Flip, late: bool) -> Recreated {
        let mut state = match &self.trunk {
            Some(trunk) => {
                self.machine.follow(flip.input.to_vec());
                State::clone(trunk)
            }
            None => self.machine.start(flip.input.to_vec()),
        };
        loop {
            let event = self.run(&mut state);
            if self.trunk.is_none() && self.team.snapshots && matches!(event, Event::Decision(_)) {
                self.trunk = Some(Box::new(state.clone()));
            }
            match event {
                Event::Pause if self.is_over(late) => return Recreated::Stopped,
                Event::Pause => self.rest(),
                Event::End(_) => return Recreated::Lost,
                Event::Decision(decision) if state.path.len() as u32 == flip.summary.depth => {
                    return match decision.alternatives.iter().find(|choice| choice.key == flip.key) {
                        Some(choice) => Recreated::Found(Box::new(Snapshot { state, choice: *choice })),
                        None => Recreated::Lost,
                    };
                }
                Event::Decision(_) if self.is_over(late) => return Recreated::Stopped,
                Event::Decision(decision) => self.machine.take(&mut state, &decision.chosen),
            }
        }
    }

    /// Runs a state for a while. If the machine panics, the path ends as one that we cannot follow.
    pub(crate) fn run(&mut self, state: &mut State) -> Event {
        let machine = &mut *self.machine;
        fault::catch(|| machine.run(state, SLICE)).unwrap_or_else(|message| {
            let program = &self.machine.program;
            let place = program.describe(state.frame.loc(program));
            self.counters.add_fault(format!("a path at {place}: {message}"));
            // Whatever was under way, nothing of it is used again.
            self.forget = true;
            let what = format!("an internal error of Secateur: {message}");
            Event::End(End::Unsupported(Box::new(Unsupported { what, stack: state.stack(program) })))
        })
    }

    /// A path under way must stop: a limit is hit, or for those that run late, the time of grace is over.
    fn is_over(&self, late: bool) -> bool {
        if late {
            self.machine.instructions >= self.late_end || self.team.watch.is_grace_over()
        } else {
            self.team.watch.stop_at_once().is_some()
        }
    }

    /// A machine that was asked to pause gets nowhere until whoever asked is content.
    pub(crate) fn rest(&self) {
        if self.machine.halt.load(Ordering::Relaxed) {
            std::thread::sleep(REST);
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
        // There is something to gain only where most expressions are those of other paths.
        self.expressions_before = self.machine.pool.len();
        loop {
            let event = self.run(&mut state);
            if !matches!(event, Event::End(_)) && self.is_over(late) {
                // A path that is stopped half-way leaves its flips behind, and what it has covered.
                if let Event::Decision(decision) = event
                    && !late
                {
                    self.keep_alternatives(&state, &decision, &input, &trail, observer)?;
                }
                self.counters.stopped += 1;
                let stop = self.end_path(&state, &End::Limit(Limit::Run), &trail, observer, late);
                self.leave(state);
                return stop;
            }
            match event {
                Event::Pause => {
                    self.tick(observer)?;
                    self.share();
                    // Far more than are kept between paths, but still less than a pool can hold.
                    if self.machine.pool.len() > EXPRESSIONS_OF_A_PATH {
                        return self.end_path(&state, &End::Limit(Limit::Expressions), &trail, observer, late);
                    }
                    self.rest();
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
            if self.team.watch.pressure() != Pressure::None && !self.relieve(&mut state, &input) {
                return self.end_path(&state, &End::Limit(Limit::Memory), &trail, observer, late);
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
        if self.team.recheck {
            self.recheck(state, end);
        }
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
            End::Assumed => counters.assumed += 1,
            End::Ignored(_) => counters.ignored += 1,
            End::Unsupported(_) => counters.unsupported += 1,
            End::Limit(Limit::Run) => {}
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
            if self.team.snapshots && self.team.watch.pressure() == Pressure::None {
                flip.snapshot = Some(Box::new(Snapshot { state: state.clone(), choice: *choice }));
            }
            let id = self.add(flip);
            // An input takes one value; it never stands for all the others.
            if self.searcher.makes_inputs() && !matches!(key, ChoiceKey::OtherThan(_)) {
                self.by_identity.insert(state.path.identity_with(key), id);
            }
        }
        self.share();
        Ok(())
    }

    /// Uses less memory while a path runs; false if the path itself is what takes too much.
    fn relieve(&mut self, state: &mut State, input: &Arc<[u8]>) -> bool {
        let watch = &self.team.watch;
        if !watch.has_settled(self.relieved) {
            return true;
        }
        self.relieved = watch.measurement();
        if watch.pressure() != Pressure::Everything {
            // Expressions of other paths go before the next one.
            self.forget |= self.counters.snapshots == 0;
            self.drop_snapshots();
            return true;
        }
        // Nothing may run before it is known what this has given back.
        if self.counters.snapshots > 0 {
            self.drop_all_snapshots();
            self.settle();
            if self.team.watch.pressure() != Pressure::Everything {
                return true;
            }
        }
        let others = std::mem::take(&mut self.expressions_before);
        let few = others < FEW_EXPRESSIONS || 2 * others < self.machine.pool.len();
        if few || !self.rebuild(state, input) {
            self.forget = true;
            return false;
        }
        self.settle();
        self.team.watch.pressure() != Pressure::Everything
    }

    /// Waits until memory that was freed is no longer counted as used.
    fn settle(&mut self) {
        let since = self.team.watch.measurement();
        while !self.team.watch.has_settled(since) && self.team.watch.stop_at_once().is_none() {
            std::thread::sleep(REST);
        }
        self.relieved = self.team.watch.measurement();
    }

    fn drop_all_snapshots(&mut self) {
        for flip in self.flips.values_mut() {
            flip.snapshot = None;
        }
        self.counters.snapshots = 0;
    }

    /// Uses less memory while no path runs; tells if that is not possible.
    fn relieve_between_paths(&mut self) -> Option<StopReason> {
        let watch = &self.team.watch;
        if watch.pressure() == Pressure::None || !watch.has_settled(self.relieved) {
            return None;
        }
        self.relieved = watch.measurement();
        if self.counters.snapshots > 0 {
            self.drop_snapshots();
        } else if self.machine.pool.len() > FEW_EXPRESSIONS {
            self.forget_expressions();
        } else if watch.pressure() == Pressure::Everything {
            watch.stop_because(StopReason::Memory);
        }
        watch.stop_at_once()
    }

    /// Makes the state of a path again with no expressions but its own; false if that is not possible.
    fn rebuild(&mut self, state: &mut State, input: &Arc<[u8]>) -> bool {
        let (depth, instructions) = (state.path.len(), state.instructions);
        let exclusions = state.exclusions.clone();
        self.forget_expressions();
        *state = self.machine.start(input.to_vec());
        self.machine.halt = self.team.watch.end();
        let found = self.again(&exclusions, |explorer| {
            loop {
                if state.path.len() == depth && state.instructions >= instructions {
                    return state.instructions == instructions;
                }
                match explorer.machine.run(state, instructions.saturating_sub(state.instructions).min(SLICE)) {
                    Event::End(_) => return false,
                    Event::Pause if explorer.is_over(false) => return false,
                    Event::Pause => {}
                    Event::Decision(decision) => explorer.machine.take(state, &decision.chosen),
                }
            }
        });
        self.machine.halt = self.team.watch.halt();
        found
    }

    /// Starts over with no expressions. Flips are found again by running their inputs.
    fn forget_expressions(&mut self) {
        self.drop_all_snapshots();
        self.forget = false;
        self.trunk = None;
        self.machine.forget_expressions();
    }

    /// Gives up half of the snapshots, the oldest first: depth-first search needs them last, and any of them can be had again.
    fn drop_snapshots(&mut self) {
        let mut left = self.counters.snapshots.div_ceil(2);
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
    fn use_up_pending<O: Observer>(&mut self, reason: StopReason, observer: &mut O) -> Result<(), O::Error> {
        let mut most = usize::MAX;
        if reason == StopReason::Paths {
            most = if self.team.watch.has_grace() { LATE_FLIPS } else { 0 };
            self.late_end = self.machine.instructions + LATE_INSTRUCTIONS;
        } else {
            self.solver.stop_after(self.team.watch.grace());
        }
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
        for (_, id) in ids.into_iter().take(most) {
            if self.is_over(true) {
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
