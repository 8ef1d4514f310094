//! Handles: small copyable references to what a [`Pool`](crate::Pool) holds.

use std::num::NonZeroU32;

/// How many bits a value has: 1 to [`MAX_WIDTH`]. A condition has width 1; a float is its bits, so 32 or 64.
pub type Width = u8;

/// The widest value there is.
pub const MAX_WIDTH: Width = 128;

/// How many expressions a pool can hold, which leaves four bits of a `u32` free for users of handles.
pub const MAX_EXPRS: u32 = 1 << 28;

/// An expression of a [`Pool`](crate::Pool). Structurally equal expressions of one pool have the same handle.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Expr(NonZeroU32);

impl Expr {
    /// The number of the expression: positive, below [`MAX_EXPRS`], and greater than those of its operands.
    #[inline(always)]
    pub fn index(self) -> u32 {
        self.0.get()
    }

    /// The handle with this number; `None` if no expression can have it.
    #[inline(always)]
    pub fn from_index(index: u32) -> Option<Expr> {
        if index < MAX_EXPRS { NonZeroU32::new(index).map(Expr) } else { None }
    }

    /// The position in tables that have an entry for each expression.
    #[inline(always)]
    pub(crate) fn at(self) -> usize {
        self.0.get() as usize
    }
}

/// An array value of a [`Pool`](crate::Pool): elements of one width, indexed from 0 by 64-bit expressions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Array(NonZeroU32);

impl Array {
    /// The number of the array; positive, and greater than that of the array it was stored to.
    #[inline(always)]
    pub fn index(self) -> u32 {
        self.0.get()
    }

    /// The handle of entry `position` of the table of arrays.
    pub(crate) fn from_position(position: usize) -> Array {
        let number = u32::try_from(position + 1).ok().and_then(NonZeroU32::new);
        Array(number.expect("an array needs memory, so there are far fewer than 2^32 of them"))
    }

    /// The position in the table of arrays.
    #[inline(always)]
    pub(crate) fn at(self) -> usize {
        self.0.get() as usize - 1
    }
}
