//! Rung `intervals`: loops and range checks compare one word with literals. The values of the word for which such a condition holds are
//! a few intervals; intersecting them decides exactly, where an SMT solver would start up and blast bits.

use rustc_hash::FxHashMap;
use secateur_expr::{BinaryOp, Expr, Node, Pool, UnaryOp, Valuation};

use crate::core;
use crate::query::Query;
use crate::rungs::{Finding, Model};

/// How deep the shape of a condition is looked into.
const MAX_DEPTH: u32 = 32;

/// Larger contradictions are left as they are.
const MAX_SHRINK: usize = 64;

/// What is known of conditions, by handle.
#[derive(Default)]
pub(crate) struct Intervals {
    known: FxHashMap<Expr, Option<Restriction>>,
}

/// A condition that says of one input word that it is in a set.
#[derive(Clone, Debug)]
pub(crate) struct Restriction {
    /// The word: an `Input`.
    pub(crate) word: Expr,
    /// The values for which the condition holds.
    pub(crate) values: Set,
}

impl Intervals {
    /// Decides the query if all conditions restrict one word, or if those that do already contradict each other.
    pub(crate) fn decide(&mut self, pool: &Pool, query: &Query, valuation: &mut Valuation) -> Option<Finding> {
        let mut words: Vec<(Expr, Set)> = Vec::new();
        let mut complete = true;
        for &condition in &query.conditions {
            let Some(restriction) = self.restriction(pool, condition) else {
                complete = false;
                continue;
            };
            match words.iter_mut().find(|(word, _)| *word == restriction.word) {
                None => words.push((restriction.word, restriction.values.clone())),
                Some((word, values)) => {
                    *values = values.intersection(&restriction.values);
                    if values.is_empty() {
                        let word = *word;
                        return Some(Finding::Unsat(self.contradiction(pool, query, word)));
                    }
                }
            }
        }
        match &words[..] {
            [(word, values)] if complete => {
                let current = valuation.eval_wide(pool, *word);
                Some(Finding::Sat(assignment(pool, *word, values.nearest(current)?)))
            }
            _ => None,
        }
    }

    /// The set that a condition restricts a word to, if it does just that.
    pub(crate) fn restriction(&mut self, pool: &Pool, condition: Expr) -> Option<&Restriction> {
        self.known.entry(condition).or_insert_with(|| of_condition(pool, condition, MAX_DEPTH)).as_ref()
    }

    fn contradiction(&mut self, pool: &Pool, query: &Query, word: Expr) -> Vec<Expr> {
        let mut on_word = Vec::new();
        for &condition in &query.conditions {
            if let Some(restriction) = self.restriction(pool, condition)
                && restriction.word == word
            {
                on_word.push((condition, restriction.values.clone()));
            }
        }
        if on_word.len() <= MAX_SHRINK {
            let all = Set::all(pool.width(word));
            on_word = core::shrink(on_word, |kept| {
                kept.iter().fold(all.clone(), |left, (_, values)| left.intersection(values)).is_empty()
            });
        }
        on_word.into_iter().map(|(condition, _)| condition).collect()
    }
}

/// The bytes that give an input word a value.
pub(crate) fn assignment(pool: &Pool, word: Expr, value: u128) -> Model {
    match pool.node(word) {
        Node::Input { first, bytes } => (0..u32::from(bytes)).map(|i| (first + i, (value >> (8 * i)) as u8)).collect(),
        _ => Vec::new(),
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
            (a.word == b.word && values.is_small()).then_some(Restriction { word: a.word, values })
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
        _ => preimage(pool, condition, Set::one(1)),
    }
}

/// The values `x` for which `x op limit`.
fn below(op: BinaryOp, limit: u128, width: u8) -> Option<Set> {
    let smallest = sign_bit(width);
    Some(match op {
        BinaryOp::Eq => Set::one(limit),
        BinaryOp::Ult => Set::range(0, limit).without_last(),
        BinaryOp::Ule => Set::range(0, limit),
        BinaryOp::Slt => Set::range(0, limit ^ smallest).without_last().shifted(smallest, width),
        BinaryOp::Sle => Set::range(0, limit ^ smallest).shifted(smallest, width),
        _ => return None,
    })
}

/// The values `x` for which `limit op x`.
fn above(op: BinaryOp, limit: u128, width: u8) -> Option<Set> {
    let opposite = match op {
        BinaryOp::Eq => return Some(Set::one(limit)),
        BinaryOp::Ult => BinaryOp::Ule,
        BinaryOp::Ule => BinaryOp::Ult,
        BinaryOp::Slt => BinaryOp::Sle,
        BinaryOp::Sle => BinaryOp::Slt,
        _ => return None,
    };
    below(opposite, limit, width).map(|set| set.complement(width))
}

