//! The Concolic Walk: from an input that satisfies what a solver can decide, along others that do, to one that
//! satisfies the rest, too (Dinges and Agha, "Solving complex path conditions through heuristic search on induced
//! polytopes").
//!
//! A step changes one number, by steps of all sizes; one that brings the conditions closer is repeated with twice the
//! size, as in the alternating variable method. Where no step does, the best of those that were not visited yet is
//! taken (tabu search), and after some of these, a few numbers become random.

use rustc_hash::FxHashSet;

use crate::moves::Variable;
use crate::random::Random;
use crate::search::Trials;
use crate::tuning::Tuning;

/// How many random inputs are tried until one is allowed. It only keeps a jump from going on for ever.
const MOST_JUMPS: u32 = 64;

/// Walks until it arrives, or has evaluated this many inputs.
pub(crate) fn walk(trials: &mut Trials<'_>, random: &mut Random, tuning: &Tuning, evaluations: u64) {
    let mut visited: FxHashSet<Vec<u8>> = FxHashSet::default();
    let (mut current, mut distance) = (trials.closest.clone(), trials.distance);
    let mut stuck = 0;
    // The numbers that have brought it closer, and those of which no change made a difference.
    let (mut last, mut inert) = (None, FxHashSet::default());
    while !trials.is_over() && trials.evaluations < evaluations {
        visited.insert(current.clone());
        trials.measure(&current);
        let mut variables = trials.objective.variables();
        if variables.is_empty() {
            return;
        }
        random.shuffle(&mut variables);
        // What was right is likely to be right again.
        variables.sort_by_key(|variable| (last != Some(*variable), inert.contains(variable)));
        variables.truncate(tuning.walk_variables);
        let mut step = Step { tuning, current: &current, distance, visited: &visited, inert: &mut inert, best: None };
        match step.take(trials, &variables) {
            Some(right) => (stuck, last) = (0, right.or(last)),
            None => stuck += 1,
        }
        match step.best {
            Some((next, at)) if stuck <= tuning.walk_patience => (current, distance) = (next, at),
            _ => {
                stuck = 0;
                inert.clear();
                (current, distance) = jump(trials, random, &variables);
            }
        }
    }
}

/// An input with some random numbers: the closest one so far, or the current one.
fn jump(trials: &mut Trials<'_>, random: &mut Random, variables: &[Variable]) -> (Vec<u8>, f64) {
    for _ in 0..MOST_JUMPS {
        let mut input = trials.closest.clone();
        for _ in 0..=random.below(2) {
            let variable = variables[random.below(variables.len())];
            variable.set(&mut input, variable.random(random));
        }
        if let Some(distance) = trials.try_out(&input) {
            return (input, distance);
        }
        if trials.is_over() {
            break;
        }
    }
    (trials.closest.clone(), trials.distance)
}

/// A step from an input.
struct Step<'a> {
    tuning: &'a Tuning,
    current: &'a [u8],
    distance: f64,
    visited: &'a FxHashSet<Vec<u8>>,
    inert: &'a mut FxHashSet<Variable>,
    /// The closest neighbour.
    best: Option<(Vec<u8>, f64)>,
}

impl Step<'_> {
    /// Finds a neighbour that is closer, if there is one; otherwise looks at all of them. Returns whether there is one,
    /// and the number in which it differs, if it is one number.
    fn take(&mut self, trials: &mut Trials<'_>, variables: &[Variable]) -> Option<Option<Variable>> {
        for variable in variables {
            let mut matters = false;
            if self.change(trials, variable, &mut matters) {
                self.inert.remove(variable);
                return Some(Some(*variable));
            }
            if trials.is_over() {
                return None;
            }
            if !matters {
                self.inert.insert(*variable);
            }
        }
        (variables.len() <= self.tuning.walk_pairs && self.take_two(trials, variables)).then_some(None)
    }

    /// Changes one number. Notes whether any change makes a difference.
    fn change(&mut self, trials: &mut Trials<'_>, variable: &Variable, matters: &mut bool) -> bool {
        let value = variable.get(self.current);
        // Of a number that made no difference elsewhere, a few changes are enough to see whether it does here.
        let every = if self.inert.contains(variable) { self.tuning.walk_inert } else { 1 };
        for exponent in (0..variable.exponents()).step_by(every) {
            for is_up in [true, false] {
                if self.closer(trials, variable, variable.step(value, exponent, is_up), matters) {
                    self.accelerate(trials, variable, exponent, is_up);
                    return true;
                }
                if trials.is_over() {
                    return false;
                }
            }
        }
        for leap in variable.leaps(value).into_iter().step_by(every) {
            if self.closer(trials, variable, leap, matters) {
                return true;
            }
            if trials.is_over() {
                return false;
            }
        }
        false
    }

    /// Changes two numbers by the same amount, in the same or in opposite directions: what many conditions allow that
    /// relate them.
    fn take_two(&mut self, trials: &mut Trials<'_>, variables: &[Variable]) -> bool {
        for (index, first) in variables.iter().enumerate() {
            for second in &variables[index + 1..] {
                for exponent in 0..first.exponents().min(second.exponents()) {
                    for (up, other_up) in [(true, false), (false, true), (true, true), (false, false)] {
                        let mut next = self.current.to_vec();
                        first.set(&mut next, first.step(first.get(self.current), exponent, up));
                        second.set(&mut next, second.step(second.get(self.current), exponent, other_up));
                        if self.consider(trials, next, &mut false) {
                            return true;
                        }
                        if trials.is_over() {
                            return false;
                        }
                    }
                }
            }
        }
        false
    }

    /// Goes on in a direction that is right, faster and faster.
    fn accelerate(&mut self, trials: &mut Trials<'_>, variable: &Variable, mut exponent: u32, is_up: bool) {
        while exponent + 1 < variable.exponents() && !trials.is_over() {
            exponent += 1;
            let Some((input, distance)) = &self.best else { return };
            let value = variable.step(variable.get(input), exponent, is_up);
            let mut next = input.clone();
            variable.set(&mut next, value);
            let distance = *distance;
            match trials.try_out(&next) {
                Some(at) if at < distance => self.best = Some((next, at)),
                _ => return,
            }
        }
    }

    fn closer(&mut self, trials: &mut Trials<'_>, variable: &Variable, value: u64, matters: &mut bool) -> bool {
        let mut next = self.current.to_vec();
        variable.set(&mut next, value);
        self.consider(trials, next, matters)
    }

    /// Measures a neighbour; returns whether it is closer than the input.
    fn consider(&mut self, trials: &mut Trials<'_>, next: Vec<u8>, matters: &mut bool) -> bool {
        if self.visited.contains(&next) {
            return false;
        }
        let Some(distance) = trials.try_out(&next) else { return false };
        *matters |= distance != self.distance;
        if self.best.as_ref().is_none_or(|(_, best)| distance < *best) {
            self.best = Some((next, distance));
        }
        distance < self.distance
    }
}
