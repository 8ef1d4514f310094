//! Minimal distance to uncovered, "md2u" (KLEE): the fewer instructions there are between where a flip goes and code
//! that no path has executed, the likelier is the flip, by the inverse square of the distance. Calls and the returns on
//! the flip's own stack are followed.

use super::weighted::{Measure, UNIT};
use crate::flip::{FlipInfo, FlipPoint};
use crate::view::View;

/// Flips by point.
pub(super) struct Distance {
    /// The distance of what is farther away or cannot reach anything uncovered.
    pub far: u64,
}

impl Measure for Distance {
    type Key = FlipPoint;

    const DEPENDS_ON_COVERAGE: bool = true;

    fn key(&mut self, info: &FlipInfo) -> FlipPoint {
        info.point()
    }

    fn weight(&self, point: FlipPoint, view: &mut View<'_>) -> u64 {
        let distance = view.distance(&point).map_or(self.far, |distance| u64::from(distance).clamp(1, self.far));
        UNIT / (distance * distance)
    }
}
