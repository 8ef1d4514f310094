//! The workers of a run: each explores on its own thread with its own machine and solver, and all report to one
//! subscriber.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

use secateur_machine::{Machine, Refuted};
use secateur_solver::Solver;

use crate::counters::Counters;
use crate::cuts::CutLog;
use crate::event::Subscriber;
use crate::exchange::{Exchange, Fetched, Queue};
use crate::inputs::{InputSource, Inputs};
use crate::limits::{Limits, StopReason};
use crate::pending::Continued;
use crate::prune::Pruner;
use crate::remote::Remote;
use crate::reporter::{Reporter, Shared};
use crate::rounds::Carried;
use crate::search::Searcher;
use crate::selection::MakeSelection;
use crate::subsumption::MakeSubsumption;
use crate::tuning::Tuning;
use crate::watchdog::Watchdog;
use crate::worker::{Work, WorkEnd, Worker};

/// As large as that of a main thread usually is: expressions can be deep.
const STACK: usize = 8 << 20;

/// The settings of a run.
pub struct Settings {
    /// The order in which flips are tried.
    pub searcher: Box<dyn Searcher>,
    /// Which flips are dropped.
    pub pruners: Vec<Box<dyn Pruner>>,
    /// Ends paths that can add nothing, if wanted.
    pub subsumption: Option<MakeSubsumption>,
    /// Whether sides next to finished ones are completed at once where that may let subsumption end paths.
    pub greedy: bool,
    /// When to stop.
    pub limits: Limits,
    /// How long pending flips still become tests once a limit is hit.
    pub grace: Duration,
    /// Set by the caller to stop the run.
    pub interrupted: Arc<AtomicBool>,
    /// The input to start with.
    pub first_input: Vec<u8>,
    /// What an earlier run has left, to continue it; then the first input is not used.
    pub continued: Option<Continued>,
    /// Other processes that explore the same program, if any. The subscriber has to want what is pending.
    pub remote: Option<Arc<dyn Remote>>,
    /// Further inputs to follow, if any.
    pub inputs: Option<Box<dyn InputSource>>,
    /// Whether snapshots are kept; without them, every path runs from the start.
    pub snapshots: bool,
    /// The tuned numbers of this crate.
    pub tuning: Tuning,
    /// Whether every path is run again from the start, to check that it is the same; a difference is an internal error.
    pub recheck: bool,
    /// Whether what was left out without loss is explored at the end, up to a limit, to check that nothing was lost; a
    /// loss is an internal error.
    pub check_cuts: bool,
    /// Whether the process ends after the run, so that pending flips need not be freed: with millions of objects that
    /// takes seconds.
    pub leave_memory: bool,
    /// Called when much was freed because memory is short: the allocator may return it to the system.
    pub return_memory: fn(),
    /// Workers besides the first, if any.
    pub workers: Vec<WorkerSetup>,
}

impl Settings {
    /// One worker without limits, which keeps snapshots and starts with the input of zero bytes.
    pub fn new(searcher: Box<dyn Searcher>) -> Settings {
        Settings {
            searcher,
            pruners: Vec::new(),
            subsumption: None,
            greedy: true,
            limits: Limits::default(),
            grace: Duration::ZERO,
            interrupted: Arc::default(),
            first_input: Vec::new(),
            continued: None,
            remote: None,
            inputs: None,
            snapshots: true,
            tuning: Tuning::default(),
            recheck: false,
            check_cuts: false,
            leave_memory: false,
            return_memory: || {},
            workers: Vec::new(),
        }
    }
}

/// What another worker needs. Its machine is made on its own thread when there is work for it.
pub struct WorkerSetup {
    /// Its solver.
    pub solver: Solver,
    /// The order in which it tries its flips.
    pub searcher: Box<dyn Searcher>,
    /// Which of its flips are dropped.
    pub pruners: Vec<Box<dyn Pruner>>,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// Why it stopped.
    pub reason: StopReason,
    /// The counters of all workers together.
    pub counters: Counters,
    /// How many expressions the workers had at the end.
    pub expressions: u64,
}

impl RunResult {
    /// The result of workers that stopped at this limit, if any. A limit that is hit when nothing is left to do does
    /// not count.
    fn new(limit: Option<StopReason>, counters: Counters, expressions: u64) -> RunResult {
        let reason = limit.filter(|_| counters.left > 0).unwrap_or(StopReason::Finished);
        RunResult { reason, counters, expressions }
    }

