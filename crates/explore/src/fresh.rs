//! Runs an input that comes from no flip, such as a random one.

use secateur_machine::Event;

use crate::explorer::Explorer;
use crate::fate::Origin;
use crate::limits::StopReason;
use crate::observer::Observer;
use crate::trail::Trail;

impl Explorer<'_> {
    /// Follows an input from the start. Where it takes a pending flip, it is an answer for which the solver need not be asked, and its path becomes that of the flip. An input that takes none
    /// leads along a path that is known already, and nothing comes of it. So no path is taken twice.
    pub(crate) fn run_fresh<O: Observer>(
        &mut self,
        input: Vec<u8>,
        observer: &mut O,
    ) -> Result<Option<StopReason>, O::Error> {
        let mut state = self.machine.start(input);
        loop {
            let event = self.run(&mut state);
            if !matches!(event, Event::End(_))
                && let Some(reason) = self.team.watch.stop_at_once()
            {
                return Ok(Some(reason));
            }
            match event {
                Event::Pause => {
                    self.tick(observer)?;
                    self.rest();
                }
                Event::End(_) => return Ok(self.team.watch.stop()),
                Event::Decision(decision) => {
                    let (function, pc, key) = (state.frame.function, state.frame.pc, decision.chosen.key);
                    self.machine.take(&mut state, &decision.chosen);
                    let taken = self.by_identity.get(&state.path.identity()).copied();
                    if let Some(id) = taken
                        && let Some(flip) = self.flips.get(&id)
                        && (flip.summary.function, flip.summary.pc, flip.key) == (function, pc, key)
                        && let Some(number) = self.team.watch.start_path(false)
                        && let Some(flip) = self.remove(id)
                    {
                        self.number = number;
                        self.origin = Origin::of(&flip);
                        let trail = Trail::of(id, &flip.summary, 0, self.machine.coverage.news());
                        return self.follow(state, trail, observer, false);
                    }
                }
            }
        }
    }
}
