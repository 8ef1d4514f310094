//! Runs an input that was made without solving a flip, such as a random one.

use secateur_machine::Event;

use crate::event::Subscriber;
use crate::limits::StopReason;
use crate::worker::Worker;

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Follows an input from the start. Where it takes a pending flip, the solver need not be asked, and its path
    /// becomes that of the flip. An input that takes none is on a known path and is dropped, so that no path is taken
    /// twice.
    pub(crate) fn run_fresh(&mut self, input: Vec<u8>) -> Result<Option<StopReason>, S::Error> {
        let mut state = self.machine.start(input);
        loop {
            let event = self.run(&mut state);
            if !matches!(event, Event::End(_))
                && let Some(reason) = self.team.watchdog.immediate_stop()
            {
                return Ok(Some(reason));
            }
            match event {
                Event::Pause => {
                    self.report_progress()?;
                    self.sleep_if_halted();
                }
                Event::End(_) => return Ok(self.team.watchdog.stop_reason()),
                Event::Decision(decision) => {
                    let (function, pc, key) = (state.frame.function, state.frame.pc, decision.chosen.key);
                    self.machine.take(&mut state, &decision.chosen);
                    let taken = self.frontier.taken_by(state.path.identity());
                    if let Some((id, flip)) = taken
                        && (flip.info.function, flip.info.pc, flip.key) == (function, pc, key)
                        && let Some(number) = self.team.watchdog.start_path(false)
                        && let Some(flip) = self.frontier.take(id)
                    {
                        let running = self.start_path(number, id, &flip, &state, 0);
                        return self.follow(state, running);
                    }
                }
            }
        }
    }
}
