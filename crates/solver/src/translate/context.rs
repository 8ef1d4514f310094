//! A term builder that can also decide: what a solver library must offer to become a backend.

use crate::translate::Terms;
use crate::{BackendReason, Deadline, SolverError};

/// A library with one table of terms and at most one running solver on it, which it renews as often as suits it.
pub(crate) trait Context: Terms + Send + Sized {
    /// The name users know the library by.
    const NAME: &'static str;

    /// A context without terms.
    fn new(seed: u64) -> Result<Self, SolverError>;
    /// A context without terms, made like this one.
    fn renewed(&self) -> Result<Self, SolverError>;
    /// How many terms were made; a measure of the memory they take.
    fn len(&self) -> usize;
    /// Decides whether all assumptions (of sort Bool) can hold together. Unknown when the deadline ends.
    fn check(&mut self, assumptions: &[Self::Term], deadline: &Deadline) -> Result<Verdict, SolverError>;
    /// After `Unsat`: for each of the same assumptions whether it is part of the contradiction. If that takes work, it ends about when
    /// the deadline does.
    fn unsat_assumptions(&mut self, assumptions: &[Self::Term], deadline: &Deadline) -> Result<Vec<bool>, SolverError>;
    /// After `Sat`: the value of a bit-vector term.
    fn value(&mut self, term: Self::Term) -> Result<u128, SolverError>;
}

/// What a library says about a set of formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// They can hold together.
    Sat,
    /// They contradict each other.
    Unsat,
    /// It did not find out.
    Unknown(BackendReason),
}
