//! Rules for if-then-else; between constants, it is often equivalent to a condition.

use super::{Entry, OfIte, RuleId::*, ex, rule};
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

pub(super) static ITE: &[Entry<OfIte>] = &[
    rule(
        IteConstant,
        "if true then x else y → x",
        |p, c, a, b| p.as_const(c).map(|holds| if holds != 0 { a } else { b }),
        &[ex!(w: (ite {1: 1} x y)), ex!(w: (ite {0: 1} x y))],
        &[ex!(w: (ite c x y))],
    ),
    rule(
        IteSame,
        "if c then x else x → x",
        |_, _, a, b| (a == b).then_some(a),
        &[ex!(w: (ite c x x))],
        &[ex!(w: (ite c x y))],
    ),
    rule(
        IteNot,
        "if !c then x else y → if c then y else x",
        |p, c, a, b| {
            let c = p.operand(UnaryOp::Not, c)?;
            Some(p.ite(c, b, a))
        },
        &[ex!(w: (ite (not c) x y))],
        &[ex!(w: (ite c (not x) y))],
    ),
    rule(
        IteCondition,
        "if c then true else d → c | d, and so on, for conditions",
        |p, c, a, b| {
            if p.width(a) != 1 {
                return None;
            }
            if p.is_true(a) || a == c {
                Some(p.or(c, b))
            } else if p.is_false(b) || b == c {
                Some(p.and(c, a))
            } else if p.is_false(a) {
                let negated = p.not(c);
                Some(p.and(negated, b))
            } else if p.is_true(b) {
                let negated = p.not(c);
                Some(p.or(negated, a))
            } else {
                None
            }
        },
        &[
            ex!(w: (ite c {1: 1} d)),
            ex!(w: (ite c d {0: 1})),
            ex!(w: (ite c {0: 1} d)),
            ex!(w: (ite c d {1: 1})),
            ex!(w: (ite c c d)),
            ex!(w: (ite c d c)),
            ex!(w: (ite c {1: 1} {0: 1})),
            ex!(w: (ite c {0: 1} {1: 1})),
        ],
        &[ex!(w: (ite c {1} {0})), ex!(w: (ite c d (not d)))],
    ),
    rule(
        IteExtend,
        "if c then 1 else 0 → zext(c), if c then -1 else 0 → sext(c), and with !c",
        |p, c, a, b| {
            let width = p.width(a);
            if width == 1 || !p.is_constant(a) || !p.is_constant(b) {
                return None;
            }
            let (condition, value) = if p.is_zero(b) {
                (c, a)
            } else if p.is_zero(a) {
                (p.not(c), b)
            } else {
                return None;
            };
            if p.as_const(value) == Some(1) {
                Some(p.zext(condition, width))
            } else if p.is_ones(value) {
                Some(p.sext(condition, width))
            } else {
                None
            }
        },
        &[ex!(w: (ite c {1} {0})), ex!(w: (ite c {0} {1})), ex!(w: (ite c {-1i128} {0})), ex!(w: (ite c {0} {-1i128}))],
        &[ex!(w: (ite c {2} {0})), ex!(w: (ite c {1} {2})), ex!(w: (ite c x {0}))],
    ),
    rule(
        IteNested,
        "if c then (if c then x else y) else z → if c then x else z, and in the other arm",
        |p, c, a, b| {
            let chosen = |e, then: bool| match *p.stored(e) {
                Stored::Ite { c: inner, a, b } if inner == c => Some(if then { a } else { b }),
                _ => None,
            };
            match (chosen(a, true), chosen(b, false)) {
                (None, None) => None,
                (x, y) => Some(p.ite(c, x.unwrap_or(a), y.unwrap_or(b))),
            }
        },
        &[ex!(w: (ite c (ite c x y) z)), ex!(w: (ite c x (ite c y z)))],
        &[ex!(w: (ite c (ite d x y) z)), ex!(w: (ite c x (ite d y z)))],
    ),
    rule(
        IteEqual,
        "if x == y then x else y → y",
        |p, c, a, b| {
            let (x, y) = p.operands(BinaryOp::Eq, c)?;
            (x == a && y == b || x == b && y == a).then_some(b)
        },
        &[ex!(w: (ite (eq x y) x y)), ex!(w: (ite (eq x y) y x)), ex!(w: (ite (eq x {7}) {7} x))],
        &[ex!(w: (ite (eq x y) x z)), ex!(w: (ite (ult x y) x y))],
    ),
];
