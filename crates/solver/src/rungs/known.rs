//! Rung `known`: a path keeps track of the values that its bytes and words can have. Most questions are about one of
//! them, and a lookup answers them. What a path refutes by itself gets here only if the machine did not ask the path
//! first.

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::Path;

use crate::rungs::Finding;

/// Decides the goal if the path knows everything about its byte or word. `valuation` holds the current input.
pub(crate) fn decide(pool: &mut Pool, path: &Path, goal: Expr, valuation: &mut Valuation) -> Option<Finding> {
    if let Some(model) = path.satisfy(pool, goal, valuation) {
        return Some(Finding::Sat(model));
    }
    let refutation = path.refutation(pool, goal)?;
    Some(Finding::Unsat(refutation.iter().map(|used| used.condition).chain([goal]).collect()))
}