    /// How the run ended, as a sentence for the report.
    pub fn sentence(&self) -> &'static str {
        let finished = self.reason == StopReason::Finished;
        if finished && self.counters.losses {
            return "every path was tried but those that were pruned";
        }
        if finished && self.counters.is_complete() && self.counters.proved > 0 {
            return "every path was explored, or shown to have no bug";
        }
        let has_pruned = !self.counters.pruned.is_empty() || self.counters.subsumed > 0;
        if finished && self.counters.is_complete() && has_pruned {
            return "every path was explored, or shown to add neither coverage nor a bug";
        }
        self.reason.sentence(self.counters.is_complete())
    }
}

/// What the workers of a run share.
pub(crate) struct Team {
    pub watchdog: Watchdog,
    pub exchange: Box<dyn Exchange + Send>,
    pub inputs: Option<Inputs>,
    pub snapshots: bool,
    pub recheck: bool,
    /// What was left out, if that is to be checked.
    pub cuts: Option<CutLog>,
    pub leave_memory: bool,
    pub return_memory: fn(),
    pub subsumption: Option<MakeSubsumption>,
    pub selection: Option<MakeSelection>,
    /// Whether a later round goes on with the tree.
    pub parks: bool,
    /// Whether no round follows.
    pub is_last_round: bool,
    /// Whether the subscriber wants to know what is pending.
    pub wants_pending: bool,
    /// Whether sides next to finished ones are completed at once.
    pub greedy: bool,
    /// Whether refuted sides are reported while subsumption is active, and only then.
    pub reports_refuted_if_active: bool,
    /// How many expressions each worker keeps.
    pub max_expressions: usize,
    pub tuning: Tuning,
}

/// Explores a program until nothing is pending or a limit is hit. The machine and the solver are those of the first
/// worker; in the end, their counters include those of all workers.
///
/// ```
/// use secateur_explore::{Limits, Settings, StopReason, Tuning, explore, search};
/// use secateur_machine::{Machine, Options};
/// use secateur_solver::Solver;
///
/// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
/// # let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/one_branch.rs"));
/// let mut machine = Machine::new(program, Options::default());
/// let mut solver = Solver::new(Default::default()).unwrap();
/// let searcher = search::by_name("dfs", 0, &Tuning::default()).unwrap();
/// let limits = Limits { paths: Some(1_000), ..Limits::default() };
/// let settings = Settings { limits, ..Settings::new(searcher) };
/// let Ok(result) = explore(&mut machine, &mut solver, settings, &mut ());
/// assert_eq!((result.counters.completed, result.reason), (2, StopReason::Finished));
/// assert_eq!(machine.coverage.user_outcomes(&machine.program), (2, 2));
/// ```
pub fn explore<S: Subscriber>(
    machine: &mut Machine,
    solver: &mut Solver,
    settings: Settings,
    subscriber: &mut S,
) -> Result<RunResult, S::Error> {
    explore_round(machine, solver, settings, subscriber, &mut Carried::default())
}

