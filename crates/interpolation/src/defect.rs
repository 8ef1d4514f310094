//! Deliberate defects, which show that the tests and the check of cuts notice wrong interpolants. Only tests can switch
//! one on.

use secateur_effects::Effect;
use secateur_machine::Reason;

/// A rule that is broken.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Defect {
    /// None: all is as it should be.
    #[default]
    None,
    /// Where a store goes is not required.
    StoreAddress,
    /// What was certain on a path is not required, such as the side that a concrete counter takes.
    CertainDecision,
    /// The clause of an infeasible side is missing.
    InfeasibleSide,
    /// The core of an infeasible side lacks a condition. This only makes interpolants stronger.
    CoreCondition,
}

impl Defect {
    /// Leaves out of an effect what is lost.
    pub(crate) fn spoil(self, effect: &mut Effect) {
        match self {
            Defect::StoreAddress => effect.requirements.retain(|requirement| requirement.reason != Reason::Store),
            Defect::CertainDecision => effect.decisions.retain(|decision| decision.is_first),
            Defect::None | Defect::InfeasibleSide | Defect::CoreCondition => {}
        }
    }
}
