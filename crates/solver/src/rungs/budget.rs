//! How much a rung may evaluate. Rungs limit the inputs that they try, but an expression of a million operations can be
//! evaluated on only a few. So operations are limited as well, rather than time, which differs between runs.

use secateur_expr::Valuation;

use crate::{Deadline, Tuning};

/// The operations that a rung has left.
pub(crate) struct Budget<'a> {
    last: u64,
    /// The deadline of all questions. Only its flag is looked at, which takes no system call.
    deadline: &'a Deadline,
}

impl<'a> Budget<'a> {
    /// A full budget, starting now.
    pub(crate) fn new(valuation: &Valuation, tuning: &Tuning, deadline: &'a Deadline) -> Budget<'a> {
        Budget { last: valuation.steps().saturating_add(tuning.rung_steps), deadline }
    }

    /// The rung should give up.
    pub(crate) fn is_used_up(&self, valuation: &Valuation) -> bool {
        valuation.steps() > self.last || self.deadline.is_interrupted()
    }
}
