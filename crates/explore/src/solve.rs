//! Turns a flip into a path: rebuilds its state and finds an input that takes it.

use std::rc::Rc;

use secateur_expr::Valuation;
use secateur_machine::{Choice, State};
use secateur_path::Path;
use secateur_solver::{Answer, BackendReason, UnknownReason};

use crate::event::Subscriber;
use crate::fault;
use crate::flip::{Flip, Snapshot};
use crate::postponed::Attempt;
use crate::rerun::Rebuilt;
use crate::running::{FlipTaken, RunningPath};
use crate::search::{FlipId, FlipResult};
use crate::selection::Mark;
use crate::tree::{Closed, Incomplete};
use crate::worker::Worker;

/// A path that is ready to run, with the machine set to its input. `None` if the flip is infeasible or unanswered, or
/// if the run is over and the flip is pending again.
pub(crate) type Started = Option<(State, RunningPath)>;

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Solves a flip and sets the machine to the input that takes it.
    pub(crate) fn attempt(&mut self, id: FlipId, attempt: Attempt) -> Result<Started, S::Error> {
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
                self.close_flip(Some(id), &flip, Closed::Incomplete(Incomplete::Lost), &[])?;
                return Ok(None);
            }
        };
        self.solver.set_effort(attempt.effort(&self.team.tuning));
        let answer = self.solve(snapshot.state.path(), &snapshot.choice, &flip);
        self.solver.set_effort(None);
        match answer {
            Answer::Sat(input) => {
                let Some(number) = self.team.watchdog.start_path(self.is_grace()) else {
                    return Ok(self.put_back(id, flip, Some(snapshot)));
                };
                self.machine.follow(input);
                let Snapshot { state, choice } = *snapshot;
                let mut state = self.program_info.unpack(Rc::unwrap_or_clone(state));
                self.machine.take(&mut state, &choice);
                let calls = self.solver.statistics().backend_calls - calls;
                let running = self.start_path(number, id, &flip, &state, calls);
                Ok(Some((state, running)))
            }
            Answer::Unsat(core) => {
                self.counters.infeasible += 1;
                self.close_flip(Some(id), &flip, Closed::Infeasible, &core)?;
                Ok(None)
            }
            Answer::Unknown(UnknownReason::Backend(BackendReason::Effort)) => {
                self.frontier.postponed.add(id, attempt);
                self.put_back(id, flip, Some(snapshot));
                self.tried(Some(id), FlipResult::Unanswered);
                Ok(None)
            }
            Answer::Unknown(UnknownReason::Stopped) => Ok(self.put_back(id, flip, Some(snapshot))),
            // An input from outside may still take it. Subsumption needs to know at once.
            Answer::Unknown(_) if self.team.inputs.is_some() && self.subsumption.is_none() => {
                self.frontier.keep_unanswered(id, flip);
                self.frontier.searcher.tried(Some(id), FlipResult::Unanswered);
                Ok(None)
            }
            Answer::Unknown(_) => {
                self.give_up(id, &flip)?;
                Ok(None)
            }
        }
    }

    /// Records that the solver gave no answer for a flip.
    fn give_up(&mut self, id: FlipId, flip: &Flip) -> Result<(), S::Error> {
        self.counters.unknown += 1;
        self.close_flip(Some(id), flip, Closed::Incomplete(Incomplete::Unknown), &[])
    }

    /// No more inputs come from outside: gives up the flips for which the solver gave no answer.
    pub(crate) fn give_up_unanswered(&mut self) -> Result<(), S::Error> {
        while let Some((id, flip)) = self.frontier.take_unanswered() {
            self.give_up(id, &flip)?;
        }
        Ok(())
    }

    /// Starts the path of a flip.
    pub(crate) fn start_path(
        &mut self,
        number: u64,
        id: FlipId,
        flip: &Flip,
        state: &State,
        calls: u64,
    ) -> RunningPath {
        let (departure, side) = (self.tree.departure(flip.side), flip.side);
        self.tree.set_running(side);
        let start = FlipTaken { number, departure, flip: id, name: flip.name(), side, info: &flip.info, calls };
        let mut running = RunningPath::new(&start, state, self.machine.coverage.newly_covered());
        if running.mark == Mark::UNKNOWN
            && let Some(selection) = &mut self.selection
        {
            running.mark = selection.mark_of(&mut self.machine.pool, &state.path);
        }
        running
    }

    /// Makes a flip pending again whose question was not finished or whose path may not start.
    pub(crate) fn put_back(&mut self, id: FlipId, mut flip: Box<Flip>, snapshot: Option<Box<Snapshot>>) -> Started {
        flip.snapshot = snapshot.filter(|_| self.team.snapshots);
        self.frontier.put_back(id, flip);
        None
    }

    /// Finds an input that takes a choice, preferably one that shows the failure more clearly.
    fn solve(&mut self, path: &Path, choice: &Choice, flip: &Flip) -> Answer {
        let bytes = self.machine.pool.len() * self.team.tuning.question_bytes;
        if bytes > self.team.tuning.large_question && !self.team.watchdog.has_room_for(bytes as u64) {
            // Most of these expressions may belong to other paths: the next question starts without them.
            self.reclaim.forget = true;
            return Answer::Unknown(UnknownReason::NoMemory);
        }
        let (solver, pool) = (&mut *self.solver, &mut self.machine.pool);
        let answer = fault::catch(|| {
            let answer = solver.solve(pool, path, choice.condition, &flip.input);
            // Most checks cannot fail, so the preference is a question of its own only where this one can.
            if let (Answer::Sat(input), Some(prefer)) = (&answer, choice.prefer)
                && !Valuation::new(input.clone()).holds(pool, prefer)
            {
                let both = pool.and(choice.condition, prefer);
                if let preferred @ Answer::Sat(_) = solver.solve(pool, path, both, &flip.input) {
                    return preferred;
                }
            }
            answer
        });
        answer.unwrap_or_else(|message| {
            let place = self.machine.program.describe(flip.info.loc);
            self.counters.add_fault(format!("a question about {place}: {message}"));
            // The pool may have been left half-changed, so nothing of it is used again.
            self.reclaim.forget = true;
            Answer::Unknown(UnknownReason::Fault)
        })
    }
}
