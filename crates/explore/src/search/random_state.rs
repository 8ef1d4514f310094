//! Random state (KLEE): any pending flip, each with the same probability. It is unbiased, but if one loop makes most of
//! the flips, it mostly picks from that loop.

use super::{FlipId, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::view::View;

/// All flips, in no order.
pub(super) struct RandomState {
    flips: Vec<FlipId>,
    random: Random,
}

impl RandomState {
    pub(super) fn new(seed: u64) -> RandomState {
        RandomState { flips: Vec::new(), random: Random::new(seed) }
    }
}

impl Searcher for RandomState {
    fn add(&mut self, id: FlipId, _: &FlipInfo) {
        self.flips.push(id);
    }

    fn next(&mut self, _: &mut View<'_>) -> Option<FlipId> {
        if self.flips.is_empty() {
            return None;
        }
        let index = self.random.index(self.flips.len());
        Some(self.flips.swap_remove(index))
    }
}
