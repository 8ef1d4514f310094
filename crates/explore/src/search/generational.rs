//! Generational search (SAGE): all flips of a path are tried before those of another, and paths that covered more new
//! code come first.
//!
//! A path costs much more than a question to the solver, so all of a path's flips should be used. How much new code a
//! path has covered suggests how much there is to find around it. Among paths that covered the same amount the oldest
//! comes first, so every path gets its turn.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// Flips by the path that found them.
#[derive(Default)]
pub(super) struct Generational {
    /// Those of running paths, by path number.
    open: BTreeMap<u64, Vec<FlipId>>,
    /// Those of finished paths, by how much these covered and when they ended.
    ended: BTreeMap<(Reverse<u64>, u64), Vec<FlipId>>,
    paths: u64,
    /// The remaining flips of the path whose turn it is, in reverse order.
    current: Vec<FlipId>,
}

impl Searcher for Generational {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.open.entry(info.path).or_default().push(id);
    }

    fn next(&mut self, _: &mut View<'_>) -> Option<FlipId> {
        while self.current.is_empty() {
            let ended = self.ended.pop_first().map(|(_, flips)| flips);
            self.current = ended.or_else(|| self.open.pop_first().map(|(_, flips)| flips))?;
            self.current.reverse();
        }
        self.current.pop()
    }

    fn tried(&mut self, _: Option<FlipId>, result: FlipResult) {
        if let FlipResult::Ran { path, newly_covered } = result
            && let Some(flips) = self.open.remove(&path)
        {
            self.ended.insert((Reverse(newly_covered), self.paths), flips);
            self.paths += 1;
        }
    }
}
