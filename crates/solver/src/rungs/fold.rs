//! Rung `fold`: many goals are settled by the rewrite rules before a solver sees them, and a loop that tests the same thing twice asks
//! for the opposite of what the path already says.

use secateur_expr::{Expr, Pool};

use crate::rungs::Finding;

/// Looks at the goal itself and for its negation in the path.
pub(crate) fn decide(pool: &mut Pool, path: &[Expr], goal: Expr) -> Option<Finding> {
    if pool.is_true(goal) {
        return Some(Finding::Sat(Vec::new()));
    }
    if pool.is_false(goal) {
        return Some(Finding::Unsat(vec![goal]));
    }
    let opposite = pool.not(goal);
    path.contains(&opposite).then(|| Finding::Unsat(vec![opposite, goal]))
}
