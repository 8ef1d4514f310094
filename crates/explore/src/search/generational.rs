//! Generational search (SAGE): all flips of a path are tried before those of another, and paths that covered more new code come first.
//!
//! A path costs much more than a question to the solver, so that all of a path's flips should be made use of. How much a path has covered that was
//! new tells how much there may be to find around it. Of paths that covered as much the oldest comes first, so every path has its turn.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// Flips by the path that found them.
#[derive(Default)]
pub(super) struct Generational {
    /// Of paths under way, by their numbers.
    open: BTreeMap<u64, Vec<FlipId>>,
    /// Of paths that have ended, by what they covered and when they ended.
    ended: BTreeMap<(Reverse<u64>, u64), Vec<FlipId>>,
    paths: u64,
    /// What is left of the path whose turn it is, the first flip last.
    current: Vec<FlipId>,
}

impl Searcher for Generational {
    fn add(&mut self, id: FlipId, about: &FlipInfo) {
        self.open.entry(about.path).or_default().push(id);
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
