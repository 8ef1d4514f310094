//! The two phases of a run.

/// The phase of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Exploration.
    Search,
    /// The grace period after a limit was hit: pending flips still become tests, but no new flips are kept. It ends
    /// with its time limit, or when the machine has executed this many instructions.
    Grace {
        /// Counted from the start of the run.
        last_instruction: u64,
    },
}
