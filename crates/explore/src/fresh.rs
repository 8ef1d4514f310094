//! Runs an input that was made without solving a flip: a seed, a random one, or one that a native run has found.

use std::rc::Rc;

use secateur_machine::{CoverageMap, End, Event, Exclusions, Limit};
use secateur_path::ChoiceKey;

use crate::event::{PathEnd, Subscriber};
use crate::flip::Flip;
use crate::inputs::{Input, SeenInput};
use crate::limits::StopReason;
use crate::rerun::Rebuilt;
use crate::search::FlipId;
use crate::worker::{InputTurn, Worker};

impl<S: Subscriber> Worker<'_, '_, S> {
    /// The next input from outside to follow, if any. The first worker runs all that there are before it follows one.
    pub(crate) fn next_input(&mut self) -> Result<Option<SeenInput>, S::Error> {
        let failing = self.subsumption.as_mut().map(|subsumption| subsumption.failing_inputs());
        for bytes in failing.into_iter().flatten() {
            self.run_concretely(Input { bytes: bytes.into(), from: "interpolation" })?;
        }
        let Some(inputs) = &self.team.inputs else { return Ok(None) };
        if let InputTurn::Other(number) = &mut self.turn {
            let input = inputs.supplied(*number).inspect(|_| *number += 1);
            return Ok(input.map(|input| SeenInput { input, covers_new: false }));
        }
        while self.team.watchdog.immediate_stop().is_none()
            && let Some(input) = inputs.ask()
        {
            let seen = self.run_concretely(input)?;
            self.seen_inputs.extend(seen);
        }
        Ok(self.seen_inputs.pop_front())
    }

    /// Runs an input without its alternatives; returns it if it should be followed. This is much quicker than following
    /// it. So what it covers and the bug that it shows are known and written, whatever becomes of its path.
    fn run_concretely(&mut self, input: Input) -> Result<Option<SeenInput>, S::Error> {
        let covered = self.machine.coverage.newly_covered();
        let most = self.team.tuning.input_instructions;
        self.machine.is_concrete = true;
        let mut state = self.machine.start(input.bytes.to_vec());
        let end = loop {
            match self.run(&mut state) {
                Event::End(end) => break end,
                _ if self.team.watchdog.immediate_stop().is_some() || state.instructions > most => {
                    break End::Limit(Limit::Run);
                }
                Event::Pause => {
                    self.report_progress()?;
                    self.sleep_if_halted();
                }
                Event::Decision(decision) => self.machine.take(&mut state, &decision.chosen),
            }
        };
        self.machine.is_concrete = false;
        let covers_new = self.machine.coverage.newly_covered() > covered;
        let kept = self.reporter.keep(self.machine, &PathEnd { state: &state, end: &end, covers_new });
        let seen = (state.instructions <= most).then_some(SeenInput { input, covers_new });
        if let Some(kept) = kept {
            self.reporter.input_ran(end, kept)?;
        }
        Ok(seen)
    }

    /// Follows an input from the start. Where it takes a pending flip, the solver need not be asked, and its path
    /// becomes that of the flip. An input that takes none is on a known path and is dropped, so that no path is taken
    /// twice.
    pub(crate) fn run_fresh(&mut self, input: &Input, covers_new: bool) -> Result<Option<StopReason>, S::Error> {
        self.swap_coverage();
        let mut state = self.machine.start(input.bytes.to_vec());
        loop {
            let event = self.run(&mut state);
            if !matches!(event, Event::End(_))
                && let Some(reason) = self.team.watchdog.immediate_stop()
            {
                self.swap_coverage();
                return Ok(Some(reason));
            }
            match event {
                Event::Pause => {
                    self.report_progress()?;
                    self.sleep_if_halted();
                }
                Event::End(_) => {
                    self.swap_coverage();
                    return Ok(self.team.watchdog.stop_reason());
                }
                Event::Decision(decision) => {
                    let (function, pc, key) = (state.frame.function, state.frame.pc, decision.chosen.key);
                    let is_here = |flip: &Flip| (flip.info.function, flip.info.pc) == (function, pc);
                    let other = self.frontier.other_value(state.path.identity());
                    if let Some((id, flip)) = other
                        && is_here(flip)
                        && allows(flip, key)
                    {
                        self.swap_coverage();
                        return self.take_other_value(id, input, covers_new);
                    }
                    self.machine.take(&mut state, &decision.chosen);
                    let taken = self.frontier.taken_by(state.path.identity());
                    if let Some((id, flip)) = taken
                        && is_here(flip)
                        && flip.key == key
                        && let Some(number) = self.team.watchdog.start_path(false)
                        && let Some(flip) = self.frontier.take(id)
                    {
                        self.swap_coverage();
                        self.count_followed(input);
                        let running = self.start_path(number, id, &flip, &state, 0);
                        return self.follow(state, running.promising_if(covers_new));
                    }
                }
            }
        }
    }

