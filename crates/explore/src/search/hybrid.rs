//! Hybrid concolic testing (Majumdar and Sen): random inputs while they cover something new, and a search by flips when
//! they no longer do.
//!
//! Random inputs reach deep states without the solver but cannot pass a narrow condition, which a search close to the
//! start can. After the search has covered something new, random inputs continue from there in effect, as they may take
//! any of the flips that it has found.

use super::breadth_first::BreadthFirst;
use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::view::View;

/// A search by flips, alternating with random inputs.
pub(super) struct Hybrid {
    flips: BreadthFirst,
    /// How many more random inputs may cover nothing new.
    left: u32,
    /// How many in a row may, before flips are tried.
    patience: u32,
    random: Random,
}

impl Hybrid {
    pub(super) fn new(patience: u32, seed: u64) -> Hybrid {
        Hybrid { flips: BreadthFirst::default(), left: patience, patience, random: Random::new(seed) }
    }
}

impl Searcher for Hybrid {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.flips.add(id, info);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.flips.next(view)
    }

    fn tried(&mut self, _: Option<FlipId>, result: FlipResult) {
        if matches!(result, FlipResult::Ran { newly_covered, .. } if newly_covered > 0) {
            self.left = self.patience;
        }
    }

    fn makes_inputs(&self) -> bool {
        true
    }

    fn fresh_input(&mut self, len: u32) -> Option<Vec<u8>> {
        self.left = self.left.checked_sub(1)?;
        Some((0..len).map(|_| self.random.number() as u8).collect())
    }
}
