//! Depth (KLEE): the more decisions a path has made, the likelier are its flips. It follows paths deeper than other
//! strategies do, at the expense of breadth.

use super::weighted::{Measure, UNIT};
use crate::flip::FlipInfo;
use crate::view::View;

/// Flips by depth.
pub(super) struct Depth;

impl Measure for Depth {
    type Key = u32;

    const DEPENDS_ON_COVERAGE: bool = false;

    fn key(&mut self, info: &FlipInfo) -> u32 {
        info.depth
    }

    fn weight(&self, depth: u32, _: &mut View<'_>) -> u64 {
        (UNIT >> 20) * (u64::from(depth) + 1)
    }
}
