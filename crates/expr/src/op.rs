//! The operations that expressions are made of.

use serde::{Deserialize, Serialize};

use crate::expr::Width;
use crate::float::Format;

/// Operations on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// All bits flipped; the negation of a condition.
    Not,
    /// Two's complement negation.
    Neg,
}

/// Operations on two integers of the same width, with the semantics of SMT-LIB.
///
/// Division by zero returns all ones (`UDiv`), 1 or -1 (`SDiv`), or the dividend (`URem`, `SRem`). A shift by the width
/// or more returns 0, or for `AShr` copies of the sign.
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
    /// The result of this and the following operations is a condition.
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

/// Rounding modes: those of C's `fesetround`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub enum Rounding {
    /// To nearest, ties to even: the mode in which programs start.
    #[default]
    Nearest,
    /// Towards negative infinity.
    Down,
    /// Towards positive infinity.
    Up,
    /// Towards zero.
    TowardsZero,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 4] = [Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::TowardsZero];

    /// Its name in SMT-LIB.
    pub fn smtlib_name(self) -> &'static str {
        match self {
            Rounding::Nearest => "RNE",
            Rounding::Down => "RTN",
            Rounding::Up => "RTP",
            Rounding::TowardsZero => "RTZ",
        }
    }
}

/// Floating-point operations on two values of the same format.
///
/// `Min`, `Max` and `CopySign` are composed of other operations: no node has them.
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

impl FloatOp {
    /// The result can depend on the rounding mode.
    pub fn rounds(self) -> bool {
        matches!(self, FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div)
    }
}

/// Floating-point operations on one value.
///
/// `Neg` and `Abs` are composed of bit operations, and `Rint` becomes one of the others: no node has them.
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
    /// In the rounding mode.
    Rint,
}

impl FloatUnOp {
    /// The operation that is equivalent in any mode to this one in the given mode.
    pub fn in_mode(self, mode: Rounding) -> FloatUnOp {
        match (self, mode) {
            (FloatUnOp::Rint, Rounding::Nearest) => FloatUnOp::RoundEven,
            (FloatUnOp::Rint, Rounding::Down) => FloatUnOp::Floor,
            (FloatUnOp::Rint, Rounding::Up) => FloatUnOp::Ceil,
            (FloatUnOp::Rint, Rounding::TowardsZero) => FloatUnOp::Trunc,
            _ => self,
        }
    }

    /// The result can depend on the rounding mode.
    pub fn rounds(self) -> bool {
        matches!(self, FloatUnOp::Sqrt | FloatUnOp::Rint)
    }
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
    /// Holds if one of them is NaN.
    pub unordered: bool,
}

impl FloatCmp {
    /// `a < b`
    pub const LESS: FloatCmp = FloatCmp { less: true, equal: false, greater: false, unordered: false };
    /// `a == b`
    pub const EQUAL: FloatCmp = FloatCmp { less: false, equal: true, greater: false, unordered: false };
    /// `a > b`
    pub const GREATER: FloatCmp = FloatCmp { less: false, equal: false, greater: true, unordered: false };
    /// One of them is NaN.
    pub const UNORDERED: FloatCmp = FloatCmp { less: false, equal: false, greater: false, unordered: true };

    /// The comparison that holds exactly when this one does not.
    pub fn negated(self) -> FloatCmp {
        FloatCmp { less: !self.less, equal: !self.equal, greater: !self.greater, unordered: !self.unordered }
    }
}

/// Conversions between a floating-point value and an integer or another format.
///
/// `ToUnsigned`, and `ToSigned` to widths other than 32 and 64, are composed of `ToSigned` to 32 or 64 bits, as on the
/// processor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCast {
    /// Between `float` and `double`.
    Float,
    /// Float to signed integer, towards zero; the smallest integer if out of range or NaN.
    ToSigned,
    /// Float to unsigned integer, towards zero; out of range as on x86-64.
    ToUnsigned,
    /// Signed integer to float.
    FromSigned,
    /// Unsigned integer to float.
    FromUnsigned,
}

impl FloatCast {
    /// The result of a conversion between values of these widths can depend on the rounding mode.
    pub fn rounds(self, from: Width, to: Width) -> bool {
        match self {
            FloatCast::Float => to < from,
            FloatCast::ToSigned | FloatCast::ToUnsigned => false,
            FloatCast::FromSigned | FloatCast::FromUnsigned => from > Format::of(to).significand,
        }
    }
}
