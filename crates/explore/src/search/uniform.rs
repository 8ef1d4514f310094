//! Uniform random search, "urs" (CREST): takes a random decision of the last path the other way, each with the same
//! probability; if that is infeasible, another one. When the last path has none left, any pending flip is chosen.

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::view::View;

/// The flips of the last path, and all flips.
pub(super) struct Uniform {
    /// With their depths.
    last: Vec<(u32, FlipId)>,
    /// Some of them have been tried already and are skipped.
    all: Vec<FlipId>,
    /// The flip of the last path that is being tried, with its depth.
    trying: Option<(FlipId, u32)>,
    found: Vec<(u32, FlipId)>,
    random: Random,
}

impl Uniform {
    pub(super) fn new(seed: u64) -> Uniform {
        Uniform { last: Vec::new(), all: Vec::new(), trying: None, found: Vec::new(), random: Random::new(seed) }
    }
}

impl Searcher for Uniform {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.found.push((info.depth, id));
        self.all.push(id);
    }

    fn next(&mut self, _: &mut View<'_>) -> Option<FlipId> {
        if !self.last.is_empty() {
            let index = self.random.index(self.last.len());
            let (depth, id) = self.last.swap_remove(index);
            self.trying = Some((id, depth));
            return Some(id);
        }
        if self.all.is_empty() {
            return None;
        }
        let index = self.random.index(self.all.len());
        Some(self.all.swap_remove(index))
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        if !matches!(result, FlipResult::Ran { .. }) {
            return;
        }
        match self.trying.take().filter(|(trying, _)| Some(*trying) == id) {
            // The new path shares the decisions up to that one.
            Some((_, depth)) => self.last.retain(|(other, _)| *other <= depth),
            None => self.last.clear(),
        }
        self.last.append(&mut self.found);
    }
}
