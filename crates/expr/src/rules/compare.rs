//! Rules for comparisons: common terms cancel, constants move right, and bounds decide.
//!
//! Comparisons with a constant become strict, which gives a condition and its negation one normal form each.

use super::{Entry, OfAnyBinary, OfBinary, RuleId::*, ex, rule};
use crate::arith::wide;
use crate::expr::{Expr, Width};
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

pub(super) static EQ: &[Entry<OfBinary>] = &[
    rule(EqSelf, "x == x → true", |p, a, b| (a == b).then(|| p.bool(true)), &[ex!(w: (eq x x))], &[ex!(w: (eq x y))]),
    rule(
        EqCondition,
        "c == true → c, c == false → !c",
        |p, a, b| {
            if p.is_true(b) { Some(a) } else { p.is_false(b).then(|| p.not(a)) }
        },
        &[ex!(w: (eq c {1: 1})), ex!(w: (eq c {0: 1}))],
        &[ex!(w: (eq x {1})), ex!(w: (eq c d))],
    ),
    rule(
        EqRange,
        "x == y → false where their bounds exclude it",
        |p, a, b| {
            let (x, y) = (p.range(a), p.range(b));
            (x.1 < y.0 || y.1 < x.0).then(|| p.bool(false))
        },
        &[ex!(w: (eq (zext x (2 * w)) {(1u128 << w): 2 * w}))],
        &[ex!(w: (eq (zext x (2 * w)) {5: 2 * w})), ex!(w: (eq x y))],
    ),
    rule(
        EqNot,
        "~x == ~y → x == y, ~x == c → x == ~c",
        |p, a, b| {
            let x = p.operand(UnaryOp::Not, a)?;
            let y = match p.as_const(b) {
                Some(value) => p.constant(p.width(b), !value),
                None => p.operand(UnaryOp::Not, b)?,
            };
            Some(p.eq(x, y))
        },
        &[ex!(w: (eq (not x) (not y))), ex!(w: (eq (not x) {5}))],
        &[ex!(w: (eq (not x) y))],
    ),
    rule(
        EqNeg,
        "-x == -y → x == y, -x == c → x == -c",
        |p, a, b| {
            let x = p.operand(UnaryOp::Neg, a)?;
            let y = match p.as_const(b) {
                Some(value) => p.constant(p.width(b), value.wrapping_neg()),
                None => p.operand(UnaryOp::Neg, b)?,
            };
            Some(p.eq(x, y))
        },
        &[ex!(w: (eq (neg x) (neg y))), ex!(w: (eq (neg x) {5}))],
        &[ex!(w: (eq (neg x) y))],
    ),
    rule(
        EqAddConstant,
        "x + c == d → x == d - c, c - x == d → x == c - d",
        |p, a, b| {
            let d = p.as_const(b)?;
            let (x, value) = match *p.stored(a) {
                Stored::Binary { op: BinaryOp::Add, a: x, b: c } => (x, d.wrapping_sub(p.as_const(c)?)),
                Stored::Binary { op: BinaryOp::Sub, a: c, b: x } => (x, p.as_const(c)?.wrapping_sub(d)),
                _ => return None,
            };
            let value = p.constant(p.width(x), value);
            Some(p.eq(x, value))
        },
        &[ex!(w: (eq (add x {3}) {2})), ex!(w: (eq (sub {3} x) {9}))],
        &[ex!(w: (eq (add x y) {2})), ex!(w: (eq (mul x {3}) {2}))],
    ),
    rule(
        EqAddCancel,
        "x + y == x + z → y == z, x + y == x → y == 0",
        |p, a, b| {
            let width = p.width(a);
            let sum = |p: &Pool, e| p.operands(BinaryOp::Add, e);
            if let Some((x, y)) = sum(p, a) {
                if let Some((u, v)) = sum(p, b) {
                    let pairs = [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)];
                    let (_, left, _, right) = pairs.into_iter().find(|&(common, _, other, _)| common == other)?;
                    return Some(p.eq(left, right));
                }
                let rest = if x == b { Some(y) } else { (y == b).then_some(x) };
                if let Some(rest) = rest {
                    let zero = p.zero(width);
                    return Some(p.eq(rest, zero));
                }
            }
            let (u, v) = sum(p, b)?;
            let rest = if u == a { Some(v) } else { (v == a).then_some(u) }?;
            let zero = p.zero(width);
            Some(p.eq(rest, zero))
        },
        &[
            ex!(w: (eq (add x y) (add x z))),
            ex!(w: (eq (add y x) (add z x))),
            ex!(w: (eq (add x y) x)),
            ex!(w: (eq y (add x y))),
        ],
        &[ex!(w: (eq (add x y) z)), ex!(w: (eq (sub x y) x))],
    ),
    rule(
        EqSubZero,
        "x - y == 0 → x == y",
        |p, a, b| {
            let (x, y) = p.operands(BinaryOp::Sub, a)?;
            p.is_zero(b).then(|| p.eq(x, y))
        },
        &[ex!(w: (eq (sub x y) {0}))],
        &[ex!(w: (eq (sub x y) {1})), ex!(w: (eq (add x y) {0}))],
    ),
    rule(
        EqXor,
        "x ^ c == d → x == c ^ d, x ^ y == 0 → x == y",
        |p, a, b| {
            let d = p.as_const(b)?;
            let (x, y) = p.operands(BinaryOp::Xor, a)?;
            match p.as_const(y) {
                Some(c) => {
                    let value = p.constant(p.width(x), c ^ d);
                    Some(p.eq(x, value))
                }
                None => (d == 0).then(|| p.eq(x, y)),
            }
        },
        &[ex!(w: (eq (xor x {3}) {5})), ex!(w: (eq (xor x y) {0}))],
        &[ex!(w: (eq (xor x y) {1})), ex!(w: (eq (or x {3}) {5}))],
    ),
    rule(
        EqZExtConstant,
        "zext(x) == c → x == c, or false if c does not fit",
        |p, a, b| {
            let value = p.as_const(b)?;
            let x = p.zero_extended(a)?;
            let inner = p.width(x);
            if value > wide::mask(inner) {
                return Some(p.bool(false));
            }
            let value = p.constant(inner, value);
            Some(p.eq(x, value))
        },
        &[
            ex!(w: (eq (zext x (2 * w)) {5: 2 * w})),
            ex!(w: (eq (zext x (2 * w)) {(1u128 << w): 2 * w})),
            ex!(w: (eq (zext c w) {0})),
        ],
        &[ex!(w: (eq (sext x (2 * w)) {5: 2 * w})), ex!(w: (eq x {5}))],
    ),
    rule(
        EqZExt,
        "zext(x) == zext(y) → x == y at the greater of their widths",
        |p, a, b| {
            let (x, y) = (p.zero_extended(a)?, p.zero_extended(b)?);
            let width = p.width(x).max(p.width(y));
            let (x, y) = (p.zext(x, width), p.zext(y, width));
            Some(p.eq(x, y))
        },
        &[ex!(w: (eq (zext x (2 * w)) (zext y (2 * w)))), ex!(w: (eq (zext c (2 * w)) (zext y (2 * w))))],
        &[ex!(w: (eq (zext x (2 * w)) (sext y (2 * w))))],
    ),
    rule(
        EqSExtConstant,
        "sext(x) == c → x == c, or false if c does not fit",
        |p, a, b| {
            let value = p.as_const(b)?;
            let x = p.sign_extended(a)?;
            let (inner, width) = (p.width(x), p.width(a));
            if wide::signed(inner, value) != wide::signed(width, value) {
                return Some(p.bool(false));
            }
            let value = p.constant(inner, value);
            Some(p.eq(x, value))
        },
        &[
            ex!(w: (eq (sext x (2 * w)) {5: 2 * w})),
            ex!(w: (eq (sext x (2 * w)) {(-5i128): 2 * w})),
            ex!(w: (eq (sext x (2 * w)) {(1u128 << w): 2 * w})),
        ],
        &[ex!(w: (eq (zext x (2 * w)) {5: 2 * w})), ex!(w: (eq x {5}))],
    ),
    rule(
        EqSExt,
        "sext(x) == sext(y) → x == y at the greater of their widths",
        |p, a, b| {
            let (x, y) = (p.sign_extended(a)?, p.sign_extended(b)?);
            let width = p.width(x).max(p.width(y));
            let (x, y) = (p.sext(x, width), p.sext(y, width));
            Some(p.eq(x, y))
        },
        &[ex!(w: (eq (sext x (2 * w)) (sext y (2 * w)))), ex!(w: (eq (sext c (2 * w)) (sext y (2 * w))))],
        &[ex!(w: (eq (zext x (2 * w)) (sext y (2 * w))))],
    ),
    rule(
        EqConcat,
        "x:y == u:v → x == u & y == v, also for a constant",
        |p, a, b| {
            let Stored::Concat { hi: x, lo: y } = *p.stored(a) else { return None };
            let (high_width, low_width) = (p.width(x), p.width(y));
            let (u, v) = match (p.as_const(b), *p.stored(b)) {
                (Some(value), _) => (p.constant(high_width, value >> low_width), p.constant(low_width, value)),
                (None, Stored::Concat { hi, lo }) if p.width(lo) == low_width => (hi, lo),
                _ => return None,
            };
            let (high, low) = (p.eq(x, u), p.eq(y, v));
            Some(p.and(high, low))
        },
        &[ex!(w: (eq (concat x y) (concat y z))), ex!(w: (eq (concat x y) {0x1234: 2 * w}))],
        &[ex!(w: (eq (concat x c) (concat d y))), ex!(w: (eq x {5}))],
    ),
    rule(
        EqIte,
        "(if c then k else x) == l → c | x == l if k is l, !c & x == l if not, and for the other arm",
        |p, a, b| {
            let value = p.as_const(b)?;
            let Stored::Ite { c, a: x, b: y } = *p.stored(a) else { return None };
            match (p.as_const(x).map(|x| x == value), p.as_const(y).map(|y| y == value)) {
                (None, None) => None,
                (Some(x), Some(y)) => Some(choice(p, c, x, y)),
                (Some(then), None) => {
                    let other = p.eq(y, b);
                    if then {
                        Some(p.or(c, other))
                    } else {
                        let negated = p.not(c);
                        Some(p.and(negated, other))
                    }
                }
                (None, Some(otherwise)) => {
                    let then = p.eq(x, b);
                    if otherwise {
                        let negated = p.not(c);
                        Some(p.or(negated, then))
                    } else {
                        Some(p.and(c, then))
                    }
                }
            }
        },
        &[
            ex!(w: (eq (ite c {3} {4}) {3})),
            ex!(w: (eq (ite c {3} {4}) {4})),
            ex!(w: (eq (ite c {3} {4}) {5})),
            ex!(w: (eq (ite c {3} x) {3})),
            ex!(w: (eq (ite c {3} x) {4})),
            ex!(w: (eq (ite c x {3}) {3})),
            ex!(w: (eq (ite c x {3}) {4})),
        ],
        &[ex!(w: (eq (ite c x y) {3})), ex!(w: (eq (ite c {3} {4}) x))],
    ),
];

