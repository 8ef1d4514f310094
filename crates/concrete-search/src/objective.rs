//! What a search asks about inputs.

use crate::moves::Variable;

/// What is searched for.
pub trait Objective {
    /// How far an input is from what is wanted: 0 if it is found.
    fn distance(&mut self, input: &[u8]) -> f64;

    /// Whether an input satisfies what is known to be necessary and is quick to check. Others are not measured.
    fn is_allowed(&mut self, input: &[u8]) -> bool;

    /// What may be changed, for inputs like the one that was measured last.
    fn variables(&self) -> Vec<Variable>;

    /// Whether to go on.
    fn goes_on(&mut self) -> bool;
}
