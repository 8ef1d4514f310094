//! The operations of instructions. Those on floats are expressions, too.

use secateur_expr::{FloatCmp, FloatOp, FloatUnOp};
use serde::{Deserialize, Serialize};

/// Integer operations on two values of one width.
///
/// Shifts by the width or more are masked as the processor does (by 63 for 64 bits and 31 for fewer).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinOp {
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
}

/// Integer operations on one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnOp {
    /// How many bits are set.
    CountOnes,
    /// How many zero bits precede the highest set bit; the width for 0.
    LeadingZeros,
    /// How many zero bits follow the lowest set bit; the width for 0.
    TrailingZeros,
    /// Bytes in reverse order.
    SwapBytes,
    /// Bits in reverse order.
    ReverseBits,
}

/// Integer comparisons; the result is one bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Conversions between integers of up to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CastOp {
    ZExt,
    SExt,
    Trunc,
}

/// Operations that involve an x86 `long double` (two slots). They are done on concrete values only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LongDoubleOp {
    /// Arithmetic on two `long double`s.
    Bin(FloatOp),
    /// Arithmetic on one `long double`.
    Un(FloatUnOp),
    /// Comparison of two `long double`s; the result is one bit.
    Cmp(FloatCmp),
    /// From `float` (32) or `double` (64).
    FromFloat(u8),
    /// To `float` (32) or `double` (64).
    ToFloat(u8),
    /// From a signed integer of this width, up to 64.
    FromSigned(u8),
    /// From an unsigned integer of this width, up to 64.
    FromUnsigned(u8),
    /// To a signed integer of this width, up to 64.
    ToSigned(u8),
    /// To an unsigned integer of this width, up to 64.
    ToUnsigned(u8),
}
