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
    /// A pointer was put together in a way that does not tell all objects that it may point to.
    Pointer,
}

impl GivenUp {
    /// The reason in a few words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            GivenUp::Value => "klee_get_value fixed one of several values",
            GivenUp::Uninitialised => {
                "memory that was never written was taken to be zero (--uninit any tries all values)"
            }
            GivenUp::Pointer => "a pointer was computed in a way that hides some of the objects it may point to",
        }
    }
}

/// The reasons of one path, each with its place; most paths have none.
pub type GivenUpList = SmallVec<[(GivenUp, LocId); 1]>;
