//! Learning which pending flips are worth keeping.
//!
//! On programs with far more paths than time, most flips are never worth trying. Which ones are is learned during the
//! run, from the conditions that useful tests share: the run is divided into rounds, each round scores flips by weights
//! of such conditions and drops those with the lowest scores, and the weights that have led to useful tests are drawn
//! again. (The method is that of Homi, Cha and Oh 2020, on pending flips instead of states.)
//!
//! [`Learner`] plugs into explore as its [`Rounds`](secateur_explore::Rounds) and makes a
//! [`Selection`](secateur_explore::Selection) for each worker.

mod bandit;
mod condition;
mod cover;
mod draws;
mod evidence;
mod identity;
mod learned;
mod learner;
mod scorer;
mod tuning;
mod weights;

pub use learned::{Learned, LearnedError};
pub use learner::{CountedBy, Learner, ORDERS, Options, RATIOS};
pub use tuning::Tuning;
