//! Rules for bitwise operations, which on conditions are the logical ones.

use super::known::possible_ones;
use super::{Entry, OfAnyBinary, OfBinary, RuleId::*, ex, rule};
use crate::arith::wide;
use crate::expr::{Expr, Width};
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

pub(super) static AND: &[Entry<OfBinary>] = &[
    rule(
        AndZero,
        "x & 0 → 0",
        |p, _, b| p.is_zero(b).then_some(b),
        &[ex!(w: (and x {0})), ex!(w: (and c {0: 1}))],
        &[ex!(w: (and x {1}))],
    ),
    rule(
        AndOnes,
        "x & -1 → x",
        |p, a, b| p.is_ones(b).then_some(a),
        &[ex!(w: (and x {-1i128})), ex!(w: (and c {1: 1}))],
        &[ex!(w: (and x {1}))],
    ),
    rule(AndSelf, "x & x → x", |_, a, b| (a == b).then_some(a), &[ex!(w: (and x x))], &[ex!(w: (and x y))]),
    rule(
        AndNot,
        "x & ~x → 0",
        |p, a, b| is_complement(p, a, b).then(|| p.zero(p.width(a))),
        &[ex!(w: (and x (not x))), ex!(w: (and (not x) x))],
        &[ex!(w: (and x (not y)))],
    ),
    rule(
        AndConstants,
        "(x & c) & d → x & (c & d)",
        |p, a, b| reassociate(p, BinaryOp::And, a, b),
        &[ex!(w: (and (and x {0x55}) {0x33}))],
        &[ex!(w: (and (and x y) {0x33})), ex!(w: (and (or x {0x55}) {0x33}))],
    ),
    rule(
        AndAbsorb,
        "x & (x | y) → x, x & (x & y) → x & y",
        |p, a, b| absorb(p, BinaryOp::And, BinaryOp::Or, a, b),
        &[ex!(w: (and x (or x y))), ex!(w: (and (or y x) x)), ex!(w: (and x (and x y)))],
        &[ex!(w: (and x (or y z))), ex!(w: (and x (xor x y)))],
    ),
    rule(
        AndKnown,
        "x & c → x where c has all bits that x can have, → 0 where it has none",
        |p, a, b| {
            let mask = p.as_const(b)?;
            let ones = possible_ones(p, a);
            if ones & mask == 0 { Some(p.zero(p.width(a))) } else { (ones & !mask == 0).then_some(a) }
        },
        &[ex!(w: (and (zext x (2 * w)) {(wide::mask(w)): 2 * w})), ex!(w: (and (concat x {0}) {0x0f: 2 * w}))],
        &[ex!(w: (and x {0x0f})), ex!(w: (and (zext x (2 * w)) {0x7f: 2 * w}))],
    ),
    rule(
        AndMask,
        "x & 0..01..10..0 → the bits of x there, with zeros around",
        |p, a, b| {
            let mask = p.as_const(b)?;
            let width = p.width(a);
            let low = mask.trailing_zeros() as Width;
            let run = mask.checked_shr(low.into())?;
            let end = (128 - mask.leading_zeros()) as Width;
            if run & run.wrapping_add(1) != 0 || mask == 0 || end - low == width {
                return None;
            }
            let kept = p.extract(a, low, end - low);
            let kept = if low == 0 {
                kept
            } else {
                let zeros = p.zero(low);
                p.concat(kept, zeros)
            };
            Some(p.zext(kept, width))
        },
        &[ex!(w: (and x {1})), ex!(w: (and x {0x3c})), ex!(w: (and x {-8i128}))],
        &[ex!(w: (and x {0x55})), ex!(w: (and x {0})), ex!(w: (and x {-1i128}))],
    ),
];

