//! What is told while a run goes on: the one way in which tests, progress and reports learn of it.

use secateur_machine::{End, Machine, State};

use crate::counters::Counters;
use crate::fate::{Fate, Origin};
use crate::flip::Flip;

/// A path that has ended.
pub struct PathEnd<'a> {
    /// Numbers the paths from 1, in the order in which they started. With several workers they need not end in that order.
    pub number: u64,
    /// Where it left another path.
    pub origin: Origin,
    /// The final state.
    pub state: &'a State,
    /// How it ended.
    pub end: &'a End,
    /// It executed a branch outcome or a block of the user's code that no path had executed before.
    pub covers_new: bool,
    /// It ran when the limit was hit already, to make use of what was pending.
    pub late: bool,
}

/// What a worker writes down for itself until the observer reads it. To tell the observer at once takes a lock, if there are several workers, and what it keeps would go from core to
/// core with every path.
pub trait Notes: Send {
    /// Notes a path that has ended; false if the observer must be told at once.
    fn path_ended(&mut self, _machine: &Machine, _path: &PathEnd<'_>) -> bool {
        false
    }

    /// Notes that a flip did not become a path; false if the observer must be told at once.
    fn flip_closed(&mut self, _machine: &Machine, _flip: &Flip, _fate: Fate) -> bool {
        false
    }
}

/// For observers that want to know everything at once.
impl Notes for () {}

/// Listens to a run. An error stops the run. With several workers, it is told of one thing after the other, on the thread of whichever worker it concerns.
pub trait Observer {
    /// What can go wrong when listening, e.g. a full disk.
    type Error;
    /// What need not be told at once.
    type Notes: Notes;

    /// An empty sheet for a worker.
    fn notes(&self) -> Self::Notes;

    /// Reads what a worker has noted since the last time, and leaves an empty sheet.
    fn read(&mut self, notes: &mut Self::Notes) -> Result<(), Self::Error>;

    /// A path has ended. `machine` still follows its input.
    fn path_ended(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Result<(), Self::Error>;

    /// A flip did not become a path.
    fn flip_closed(&mut self, _machine: &Machine, _flip: &Flip, _fate: Fate) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Called now and then, to show progress.
    fn tick(&mut self, machine: &Machine, counters: &Counters) -> Result<(), Self::Error>;
}
