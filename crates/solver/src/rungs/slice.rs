//! Rung `slice`: a path of a parser has hundreds of conditions, but the goal is about one byte. Conditions that share no input byte
//! with it, directly or through others, keep holding because their bytes keep their values. (The independence of EXE and KLEE.)

use secateur_expr::{Expr, Pool};

use crate::query::Query;

/// The part of the path that is connected to the goal.
pub(crate) fn slice(pool: &Pool, path: &[Expr], goal: Expr) -> Query {
    let mut bytes = ByteSet::default();
    bytes.add(pool.support_bytes(pool.support(goal)));
    let mut inside = Vec::new();
    let mut outside: Vec<Expr> = path.to_vec();
    loop {
        let before = inside.len();
        outside.retain(|&condition| {
            let support = pool.support_bytes(pool.support(condition));
            let connected = bytes.intersects(support);
            if connected {
                bytes.add(support);
                inside.push(condition);
            }
            !connected
        });
        if inside.len() == before {
            return Query::new(pool, inside, goal);
        }
    }
}

/// A set of input bytes, one bit each.
#[derive(Default)]
struct ByteSet(Vec<u64>);

impl ByteSet {
    fn add(&mut self, bytes: &[u32]) {
        if let Some(&last) = bytes.last() {
            let words = last as usize / 64 + 1;
            if self.0.len() < words {
                self.0.resize(words, 0);
            }
        }
        for &byte in bytes {
            self.0[byte as usize / 64] |= 1 << (byte % 64);
        }
    }

    fn intersects(&self, bytes: &[u32]) -> bool {
        bytes.iter().any(|&byte| self.0.get(byte as usize / 64).is_some_and(|word| word >> (byte % 64) & 1 == 1))
    }
}
