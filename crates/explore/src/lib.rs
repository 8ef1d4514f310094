//! Explores the paths of a program: follows inputs, keeps pending flips, picks and solves them.
//!
//! States are seen through [`Summary`] by everything that orders or removes flips; nothing here looks into the machine.

mod counters;
mod exchange;
mod explorer;
mod fate;
mod fault;
mod flip;
mod fresh;
mod known;
mod limits;
mod observer;
pub mod prune;
mod random;
mod recheck;
pub mod search;
mod team;
mod trail;
mod view;
mod watch;

pub use counters::Counters;
pub use fate::{Fate, Origin};
pub use flip::{Flip, Place, Snapshot, Summary};
pub use limits::{Limits, StopReason, peak_memory, resident_memory};
pub use observer::{Notes, Observer, PathEnd};
pub use random::Random;
pub use team::{Helper, MAX_EXPRESSIONS, Outcome, Settings, explore};
pub use view::{Map, View};
