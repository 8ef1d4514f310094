//! Weights of features: what is known of each, and how vectors of them are drawn.

use serde::{Deserialize, Serialize};

use crate::draws::Draws;
use crate::tuning::Tuning;

/// The weights with which a feature has led to useful tests.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Known {
    /// How many there were; none means that nothing is known.
    pub count: f64,
    /// Their mean.
    pub mean: f64,
    /// Their mean square distance to it.
    pub variance: f64,
}

impl Known {
    /// Adds a weight.
    pub(crate) fn add(&mut self, weight: f64) {
        self.merge(Known { count: 1.0, mean: weight, variance: 0.0 });
    }

    /// Adds those of another run.
    pub(crate) fn merge(&mut self, other: Known) {
        let count = self.count + other.count;
        if count <= 0.0 {
            return;
        }
        let part = other.count / count;
        let apart = other.mean - self.mean;
        self.variance = (1.0 - part) * self.variance + part * other.variance + part * (1.0 - part) * apart * apart;
        self.mean += part * apart;
        self.count = count;
    }

    /// Their deviation.
    pub(crate) fn deviation(&self) -> f64 {
        self.variance.max(0.0).sqrt()
    }
}

/// How a vector is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Each weight near those that were useful.
    Exploit,
    /// Each weight far from those.
    Reverse,
    /// Any weights.
    Explore,
}

impl Way {
    /// One of the ways; only the last while there is little to exploit.
    pub(crate) fn draw(draws: &mut Draws, only_explores: bool) -> Way {
        if only_explores {
            return Way::Explore;
        }
        [Way::Exploit, Way::Reverse, Way::Explore][draws.index(3)]
    }

    /// A weight for a feature.
    pub(crate) fn weight(self, known: &Known, draws: &mut Draws, tuning: &Tuning) -> f64 {
        if self == Way::Explore || known.count == 0.0 {
            return draws.weight();
        }
        let expected = draws.truncated_normal(known.mean, known.deviation().max(tuning.least_deviation));
        if self == Way::Exploit {
            return expected;
        }
        let candidates = (0..tuning.reverse_values).map(|_| draws.weight());
        candidates.max_by(|a, b| (a - expected).abs().total_cmp(&(b - expected).abs())).unwrap_or(-expected)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn mean_and_deviation_are_those_of_all_weights(weights in prop::collection::vec(-1.0..=1.0f64, 1..30), at in 0..30usize) {
            let at = at.min(weights.len());
            let of = |weights: &[f64]| {
                let mut known = Known::default();
                weights.iter().for_each(|weight| known.add(*weight));
                known
            };
            let mut known = of(&weights[..at]);
            known.merge(of(&weights[at..]));
            let mean = weights.iter().sum::<f64>() / weights.len() as f64;
            let variance = weights.iter().map(|weight| (weight - mean).powi(2)).sum::<f64>() / weights.len() as f64;
            prop_assert!((known.mean - mean).abs() < 1e-9);
            prop_assert!((known.variance - variance).abs() < 1e-9);
            prop_assert_eq!(known.count as usize, weights.len());
        }

        #[test]
        fn weights_are_near_or_far_from_what_was_useful(seed: u64, mean in -0.9..0.9f64) {
            let (mut draws, tuning) = (Draws::new(seed), Tuning::default());
            let known = Known { count: 9.0, mean, variance: 0.0 };
            for _ in 0..50 {
                let near = Way::Exploit.weight(&known, &mut draws, &tuning);
                let far = Way::Reverse.weight(&known, &mut draws, &tuning);
                prop_assert!((near - mean).abs() < 0.4 && (-1.0..=1.0).contains(&near), "{}", near);
                // The farthest of 100 values is close to one of the ends.
                prop_assert!(far.abs() > 0.7 && (far - mean).abs() > 0.6, "{}", far);
            }
        }
    }

    #[test]
    fn a_feature_of_which_nothing_is_known_may_have_any_weight() {
        let (mut draws, tuning) = (Draws::new(3), Tuning::default());
        let drawn: Vec<f64> = (0..1000).map(|_| Way::Exploit.weight(&Known::default(), &mut draws, &tuning)).collect();
        for part in [-1.0, -0.5, 0.0, 0.5] {
            let count = drawn.iter().filter(|weight| (part..part + 0.5).contains(*weight)).count();
            assert!((200..300).contains(&count), "{count}");
        }
    }
}
