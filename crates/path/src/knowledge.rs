//! What the conditions of a path say about single bytes and words.
//!
//! It is true of every input that takes the path, but not all that could be known: comparisons of words with each other, for one, are
//! only recognised when they come up again.

use std::rc::Rc;
use std::sync::Arc;

use secateur_expr::{BinaryOp, Expr, Intervals, Node, Pool, TruthTable};

use crate::SharedMap;
use crate::groups::About;
use crate::shared_vec::SharedVec;

/// How deep conditions are taken apart.
const MAX_DEPTH: u32 = 8;

/// What is known.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// The values that bytes can have, if something is known of them.
    bytes: SharedVec<Option<Rc<TruthTable>>>,
    words: SharedMap<Expr, Arc<Intervals>>,
    /// Conditions that are not about one byte or word, and hold.
    others: SharedMap<Expr, ()>,
}

impl Knowledge {
    /// A condition holds from now on. Tells what it is about if all that it says is known now.
    pub(crate) fn learn(&mut self, pool: &mut Pool, condition: Expr) -> Option<About> {
        self.learn_parts(pool, condition, MAX_DEPTH)
    }

    fn learn_parts(&mut self, pool: &mut Pool, condition: Expr, depth: u32) -> Option<About> {
        if let Some((byte, table)) = pool.on_one_byte(condition) {
            let values = self.bytes.get_mut(byte);
            *values = Some(Rc::new(values.as_deref().map_or(table, |known| both(known, &table))));
            return Some(About::Byte(byte));
        }
        if let Some(restriction) = pool.restriction(condition) {
            let word = restriction.word;
            let values = match self.words.get(&word) {
                Some(known) => known.intersection(&restriction.values),
                None => restriction.values.clone(),
            };
            self.words.insert_mut(word, Arc::new(values));
            return Some(About::Word(word));
        }
        self.others.insert_mut(condition, ());
        if let Node::Binary(BinaryOp::And, a, b) = pool.node(condition)
            && depth > 0
        {
            self.learn_parts(pool, a, depth - 1);
            self.learn_parts(pool, b, depth - 1);
        }
        None
    }

    /// No input that agrees with what is known satisfies the condition. False may mean that it is not known.
    pub(crate) fn refutes(&self, pool: &mut Pool, condition: Expr) -> bool {
        self.refutes_parts(pool, condition, MAX_DEPTH)
    }

    fn refutes_parts(&self, pool: &mut Pool, condition: Expr, depth: u32) -> bool {
        if let Some((byte, table)) = pool.on_one_byte(condition) {
            return self.byte_values(byte, &table) == [0; 4];
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

    /// The values of a byte that satisfy the condition as well.
    pub(crate) fn byte_values(&self, byte: u32, table: &TruthTable) -> TruthTable {
        self.bytes.get(byte).and_then(Option::as_deref).map_or(*table, |known| both(known, table))
    }

    /// The values of a word that are in the set as well.
    pub(crate) fn word_values(&self, word: Expr, values: &Intervals) -> Intervals {
        self.words.get(&word).map_or_else(|| values.clone(), |known| known.intersection(values))
    }
}

fn both(a: &TruthTable, b: &TruthTable) -> TruthTable {
    std::array::from_fn(|i| a[i] & b[i])
}
