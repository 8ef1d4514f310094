//! Query cost, "qc" (KLEE): the less work a path has been for the solver, the likelier are its flips, since the next
//! question has the same conditions and one more. Work is counted in calls of the SMT library, since time would differ
//! from run to run.

use super::weighted::{Measure, UNIT};
use crate::flip::FlipInfo;
use crate::view::View;

/// Flips by the cost of their paths.
pub(super) struct QueryCost;

impl Measure for QueryCost {
    type Key = u32;

    const DEPENDS_ON_COVERAGE: bool = false;

    fn key(&mut self, info: &FlipInfo) -> u32 {
        info.cost
    }

    fn weight(&self, cost: u32, _: &mut View<'_>) -> u64 {
        UNIT / (u64::from(cost) + 1)
    }
}