/// Explores as one round of a run, or as all of it.
pub(crate) fn explore_round<S: Subscriber>(
    machine: &mut Machine,
    solver: &mut Solver,
    settings: Settings,
    subscriber: &mut S,
    carried: &mut Carried,
) -> Result<RunResult, S::Error> {
    let Settings { searcher, pruners, workers: others, first_input, continued, .. } = settings;
    let workers = 1 + others.len();
    // Where refuted sides are offered, each is a flip and is reported as one.
    let is_counted = machine.options().refuted == Refuted::Counted;
    if is_counted && subscriber.wants_refuted() {
        machine.set_refuted(Refuted::Reported);
    }
    let round = carried.round.take();
    let watchdog = Watchdog::new(settings.limits, settings.grace, settings.interrupted);
    let source = carried.inputs.take().or(settings.inputs);
    let team = Team {
        watchdog: match &round {
            Some(round) => watchdog.of_round(round.length, carried.paths),
            None => watchdog.after(continued.as_ref().map_or(0, |continued| continued.paths)),
        },
        selection: round.as_ref().map(|round| Arc::clone(&round.selection)),
        parks: round.as_ref().is_some_and(|round| round.resumes && !round.is_last),
        is_last_round: round.as_ref().is_none_or(|round| round.is_last),
        exchange: Box::new(Queue::new(workers, settings.remote, &settings.tuning)),
        inputs: source.map(|source| Inputs::new(source, workers)),
        snapshots: settings.snapshots,
        recheck: settings.recheck,
        cuts: settings.check_cuts.then(|| CutLog::new(&settings.tuning)),
        leave_memory: settings.leave_memory,
        return_memory: settings.return_memory,
        subsumption: settings.subsumption,
        wants_pending: subscriber.wants_pending(),
        greedy: settings.greedy,
        reports_refuted_if_active: is_counted && !subscriber.wants_refuted(),
        max_expressions: settings.tuning.expressions / workers,
        tuning: settings.tuning,
    };
    let resumed = round.filter(|round| round.resumes).map(|round| round.order);
    let parked = carried.parked.take();
    let shared = Shared::new(subscriber, workers, carried.counters.clone());
    let result = thread::scope(|scope| {
        scope.spawn(|| team.watchdog.run());
        let _finished = OnDrop(|| team.watchdog.finish());
        let mut threads = Vec::new();
        for (index, setup) in others.into_iter().enumerate() {
            let (program, options) = (Arc::clone(&machine.program), machine.options().clone());
            let coverage = machine.coverage.share();
            let make_machine = move || Machine::sharing(program, options, coverage);
            let log = tracing::dispatcher::get_default(Clone::clone);
            let (team, shared) = (&team, &shared);
            let work = move || {
                let _log = tracing::dispatcher::set_default(&log);
                let reporter = Reporter::new(shared, &team.watchdog, index + 1);
                run_further_worker(setup, make_machine, team, reporter)
            };
            let thread = Builder::new().name(format!("worker {}", index + 2)).stack_size(STACK);
            match thread.spawn_scoped(scope, work) {
                Ok(thread) => threads.push(thread),
                // The run works with fewer workers, too.
                Err(_) => team.exchange.leave(),
            }
        }
        let reporter = Reporter::new(&shared, &team.watchdog, 0);
        let mut tree = None;
        let mut worker = Worker::new(machine, solver, searcher, pruners, &team, reporter);
        let first = stop_all_on_failure(&team, || match (parked, &resumed, continued) {
            (_, _, Some(continued)) => worker.go_on(continued),
            (Some(parked), Some(order), None) => {
                tree = Some(parked.counters.clone());
                worker.resume(parked, order)
            }
            (parked, _, None) => {
                worker.parked = parked;
                worker.start(first_input)
            }
        });
        let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        let others: Vec<WorkerResult<S::Error>> = threads.into_iter().filter_map(join).collect();
        let (WorkEnd { mut reason, mut counters, .. }, mut parked) = first?;
        let mut expressions = machine.pool.len() as u64;
        for other in others {
            let WorkEnd { reason: its_reason, counters: its_counters, left, .. } = other.work?;
            reason = reason.or(its_reason);
            counters += &its_counters;
            if let Some(parked) = &mut parked {
                parked.others.extend(left);
            }
            expressions += other.expressions;
            machine.instructions += other.instructions;
            solver.absorb(other.solver);
        }
        if let Some(cuts) = &team.cuts {
            cuts.check(machine, solver, &team, &mut counters);
        }
        let mut result = RunResult::new(reason, counters, expressions);
        if let Some(order) = resumed {
            let mut all = tree.unwrap_or_default();
            all += &Counters { pending: 0, left: 0, ..result.counters.clone() };
            if result.reason == StopReason::Finished {
                // All rounds together have explored the tree.
                result.counters = all;
            } else if let Some(parked) = &mut parked {
                (parked.counters, parked.order) = (all, order);
            }
        }
        carried.parked = parked;
        Ok(result)
    });
    carried.paths = team.watchdog.paths();
    carried.inputs = team.inputs.map(Inputs::into_source);
    result
}

/// Runs a function at the end of a scope, even after a panic.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The result of a worker other than the first.
struct WorkerResult<E> {
    work: Result<WorkEnd, E>,
    solver: Solver,
    instructions: u64,
    expressions: u64,
}

/// Runs a worker other than the first, from its first flips to its end; returns `None` if there was nothing for it to
/// do.
fn run_further_worker<S: Subscriber>(
    setup: WorkerSetup,
    make_machine: impl FnOnce() -> Machine,
    team: &Team,
    reporter: Reporter<'_, '_, S>,
) -> Option<WorkerResult<S::Error>> {
    let Fetched::Flips(flips) = team.exchange.fetch_first(reporter.worker) else { return None };
    let WorkerSetup { mut solver, searcher, pruners } = setup;
    let mut machine = make_machine();
    let worker = Worker::new(&mut machine, &mut solver, searcher, pruners, team, reporter);
    let work = stop_all_on_failure(team, || worker.join(flips)).map(|(end, _)| end);
    let (instructions, expressions) = (machine.instructions, machine.pool.len() as u64);
    if team.leave_memory {
        std::mem::forget(machine);
    }
    Some(WorkerResult { work, solver, instructions, expressions })
}

/// If a worker fails or panics, the others must neither continue nor wait for it.
fn stop_all_on_failure<E>(team: &Team, work: impl FnOnce() -> Work<E>) -> Work<E> {
    let stop_all = OnDrop(|| {
        team.watchdog.interrupt();
        team.exchange.close();
    });
    let work = work();
    if work.is_ok() {
        std::mem::forget(stop_all);
    }
    work
}
