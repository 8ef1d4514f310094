//! Arithmetic on concrete values, as the processor does it.

use secateur_program::{BinOp, CastOp, CmpOp, UnOp};

use crate::value::{mask, signed};

/// An integer operation that cannot fail; `None` for divisions.
#[inline(always)]
pub fn binary(op: BinOp, width: u8, a: u64, b: u64) -> Option<u64> {
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << (b & shift_mask(width)),
        BinOp::LShr => a >> (b & shift_mask(width)),
        BinOp::AShr => (signed(a, width) >> (b & shift_mask(width))) as u64,
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => return None,
    };
    Some(result & mask(width))
}

/// A division; the divisor is not zero and `MIN / -1` was excluded.
pub fn divide(op: BinOp, width: u8, a: u64, b: u64) -> u64 {
    let (signed_a, signed_b) = (signed(a, width), signed(b, width));
    let result = match op {
        BinOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinOp::URem => a.checked_rem(b).unwrap_or(0),
        BinOp::SRem => signed_a.checked_rem(signed_b).unwrap_or(0) as u64,
        _ => signed_a.checked_div(signed_b).unwrap_or(0) as u64,
    };
    result & mask(width)
}

/// The bits of a shift amount that the processor uses.
#[inline(always)]
pub fn shift_mask(width: u8) -> u64 {
    if width > 32 { 63 } else { 31 }
}

#[inline(always)]
pub fn compare(op: CmpOp, width: u8, a: u64, b: u64) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => signed(a, width) < signed(b, width),
        CmpOp::Sle => signed(a, width) <= signed(b, width),
        CmpOp::Sgt => signed(a, width) > signed(b, width),
        CmpOp::Sge => signed(a, width) >= signed(b, width),
    }
}

/// A unary integer operation.
#[inline]
pub fn unary(op: UnOp, width: u8, a: u64) -> u64 {
    unary_wide(op, width, u128::from(a)) as u64
}

/// As [`unary`], for up to 128 bits.
pub fn unary_wide(op: UnOp, width: u8, a: u128) -> u128 {
    let unused = 128 - u32::from(width);
    match op {
        UnOp::CountOnes => u128::from(a.count_ones()),
        UnOp::LeadingZeros => u128::from(a.leading_zeros() - unused),
        UnOp::TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(width))),
        UnOp::SwapBytes => a.swap_bytes() >> unused,
        UnOp::ReverseBits => a.reverse_bits() >> unused,
    }
}

#[inline(always)]
pub fn cast(op: CastOp, from: u8, to: u8, a: u64) -> u64 {
    match op {
        CastOp::ZExt => a,
        CastOp::SExt => signed(a, from) as u64 & mask(to),
        CastOp::Trunc => a & mask(to),
    }
}

/// The lowest `width` bits set, for up to 128 bits.
pub fn mask_wide(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// The lowest `width` bits as a signed number.
pub fn signed_wide(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// As [`binary`], for 65 to 128 bits.
pub fn binary_wide(op: BinOp, width: u8, a: u128, b: u128) -> u128 {
    let amount = (b & 127) as u32;
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << amount,
        BinOp::LShr => a >> amount,
        BinOp::AShr => (signed_wide(a, width) >> amount) as u128,
        BinOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinOp::URem => a.checked_rem(b).unwrap_or(0),
        BinOp::SDiv => signed_wide(a, width).checked_div(signed_wide(b, width)).unwrap_or(0) as u128,
        BinOp::SRem => signed_wide(a, width).checked_rem(signed_wide(b, width)).unwrap_or(0) as u128,
    };
    result & mask_wide(width)
}

/// As [`compare`], for 65 to 128 bits.
pub fn compare_wide(op: CmpOp, width: u8, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed_wide(a, width), signed_wide(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}
