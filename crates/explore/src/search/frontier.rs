//! Frontier: one flip of each place before more of the same, and places that lead to an uncovered branch first.
//!
//! A place is a point of the program, with the calls that led to it and the side that the flip would take. A loop around
//! a `switch` makes thousands of flips at a few places, and hardly any at the others; here each place has its turn,
//! however many flips it has. A place whose flips cover nothing new waits longer for its next turn.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::{FlipInfo, FlipPoint};
use crate::random::Random;
use crate::view::View;

/// Flips by place, the places by the attempts that they have cost.
pub(super) struct Frontier {
    numbers: FxHashMap<FlipPoint, usize>,
    places: Vec<Place>,
    /// The places that have flips, by the key of their next turn.
    queue: BTreeSet<(u64, usize)>,
    /// Places that are not in the queue yet.
    unqueued: Vec<usize>,
    /// The flip that was chosen last, and its place.
    trying: Option<(FlipId, usize)>,
    /// How many vain attempts at a place that leads to an uncovered branch count as one at any other.
    head_start: u64,
    random: Random,
}

struct Place {
    point: FlipPoint,
    flips: Vec<FlipId>,
    /// How many flips were tried that covered nothing new.
    vain: u64,
    /// Whether it led to an uncovered branch when it was queued.
    is_uncovered: bool,
}

impl Place {
    fn key(&self, head_start: u64) -> u64 {
        if self.is_uncovered { self.vain } else { head_start * (1 + self.vain) }
    }
}

impl Frontier {
    pub(super) fn new(head_start: u64, seed: u64) -> Frontier {
        Frontier {
            numbers: FxHashMap::default(),
            places: Vec::new(),
            queue: BTreeSet::new(),
            unqueued: Vec::new(),
            trying: None,
            head_start,
            random: Random::new(seed),
        }
    }

    /// Takes the place out of the queue whose turn it is.
    fn next_place(&mut self, view: &View<'_>) -> Option<usize> {
        for number in std::mem::take(&mut self.unqueued) {
            self.enqueue(number, view);
        }
        loop {
            let (_, number) = self.queue.pop_first()?;
            // What it led to may have been covered since.
            if self.places[number].is_uncovered && !leads_to_uncovered(&self.places[number].point, view) {
                self.enqueue(number, view);
                continue;
            }
            return Some(number);
        }
    }

    fn enqueue(&mut self, number: usize, view: &View<'_>) {
        let place = &mut self.places[number];
        place.is_uncovered = leads_to_uncovered(&place.point, view);
        self.queue.insert((place.key(self.head_start), number));
    }
}

/// Whether a flip at the point takes a side of a branch in the user's code that was never taken.
fn leads_to_uncovered(point: &FlipPoint, view: &View<'_>) -> bool {
    view.program().functions[point.function.index()].user
        && point.branch.is_some_and(|(branch, outcome)| !view.coverage.taken(branch, outcome))
}

impl Searcher for Frontier {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        let point = info.point();
        let number = *self.numbers.entry(point).or_insert(self.places.len());
        if number == self.places.len() {
            self.places.push(Place { point, flips: Vec::new(), vain: 0, is_uncovered: false });
        }
        if self.places[number].flips.is_empty() {
            self.unqueued.push(number);
        }
        self.places[number].flips.push(id);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        let number = self.next_place(view)?;
        let flips = &mut self.places[number].flips;
        let index = self.random.index(flips.len());
        let id = flips.swap_remove(index);
        // Until the result is known, the attempt counts as vain.
        self.places[number].vain += 1;
        if !self.places[number].flips.is_empty() {
            self.enqueue(number, view);
        }
        self.trying = Some((id, number));
        Some(id)
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        let Some((_, number)) = self.trying.take().filter(|(trying, _)| Some(*trying) == id) else { return };
        if let FlipResult::Ran { newly_covered: 1.., .. } = result {
            let place = &mut self.places[number];
            let queued = self.queue.remove(&(place.key(self.head_start), number));
            place.vain = 0;
            if queued {
                self.queue.insert((place.key(self.head_start), number));
            }
        }
    }
}
