//! A question on its way up the ladder.

use secateur_expr::{Expr, Pool, Valuation};

/// A goal with the conditions that it must hold together with.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    /// Sorted, without duplicates, the goal among them.
    pub(crate) conditions: Vec<Expr>,
    pub(crate) goal: Expr,
    /// The input bytes that the conditions depend on, sorted.
    pub(crate) bytes: Vec<u32>,
    /// Some condition depends on a function of the C library.
    pub(crate) native: bool,
}

impl Query {
    /// A question with all of these conditions; constants that hold are left out.
    pub(crate) fn new(pool: &Pool, mut conditions: Vec<Expr>, goal: Expr) -> Query {
        conditions.retain(|&condition| !pool.is_true(condition));
        conditions.push(goal);
        conditions.sort_unstable();
        conditions.dedup();
        let bytes = bytes_of(pool, &conditions);
        let native = conditions.iter().any(|&condition| pool.depends_on_native(condition));
        Query { conditions, goal, bytes, native }
    }

    /// Some condition depends on a hole.
    pub(crate) fn has_hole(&self, pool: &Pool) -> bool {
        self.conditions.iter().any(|&condition| pool.has_hole(condition))
    }

    /// All conditions hold under the valuation. The goal is the one most likely not to, so it comes first.
    pub(crate) fn holds(&self, pool: &Pool, valuation: &mut Valuation) -> bool {
        valuation.holds(pool, self.goal) && self.conditions.iter().all(|&condition| valuation.holds(pool, condition))
    }
}

/// The input bytes that some condition depends on, sorted.
pub(crate) fn bytes_of(pool: &Pool, conditions: &[Expr]) -> Vec<u32> {
    let mut bytes: Vec<u32> =
        conditions.iter().flat_map(|&condition| pool.support_bytes(pool.support(condition))).copied().collect();
    bytes.sort_unstable();
    bytes.dedup();
    bytes
}
