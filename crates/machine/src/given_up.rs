//! What a path gave up, so that the explored paths are not all paths of the program.

use std::rc::Rc;

use secateur_program::LocId;

/// Why a path does not stand for all behaviours of the program there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GivenUp {
    /// `klee_get_value` concretised a value although others are possible.
    Value,
    /// Memory that was never written was read as zero.
    Uninitialised,
    /// A pointer was computed in a way that does not show all objects that it may point to.
    Pointer,
}

impl GivenUp {
    /// A short explanation for users.
    pub fn describe(self) -> &'static str {
        match self {
            GivenUp::Value => "klee_get_value fixed one of several values",
            GivenUp::Uninitialised => "memory that was never written was read as zero (--uninit any tries all values)",
            GivenUp::Pointer => "a pointer was computed in a way that hides some of the objects it may point to",
        }
    }
}

/// The reasons on one path, each with its location; most paths have none.
pub type GivenUpList = Rc<Vec<(GivenUp, LocId)>>;
