//! What happens in a run, and who learns of it.
//!
//! Each worker collects events and hands them over many at a time, since every delivery takes a lock that all workers share. What is worth keeping of a path must be taken
//! from its final state at once; that is up to a [`Keeper`], of which each worker has its own.

use secateur_machine::{End, Machine, State};
use secateur_program::BranchId;

use crate::counters::Counters;
use crate::flip::{Departure, FlipEnd};

/// Something that happened. `R` is what a [`Keeper`] keeps of a path.
pub enum Event<R> {
    /// A path has ended.
    PathEnded(EndedPath, Option<R>),
    /// A flip did not become a path.
    FlipClosed(ClosedFlip),
    /// A path refutes one of the choices of its decision, so there is not even a flip. Only counted unless
    /// [`Subscriber::wants_refuted`] asks for it.
    SideRefuted(RefutedSide),
    /// How far the run is. It is told now and then, and at the end.
    Progress(Box<Progress>),
}

/// A path that has ended.
#[derive(Clone, Debug)]
pub struct EndedPath {
    /// Numbers the paths from 1, in the order in which they started. With several workers they need not end in that order.
    pub number: u64,
    /// Where it left another path.
    pub origin: Departure,
    /// How it ended.
    pub end: End,
    /// How many decisions it has.
    pub decisions: u32,
    /// How many instructions it executed.
    pub instructions: u64,
    /// It has read symbolic input.
    pub has_input: bool,
}

/// A flip that did not become a path.
#[derive(Clone, Copy, Debug)]
pub struct ClosedFlip {
    /// Where its path would have left another one.
    pub origin: Departure,
    /// The branch and the outcome that it would have taken, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// Why there is no path.
    pub end: FlipEnd,
}

/// A choice of a decision that the path to it refutes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefutedSide {
    /// Where a path along it would have left this one.
    pub origin: Departure,
    /// The branch and the outcome that it would have taken, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// The earlier decisions whose conditions contradict it together.
    pub core: Vec<u32>,
    /// The decision could not have gone another way at all: what the path took follows from earlier decisions.
    pub implied: bool,
}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What all workers did.
    pub counters: Counters,
    /// The outcomes of branches of the user's code that were taken on any path, and how many there are.
    pub branches: (u64, u64),
}

/// A path that has ended, while its final state still exists.
pub struct PathEnd<'a> {
    /// The final state. The machine still follows the input of the path.
    pub state: &'a State,
    /// How it ended.
    pub end: &'a End,
    /// It executed a branch outcome or a block of the user's code that no path had executed before.
    pub covers_new: bool,
}

/// Keeps what is wanted of a path beyond what [`EndedPath`] tells, a test for example.
pub trait Keeper: Send {
    /// What it keeps.
    type Record: Send;

    /// A path has ended.
    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Self::Record>;
}

/// Learns what happens in a run. With several workers, it is told of one thing after the other.
pub trait Subscriber: Send {
    /// What can go wrong, e.g. a full disk. An error stops the run.
    type Error: Send;
    /// What takes from paths what it wants to keep of them.
    type Keeper: Keeper;

    /// One for a worker.
    fn keeper(&self) -> Self::Keeper;

    /// It wants to see every side that a path refutes, and why. This takes time and memory at every decision, so it is off by default.
    fn wants_refuted(&self) -> bool {
        false
    }

    /// Something has happened.
    fn receive(&mut self, event: Event<Record<Self>>) -> Result<(), Self::Error>;
}

/// What a subscriber keeps of a path.
pub type Record<S> = <<S as Subscriber>::Keeper as Keeper>::Record;
