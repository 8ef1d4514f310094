//! The tuned numbers of campaigns.

use std::time::Duration;

secateur_tuning::tuning! {
    /// Numbers that decide how much time a campaign takes for what it does beside exploring.
    pub struct Tuning in "campaign" {
        /// How long a libFuzzer harness is explored before it is compiled for native runs: most small programs are done
        /// by then, and the compiler takes as long.
        native_start: Duration = Duration::from_secs(1), in Duration::ZERO..;
        /// How long native runs take in one turn.
        native_turn: Duration = Duration::from_millis(20), in Duration::from_millis(1)..=Duration::from_secs(3600);
        /// How many words in the constants of the program are used in mutants.
        native_words: usize = 1_024, in 0..=1 << 20;
        /// How long these words are at most.
        native_word_length: usize = 32, in 1..;
        /// From this many seeds on, those that cover nothing more natively are left out.
        many_seeds: usize = 64, in 0..;
        /// How long bugs are checked natively, to which each bug adds the next number.
        confirm_time: Duration = Duration::from_secs(10), in Duration::ZERO..=Duration::from_secs(3600);
        /// How much time each bug adds.
        confirm_time_per_bug: Duration = Duration::from_secs(2), in Duration::ZERO..=Duration::from_secs(3600);
        /// How long after the time limit bugs are still checked. A time limit takes effect within a second, in which
        /// the results must be written, too.
        confirm_after_limit: Duration = Duration::from_millis(750), in Duration::ZERO..=Duration::from_secs(3600);
        /// How many instructions the test of a target runs: a program that never ends need not be followed for longer.
        reach_instructions: u64 = 20_000_000, in 1..;
        /// After how many tests that do not reach a target natively the search for it stops: the program does not
        /// behave as it is modelled.
        reach_refuted: usize = 8, in 1..;
        /// How long the first turn of each way to search for a target is; each further one is twice as long.
        reach_turn: Duration = Duration::from_secs(1), in Duration::from_millis(1)..=Duration::from_secs(3600);
        /// The time that bugs have in any case: enough for a few tests whose program is already compiled.
        confirm_least: Duration = Duration::from_millis(250), in Duration::ZERO..=Duration::from_secs(3600);
    }
}
