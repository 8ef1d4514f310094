//! A choice that is made again each round, and what it has given so far.
//!
//! What a round newly covers is a count, so its rate has the gamma distribution, given what was found and what that has
//! cost. Each time, a rate is drawn for each choice, and the choice with the highest is made (Thompson sampling): the
//! better a choice is, and the less is known of it, the more often it is tried. Rounds find less and less, so old
//! results count less.

use serde::{Deserialize, Serialize};

use crate::draws::Draws;
use crate::tuning::Tuning;

/// What is added to what was found, so that no rate is known to be 0: that of Jeffreys' prior for a rate.
const NEVER_ZERO: f64 = 0.5;

/// What each of some choices has given.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Bandit {
    arms: Vec<Arm>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Arm {
    found: f64,
    /// In rounds of average length.
    cost: f64,
}

impl Bandit {
    pub(crate) fn new(choices: usize) -> Bandit {
        Bandit { arms: vec![Arm::default(); choices] }
    }

    /// How many choices there are.
    pub(crate) fn len(&self) -> usize {
        self.arms.len()
    }

    /// Whether its numbers can be: those of a file may not.
    pub(crate) fn is_valid(&self) -> bool {
        self.arms.iter().flat_map(|arm| [arm.found, arm.cost]).all(|number| number.is_finite() && number >= 0.0)
    }

    /// The choice for the next round.
    pub(crate) fn choose(&self, draws: &mut Draws, tuning: &Tuning) -> usize {
        let sum = |part: fn(&Arm) -> f64| self.arms.iter().map(part).sum::<f64>();
        let average = sum(|arm| arm.found) / sum(|arm| arm.cost).max(1.0);
        let rate = |arm: &Arm| {
            let found = arm.found + tuning.prior * average + NEVER_ZERO;
            draws.gamma(found, arm.cost + tuning.prior)
        };
        let rates: Vec<f64> = self.arms.iter().map(rate).collect();
        (0..rates.len()).max_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap_or(0)
    }

    /// A round with this choice has found something, and has cost that many rounds of average length.
    pub(crate) fn record(&mut self, choice: usize, found: f64, cost: f64, tuning: &Tuning) {
        for arm in &mut self.arms {
            arm.found *= tuning.memory;
            arm.cost *= tuning.memory;
        }
        if let Some(arm) = self.arms.get_mut(choice) {
            arm.found += found;
            arm.cost += cost;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of two choices is made in the last rounds, if they find this much.
    fn chosen(seed: u64, found: impl Fn(usize, u32) -> f64) -> [u32; 2] {
        let (mut draws, tuning) = (Draws::new(seed), Tuning::default());
        let mut bandit = Bandit::new(2);
        let mut counts = [0; 2];
        for round in 0..40 {
            let choice = bandit.choose(&mut draws, &tuning);
            bandit.record(choice, found(choice, round), 1.0, &tuning);
            if round >= 20 {
                counts[choice] += 1;
            }
        }
        counts
    }

    fn sum(found: impl Fn(usize, u32) -> f64) -> [u32; 2] {
        (0..50).map(|seed| chosen(seed, &found)).fold([0; 2], |all, one| [all[0] + one[0], all[1] + one[1]])
    }

    #[test]
    fn the_better_choice_is_made_more_often() {
        let [bad, good] = sum(|choice, _| [1.0, 10.0][choice]);
        assert!(good > 4 * bad, "{good} of {}", good + bad);
        assert!(bad > 0, "but the other one is not forgotten");
    }

    #[test]
    fn a_choice_that_finds_nothing_any_more_is_left() {
        let [before, after] = sum(|choice, round| if (choice == 0) == (round < 10) { 10.0 } else { 0.0 });
        assert!(after > 2 * before, "{after} of {}", before + after);
    }

    #[test]
    fn equal_choices_are_made_equally_often() {
        let [a, b] = sum(|_, _| 5.0);
        assert!(a.abs_diff(b) < (a + b) / 3, "{a} {b}");
    }
}
