//! Rules for extensions to a greater width.

use super::{Entry, OfExtend, RuleId::*, ex, rule};
use crate::arith::wide;
use crate::expr::{Expr, Width};
use crate::node::Stored;
use crate::pool::Pool;

pub(super) static ZEXT: &[Entry<OfExtend>] = &[
    rule(
        ZExtZExt,
        "zext(zext(x)) → zext(x)",
        |p, e, width| {
            let x = p.zero_extended(e)?;
            Some(p.zext(x, width))
        },
        &[ex!(w: (zext (zext c w) (2 * w)))],
        &[ex!(w: (zext (sext c w) (2 * w)))],
    ),
    rule(
        ZExtIte,
        "zext(if c then k else l) → if c then zext(k) else zext(l) for constants",
        |p, e, width| extend_choice(p, e, width, |_, value| value),
        &[ex!(w: (zext (ite c {3} {200}) (2 * w)))],
        &[ex!(w: (zext (ite c x {200}) (2 * w))), ex!(w: (sext (ite c {3} {200}) (2 * w)))],
    ),
];

pub(super) static SEXT: &[Entry<OfExtend>] = &[
    rule(
        SExtSExt,
        "sext(sext(x)) → sext(x)",
        |p, e, width| {
            let x = p.sign_extended(e)?;
            Some(p.sext(x, width))
        },
        &[ex!(w: (sext (sext c w) (2 * w)))],
        &[ex!(w: (sext (zext c w) (2 * w)))],
    ),
    rule(
        SExtNonNegative,
        "sext(x) → zext(x) where x is never negative",
        |p, e, width| p.is_non_negative(e).then(|| p.zext(e, width)),
        &[ex!(w: (sext (zext c w) (2 * w))), ex!(w: (sext (udiv x {2}) (2 * w)))],
        &[ex!(w: (sext x (2 * w)))],
    ),
    rule(
        SExtIte,
        "sext(if c then k else l) → if c then sext(k) else sext(l) for constants",
        |p, e, width| extend_choice(p, e, width, |from, value| wide::signed(from, value) as u128),
        &[ex!(w: (sext (ite c {3} {200}) (2 * w)))],
        &[ex!(w: (sext (ite c x {200}) (2 * w))), ex!(w: (zext (ite c {3} {200}) (2 * w)))],
    ),
];

fn extend_choice(p: &mut Pool, e: Expr, width: Width, extend: fn(Width, u128) -> u128) -> Option<Expr> {
    let Stored::Ite { c, a, b } = *p.stored(e) else { return None };
    let from = p.width(e);
    let (a, b) = (p.as_const(a)?, p.as_const(b)?);
    let (a, b) = (p.constant(width, extend(from, a)), p.constant(width, extend(from, b)));
    Some(p.ite(c, a, b))
}
