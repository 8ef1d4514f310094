//! Runs paths again: the input that was found for a path must also take it from the start. If it does not, some value
//! was made concrete without a condition.

use std::sync::atomic::Ordering;

use secateur_machine::{End, Event, Limit, State};

use crate::event::Subscriber;
use crate::worker::Worker;

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Follows the input of a finished path from the start, and records an internal error if that is another path.
    pub(crate) fn recheck(&mut self, state: &State, end: &End, number: u64) {
        // These ends depend on what else is in memory and where an instruction was interrupted.
        let is_own = matches!(end, End::Limit(Limit::Memory | Limit::Expressions | Limit::Run | Limit::Subsumed))
            || !self.counters.faults.is_empty();
        if is_own {
            return;
        }
        let input = self.machine.guide.input().to_vec();
        let mut again = self.machine.start(input);
        let its_end = self.with_exclusions(&state.exclusions, |worker| {
            loop {
                match worker.machine.run(&mut again, worker.team.tuning.slice) {
                    // The run is over and must not wait for this.
                    Event::Pause if worker.machine.halt.load(Ordering::Relaxed) => return None,
                    Event::Pause => {}
                    Event::Decision(decision) => worker.machine.take(&mut again, &decision.chosen),
                    Event::End(end) => return Some(end),
                }
            }
        });
        let Some(its_end) = its_end else { return };
        let same = its_end == *end
            && again.path.identity() == state.path.identity()
            && again.instructions == state.instructions
            && again.trace.hash() == state.trace.hash();
        if !same {
            let program = &self.machine.program;
            let place = program.describe(state.frame.loc(program));
            self.counters.add_fault(format!(
                "the input of path {number}, which ends at {place}, takes another path from the start"
            ));
        }
    }
}
