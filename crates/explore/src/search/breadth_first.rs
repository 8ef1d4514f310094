//! Breadth first: the flip with the fewest decisions before it, the oldest of them first. Every decision near the start
//! of the program is tried before any loop is unrolled further.

use std::collections::BTreeSet;

use super::{FlipId, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// Flips by depth, then age.
#[derive(Default)]
pub(super) struct BreadthFirst {
    queue: BTreeSet<(u32, FlipId)>,
}

impl Searcher for BreadthFirst {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.queue.insert((info.depth, id));
    }

    fn next(&mut self, _: &mut View<'_>) -> Option<FlipId> {
        self.queue.pop_first().map(|(_, id)| id)
    }
}
