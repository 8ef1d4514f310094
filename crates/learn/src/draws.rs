//! Random draws from the distributions that learning needs.

use std::f64::consts::TAU;

use secateur_explore::Random;

/// How often a draw outside of the bounds is repeated. The mean is within them, so half of all draws are, too, unless
/// the deviation is large.
const ATTEMPTS: u32 = 64;

/// A seeded source of draws.
pub(crate) struct Draws(Random);

impl Draws {
    /// The same seed gives the same draws.
    pub(crate) fn new(seed: u64) -> Draws {
        Draws(Random::new(seed))
    }

    /// A seed for something else.
    pub(crate) fn seed(&mut self) -> u64 {
        self.0.number()
    }

    /// An index into a list of this length, which must not be 0.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.0.index(len)
    }

    /// Any number from 0 up to, but without, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.number() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Any weight, each as likely as the others.
    pub(crate) fn weight(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// The normal distribution around 0 with deviation 1, by the method of Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (TAU * self.unit()).cos()
    }

    /// A weight by the normal distribution with this mean and deviation, cut off at the bounds of weights.
    pub(crate) fn truncated_normal(&mut self, mean: f64, deviation: f64) -> f64 {
        for _ in 0..ATTEMPTS {
            let drawn = mean + deviation * self.normal();
            if (-1.0..=1.0).contains(&drawn) {
                return drawn;
            }
        }
        mean.clamp(-1.0, 1.0)
    }

    /// The gamma distribution, by the method of Marsaglia and Tsang.
    pub(crate) fn gamma(&mut self, shape: f64, rate: f64) -> f64 {
        if shape < 1.0 {
            let boost = (1.0 - self.unit()).powf(1.0 / shape);
            return boost * self.gamma(shape + 1.0, rate);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && (1.0 - self.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v / rate;
            }
        }
    }

    /// An index, each as likely as its share of the weights; `None` if all are 0.
    pub(crate) fn choose(&mut self, weights: &[f64]) -> Option<usize> {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        let mut last = None;
        for (index, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            last = Some(index);
            if left < *weight {
                break;
            }
            left -= weight;
        }
        last
    }

    /// Puts a list in any order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
        (mean, variance.sqrt())
    }

    fn many(seed: u64, draw: impl Fn(&mut Draws) -> f64) -> Vec<f64> {
        let mut draws = Draws::new(seed);
        (0..20_000).map(|_| draw(&mut draws)).collect()
    }

    proptest! {
        #[test]
        fn weights_stay_within_their_bounds(seed: u64, mean in -1.0..=1.0f64, deviation in 0.0..=2.0f64) {
            let mut draws = Draws::new(seed);
            for _ in 0..100 {
                prop_assert!((-1.0..=1.0).contains(&draws.truncated_normal(mean, deviation)));
                prop_assert!((-1.0..=1.0).contains(&draws.weight()));
                prop_assert!((0.0..1.0).contains(&draws.unit()));
            }
        }

        #[test]
        fn the_truncated_normal_has_its_mean_where_nothing_is_cut_off(seed: u64, mean in -0.5..0.5f64) {
            let (found, deviation) = mean_and_deviation(&many(seed, |draws| draws.truncated_normal(mean, 0.1)));
            prop_assert!((found - mean).abs() < 0.01 && (deviation - 0.1).abs() < 0.01, "{} {}", found, deviation);
        }

        #[test]
        fn the_gamma_distribution_has_its_mean_and_deviation(seed: u64, shape in 0.3..20.0f64, rate in 0.5..10.0f64) {
            let (mean, deviation) = mean_and_deviation(&many(seed, |draws| draws.gamma(shape, rate)));
            prop_assert!((mean * rate / shape - 1.0).abs() < 0.1, "{}", mean);
            prop_assert!((deviation * rate / shape.sqrt() - 1.0).abs() < 0.15, "{}", deviation);
        }

        #[test]
        fn choices_follow_their_weights(seed: u64, weights in prop::collection::vec(0.0..10.0f64, 1..6)) {
            let mut draws = Draws::new(seed);
            let mut counts = vec![0.0; weights.len()];
            for _ in 0..20_000 {
                if let Some(index) = draws.choose(&weights) {
                    counts[index] += 1.0 / 20_000.0;
                }
            }
            let all: f64 = weights.iter().sum();
            for (count, weight) in counts.iter().zip(&weights) {
                prop_assert!((count - weight / all).abs() < 0.02, "{:?} {:?}", counts, weights);
            }
        }

        #[test]
        fn shuffling_loses_nothing(seed: u64, mut list in prop::collection::vec(any::<u8>(), 0..50)) {
            let mut sorted = list.clone();
            Draws::new(seed).shuffle(&mut list);
            list.sort_unstable();
            sorted.sort_unstable();
            prop_assert_eq!(list, sorted);
        }
    }

    #[test]
    fn nothing_is_chosen_where_nothing_has_weight() {
        let mut draws = Draws::new(1);
        assert_eq!(draws.choose(&[]), None);
        assert_eq!(draws.choose(&[0.0, 0.0]), None);
        assert!((0..100).all(|_| draws.choose(&[0.0, 1.0, 0.0]) == Some(1)));
    }
}
