//! The machine's tuned numbers.

secateur_tuning::tuning! {
    /// Numbers that choose between two correct ways to run a program.
    pub struct Tuning in "machine" {
        /// The most elements that a symbolic index selects by conditions, which rewriting and solvers handle better
        /// than arrays.
        few_elements: usize = 4, in 1..=256;
        /// How far outside of an object the witness of an overflow should be at most: a native sanitizer detects it
        /// there.
        witness_distance: u64 = 16, in 1..=4096;
        /// The longest copy that is done byte by byte at a symbolic offset.
        short_copy: u64 = 64, in 1..=4096;
        /// How long the input of a libFuzzer harness becomes when it first grows; then it doubles.
        least_length: u64 = 4, in 1..=4096;
        /// The length of the strings of `__VERIFIER_nondet_string`.
        nondet_string: u32 = 16, in 1..=4096;
    }
}
