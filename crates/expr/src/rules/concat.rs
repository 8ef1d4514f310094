//! Rules for concatenations: they associate to the right, and adjacent pieces of one value are joined.

use super::{Entry, OfBinary, RuleId::*, ex, rule};
use crate::expr::{Expr, Width};
use crate::node::Stored;
use crate::op::BinaryOp;
use crate::pool::Pool;

pub(super) static CONCAT: &[Entry<OfBinary>] = &[
    rule(
        ConcatZero,
        "0:x → zext(x)",
        |p, hi, lo| p.is_zero(hi).then(|| p.zext(lo, p.width(hi) + p.width(lo))),
        &[ex!(w: (concat {0} x)), ex!(w: (concat {0: 3} x))],
        &[ex!(w: (concat {1} x)), ex!(w: (concat x {0}))],
    ),
    rule(
        ConcatNested,
        "(x:y):z → x:(y:z)",
        |p, hi, lo| match *p.stored(hi) {
            Stored::Concat { hi: x, lo: y } => {
                let tail = p.concat(y, lo);
                Some(p.concat(x, tail))
            }
            _ => None,
        },
        &[ex!(w: (concat (concat c d) x)), ex!(w: (concat (concat c x) d))],
        &[ex!(w: (concat c (concat d x)))],
    ),
    rule(
        ConcatConstants,
        "c:(d:x) → cd:x",
        |p, hi, lo| match *p.stored(lo) {
            Stored::Concat { hi: next, lo: tail } => {
                let (c, d) = (p.as_const(hi)?, p.as_const(next)?);
                let next_width = p.width(next);
                let joined = p.constant(p.width(hi) + next_width, c << next_width | d);
                Some(p.concat(joined, tail))
            }
            _ => None,
        },
        &[ex!(w: (concat {5: 3} (concat {2: 4} x)))],
        &[ex!(w: (concat {5: 3} (concat c x))), ex!(w: (concat c (concat {5: 3} x)))],
    ),
    rule(
        ConcatZExt,
        "zext(x):y → zext(x:y)",
        |p, hi, lo| {
            let x = p.zero_extended(hi)?;
            let joined = p.concat(x, lo);
            Some(p.zext(joined, p.width(hi) + p.width(lo)))
        },
        &[ex!(w: (concat (zext c w) x))],
        &[ex!(w: (concat (sext c w) x)), ex!(w: (concat x (zext c w)))],
    ),
    rule(
        ConcatSExt,
        "sext(x):y → sext(x:y)",
        |p, hi, lo| {
            let x = p.sign_extended(hi)?;
            let joined = p.concat(x, lo);
            Some(p.sext(joined, p.width(hi) + p.width(lo)))
        },
        &[ex!(w: (concat (sext c w) x))],
        &[ex!(w: (concat (zext c w) x)), ex!(w: (concat x (sext c w)))],
    ),
    rule(
        ConcatSign,
        "(sign of x):x → sext(x)",
        |p, hi, lo| {
            let (next, tail) = head(p, lo);
            let width = p.width(next);
            // The sign of an extended value is that of the value itself.
            let mut signed = next;
            while let Some(inner) = p.sign_extended(signed) {
                signed = inner;
            }
            let top = p.width(signed) - 1;
            let is_sign = match *p.stored(hi) {
                _ if hi == signed => p.width(hi) == 1,
                Stored::Extract { low, width: 1, e } => {
                    e == signed && low == top
                        || p.known_shape(Stored::Extract { low: top, width: 1, e: signed }) == Some(hi)
                }
                _ => false,
            };
            if !is_sign {
                return None;
            }
            let extended = p.sext(next, width + 1);
            Some(followed_by(p, extended, tail))
        },
        &[
            ex!(w: (concat (extract x (w - 1) 1) x)),
            ex!(w: (concat c (sext c w))),
            ex!(w: (concat (extract x (w - 1) 1) (concat (sext x (w + 1)) c))),
        ],
        &[
            ex!(w: (concat (extract x (w - 2) 1) x)),
            ex!(w: (concat (extract x (w - 1) 1) y)),
            ex!(w: (concat c (sext d w))),
        ],
    ),
    rule(
        ConcatInputs,
        "neighbouring bits of the input → bits of one input word",
        |p, hi, lo| {
            let (next, tail) = head(p, lo);
            let ((high_start, high_width), (start, low_width)) = (input_bits(p, hi)?, input_bits(p, next)?);
            if start + u64::from(low_width) != high_start {
                return None;
            }
            let width = low_width + high_width;
            let (first, low) = ((start / 8) as u32, (start % 8) as u8);
            let bytes = (u16::from(low) + u16::from(width)).div_ceil(8) as u8;
            if bytes > 16 {
                return None;
            }
            let word = p.input(first, bytes);
            let joined = p.extract(word, low, width);
            Some(followed_by(p, joined, tail))
        },
        &[
            |p, w| {
                let (hi, lo) = (p.input(w.into(), 1), p.input(u32::from(w) - 1, 1));
                p.concat(hi, lo)
            },
            |p, w| {
                let (hi, lo, tail) = (p.input(5, 1), p.input(3, 2), p.hole(0, w));
                let lo = p.concat(lo, tail);
                p.concat(hi, lo)
            },
            |p, w| {
                let (hi, lo) = (p.input(u32::from(w) + 1, 1), p.input(u32::from(w), 1));
                let (hi, lo) = (p.extract(hi, 0, 3), p.extract(lo, 2, 6));
                p.concat(hi, lo)
            },
        ],
        &[ex!(w: (concat x y)), ex!(w: (concat (extract x 3 2) (extract x 2 2))), |p, _| {
            let (hi, lo) = (p.input(0, 1), p.input(1, 1));
            p.concat(hi, lo)
        }],
    ),
    rule(
        ConcatExtracts,
        "neighbouring bits of one value → one extraction",
        |p, hi, lo| {
            let (next, tail) = head(p, lo);
            let Stored::Extract { low: at, width: high_width, e } = *p.stored(hi) else { return None };
            let width = p.width(next);
            let low = at.checked_sub(width)?;
            // The low bits of a sum are a sum of low bits, so the simplified extraction is looked up.
            let neighbours = match *p.stored(next) {
                Stored::Extract { low: found, e: other, .. } => other == e && found == low,
                _ => p.known_shape(Stored::Extract { low, width, e }) == Some(next),
            };
            if !neighbours {
                return None;
            }
            let joined = p.extract(e, low, width + high_width);
            Some(followed_by(p, joined, tail))
        },
        &[
            ex!(w: (concat (extract x 5 2) (extract x 1 4))),
            ex!(w: (concat (extract (add x y) 4 (w - 4)) (extract (add x y) 0 4))),
            ex!(w: (concat (extract x 5 2) (concat (extract x 1 4) y))),
        ],
        &[
            ex!(w: (concat (extract x 5 2) (extract y 1 4))),
            ex!(w: (concat (extract x 5 2) (extract x 2 4))),
            ex!(w: (concat (extract x 1 4) (extract x 5 2))),
        ],
    ),
    rule(
        ConcatIte,
        "(if c then x else y):(if c then u else v) → if c then x:u else y:v",
        |p, hi, lo| {
            let (next, tail) = head(p, lo);
            let (Stored::Ite { c, a: x, b: y }, Stored::Ite { c: other, a: u, b: v }) =
                (*p.stored(hi), *p.stored(next))
            else {
                return None;
            };
            if c != other {
                return None;
            }
            let (xu, yv) = (p.concat(x, u), p.concat(y, v));
            let joined = p.ite(c, xu, yv);
            Some(followed_by(p, joined, tail))
        },
        &[ex!(w: (concat (ite c x y) (ite c y z))), ex!(w: (concat (ite c {1: 3} {2: 3}) (concat (ite c {3} {4}) d)))],
        &[ex!(w: (concat (ite c x y) (ite d y z))), ex!(w: (concat (ite c x y) z))],
    ),
    rule(
        ConcatBitwise,
        "(x ∘ c):(y ∘ d) → xy ∘ cd where x and y are neighbouring parts of one value",
        |p, hi, lo| {
            let (next, tail) = head(p, lo);
            let (Stored::Binary { op, a: x, b: c }, Stored::Binary { op: other, a: y, b: d }) =
                (*p.stored(hi), *p.stored(next))
            else {
                return None;
            };
            if op != other || !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
                return None;
            }
            let (high, low) = (p.as_const(c)?, p.as_const(d)?);
            let low_width = p.width(d);
            if !are_neighbours(p, x, y) {
                return None;
            }
            let value = p.concat(x, y);
            let constant = p.constant(p.width(c) + low_width, high << low_width | low);
            let joined = p.binary(op, value, constant);
            Some(followed_by(p, joined, tail))
        },
        &[
            ex!(w: (concat (xor (extract x 5 2) {1: 2}) (xor (extract x 1 4) {5: 4}))),
            ex!(w: (concat (and (extract x 5 2) {1: 2}) (and (extract x 1 4) {5: 4}))),
        ],
        &[
            ex!(w: (concat (xor (extract x 5 2) {1: 2}) (and (extract x 1 4) {5: 4}))),
            ex!(w: (concat (xor (extract x 5 2) {1: 2}) (xor (extract y 1 4) {5: 4}))),
        ],
    ),
];

