//! What is done when memory is short: snapshots go first, then expressions of other paths, then the path itself.

use std::sync::Arc;

use secateur_machine::State;

use crate::event::Subscriber;
use crate::follow::REST;
use crate::limits::StopReason;
use crate::watch::Pressure;
use crate::worker::Worker;

/// So few expressions are not worth forgetting.
const FEW_EXPRESSIONS: usize = 1 << 16;

/// What was done about the use of memory.
#[derive(Default)]
pub(crate) struct Relief {
    /// All expressions are to be forgotten before the next path.
    pub forget: bool,
    /// The measurement at which something was done last.
    at: u64,
    /// How many expressions there were before the path that runs; 0 once it has been run again without them.
    expressions_before: usize,
}

impl Relief {
    /// A path starts to run when there are so many expressions. There is something to gain only where most of them are those of other paths.
    pub(crate) fn path_starts(&mut self, expressions: usize) {
        self.expressions_before = expressions;
    }
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Uses less memory while a path runs; false if the path itself is what takes too much.
    pub(crate) fn relieve(&mut self, state: &mut State, input: &Arc<[u8]>) -> bool {
        let watch = &self.team.watch;
        if !watch.has_settled(self.relief.at) {
            return true;
        }
        self.relief.at = watch.measurement();
        if watch.pressure() != Pressure::Everything {
            // Expressions of other paths go before the next one.
            self.relief.forget |= self.frontier.snapshots() == 0;
            self.frontier.drop_snapshots();
            return true;
        }
        // Nothing may run before it is known what this has given back.
        if self.frontier.snapshots() > 0 {
            self.frontier.drop_all_snapshots();
            self.settle();
            if self.team.watch.pressure() != Pressure::Everything {
                return true;
            }
        }
        let others = std::mem::take(&mut self.relief.expressions_before);
        let few = others < FEW_EXPRESSIONS || 2 * others < self.machine.pool.len();
        if few || !self.rebuild_state(state, input) {
            self.relief.forget = true;
            return false;
        }
        self.settle();
        self.team.watch.pressure() != Pressure::Everything
    }

    /// Uses less memory while no path runs; returns a limit that was hit, if that is not possible.
    pub(crate) fn relieve_between_paths(&mut self) -> Option<StopReason> {
        if self.machine.pool.len() > self.team.max_expressions || self.relief.forget {
            self.forget_expressions();
        }
        let watch = &self.team.watch;
        if watch.pressure() == Pressure::None || !watch.has_settled(self.relief.at) {
            return None;
        }
        self.relief.at = watch.measurement();
        if self.frontier.snapshots() > 0 {
            self.frontier.drop_snapshots();
        } else if self.machine.pool.len() > FEW_EXPRESSIONS {
            self.forget_expressions();
        } else if watch.pressure() == Pressure::Everything {
            watch.stop_because(StopReason::Memory);
        }
        watch.stop_at_once()
    }

    /// Starts over with no expressions. Flips are found again by running their inputs.
    pub(crate) fn forget_expressions(&mut self) {
        self.frontier.drop_all_snapshots();
        self.relief.forget = false;
        self.trunk = None;
        self.machine.forget_expressions();
        if let Some(subsumption) = &mut self.subsumption {
            subsumption.forget();
        }
    }

    /// Waits until memory that was freed is no longer counted as used.
    fn settle(&mut self) {
        let since = self.team.watch.measurement();
        while !self.team.watch.has_settled(since) && self.team.watch.stop_at_once().is_none() {
            std::thread::sleep(REST);
        }
        self.relief.at = self.team.watch.measurement();
    }
}
