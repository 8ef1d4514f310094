//! Rules for floats. There are few: floating-point arithmetic has almost no laws.

use super::{Entry, OfFloatCmp, RuleId::*, rule};
use crate::expr::Expr;
use crate::float;
use crate::node::Stored;
use crate::op::{FloatCast, FloatCmp};
use crate::pool::Pool;

pub(super) static COMPARE: &[Entry<OfFloatCmp>] = &[
    rule(
        FloatCmpTrivial,
        "a comparison that holds for no outcome → false, for all → true",
        |p, cmp, _, _| trivial(&[cmp.less, cmp.equal, cmp.greater, cmp.unordered]).map(|holds| p.bool(holds)),
        &[
            |p, _| comparison(p, FloatCmp { less: false, equal: false, greater: false, unordered: false }),
            |p, _| comparison(p, FloatCmp { less: true, equal: true, greater: true, unordered: true }),
        ],
        &[|p, _| comparison(p, FloatCmp::LESS)],
    ),
    rule(
        FloatCmpSelf,
        "x < x → false, x == x or unordered → true, on floats",
        |p, cmp, a, b| {
            if a != b {
                return None;
            }
            trivial(&[cmp.equal, cmp.unordered]).map(|holds| p.bool(holds))
        },
        &[
            |p, _| {
                let x = p.input(0, 4);
                p.float_cmp(FloatCmp::LESS, x, x)
            },
            |p, _| {
                let x = p.input(0, 8);
                p.float_cmp(FloatCmp::LESS.negated(), x, x)
            },
        ],
        &[
            |p, _| {
                let x = p.input(0, 4);
                p.float_cmp(FloatCmp::EQUAL, x, x)
            },
            |p, _| comparison(p, FloatCmp::LESS),
        ],
    ),
    rule(
        FloatCmpWidened,
        "(double)x < (double)y → x < y, also for a constant that is a float",
        |p, cmp, a, b| {
            let (x, y) = (widened(p, a), widened(p, b));
            let (x, y) = match (x, y) {
                (Some(x), Some(y)) => (x, y),
                (Some(x), None) => (x, as_single(p, b)?),
                (None, Some(y)) => (as_single(p, a)?, y),
                (None, None) => return None,
            };
            Some(p.float_cmp(cmp, x, y))
        },
        &[
            |p, _| {
                let (x, y) = (p.input(0, 4), p.input(4, 4));
                let (x, y) = (p.float_cast(FloatCast::Float, x, 64), p.float_cast(FloatCast::Float, y, 64));
                p.float_cmp(FloatCmp::LESS, x, y)
            },
            |p, _| {
                let x = p.input(0, 4);
                let x = p.float_cast(FloatCast::Float, x, 64);
                let half = p.constant(64, 0.5f64.to_bits().into());
                p.float_cmp(FloatCmp::LESS, half, x)
            },
        ],
        &[
            |p, _| {
                let x = p.input(0, 4);
                let x = p.float_cast(FloatCast::Float, x, 64);
                let tenth = p.constant(64, 0.1f64.to_bits().into());
                p.float_cmp(FloatCmp::LESS, x, tenth)
            },
            |p, _| comparison(p, FloatCmp::LESS),
        ],
    ),
];

/// An example: two input words compared.
pub(super) fn comparison(p: &mut Pool, cmp: FloatCmp) -> Expr {
    let (x, y) = (p.input(0, 8), p.input(8, 8));
    p.float_cmp(cmp, x, y)
}

/// Their common value, if they are all the same.
fn trivial(outcomes: &[bool]) -> Option<bool> {
    outcomes.iter().all(|holds| *holds == outcomes[0]).then_some(outcomes[0])
}

/// The `float` that was converted to a `double`.
fn widened(p: &Pool, e: Expr) -> Option<Expr> {
    match *p.stored(e) {
        Stored::FloatCast { op: FloatCast::Float, width: 64, e, .. } => Some(e),
        _ => None,
    }
}

/// The constant as a `float`, if that is exact.
fn as_single(p: &mut Pool, e: Expr) -> Option<Expr> {
    let bits = p.as_const(e)? as u64;
    let single = float::cast(FloatCast::Float, 64, 32, bits);
    (float::cast(FloatCast::Float, 32, 64, single) == bits).then(|| p.constant(32, single.into()))
}
