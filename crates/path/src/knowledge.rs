//! What follows from the conditions of a path for single bytes and words.
//!
//! It holds for every input that takes the path, but is incomplete: comparisons of words with each other, for example,
//! are only recognised when they occur again.

use std::rc::Rc;
use std::sync::Arc;

use secateur_expr::{BinaryOp, ByteSet, Expr, Intervals, Node, Pool, Restriction};
use smallvec::SmallVec;

use crate::SharedMap;
use crate::groups::About;
use crate::shared_vec::SharedVec;

/// Something that follows from a condition directly.
pub enum Fact {
    /// The input byte has one of the values.
    Byte(u32, ByteSet),
    /// An input word has one of the values.
    Word(Arc<Restriction>),
    /// This condition, which is not about one byte or word, holds.
    Other(Expr),
}

/// What is known of a byte.
#[derive(Clone, Default)]
struct KnownByte {
    /// Its possible values, if conditions on it alone restrict them.
    values: Option<Rc<ByteSet>>,
    /// Whether it has only one, by itself or as part of a word.
    is_fixed: bool,
}

/// The facts that are known.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// The possible values of bytes that are restricted.
    bytes: SharedVec<KnownByte>,
    words: SharedMap<Expr, Arc<Intervals>>,
    /// Conditions that are not about one byte or word, and hold.
    others: SharedMap<Expr, ()>,
}

impl Knowledge {
    /// Adds the facts of a condition. Returns the byte or word that it is about if they are equivalent to it.
    pub(crate) fn learn(&mut self, pool: &mut Pool, condition: Expr) -> Option<About> {
        let mut about = None;
        let mut complete = true;
        let mut fixed_words: SmallVec<[(Expr, u128); 1]> = SmallVec::new();
        for_each_fact(pool, condition, &mut |fact| match fact {
            Fact::Byte(byte, table) => {
                let values = self.byte_values(byte, table);
                let known = self.bytes.get_mut(byte);
                known.is_fixed |= values.len() == 1;
                known.values = Some(Rc::new(values));
                about = Some(About::Byte(byte));
            }
            Fact::Word(restriction) => {
                let word = restriction.word;
                let values = match self.words.get(&word) {
                    Some(known) => known.intersection(&restriction.values),
                    None => restriction.values.clone(),
                };
                fixed_words.extend(values.single().map(|value| (word, value)));
                self.words.insert_mut(word, Arc::new(values));
                about = Some(About::Word(word));
            }
            Fact::Other(other) => {
                self.others.insert_mut(other, ());
                complete = false;
            }
        });
        for (word, value) in fixed_words {
            pool.bytes_of_word(word, value).iter().for_each(|(byte, _)| self.bytes.get_mut(*byte).is_fixed = true);
        }
        about.filter(|_| complete)
    }

    /// The facts contradict the condition. False may also mean that they do not suffice to show it.
    pub(crate) fn refutes(&self, pool: &mut Pool, condition: Expr) -> bool {
        self.refutes_parts(pool, condition, pool.tuning().fact_depth)
    }

    fn refutes_parts(&self, pool: &mut Pool, condition: Expr, depth: u32) -> bool {
        if let Some((byte, table)) = pool.on_one_byte(condition) {
            return self.byte_values(byte, table).is_empty();
        }
        if let Some(restriction) = pool.restriction(condition) {
            return match self.words.get(&restriction.word) {
                Some(known) => known.is_disjoint(&restriction.values),
                None => restriction.values.is_empty(),
            };
        }
        let opposite = pool.not(condition);
        if self.others.contains_key(&opposite) {
            return true;
        }
        match pool.node(condition) {
            Node::Binary(BinaryOp::And, a, b) if depth > 0 => {
                self.refutes_parts(pool, a, depth - 1) || self.refutes_parts(pool, b, depth - 1)
            }
            Node::Binary(BinaryOp::Or, a, b) if depth > 0 => {
                self.refutes_parts(pool, a, depth - 1) && self.refutes_parts(pool, b, depth - 1)
            }
            _ => false,
        }
    }

    /// Every input of the path gives the expression the same value, since all bytes that it depends on have only one.
    #[inline]
    pub(crate) fn determines(&self, pool: &Pool, e: Expr) -> bool {
        // Most expressions depend on a byte that is not fixed, and it is often the first.
        !pool.has_hole(e) && pool.support_bytes(pool.support(e)).iter().all(|&byte| self.is_fixed(byte))
    }

    fn is_fixed(&self, byte: u32) -> bool {
        self.bytes.get(byte).is_some_and(|known| known.is_fixed)
    }

    /// The possible values of a byte that are in the set.
    pub(crate) fn byte_values(&self, byte: u32, table: ByteSet) -> ByteSet {
        let known = self.bytes.get(byte).and_then(|known| known.values.as_deref());
        known.map_or(table, |known| *known & table)
    }

    /// The possible values of a word that are in the set.
    pub(crate) fn word_values(&self, word: Expr, values: &Intervals) -> Intervals {
        self.words.get(&word).map_or_else(|| values.clone(), |known| known.intersection(values))
    }
}

/// Calls `visit` for each fact of a condition: for itself, and if it is a conjunction on several bytes or words, for
/// its conjuncts.
pub fn for_each_fact(pool: &mut Pool, condition: Expr, visit: &mut impl FnMut(Fact)) {
    for_each_fact_within(pool, condition, pool.tuning().fact_depth, visit);
}

fn for_each_fact_within(pool: &mut Pool, condition: Expr, depth: u32, visit: &mut impl FnMut(Fact)) {
    if let Some((byte, table)) = pool.on_one_byte(condition) {
        return visit(Fact::Byte(byte, table));
    }
    if let Some(restriction) = pool.restriction(condition) {
        return visit(Fact::Word(restriction));
    }
    visit(Fact::Other(condition));
    if let Node::Binary(BinaryOp::And, a, b) = pool.node(condition)
        && depth > 0
    {
        for_each_fact_within(pool, a, depth - 1, visit);
        for_each_fact_within(pool, b, depth - 1, visit);
    }
}
