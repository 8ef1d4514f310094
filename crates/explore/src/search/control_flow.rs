//! Control-flow directed, "cfg" (CREST): chooses a branch with an outcome that was never taken, and tries the flips
//! from which the way there is the shortest.
//!
//! If a flip is infeasible, the next closest one is tried; once the branch is covered, or its share of attempts is used
//! up, another branch is chosen at random. A branch that was given up gets twice the share the next time, so that hard
//! branches get their chance and impossible ones do not stop the search.

use rustc_hash::FxHashMap;

use super::by_place::{ByPlace, Place};
use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::tuning::Tuning;
use crate::view::View;
use secateur_graph::Distances;
use secateur_machine::CoverageMap;
use secateur_program::BranchId;

/// Flips by place, the places by their distance to the chosen branch.
pub(super) struct ControlFlow {
    places: ByPlace<Chances>,
    target: Option<Target>,
    /// Whether every branch is covered, so that there will never be a target again.
    finished: bool,
    /// How many flips were tried for each branch when it was last chosen.
    shares: FxHashMap<BranchId, u32>,
    first_share: u32,
    attempts: u32,
    /// The flip that was tried last, and its place.
    trying: Option<(FlipId, usize)>,
    random: Random,
}

struct Chances {
    /// How far the place is from the chosen branch.
    distance: u64,
    /// How many of its flips were infeasible.
    failures: u64,
}

impl Default for Chances {
    fn default() -> Self {
        Chances { distance: UNREACHABLE, failures: 0 }
    }
}

struct Target {
    branch: BranchId,
    distances: Distances,
    left: u32,
}

/// Farther than any branch.
const UNREACHABLE: u64 = 1 << 40;

impl ControlFlow {
    pub(super) fn new(tuning: &Tuning, seed: u64) -> ControlFlow {
        ControlFlow {
            places: ByPlace::default(),
            target: None,
            finished: false,
            shares: FxHashMap::default(),
            first_share: tuning.cfg_share,
            attempts: tuning.cfg_attempts,
            trying: None,
            random: Random::new(seed),
        }
    }

    /// Chooses a branch that can be reached, if there is one, and sorts all places by their distance to it.
    fn choose(&mut self, view: &mut View<'_>) {
        self.target = None;
        let open = uncovered(view);
        self.finished = open.is_empty();
        for _ in 0..if self.finished { 0 } else { self.attempts } {
            let branch = open[self.random.index(open.len())];
            let share = self.shares.entry(branch);
            let share = share.and_modify(|share| *share = share.saturating_mul(2)).or_insert(self.first_share);
            self.target = Some(Target { branch, distances: view.distances_to(branch), left: *share });
            self.places.unqueue_all();
            self.enqueue_new(view);
            if self.places.first().is_some_and(|(distance, _)| distance < UNREACHABLE) {
                return;
            }
        }
    }

    /// Puts new places into the queue.
    fn enqueue_new(&mut self, view: &mut View<'_>) {
        for number in self.places.take_unqueued() {
            let place = self.places.place(number);
            place.rank.distance = match &mut self.target {
                Some(target) if leads_to(place, target.branch, view.coverage) => 0,
                Some(target) => view.distance_in(&mut target.distances, &place.point).map_or(UNREACHABLE, u64::from),
                None => UNREACHABLE,
            };
            let key = place.rank.key();
            self.places.enqueue(number, key);
        }
    }
}

impl Chances {
    /// The place's key in the queue, which grows with each infeasible flip, up to a number that keeps it from
    /// overflowing.
    fn key(&self) -> u64 {
        (self.distance + 1) * (self.failures.min(1 << 16) + 1)
    }
}

/// Whether a flip at the place takes an outcome of the branch that was never taken.
fn leads_to(place: &Place<Chances>, target: BranchId, coverage: &CoverageMap) -> bool {
    place.point.branch.is_some_and(|(branch, outcome)| branch == target && !coverage.taken(branch, outcome))
}

impl Searcher for ControlFlow {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.places.add(id, info);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        let goes_on = |target: &Target| target.left > 0 && is_uncovered(view, target.branch);
        if !self.finished && self.target.as_ref().is_none_or(|target| !goes_on(target)) {
            self.choose(view);
        }
        self.enqueue_new(view);
        if let Some(target) = &mut self.target {
            target.left -= u32::from(target.left > 0);
        }
        let (_, number) = self.places.first()?;
        let flips = &mut self.places.place(number).flips;
        // The newest first: it continues the path that came closest.
        let id = flips.pop_back()?;
        if flips.is_empty() {
            self.places.unqueue(number);
        }
        self.trying = Some((id, number));
        Some(id)
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        let Some((_, number)) = self.trying.take().filter(|(trying, _)| Some(*trying) == id) else { return };
        if result == FlipResult::Infeasible {
            let chances = &mut self.places.place(number).rank;
            chances.failures += 1;
            let key = chances.key();
            if self.places.is_queued(number) {
                self.places.enqueue(number, key);
            }
        }
    }
}

fn is_uncovered(view: &View<'_>, branch: BranchId) -> bool {
    let outcomes = view.program().branches[branch.index()].outcomes;
    (0..outcomes).any(|outcome| !view.coverage.taken(branch, outcome))
}

/// The user's branches with an outcome that was never taken.
fn uncovered(view: &View<'_>) -> Vec<BranchId> {
    let branches = view.program().branches.iter().enumerate();
    let user = branches.filter(|(_, branch)| branch.native.is_some()).map(|(index, _)| BranchId(index as u32));
    user.filter(|branch| is_uncovered(view, *branch)).collect()
}