    /// Takes the flip for any other value with an input that has one. The state of the input itself will not do: its
    /// path does not exclude the values that other paths have.
    fn take_other_value(
        &mut self,
        id: FlipId,
        input: &Input,
        covers_new: bool,
    ) -> Result<Option<StopReason>, S::Error> {
        let Some(mut flip) = self.frontier.take(id) else { return Ok(self.team.watchdog.stop_reason()) };
        let rebuilt = match flip.snapshot.take() {
            Some(snapshot) => Rebuilt::Found(snapshot),
            None => self.rebuild_snapshot(&flip),
        };
        let snapshot = match rebuilt {
            Rebuilt::Found(snapshot) => snapshot,
            // Whoever picks it next deals with it.
            Rebuilt::Stopped | Rebuilt::Lost => {
                self.frontier.put_back(id, flip);
                return Ok(self.team.watchdog.stop_reason());
            }
        };
        let Some(number) = self.team.watchdog.start_path(false) else {
            self.put_back(id, flip, Some(snapshot));
            return Ok(self.team.watchdog.stop_reason());
        };
        self.count_followed(input);
        self.machine.follow(input.bytes.to_vec());
        let (mut state, choice) = (self.program_info.unpack(Rc::unwrap_or_clone(snapshot.state)), snapshot.choice);
        self.machine.take(&mut state, &choice);
        let running = self.start_path(number, id, &flip, &state, 0);
        self.follow(state, running.promising_if(covers_new))
    }

    fn count_followed(&mut self, input: &Input) {
        *self.counters.inputs_followed.entry(input.from).or_default() += 1;
    }

    /// Changes between what counts as covered and what does not: a run that leads to a known path, or along one, may
    /// pass through what another worker is about to cover, and that path needs a test.
    pub(crate) fn swap_coverage(&mut self) {
        let program = &self.machine.program;
        let other = self.known_coverage.take().unwrap_or_else(|| CoverageMap::new(program));
        self.known_coverage = Some(std::mem::replace(&mut self.machine.coverage, other));
    }
}

/// Whether a flip for any other value allows the value of a choice.
fn allows(flip: &Flip, chosen: ChoiceKey) -> bool {
    let value = match chosen {
        ChoiceKey::Value(value) | ChoiceKey::Object(value) => value,
        _ => return false,
    };
    !excluded(flip.key, flip.info.depth, &flip.exclusions).any(|excluded| excluded == value)
}

/// The values that were excluded at the decision of a flip: its own, and those of the decisions right before it, each
/// of which left the value open.
fn excluded(key: ChoiceKey, depth: u32, exclusions: &Exclusions) -> impl Iterator<Item = u64> {
    let own = if let ChoiceKey::OtherThan(value) = key { Some(value) } else { None };
    let before = exclusions.iter().zip(1..).take_while(move |((at, _), back)| at + back == depth);
    own.into_iter().chain(before.map(|((_, value), _)| *value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_of_the_same_decision_are_excluded() {
        let mut exclusions = Exclusions::default();
        for exclusion in [(2, 10), (5, 11), (6, 12)] {
            exclusions.push(exclusion);
        }
        let values = |depth| excluded(ChoiceKey::OtherThan(13), depth, &exclusions).collect::<Vec<_>>();
        assert_eq!(values(7), [13, 12, 11]);
        assert_eq!(values(8), [13]);
    }
}
