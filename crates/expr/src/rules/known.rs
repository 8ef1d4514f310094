//! Which bits of an expression may be set.

use crate::arith::wide;
use crate::expr::Expr;
use crate::node::Stored;
use crate::op::BinaryOp;
use crate::pool::Pool;

/// The bits that some input may set; all others are zero for every input.
pub(super) fn possible_ones(pool: &Pool, e: Expr) -> u128 {
    possible(pool, e, pool.tuning.bits_depth)
}

fn possible(pool: &Pool, e: Expr, depth: u32) -> u128 {
    let high = pool.range(e).1;
    let bounded = u128::MAX.checked_shr(high.leading_zeros()).unwrap_or(0);
    if depth == 0 {
        return bounded;
    }
    let below = |e: Expr| possible(pool, e, depth - 1);
    let structural = match *pool.stored(e) {
        Stored::Const { .. } | Stored::WideConst { .. } => high,
        Stored::ZExt { e, .. } => below(e),
        Stored::Concat { hi, lo } => below(hi) << pool.width(lo) | below(lo),
        Stored::Extract { low, width, e } => below(e) >> low & wide::mask(width),
        Stored::Ite { a, b, .. } => below(a) | below(b),
        Stored::Binary { op: BinaryOp::And, a, b } => below(a) & below(b),
        Stored::Binary { op: BinaryOp::Or | BinaryOp::Xor, a, b } => below(a) | below(b),
        _ => u128::MAX,
    };
    structural & bounded
}
