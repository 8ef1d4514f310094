//! Rules for sums and differences: constants are combined and moved outwards, so that offsets from the same base can be
//! compared.

use super::{Entry, OfBinary, RuleId::*, ex, rule};
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

pub(super) static ADD: &[Entry<OfBinary>] = &[
    rule(
        AddZero,
        "x + 0 → x",
        |p, a, b| p.is_zero(b).then_some(a),
        &[ex!(w: (add x {0}))],
        &[ex!(w: (add x {1})), ex!(w: (add x y))],
    ),
    rule(
        AddConstants,
        "(x + c) + d → x + (c + d)",
        |p, a, b| {
            let d = p.as_const(b)?;
            let (x, c) = p.with_constant(BinaryOp::Add, a)?;
            let sum = p.constant(p.width(x), c.wrapping_add(d));
            Some(p.add(x, sum))
        },
        &[ex!(w: (add (add x {3}) {4})), ex!(w: (add (add x {3}) {-3i128}))],
        &[ex!(w: (add (add x y) {4})), ex!(w: (add (add x {4}) y))],
    ),
    rule(
        AddSubConstant,
        "(c - x) + d → (c + d) - x",
        |p, a, b| {
            let d = p.as_const(b)?;
            let (c, x) = p.operands(BinaryOp::Sub, a)?;
            let sum = p.as_const(c)?.wrapping_add(d);
            let sum = p.constant(p.width(x), sum);
            Some(p.sub(sum, x))
        },
        &[ex!(w: (add (sub {3} x) {4}))],
        &[ex!(w: (add (sub x {3}) {4})), ex!(w: (add (sub {3} x) y))],
    ),
    rule(
        AddConstantOut,
        "(x + c) + y → (x + y) + c",
        |p, a, b| {
            let (inner, other) = if p.with_constant(BinaryOp::Add, a).is_some() { (a, b) } else { (b, a) };
            let (x, c) = p.operands(BinaryOp::Add, inner)?;
            if !p.is_constant(c) || p.is_constant(other) {
                return None;
            }
            let sum = p.add(x, other);
            Some(p.add(sum, c))
        },
        &[ex!(w: (add (add x {3}) y)), ex!(w: (add y (add x {3})))],
        &[ex!(w: (add (add x y) z)), ex!(w: (add (add x {3}) {4}))],
    ),
    rule(
        AddNeg,
        "x + -y → x - y",
        |p, a, b| match (p.operand(UnaryOp::Neg, a), p.operand(UnaryOp::Neg, b)) {
            (_, Some(y)) => Some(p.sub(a, y)),
            (Some(x), None) => Some(p.sub(b, x)),
            (None, None) => None,
        },
        &[ex!(w: (add x (neg y))), ex!(w: (add (neg x) y))],
        &[ex!(w: (add x (not y)))],
    ),
    rule(
        AddSub,
        "(x - y) + y → x",
        |p, a, b| {
            let difference = |e, other| p.operands(BinaryOp::Sub, e).filter(|&(_, y)| y == other).map(|(x, _)| x);
            difference(a, b).or_else(|| difference(b, a))
        },
        &[ex!(w: (add (sub x y) y)), ex!(w: (add y (sub x y)))],
        &[ex!(w: (add (sub x y) x))],
    ),
];

pub(super) static SUB: &[Entry<OfBinary>] = &[
    rule(SubZero, "x - 0 → x", |p, a, b| p.is_zero(b).then_some(a), &[ex!(w: (sub x {0}))], &[ex!(w: (sub {0} x))]),
    rule(
        SubSelf,
        "x - x → 0",
        |p, a, b| (a == b).then(|| p.zero(p.width(a))),
        &[ex!(w: (sub x x))],
        &[ex!(w: (sub x y))],
    ),
    rule(
        SubConstant,
        "x - c → x + -c",
        |p, a, b| {
            let negated = p.as_const(b)?.wrapping_neg();
            let negated = p.constant(p.width(a), negated);
            Some(p.add(a, negated))
        },
        &[ex!(w: (sub x {3}))],
        &[ex!(w: (sub {3} x)), ex!(w: (sub x y))],
    ),
    rule(
        SubFromZero,
        "0 - x → -x",
        |p, a, b| p.is_zero(a).then(|| p.neg(b)),
        &[ex!(w: (sub {0} x))],
        &[ex!(w: (sub {1} x))],
    ),
    rule(
        SubNeg,
        "x - -y → x + y",
        |p, a, b| {
            let y = p.operand(UnaryOp::Neg, b)?;
            Some(p.add(a, y))
        },
        &[ex!(w: (sub x (neg y)))],
        &[ex!(w: (sub (neg x) y))],
    ),
    rule(
        SubAdd,
        "(x + y) - x → y, (x + y) - y → x, x - (x + y) → -y",
        |p, a, b| {
            if let Some((x, y)) = p.operands(BinaryOp::Add, a)
                && (x == b || y == b)
            {
                return Some(if x == b { y } else { x });
            }
            let (x, y) = p.operands(BinaryOp::Add, b)?;
            if x == a {
                Some(p.neg(y))
            } else if y == a {
                Some(p.neg(x))
            } else {
                None
            }
        },
        &[ex!(w: (sub (add x y) x)), ex!(w: (sub (add x y) y)), ex!(w: (sub x (add x y))), ex!(w: (sub y (add x y)))],
        &[ex!(w: (sub (add x y) z)), ex!(w: (sub z (add x y)))],
    ),
    rule(
        SubConstantOut,
        "(x + c) - y → (x - y) + c, x - (y + c) → (x - y) + -c",
        |p, a, b| {
            let width = p.width(a);
            let (difference, c) = if let Some((x, c)) = p.with_constant(BinaryOp::Add, a) {
                (p.sub(x, b), c)
            } else {
                let (y, c) = p.with_constant(BinaryOp::Add, b)?;
                (p.sub(a, y), c.wrapping_neg())
            };
            let c = p.constant(width, c);
            Some(p.add(difference, c))
        },
        &[ex!(w: (sub (add x {3}) y)), ex!(w: (sub x (add y {3}))), ex!(w: (sub {1} (add y {3})))],
        &[ex!(w: (sub (add x y) z)), ex!(w: (sub x y))],
    ),
];
