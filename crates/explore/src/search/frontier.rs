//! Frontier: one flip of each place before more of the same, and places that lead to an uncovered branch first.
//!
//! A loop around a `switch` makes thousands of flips at a few places, and hardly any at the others; here each place has
//! its turn, however many flips it has. A place whose flips cover nothing new waits longer for its next turn.

use super::by_place::ByPlace;
use super::{FlipId, FlipResult, Searcher};
use crate::flip::{FlipInfo, FlipPoint};
use crate::random::Random;
use crate::view::View;

/// Flips by place, the places by the attempts that they have cost.
pub(super) struct Frontier {
    places: ByPlace<Attempts>,
    /// The flip that was chosen last, and its place.
    trying: Option<(FlipId, usize)>,
    /// How many vain attempts at a place that leads to an uncovered branch count as one at any other.
    head_start: u64,
    random: Random,
}

#[derive(Clone, Copy, Default)]
struct Attempts {
    /// How many flips were tried that covered nothing new.
    vain: u64,
    /// Whether the place led to an uncovered branch when it was queued.
    is_uncovered: bool,
}

impl Attempts {
    fn key(self, head_start: u64) -> u64 {
        if self.is_uncovered { self.vain } else { head_start * (1 + self.vain) }
    }
}

impl Frontier {
    pub(super) fn new(head_start: u64, seed: u64) -> Frontier {
        Frontier { places: ByPlace::default(), trying: None, head_start, random: Random::new(seed) }
    }

    /// Takes the place out of the queue whose turn it is.
    fn next_place(&mut self, view: &View<'_>) -> Option<usize> {
        for number in self.places.take_unqueued() {
            self.enqueue(number, view);
        }
        loop {
            let number = self.places.pop_first()?;
            let place = self.places.place(number);
            // What it led to may have been covered since.
            if place.rank.is_uncovered && !leads_to_uncovered(&place.point, view) {
                self.enqueue(number, view);
                continue;
            }
            return Some(number);
        }
    }

    fn enqueue(&mut self, number: usize, view: &View<'_>) {
        let place = self.places.place(number);
        place.rank.is_uncovered = leads_to_uncovered(&place.point, view);
        let key = place.rank.key(self.head_start);
        self.places.enqueue(number, key);
    }
}

/// Whether a flip at the point takes a side of a branch in the user's code that was never taken.
fn leads_to_uncovered(point: &FlipPoint, view: &View<'_>) -> bool {
    view.program().functions[point.function.index()].user
        && point.branch.is_some_and(|(branch, outcome)| !view.coverage.taken(branch, outcome))
}

impl Searcher for Frontier {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.places.add(id, info);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        let number = self.next_place(view)?;
        let place = self.places.place(number);
        let index = self.random.index(place.flips.len());
        let id = place.flips.swap_remove_back(index)?;
        // Until the result is known, the attempt counts as vain.
        place.rank.vain += 1;
        self.enqueue(number, view);
        self.trying = Some((id, number));
        Some(id)
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        let Some((_, number)) = self.trying.take().filter(|(trying, _)| Some(*trying) == id) else { return };
        if let FlipResult::Ran { newly_covered: 1.., .. } = result {
            let rank = &mut self.places.place(number).rank;
            rank.vain = 0;
            let key = rank.key(self.head_start);
            if self.places.is_queued(number) {
                self.places.enqueue(number, key);
            }
        }
    }
}
