//! Rules for products, quotients and remainders: powers of two become shifts and masks, and signed operations on
//! non-negative values become unsigned.

use super::{Entry, OfBinary, RuleId::*, ex, rule};
use crate::expr::Expr;
use crate::op::BinaryOp;
use crate::pool::Pool;

pub(super) static MUL: &[Entry<OfBinary>] = &[
    rule(
        MulZero,
        "x * 0 → 0",
        |p, _, b| p.is_zero(b).then_some(b),
        &[ex!(w: (mul x {0}))],
        &[ex!(w: (mul x {1})), ex!(w: (mul x y))],
    ),
    rule(
        MulOne,
        "x * 1 → x",
        |p, a, b| (p.as_const(b) == Some(1)).then_some(a),
        &[ex!(w: (mul x {1}))],
        &[ex!(w: (mul x {3}))],
    ),
    rule(
        MulMinusOne,
        "x * -1 → -x",
        |p, a, b| p.is_ones(b).then(|| p.neg(a)),
        &[ex!(w: (mul x {-1i128}))],
        &[ex!(w: (mul x {-2i128}))],
    ),
    rule(
        MulPowerOfTwo,
        "x * 2^n → x << n",
        |p, a, b| {
            let shift = power_of_two(p, b)?;
            Some(p.shl(a, shift))
        },
        &[ex!(w: (mul x {2})), ex!(w: (mul x {64})), ex!(w: (mul x {1u64 << (w - 1)}))],
        &[ex!(w: (mul x {0})), ex!(w: (mul x {6})), ex!(w: (mul x y))],
    ),
    rule(
        MulConstants,
        "(x * c) * d → x * (c * d)",
        |p, a, b| {
            let d = p.as_const(b)?;
            let (x, c) = p.with_constant(BinaryOp::Mul, a)?;
            let product = p.constant(p.width(x), c.wrapping_mul(d));
            Some(p.mul(x, product))
        },
        &[ex!(w: (mul (mul x {3}) {100}))],
        &[ex!(w: (mul (mul x y) {3})), ex!(w: (mul (add x {3}) {3}))],
    ),
];

pub(super) static UDIV: &[Entry<OfBinary>] = &[
    rule(
        UDivZero,
        "x / 0 → -1, unsigned",
        |p, _, b| p.is_zero(b).then(|| p.ones(p.width(b))),
        &[ex!(w: (udiv x {0}))],
        &[ex!(w: (udiv {0} x))],
    ),
    rule(
        UDivPowerOfTwo,
        "x / 2^n → x >> n, unsigned",
        |p, a, b| {
            let shift = power_of_two(p, b)?;
            Some(p.lshr(a, shift))
        },
        &[ex!(w: (udiv x {1})), ex!(w: (udiv x {8})), ex!(w: (udiv x {1u64 << (w - 1)}))],
        &[ex!(w: (udiv x {7})), ex!(w: (udiv x {0})), ex!(w: (sdiv x {8}))],
    ),
    rule(
        UDivSmall,
        "x / y → 0 where x < y always, unsigned",
        |p, a, b| (p.range(a).1 < p.range(b).0).then(|| p.zero(p.width(a))),
        &[ex!(w: (udiv (zext x (2 * w)) {(1u128 << w): 2 * w}))],
        &[ex!(w: (udiv x y)), ex!(w: (udiv (zext x (2 * w)) {((1u128 << w) - 1): 2 * w}))],
    ),
];

pub(super) static SDIV: &[Entry<OfBinary>] = &[
    rule(
        SDivUnit,
        "x / 1 → x, x / -1 → -x, signed",
        |p, a, b| {
            if p.as_const(b) == Some(1) { Some(a) } else { p.is_ones(b).then(|| p.neg(a)) }
        },
        &[ex!(w: (sdiv x {1})), ex!(w: (sdiv x {-1i128}))],
        &[ex!(w: (sdiv x {2})), ex!(w: (sdiv {1} x))],
    ),
    rule(
        SDivNonNegative,
        "signed x / y → unsigned x / y where neither is ever negative",
        |p, a, b| (p.is_non_negative(a) && p.is_non_negative(b)).then(|| p.udiv(a, b)),
        &[ex!(w: (sdiv (zext x (2 * w)) {10: 2 * w})), ex!(w: (sdiv (zext x (2 * w)) (zext y (2 * w))))],
        &[ex!(w: (sdiv x {10})), ex!(w: (sdiv (zext x (2 * w)) {(-10i128): 2 * w}))],
    ),
];

pub(super) static UREM: &[Entry<OfBinary>] = &[
    rule(
        URemZero,
        "x % 0 → x, unsigned",
        |p, a, b| p.is_zero(b).then_some(a),
        &[ex!(w: (urem x {0}))],
        &[ex!(w: (urem {0} x))],
    ),
    rule(
        URemPowerOfTwo,
        "x % 2^n → x & (2^n - 1), unsigned",
        |p, a, b| {
            let value = p.as_const(b).filter(|value| value.is_power_of_two())?;
            let mask = p.constant(p.width(a), value - 1);
            Some(p.and(a, mask))
        },
        &[ex!(w: (urem x {1})), ex!(w: (urem x {8})), ex!(w: (urem x {1u64 << (w - 1)}))],
        &[ex!(w: (urem x {7})), ex!(w: (urem x {0})), ex!(w: (srem x {8}))],
    ),
    rule(
        URemSmall,
        "x % y → x where x < y always, unsigned",
        |p, a, b| (p.range(a).1 < p.range(b).0).then_some(a),
        &[ex!(w: (urem (zext x (2 * w)) {(1u128 << w): 2 * w}))],
        &[ex!(w: (urem x y)), ex!(w: (urem (zext x (2 * w)) {((1u128 << w) - 1): 2 * w}))],
    ),
];

pub(super) static SREM: &[Entry<OfBinary>] = &[
    rule(
        SRemUnit,
        "x % 1 → 0, x % -1 → 0, signed",
        |p, a, b| (p.as_const(b) == Some(1) || p.is_ones(b)).then(|| p.zero(p.width(a))),
        &[ex!(w: (srem x {1})), ex!(w: (srem x {-1i128}))],
        &[ex!(w: (srem x {2})), ex!(w: (srem {1} x))],
    ),
    rule(
        SRemNonNegative,
        "signed x % y → unsigned x % y where neither is ever negative",
        |p, a, b| (p.is_non_negative(a) && p.is_non_negative(b)).then(|| p.urem(a, b)),
        &[ex!(w: (srem (zext x (2 * w)) {10: 2 * w})), ex!(w: (srem (zext x (2 * w)) (zext y (2 * w))))],
        &[ex!(w: (srem x {10})), ex!(w: (srem (zext x (2 * w)) {(-10i128): 2 * w}))],
    ),
];

/// `n` if the value is the constant `2^n`.
fn power_of_two(p: &mut Pool, e: Expr) -> Option<Expr> {
    let value = p.as_const(e)?;
    value.is_power_of_two().then(|| p.constant(p.width(e), value.trailing_zeros().into()))
}
