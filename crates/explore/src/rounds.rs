//! A run in rounds, each of which has a path tree of its own or goes on with that of earlier ones.
//!
//! What is planned for each round, and what is learned from it, is up to [`Rounds`]. All rounds share the machine, so
//! what one has covered counts for all, and the limits of the run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use secateur_machine::Machine;
use secateur_solver::Solver;

use crate::counters::Counters;
use crate::event::Subscriber;
use crate::inputs::InputSource;
use crate::limits::{Limits, StopReason};
use crate::parked::Parked;
use crate::selection::MakeSelection;
use crate::team::{RunResult, Settings, explore_round};
use crate::worker::GRACE_PART;

/// Plans the rounds of a run.
pub trait Rounds {
    /// The next round. `left` is what the limits of the run still allow.
    fn next(&mut self, machine: &mut Machine, left: &Limits) -> Plan;

    /// A round has ended.
    fn ended(&mut self, machine: &mut Machine, round: &RoundEnd);
}

/// What is planned for a round.
pub struct Plan {
    /// The name of the order in which flips are tried.
    pub order: String,
    /// The seed of random choices.
    pub seed: u64,
    /// When it ends.
    pub length: RoundLength,
    /// Whether it goes on with the tree of the earlier rounds that did so, rather than with a new one.
    pub resumes: bool,
    /// The input that a new tree starts with.
    pub first_input: Vec<u8>,
    /// What drops flips.
    pub selection: MakeSelection,
    /// Whether no round follows, so that pending flips are just left. Set for the last look at the tree that rounds go
    /// on with.
    pub is_last: bool,
}

/// How long a round is. It ends between two paths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RoundLength {
    /// Wall-clock time.
    Time(Duration),
    /// Paths that start.
    Paths(u64),
}

/// What has happened in a round.
#[derive(Clone, Debug)]
pub struct RoundEnd {
    /// How long it took.
    pub time: Duration,
    /// Its paths.
    pub paths: u64,
    /// How many branch outcomes and blocks of the user's code it was the first to execute.
    pub newly_covered: u64,
    /// How many branch outcomes of the user's source code it was the first to take.
    pub branches: u64,
    /// How many flips were dropped by the selection or with its tree.
    pub dropped: u64,
    /// How many flips were pending at its end.
    pub pending: u64,
}

/// What one round leaves to the next.
#[derive(Default)]
pub(crate) struct Carried {
    /// How many paths have started.
    pub paths: u64,
    /// The counters of the rounds so far.
    pub counters: Counters,
    /// The tree that later rounds go on with.
    pub parked: Option<Parked>,
    /// The source of inputs from outside.
    pub inputs: Option<Box<dyn InputSource>>,
    /// What the round is to do.
    pub round: Option<RoundSetup>,
}

/// The part of a plan that a team of workers needs.
pub(crate) struct RoundSetup {
    pub length: RoundLength,
    pub order: String,
    pub resumes: bool,
    pub is_last: bool,
    pub selection: MakeSelection,
}

/// Explores a program in rounds until every path is explored or a limit of the run is hit. `make` makes the settings of
/// a round, whose limits are set here.
pub fn explore_in_rounds<S: Subscriber>(
    machine: &mut Machine,
    solver: &mut Solver,
    run: RunInRounds<'_>,
    subscriber: &mut S,
) -> Result<RunResult, S::Error> {
    let RunInRounds { rounds, make, limits: RoundLimits { limits, inputs } } = run;
    let started = Instant::now();
    let mut carried = Carried { inputs, ..Carried::default() };
    loop {
        let left = Limits {
            time: limits.time.map(|limit| limit.saturating_sub(started.elapsed())),
            paths: limits.paths.map(|limit| limit.saturating_sub(carried.paths)),
            ..limits.clone()
        };
        let plan = rounds.next(machine, &left);
        let settings = match make(&plan) {
            Ok(settings) => Settings { limits: left, ..settings },
            Err(why) => {
                carried.counters.add_fault(why);
                return Ok(RunResult { reason: StopReason::Interrupted, counters: carried.counters, expressions: 0 });
            }
        };
        let before = Before::of(machine, &carried);
        let result = carried.explore(machine, solver, &plan, settings, subscriber)?;
        rounds.ended(machine, &before.until(machine, &carried, &result));
        let is_stuck = carried.paths <= before.paths + 1;
        match result.reason {
            // This tree alone has every path, so what other rounds have left out does not matter.
            StopReason::Finished if result.counters.dropped == 0 => {
                carried.leave();
                return Ok(result);
            }
            StopReason::Finished | StopReason::Round => carried.add(result.counters),
            StopReason::Memory if !is_stuck => carried.add(result.counters),
            reason => {
                let expressions = result.expressions;
                let pending = result.counters.pending;
                carried.add(result.counters);
                carried.counters.pending = pending;
                let may_go_on = matches!(reason, StopReason::Time | StopReason::Paths) && !plan.resumes;
                if may_go_on && carried.parked.is_some() {
                    let plan = Plan { length: plan.length.none(), resumes: true, is_last: true, ..plan };
                    if let Ok(settings) = make(&plan) {
                        let settings = Settings { limits: limits.clone(), ..settings };
                        let last = carried.explore(machine, solver, &plan, settings, subscriber)?;
                        carried.counters += &last.counters;
                    }
                }
                carried.counters.left = carried.counters.pending;
                carried.leave();
                return Ok(RunResult { reason, counters: carried.counters, expressions });
            }
        }
    }
}

