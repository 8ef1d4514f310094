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
        /// Copies of at least this many bytes share pages.
        long_copy: u64 = 1 << 16, in 1_024..=1 << 24;
        /// How many subexpressions of an address are visited to find the objects that it may point to. The range starts
        /// where addresses of real programs are smaller, since objects that are not found would count as leaked.
        address_nodes: usize = 4_096, in 4_096..=1 << 20;
        /// How many combinations of choices are enumerated for a pointer that is assembled from pieces.
        address_cases: usize = 4_096, in 4_096..=1 << 20;
        /// How many definitions are followed to find statically what an address points to, so which checks may fail.
        definitions: u32 = 16, in 0..=1_024;
        /// Local variables of up to this part of the stack are assumed to fit, where it is found statically which
        /// checks may fail: calls without recursion are hardly nested deeper. With a larger part, look-ahead could miss
        /// that the stack overflows.
        nested_calls: u64 = 256, in 256..;
        /// How many writes at a symbolic offset to an object with bytes that were never written become conditions on
        /// which bytes were. Their size grows with the number of writes, so the offsets of further ones are decided.
        symbolic_writes: usize = 8, in 0..=1_024;
        /// Among how many requirements of a segment a repetition is looked for, the newest first.
        recent_requirements: usize = 8, in 0..;
        /// With more objects than this, the numbers of dead ones are used again. The range starts where it does, since
        /// a dangling pointer may then mean another object, and ends where numbers would become hard to find.
        kept_objects: u32 = 1 << 22, in 1 << 22..=1 << 23;
        /// How long the input of a libFuzzer harness becomes when it first grows; then it doubles.
        least_length: u64 = 4, in 1..=4096;
        /// The length of the strings of `__VERIFIER_nondet_string`.
        nondet_string: u32 = 16, in 1..=4096;
    }
}
