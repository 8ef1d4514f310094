//! The conditions that may be features: an input byte or word (un)equal to constants, and combinations of such.
//!
//! They are independent of any pool of expressions, so that workers share them and files keep them.

use secateur_expr::{BinaryOp, ByteSet, Expr, Intervals, Node, Pool, UnaryOp};
use secateur_path::{Fact, for_each_fact};
use serde::{Deserialize, Serialize};

// These bounds are constants because they belong to the format of the files that keep conditions.

/// Words may have up to this many bytes.
const MOST_BYTES: u8 = 8;
/// Sets of words may have up to this many intervals, as conditions are small.
const MOST_PARTS: usize = 8;
/// How deep conditions may be nested. This bounds the recursion.
const DEPTH: u32 = 4;

/// A condition on the input.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Condition {
    /// A byte, or a word of several (the lowest first), has a value in one of the intervals.
    In {
        /// The first byte.
        first: u32,
        /// How many bytes.
        bytes: u8,
        /// The intervals, in ascending order.
        values: Vec<(u64, u64)>,
    },
    /// All of them hold.
    All(Vec<Condition>),
    /// At least one of them holds.
    Any(Vec<Condition>),
}

/// What a path knows, in the form in which it is looked up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Known {
    /// The values that a byte can have.
    Byte(u32, ByteSet),
    /// The values that a word can have.
    Word(u32, u8, Intervals),
    /// A condition that is not about one byte or word.
    Other(Expr),
}

impl Condition {
    /// The features in a condition of a path.
    pub(crate) fn of_path(pool: &mut Pool, condition: Expr) -> Vec<Condition> {
        let mut facts = Vec::new();
        for_each_fact(pool, condition, &mut |fact| facts.push(fact));
        let translate = |fact| match fact {
            Fact::Byte(byte, values) => Some(Condition::byte(byte, values)),
            Fact::Word(restriction) => Condition::word(pool, restriction.word, &restriction.values),
            Fact::Other(other) => Condition::of(pool, other),
        };
        facts.into_iter().filter_map(translate).collect()
    }

    /// An expression as such a condition; `None` if it is none.
    pub(crate) fn of(pool: &mut Pool, condition: Expr) -> Option<Condition> {
        Condition::nested(pool, condition, DEPTH)
    }

    fn nested(pool: &mut Pool, condition: Expr, depth: u32) -> Option<Condition> {
        if let Some((byte, values)) = pool.on_one_byte(condition) {
            return Some(Condition::byte(byte, values));
        }
        if let Some(restriction) = pool.restriction(condition) {
            return Condition::word(pool, restriction.word, &restriction.values);
        }
        let depth = depth.checked_sub(1)?;
        match pool.node(condition) {
            Node::Unary(UnaryOp::Not, a) => Some(Condition::nested(pool, a, depth)?.not()),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let mut parts = vec![Condition::nested(pool, a, depth)?, Condition::nested(pool, b, depth)?];
                parts.sort();
                Some(if op == BinaryOp::And { Condition::All(parts) } else { Condition::Any(parts) })
            }
            _ => None,
        }
    }

    fn byte(byte: u32, values: ByteSet) -> Condition {
        let values = Intervals::of(values.iter().map(u128::from));
        let values = values.parts().map(|(low, high)| (low as u64, high as u64)).collect();
        Condition::In { first: byte, bytes: 1, values }
    }

    fn word(pool: &Pool, word: Expr, values: &Intervals) -> Option<Condition> {
        let Node::Input { first, bytes } = pool.node(word) else { return None };
        let values: Vec<(u64, u64)> =
            values.parts().take(MOST_PARTS + 1).map(|(low, high)| (low as u64, high as u64)).collect();
        (bytes <= MOST_BYTES && values.len() <= MOST_PARTS).then_some(Condition::In { first, bytes, values })
    }

    fn not(self) -> Condition {
        let all = |parts: Vec<Condition>| parts.into_iter().map(Condition::not).collect();
        match self {
            Condition::In { first, bytes, values } => {
                let values = complement(&values, greatest(bytes));
                Condition::In { first, bytes, values }
            }
            Condition::All(parts) => Condition::Any(all(parts)),
            Condition::Any(parts) => Condition::All(all(parts)),
        }
    }

    /// The set of values of a condition on one byte.
    pub(crate) fn byte_values(&self) -> Option<(u32, ByteSet)> {
        match self {
            Condition::In { first, bytes: 1, values } => {
                let contains = |value: u8| values.iter().any(|(low, high)| (*low..=*high).contains(&value.into()));
                Some((*first, ByteSet::from_fn(contains)))
            }
            _ => None,
        }
    }

    /// The set of values of a condition on one word of several bytes.
    pub(crate) fn word_values(&self) -> Option<(u32, u8, Intervals)> {
        match self {
            Condition::In { first, bytes, values } if *bytes > 1 => {
                let parts = values.iter().map(|(low, high)| (u128::from(*low), u128::from(*high)));
                Some((*first, *bytes, Intervals::from_parts(parts.collect())))
            }
            _ => None,
        }
    }

    /// Whether it is well-formed; those of a file may not be.
    pub(crate) fn is_valid(&self) -> bool {
        fn within(condition: &Condition, depth: u32) -> bool {
            match condition {
                Condition::In { first, bytes, values } => {
                    let is_sorted = values.windows(2).all(|pair| pair[0].1 < pair[1].0);
                    (1..=MOST_BYTES).contains(bytes)
                        && first.checked_add(u32::from(*bytes)).is_some()
                        && is_sorted
                        && values.iter().all(|(low, high)| low <= high && *high <= greatest(*bytes))
                }
                Condition::All(parts) | Condition::Any(parts) => {
                    depth > 0 && !parts.is_empty() && parts.iter().all(|part| within(part, depth - 1))
                }
            }
        }
        within(self, DEPTH)
    }

    /// In words, with `name` for the input bytes from the first on, as many as the second says.
    pub(crate) fn describe(&self, name: &impl Fn(u32, u8) -> String) -> String {
        let list = |parts: &[Condition], between: &str| {
            let parts: Vec<String> = parts.iter().map(|part| part.describe(name)).collect();
            parts.join(between)
        };
        match self {
            Condition::All(parts) => list(parts, " and "),
            Condition::Any(parts) => list(parts, " or "),
            Condition::In { first, bytes, values } => {
                let subject = name(*first, *bytes);
                let outside = complement(values, greatest(*bytes));
                let (is, values) = if parts_of(&outside) < parts_of(values) || is_one(&outside) && !is_one(values) {
                    ("is not", outside)
                } else {
                    ("is", values.clone())
                };
                let one_of = if is_one(&values) { "" } else { "one of " };
                let shown: Vec<String> = values.iter().map(|(low, high)| range(*low, *high, *bytes)).collect();
                format!("{subject} {is} {one_of}{}", shown.join(", "))
            }
        }
    }
}

