//! How much a rung may evaluate. Rungs count the inputs that they try, but what it takes to try one depends on the question: an expression
//! of a million operations is too many for all but a few. So operations are counted as well, not time, which differs from run to run.

use secateur_expr::Valuation;

use crate::Tuning;

/// What is left for a rung.
pub(crate) struct Budget {
    last: u64,
}

impl Budget {
    /// The whole budget, from now on.
    pub(crate) fn new(valuation: &Valuation, tuning: &Tuning) -> Budget {
        Budget { last: valuation.steps().saturating_add(tuning.rung_steps) }
    }

    /// It is time to give up.
    pub(crate) fn is_used_up(&self, valuation: &Valuation) -> bool {
        valuation.steps() > self.last
    }
}
