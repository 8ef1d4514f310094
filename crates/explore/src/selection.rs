//! What chooses, from time to time, which of the pending flips are worth keeping.
//!
//! A pruner decides on one flip at a time, a selection compares all that are pending and drops some. What it knows of a
//! flip is its [`Mark`], which it makes itself from the conditions that lead there.

use std::sync::Arc;

use secateur_expr::{Expr, Pool};
use secateur_machine::{Machine, State};
use secateur_path::Path;

use crate::event::Subscriber;
use crate::flip::Flip;
use crate::frontier::Pruned;
use crate::limits::StopReason;
use crate::phase::Phase;
use crate::postponed::Attempt;
use crate::search::FlipId;
use crate::worker::Worker;

/// What a selection knows of a path or a flip. Only the selection that made it can read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Mark(pub u32);

impl Mark {
    /// The mark of a path without conditions.
    pub const START: Mark = Mark(0);
    /// Nothing is known: another worker has found the flip. Such flips are kept.
    pub const UNKNOWN: Mark = Mark(u32::MAX);
}

impl Default for Mark {
    fn default() -> Mark {
        Mark::UNKNOWN
    }
}

/// Chooses flips to drop. Each worker has its own.
pub trait Selection: Send {
    /// Its name in the summary, as that of a pruner.
    fn name(&self) -> &'static str;

    /// The mark of a path with this one once it takes a condition. The path does not have the condition yet.
    fn mark(&mut self, pool: &mut Pool, path: &Path, mark: Mark, condition: Expr) -> Mark;

    /// The mark of a path that was not followed from its start.
    fn mark_of(&mut self, pool: &mut Pool, path: &Path) -> Mark;

    /// Whether [`Selection::select`] is to be asked, with this many pending flips. It is called between all paths.
    fn is_due(&mut self, pending: usize) -> bool;

    /// The flips that are dropped, of those that are pending.
    fn select(&mut self, pending: &[(FlipId, Mark)]) -> Vec<FlipId>;

    /// A path has ended in this state that was the first to cover something. The machine still holds its input.
    fn found(&mut self, machine: &mut Machine, state: &State, mark: Mark);

    /// How far it is, for the progress of the run.
    fn status(&self) -> SelectionStatus;

    /// All expressions were forgotten: whatever refers to them must go, too. Marks stay.
    fn forget(&mut self);
}

/// Makes the selection of a worker.
pub type MakeSelection = Arc<dyn Fn() -> Box<dyn Selection> + Send + Sync>;

/// How far a selection is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SelectionStatus {
    /// The round, from 1.
    pub round: u32,
    /// How many rounds there will be, about.
    pub rounds: u32,
    /// How many features flips are compared by.
    pub features: u64,
    /// The share of the pending flips that was kept when it last dropped some; 1 if it never has.
    pub kept: f64,
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Lets the selection drop flips if that is due; returns the limit that was hit, if any.
    pub(crate) fn select(&mut self) -> Result<Option<StopReason>, S::Error> {
        let Some(selection) = &mut self.selection else { return Ok(None) };
        if !selection.is_due(self.frontier.len()) {
            return Ok(None);
        }
        let by = selection.name();
        let known = self.frontier.iter().filter(|(_, flip)| flip.info.mark != Mark::UNKNOWN);
        let pending: Vec<(FlipId, Mark)> = known.map(|(id, flip)| (id, flip.info.mark)).collect();
        let mut dropped = selection.select(&pending);
        // Those that lead to uncovered branches first: they are the most likely to become tests.
        dropped.sort_by_cached_key(|id| (self.frontier.get(*id).is_none_or(|flip| self.is_covered(flip)), *id));
        for id in dropped {
            if self.may_try_dropped() {
                let reason = self.try_dropped(id)?;
                if reason.is_some() {
                    return Ok(reason);
                }
            }
            // It is still there if it was not tried, or if its question was not a quick one.
            if let Some(flip) = self.frontier.take(id) {
                self.counters.dropped += 1;
                self.close_pruned(Some(id), Pruned { by, lossless: false }, &flip)?;
            }
        }
        Ok(None)
    }

    /// Whether a dropped flip may still become a test: these take a small part of the work.
    fn may_try_dropped(&self) -> bool {
        self.work_on_dropped.saturating_mul(self.team.tuning.dropped_part) <= self.work_so_far()
    }

    /// Turns a flip that is dropped into a test if that is quick. Nothing that its path finds becomes pending.
    fn try_dropped(&mut self, id: FlipId) -> Result<Option<StopReason>, S::Error> {
        let before = self.work_so_far();
        let most = self.team.tuning.grace_instructions;
        self.phase = Phase::Grace { last_instruction: self.machine.instructions.saturating_add(most) };
        let by = self.selection.as_ref().map_or("selection", |selection| selection.name());
        let started = self.attempt(id, Attempt::default())?;
        let reason = match started {
            Some((state, running)) => {
                // What its path might have found is left out.
                self.counters.count_dropped(Pruned { by, lossless: false }, 1);
                self.follow(state, running)?
            }
            None => self.team.watchdog.stop_reason(),
        };
        self.phase = Phase::Search;
        self.work_on_dropped += self.work_so_far().saturating_sub(before);
        Ok(reason)
    }

    /// Whether what a flip leads to directly was executed before.
    pub(crate) fn is_covered(&self, flip: &Flip) -> bool {
        match flip.info.branch {
            Some((branch, outcome)) => self.machine.coverage.taken(branch, outcome),
            None => flip.info.bug.is_none(),
        }
    }
}
