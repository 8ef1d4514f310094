//! Which holes an expression depends on.

use rustc_hash::FxHashSet;

use crate::array::ArrayNode;
use crate::expr::{Array, Expr, Width};
use crate::node::Stored;
use crate::pool::Pool;

impl Pool {
    /// The sorted ids of the holes that an expression depends on. Constant time if there are none; else it traverses
    /// the subexpressions with holes.
    #[inline]
    pub fn holes(&self, e: Expr) -> Vec<u32> {
        if self.has_hole(e) { self.holes_of_all(&[e]) } else { Vec::new() }
    }

    /// [`Pool::holes`] for several expressions; what they share is traversed once.
    pub fn holes_of_all(&self, roots: &[Expr]) -> Vec<u32> {
        let mut ids: Vec<u32> = self.hole_widths(roots).into_iter().map(|(id, _)| id).collect();
        ids.dedup();
        ids
    }

    /// The holes that expressions depend on, sorted, each with its width.
    pub fn hole_widths(&self, roots: &[Expr]) -> Vec<(u32, Width)> {
        let mut walk = Walk::default();
        roots.iter().for_each(|root| walk.add(self, *root));
        let mut ids = Vec::new();
        loop {
            if let Some(e) = walk.exprs.pop() {
                match *self.stored(e) {
                    Stored::Hole { id, width } => ids.push((id, width)),
                    Stored::Select { array, index } => {
                        walk.add(self, index);
                        walk.add_array(self, array);
                    }
                    ref other => other.for_each_operand(|operand| walk.add(self, operand)),
                }
            } else if let Some(array) = walk.arrays.pop() {
                match self.array_node(array) {
                    ArrayNode::Table(elements) => elements.iter().for_each(|&element| walk.add(self, element)),
                    ArrayNode::Store { array, index, value } => {
                        walk.add_array(self, array);
                        walk.add(self, index);
                        walk.add(self, value);
                    }
                }
            } else {
                break;
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// The work list of the traversal.
#[derive(Default)]
struct Walk {
    exprs: Vec<Expr>,
    arrays: Vec<Array>,
    seen_exprs: FxHashSet<Expr>,
    seen_arrays: FxHashSet<Array>,
}

impl Walk {
    fn add(&mut self, pool: &Pool, e: Expr) {
        if pool.has_hole(e) && self.seen_exprs.insert(e) {
            self.exprs.push(e);
        }
    }

    fn add_array(&mut self, pool: &Pool, array: Array) {
        let (_, _, hole) = pool.arrays.dependencies(array);
        if hole && self.seen_arrays.insert(array) {
            self.arrays.push(array);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_found_below_operations_and_in_arrays() {
        let mut pool = Pool::new();
        let [a, b, c, index] = [(4, 8), (2, 8), (7, 8), (9, 64)].map(|(id, width)| pool.hole(id, width));
        let byte = pool.input(0, 1);
        let sum = pool.add(a, byte);
        assert_eq!(pool.holes(sum), [4]);
        assert!(pool.holes(byte).is_empty());
        let table = pool.table(&[sum, b, byte]);
        let two = pool.constant(64, 2);
        let stored = pool.store(table, index, c);
        let element = pool.select(stored, two);
        assert_eq!(pool.holes(element), [2, 4, 7, 9]);
    }
}
