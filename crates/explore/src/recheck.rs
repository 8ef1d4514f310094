//! Runs paths again: the input that was found for a path must take it from the start, too. If it does not, some value was fixed and nobody noticed.

use std::sync::atomic::Ordering;

use secateur_machine::{End, Event, Limit, State};

use crate::event::Subscriber;
use crate::worker::{SLICE, Worker};

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Follows the input of a path that has ended from the start, and notes a fault of ours if that is another path.
    pub(crate) fn recheck(&mut self, state: &State, end: &End, number: u64) {
        // These depend on what else is in memory, and on what an instruction was doing.
        let is_own = matches!(end, End::Limit(Limit::Memory | Limit::Expressions | Limit::Run | Limit::Subsumed))
            || !self.counters.faults.is_empty();
        if is_own {
            return;
        }
        let input = self.machine.guide.input().to_vec();
        let mut again = self.machine.start(input);
        let its_end = self.excluding(&state.exclusions, |worker| {
            loop {
                match worker.machine.run(&mut again, SLICE) {
                    // The run is over, and this would only hold it up.
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
                "path {number}, which ends at {place}, is another one when its input runs from the start"
            ));
        }
    }
}
