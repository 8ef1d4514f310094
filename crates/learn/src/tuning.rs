//! The tuned numbers of learning.

use std::time::Duration;

secateur_tuning::tuning! {
    /// Numbers that decide how rounds are planned and flips are chosen.
    pub struct Tuning in "learn" {
        /// How long a round is on average where the run has no time limit.
        round_time: Duration = Duration::from_secs(20), in Duration::from_millis(1)..;
        /// How many paths a round has on average where rounds are counted in paths and the run has no limit of paths.
        round_paths: u64 = 1_000, in 1..;
        /// How many weight vectors score flips in one round.
        vectors: usize = 8, in 1..=256;
        /// In how many of the first rounds that prune weights are drawn without regard to what was learned.
        explore_rounds: u32 = 2, in 0..;
        /// How often flips are dropped in one round.
        passes: u32 = 20, in 1..;
        /// With fewer pending flips, none is dropped.
        least_flips: usize = 64, in 0..;
        /// The most features that flips are compared by.
        features: usize = 4_096, in 1..=1 << 20;
        /// The most features that are taken from one test.
        test_features: usize = 1_024, in 1..=1 << 16;
        /// The most sets of features that flips are told apart by; flips with further sets count as those that they
        /// were found next to.
        marks: usize = 1 << 15, in 1..=1 << 24;
        /// From how many values the one that is the farthest from an expected weight is taken.
        reverse_values: usize = 100, in 1..=1 << 16;
        /// The least deviation of a weight that is drawn again.
        least_deviation: f64 = 0.05, in 0.0..=1.0;
        /// How much of what a choice has given still counts after the next round.
        memory: f64 = 0.8, in 0.0..=1.0;
        /// For how long, in rounds, a choice that was not tried yet counts as one that has given what all give on
        /// average.
        prior: f64 = 0.5, in 0.01..=1_000.0;
        /// Learned weights are of the same program if it shares at least this part of its comparisons.
        same_program: f64 = 0.5, in 0.0..=1.0;
    }
}
