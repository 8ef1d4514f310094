//! The content of a register: a concrete value, or an expression over the input.
//!
//! What an expression evaluates to is not kept here: it depends on the current input, and a snapshot outlives its
//! input.

use secateur_expr::Expr;

use crate::unwritten_bits::UnwrittenBits;

/// The content of one slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The value, zero-extended, if it is concrete; otherwise 0.
    pub bits: u64,
    /// The expression, if it depends on the input.
    pub expr: Option<Expr>,
    /// The bits that depend on memory that was never written, if this is tracked.
    pub unwritten: UnwrittenBits,
}

impl Value {
    /// A concrete zero.
    pub const ZERO: Value = Value::concrete(0);

    /// A concrete value.
    #[inline(always)]
    pub const fn concrete(bits: u64) -> Value {
        Value { bits, expr: None, unwritten: UnwrittenBits::NONE }
    }

    /// A value that depends on the input.
    #[inline(always)]
    pub const fn symbolic(expr: Expr) -> Value {
        Value { bits: 0, expr: Some(expr), unwritten: UnwrittenBits::NONE }
    }

    /// Whether some bit depends on memory that was never written.
    #[inline(always)]
    pub const fn uninit(self) -> bool {
        !self.unwritten.is_empty()
    }

    /// The same value, with all bits marked as uninitialised if `uninit`.
    #[inline(always)]
    pub const fn tainted(self, uninit: bool) -> Value {
        if uninit { Value { unwritten: UnwrittenBits::ALL, ..self } } else { self }
    }

    /// The value, if it is concrete.
    #[inline(always)]
    pub fn as_concrete(self) -> Option<u64> {
        match self.expr {
            None => Some(self.bits),
            Some(_) => None,
        }
    }
}

/// The lowest `width` bits set; `width` is 1 to 64.
#[inline(always)]
pub const fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width as u32)
}

/// The lowest `width` bits of `bits` as a signed number.
#[inline(always)]
pub const fn signed(bits: u64, width: u8) -> i64 {
    let shift = 64 - width as u32;
    ((bits << shift) as i64) >> shift
}
