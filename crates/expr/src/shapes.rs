//! What each shape that was asked for became: the table of hash-consing.
//!
//! It is the largest table of a pool. A table that grows exists twice for a moment, so there are several, which grow one after the other: a limit of
//! memory can be kept only if nothing doubles at once.

use rustc_hash::FxHashMap;

use crate::expr::Expr;
use crate::node::Key;

/// A power of two.
const PARTS: usize = 16;

/// From a shape that was asked for to what it was simplified to, which for shapes that no rule changes is the shape itself.
#[derive(Default, Debug)]
pub(crate) struct Shapes {
    parts: [FxHashMap<Key, Expr>; PARTS],
}

impl Shapes {
    #[inline]
    pub(crate) fn get(&self, key: &Key) -> Option<Expr> {
        self.parts[key.part(PARTS)].get(key).copied()
    }

    #[inline]
    pub(crate) fn insert(&mut self, key: Key, e: Expr) {
        self.parts[key.part(PARTS)].insert(key, e);
    }

    /// Approximate bytes of memory in use.
    pub(crate) fn memory(&self) -> usize {
        /// The byte of control that each entry has.
        const CONTROL: usize = 1;
        self.parts.iter().map(|part| part.capacity() * (size_of::<(Key, Expr)>() + CONTROL)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    #[test]
    fn no_part_grows_much_larger_than_the_others() {
        let mut pool = Pool::new();
        let x = pool.input(0, 4);
        let mut e = x;
        for number in 0..20_000 {
            let constant = pool.constant(32, number * 0x1_0001);
            let sum = pool.add(e, constant);
            e = pool.mul(sum, x);
        }
        let mut shapes = Shapes::default();
        for index in 3..=pool.len() as u32 {
            let e = Expr::from_index(index).unwrap();
            shapes.insert(pool.nodes[e.at()].key(), e);
        }
        let all: usize = shapes.parts.iter().map(FxHashMap::len).sum();
        let most = shapes.parts.iter().map(FxHashMap::len).max().unwrap();
        assert!(most < 2 * all / PARTS, "{most} of {all}");
    }
}
