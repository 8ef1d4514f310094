//! The two phases of a run.

/// What a worker is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// It explores.
    Search,
    /// A limit was hit. What is pending still becomes tests, but no new flips are kept. It ends with the time of grace, or when the machine
    /// has executed so many instructions.
    Grace {
        /// In all.
        last_instruction: u64,
    },
}
