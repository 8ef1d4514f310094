//! Rung `fold`: the rewrite rules simplify many goals to constants.

use secateur_expr::{Expr, Pool};

use crate::rungs::Finding;

/// Decides a constant goal.
pub(crate) fn decide(pool: &Pool, goal: Expr) -> Option<Finding> {
    if pool.is_true(goal) {
        return Some(Finding::Sat(Vec::new()));
    }
    pool.is_false(goal).then(|| Finding::Unsat(vec![goal]))
}
