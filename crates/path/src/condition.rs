//! A condition of a path, and where it comes from.

use secateur_expr::Expr;

/// A condition that holds on a path since one of its decisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PathCondition {
    /// How many decisions the path had taken before the one that the condition comes from.
    pub decision: u32,
    /// What holds since then.
    pub condition: Expr,
}
