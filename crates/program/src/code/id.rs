//! The numbers of entities, a type for each kind.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares a `u32` index type of its own for one kind of entity.
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table of this kind of entity.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

entity!(
    /// A function, defined or only declared.
    FuncId,
    "fn"
);
entity!(
    /// A global variable.
    GlobalId,
    "g"
);
entity!(
    /// A basic block of one function.
    BlockId,
    "bb"
);
entity!(
    /// An edge of the control-flow graph of one function, with the moves that its phis need.
    EdgeId,
    "e"
);
entity!(
    /// A conditional branch or switch; numbered over the whole program.
    BranchId,
    "br"
);
entity!(
    /// A source location; index into [`Program::locations`]. Location 0 is "unknown".
    LocId,
    "loc"
);
entity!(
    /// A register of a frame.
    Slot,
    "%"
);
entity!(
    /// An entry in one of a body's side tables.
    InfoId,
    "i"
);
