//! Makes a path of a flip: finds its decision, and an input that takes it.

use secateur_machine::{Choice, State};
use secateur_solver::{Answer, UnknownReason};

use crate::event::Subscriber;
use crate::fault;
use crate::flip::{Flip, Snapshot};
use crate::rerun::Rebuilt;
use crate::running::{FlipTaken, Running};
use crate::search::FlipId;
use crate::tree::{Closed, Incomplete};
use crate::worker::Worker;

/// How many bytes a question takes for each expression that there is: the solver evaluates them under inputs of its own.
const BYTES_OF_A_QUESTION: usize = 32;

/// So many bytes are worth a look at what is left.
const LARGE_QUESTION: usize = 16 << 20;

/// A path that is ready to run; the machine follows its input. `None` if there is none: no input takes the flip, nobody knows one, or the run is over
/// and the flip is pending as before.
pub(crate) type Attempt = Option<(State, Running)>;

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Solves a flip, and makes the machine follow the input that takes it.
    pub(crate) fn attempt(&mut self, id: FlipId) -> Result<Attempt, S::Error> {
        let Some(mut flip) = self.frontier.take(id) else { return Ok(None) };
        let calls = self.solver.statistics().backend_calls;
        let rebuilt = match flip.snapshot.take() {
            Some(snapshot) => Rebuilt::Found(snapshot),
            None => self.rebuild_snapshot(&flip),
        };
        let snapshot = match rebuilt {
            Rebuilt::Found(snapshot) => snapshot,
            Rebuilt::Stopped => return Ok(self.put_back(id, flip, None)),
            Rebuilt::Lost => {
                self.counters.lost += 1;
                self.close_flip(Some(id), &flip.info, flip.side, Closed::Incomplete(Incomplete::Lost), &[])?;
                return Ok(None);
            }
        };
        match self.solve(&snapshot.state, &snapshot.choice, &flip) {
            Answer::Sat(input) => {
                let Some(number) = self.team.watch.start_path(self.is_grace()) else {
                    return Ok(self.put_back(id, flip, Some(snapshot)));
                };
                self.machine.follow(input);
                let Snapshot { mut state, choice } = *snapshot;
                self.machine.take(&mut state, &choice);
                let calls = self.solver.statistics().backend_calls - calls;
                let running = self.start_path(number, id, &flip, &state, calls);
                Ok(Some((state, running)))
            }
            Answer::Unsat(core) => {
                self.counters.infeasible += 1;
                self.close_flip(Some(id), &flip.info, flip.side, Closed::Infeasible, &core)?;
                Ok(None)
            }
            Answer::Unknown(UnknownReason::Stopped) => Ok(self.put_back(id, flip, Some(snapshot))),
            Answer::Unknown(_) => {
                self.counters.unknown += 1;
                self.close_flip(Some(id), &flip.info, flip.side, Closed::Incomplete(Incomplete::Unknown), &[])?;
                Ok(None)
            }
        }
    }

    /// A path starts that takes a flip.
    pub(crate) fn start_path(&mut self, number: u64, id: FlipId, flip: &Flip, state: &State, calls: u64) -> Running {
        let (origin, side) = (self.tree.origin(flip.side), flip.side);
        self.tree.run(side);
        let start = FlipTaken { number, origin, flip: id, side, info: &flip.info, calls };
        Running::new(&start, state, self.machine.coverage.newly_covered())
    }

    /// A flip whose question was not finished, or whose path may not start, is pending as before.
    fn put_back(&mut self, id: FlipId, mut flip: Flip, snapshot: Option<Box<Snapshot>>) -> Attempt {
        flip.snapshot = snapshot.filter(|_| self.team.snapshots);
        self.frontier.put_back(id, flip);
        None
    }

    /// An input that takes a choice, if possible one that shows better what happens there.
    fn solve(&mut self, state: &State, choice: &Choice, flip: &Flip) -> Answer {
        let bytes = self.machine.pool.len() * BYTES_OF_A_QUESTION;
        if bytes > LARGE_QUESTION && !self.team.watch.has_room_for(bytes as u64) {
            // Most of these expressions may be those of other paths: the next question finds none of them.
            self.relief.forget = true;
            return Answer::Unknown(UnknownReason::NoMemory);
        }
        let (solver, pool) = (&mut *self.solver, &mut self.machine.pool);
        let answer = fault::catch(|| {
            let preferred = choice.prefer.and_then(|prefer| {
                let both = pool.and(choice.condition, prefer);
                match solver.solve(pool, &state.path, both, &flip.input) {
                    Answer::Sat(input) => Some(input),
                    _ => None,
                }
            });
            match preferred {
                Some(input) => Answer::Sat(input),
                None => solver.solve(pool, &state.path, choice.condition, &flip.input),
            }
        });
        answer.unwrap_or_else(|message| {
            let place = self.machine.program.describe(flip.info.loc);
            self.counters.add_fault(format!("a question about {place}: {message}"));
            // Whatever was under way, nothing of it is used again.
            self.relief.forget = true;
            Answer::Unknown(UnknownReason::Fault)
        })
    }
}
