//! How a path came to be, and how it does: what its flips inherit.

use crate::flip::Summary;
use crate::search::FlipId;

/// A path under way, as its flips see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trail {
    /// The flip that the path took; `None` for the path of the first input.
    pub origin: Option<FlipId>,
    /// How hard the questions were whose answers led here. It is counted in calls of the SMT library, not in time, so that it is the same in every run.
    pub cost: u32,
    /// What was covered before the path.
    pub known: u64,
    /// What was covered when it was looked at last.
    seen: u64,
    /// How many instructions the path had executed when it covered something new for the last time.
    last_new: u64,
}

impl Trail {
    /// The path of an input that comes from no flip; `covered` is what is covered already.
    pub(crate) fn first(covered: u64) -> Trail {
        Trail { origin: None, cost: 0, known: covered, seen: covered, last_new: 0 }
    }

    /// The path of a flip, which took some calls of the SMT library.
    pub(crate) fn of(id: FlipId, about: &Summary, calls: u64, covered: u64) -> Trail {
        Trail {
            origin: Some(id),
            cost: about.cost.saturating_add(calls.min(u64::from(u32::MAX)) as u32),
            known: covered,
            seen: covered,
            last_new: about.instructions.saturating_sub(about.since_new),
        }
    }

    /// The path is at this instruction, and so much is covered.
    pub(crate) fn at(&mut self, instructions: u64, covered: u64) {
        if covered > self.seen {
            self.seen = covered;
            self.last_new = instructions;
        }
    }

    /// How many instructions ago the path covered something new.
    pub(crate) fn since_new(&self, instructions: u64) -> u64 {
        instructions.saturating_sub(self.last_new)
    }
}
