//! What a solver library must implement to become a backend.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::translate::Terms;
use crate::{BackendReason, Deadline, SolverError};

/// A library with one table of terms and at most one solver on it, which it may replace at any time.
pub(crate) trait Context: Terms + Send + Sized {
    /// The name users know the library by.
    const NAME: &'static str;

    /// A context without terms.
    fn new(setup: Setup) -> Result<Self, SolverError>;
    /// A context without terms, made like this one.
    fn renewed(&self) -> Result<Self, SolverError>;
    /// How many terms were made, as a measure of their memory.
    fn len(&self) -> usize;
    /// Decides whether all assumptions, of sort Bool, can hold together; unknown after the deadline.
    fn check(&mut self, assumptions: &[Self::Term], deadline: &Deadline) -> Result<Verdict, SolverError>;
    /// After `Unsat`: for each of the same assumptions, whether it is in the core. If that takes time, it stops soon
    /// after the deadline.
    fn unsat_assumptions(&mut self, assumptions: &[Self::Term], deadline: &Deadline) -> Result<Vec<bool>, SolverError>;
    /// After `Sat`: the value of a bit-vector term.
    fn value(&mut self, term: Self::Term) -> Result<u128, SolverError>;
}

/// How a library works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The seed of its random choices.
    pub seed: u64,
    /// How much longer than for the answer it may take for a core, if it must be asked in another way.
    pub core_time: Duration,
}

/// The answer of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The assumptions can hold together.
    Sat,
    /// They contradict each other.
    Unsat,
    /// It was not decided.
    Unknown(BackendReason),
}
