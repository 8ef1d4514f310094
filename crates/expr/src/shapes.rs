//! The hash-consing table.
//!
//! It is the largest table of a pool. A hash map that grows exists twice for a moment. So the table is sharded, and the
//! shards grow one after the other: a memory limit can only be kept if nothing large doubles at once.

use rustc_hash::FxHashMap;

use crate::expr::Expr;
use crate::node::Key;

/// The number of shards, a power of two.
const SHARDS: usize = 16;

/// Maps each shape that was requested to its simplified expression, or to itself if no rule applies.
#[derive(Default, Debug)]
pub(crate) struct Shapes {
    shards: [FxHashMap<Key, Expr>; SHARDS],
}

impl Shapes {
    #[inline]
    pub(crate) fn get(&self, key: &Key) -> Option<Expr> {
        self.shards[key.shard(SHARDS)].get(key).copied()
    }

    #[inline]
    pub(crate) fn insert(&mut self, key: Key, e: Expr) {
        self.shards[key.shard(SHARDS)].insert(key, e);
    }

    /// The approximate memory use in bytes.
    pub(crate) fn memory(&self) -> usize {
        /// The control byte of each entry.
        const CONTROL: usize = 1;
        self.shards.iter().map(|shard| shard.capacity() * (size_of::<(Key, Expr)>() + CONTROL)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    #[test]
    fn shards_are_balanced() {
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
        let all: usize = shapes.shards.iter().map(FxHashMap::len).sum();
        let most = shapes.shards.iter().map(FxHashMap::len).max().unwrap();
        assert!(most < 2 * all / SHARDS, "{most} of {all}");
    }
}
