//! Clauses: what must not hold all at once.

use secateur_expr::{Expr, Pool};

/// Conditions on the state at a node, and on inputs read below it, that do not all hold: else a side could be taken
/// that was infeasible.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clause {
    /// In ascending order, without repetition; there is at least one.
    pub conditions: Vec<Expr>,
    /// The decisions above the node whose conditions are needed as well to show that the side is infeasible, in
    /// ascending order.
    pub core: Vec<u32>,
}

/// What a conjunction of conditions is once it is simplified.
pub enum Simplified {
    /// It never holds: there is nothing to exclude.
    False,
    /// It always holds: nothing excludes it.
    True,
    /// It depends on these conditions.
    Conditions(Vec<Expr>),
}

/// Simplifies a conjunction.
pub fn simplify(pool: &Pool, conditions: impl IntoIterator<Item = Expr>) -> Simplified {
    let mut kept = Vec::new();
    for condition in conditions {
        match pool.as_const(condition) {
            Some(0) => return Simplified::False,
            Some(_) => {}
            None => kept.push(condition),
        }
    }
    if kept.is_empty() {
        return Simplified::True;
    }
    kept.sort();
    kept.dedup();
    Simplified::Conditions(kept)
}
