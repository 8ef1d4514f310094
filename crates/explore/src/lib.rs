//! Explores the paths of a program: follows inputs, keeps pending flips, picks and solves them.
//!
//! Whatever orders or prunes flips sees them through [`FlipInfo`] and the [`PathTree`]; nothing here looks into the
//! machine.

mod counters;
mod cuts;
mod event;
mod exchange;
mod fault;
mod flip;
mod follow;
mod fresh;
mod frontier;
mod goal;
mod graph_input;
mod inputs;
mod length;
mod limits;
mod live;
mod loan;
mod names;
mod nested;
mod parked;
mod pending;
mod phase;
mod place;
mod portable;
mod postponed;
pub mod prune;
mod random;
mod recheck;
mod reclaim;
mod reporter;
mod rerun;
mod rounds;
mod running;
pub mod search;
mod selection;
mod solve;
mod subsumption;
mod suspended;
mod team;
pub mod tree;
mod tuning;
mod view;
mod watchdog;
mod worker;

pub use counters::Counters;
pub use event::{ClosedFlip, EndedPath, Event, Keeper, PathEnd, Progress, Record, RefutedSide, Subscriber};
pub use exchange::{Exchange, Fetched, Fetching};
pub use flip::{Departure, Flip, FlipEnd, FlipInfo, FlipPoint, Snapshot};
pub use goal::Goal;
pub use inputs::{Input, InputSource};
pub use limits::{Limits, StopReason, peak_memory, resident_memory};
pub use loan::{Account, CalledBack, Loan, Returned};
pub use nested::{Judge, NestedEnd, explore_nested};
pub use pending::{Continued, PendingChange, PendingItem, PendingName, PortablePath};
pub use place::innermost_user;
pub use portable::PortableFlip;
pub use random::Random;
pub use rounds::{MakeRound, Plan, RoundEnd, RoundLength, RoundLimits, Rounds, RunInRounds, explore_in_rounds};
pub use selection::{MakeSelection, Mark, Selection, SelectionStatus};
pub use subsumption::{Cover, MakeSubsumption, PathAt, Resolution, Subsumption, Verdict};
pub use team::{RunResult, Settings, WorkerSetup, explore};
pub use tree::{Closed, Incomplete, NodeId, PathTree, SideId, TreeEvent};
pub use tuning::Tuning;
pub use view::{ProgramInfo, View};
