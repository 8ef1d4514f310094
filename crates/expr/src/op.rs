//! The operations that expressions are made of.

use serde::{Deserialize, Serialize};

/// Operations on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// All bits flipped; the negation of a condition.
    Not,
    /// Two's complement negation.
    Neg,
}

/// Operations on two integers of one width, with the meaning that SMT-LIB gives them.
///
/// Dividing by zero gives all ones (`UDiv`), 1 or -1 (`SDiv`), or the dividend (`URem`, `SRem`).
/// A shift by the width or more gives 0, or for `AShr` copies of the sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    /// The result of this and all that follow is a condition.
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 18] = {
        use BinaryOp::*;
        [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ult, Ule, Slt, Sle]
    };

    /// The result is a condition.
    #[inline(always)]
    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle)
    }

    /// The operands may be swapped.
    #[inline(always)]
    pub fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq)
    }
}

/// Floating-point operations on two values of one format, rounding to nearest, ties to even.
///
/// `Min`, `Max` and `CopySign` can be asked for but are built from other operations: no node has them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// C's `fmod`
    Rem,
    /// C's `fmin`: a number if one is a number
    Min,
    /// C's `fmax`: a number if one is a number
    Max,
    /// `a` with the sign of `b`
    CopySign,
}

/// Floating-point operations on one value.
///
/// `Neg` and `Abs` can be asked for but are built from bit operations: no node has them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To nearest, ties away from zero.
    Round,
    /// To nearest, ties to even.
    RoundEven,
}

/// Floating-point comparisons, as the set of outcomes for which they hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FloatCmp {
    /// Holds if `a < b`.
    pub less: bool,
    /// Holds if `a == b`.
    pub equal: bool,
    /// Holds if `a > b`.
    pub greater: bool,
    /// Holds if one of them is not a number.
    pub unordered: bool,
}

impl FloatCmp {
    /// `a < b`
    pub const LESS: FloatCmp = FloatCmp { less: true, equal: false, greater: false, unordered: false };
    /// `a == b`
    pub const EQUAL: FloatCmp = FloatCmp { less: false, equal: true, greater: false, unordered: false };
    /// `a > b`
    pub const GREATER: FloatCmp = FloatCmp { less: false, equal: false, greater: true, unordered: false };
    /// One of them is not a number.
    pub const UNORDERED: FloatCmp = FloatCmp { less: false, equal: false, greater: false, unordered: true };

    /// The comparison that holds exactly when this one does not.
    pub fn negated(self) -> FloatCmp {
        FloatCmp { less: !self.less, equal: !self.equal, greater: !self.greater, unordered: !self.unordered }
    }
}

/// Conversions between a floating-point value and an integer or another format.
///
/// `ToUnsigned`, and `ToSigned` to widths other than 32 and 64, can be asked for but are built from `ToSigned` to 32 or 64 bits, as
/// the processor does it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCast {
    /// Between `float` and `double`.
    Float,
    /// Float to signed integer, towards zero; the smallest integer if out of range or not a number.
    ToSigned,
    /// Float to unsigned integer, towards zero; out of range as on x86-64.
    ToUnsigned,
    /// Signed integer to float.
    FromSigned,
    /// Unsigned integer to float.
    FromUnsigned,
}
