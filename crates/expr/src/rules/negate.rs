//! Rules for negations, bitwise and arithmetic.

use super::{Entry, OfUnary, RuleId::*, ex, rule};
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

pub(super) static NOT: &[Entry<OfUnary>] = &[
    rule(NotNot, "~~x → x", |p, a| p.operand(UnaryOp::Not, a), &[ex!(w: (not (not x)))], &[ex!(w: (not (neg x)))]),
    rule(
        NotCompare,
        "!(x < y) → y <= x, and so on",
        |p, a| match *p.stored(a) {
            Stored::Binary { op: BinaryOp::Ult, a, b } => Some(p.ule(b, a)),
            Stored::Binary { op: BinaryOp::Ule, a, b } => Some(p.ult(b, a)),
            Stored::Binary { op: BinaryOp::Slt, a, b } => Some(p.sle(b, a)),
            Stored::Binary { op: BinaryOp::Sle, a, b } => Some(p.slt(b, a)),
            _ => None,
        },
        &[ex!(w: (not (ult x y))), ex!(w: (not (ule x y))), ex!(w: (not (slt x y))), ex!(w: (not (sle x y)))],
        &[ex!(w: (not (eq x y))), ex!(w: (not x))],
    ),
    rule(
        NotFloatCmp,
        "!(x ? y) → x !? y on floats",
        |p, a| match *p.stored(a) {
            Stored::FloatCmp { cmp, a, b } => Some(p.float_cmp(cmp.negated(), a, b)),
            _ => None,
        },
        &[|p, _| {
            let compared = super::float::comparison(p, crate::op::FloatCmp::LESS);
            p.not(compared)
        }],
        &[ex!(w: (not (slt x y)))],
    ),
];

pub(super) static NEG: &[Entry<OfUnary>] = &[
    rule(NegNeg, "-(-x) → x", |p, a| p.operand(UnaryOp::Neg, a), &[ex!(w: (neg (neg x)))], &[ex!(w: (neg (not x)))]),
    rule(
        NegSub,
        "-(x - y) → y - x",
        |p, a| {
            let (x, y) = p.operands(BinaryOp::Sub, a)?;
            Some(p.sub(y, x))
        },
        &[ex!(w: (neg (sub x y)))],
        &[ex!(w: (neg (add x y)))],
    ),
];
