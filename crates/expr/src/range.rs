//! Unsigned bounds of expressions, computed from those of their operands when they are built.

use crate::arith::{narrow, wide};
use crate::array::ArrayNode;
use crate::expr::{Expr, Width};
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

/// Inclusive bounds of a shape; trivial for more than 64 bits (see [`of_wide`]).
pub(crate) fn of(pool: &Pool, shape: &Stored, width: Width) -> (u64, u64) {
    if width > 64 {
        return (0, u64::MAX);
    }
    let mask = narrow::mask(width);
    let narrow_range = |e: Expr| {
        let facts = pool.facts(e);
        (facts.width <= 64).then_some((facts.low, facts.high))
    };
    let bounds = match *shape {
        Stored::Const { value, .. } => Some((value, value)),
        Stored::Unary { op, a } => narrow_range(a).and_then(|range| unary(op, mask, range)),
        Stored::Binary { op, a, b } => match (narrow_range(a), narrow_range(b)) {
            (Some(x), Some(y)) => binary(op, pool.width(a), x, y),
            _ => None,
        },
        Stored::Ite { a, b, .. } => narrow_range(a).zip(narrow_range(b)).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1))),
        Stored::Concat { hi, lo } => narrow_range(hi).zip(narrow_range(lo)).map(|(x, y)| {
            let shift = pool.width(lo);
            (x.0 << shift | y.0, x.1 << shift | y.1)
        }),
        Stored::Extract { low, width, e } => narrow_range(e).and_then(|range| extract(low, width, range)),
        Stored::ZExt { e, .. } => narrow_range(e),
        Stored::SExt { e, .. } => narrow_range(e).and_then(|range| sign_extend(pool.width(e), mask, range)),
        Stored::Select { array, .. } => match pool.array_node(array) {
            ArrayNode::Table(elements) => elements
                .iter()
                .map(|&element| narrow_range(element))
                // An index out of range gives 0.
                .try_fold((0, 0), |(low, high), range| range.map(|range| (low.min(range.0), high.max(range.1)))),
            ArrayNode::Store { .. } => None,
        },
        _ => None,
    };
    bounds.unwrap_or((0, mask))
}

/// Bounds of an expression of more than 64 bits.
pub(crate) fn of_wide(pool: &Pool, e: Expr) -> (u128, u128) {
    let all = (0, wide::mask(pool.width(e)));
    match *pool.stored(e) {
        Stored::WideConst { .. } => pool.as_const(e).map_or(all, |value| (value, value)),
        Stored::ZExt { e, .. } if pool.width(e) <= 64 => pool.range(e),
        Stored::ZExt { e, .. } => (0, wide::mask(pool.width(e))),
        _ => all,
    }
}

fn unary(op: UnaryOp, mask: u64, (low, high): (u64, u64)) -> Option<(u64, u64)> {
    match op {
        UnaryOp::Not => Some((mask - high, mask - low)),
        UnaryOp::Neg if low > 0 => Some((mask - high + 1, mask - low + 1)),
        UnaryOp::Neg if high == 0 => Some((0, 0)),
        UnaryOp::Neg => None,
    }
}

/// `width` is that of the operands.
fn binary(op: BinaryOp, width: Width, a: (u64, u64), b: (u64, u64)) -> Option<(u64, u64)> {
    let mask = narrow::mask(width);
    let fits = |low: Option<u64>, high: Option<u64>| Some((low?, high.filter(|&high| high <= mask)?));
    match op {
        BinaryOp::Add => fits(a.0.checked_add(b.0), a.1.checked_add(b.1)),
        BinaryOp::Sub if a.0 >= b.1 => Some((a.0 - b.1, a.1 - b.0)),
        BinaryOp::Mul => fits(a.0.checked_mul(b.0), a.1.checked_mul(b.1)),
        BinaryOp::UDiv if b.0 > 0 => Some((a.0 / b.1, a.1 / b.0)),
        BinaryOp::URem if b.0 > 0 && a.1 < b.0 => Some(a),
        BinaryOp::URem if b.0 > 0 => Some((0, a.1.min(b.1 - 1))),
        // The remainder of a division by zero is the dividend.
        BinaryOp::URem => Some((0, a.1)),
        BinaryOp::And => Some((0, a.1.min(b.1))),
        BinaryOp::Or => Some((a.0.max(b.0), fill(a.1 | b.1))),
        BinaryOp::Xor => Some((0, fill(a.1 | b.1))),
        BinaryOp::Shl if b.0 == b.1 && b.0 < u64::from(width) && a.1 <= mask >> b.0 => Some((a.0 << b.0, a.1 << b.0)),
        BinaryOp::LShr => {
            let shift = |value: u64, by: u64| narrow::binary(BinaryOp::LShr, width, value, by);
            Some((shift(a.0, b.1), shift(a.1, b.0)))
        }
        BinaryOp::AShr if a.1 <= mask >> 1 => binary(BinaryOp::LShr, width, a, b),
        BinaryOp::Eq if a.1 < b.0 || b.1 < a.0 => Some((0, 0)),
        BinaryOp::Ult if a.1 < b.0 => Some((1, 1)),
        BinaryOp::Ult if b.1 <= a.0 => Some((0, 0)),
        BinaryOp::Ule if a.1 <= b.0 => Some((1, 1)),
        BinaryOp::Ule if b.1 < a.0 => Some((0, 0)),
        _ => None,
    }
}

/// All bits up to the highest set one.
fn fill(value: u64) -> u64 {
    u64::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}

fn extract(low: u8, width: Width, range: (u64, u64)) -> Option<(u64, u64)> {
    let (first, last) = (range.0 >> low, range.1 >> low);
    // The bits above the extracted ones must be the same for all values in between.
    let above = |value: u64| value.checked_shr(u32::from(width)).unwrap_or(0);
    (above(first) == above(last)).then(|| (first & narrow::mask(width), last & narrow::mask(width)))
}

fn sign_extend(width: Width, mask: u64, (low, high): (u64, u64)) -> Option<(u64, u64)> {
    let greatest = narrow::mask(width) >> 1;
    let extend = |value: u64| narrow::signed(width, value) as u64 & mask;
    (high <= greatest || low > greatest).then(|| (extend(low), extend(high)))
}
