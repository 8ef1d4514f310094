//! The search: a walk with most of the budget, then a genetic search with the rest.

use crate::genetic;
use crate::objective::Objective;
use crate::random::Random;
use crate::tuning::Tuning;
use crate::walk;

/// So many inputs that are not allowed cost as much as one that is run. It only keeps the search from going on for
/// ever.
const REJECTIONS: u32 = 8;

/// How to search.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many inputs may be evaluated.
    pub evaluations: u64,
    /// Another seed makes other choices; the same makes the same.
    pub seed: u64,
    /// Numbers for measurements.
    pub tuning: Tuning,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The input that was searched for, if it was found.
    pub found: Option<Vec<u8>>,
    /// The input that came closest.
    pub closest: Vec<u8>,
    /// How far it is off.
    pub distance: f64,
    /// How many inputs were evaluated.
    pub evaluations: u64,
}

/// Searches for an input at distance 0, starting with one that is close already.
pub fn search(objective: &mut dyn Objective, start: Vec<u8>, options: &Options) -> SearchResult {
    let mut trials = Trials::new(objective, start, options.evaluations);
    let mut random = Random::new(options.seed);
    let of_walk = (options.evaluations as f64 * options.tuning.walk_part) as u64;
    walk::walk(&mut trials, &mut random, &options.tuning, of_walk);
    if !trials.is_over() {
        genetic::evolve(&mut trials, &mut random, options.tuning.population);
    }
    let Trials { closest, distance, evaluations, .. } = trials;
    SearchResult { found: (distance == 0.0).then(|| closest.clone()), closest, distance, evaluations }
}

/// The inputs that were evaluated, and what is left of the budget.
pub(crate) struct Trials<'a> {
    pub objective: &'a mut dyn Objective,
    pub closest: Vec<u8>,
    pub distance: f64,
    pub evaluations: u64,
    most: u64,
    rejections: u32,
    is_stopped: bool,
}

impl Trials<'_> {
    fn new(objective: &mut dyn Objective, start: Vec<u8>, most: u64) -> Trials<'_> {
        let mut trials = Trials {
            objective,
            closest: start.clone(),
            distance: f64::INFINITY,
            evaluations: 0,
            most,
            rejections: 0,
            is_stopped: false,
        };
        trials.measure(&start);
        trials
    }

    /// The input is found, or the search must end.
    pub(crate) fn is_over(&self) -> bool {
        self.distance == 0.0 || self.evaluations >= self.most || self.is_stopped
    }

    /// How far an input is off. It is kept if it is the closest.
    pub(crate) fn measure(&mut self, input: &[u8]) -> f64 {
        self.evaluations += 1;
        let distance = self.objective.distance(input);
        if distance < self.distance {
            (self.distance, self.closest) = (distance, input.to_vec());
        }
        self.is_stopped = self.is_stopped || !self.objective.goes_on();
        distance
    }

    /// How far an input is off; `None` if it is not allowed.
    pub(crate) fn try_out(&mut self, input: &[u8]) -> Option<f64> {
        if self.objective.is_allowed(input) {
            return Some(self.measure(input));
        }
        // Checking costs something, too, and must come to an end.
        self.rejected()
    }

    fn rejected(&mut self) -> Option<f64> {
        self.rejections += 1;
        self.evaluations += u64::from(self.rejections.is_multiple_of(REJECTIONS));
        None
    }
}
