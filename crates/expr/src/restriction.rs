//! Conditions on a single input word or hole, as the set of its values that satisfy them.

use std::sync::Arc;

use crate::expr::Expr;
use crate::interval::{Intervals, mask, sign_bit};
use crate::node::Node;
use crate::op::{BinaryOp, UnaryOp};
use crate::pool::Pool;

/// A condition that is equivalent to a word being in a set.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// The word: an `Input` or a `Hole`.
    pub word: Expr,
    /// The values for which the condition holds.
    pub values: Intervals,
}

impl Pool {
    /// The set that a condition restricts an input word to, if it is equivalent to that, and the set has few intervals.
    pub fn restriction(&mut self, condition: Expr) -> Option<Arc<Restriction>> {
        self.any_restriction(condition).filter(|found| matches!(self.node(found.word), Node::Input { .. }))
    }

    /// The set that a condition restricts a hole to: as [`Pool::restriction`], with the number of the hole.
    pub fn hole_restriction(&mut self, condition: Expr) -> Option<(u32, Arc<Restriction>)> {
        let found = self.any_restriction(condition)?;
        match self.node(found.word) {
            Node::Hole { id, .. } => Some((id, found)),
            _ => None,
        }
    }

    /// The values of a hole for which an expression over it is in a set, with the number of the hole. `None` if the
    /// expression is not over one hole, or the values have too many intervals.
    pub fn hole_preimage(&self, e: Expr, values: Intervals) -> Option<(u32, Intervals)> {
        let Restriction { word, values } = preimage(self, e, values)?;
        match self.node(word) {
            Node::Hole { id, .. } => Some((id, values)),
            _ => None,
        }
    }

    /// The condition that an expression is in a set.
    pub fn member(&mut self, e: Expr, values: &Intervals) -> Expr {
        let width = self.width(e);
        let mut member = self.bool(false);
        for (low, high) in values.parts() {
            let (low_bound, size) = (self.constant(width, low), self.constant(width, high - low));
            let offset = self.sub(e, low_bound);
            let inside = self.ule(offset, size);
            member = self.or(member, inside);
        }
        member
    }

    fn any_restriction(&mut self, condition: Expr) -> Option<Arc<Restriction>> {
        if let Some(known) = self.restrictions.get(&condition) {
            return known.clone();
        }
        let found = of_condition(self, condition, self.tuning.restriction_depth).map(Arc::new);
        self.restrictions.insert(condition, found.clone());
        found
    }

