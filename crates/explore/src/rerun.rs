//! Runs paths once more: to rebuild a snapshot that was dropped or belongs to another worker, and to rebuild a running
//! path without the expressions of others.

use std::rc::Rc;
use std::sync::Arc;

use secateur_machine::{Event, Exclusions, PackedState, State};

use crate::event::Subscriber;
use crate::flip::{Flip, Snapshot};
use crate::watchdog::Pressure;
use crate::worker::Worker;

/// The result of rebuilding the state before a decision.
pub(crate) enum Rebuilt {
    Found(Box<Snapshot>),
    /// A limit was hit before the decision was reached.
    Stopped,
    /// The decision was not reached. This is an internal error.
    Lost,
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Rebuilds the snapshot of a flip.
    pub(crate) fn rebuild_snapshot(&mut self, flip: &Flip) -> Rebuilt {
        self.counters.replayed += 1;
        let before = self.machine.instructions;
        // The path that leads to the flip covers this, and may not have ended yet.
        self.swap_coverage();
        let snapshot = self.replaying(&flip.exclusions, |worker| worker.run_to_decision(flip));
        self.swap_coverage();
        self.replay_cost.replayed += self.machine.instructions - before;
        snapshot
    }

    /// Rebuilds the state of a path with no expressions but its own; returns false if that is not possible.
    pub(crate) fn rebuild_state(&mut self, state: &mut State, input: &Arc<[u8]>) -> bool {
        let (depth, instructions) = (state.path.len(), state.instructions);
        let exclusions = state.exclusions.clone();
        self.forget_expressions();
        *state = self.machine.start(input.to_vec());
        self.replaying(&exclusions, |worker| {
            loop {
                if state.path.len() == depth && state.instructions >= instructions {
                    return state.instructions == instructions;
                }
                let remaining = instructions.saturating_sub(state.instructions);
                match worker.machine.run(state, remaining.min(worker.team.tuning.slice)) {
                    Event::End(_) => return false,
                    Event::Pause if worker.must_abandon_replay() => return false,
                    Event::Pause => {}
                    Event::Decision(_) if worker.must_abandon_replay() => return false,
                    Event::Decision(decision) => worker.machine.take(state, &decision.chosen),
                }
            }
        })
    }

    /// The state of a path after this many decisions, at the next one; `None` if a limit was hit before that.
    pub(crate) fn run_to_depth(&mut self, input: &Arc<[u8]>, exclusions: &Exclusions, depth: usize) -> Option<State> {
        let mut state = self.machine.start(input.to_vec());
        self.counters.replayed += 1;
        self.replaying(exclusions, |worker| {
            loop {
                match worker.run(&mut state) {
                    Event::End(_) => return None,
                    Event::Pause if worker.must_abandon_replay() => return None,
                    Event::Pause => worker.sleep_if_halted(),
                    Event::Decision(_) if state.path.len() == depth => return Some(state),
                    Event::Decision(_) if worker.must_abandon_replay() => return None,
                    Event::Decision(decision) => worker.machine.take(&mut state, &decision.chosen),
                }
            }
        })
    }

    /// Whether the run is over, or there is not even memory for what existed before: another worker uses it now.
    pub(crate) fn must_abandon_replay(&self) -> bool {
        self.is_over() || self.team.watchdog.pressure() == Pressure::Exceeded
    }

    /// As [`Worker::with_exclusions`], but memory pressure does not halt the machine: this only rebuilds what existed
    /// before, and would never finish otherwise.
    pub(crate) fn replaying<R>(&mut self, exclusions: &Exclusions, run: impl FnOnce(&mut Self) -> R) -> R {
        self.machine.halt = self.team.watchdog.end_flag();
        let result = self.with_exclusions(exclusions, run);
        self.machine.halt = self.team.watchdog.halt_flag();
        result
    }

    /// Runs with these values excluded.
    pub(crate) fn with_exclusions<R>(&mut self, exclusions: &Exclusions, run: impl FnOnce(&mut Self) -> R) -> R {
        self.machine.exclude(exclusions);
        let result = run(self);
        self.machine.exclude(&Exclusions::default());
        result
    }

    /// Runs a flip's input up to its decision.
    fn run_to_decision(&mut self, flip: &Flip) -> Rebuilt {
        let mut state = match &self.first_decision {
            Some(state) => {
                self.machine.follow(flip.input.to_vec());
                State::clone(state)
            }
            None => self.machine.start(flip.input.to_vec()),
        };
        loop {
            let event = self.run(&mut state);
            if self.first_decision.is_none() && self.team.snapshots && matches!(event, Event::Decision(_)) {
                self.first_decision = Some(Box::new(state.clone()));
            }
            match event {
                Event::Pause if self.must_abandon_replay() => return Rebuilt::Stopped,
                Event::Pause => self.sleep_if_halted(),
                Event::End(_) => return Rebuilt::Lost,
                Event::Decision(decision) if state.path.len() as u32 == flip.info.depth => {
                    return match decision.alternatives.iter().find(|choice| choice.key == flip.key) {
                        Some(choice) => {
                            self.note_borrowed(flip, &state, decision.kind, choice);
                            let state = PackedState::whole(state);
                            Rebuilt::Found(Box::new(Snapshot { state: Rc::new(state), choice: *choice }))
                        }
                        None => Rebuilt::Lost,
                    };
                }
                Event::Decision(decision) => {
                    if self.must_abandon_replay() {
                        return Rebuilt::Stopped;
                    }
                    self.machine.take(&mut state, &decision.chosen);
                }
            }
        }
    }
}
