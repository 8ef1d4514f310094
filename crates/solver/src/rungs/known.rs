//! Rung `known`: a path keeps in mind which values its bytes and words can have. Most questions are about one of them, and answering
//! is looking at it. What the path knows to be impossible comes here only if the machine did not ask the path itself.

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::Path;

use crate::rungs::Finding;

/// Answers if all that has to do with the goal is known. `valuation` holds the current input.
pub(crate) fn decide(pool: &mut Pool, path: &Path, goal: Expr, valuation: &mut Valuation) -> Option<Finding> {
    if let Some(model) = path.satisfy(pool, goal, valuation) {
        return Some(Finding::Sat(model));
    }
    let refutation = path.refutation(pool, goal)?;
    Some(Finding::Unsat(refutation.iter().map(|used| used.condition).chain([goal]).collect()))
}
