//! Minimal distance to uncovered, "md2u" (KLEE): the fewer instructions it is from where a flip goes to code that no path has executed yet, the likelier the flip, by the
//! square of the distance. Calls and the returns on the flip's own stack are followed.

use super::weighted::{Measure, UNIT};
use crate::flip::{FlipInfo, FlipPoint};
use crate::view::View;

/// As far as anything from where nothing uncovered can be reached.
const FAR: u64 = 10_000;

/// Flips by place.
pub(super) struct Distance;

impl Measure for Distance {
    type Key = FlipPoint;

    const DEPENDS_ON_COVERAGE: bool = true;

    fn key(&mut self, about: &FlipInfo) -> FlipPoint {
        about.place()
    }

    fn weight(&self, place: FlipPoint, view: &mut View<'_>) -> u64 {
        let far = view.distance(&place).map_or(FAR, |far| u64::from(far).clamp(1, FAR));
        UNIT / (far * far)
    }
}
