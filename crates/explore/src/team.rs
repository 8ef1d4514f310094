//! The workers of a run: each explores on a thread of its own, with its own machine and solver, and all report to one observer.

use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::{Duration, Instant};

use secateur_machine::Machine;
use secateur_solver::Solver;

use crate::counters::Counters;
use crate::exchange::Exchange;
use crate::explorer::{Explorer, Work};
use crate::fate::Fate;
use crate::flip::Flip;
use crate::limits::{Limits, StopReason};
use crate::observer::{Notes, Observer, PathEnd};
use crate::prune::Pruner;
use crate::search::Searcher;
use crate::watch::Watch;

/// As large as that of the main thread usually is: expressions can be deep.
const STACK: usize = 8 << 20;
/// How often a worker tells how far it is. To tell takes the lock that all workers need.
const TELL: Duration = Duration::from_millis(10);

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
    /// Run every path again from the start, to see that it is the same; what is not becomes a fault.
    pub recheck: bool,
    /// The process ends after the run, so that what is pending then need not be freed: with millions of objects that takes seconds.
    pub leave_memory: bool,
    /// Workers beside the first, if any.
    pub helpers: Vec<Helper>,
}

/// What a further worker works with. Its machine is made on its own thread when there is work for it.
pub struct Helper {
    /// Answers its questions.
    pub solver: Solver,
    /// The order in which it tries its flips.
    pub searcher: Box<dyn Searcher>,
    /// Which of its flips are not tried at all.
    pub pruners: Vec<Box<dyn Pruner>>,
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
    /// How many expressions the workers had at the end.
    pub expressions: u64,
}

impl Outcome {
    /// What workers came to that stopped at a limit, or for none. A limit that was hit when all was done stopped nothing.
    fn new(limit: Option<StopReason>, counters: Counters, expressions: u64) -> Outcome {
        let reason = limit.filter(|_| counters.left > 0).unwrap_or(StopReason::Finished);
        Outcome { reason, counters, expressions }
    }

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

/// What the workers of a run have in common.
pub(crate) struct Team {
    pub watch: Watch,
    pub exchange: Exchange,
    pub snapshots: bool,
    pub recheck: bool,
    pub leave_memory: bool,
    /// For each worker.
    pub max_expressions: usize,
}

/// Explores a program until nothing is pending or a limit is hit. The machine and the solver are those of the first worker; in the end, they have counted
/// what all workers did.
pub fn explore<O>(
    machine: &mut Machine,
    solver: &mut Solver,
    settings: Settings,
    observer: &mut O,
) -> Result<Outcome, O::Error>
where
    O: Observer + Send,
    O::Error: Send,
{
    let Settings { searcher, pruners, helpers, first_input, .. } = settings;
    let workers = 1 + helpers.len();
    let team = Team {
        watch: Watch::new(settings.limits, settings.grace, settings.interrupted),
        exchange: Exchange::new(workers),
        snapshots: settings.snapshots,
        recheck: settings.recheck,
        leave_memory: settings.leave_memory,
        max_expressions: settings.max_expressions / workers,
    };
    let first = First { searcher, pruners, input: first_input };
    thread::scope(|scope| {
        scope.spawn(|| team.watch.keep());
        let _finished = OnDrop(|| team.watch.finish());
        explore_watched(machine, solver, first, helpers, &team, observer)
    })
}

/// What the first worker has of its own.
struct First {
    searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    input: Vec<u8>,
}

/// Does something at the end of a scope, even if that comes by a panic.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Explores while somebody watches the limits.
fn explore_watched<O>(
    machine: &mut Machine,
    solver: &mut Solver,
    first: First,
    helpers: Vec<Helper>,
    team: &Team,
    observer: &mut O,
) -> Result<Outcome, O::Error>
where
    O: Observer + Send,
    O::Error: Send,
{
    let First { searcher, pruners, input } = first;
    let workers = 1 + helpers.len();
    if helpers.is_empty() {
        let explorer = Explorer::new(machine, solver, searcher, pruners, team);
        let (reason, counters) = explorer.start(input, observer)?;
        let expressions = machine.pool.len() as u64;
        return Ok(Outcome::new(reason, counters, expressions));
    }
    let meeting = Mutex::new(Meeting { observer, counters: vec![Counters::default(); workers] });
    let (first, others) = thread::scope(|scope| {
        let mut threads = Vec::new();
        for (index, helper) in helpers.into_iter().enumerate() {
            let (program, options) = (Arc::clone(&machine.program), machine.options().clone());
            let coverage = machine.coverage.share();
            let make_machine = move || Machine::sharing(program, options, coverage);
            let log = tracing::dispatcher::get_default(Clone::clone);
            let mut voice = Voice::new(&meeting, team, index + 1);
            let work = move || {
                let _log = tracing::dispatcher::set_default(&log);
                help(helper, make_machine, team, &mut voice)
            };
            let thread = Builder::new().name(format!("worker {}", index + 2)).stack_size(STACK);
            match thread.spawn_scoped(scope, work) {
                Ok(thread) => threads.push(thread),
                // The run can do with fewer workers.
                Err(_) => team.exchange.leave(),
            }
        }
        let explorer = Explorer::new(machine, solver, searcher, pruners, team);
        let mut voice = Voice::new(&meeting, team, 0);
        let first = guard(&mut voice, |voice| explorer.start(input, voice));
        let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        (first, threads.into_iter().filter_map(join).collect::<Vec<_>>())
    });
    let (mut reason, mut counters) = first?;
    let mut expressions = machine.pool.len() as u64;
    for Helped { work, solver: its_solver, instructions, expressions: its_expressions } in others {
        let (its_reason, its_counters) = work?;
        reason = reason.or(its_reason);
        counters += &its_counters;
        expressions += its_expressions;
        machine.instructions += instructions;
        solver.absorb(its_solver);
    }
    Ok(Outcome::new(reason, counters, expressions))
}

/// What a helper has done.
struct Helped<E> {
    work: Work<E>,
    solver: Solver,
    instructions: u64,
    expressions: u64,
}

/// The life of a helper; `None` if there was nothing for it to do.
fn help<O: Observer>(
    helper: Helper,
    make_machine: impl FnOnce() -> Machine,
    team: &Team,
    voice: &mut Voice<'_, '_, O>,
) -> Option<Helped<O::Error>> {
    let parcels = team.exchange.fetch_first()?;
    let Helper { mut solver, searcher, pruners } = helper;
    let mut machine = make_machine();
    let explorer = Explorer::new(&mut machine, &mut solver, searcher, pruners, team);
    let work = guard(voice, |voice| explorer.join(parcels, voice));
    Some(Helped { work, solver, instructions: machine.instructions, expressions: machine.pool.len() as u64 })
}

/// Lets the observer read in the end what a worker has noted. If a worker fails, the others must not go on or wait for it.
fn guard<'a, 'b, O: Observer>(
    voice: &mut Voice<'a, 'b, O>,
    work: impl FnOnce(&mut Voice<'a, 'b, O>) -> Work<O::Error>,
) -> Work<O::Error> {
    struct Alarm<'a>(&'a Team);

