//! Rules for shifts. A shift by a constant selects bits, so it becomes an extraction, which combines with other
//! operations.

use super::{Entry, OfBinary, RuleId::*, ex, rule};
use crate::expr::{Expr, Width};
use crate::pool::Pool;

pub(super) static SHL: &[Entry<OfBinary>] = &[
    rule(ShlOfZero, "0 << x → 0", |p, a, _| p.is_zero(a).then_some(a), &[ex!(w: (shl {0} x))], &[ex!(w: (shl {1} x))]),
    rule(
        ShlConstant,
        "x << n → low bits of x, then n zeros",
        |p, a, b| {
            let width = p.width(a);
            match distance(p, b)? {
                0 => Some(a),
                n if n >= width => Some(p.zero(width)),
                n => {
                    let kept = p.extract(a, 0, width - n);
                    let zeros = p.zero(n);
                    Some(p.concat(kept, zeros))
                }
            }
        },
        &[ex!(w: (shl x {0})), ex!(w: (shl x {3})), ex!(w: (shl x {w})), ex!(w: (shl x {-1i128}))],
        &[ex!(w: (shl x y)), ex!(w: (shl {3} y))],
    ),
];

pub(super) static LSHR: &[Entry<OfBinary>] = &[
    rule(
        LShrOfZero,
        "0 >> x → 0",
        |p, a, _| p.is_zero(a).then_some(a),
        &[ex!(w: (lshr {0} x))],
        &[ex!(w: (lshr {1} x))],
    ),
    rule(
        LShrConstant,
        "x >> n → high bits of x, zero-extended",
        |p, a, b| {
            let width = p.width(a);
            match distance(p, b)? {
                0 => Some(a),
                n if n >= width => Some(p.zero(width)),
                n => {
                    let kept = p.extract(a, n, width - n);
                    Some(p.zext(kept, width))
                }
            }
        },
        &[ex!(w: (lshr x {0})), ex!(w: (lshr x {3})), ex!(w: (lshr x {w})), ex!(w: (lshr x {-1i128}))],
        &[ex!(w: (lshr x y)), ex!(w: (lshr {3} y))],
    ),
];

pub(super) static ASHR: &[Entry<OfBinary>] = &[
    rule(
        AShrOfZero,
        "0 >> x → 0, arithmetic",
        |p, a, _| p.is_zero(a).then_some(a),
        &[ex!(w: (ashr {0} x))],
        &[ex!(w: (ashr {-1i128} x))],
    ),
    rule(
        AShrConstant,
        "x >> n → high bits of x, sign-extended, arithmetic",
        |p, a, b| {
            let width = p.width(a);
            match distance(p, b)? {
                0 => Some(a),
                n => {
                    let n = n.min(width - 1);
                    let kept = p.extract(a, n, width - n);
                    Some(p.sext(kept, width))
                }
            }
        },
        &[ex!(w: (ashr x {0})), ex!(w: (ashr x {3})), ex!(w: (ashr x {w})), ex!(w: (ashr x {-1i128}))],
        &[ex!(w: (ashr x y)), ex!(w: (ashr {3} y))],
    ),
    rule(
        AShrNonNegative,
        "x >> y arithmetic → logical where x is never negative",
        |p, a, b| p.is_non_negative(a).then(|| p.lshr(a, b)),
        &[ex!(w: (ashr (zext x (2 * w)) (zext y (2 * w))))],
        &[ex!(w: (ashr x y))],
    ),
];

/// A constant distance, at most the greatest width.
fn distance(p: &Pool, e: Expr) -> Option<Width> {
    p.as_const(e).map(|n| n.min(crate::expr::MAX_WIDTH.into()) as Width)
}
