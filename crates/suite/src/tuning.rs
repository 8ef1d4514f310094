//! The tuned numbers of native runs.

use std::time::Duration;

secateur_tuning::tuning! {
    /// Numbers that decide which mutated inputs are run natively, and how many of them.
    pub struct Tuning in "suite" {
        /// How many mutants are made of one input in a row.
        mutants: usize = 64, in 1..=1 << 16;
        /// How many mutants are run at once.
        mutant_batch: usize = 1_024, in 1..=1 << 16;
        /// How many changes are made to an input at once: fewer than two to this power.
        mutant_changes: usize = 4, in 1..=16;
        /// Half of the mutants are made of the newest inputs: one part in this many, and at least this many.
        newest_part: usize = 8, in 1..;
        /// How many inputs that crash are kept; most crashes are those of a few bugs.
        kept_crashes: usize = 64, in 0..;
        /// Inputs of fewer bytes are not made shorter.
        trim_from: usize = 16, in 1..;
        /// How many parts of an input are left out, one at a time, to make it shorter.
        trim_parts: usize = 16, in 1..;
        /// How long one batch of inputs may take that are run as they are.
        batch_time: Duration = Duration::from_millis(500), in Duration::from_millis(1)..=Duration::from_secs(3600);
    }
}
