//! Toward a goal: the flips that lead closest to it first, by the fewest instructions that may lie between.
//!
//! What is close may be infeasible, or a loop that must turn forty times more. So each attempt at a place makes it seem
//! farther away: a place at a tenth of the distance gets ten times the attempts. Of the flips of a place, the newest
//! and the oldest take turns: the newest continues the path that was just tried.

use super::by_place::ByPlace;
use super::{FlipId, Searcher};
use crate::flip::FlipInfo;
use crate::goal::{Goal, GoalDistances};
use crate::view::View;

/// Flips by place, the places by distance and attempts.
pub(super) struct Toward {
    distances: GoalDistances,
    places: ByPlace<Approach>,
}

#[derive(Default)]
struct Approach {
    /// How far the place is from the goal. Known once it was queued.
    distance: Option<u64>,
    attempts: u64,
}

impl Toward {
    /// Nothing is pending yet.
    pub(super) fn new(goal: Goal) -> Toward {
        Toward { distances: GoalDistances::new(goal), places: ByPlace::default() }
    }

    fn enqueue(&mut self, number: usize, view: &mut View<'_>) {
        let place = self.places.place(number);
        let distances = &mut self.distances;
        let distance = *place
            .rank
            .distance
            .get_or_insert_with(|| distances.from(&place.point, view).map_or(u64::from(u32::MAX), u64::from));
        let key = (1 + distance).saturating_mul(1 + place.rank.attempts);
        self.places.enqueue(number, key);
    }
}

impl Searcher for Toward {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.places.add(id, info);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        for number in self.places.take_unqueued() {
            self.enqueue(number, view);
        }
        let number = self.places.pop_first()?;
        let place = self.places.place(number);
        let is_newest = place.rank.attempts.is_multiple_of(2);
        let id = if is_newest { place.flips.pop_back() } else { place.flips.pop_front() };
        place.rank.attempts += 1;
        self.enqueue(number, view);
        id
    }
}
