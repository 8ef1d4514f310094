//! The operations of `concrete` on expressions.

use secateur_expr::{Expr, Pool, Width};
use secateur_program::{BinOp, CastOp, CmpOp, UnOp};

use crate::concrete::shift_mask;

/// An integer operation; divisions were checked for zero and overflow.
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

/// The bits of a shift amount that the processor uses.
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

/// A unary integer operation.
pub fn unary(pool: &mut Pool, op: UnOp, a: Expr) -> Expr {
    match op {
        UnOp::CountOnes => pool.count_ones(a),
        UnOp::LeadingZeros => pool.leading_zeros(a),
        UnOp::TrailingZeros => pool.trailing_zeros(a),
        UnOp::SwapBytes => pool.swap_bytes(a),
        UnOp::ReverseBits => pool.reverse_bits(a),
    }
}
