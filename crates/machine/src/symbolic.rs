//! The same operations as in `concrete`, on expressions.

use secateur_expr::{Expr, Pool, Width};
use secateur_program::{BinOp, CastOp, CmpOp, UnOp};

use crate::concrete::shift_mask;

/// An integer operation; for divisions, the check for zero and overflow has been made.
pub fn binary(pool: &mut Pool, op: BinOp, a: Expr, b: Expr) -> Expr {
    match op {
        BinOp::Add => pool.add(a, b),
        BinOp::Sub => pool.sub(a, b),
        BinOp::Mul => pool.mul(a, b),
        BinOp::UDiv => pool.udiv(a, b),
        BinOp::SDiv => pool.sdiv(a, b),
        BinOp::URem => pool.urem(a, b),
        BinOp::SRem => pool.srem(a, b),
        BinOp::And => pool.and(a, b),
        BinOp::Or => pool.or(a, b),
        BinOp::Xor => pool.xor(a, b),
        BinOp::Shl => {
            let amount = masked_amount(pool, b);
            pool.shl(a, amount)
        }
        BinOp::LShr => {
            let amount = masked_amount(pool, b);
            pool.lshr(a, amount)
        }
        BinOp::AShr => {
            let amount = masked_amount(pool, b);
            pool.ashr(a, amount)
        }
    }
}

/// A shift amount as the processor sees it.
fn masked_amount(pool: &mut Pool, amount: Expr) -> Expr {
    let width = pool.width(amount);
    let seen = if width > 64 { 127 } else { u128::from(shift_mask(width)) };
    if pool.unsigned_range(amount).1 <= seen {
        return amount;
    }
    let seen = pool.constant(width, seen);
    pool.and(amount, seen)
}

/// An integer comparison.
pub fn compare(pool: &mut Pool, op: CmpOp, a: Expr, b: Expr) -> Expr {
    match op {
        CmpOp::Eq => pool.eq(a, b),
        CmpOp::Ne => pool.ne(a, b),
        CmpOp::Ult => pool.ult(a, b),
        CmpOp::Ule => pool.ule(a, b),
        CmpOp::Ugt => pool.ugt(a, b),
        CmpOp::Uge => pool.uge(a, b),
        CmpOp::Slt => pool.slt(a, b),
        CmpOp::Sle => pool.sle(a, b),
        CmpOp::Sgt => pool.sgt(a, b),
        CmpOp::Sge => pool.sge(a, b),
    }
}

/// A conversion.
pub fn cast(pool: &mut Pool, op: CastOp, to: Width, a: Expr) -> Expr {
    match op {
        CastOp::ZExt => pool.zext(a, to),
        CastOp::SExt => pool.sext(a, to),
        CastOp::Trunc => pool.extract(a, 0, to),
    }
}

/// An integer operation on one value, built from simpler ones.
pub fn unary(pool: &mut Pool, op: UnOp, a: Expr) -> Expr {
    let width = pool.width(a);
    match op {
        UnOp::CountOnes => {
            let bits: Vec<Expr> = (0..width).map(|bit| pool.extract(a, bit, 1)).collect();
            let zero = pool.constant(width, 0);
            bits.into_iter().fold(zero, |sum, bit| {
                let bit = if width == 1 { bit } else { pool.zext(bit, width) };
                pool.add(sum, bit)
            })
        }
        UnOp::LeadingZeros => first_set(pool, a, (0..width).collect()),
        UnOp::TrailingZeros => first_set(pool, a, (0..width).rev().collect()),
        UnOp::SwapBytes => reversed(pool, a, 8),
        UnOp::ReverseBits => reversed(pool, a, 1),
    }
}

/// How many bits come before the first set one in the reverse of `order`; the width if none is set.
///
/// Built from the last bit asked to the first: each set bit overrides what the bits after it say.
fn first_set(pool: &mut Pool, a: Expr, order: Vec<u8>) -> Expr {
    let width = pool.width(a);
    let mut result = pool.constant(width, u128::from(width));
    for (index, bit) in order.into_iter().enumerate() {
        let set = pool.extract(a, bit, 1);
        let count = pool.constant(width, u128::from(width) - 1 - index as u128);
        result = pool.ite(set, count, result);
    }
    result
}

/// The pieces of `piece` bits each in reverse order.
fn reversed(pool: &mut Pool, a: Expr, piece: u8) -> Expr {
    let mut result = pool.extract(a, 0, piece);
    for low in (piece..pool.width(a)).step_by(piece as usize) {
        let next = pool.extract(a, low, piece);
        result = pool.concat(result, next);
    }
    result
}