/// The most significant part, and the rest.
fn head(p: &Pool, e: Expr) -> (Expr, Option<Expr>) {
    match *p.stored(e) {
        Stored::Concat { hi, lo } => (hi, Some(lo)),
        _ => (e, None),
    }
}

fn followed_by(p: &mut Pool, e: Expr, tail: Option<Expr>) -> Expr {
    match tail {
        Some(tail) => p.concat(e, tail),
        None => e,
    }
}

/// The position in the input and the number of bits, both in bits, of a value that consists of input bits.
fn input_bits(p: &Pool, e: Expr) -> Option<(u64, Width)> {
    let (word, low, width) = match *p.stored(e) {
        Stored::Extract { low, width, e } => (e, low, width),
        _ => (e, 0, p.width(e)),
    };
    match *p.stored(word) {
        Stored::Input { first, .. } => Some((8 * u64::from(first) + u64::from(low), width)),
        _ => None,
    }
}

/// They are extractions from one value, `hi` right above `lo`.
fn are_neighbours(p: &Pool, hi: Expr, lo: Expr) -> bool {
    if let (Some((high, _)), Some((low, width))) = (input_bits(p, hi), input_bits(p, lo)) {
        return low + u64::from(width) == high;
    }
    match (*p.stored(hi), *p.stored(lo)) {
        (Stored::Extract { low: at, e, .. }, Stored::Extract { low, width, e: other }) => {
            e == other && low + width == at
        }
        (Stored::Extract { low: at, e, .. }, _) => {
            let width = p.width(lo);
            at == width && p.known_shape(Stored::Extract { low: 0, width, e }) == Some(lo)
        }
        _ => false,
    }
}
