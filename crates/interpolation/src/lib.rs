//! Interpolation: ends a path at a state from which nothing new can follow.
//!
//! Once everything below a node of the path tree is accounted for, its *interpolant* says which states would only
//! repeat it: every side that was infeasible below the node is infeasible from such a state, too. It is a conjunction
//! of clauses over the state at the node. A path that comes to the same point with a state that satisfies it is
//! *subsumed*, and ends.

mod account;
mod clauses;
mod confirmation;
mod contents;
mod cover;
mod credit;
mod defect;
mod display;
mod induction;
mod interpolant;
mod interpolation;
mod invariant;
mod node;
mod scout;
mod store;
mod tuning;
mod usage;
mod vacuous;
mod variables;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use secateur_explore::MakeSubsumption;
use secateur_program::Program;

#[doc(hidden)]
pub use defect::Defect;
pub use interpolation::Interpolation;
pub use tuning::Tuning;

/// Makes the interpolation of each worker. With `invariants`, loops are proved by induction, too, which may lose
/// coverage, though no bug.
pub fn maker(tuning: Tuning, invariants: bool) -> MakeSubsumption {
    maker_with(tuning, invariants, Defect::None)
}

/// As [`maker`], with a rule broken: for tests of the tests.
#[doc(hidden)]
pub fn maker_with(tuning: Tuning, invariants: bool, defect: Defect) -> MakeSubsumption {
    let workers = AtomicU64::new(0);
    Arc::new(move |program: &Arc<Program>| {
        let mut tuning = tuning.clone();
        // A further worker gets flips when the first has found out how much is subsumed.
        if workers.fetch_add(1, Ordering::Relaxed) > 0 {
            tuning.free_work /= tuning.worker_part;
        }
        Box::new(Interpolation::new(Arc::clone(program), tuning, invariants, defect))
    })
}