/// A run in rounds.
pub struct RunInRounds<'a> {
    /// Plans them.
    pub rounds: &'a mut dyn Rounds,
    /// Makes the settings of a round, whose limits are set later.
    pub make: &'a mut (dyn FnMut(&Plan) -> Result<Settings, String> + 'a),
    /// The limits of the run, and further inputs.
    pub limits: RoundLimits,
}

/// Makes the settings of a round, or says why it cannot.
pub type MakeRound<'a> = Box<dyn FnMut(&Plan) -> Result<Settings, String> + 'a>;

/// What all rounds together may take.
pub struct RoundLimits {
    /// The limits of the run.
    pub limits: Limits,
    /// Further inputs to follow, if any.
    pub inputs: Option<Box<dyn InputSource>>,
}

impl RoundLength {
    /// A round that is over before it starts.
    fn none(self) -> RoundLength {
        match self {
            RoundLength::Time(_) => RoundLength::Time(Duration::ZERO),
            RoundLength::Paths(_) => RoundLength::Paths(0),
        }
    }

    /// How long the pending flips of the round may still become tests.
    fn grace(self) -> Duration {
        match self {
            RoundLength::Time(time) => time / GRACE_PART as u32,
            RoundLength::Paths(_) => Duration::MAX,
        }
    }
}

/// What was counted when a round began.
struct Before {
    started: Instant,
    paths: u64,
    newly_covered: u64,
    branches: u64,
}

impl Before {
    fn of(machine: &Machine, carried: &Carried) -> Before {
        Before {
            started: Instant::now(),
            paths: carried.paths,
            newly_covered: machine.coverage.total_newly_covered(),
            branches: branches(machine),
        }
    }

    fn until(&self, machine: &Machine, carried: &Carried, result: &RunResult) -> RoundEnd {
        RoundEnd {
            time: self.started.elapsed(),
            paths: carried.paths - self.paths,
            newly_covered: machine.coverage.total_newly_covered() - self.newly_covered,
            branches: branches(machine) - self.branches,
            dropped: result.counters.dropped,
            pending: carried.parked.as_ref().map_or(0, Parked::pending),
        }
    }
}

fn branches(machine: &Machine) -> u64 {
    machine.program.source_outcomes(|branch, outcome| machine.coverage.taken(branch, outcome)).0
}

impl Carried {
    fn explore<S: Subscriber>(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        plan: &Plan,
        mut settings: Settings,
        subscriber: &mut S,
    ) -> Result<RunResult, S::Error> {
        if !plan.resumes {
            settings.grace = settings.grace.min(plan.length.grace());
        }
        settings.leave_memory = false;
        settings.first_input.clone_from(&plan.first_input);
        self.round = Some(RoundSetup {
            length: plan.length,
            order: plan.order.clone(),
            resumes: plan.resumes,
            is_last: plan.is_last,
            selection: Arc::clone(&plan.selection),
        });
        explore_round(machine, solver, settings, subscriber, self)
    }

    /// Adds the counters of a round that is not the last. What was pending was dropped with its tree, or is parked.
    fn add(&mut self, counters: Counters) {
        self.counters += &Counters { pending: 0, left: 0, ..counters };
    }

    /// The run is over. To free millions of flips would take seconds.
    fn leave(&mut self) {
        std::mem::forget(self.parked.take());
    }
}