/// The values of the input word in `e` for which `e` is in the set, if `e` is computed from one word in a way that maps intervals to
/// few intervals.
fn preimage(pool: &Pool, e: Expr, values: Set) -> Option<Restriction> {
    let (mut e, mut values) = (e, values);
    for _ in 0..MAX_DEPTH {
        let width = pool.width(e);
        match pool.node(e) {
            Node::Input { .. } => return Some(Restriction { word: e, values }),
            Node::Unary(op, a) => {
                values = values.reflected(width);
                if op == UnaryOp::Neg {
                    values = values.shifted(1, width);
                }
                e = a;
            }
            Node::ZExt(a, _) => {
                values = values.intersection(&Set::all(pool.width(a)));
                e = a;
            }
            Node::SExt(a, _) => {
                let (inner, half) = (mask(pool.width(a)), sign_bit(pool.width(a)));
                let low = values.intersection(&Set::range(0, half - 1));
                let high = values.intersection(&Set::range(mask(width) - half + 1, mask(width)));
                values = low.union(&high.shifted((inner + 1).wrapping_sub(mask(width).wrapping_add(1)), 128));
                e = a;
            }
            Node::Concat(high, low) => {
                let bits = pool.width(low);
                if let Some(top) = pool.as_const(high) {
                    let base = top << bits;
                    values = values.intersection(&Set::range(base, base | mask(bits)));
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
                            values.intersection(&Set::range(0, mask(width) >> k)).multiplied(1 << k, mask(width))
                        }
                        BinaryOp::UDiv if k != 0 => {
                            values.intersection(&Set::range(0, mask(width) / k)).multiplied(k, mask(width))
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
        if !values.is_small() {
            return None;
        }
    }
    None
}

fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - width)
}

fn sign_bit(width: u8) -> u128 {
    1 << (width - 1)
}

/// A set of numbers: intervals, both ends included, in order and apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Set(Vec<(u128, u128)>);

impl Set {
    pub(crate) fn all(width: u8) -> Set {
        Set::range(0, mask(width))
    }

    fn one(value: u128) -> Set {
        Set::range(value, value)
    }

    fn range(low: u128, high: u128) -> Set {
        Set(vec![(low, high)])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Conditions with many holes are better left to others.
    fn is_small(&self) -> bool {
        self.0.len() <= 64
    }

    /// The smallest member that is at least `from`.
    pub(crate) fn at_least(&self, from: u128) -> Option<u128> {
        self.0.iter().find(|&&(_, high)| high >= from).map(|&(low, _)| low.max(from))
    }

    /// The member that is nearest to a value.
    fn nearest(&self, to: u128) -> Option<u128> {
        self.0.iter().map(|&(low, high)| to.clamp(low, high)).min_by_key(|member| member.abs_diff(to))
    }

    pub(crate) fn intersection(&self, other: &Set) -> Set {
        let mut both = Vec::new();
        let (mut i, mut j) = (0, 0);
        while let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), other.0.get(j)) {
            if a.max(c) <= b.min(d) {
                both.push((a.max(c), b.min(d)));
            }
            if b < d { i += 1 } else { j += 1 }
        }
        Set(both)
    }

    fn union(&self, other: &Set) -> Set {
        Set::from_parts(self.0.iter().chain(&other.0).copied().collect())
    }

    fn complement(&self, width: u8) -> Set {
        let mut outside = Vec::new();
        let mut next = Some(0u128);
        for &(low, high) in &self.0 {
            if let Some(start) = next
                && start < low
            {
                outside.push((start, low - 1));
            }
            next = high.checked_add(1);
        }
        if let Some(start) = next
            && start <= mask(width)
        {
            outside.push((start, mask(width)));
        }
        Set(outside)
    }

    /// All members plus `by`, modulo 2 to the width.
    pub(crate) fn shifted(&self, by: u128, width: u8) -> Set {
        let mask = mask(width);
        let mut parts = Vec::new();
        for &(low, high) in &self.0 {
            let (low, high) = (low.wrapping_add(by) & mask, high.wrapping_add(by) & mask);
            if low <= high {
                parts.push((low, high));
            } else {
                parts.extend([(low, mask), (0, high)]);
            }
        }
        Set::from_parts(parts)
    }

    /// The complements of all members.
    fn reflected(&self, width: u8) -> Set {
        let mask = mask(width);
        Set(self.0.iter().rev().map(|&(low, high)| (mask - high, mask - low)).collect())
    }

    /// All `x` up to `limit` with `x / by` a member; `limit / by` must be at least every member.
    fn multiplied(&self, by: u128, limit: u128) -> Set {
        let last = |high: u128| high.checked_mul(by).and_then(|x| x.checked_add(by - 1)).unwrap_or(limit).min(limit);
        Set(self.0.iter().map(|&(low, high)| (low * by, last(high))).collect())
    }

    /// All `x` such that `x` followed by the low bits `rest` is a member.
    fn divided(&self, bits: u8, rest: u128) -> Set {
        let mut parts = Vec::new();
        for &(low, high) in &self.0 {
            let first = (low >> bits) + u128::from(low & mask(bits) > rest);
            let end = (high >> bits) + u128::from(high & mask(bits) >= rest);
            if first < end {
                parts.push((first, end - 1));
            }
        }
        Set::from_parts(parts)
    }

    fn without_last(mut self) -> Set {
        match self.0.last_mut() {
            Some((low, high)) if *low < *high => *high -= 1,
            _ => drop(self.0.pop()),
        }
        self
    }

    fn from_parts(mut parts: Vec<(u128, u128)>) -> Set {
        parts.sort_unstable();
        let mut joined: Vec<(u128, u128)> = Vec::with_capacity(parts.len());
        for (low, high) in parts {
            match joined.last_mut() {
                Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
                _ => joined.push((low, high)),
            }
        }
        Set(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every condition on every value of a byte.
    #[test]
    fn restrictions_are_exact() {
        let mut pool = Pool::with_rules(secateur_expr::RuleSet::none());
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
        let mut intervals = Intervals::default();
        let mut valuation = Valuation::new(vec![0]);
        let mut understood = 0;
        for condition in conditions {
            let Some(restriction) = intervals.restriction(&pool, condition) else {
                continue;
            };
            understood += 1;
            assert_eq!(restriction.word, x);
            let values = restriction.values.clone();
            for value in 0..=255 {
                valuation.set_byte(0, value);
                let member = values.at_least(value.into()) == Some(value.into());
                assert_eq!(valuation.holds(&pool, condition), member, "{} at {value}", pool.display(condition));
            }
        }
        assert!(understood > 5000, "only {understood} conditions were understood");
    }
}
