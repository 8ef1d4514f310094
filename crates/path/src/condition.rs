//! A condition of a path, and where it comes from.

use secateur_expr::Expr;

/// A condition that holds on a path as the result of a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathCondition {
    /// How many decisions the path had taken before the one that the condition comes from.
    pub decision: u32,
    /// The condition.
    pub condition: Expr,
}
