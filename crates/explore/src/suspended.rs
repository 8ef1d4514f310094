//! Paths that wait: everything that can follow may be accounted for, which is not certain yet.

use std::sync::Arc;

use secateur_machine::{End, Exclusions, Limit, State};

use crate::event::Subscriber;
use crate::limits::StopReason;
use crate::pending::StillRunning;
use crate::running::RunningPath;
use crate::search::FlipResult;
use crate::subsumption::Resolution;
use crate::tree::SideId;
use crate::worker::Worker;

/// A path that waits at a decision.
pub(crate) struct Suspended {
    path: RunningPath,
    input: Arc<[u8]>,
    exclusions: Exclusions,
    /// How many decisions precede the one at which it waits.
    depth: usize,
    /// Its state; `None` if it was dropped to save memory.
    state: Option<Box<State>>,
}

/// The suspended paths that go on, one after the other: all at once would be a search in breadth.
#[derive(Default)]
pub(crate) struct ResumedPaths {
    /// The sides along which they run; the last is the next.
    pub waiting: Vec<SideId>,
    /// The number of the next flip when the last one went on.
    flips_before: u64,
    /// How many flips were tried since.
    flips_tried: u32,
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Lets a path wait; returns the limit that was hit, if any.
    pub(crate) fn suspend(&mut self, state: State, mut path: RunningPath, input: Arc<[u8]>) -> Option<StopReason> {
        let newly_covered = path.newly_covered(self.machine.coverage.newly_covered());
        // To the searcher, it has ended; when it goes on, it is the path of no flip.
        self.frontier.searcher.tried(path.flip.take(), FlipResult::Ran { path: path.number, newly_covered });
        if let Some(side) = path.side {
            let (exclusions, depth) = (state.exclusions.clone(), state.path.len());
            self.waits(StillRunning { path: &path, input: &input, exclusions: &exclusions, decisions: depth });
            let suspended = Suspended { path, input, exclusions, depth, state: Some(Box::new(state)) };
            self.suspended.insert(side, suspended);
            self.update_subsumption();
            if let Some(subsumption) = &mut self.subsumption {
                subsumption.suspended(self.machine, self.solver, side);
            }
        }
        self.team.watchdog.stop_reason()
    }

    /// Ends the suspended paths that are accounted for, and runs one that is not, if it is its turn; returns the limit
    /// that was hit, if any.
    pub(crate) fn resolve_suspended(&mut self) -> Result<Option<StopReason>, S::Error> {
        let reason = self.end_resolved()?;
        self.resumed.flips_tried = self.resumed.flips_tried.saturating_add(1);
        let between = self.team.tuning.resume_flips;
        let is_due = self.frontier.newest() < self.resumed.flips_before || self.resumed.flips_tried > between;
        if reason.is_some() || self.resumed.waiting.is_empty() || !is_due {
            return Ok(reason);
        }
        self.resume_next()
    }

    /// Ends the suspended paths that are accounted for; returns the limit that was hit, if any.
    fn end_resolved(&mut self) -> Result<Option<StopReason>, S::Error> {
        while let Some(subsumption) = &mut self.subsumption {
            let resolutions = subsumption.resolutions();
            if resolutions.is_empty() {
                break;
            }
            for (side, resolution) in resolutions {
                match resolution {
                    Resolution::Resumed => self.resumed.waiting.push(side),
                    Resolution::Covered(_) => {
                        if let Some(reason) = self.resolve(side, resolution)? {
                            return Ok(Some(reason));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Runs one suspended path, because it is its turn or there is nothing else to do; returns the limit that was hit,
    /// if any.
    pub(crate) fn resume_next(&mut self) -> Result<Option<StopReason>, S::Error> {
        if let Some(reason) = self.end_resolved()? {
            return Ok(Some(reason));
        }
        let next = self.resumed.waiting.pop().or_else(|| {
            let side = self.suspended.keys().next().copied()?;
            self.subsumption.as_mut()?.release(side);
            Some(side)
        });
        self.resumed.flips_before = self.frontier.next_id();
        self.resumed.flips_tried = 0;
        next.map_or(Ok(None), |side| self.resolve(side, Resolution::Resumed))
    }

    pub(crate) fn resolve(&mut self, side: SideId, resolution: Resolution) -> Result<Option<StopReason>, S::Error> {
        let Some(Suspended { path, input, exclusions, depth, state }) = self.suspended.remove(&side) else {
            return Ok(None);
        };
        let state = match state {
            Some(state) => {
                self.machine.follow(input.to_vec());
                Some(*state)
            }
            None => self.run_to_depth(&input, &exclusions, depth),
        };
        let Some(state) = state else {
            self.counters.stopped += 1;
            return Ok(self.team.watchdog.stop_reason());
        };
        match resolution {
            Resolution::Covered(cover) => self.end_covered(&state, End::Limit(Limit::Subsumed), &path, Some(cover)),
            Resolution::Resumed => self.follow(state, path),
        }
    }

    /// Drops the states of all suspended paths.
    pub(crate) fn drop_suspended_states(&mut self) {
        self.suspended.values_mut().for_each(|suspended| suspended.state = None);
    }
}
