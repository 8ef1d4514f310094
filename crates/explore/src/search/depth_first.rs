//! Depth first: the newest flip, which is the last decision of the last path. This is the order of SCORE's Algorithm 1;
//! it keeps the fewest flips pending, and consecutive questions to the solver share most of their path.

use super::{FlipId, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// A stack.
#[derive(Default)]
pub(super) struct DepthFirst {
    stack: Vec<FlipId>,
}

impl Searcher for DepthFirst {
    fn add(&mut self, id: FlipId, _: &FlipInfo) {
        self.stack.push(id);
    }

    fn next(&mut self, _: &mut View<'_>) -> Option<FlipId> {
        self.stack.pop()
    }
}
