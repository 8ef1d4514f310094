//! Events of a run and the traits that receive them.
//!
//! Each worker collects events and delivers them in batches, since every delivery takes a lock that all workers share.
//! What is kept of a path must be taken from its final state at once; that is up to a [`Keeper`], one for each worker.

use std::convert::Infallible;

use secateur_machine::{End, Machine, State};
use secateur_program::{BranchId, FuncId, LocId};
use serde::{Deserialize, Serialize};

use crate::counters::Counters;
use crate::flip::{Departure, FlipEnd};
use crate::pending::PendingChange;
use crate::selection::SelectionStatus;
use crate::subsumption::Cover;

/// An event. `R` is the record that a [`Keeper`] makes of a path.
pub enum Event<R> {
    /// A path has ended.
    PathEnded(EndedPath, Option<R>),
    /// An input from outside was run to see what it does; it may become a path later.
    InputRan(End, R),
    /// A flip did not become a path.
    FlipClosed(ClosedFlip),
    /// The conditions of a path refute one of the choices of a decision, so that there is not even a flip. These sides
    /// are only counted unless [`Subscriber::wants_refuted`] asks for them.
    SideRefuted(RefutedSide),
    /// Progress of the run, from time to time.
    Progress(Box<Progress>),
}

/// A path that has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EndedPath {
    /// Its number. Paths are numbered from 1 in the order in which they start; with several workers, they may end in
    /// another order.
    pub number: u64,
    /// Where it left another path.
    pub departure: Departure,
    /// How it ended.
    pub end: End,
    /// How many decisions it has.
    pub decisions: u32,
    /// How many instructions it executed.
    pub instructions: u64,
    /// Whether it has read symbolic input.
    pub has_input: bool,
    /// The call stack, innermost first, if it was cut off at a limit or at a check that is disabled, or if `cover` has
    /// a text; else empty.
    pub cut_off_at: Vec<(FuncId, LocId)>,
    /// What covers it, if it was subsumed.
    pub cover: Option<Cover>,
    /// Its identity: a hash of its decisions, the same in every run.
    pub identity: u64,
    /// What its worker was the first to cover since the last path ended, as [`secateur_machine::CoverageMap`] numbers
    /// it; empty unless [`Subscriber::wants_pending`] asks for it.
    pub covered: Vec<u32>,
}

/// A flip that did not become a path.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ClosedFlip {
    /// Where its path would have left another one.
    pub departure: Departure,
    /// The branch and the outcome that it would have taken, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// Why it did not become a path.
    pub end: FlipEnd,
}

/// A choice of a decision that is refuted by the conditions of the path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefutedSide {
    /// Where a path along it would have left this one.
    pub departure: Departure,
    /// The branch and the outcome that it would have taken, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// The earlier decisions whose conditions together contradict it.
    pub core: Vec<u32>,
    /// Whether the choice that the path took follows from earlier decisions, so that no input could decide otherwise.
    pub implied: bool,
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The counters of all workers together.
    pub counters: Counters,
    /// How many branch outcomes of the user's code were taken on any path, and how many there are.
    pub branches: (u64, u64),
    /// How far the selection of the worker that reports is, if there is one.
    pub selection: Option<SelectionStatus>,
}

/// A path that has ended, while its final state still exists.
pub struct PathEnd<'a> {
    /// The final state. The machine still holds the input of the path.
    pub state: &'a State,
    /// How it ended.
    pub end: &'a End,
    /// Whether it executed a branch outcome or a block of the user's code that no path had executed before.
    pub covers_new: bool,
}

/// Takes from a path what a subscriber needs beyond [`EndedPath`], such as a test.
pub trait Keeper: Send {
    /// What it takes.
    type Record: Send;

    /// A path has ended.
    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<Self::Record>;
}

/// Receives the events of a run, one at a time even with several workers.
///
/// ```
/// # use std::convert::Infallible;
/// # use secateur_explore::{Settings, Tuning, explore, search};
/// # use secateur_machine::{Machine, Options};
/// # use secateur_solver::Solver;
/// use secateur_explore::{Event, Keeper, PathEnd, Subscriber};
///
/// /// Takes the input of every path.
/// struct TakeInput;
///
/// impl Keeper for TakeInput {
///     type Record = Vec<u8>;
///
///     fn keep(&mut self, machine: &mut Machine, _path: &PathEnd<'_>) -> Option<Vec<u8>> {
///         Some(machine.guide.input().to_vec())
///     }
/// }
///
/// #[derive(Default)]
/// struct Inputs(Vec<Vec<u8>>);
///
/// impl Subscriber for Inputs {
///     type Error = Infallible;
///     type Keeper = TakeInput;
///
///     fn keeper(&self) -> TakeInput {
///         TakeInput
///     }
///
///     fn receive(&mut self, event: Event<Vec<u8>>) -> Result<(), Infallible> {
///         if let Event::PathEnded(_, Some(input)) = event {
///             self.0.push(input);
///         }
///         Ok(())
///     }
/// }
///
/// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
/// # let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/one_branch.rs"));
/// # let mut machine = Machine::new(program, Options::default());
/// # let mut solver = Solver::new(Default::default()).unwrap();
/// # let settings = Settings::new(search::by_name("dfs", 0, &Tuning::default()).unwrap());
/// let mut inputs = Inputs::default();
/// explore(&mut machine, &mut solver, settings, &mut inputs)?;
/// assert_eq!(inputs.0, [vec![], vec![7]]);
/// # Ok::<(), Infallible>(())
///
/// ```
pub trait Subscriber: Send {
    /// Why an event cannot be handled, such as a full disk. An error stops the run.
    type Error: Send;
    /// What takes records from paths.
    type Keeper: Keeper;

    /// Makes the keeper of one worker.
    fn keeper(&self) -> Self::Keeper;

    /// Whether every refuted side is wanted as an event, with the reason. This takes time and memory at every decision,
    /// so it is off by default.
    fn wants_refuted(&self) -> bool {
        false
    }

    /// Whether what is pending is wanted, too, by [`Subscriber::delivered`].
    fn wants_pending(&self) -> bool {
        false
    }

    /// All events of a batch were received. With [`Subscriber::wants_pending`], a batch comes with what has changed
    /// among the pending items of its worker, and the counters of that worker; except when the run stops, since what
    /// is pending may still become tests then but stays pending.
    fn delivered(&mut self, _worker: usize, _change: Option<(PendingChange, Counters)>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether the run may stop because a bug was found. It is asked whenever events were handled.
    fn has_bug(&self) -> bool {
        false
    }

    /// Handles an event.
    fn receive(&mut self, event: Event<Record<Self>>) -> Result<(), Self::Error>;
}

/// The record that a subscriber's keeper makes of a path.
pub type Record<S> = <<S as Subscriber>::Keeper as Keeper>::Record;

/// Keeps nothing.
impl Keeper for () {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, _: &PathEnd<'_>) -> Option<()> {
        None
    }
}

/// Ignores all events, for a caller that needs only the result of the run.
impl Subscriber for () {
    type Error = Infallible;
    type Keeper = ();

    fn keeper(&self) {}

    fn receive(&mut self, _: Event<()>) -> Result<(), Infallible> {
        Ok(())
    }
}
