//! The workers of a run: each explores on a thread of its own, with its own machine and solver, and all report to one subscriber.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

use secateur_machine::{Machine, Refuted};
use secateur_solver::Solver;

use crate::counters::Counters;
use crate::event::Subscriber;
use crate::exchange::{Exchange, Queue};
use crate::limits::{Limits, StopReason};
use crate::prune::Pruner;
use crate::reporter::{Reporter, Shared};
use crate::search::Searcher;
use crate::subsumption::MakeSubsumption;
use crate::watch::Watch;
use crate::worker::{Work, Worker};

/// As large as that of the main thread usually is: expressions can be deep.
const STACK: usize = 8 << 20;

/// How a run is set up.
pub struct Settings {
    /// The order in which flips are tried.
    pub searcher: Box<dyn Searcher>,
    /// Which flips are not tried at all.
    pub pruners: Vec<Box<dyn Pruner>>,
    /// Ends paths that can add nothing, if wanted.
    pub subsumption: Option<MakeSubsumption>,
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
    pub workers: Vec<WorkerSetup>,
}

/// What a further worker works with. Its machine is made on its own thread when there is work for it.
pub struct WorkerSetup {
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
pub struct RunResult {
    /// Why it stopped.
    pub reason: StopReason,
    /// What happened.
    pub counters: Counters,
    /// How many expressions the workers had at the end.
    pub expressions: u64,
}

impl RunResult {
    /// What workers came to that stopped at a limit, or for none. A limit that was hit when all was done stopped nothing.
    fn new(limit: Option<StopReason>, counters: Counters, expressions: u64) -> RunResult {
        let reason = limit.filter(|_| counters.left > 0).unwrap_or(StopReason::Finished);
        RunResult { reason, counters, expressions }
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
    pub exchange: Box<dyn Exchange + Send>,
    pub snapshots: bool,
    pub recheck: bool,
    pub leave_memory: bool,
    pub subsumption: Option<MakeSubsumption>,
    /// For each worker.
    pub max_expressions: usize,
}

/// Explores a program until nothing is pending or a limit is hit. The machine and the solver are those of the first worker; in the end, they have counted
/// what all workers did.
pub fn explore<S: Subscriber>(
    machine: &mut Machine,
    solver: &mut Solver,
    settings: Settings,
    subscriber: &mut S,
) -> Result<RunResult, S::Error> {
    let Settings { searcher, pruners, workers: others, first_input, .. } = settings;
    let workers = 1 + others.len();
    let team = Team {
        watch: Watch::new(settings.limits, settings.grace, settings.interrupted),
        exchange: Box::new(Queue::new(workers)),
        snapshots: settings.snapshots,
        recheck: settings.recheck,
        leave_memory: settings.leave_memory,
        subsumption: settings.subsumption,
        max_expressions: settings.max_expressions / workers,
    };
    // Where refuted sides are offered, each is a flip, and reported as one.
    if (subscriber.wants_refuted() || settings.subsumption.is_some()) && machine.options().refuted == Refuted::Counted {
        machine.set_refuted(Refuted::Reported);
    }
    let shared = Shared::new(subscriber, workers);
    thread::scope(|scope| {
        scope.spawn(|| team.watch.keep());
        let _finished = OnDrop(|| team.watch.finish());
        let mut threads = Vec::new();
        for (index, setup) in others.into_iter().enumerate() {
            let (program, options) = (Arc::clone(&machine.program), machine.options().clone());
            let coverage = machine.coverage.share();
            let make_machine = move || Machine::sharing(program, options, coverage);
            let log = tracing::dispatcher::get_default(Clone::clone);
            let (team, shared) = (&team, &shared);
            let work = move || {
                let _log = tracing::dispatcher::set_default(&log);
                let reporter = Reporter::new(shared, &team.watch, index + 1);
                work_for_others(setup, make_machine, team, reporter)
            };
            let thread = Builder::new().name(format!("worker {}", index + 2)).stack_size(STACK);
            match thread.spawn_scoped(scope, work) {
                Ok(thread) => threads.push(thread),
                // The run can do with fewer workers.
                Err(_) => team.exchange.leave(),
            }
        }
        let reporter = Reporter::new(&shared, &team.watch, 0);
        let worker = Worker::new(machine, solver, searcher, pruners, &team, reporter);
        let first = stopping_all_on_failure(&team, || worker.start(first_input));
        let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        let others: Vec<WorkerResult<S::Error>> = threads.into_iter().filter_map(join).collect();
        let (mut reason, mut counters) = first?;
        let mut expressions = machine.pool.len() as u64;
        for other in others {
            let (its_reason, its_counters) = other.work?;
            reason = reason.or(its_reason);
            counters += &its_counters;
            expressions += other.expressions;
            machine.instructions += other.instructions;
            solver.absorb(other.solver);
        }
        Ok(RunResult::new(reason, counters, expressions))
    })
}

/// Does something at the end of a scope, even if that comes by a panic.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// What came of a further worker.
struct WorkerResult<E> {
    work: Work<E>,
    solver: Solver,
    instructions: u64,
    expressions: u64,
}

/// A further worker, from its first flips to its end; `None` if there was nothing for it to do.
fn work_for_others<S: Subscriber>(
    setup: WorkerSetup,
    make_machine: impl FnOnce() -> Machine,
    team: &Team,
    reporter: Reporter<'_, '_, S>,
) -> Option<WorkerResult<S::Error>> {
    let flips = team.exchange.fetch_first()?;
    let WorkerSetup { mut solver, searcher, pruners } = setup;
    let mut machine = make_machine();
    let worker = Worker::new(&mut machine, &mut solver, searcher, pruners, team, reporter);
    let work = stopping_all_on_failure(team, || worker.join(flips));
    Some(WorkerResult { work, solver, instructions: machine.instructions, expressions: machine.pool.len() as u64 })
}

/// If a worker fails or panics, the others must not go on or wait for it.
fn stopping_all_on_failure<E>(team: &Team, work: impl FnOnce() -> Work<E>) -> Work<E> {
    let alarm = OnDrop(|| {
        team.watch.interrupt();
        team.exchange.close();
    });
    let work = work();
    if work.is_ok() {
        std::mem::forget(alarm);
    }
    work
}
