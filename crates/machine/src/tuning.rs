//! The machine's tuned numbers.

secateur_tuning::tuning! {
    /// Numbers that decide between two correct ways to follow a program.
    pub struct Tuning in "machine" {
        /// Up to so many elements are told apart by conditions, which rules and solvers understand better than arrays.
        few_elements: usize = 4, in 1..=256;
        /// How far outside of an object a witness for an overflow should be: a native sanitizer sees it there.
        witness_distance: u64 = 16, in 1..=4096;
        /// The longest copy that is done byte by byte at a symbolic offset.
        short_copy: u64 = 64, in 1..=4096;
        /// How long the strings of `__VERIFIER_nondet_string` are.
        nondet_string: u32 = 16, in 1..=4096;
    }
}