/// Rules for `<` and `<=`, unsigned and signed.
pub(super) static ORDER: &[Entry<OfAnyBinary>] = &[
    rule(
        CompareSelf,
        "x < x → false, x <= x → true",
        |p, op, a, b| (a == b).then(|| p.bool(matches!(op, BinaryOp::Ule | BinaryOp::Sle))),
        &[ex!(w: (ult x x)), ex!(w: (ule x x)), ex!(w: (slt x x)), ex!(w: (sle x x))],
        &[ex!(w: (ult x y))],
    ),
    rule(
        CompareRange,
        "x < y → true or false where their bounds decide it",
        |p, op, a, b| {
            let decided = match op {
                BinaryOp::Ult | BinaryOp::Ule => decide(op == BinaryOp::Ult, p.range(a), p.range(b)),
                _ => decide(op == BinaryOp::Slt, signed_range(p, a), signed_range(p, b)),
            };
            decided.map(|holds| p.bool(holds))
        },
        &[
            ex!(w: (ult x {0})),
            ex!(w: (ule {0} x)),
            ex!(w: (ule x {-1i128})),
            ex!(w: (ult (zext x (2 * w)) {(1u128 << w): 2 * w})),
            ex!(w: (slt (zext x (2 * w)) {(-1i128): 2 * w})),
            ex!(w: (sle x {wide::mask(w) >> 1})),
        ],
        &[ex!(w: (ult x {1})), ex!(w: (slt x {0})), ex!(w: (ult x y)), ex!(w: (ult (zext x (2 * w)) {3: 2 * w}))],
    ),
    rule(
        CompareIte,
        "(if c then k else l) < m → c, !c, true or false for constants, and on the other side",
        |p, op, a, b| {
            let width = p.width(a);
            let (c, holds_then, holds_else) = match (*p.stored(a), *p.stored(b)) {
                (Stored::Ite { c, a: x, b: y }, _) => {
                    let (x, y, k) = (p.as_const(x)?, p.as_const(y)?, p.as_const(b)?);
                    (c, wide::binary(op, width, x, k), wide::binary(op, width, y, k))
                }
                (_, Stored::Ite { c, a: x, b: y }) => {
                    let (x, y, k) = (p.as_const(x)?, p.as_const(y)?, p.as_const(a)?);
                    (c, wide::binary(op, width, k, x), wide::binary(op, width, k, y))
                }
                _ => return None,
            };
            Some(choice(p, c, holds_then != 0, holds_else != 0))
        },
        &[
            ex!(w: (ult (ite c {3} {4}) {4})),
            ex!(w: (ule {4} (ite c {3} {4}))),
            ex!(w: (slt (ite c {-3i128} {4}) {0})),
            ex!(w: (sle (ite c {3} {4}) {9})),
        ],
        &[ex!(w: (ult (ite c x {4}) {4})), ex!(w: (ult (ite c {3} {4}) x))],
    ),
    rule(
        SignedToUnsigned,
        "signed x < y → unsigned x < y where neither is ever negative",
        |p, op, a, b| {
            let unsigned = match op {
                BinaryOp::Slt => BinaryOp::Ult,
                BinaryOp::Sle => BinaryOp::Ule,
                _ => return None,
            };
            (p.is_non_negative(a) && p.is_non_negative(b)).then(|| p.binary(unsigned, a, b))
        },
        &[ex!(w: (slt (zext x (2 * w)) (zext y (2 * w)))), ex!(w: (sle {5: 2 * w} (zext y (2 * w))))],
        &[ex!(w: (slt x y)), ex!(w: (ult (zext x (2 * w)) (zext y (2 * w))))],
    ),
    rule(
        CompareStrict,
        "x <= c → x < c + 1, c <= x → c - 1 < x, unless that overflows",
        |p, op, a, b| {
            let width = p.width(a);
            let (strict, least, greatest) = match op {
                BinaryOp::Ule => (BinaryOp::Ult, 0, wide::mask(width)),
                BinaryOp::Sle => (BinaryOp::Slt, 1 << (width - 1), wide::mask(width) >> 1),
                _ => return None,
            };
            if let Some(c) = p.as_const(b).filter(|&c| c != greatest) {
                let next = p.constant(width, c.wrapping_add(1));
                return Some(p.binary(strict, a, next));
            }
            let c = p.as_const(a).filter(|&c| c != least)?;
            let previous = p.constant(width, c.wrapping_sub(1));
            Some(p.binary(strict, previous, b))
        },
        &[ex!(w: (ule x {5})), ex!(w: (ule {5} x)), ex!(w: (sle x {-1i128})), ex!(w: (sle {0} x))],
        &[
            ex!(w: (ule x {-1i128})),
            ex!(w: (ule {0} x)),
            ex!(w: (sle {1u128 << (w - 1)} x)),
            ex!(w: (sle x {wide::mask(w) >> 1})),
            ex!(w: (ule x y)),
            ex!(w: (ult x {5})),
        ],
    ),
    rule(
        CompareSingle,
        "x < c → x == k or x != k where the bounds of x leave one value on one side",
        |p, op, a, b| {
            if op != BinaryOp::Ult {
                return None;
            }
            let (e, constant, (low, high)) = match (p.as_const(a), p.as_const(b)) {
                (None, Some(_)) => (a, b, p.range(a)),
                (Some(_), None) => (b, a, p.range(b)),
                _ => return None,
            };
            let c = p.as_const(constant)?;
            let width = p.width(a);
            // The only value for which it holds, or for which it does not.
            let (only, holds) = if e == a {
                if low.checked_add(1) == Some(c) {
                    (low, true)
                } else if high == c {
                    (high, false)
                } else {
                    return None;
                }
            } else if c.checked_add(1) == Some(high) {
                (high, true)
            } else if low == c {
                (low, false)
            } else {
                return None;
            };
            let only = p.constant(width, only);
            Some(if holds { p.eq(e, only) } else { p.ne(e, only) })
        },
        &[
            ex!(w: (ult x {1})),
            ex!(w: (ult {0} x)),
            ex!(w: (ult x {-1i128})),
            ex!(w: (ult {-2i128} x)),
            ex!(w: (ult (zext x (2 * w)) {(wide::mask(w)): 2 * w})),
        ],
        &[ex!(w: (ult x {2})), ex!(w: (ult {1} x)), ex!(w: (slt x {1})), ex!(w: (ult x y))],
    ),
    rule(
        CompareZExtConstant,
        "zext(x) < c → x < c where c fits, unsigned, and on the other side",
        |p, op, a, b| {
            if !matches!(op, BinaryOp::Ult | BinaryOp::Ule) {
                return None;
            }
            let fits = |p: &Pool, x: Expr, c: Expr| p.as_const(c).filter(|&c| c <= wide::mask(p.width(x)));
            if let Some(x) = p.zero_extended(a) {
                let c = fits(p, x, b)?;
                let c = p.constant(p.width(x), c);
                return Some(p.binary(op, x, c));
            }
            let y = p.zero_extended(b)?;
            let c = fits(p, y, a)?;
            let c = p.constant(p.width(y), c);
            Some(p.binary(op, c, y))
        },
        &[ex!(w: (ult (zext x (2 * w)) {5: 2 * w})), ex!(w: (ule {5: 2 * w} (zext x (2 * w))))],
        &[ex!(w: (slt (zext x (2 * w)) {5: 2 * w})), ex!(w: (ult (zext x (2 * w)) {(1u128 << w): 2 * w}))],
    ),
    rule(
        CompareSExtConstant,
        "sext(x) < c → x < c where c fits, or decided where it does not, signed, and on the other side",
        |p, op, a, b| {
            if !matches!(op, BinaryOp::Slt | BinaryOp::Sle) {
                return None;
            }
            let (extended, constant) = if p.sign_extended(a).is_some() { (a, b) } else { (b, a) };
            let x = p.sign_extended(extended)?;
            let c = p.as_const(constant)?;
            let (inner, width) = (p.width(x), p.width(a));
            if wide::signed(inner, c) != wide::signed(width, c) {
                let constant_is_greater = wide::signed(width, c) >= 0;
                return Some(p.bool(constant_is_greater == (extended == a)));
            }
            let c = p.constant(inner, c);
            Some(if extended == a { p.binary(op, x, c) } else { p.binary(op, c, x) })
        },
        &[
            ex!(w: (slt (sext x (2 * w)) {5: 2 * w})),
            ex!(w: (sle {(-5i128): 2 * w} (sext x (2 * w)))),
            ex!(w: (slt (sext x (2 * w)) {(1u128 << w): 2 * w})),
            ex!(w: (slt (sext x (2 * w)) {(-1i128 << w): 2 * w})),
            ex!(w: (slt {(1u128 << w): 2 * w} (sext x (2 * w)))),
        ],
        &[ex!(w: (ult (sext x (2 * w)) {5: 2 * w})), ex!(w: (slt (zext x (2 * w)) {5: 2 * w}))],
    ),
    rule(
        CompareExtended,
        "zext(x) < zext(y) → x < y unsigned, sext(x) < sext(y) → x < y, at the greater of their widths",
        |p, op, a, b| {
            let greater = |p: &Pool, x: Expr, y: Expr| -> Width { p.width(x).max(p.width(y)) };
            let unsigned = matches!(op, BinaryOp::Ult | BinaryOp::Ule);
            if let (Some(x), Some(y), true) = (p.zero_extended(a), p.zero_extended(b), unsigned) {
                let width = greater(p, x, y);
                let (x, y) = (p.zext(x, width), p.zext(y, width));
                return Some(p.binary(op, x, y));
            }
            let (x, y) = (p.sign_extended(a)?, p.sign_extended(b)?);
            let width = greater(p, x, y);
            let (x, y) = (p.sext(x, width), p.sext(y, width));
            Some(p.binary(op, x, y))
        },
        &[
            ex!(w: (ult (zext x (2 * w)) (zext y (2 * w)))),
            ex!(w: (ule (zext c (2 * w)) (zext y (2 * w)))),
            ex!(w: (slt (sext x (2 * w)) (sext y (2 * w)))),
            ex!(w: (ult (sext x (2 * w)) (sext y (2 * w)))),
            ex!(w: (sle (sext x (2 * w)) (sext c (2 * w)))),
        ],
        &[ex!(w: (ult (zext x (2 * w)) (sext y (2 * w)))), ex!(w: (slt (zext x (2 * w)) (zext y (2 * w))))],
    ),
];

/// The condition that is `holds_then` if `c` and `holds_else` if not.
fn choice(p: &mut Pool, c: Expr, holds_then: bool, holds_else: bool) -> Expr {
    match (holds_then, holds_else) {
        (true, false) => c,
        (false, true) => p.not(c),
        (both, _) => p.bool(both),
    }
}

/// Whether `x < y` (or `x <= y` if not strict), if the bounds decide it.
fn decide<T: Ord>(strict: bool, x: (T, T), y: (T, T)) -> Option<bool> {
    let (always, never) = if strict { (x.1 < y.0, x.0 >= y.1) } else { (x.1 <= y.0, x.0 > y.1) };
    if always { Some(true) } else { never.then_some(false) }
}

/// Signed bounds, from the unsigned ones.
fn signed_range(p: &Pool, e: Expr) -> (i128, i128) {
    let width = p.width(e);
    let (low, high) = p.range(e);
    let (low, high) = (wide::signed(width, low), wide::signed(width, high));
    if low <= high { (low, high) } else { (wide::signed(width, 1 << (width - 1)), (wide::mask(width) >> 1) as i128) }
}
