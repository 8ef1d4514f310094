//! Finds inputs on which conditions hold, and proves that there are none.
//!
//! A [`Solver`] is a ladder of rungs. Most questions of a path explorer are easy, and an SMT solver takes about a millisecond for
//! each; so everything that is cheaper is tried before: folding, slicing, caches, exact procedures for common shapes, directed search.
//! A model is believed only after it was evaluated; what cannot be decided is `Unknown`.
//! This crate knows expressions and paths, but no programs.

mod answer;
mod backend;
mod bitwuzla;
mod core;
mod cross_check;
mod dump;
mod error;
mod options;
mod patience;
mod process;
mod query;
mod ranges;
mod rungs;
mod size;
mod solver;
mod statistics;
mod translate;
mod z3;

pub use answer::{Answer, BackendReason, UnknownReason};
pub use backend::{Backend, BackendAnswer, backend};
pub use cross_check::Disagreement;
pub use error::SolverError;
pub use options::{BackendKind, Options};
pub use patience::Patience;
pub use process::{SERVE, SolverProcess, serve};
pub use rungs::{Rung, RungSet};
pub use solver::Solver;
pub use statistics::{RungStatistics, Statistics};
