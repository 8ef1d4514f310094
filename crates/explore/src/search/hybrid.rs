//! Hybrid (Majumdar and Sen's hybrid concolic testing): random inputs as long as they cover something new, and a search by flips when they no longer do.
//!
//! Random inputs go deep at no cost for the solver, but cannot pass a narrow condition; a search close to the start can. After it has covered something new, random inputs begin
//! from there in effect, as they may take any of the flips that it has left.

use super::breadth_first::BreadthFirst;
use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::view::View;

/// How many random inputs in a row may cover nothing new.
const PATIENCE: u32 = 16;

/// A search by flips and random inputs in between.
pub(super) struct Hybrid {
    flips: BreadthFirst,
    /// How many more random inputs may cover nothing.
    left: u32,
    random: Random,
}

impl Hybrid {
    pub(super) fn new(seed: u64) -> Hybrid {
        Hybrid { flips: BreadthFirst::default(), left: PATIENCE, random: Random::new(seed) }
    }
}

impl Searcher for Hybrid {
    fn add(&mut self, id: FlipId, about: &FlipInfo) {
        self.flips.add(id, about);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.flips.next(view)
    }

    fn tried(&mut self, _: Option<FlipId>, result: FlipResult) {
        if matches!(result, FlipResult::Ran { newly_covered, .. } if newly_covered > 0) {
            self.left = PATIENCE;
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
