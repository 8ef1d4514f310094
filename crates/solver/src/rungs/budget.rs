//! How much a rung may evaluate. Rungs limit the inputs that they try, but an expression of a million operations can be
//! evaluated on only a few. So operations are limited as well, rather than time, which differs between runs.

use secateur_expr::Valuation;

use crate::Tuning;

/// The operations that a rung has left.
pub(crate) struct Budget {
    last: u64,
}

impl Budget {
    /// A full budget, starting now.
    pub(crate) fn new(valuation: &Valuation, tuning: &Tuning) -> Budget {
        Budget { last: valuation.steps().saturating_add(tuning.rung_steps) }
    }

    /// The rung should give up.
    pub(crate) fn is_used_up(&self, valuation: &Valuation) -> bool {
        valuation.steps() > self.last
    }
}
