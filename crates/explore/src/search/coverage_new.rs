//! Covering new, "covnew" (KLEE): like md2u, but a flip is also likelier if its path covered something new shortly
//! before, since there is often more where something was new. KLEE counts from a thousand instructions on; here every
//! instruction counts, because in a program with shorter paths all flips would have the same weight.

use super::distance::Distance;
use super::weighted::{Measure, UNIT};
use crate::flip::{FlipInfo, FlipPoint};
use crate::view::View;

/// Flips by point and by how long ago their paths covered something new.
pub(super) struct CoverageNew {
    pub distance: Distance,
}

impl Measure for CoverageNew {
    /// The time is rounded to a power of two, so that there are fewer classes than flips.
    type Key = (FlipPoint, u32);

    const DEPENDS_ON_COVERAGE: bool = true;

    fn key(&mut self, info: &FlipInfo) -> (FlipPoint, u32) {
        (info.point(), info.since_new.max(1).ilog2())
    }

    fn weight(&self, (point, ago): (FlipPoint, u32), view: &mut View<'_>) -> u64 {
        let newly_covered = UNIT.checked_shr(2 * ago).unwrap_or(0);
        newly_covered + self.distance.weight(point, view)
    }
}
