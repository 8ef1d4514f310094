//! What a path gave up, so that the explored paths are not all paths of the program.

use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use secateur_program::LocId;
use serde::{Deserialize, Serialize};

use crate::end::BugKind;

/// Why a path does not stand for all behaviours of the program there. `Display` is a short explanation for users.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum GivenUp {
    /// `klee_get_value` concretised a value although others are possible.
    Value,
    /// Memory that was never written was read as zero.
    Uninitialised,
    /// More of a result was used than the function returns, which a call through another prototype can do.
    Result,
    /// A pointer was computed in a way that does not show all objects that it may point to.
    Pointer,
    /// `fork` failed, although it might have started another process.
    Fork,
    /// This check is disabled, and was not shown to hold.
    Check(BugKind),
}

impl Display for GivenUp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            GivenUp::Value => write!(f, "klee_get_value fixed one of several values"),
            GivenUp::Uninitialised => {
                write!(f, "memory that was never written was read as zero (--uninit any tries all values)")
            }
            GivenUp::Result => {
                write!(f, "a call through another prototype uses more of a result than the function returns")
            }
            GivenUp::Pointer => {
                write!(f, "a pointer was computed in a way that hides some of the objects it may point to")
            }
            GivenUp::Fork => write!(f, "fork always fails with EAGAIN: other processes are not modelled"),
            GivenUp::Check(kind) => {
                write!(f, "the check `{}` may fail here, and is switched off (--check {0} switches it on)", kind.name())
            }
        }
    }
}

/// The reasons on one path, each with its location; most paths have none.
pub type GivenUpList = Rc<Vec<(GivenUp, LocId)>>;
