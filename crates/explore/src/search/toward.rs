//! Toward a goal: the flips that lead closest to it first, by the fewest instructions that may lie between.
//!
//! What is close may be infeasible, or a loop that must turn forty times more. So each attempt at a place makes it seem
//! farther away: a place at a tenth of the distance gets ten times the attempts. Of the flips of a place, the newest and
//! the oldest take turns: the newest continues the path that was just tried.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::{FlipId, Searcher};
use crate::flip::{FlipInfo, FlipPoint};
use crate::goal::{Goal, GoalDistances};
use crate::view::View;

/// Flips by place, the places by distance and attempts.
pub(super) struct Toward {
    distances: GoalDistances,
    numbers: FxHashMap<FlipPoint, usize>,
    places: Vec<Place>,
    queue: BTreeSet<(u64, usize)>,
    /// Places that have flips but are not in the queue yet.
    unqueued: Vec<usize>,
}

struct Place {
    point: FlipPoint,
    flips: VecDeque<FlipId>,
    /// Known once it was queued.
    distance: Option<u64>,
    attempts: u64,
}

impl Toward {
    /// Nothing is pending yet.
    pub(super) fn new(goal: Goal) -> Toward {
        Toward {
            distances: GoalDistances::new(goal),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            queue: BTreeSet::new(),
            unqueued: Vec::new(),
        }
    }

    fn enqueue(&mut self, number: usize, view: &mut View<'_>) {
        let place = &mut self.places[number];
        let distances = &mut self.distances;
        let distance = *place
            .distance
            .get_or_insert_with(|| distances.from(&place.point, view).map_or(u64::from(u32::MAX), u64::from));
        self.queue.insert(((1 + distance).saturating_mul(1 + place.attempts), number));
    }
}

impl Searcher for Toward {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        let point = info.point();
        let number = *self.numbers.entry(point).or_insert(self.places.len());
        if number == self.places.len() {
            self.places.push(Place { point, flips: VecDeque::new(), distance: None, attempts: 0 });
        }
        if self.places[number].flips.is_empty() {
            self.unqueued.push(number);
        }
        self.places[number].flips.push_back(id);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        for number in std::mem::take(&mut self.unqueued) {
            self.enqueue(number, view);
        }
        let (_, number) = self.queue.pop_first()?;
        let place = &mut self.places[number];
        let id = if place.attempts.is_multiple_of(2) { place.flips.pop_back() } else { place.flips.pop_front() };
        place.attempts += 1;
        if !place.flips.is_empty() {
            self.enqueue(number, view);
        }
        id
    }
}
