//! What is told while a run goes on: the one way in which tests, progress and reports learn of it.

use secateur_machine::{End, Machine, State};

use crate::explorer::Counters;

/// A path that has ended.
pub struct PathEnd<'a> {
    /// Numbers the ended paths from 1.
    pub number: u64,
    /// The final state.
    pub state: &'a State,
    /// How it ended.
    pub end: &'a End,
    /// It executed a branch outcome or a block of the user's code that no path had executed before.
    pub covers_new: bool,
    /// It ran when the limit was hit already, to make use of what was pending.
    pub late: bool,
}

/// Listens to a run. An error stops the run.
pub trait Observer {
    /// What can go wrong when listening, e.g. a full disk.
    type Error;

    /// A path has ended. `machine` still follows its input.
    fn path_ended(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Result<(), Self::Error>;

    /// Called now and then, at least once for each path; to show progress.
    fn tick(&mut self, machine: &Machine, counters: &Counters) -> Result<(), Self::Error>;
}
