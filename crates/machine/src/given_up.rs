//! What a path gave up: why the paths that were explored are not all there are.

use secateur_program::LocId;
use smallvec::SmallVec;

/// Why a path does not stand for all that the program can do there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GivenUp {
    /// `klee_get_value` fixed a value although others are possible.
    Value,
    /// Memory that was never written was taken to be zero.
    Uninitialised,
}

impl GivenUp {
    /// The reason in a few words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            GivenUp::Value => "klee_get_value fixed one of several values",
            GivenUp::Uninitialised => {
                "memory that was never written was taken to be zero (--uninit any tries all values)"
            }
        }
    }
}

/// The reasons of one path, each with its place; most paths have none.
pub type GivenUpList = SmallVec<[(GivenUp, LocId); 1]>;
