//! Explores a part of a program for somebody else, who writes what is found.

use std::convert::Infallible;
use std::sync::Arc;

use secateur_c_tests::{Function, Tuning as CTestsTuning};
use secateur_explore::{Counters, Event, PendingChange, RunResult, Settings, Subscriber, explore};
use secateur_machine::{CoverageMap, Machine, Options as MachineOptions};
use secateur_program::{Program, Unit};
use secateur_solver::{Solver, Statistics};

use crate::gathered::Delivery;
use crate::keep::Keep;
use crate::keeper::{KeptPath, TestKeeper};
use crate::seeds::SeedInputs;
use crate::stored::StoredEvent;

/// What is explored, and how. `exploration` says where to start and who else explores.
pub struct Contribution {
    /// The program.
    pub program: Arc<Program>,
    /// How the machine runs it.
    pub machine: MachineOptions,
    /// Answers the questions of the first worker.
    pub solver: Solver,
    /// Searcher, pruners, limits and further workers.
    pub exploration: Settings,
    /// Which paths become tests.
    pub keep: Keep,
    /// The function that is tested by itself, if one is, and the tuned numbers for its tests.
    pub function: Option<(Unit, CTestsTuning)>,
    /// Whether what paths write is to be shown.
    pub wants_output: bool,
}

impl Contribution {
    /// Follows these inputs first.
    pub fn follow(&mut self, seeds: &[Vec<u8>]) {
        if !seeds.is_empty() {
            self.exploration.inputs = Some(Box::new(SeedInputs::of(seeds)));
        }
    }
}

/// What has been done besides paths.
#[derive(Clone, Default, Debug, serde::Serialize, serde::Deserialize)]
pub struct Work {
    /// Instructions that were executed.
    pub instructions: u64,
    /// Expressions at the end.
    pub expressions: u64,
    /// What the solvers have done.
    pub solver: Statistics,
}

/// Receives what is found.
pub trait Sink: Send + Sync {
    /// What is covered, shared with all workers: what others have covered may be added at any time.
    fn begin(&self, coverage: CoverageMap);

    /// Something was found. It may wait until there is room for more.
    fn deliver(&self, delivery: Delivery);
}

/// Explores until nothing is left to do here, or until it is interrupted.
pub fn contribute(contribution: Contribution, sink: &dyn Sink) -> (RunResult, Work) {
    let Contribution { program, machine, mut solver, exploration, keep, function, wants_output } = contribution;
    let mut machine = Machine::new(program, machine);
    sink.begin(machine.coverage.share());
    let function = function.map(|(unit, tuning)| Arc::new(Function::new(unit, tuning)));
    let mut contributor = Contributor { sink, keep, function, wants_output, events: Vec::new() };
    let leave_memory = exploration.leave_memory;
    let Ok(result) = explore(&mut machine, &mut solver, exploration, &mut contributor);
    let work = Work {
        instructions: machine.instructions,
        expressions: result.expressions,
        solver: solver.statistics().clone(),
    };
    if leave_memory {
        std::mem::forget(machine);
    }
    (result, work)
}

struct Contributor<'a> {
    sink: &'a dyn Sink,
    keep: Keep,
    function: Option<Arc<Function>>,
    wants_output: bool,
    /// The events of the batch that is being delivered.
    events: Vec<StoredEvent>,
}

impl Subscriber for Contributor<'_> {
    type Error = Infallible;
    type Keeper = TestKeeper;

    fn keeper(&self) -> TestKeeper {
        TestKeeper::new(self.keep, self.wants_output, self.function.clone())
    }

    fn wants_pending(&self) -> bool {
        true
    }

    fn delivered(&mut self, worker: usize, change: Option<(PendingChange, Counters)>) -> Result<(), Infallible> {
        let events = std::mem::take(&mut self.events);
        if let Some((change, counters)) = change {
            self.sink.deliver(Delivery { worker, events, change, counters });
        }
        Ok(())
    }

    fn receive(&mut self, event: Event<Box<KeptPath>>) -> Result<(), Infallible> {
        self.events.extend(StoredEvent::of(&event));
        Ok(())
    }
}
