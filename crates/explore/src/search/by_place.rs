//! Flips by place, and a queue of the places, for searchers that choose a place before they choose a flip.
//!
//! A place is a point of the program, with the calls that led to it and the side that the flip would take.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::FlipId;
use crate::flip::{FlipInfo, FlipPoint};

/// All places at which there were flips. `Rank` is what a searcher ranks each by.
pub(super) struct ByPlace<Rank> {
    numbers: FxHashMap<FlipPoint, usize>,
    places: Vec<Place<Rank>>,
    /// The places in the queue, the lowest key first.
    queue: BTreeSet<(u64, usize)>,
    /// Places that have flips but are not in the queue yet: their key takes a look at the program, which `add` has not.
    unqueued: Vec<usize>,
}

/// A place and its flips, the oldest first.
pub(super) struct Place<Rank> {
    pub(super) point: FlipPoint,
    pub(super) flips: VecDeque<FlipId>,
    pub(super) rank: Rank,
    /// Its key in the queue, if it is there.
    key: Option<u64>,
}

impl<Rank> Default for ByPlace<Rank> {
    fn default() -> Self {
        ByPlace { numbers: FxHashMap::default(), places: Vec::new(), queue: BTreeSet::new(), unqueued: Vec::new() }
    }
}

impl<Rank: Default> ByPlace<Rank> {
    /// A flip was found.
    pub(super) fn add(&mut self, id: FlipId, info: &FlipInfo) {
        let point = info.point();
        let number = *self.numbers.entry(point).or_insert(self.places.len());
        if number == self.places.len() {
            self.places.push(Place { point, flips: VecDeque::new(), rank: Rank::default(), key: None });
        }
        let place = &mut self.places[number];
        if place.flips.is_empty() {
            self.unqueued.push(number);
        }
        place.flips.push_back(id);
    }

    pub(super) fn place(&mut self, number: usize) -> &mut Place<Rank> {
        &mut self.places[number]
    }

    /// The places that have come since the last call, which the caller puts into the queue.
    pub(super) fn take_unqueued(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.unqueued)
    }

    /// Empties the queue, so that every place gets a new key.
    pub(super) fn unqueue_all(&mut self) {
        self.queue.clear();
        self.places.iter_mut().for_each(|place| place.key = None);
        self.unqueued = (0..self.places.len()).collect();
    }

    /// Puts a place that has flips into the queue, or changes its key there.
    pub(super) fn enqueue(&mut self, number: usize, key: u64) {
        self.unqueue(number);
        let place = &mut self.places[number];
        if !place.flips.is_empty() {
            place.key = Some(key);
            self.queue.insert((key, number));
        }
    }

    pub(super) fn is_queued(&self, number: usize) -> bool {
        self.places[number].key.is_some()
    }

    pub(super) fn unqueue(&mut self, number: usize) {
        if let Some(key) = self.places[number].key.take() {
            self.queue.remove(&(key, number));
        }
    }

    /// The key and the number of the place with the lowest key.
    pub(super) fn first(&self) -> Option<(u64, usize)> {
        self.queue.first().copied()
    }

    /// Takes the place with the lowest key out of the queue.
    pub(super) fn pop_first(&mut self) -> Option<usize> {
        let (_, number) = self.queue.pop_first()?;
        self.places[number].key = None;
        Some(number)
    }
}
