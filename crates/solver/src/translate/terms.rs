//! The interface of both solver libraries for building terms, which the translation is written against.

use serde::{Deserialize, Serialize};

use crate::SolverError;

/// A library that builds terms; a term is a small handle into it.
pub(crate) trait Terms {
    /// A handle that stays valid until the builder is renewed.
    type Term: Copy + Eq + Send + Sync + std::fmt::Debug;

    /// A boolean value.
    fn boolean(&mut self, value: bool) -> Result<Self::Term, SolverError>;
    /// A bit-vector value of 1 to 128 bits.
    fn bits(&mut self, width: u32, value: u128) -> Result<Self::Term, SolverError>;
    /// A new free constant. The name only appears in printed formulas.
    fn variable(&mut self, sort: Sort, name: &str) -> Result<Self::Term, SolverError>;
    /// An operation applied to arguments of the right sorts.
    fn apply(&mut self, op: Op, args: &[Self::Term]) -> Result<Self::Term, SolverError>;
}

/// The sort of a term.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Sort {
    /// True or false.
    Bool,
    /// A bit-vector of that many bits.
    Bits(u32),
    /// A float.
    Float(Format),
}

/// The two float formats of C programs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Format {
    /// IEEE 754 binary32.
    Single,
    /// IEEE 754 binary64.
    Double,
}

impl Format {
    /// Bits of the exponent and of the significand including the hidden one, as SMT-LIB counts them.
    pub(crate) fn exponent_and_significand(self) -> (u32, u32) {
        match self {
            Format::Single => (8, 24),
            Format::Double => (11, 53),
        }
    }
}

/// An SMT-LIB operation. Float operations that round name the mode.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Op {
    Not,
    And,
    Or,
    Xor,
    /// Condition (Bool), then, else: of any sort.
    Ite,
    /// SMT-LIB `=`, of any sort.
    Equal,
    BvNot,
    BvNeg,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvSdiv,
    BvUrem,
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    BvConcat,
    BvExtract {
        high: u32,
        low: u32,
    },
    /// Prepends that many zero bits.
    BvZeroExtend(u32),
    /// Prepends that many copies of the sign bit.
    BvSignExtend(u32),
    FpAdd(Rounding),
    FpSub(Rounding),
    FpMul(Rounding),
    FpDiv(Rounding),
    FpFma(Rounding),
    FpSqrt(Rounding),
    FpAbs,
    FpNeg,
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsZero,
    FpIsNegative,
    /// Rounds to an integral float in the mode.
    FpRoundToIntegral(Rounding),
    /// Reads IEEE bits as a float.
    FpFromBits(Format),
    FpFromFp(Rounding, Format),
    FpFromSigned(Rounding, Format),
    FpFromUnsigned(Rounding, Format),
    /// To a signed integer of that many bits, towards zero; unspecified when out of range.
    FpToSigned(u32),
}

impl Op {
    /// The result is a float although no argument may be one.
    pub(crate) fn makes_float(self) -> bool {
        matches!(self, Op::FpFromBits(_) | Op::FpFromFp(..) | Op::FpFromSigned(..) | Op::FpFromUnsigned(..))
    }
}

/// IEEE 754 rounding modes that C programs can ask for by name.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Rounding {
    NearestEven,
    NearestAway,
    Down,
    Up,
    TowardsZero,
}

impl From<secateur_expr::Rounding> for Rounding {
    fn from(mode: secateur_expr::Rounding) -> Rounding {
        match mode {
            secateur_expr::Rounding::Nearest => Rounding::NearestEven,
            secateur_expr::Rounding::Down => Rounding::Down,
            secateur_expr::Rounding::Up => Rounding::Up,
            secateur_expr::Rounding::TowardsZero => Rounding::TowardsZero,
        }
    }
}
