//! Rung `fold`: many goals are settled by the rewrite rules before a solver sees them.

use secateur_expr::{Expr, Pool};

use crate::rungs::Finding;

/// Looks at the goal itself.
pub(crate) fn decide(pool: &Pool, goal: Expr) -> Option<Finding> {
    if pool.is_true(goal) {
        return Some(Finding::Sat(Vec::new()));
    }
    pool.is_false(goal).then(|| Finding::Unsat(vec![goal]))
}