    /// The bytes of an input word that has this value.
    pub fn bytes_of_word(&self, word: Expr, value: u128) -> Vec<(u32, u8)> {
        match self.node(word) {
            Node::Input { first, bytes } => {
                (0..u32::from(bytes)).map(|i| (first + i, (value >> (8 * i)) as u8)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn of_condition(pool: &Pool, condition: Expr, depth: u32) -> Option<Restriction> {
    let depth = depth.checked_sub(1)?;
    match pool.node(condition) {
        Node::Unary(UnaryOp::Not, a) => {
            let Restriction { word, values } = of_condition(pool, a, depth)?;
            Some(Restriction { word, values: values.complement(pool.width(word)) })
        }
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let (a, b) = (of_condition(pool, a, depth)?, of_condition(pool, b, depth)?);
            let values = match op {
                BinaryOp::And => a.values.intersection(&b.values),
                _ => a.values.union(&b.values),
            };
            (a.word == b.word && values.is_small(pool.tuning.restriction_intervals))
                .then_some(Restriction { word: a.word, values })
        }
        Node::Binary(op, a, b) if op.is_comparison() => {
            let width = pool.width(a);
            if let Some(limit) = pool.as_const(b) {
                preimage(pool, a, below(op, limit, width)?)
            } else if let Some(limit) = pool.as_const(a) {
                preimage(pool, b, above(op, limit, width)?)
            } else {
                None
            }
        }
        _ => preimage(pool, condition, Intervals::one(1)),
    }
}

/// The values `x` for which `x op limit`.
fn below(op: BinaryOp, limit: u128, width: u8) -> Option<Intervals> {
    let smallest = sign_bit(width);
    Some(match op {
        BinaryOp::Eq => Intervals::one(limit),
        BinaryOp::Ult => Intervals::range(0, limit).without_last(),
        BinaryOp::Ule => Intervals::range(0, limit),
        BinaryOp::Slt => Intervals::range(0, limit ^ smallest).without_last().shifted(smallest, width),
        BinaryOp::Sle => Intervals::range(0, limit ^ smallest).shifted(smallest, width),
        _ => return None,
    })
}

/// The values `x` for which `limit op x`.
fn above(op: BinaryOp, limit: u128, width: u8) -> Option<Intervals> {
    let opposite = match op {
        BinaryOp::Eq => return Some(Intervals::one(limit)),
        BinaryOp::Ult => BinaryOp::Ule,
        BinaryOp::Ule => BinaryOp::Ult,
        BinaryOp::Slt => BinaryOp::Sle,
        BinaryOp::Sle => BinaryOp::Slt,
        _ => return None,
    };
    below(opposite, limit, width).map(|set| set.complement(width))
}

/// The preimage of a set under `e`, if `e` is a function of one word under which intervals have few intervals as
/// their preimage.
fn preimage(pool: &Pool, e: Expr, values: Intervals) -> Option<Restriction> {
    let (mut e, mut values) = (e, values);
    for _ in 0..pool.tuning.restriction_depth {
        let width = pool.width(e);
        match pool.node(e) {
            Node::Input { .. } | Node::Hole { .. } => return Some(Restriction { word: e, values }),
            Node::Unary(op, a) => {
                values = values.reflected(width);
                if op == UnaryOp::Neg {
                    values = values.shifted(1, width);
                }
                e = a;
            }
            Node::ZExt(a, _) => {
                values = values.intersection(&Intervals::all(pool.width(a)));
                e = a;
            }
            Node::SExt(a, _) => {
                let (inner, half) = (mask(pool.width(a)), sign_bit(pool.width(a)));
                let low = values.intersection(&Intervals::range(0, half - 1));
                let high = values.intersection(&Intervals::range(mask(width) - half + 1, mask(width)));
                values = low.union(&high.shifted((inner + 1).wrapping_sub(mask(width).wrapping_add(1)), 128));
                e = a;
            }
            Node::Concat(high, low) => {
                let bits = pool.width(low);
                if let Some(top) = pool.as_const(high) {
                    let base = top << bits;
                    values = values.intersection(&Intervals::range(base, base | mask(bits)));
                    values = values.shifted(base.wrapping_neg(), 128);
                    e = low;
                } else {
                    let rest = pool.as_const(low)?;
                    values = values.divided(bits, rest);
                    e = high;
                }
            }
            Node::Extract { e: a, low, width } if u32::from(low) + u32::from(width) == u32::from(pool.width(a)) => {
                values = values.multiplied(1 << low, mask(pool.width(a)));
                e = a;
            }
            Node::Binary(op, a, b) => {
                if let Some(k) = pool.as_const(b) {
                    values = match op {
                        BinaryOp::Add => values.shifted(k.wrapping_neg(), width),
                        BinaryOp::Sub => values.shifted(k, width),
                        BinaryOp::Xor if k == sign_bit(width) => values.shifted(k, width),
                        BinaryOp::LShr if k < u128::from(width) => {
                            values.intersection(&Intervals::range(0, mask(width) >> k)).multiplied(1 << k, mask(width))
                        }
                        BinaryOp::UDiv if k != 0 => {
                            values.intersection(&Intervals::range(0, mask(width) / k)).multiplied(k, mask(width))
                        }
                        _ => return None,
                    };
                    e = a;
                } else {
                    let k = pool.as_const(a).filter(|_| op == BinaryOp::Sub)?;
                    // x = k - e
                    values = values.reflected(width).shifted(k.wrapping_add(1), width);
                    e = b;
                }
            }
            _ => return None,
        }
        if !values.is_small(pool.tuning.restriction_intervals) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Valuation;

    /// Checks every condition on every value of a byte.
    #[test]
    fn restrictions_are_exact() {
        let mut pool = Pool::with_rules(crate::RuleSet::none());
        let x = pool.input(0, 1);
        let k = |pool: &mut Pool, value: u128| pool.constant(8, value);
        let mut terms = vec![x];
        for value in [1, 7, 0x80, 0xff, 200] {
            let value = k(&mut pool, value);
            terms.extend([pool.add(x, value), pool.sub(x, value), pool.sub(value, x), pool.udiv(x, value)]);
        }
        let (top, seven, three) = (k(&mut pool, 0x80), k(&mut pool, 7), k(&mut pool, 3));
        terms.extend([pool.not(x), pool.neg(x), pool.xor(x, top), pool.lshr(x, three), pool.concat(seven, x)]);
        terms.extend([pool.zext(x, 16), pool.sext(x, 16), pool.extract(x, 3, 5), pool.concat(x, three)]);
        for i in 0..terms.len() {
            let term = terms[i];
            let neg = pool.neg(term);
            terms.extend([neg, pool.sext(term, 24), pool.zext(neg, 24)]);
        }
        let mut conditions = Vec::new();
        for term in terms {
            let width = pool.width(term);
            for value in [0, 1, 6, 0x7f, 0x80, 0x81, 0xff, 0xff80, 0xffff] {
                let limit = pool.constant(width, value);
                for op in [BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle] {
                    conditions.extend([pool.binary(op, term, limit), pool.binary(op, limit, term)]);
                }
            }
        }
        let more: Vec<Expr> = conditions.windows(2).map(|pair| pool.and(pair[0], pair[1])).collect();
        let more: Vec<Expr> = more.into_iter().map(|both| pool.not(both)).collect();
        conditions.extend(more);
        let mut valuation = Valuation::new(vec![0]);
        let mut recognised = 0;
        for condition in conditions {
            let Some(restriction) = pool.restriction(condition) else {
                continue;
            };
            recognised += 1;
            assert_eq!(restriction.word, x);
            let values = restriction.values.clone();
            for value in 0..=255 {
                valuation.set_byte(0, value);
                let member = values.at_least(value.into()) == Some(value.into());
                assert_eq!(valuation.holds(&pool, condition), member, "{} at {value}", pool.display(condition));
            }
        }
        assert!(recognised > 5000, "only {recognised} conditions were recognised");
    }
}