pub(super) static OR: &[Entry<OfBinary>] = &[
    rule(
        OrZero,
        "x | 0 → x",
        |p, a, b| p.is_zero(b).then_some(a),
        &[ex!(w: (or x {0})), ex!(w: (or c {0: 1}))],
        &[ex!(w: (or x {1}))],
    ),
    rule(
        OrOnes,
        "x | -1 → -1",
        |p, _, b| p.is_ones(b).then_some(b),
        &[ex!(w: (or x {-1i128})), ex!(w: (or c {1: 1}))],
        &[ex!(w: (or x {1}))],
    ),
    rule(OrSelf, "x | x → x", |_, a, b| (a == b).then_some(a), &[ex!(w: (or x x))], &[ex!(w: (or x y))]),
    rule(
        OrNot,
        "x | ~x → -1",
        |p, a, b| is_complement(p, a, b).then(|| p.ones(p.width(a))),
        &[ex!(w: (or x (not x))), ex!(w: (or (not x) x))],
        &[ex!(w: (or x (not y)))],
    ),
    rule(
        OrConstants,
        "(x | c) | d → x | (c | d)",
        |p, a, b| reassociate(p, BinaryOp::Or, a, b),
        &[ex!(w: (or (or x {0x55}) {0x33}))],
        &[ex!(w: (or (or x y) {0x33})), ex!(w: (or (and x {0x55}) {0x33}))],
    ),
    rule(
        OrAbsorb,
        "x | (x & y) → x, x | (x | y) → x | y",
        |p, a, b| absorb(p, BinaryOp::Or, BinaryOp::And, a, b),
        &[ex!(w: (or x (and x y))), ex!(w: (or (and y x) x)), ex!(w: (or x (or x y)))],
        &[ex!(w: (or x (and y z))), ex!(w: (or x (xor x y)))],
    ),
];

pub(super) static XOR: &[Entry<OfBinary>] = &[
    rule(XorZero, "x ^ 0 → x", |p, a, b| p.is_zero(b).then_some(a), &[ex!(w: (xor x {0}))], &[ex!(w: (xor x {1}))]),
    rule(
        XorOnes,
        "x ^ -1 → ~x",
        |p, a, b| p.is_ones(b).then(|| p.not(a)),
        &[ex!(w: (xor x {-1i128})), ex!(w: (xor c {1: 1}))],
        &[ex!(w: (xor x {1}))],
    ),
    rule(
        XorSelf,
        "x ^ x → 0",
        |p, a, b| (a == b).then(|| p.zero(p.width(a))),
        &[ex!(w: (xor x x))],
        &[ex!(w: (xor x y))],
    ),
    rule(
        XorNot,
        "x ^ ~x → -1",
        |p, a, b| is_complement(p, a, b).then(|| p.ones(p.width(a))),
        &[ex!(w: (xor x (not x))), ex!(w: (xor (not x) x))],
        &[ex!(w: (xor x (not y)))],
    ),
    rule(
        XorConstants,
        "(x ^ c) ^ d → x ^ (c ^ d)",
        |p, a, b| reassociate(p, BinaryOp::Xor, a, b),
        &[ex!(w: (xor (xor x {0x55}) {0x33}))],
        &[ex!(w: (xor (xor x y) {0x33})), ex!(w: (xor (or x {0x55}) {0x33}))],
    ),
];

/// Rules for `&`, `|` and `^`, tried after those of the operation itself.
pub(super) static ANY: &[Entry<OfAnyBinary>] = &[
    rule(
        BitwiseZExt,
        "zext(x) ∘ zext(y) → zext(x ∘ y), also for a constant that fits",
        |p, op, a, b| {
            let x = p.zero_extended(a)?;
            let inner = p.width(x);
            let y = match p.as_const(b) {
                Some(value) if value <= wide::mask(inner) => p.constant(inner, value),
                _ => p.zero_extended(b).filter(|&y| p.width(y) == inner)?,
            };
            let combined = p.binary(op, x, y);
            Some(p.zext(combined, p.width(a)))
        },
        &[
            ex!(w: (and (zext c w) (zext d w))),
            ex!(w: (or (zext x (2 * w)) (zext y (2 * w)))),
            ex!(w: (xor (zext c w) {1})),
        ],
        &[ex!(w: (xor (zext c w) {2})), ex!(w: (or (zext x (2 * w)) (zext c (2 * w))))],
    ),
    rule(
        BitwiseSplit,
        "hi:lo ∘ y → (hi ∘ y's high bits):(lo ∘ y's low bits) where both operations vanish",
        |p, op, a, b| split(p, op, a, b).or_else(|| split(p, op, b, a)),
        &[
            ex!(w: (or (concat x {0}) (zext y (2 * w)))),
            ex!(w: (or (concat x {0}) (concat {0} y))),
            ex!(w: (and (concat x y) {(wide::mask(w)): 2 * w})),
            ex!(w: (xor (zext x (2 * w)) (concat y {0}))),
        ],
        &[ex!(w: (or (concat x y) (zext y (2 * w)))), ex!(w: (and (concat x y) {0x0f: 2 * w}))],
    ),
];

