//! solver

mod bitwuzla;
mod error;
mod translate;
mod z3;

pub use error::SolverError;
