//! Exponential backoff from places whose flips are expensive and cover nothing new.
//!
//! The slot of a hash table, for example, can be asked for thousands of times, each time a hard question to the SMT
//! solver, and whichever it is, the same code runs. Each time that an expensive flip of a place is in vain, the place
//! waits for twice as many others; once something new is covered, it need not wait. Its flips stay pending, the oldest
//! first, so none is lost.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use secateur_program::FuncId;

use super::FlipId;
use crate::flip::FlipInfo;

/// Numbers a place.
pub(super) type PlaceId = u32;

/// All places at which there were flips.
pub(super) struct Places {
    numbers: FxHashMap<(FuncId, u32), PlaceId>,
    places: Vec<Backoff>,
    /// The places that have waiting flips, by the turn at which they may be tried.
    waiting: BTreeSet<(u64, PlaceId)>,
    /// How many flips were chosen so far.
    turn: u64,
    /// A flip that costs at least this is expensive.
    expensive: u64,
    /// The longest wait is this power of two.
    longest: u32,
}

#[derive(Default)]
struct Backoff {
    flips: VecDeque<FlipId>,
    /// How many expensive flips in a row were in vain.
    vain: u32,
    /// The turn from which on its flips are tried again.
    due: u64,
}

impl Places {
    pub(super) fn new(expensive: u64, longest: u32) -> Places {
        Places {
            numbers: FxHashMap::default(),
            places: Vec::new(),
            waiting: BTreeSet::new(),
            turn: 0,
            expensive,
            longest,
        }
    }

    /// The place of a flip: an instruction, whatever the calls that led there.
    pub(super) fn of(&mut self, info: &FlipInfo) -> PlaceId {
        let new = self.places.len() as PlaceId;
        let number = *self.numbers.entry((info.function, info.pc)).or_insert(new);
        if number == new {
            self.places.push(Backoff::default());
        }
        number
    }

    /// Starts the next turn; returns a flip whose wait is over.
    pub(super) fn next(&mut self) -> Option<(FlipId, PlaceId)> {
        self.turn += 1;
        self.waiting.first().is_some_and(|(due, _)| *due <= self.turn).then(|| self.first()).flatten()
    }

    /// The flip that has the least time to wait.
    pub(super) fn first(&mut self) -> Option<(FlipId, PlaceId)> {
        let (_, number) = self.waiting.pop_first()?;
        let longest = self.longest;
        let place = &mut self.places[number as usize];
        let id = place.flips.pop_front()?;
        place.due = self.turn + wait(place.vain, longest);
        if !place.flips.is_empty() {
            self.waiting.insert((place.due, number));
        }
        Some((id, number))
    }

    /// Whether flips of the place are to wait.
    pub(super) fn is_paused(&self, number: PlaceId) -> bool {
        self.places[number as usize].due > self.turn
    }

    /// Lets a flip wait.
    pub(super) fn defer(&mut self, id: FlipId, number: PlaceId) {
        let place = &mut self.places[number as usize];
        place.flips.push_back(id);
        if place.flips.len() == 1 {
            self.waiting.insert((place.due, number));
        }
    }

    /// A flip of the place was tried.
    pub(super) fn tried(&mut self, number: PlaceId, newly_covered: u64, work: u64) {
        let (turn, longest) = (self.turn, self.longest);
        let place = &mut self.places[number as usize];
        if newly_covered == 0 && work < self.expensive {
            return;
        }
        let is_waiting = self.waiting.remove(&(place.due, number));
        if newly_covered > 0 {
            (place.vain, place.due) = (0, turn);
        } else {
            place.due = turn + wait(place.vain, longest);
            place.vain = place.vain.saturating_add(1);
        }
        if is_waiting {
            self.waiting.insert((place.due, number));
        }
    }
}

/// For how many turns a place waits.
fn wait(vain: u32, longest: u32) -> u64 {
    1 << vain.min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: u64 = 1;
    const EXPENSIVE: u64 = 10;

    fn at(pc: u32) -> FlipInfo {
        FlipInfo { pc, ..FlipInfo::unknown() }
    }

    #[test]
    fn a_place_waits_longer_and_longer_until_it_covers_something() {
        let mut places = Places::new(EXPENSIVE, 10);
        let place = places.of(&at(7));
        let mut waits = Vec::new();
        for vain in 0..5 {
            places.tried(place, 0, EXPENSIVE);
            places.defer(FlipId(vain), place);
            let mut turns = 0;
            while places.next().is_none() {
                turns += 1;
            }
            waits.push(turns);
        }
        assert_eq!(waits, [0, 1, 3, 7, 15]);
        places.tried(place, 1, EXPENSIVE);
        assert!(!places.is_paused(place));
    }

    #[test]
    fn cheap_flips_do_not_wait() {
        let mut places = Places::new(EXPENSIVE, 10);
        let place = places.of(&at(7));
        (0..100).for_each(|_| places.tried(place, 0, CHEAP));
        assert!(!places.is_paused(place));
    }

    #[test]
    fn no_flip_is_lost() {
        let mut places = Places::new(EXPENSIVE, 4);
        let mut tried = Vec::new();
        for number in 0..100 {
            let place = places.of(&at(number as u32 % 3));
            places.tried(place, 0, EXPENSIVE);
            places.defer(FlipId(number), place);
            tried.extend(places.next().map(|(id, _)| id.0));
        }
        tried.extend(std::iter::from_fn(|| places.first()).map(|(id, _)| id.0));
        tried.sort_unstable();
        assert_eq!(tried, (0..100).collect::<Vec<_>>());
    }
}
