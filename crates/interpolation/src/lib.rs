//! Interpolation: ends a path at a state from which nothing new can follow.
//!
//! Once everything below a node of the path tree is accounted for, its *interpolant* says which states would only repeat
//! it: every side that was infeasible below the node is infeasible from such a state, too. It is a conjunction of
//! clauses over the state at the node. A path that comes to the same point with a state that satisfies it is
//! *subsumed*, and ends.

mod clauses;
mod confirmation;
mod cover;
mod credit;
mod display;
mod induction;
mod interpolant;
mod interpolation;
mod invariant;
mod node;
mod store;
mod tuning;
mod variables;

use std::sync::Arc;

use secateur_explore::MakeSubsumption;
use secateur_program::Program;

pub use interpolation::Interpolation;
pub use tuning::Tuning;

/// Makes the interpolation of each worker. With `invariants`, loops are proved by induction, too, which may lose
/// coverage, though no bug.
pub fn maker(tuning: Tuning, invariants: bool) -> MakeSubsumption {
    Arc::new(move |program: &Arc<Program>| {
        Box::new(Interpolation::new(Arc::clone(program), tuning.clone(), invariants))
    })
}