fn greatest(bytes: u8) -> u64 {
    u64::MAX >> (64 - 8 * u32::from(bytes))
}

fn complement(values: &[(u64, u64)], greatest: u64) -> Vec<(u64, u64)> {
    let (mut outside, mut next) = (Vec::new(), Some(0));
    for &(low, high) in values {
        if let Some(start) = next.filter(|start| *start < low) {
            outside.push((start, low - 1));
        }
        next = high.checked_add(1);
    }
    outside.extend(next.filter(|start| *start <= greatest).map(|start| (start, greatest)));
    outside
}

fn is_one(values: &[(u64, u64)]) -> bool {
    matches!(values, [(low, high)] if low == high)
}

fn parts_of(values: &[(u64, u64)]) -> usize {
    values.len()
}

/// `'a'`, `'0' to '9'`, `17`.
fn range(low: u64, high: u64, bytes: u8) -> String {
    let show = |value: u64| match u8::try_from(value) {
        Ok(letter @ b' '..=b'~') if bytes == 1 => format!("'{}'", char::from(letter)),
        _ => value.to_string(),
    };
    if low == high { show(low) } else { format!("{} to {}", show(low), show(high)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(condition: &Condition) -> String {
        condition.describe(&|first, _| format!("byte {first}"))
    }

    #[test]
    fn conditions_are_described_in_words() {
        let mut pool = Pool::new();
        let (a, b) = (pool.input(0, 1), pool.input(4, 1));
        let (minus, digit, nine) =
            (pool.constant(8, b'-'.into()), pool.constant(8, b'0'.into()), pool.constant(8, b'9'.into()));
        let is_minus = pool.eq(a, minus);
        let is_not = pool.not(is_minus);
        let (from, to) = (pool.ule(digit, b), pool.ule(b, nine));
        let is_digit = pool.and(from, to);
        let either = pool.or(is_minus, is_digit);
        let mut text = |condition| Condition::of(&mut pool, condition).map(|condition| named(&condition));
        assert_eq!(text(is_minus).unwrap(), "byte 0 is '-'");
        assert_eq!(text(is_not).unwrap(), "byte 0 is not '-'");
        assert_eq!(text(is_digit).unwrap(), "byte 4 is one of '0' to '9'");
        assert_eq!(text(either).unwrap(), "byte 0 is '-' or byte 4 is one of '0' to '9'");
    }

    #[test]
    fn words_and_what_is_no_such_condition() {
        let mut pool = Pool::new();
        let (word, other) = (pool.input(0, 4), pool.input(4, 4));
        let seven = pool.constant(32, 7);
        let is_seven = pool.eq(word, seven);
        let equal = pool.eq(word, other);
        let text = named(&Condition::of(&mut pool, is_seven).unwrap());
        assert_eq!(text, "byte 0 is 7");
        assert_eq!(Condition::of(&mut pool, equal), None, "two words are compared with each other");
    }

    proptest! {
        #[test]
        fn negation_is_the_complement(values in prop::collection::btree_set(any::<u8>(), 0..40)) {
            let values: ByteSet = values.into_iter().collect();
            let condition = Condition::byte(3, values);
            prop_assert!(condition.is_valid());
            prop_assert_eq!(condition.byte_values(), Some((3, values)));
            prop_assert_eq!(condition.clone().not().byte_values(), Some((3, !values)));
            prop_assert_eq!(condition.clone().not().not(), condition);
        }
    }
}
