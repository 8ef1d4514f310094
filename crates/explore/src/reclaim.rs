//! How memory is reclaimed: snapshots and what subsumption knows first, then the expressions of other paths, then the
//! running path itself.

use std::sync::Arc;

use secateur_machine::State;

use crate::event::Subscriber;
use crate::follow::HALT_SLEEP;
use crate::limits::StopReason;
use crate::watchdog::Pressure;
use crate::worker::Worker;

/// What was done to reclaim memory, and what is left to do.
#[derive(Default)]
pub(crate) struct Reclaim {
    /// Whether all expressions are dropped before the next path.
    pub forget: bool,
    /// The measurement at which memory was last reclaimed.
    at: u64,
    /// How much memory was in use when subsumption last dropped something.
    relieved_at: u64,
    /// How many expressions there were when the running path started; 0 once it has been rebuilt without them.
    expressions_before: usize,
}

impl Reclaim {
    /// Records how many expressions exist when a path starts: rebuilding it helps only if most expressions are not its
    /// own.
    pub(crate) fn path_starts(&mut self, expressions: usize) {
        self.expressions_before = expressions;
    }
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Reclaims memory while a path runs; returns false if the path itself needs too much.
    pub(crate) fn reclaim_while_running(&mut self, state: &mut State, input: &Arc<[u8]>) -> bool {
        let pressure = self.settled_pressure();
        if pressure == Pressure::None {
            return true;
        }
        self.drop_parked_snapshots();
        if pressure < Pressure::Hard {
            // Other paths' expressions are dropped before the next path starts.
            let has_snapshots = self.frontier.snapshots() > 0;
            self.reclaim.forget |= !self.relieve_subsumption() && !has_snapshots;
            self.frontier.drop_snapshots();
            return true;
        }
        // Nothing may run until it is known how much this has freed.
        if self.frontier.snapshots() > 0 {
            self.frontier.drop_all_snapshots();
            self.settle();
            if self.team.watchdog.pressure() < Pressure::Hard {
                return true;
            }
        }
        while self.relieve_subsumption() {
            self.settle();
            if self.team.watchdog.pressure() < Pressure::Hard {
                return true;
            }
        }
        let others = std::mem::take(&mut self.reclaim.expressions_before);
        let few = others < self.team.tuning.few_expressions || 2 * others < self.machine.pool.len();
        if few || !self.rebuild_state(state, input) {
            self.reclaim.forget = true;
            return false;
        }
        self.settle();
        self.team.watchdog.pressure() < Pressure::Hard
    }

    /// Reclaims memory between paths; returns the limit that was hit, if too little can be freed.
    pub(crate) fn reclaim_between_paths(&mut self) -> Option<StopReason> {
        if self.machine.pool.len() > self.team.max_expressions || self.reclaim.forget {
            self.forget_expressions();
        }
        if self.settled_pressure() == Pressure::None {
            return None;
        }
        self.drop_parked_snapshots();
        let is_relieved = self.relieve_subsumption();
        let watchdog = &self.team.watchdog;
        if self.frontier.snapshots() > 0 {
            self.frontier.drop_snapshots();
        } else if is_relieved {
            // It is measured first how much this has freed.
        } else if self.machine.pool.len() > self.team.tuning.few_expressions {
            self.forget_expressions();
        } else if watchdog.pressure() >= Pressure::Hard {
            watchdog.stop_for(StopReason::Memory);
        }
        watchdog.immediate_stop()
    }

    /// Lets subsumption drop what is least useful, unless memory has not grown since it last did; returns false if
    /// there is hardly anything to drop.
    fn relieve_subsumption(&mut self) -> bool {
        let Some(subsumption) = &mut self.subsumption else { return false };
        let watchdog = &self.team.watchdog;
        // What is freed lies scattered, so that not all of it is returned to the system; but it is used again.
        let used = watchdog.used();
        let has_grown = used > self.reclaim.relieved_at + used / self.team.tuning.memory_growth;
        if watchdog.pressure() < Pressure::Hard && !has_grown {
            return true;
        }
        self.reclaim.relieved_at = used;
        let dropped = subsumption.relieve(self.machine);
        (self.team.return_memory)();
        tracing::debug!(dropped, used, "memory is short");
        dropped > 0
    }

    /// Drops all expressions. States of flips are rebuilt by replaying their inputs.
    pub(crate) fn forget_expressions(&mut self) {
        self.frontier.drop_all_snapshots();
        self.drop_parked_snapshots();
        self.reclaim.forget = false;
        self.first_decision = None;
        self.drop_suspended_states();
        self.machine.forget_expressions();
        if let Some(subsumption) = &mut self.subsumption {
            subsumption.forget();
        }
        if let Some(selection) = &mut self.selection {
            selection.forget();
        }
    }

    /// Drops the snapshots of the tree that a later round goes on with.
    fn drop_parked_snapshots(&mut self) {
        if let Some(parked) = &mut self.parked {
            parked.drop_snapshots();
        }
    }

    /// How short memory is; `None` if it is unknown yet how much was freed last, and there is still room to go on until
    /// then.
    fn settled_pressure(&mut self) -> Pressure {
        let watchdog = &self.team.watchdog;
        let pressure = watchdog.pressure();
        if pressure == Pressure::None {
            return Pressure::None;
        }
        if !watchdog.has_settled(self.reclaim.at) {
            if pressure < Pressure::Hard {
                return Pressure::None;
            }
            self.wait_until_settled(self.reclaim.at);
        }
        self.reclaim.at = self.team.watchdog.measurement();
        self.team.watchdog.pressure()
    }

    /// Waits until freed memory no longer counts as used.
    fn settle(&mut self) {
        (self.team.return_memory)();
        self.wait_until_settled(self.team.watchdog.measurement());
        self.reclaim.at = self.team.watchdog.measurement();
    }

    /// Waits until what was freed at a measurement no longer counts as used.
    fn wait_until_settled(&self, since: u64) {
        while !self.team.watchdog.has_settled(since) && self.team.watchdog.immediate_stop().is_none() {
            std::thread::sleep(HALT_SLEEP);
        }
    }
}
