//! Covering new, "covnew" (KLEE): as md2u, but a flip is likelier, too, if its path has covered something new a short while ago: where there was something new
//! there often is more. KLEE counts from a thousand instructions on; here every instruction counts, because in a program whose paths are shorter than that all flips would weigh the same.

use super::distance::Distance;
use super::weighted::{Measure, UNIT};
use crate::flip::{FlipInfo, FlipPoint};
use crate::view::View;

/// Flips by place and by how long ago their paths have covered something new.
pub(super) struct CoverageNew;

impl Measure for CoverageNew {
    /// How long ago is rounded to a power of two, so that there are not as many classes as flips.
    type Key = (FlipPoint, u32);

    const DEPENDS_ON_COVERAGE: bool = true;

    fn key(&mut self, about: &FlipInfo) -> (FlipPoint, u32) {
        (about.place(), about.since_new.max(1).ilog2())
    }

    fn weight(&self, (place, ago): (FlipPoint, u32), view: &mut View<'_>) -> u64 {
        let newly_covered = UNIT.checked_shr(2 * ago).unwrap_or(0);
        newly_covered + Distance.weight(place, view)
    }
}