    impl Drop for Alarm<'_> {
        fn drop(&mut self) {
            self.0.watch.interrupt();
            self.0.exchange.close();
        }
    }

    let alarm = Alarm(voice.team);
    let work = work(voice).and_then(|done| voice.tell(|_| Ok(())).map(|()| done));
    if work.is_ok() {
        std::mem::forget(alarm);
    }
    work
}

/// Where the workers tell what they find.
struct Meeting<'a, O> {
    observer: &'a mut O,
    /// How far each of them was when it last told.
    counters: Vec<Counters>,
}

/// What one worker tells comes to the observer of all, one after the other.
struct Voice<'a, 'b, O: Observer> {
    meeting: &'a Mutex<Meeting<'b, O>>,
    team: &'a Team,
    worker: usize,
    told: Instant,
    /// What the observer has not read yet.
    notes: O::Notes,
}

impl<'a, 'b, O: Observer> Voice<'a, 'b, O> {
    fn new(meeting: &'a Mutex<Meeting<'b, O>>, team: &'a Team, worker: usize) -> Voice<'a, 'b, O> {
        let notes = lock(meeting).observer.notes();
        Voice { meeting, team, worker, told: Instant::now(), notes }
    }

    /// Lets the observer read what was noted, and tells it something. If it fails, all workers stop before any of them can tell more.
    fn tell(&mut self, what: impl FnOnce(&mut Meeting<'b, O>) -> Result<(), O::Error>) -> Result<(), O::Error> {
        let mut meeting = lock(self.meeting);
        let told = meeting.observer.read(&mut self.notes).and_then(|()| what(&mut meeting));
        told.inspect_err(|_| self.team.watch.interrupt())
    }
}

/// A worker that panicked while it told something ends the run; until then, what it has told is all there is.
fn lock<'m, T>(meeting: &'m Mutex<T>) -> MutexGuard<'m, T> {
    meeting.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<O: Observer> Observer for Voice<'_, '_, O> {
    type Error = O::Error;
    type Notes = ();

    fn notes(&self) {}

    fn read(&mut self, (): &mut ()) -> Result<(), O::Error> {
        Ok(())
    }

    fn path_ended(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Result<(), O::Error> {
        if self.notes.path_ended(machine, path) {
            return Ok(());
        }
        self.tell(|meeting| meeting.observer.path_ended(machine, path))
    }

    fn flip_closed(&mut self, machine: &Machine, flip: &Flip, fate: Fate) -> Result<(), O::Error> {
        if self.notes.flip_closed(machine, flip, fate) {
            return Ok(());
        }
        self.tell(|meeting| meeting.observer.flip_closed(machine, flip, fate))
    }

    fn tick(&mut self, machine: &Machine, counters: &Counters) -> Result<(), O::Error> {
        let now = Instant::now();
        if now - self.told < TELL {
            return Ok(());
        }
        self.told = now;
        let worker = self.worker;
        self.tell(|meeting| {
            meeting.counters[worker] = counters.clone();
            let mut all = Counters::default();
            meeting.counters.iter().for_each(|counters| all += counters);
            meeting.observer.tick(machine, &all)
        })
    }
}
