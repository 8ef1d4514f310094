//! Runs along paths once more: to rebuild a snapshot that was dropped or never existed here, and to rebuild the state of a path without the expressions of others.

use std::sync::Arc;

use secateur_machine::{Event, Exclusions, State};

use crate::event::Subscriber;
use crate::flip::{Flip, Snapshot};
use crate::worker::{SLICE, Worker};

/// What came of looking for the decision of a flip.
pub(crate) enum Rebuilt {
    Found(Box<Snapshot>),
    /// A limit was hit on the way.
    Stopped,
    /// It is not where it was; this is our own fault.
    Lost,
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Makes the snapshot of a flip again.
    pub(crate) fn rebuild_snapshot(&mut self, flip: &Flip) -> Rebuilt {
        self.counters.replayed += 1;
        let before = self.machine.instructions;
        let snapshot = self.again(&flip.exclusions, |worker| worker.run_up_to(flip));
        self.effort.rerun += self.machine.instructions - before;
        snapshot
    }

    /// Makes the state of a path again with no expressions but its own; false if that is not possible.
    pub(crate) fn rebuild_state(&mut self, state: &mut State, input: &Arc<[u8]>) -> bool {
        let (depth, instructions) = (state.path.len(), state.instructions);
        let exclusions = state.exclusions.clone();
        self.forget_expressions();
        *state = self.machine.start(input.to_vec());
        self.again(&exclusions, |worker| {
            loop {
                if state.path.len() == depth && state.instructions >= instructions {
                    return state.instructions == instructions;
                }
                match worker.machine.run(state, instructions.saturating_sub(state.instructions).min(SLICE)) {
                    Event::End(_) => return false,
                    Event::Pause if worker.is_over() => return false,
                    Event::Pause => {}
                    Event::Decision(decision) => worker.machine.take(state, &decision.chosen),
                }
            }
        })
    }

    /// As [`Worker::excluding`], but it does not pause because memory is short: it only makes again what there has been, and
    /// would never come to an end otherwise.
    fn again<R>(&mut self, exclusions: &Exclusions, run: impl FnOnce(&mut Self) -> R) -> R {
        self.machine.halt = self.team.watch.end();
        let result = self.excluding(exclusions, run);
        self.machine.halt = self.team.watch.halt();
        result
    }

    /// Runs along a path on which these values were excluded.
    pub(crate) fn excluding<R>(&mut self, exclusions: &Exclusions, run: impl FnOnce(&mut Self) -> R) -> R {
        self.machine.exclude(exclusions);
        let result = run(self);
        self.machine.exclude(&Exclusions::default());
        result
    }

    /// Runs a flip's input up to its decision.
    fn run_up_to(&mut self, flip: &Flip) -> Rebuilt {
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
                Event::Pause if self.is_over() => return Rebuilt::Stopped,
                Event::Pause => self.rest(),
                Event::End(_) => return Rebuilt::Lost,
                Event::Decision(decision) if state.path.len() as u32 == flip.info.depth => {
                    return match decision.alternatives.iter().find(|choice| choice.key == flip.key) {
                        Some(choice) => Rebuilt::Found(Box::new(Snapshot { state, choice: *choice })),
                        None => Rebuilt::Lost,
                    };
                }
                Event::Decision(decision) => {
                    if self.is_over() {
                        return Rebuilt::Stopped;
                    }
                    self.machine.take(&mut state, &decision.chosen);
                }
            }
        }
    }
}
