//! Control-flow directed, "cfg" (CREST): chooses a branch with an outcome that was never taken, and tries the flips from which it is the shortest way there.
//!
//! When the way turns out not to be feasible, the next closest flip is tried; once the branch is covered, or has cost more than its share, another one is chosen at
//! random. A branch that was given up gets twice as much the next time, so that hard branches have their chance and impossible ones do not stop the search.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::{FlipInfo, FlipPoint};
use crate::random::Random;
use crate::view::View;
use secateur_graph::Distances;
use secateur_machine::CoverageMap;
use secateur_program::BranchId;

/// How many flips are tried for a branch when it is chosen for the first time.
const SHARE: u32 = 16;
/// How many branches are looked at to find one to which there is a way.
const ATTEMPTS: u32 = 4;

/// Flips by place, the places by their distance to the chosen branch.
pub(super) struct ControlFlow {
    numbers: FxHashMap<FlipPoint, usize>,
    classes: Vec<Class>,
    /// The places that have flips, by distance.
    queue: BTreeSet<(u64, usize)>,
    /// Places that are not in the queue yet.
    new: Vec<usize>,
    target: Option<Target>,
    /// Every branch is covered: there will never be a target again.
    finished: bool,
    shares: FxHashMap<BranchId, u32>,
    /// What was tried last, and its place.
    trying: Option<(FlipId, usize)>,
    random: Random,
}

struct Class {
    place: FlipPoint,
    flips: Vec<FlipId>,
    distance: u64,
    /// How many of its flips were infeasible.
    failures: u64,
}

struct Target {
    branch: BranchId,
    distances: Distances,
    left: u32,
}

/// Farther than any branch.
const NO_WAY: u64 = 1 << 40;

impl ControlFlow {
    pub(super) fn new(seed: u64) -> ControlFlow {
        ControlFlow {
            numbers: FxHashMap::default(),
            classes: Vec::new(),
            queue: BTreeSet::new(),
            new: Vec::new(),
            target: None,
            finished: false,
            shares: FxHashMap::default(),
            trying: None,
            random: Random::new(seed),
        }
    }

    /// Chooses a branch to which there is a way, if it can be had, and puts all places in order.
    fn choose(&mut self, view: &mut View<'_>) {
        self.target = None;
        let open = uncovered(view);
        self.finished = open.is_empty();
        for _ in 0..if self.finished { 0 } else { ATTEMPTS } {
            let branch = open[self.random.index(open.len())];
            let share = self.shares.entry(branch).or_insert(SHARE / 2);
            *share = share.saturating_mul(2);
            self.target = Some(Target { branch, distances: view.distances_to(branch), left: *share });
            self.queue.clear();
            self.new = (0..self.classes.len()).collect();
            self.put_in_order(view);
            if self.queue.first().is_some_and(|(distance, _)| *distance < NO_WAY) {
                return;
            }
        }
    }

    /// Puts new places into the queue.
    fn put_in_order(&mut self, view: &mut View<'_>) {
        for number in std::mem::take(&mut self.new) {
            let class = &mut self.classes[number];
            self.queue.remove(&(class.key(), number));
            class.distance = match &mut self.target {
                Some(target) if class.leads_to(target.branch, view.coverage) => 0,
                Some(target) => view.distance_in(&mut target.distances, &class.place).map_or(NO_WAY, u64::from),
                None => NO_WAY,
            };
            if !class.flips.is_empty() {
                self.queue.insert((class.key(), number));
            }
        }
    }
}

impl Class {
    /// Its place in the queue: farther for each time that it came to nothing.
    fn key(&self) -> u64 {
        (self.distance + 1) * (self.failures.min(1 << 16) + 1)
    }

    /// It is an outcome of the branch that was never taken.
    fn leads_to(&self, target: BranchId, coverage: &CoverageMap) -> bool {
        self.place.branch.is_some_and(|(branch, outcome)| branch == target && !coverage.taken(branch, outcome))
    }
}

impl Searcher for ControlFlow {
    fn add(&mut self, id: FlipId, about: &FlipInfo) {
        let place = about.place();
        let number = *self.numbers.entry(place).or_insert(self.classes.len());
        if number == self.classes.len() {
            self.classes.push(Class { place, flips: Vec::new(), distance: NO_WAY, failures: 0 });
        }
        if self.classes[number].flips.is_empty() {
            self.new.push(number);
        }
        self.classes[number].flips.push(id);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        let goes_on = |target: &Target| target.left > 0 && is_uncovered(view, target.branch);
        if !self.finished && self.target.as_ref().is_none_or(|target| !goes_on(target)) {
            self.choose(view);
        }
        self.put_in_order(view);
        if let Some(target) = &mut self.target {
            target.left -= u32::from(target.left > 0);
        }
        let (_, number) = *self.queue.first()?;
        let class = &mut self.classes[number];
        // The newest first: it goes on from the path that came closest last.
        let id = class.flips.pop()?;
        if class.flips.is_empty() {
            self.queue.pop_first();
        }
        self.trying = Some((id, number));
        Some(id)
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        let Some((_, number)) = self.trying.take().filter(|(trying, _)| Some(*trying) == id) else { return };
        if result == FlipResult::Infeasible {
            let class = &mut self.classes[number];
            let queued = self.queue.remove(&(class.key(), number));
            class.failures += 1;
            if queued {
                self.queue.insert((class.key(), number));
            }
        }
    }
}

fn is_uncovered(view: &View<'_>, branch: BranchId) -> bool {
    let outcomes = view.program().branches[branch.index()].outcomes;
    (0..outcomes).any(|outcome| !view.coverage.taken(branch, outcome))
}

/// The user's branches that have an outcome which was never taken.
fn uncovered(view: &View<'_>) -> Vec<BranchId> {
    let branches = view.program().branches.iter().enumerate();
    let user = branches.filter(|(_, branch)| branch.native.is_some()).map(|(index, _)| BranchId(index as u32));
    user.filter(|branch| is_uncovered(view, *branch)).collect()
}
