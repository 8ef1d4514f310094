//! Finds inputs on which conditions hold, and proves that there are none.
//!
//! A [`Solver`] is a ladder of rungs. Most questions of a path explorer are easy, but an SMT solver takes about a
//! millisecond for each. So everything that is cheaper comes first: folding, slicing, caches, decision procedures for
//! common fragments, directed search. A model becomes an answer only after it was evaluated; what cannot be decided is
//! `Unknown`. This crate knows expressions and paths, but no programs.
//!
//! ```
//! use secateur_expr::Pool;
//! use secateur_path::Path;
//! use secateur_solver::{Answer, Options, Solver};
//!
//! let mut pool = Pool::new();
//! let (a, b) = (pool.input(0, 1), pool.input(1, 1));
//! let ordered = pool.ult(a, b);
//! let path = Path::of(&mut pool, &[ordered]);
//! let seven = pool.constant(8, 7);
//! let goal = pool.eq(b, seven);
//!
//! let mut solver = Solver::new(Options::default())?;
//! let Answer::Sat(input) = solver.solve(&mut pool, &path, goal, &[3, 9]) else { panic!("7 is above 3") };
//! assert!(input[0] < 7 && input[1] == 7);
//! # Ok::<(), secateur_solver::SolverError>(())
//! ```

mod answer;
mod backend;
mod bitwuzla;
mod core;
mod cross_check;
mod deadline;
mod dump;
mod error;
mod options;
mod process;
mod query;
mod ranges;
mod rungs;
mod size;
mod solver;
mod statistics;
mod translate;
mod tuning;
mod z3;

pub use answer::{Answer, BackendReason, UnknownReason};
pub use backend::{Backend, BackendAnswer, backend};
pub use cross_check::Disagreement;
pub use deadline::Deadline;
pub use error::SolverError;
pub use options::{BackendKind, Options};
pub use process::{SERVE, SolverProcess, serve};
pub use rungs::{Rung, RungSet};
pub use secateur_concrete_search::Tuning as ConcreteSearchTuning;
pub use solver::Solver;
pub use statistics::{RungStatistics, Statistics};
pub use tuning::Tuning;
