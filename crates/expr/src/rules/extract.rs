//! Rules for extractions: they move down to where the bits come from.

use super::{Entry, OfExtract, RuleId::*, ex, rule};
use crate::expr::Expr;
use crate::node::Stored;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

pub(super) static EXTRACT: &[Entry<OfExtract>] = &[
    rule(
        ExtractExtract,
        "bits of bits → bits",
        |p, e, low, width| match *p.stored(e) {
            Stored::Extract { low: inner, e, .. } => Some(p.extract(e, inner + low, width)),
            _ => None,
        },
        &[ex!(w: (extract (extract x 1 6) 2 3))],
        &[ex!(w: (extract x 2 3))],
    ),
    rule(
        ExtractConcat,
        "bits of x:y → bits of x, of y, or of both",
        |p, e, low, width| match *p.stored(e) {
            Stored::Concat { hi, lo } => {
                let at = p.width(lo);
                if low >= at {
                    Some(p.extract(hi, low - at, width))
                } else if low + width <= at {
                    Some(p.extract(lo, low, width))
                } else {
                    let below = p.extract(lo, low, at - low);
                    let above = p.extract(hi, 0, low + width - at);
                    Some(p.concat(above, below))
                }
            }
            _ => None,
        },
        &[
            ex!(w: (extract (concat x y) w 3)),
            ex!(w: (extract (concat x y) 2 3)),
            ex!(w: (extract (concat x y) (w - 2) 5)),
        ],
        &[ex!(w: (extract (add x y) 2 3))],
    ),
    rule(
        ExtractZExt,
        "bits of zext(x) → bits of x, extended if some are above it",
        |p, e, low, width| {
            let x = p.zero_extended(e)?;
            let inner = p.width(x);
            if low >= inner {
                return Some(p.zero(width));
            }
            let kept = p.extract(x, low, width.min(inner - low));
            Some(p.zext(kept, width))
        },
        &[
            ex!(w: (extract (zext x (2 * w)) 2 3)),
            ex!(w: (extract (zext x (2 * w)) w 3)),
            ex!(w: (extract (zext x (2 * w)) (w - 2) 5)),
        ],
        &[ex!(w: (extract (sext x (2 * w)) 2 3))],
    ),
    rule(
        ExtractSExt,
        "bits of sext(x) → bits of x, extended if some are above it",
        |p, e, low, width| {
            let x = p.sign_extended(e)?;
            let inner = p.width(x);
            let low = low.min(inner - 1);
            let kept = p.extract(x, low, width.min(inner - low));
            Some(p.sext(kept, width))
        },
        &[
            ex!(w: (extract (sext x (2 * w)) 2 3)),
            ex!(w: (extract (sext x (2 * w)) w 3)),
            ex!(w: (extract (sext x (2 * w)) (w - 2) 5)),
        ],
        &[ex!(w: (extract (zext x (2 * w)) 2 3))],
    ),
    rule(
        ExtractInput,
        "bits of an input word → bits of the bytes that they are in",
        |p, e, low, width| match *p.stored(e) {
            Stored::Input { first, bytes } => {
                let (skipped, end) = (low / 8, (low + width).div_ceil(8));
                if end - skipped == bytes {
                    return None;
                }
                let word = p.input(first + u32::from(skipped), end - skipped);
                Some(p.extract(word, low % 8, width))
            }
            _ => None,
        },
        &[
            |p, w| {
                let word = p.input(3, w / 8 + 1);
                p.extract(word, 8, w)
            },
            |p, w| {
                let word = p.input(3, w / 8 + 1);
                p.extract(word, 9, 3)
            },
        ],
        &[|p, w| {
            let word = p.input(3, w / 8);
            p.extract(word, 1, w - 2)
        }],
    ),
    rule(
        ExtractBitwise,
        "bits of x ∘ y → bits of x ∘ bits of y where the extraction from one vanishes",
        |p, e, low, width| match *p.stored(e) {
            Stored::Binary { op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b }
                if is_transparent(p, a) || is_transparent(p, b) =>
            {
                let (a, b) = (p.extract(a, low, width), p.extract(b, low, width));
                Some(p.binary(op, a, b))
            }
            Stored::Unary { op: UnaryOp::Not, a } if is_transparent(p, a) => {
                let a = p.extract(a, low, width);
                Some(p.not(a))
            }
            _ => None,
        },
        &[
            ex!(w: (extract (and x {0x2a}) 2 3)),
            ex!(w: (extract (or (add x y) (zext c w)) 2 3)),
            ex!(w: (extract (not x) 2 3)),
        ],
        &[ex!(w: (extract (and (add x y) (mul x y)) 2 3)), ex!(w: (extract (add x {0x2a}) 2 3))],
    ),
    rule(
        ExtractArithmetic,
        "low bits of x ∘ y → low bits of x ∘ low bits of y where the extraction from one vanishes",
        |p, e, low, width| match *p.stored(e) {
            Stored::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b }
                if low == 0 && (is_extended(p, a) || is_extended(p, b)) =>
            {
                let (a, b) = (p.extract(a, 0, width), p.extract(b, 0, width));
                Some(p.binary(op, a, b))
            }
            Stored::Unary { op: UnaryOp::Neg, a } if low == 0 && is_extended(p, a) => {
                let a = p.extract(a, 0, width);
                Some(p.neg(a))
            }
            _ => None,
        },
        &[
            ex!(w: (extract (add (sext x (2 * w)) (sext y (2 * w))) 0 w)),
            ex!(w: (extract (mul (zext x (2 * w)) {3: 2 * w}) 0 w)),
            ex!(w: (extract (neg (zext x (2 * w))) 0 w)),
        ],
        &[
            ex!(w: (extract (add (sext x (2 * w)) (sext y (2 * w))) 1 w)),
            ex!(w: (extract (udiv (sext x (2 * w)) (sext y (2 * w))) 0 w)),
            ex!(w: (extract (add x y) 0 4)),
        ],
    ),
    rule(
        ExtractIte,
        "bits of if c then x else y → if c then bits of x else bits of y where both extractions vanish",
        |p, e, low, width| match *p.stored(e) {
            Stored::Ite { c, a, b } if is_transparent(p, a) && is_transparent(p, b) => {
                let (a, b) = (p.extract(a, low, width), p.extract(b, low, width));
                Some(p.ite(c, a, b))
            }
            _ => None,
        },
        &[ex!(w: (extract (ite c x {5}) 2 3)), ex!(w: (extract (ite c x y) 2 3))],
        &[ex!(w: (extract (ite c (add x y) {5}) 2 3))],
    ),
];

/// An extraction from it needs no operation.
fn is_transparent(p: &Pool, e: Expr) -> bool {
    match p.stored(e) {
        Stored::Const { .. } | Stored::WideConst { .. } | Stored::Input { .. } | Stored::Concat { .. } => true,
        Stored::Ite { a, b, .. } => p.is_constant(*a) && p.is_constant(*b),
        _ => is_extended(p, e),
    }
}

fn is_extended(p: &Pool, e: Expr) -> bool {
    matches!(p.stored(e), Stored::ZExt { .. } | Stored::SExt { .. })
}