fn is_complement(p: &Pool, a: Expr, b: Expr) -> bool {
    p.operand(UnaryOp::Not, a) == Some(b) || p.operand(UnaryOp::Not, b) == Some(a)
}

/// `(x ∘ c) ∘ d → x ∘ (c ∘ d)`
fn reassociate(p: &mut Pool, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    let d = p.as_const(b)?;
    let (x, c) = p.with_constant(op, a)?;
    let width = p.width(a);
    let combined = p.constant(width, wide::binary(op, width, c, d));
    Some(p.binary(op, x, combined))
}

/// `x ∘ (x ∙ y) → x` and `x ∘ (x ∘ y) → x ∘ y`, for either order.
fn absorb(p: &Pool, op: BinaryOp, dual: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    let within =
        |whole: Expr, part: Expr, op: BinaryOp| p.operands(op, whole).is_some_and(|(x, y)| x == part || y == part);
    if within(b, a, dual) || within(a, b, op) {
        Some(a)
    } else if within(a, b, dual) || within(b, a, op) {
        Some(b)
    } else {
        None
    }
}

/// Splits at the concatenation in `a`, if in each half one operand is an absorbing or neutral constant, so that no
/// operation remains.
fn split(p: &mut Pool, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    let (hi, lo) = match *p.stored(a) {
        Stored::Concat { hi, lo } => (Some(hi), lo),
        Stored::ZExt { e, .. } => (None, e),
        _ => return None,
    };
    // Only these can be split without a new operation.
    if !matches!(p.stored(b), Stored::Concat { .. } | Stored::ZExt { .. }) && !p.is_constant(b) {
        return None;
    }
    let at = p.width(lo);
    let high_width = p.width(a) - at;
    let hi = hi.unwrap_or_else(|| p.zero(high_width));
    let vanishes = |p: &Pool, e: Expr| p.is_zero(e) || op != BinaryOp::Xor && p.is_ones(e);
    let other_lo = part(p, b, 0, at);
    if !vanishes(p, lo) && !vanishes(p, other_lo) {
        return None;
    }
    let other_hi = part(p, b, at, high_width);
    if !vanishes(p, hi) && !vanishes(p, other_hi) {
        return None;
    }
    let high = trivial(p, op, hi, other_hi);
    let low = trivial(p, op, lo, other_lo);
    Some(p.concat(high, low))
}

/// An extraction, which is folded on constants even if the pool does not fold them.
fn part(p: &mut Pool, e: Expr, low: u8, width: Width) -> Expr {
    match *p.stored(e) {
        Stored::Concat { lo, .. } if low == 0 && p.width(lo) == width => lo,
        Stored::Concat { hi, lo } if p.width(lo) == low && p.width(hi) == width => hi,
        Stored::ZExt { e, .. } if low == 0 && p.width(e) == width => e,
        Stored::ZExt { e, .. } if low >= p.width(e) => p.zero(width),
        _ => match p.as_const(e) {
            Some(value) => p.constant(width, value >> low),
            None => p.extract(e, low, width),
        },
    }
}

/// `a ∘ b` where one of them is zero or, except for `^`, all ones.
fn trivial(p: &mut Pool, op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (constant, other) = if p.is_zero(a) || p.is_ones(a) && !p.is_zero(b) { (a, b) } else { (b, a) };
    match (op, p.is_zero(constant)) {
        (BinaryOp::And, true) | (BinaryOp::Or, false) => constant,
        (BinaryOp::And, false) | (BinaryOp::Or | BinaryOp::Xor, true) => other,
        _ => p.binary(op, other, constant),
    }
}
