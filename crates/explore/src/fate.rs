//! Where a path comes from, and what becomes of a flip that never turns into a path.

use secateur_program::LocId;

use crate::flip::Flip;

/// Where a path left the one on which its flip was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The number of the path that was left.
    pub parent: u64,
    /// How many decisions both have in common.
    pub depth: u32,
    /// The place of the decision in which they differ.
    pub loc: LocId,
}

impl Origin {
    /// The first path has left none.
    pub const START: Origin = Origin { parent: 0, depth: 0, loc: LocId(0) };

    /// Where a path that takes this flip comes from.
    pub fn of(flip: &Flip) -> Origin {
        Origin { parent: flip.parent, depth: flip.summary.depth, loc: flip.summary.loc }
    }
}

/// Why a flip is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// No input can take it.
    Infeasible,
    /// The solver gave no answer.
    Unknown,
    /// Its place was not found again; this is our own fault.
    Lost,
    /// A pruner took it out; this is its name.
    Pruned(&'static str),
    /// It was not tried before the run stopped.
    Pending,
}
