//! What went wrong in a campaign by our own fault.

use std::path::PathBuf;

use secateur_explore::Counters;
use secateur_solver::Solver;
use secateur_suite::{OutDir, OutError};

use crate::text::count;

/// A fault of ours. The campaign went on, and its results are in the output folder.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// Two solvers contradict each other, so that nothing can be relied on.
    #[error("{first} on the question in {} ({} in all)", question.display(), count(*all, "disagreement"))]
    Disagreement {
        /// The first disagreement, as a sentence.
        first: String,
        /// The file with its question.
        question: PathBuf,
        /// How many there are.
        all: usize,
    },
    /// Paths or questions were lost, so that what was found is not all there is.
    #[error("{first}{}; everything else was explored, and is in the output folder", and_more(*others))]
    Exploration {
        /// The first fault, as a sentence.
        first: String,
        /// How many others are known.
        others: usize,
    },
}

impl Fault {
    /// The most serious fault, if there is any.
    pub(crate) fn of(solver: &Solver, counters: &Counters, out: &OutDir) -> Result<Option<Fault>, OutError> {
        if let Some(disagreement) = solver.disagreements().first() {
            const QUESTION: &str = "disagreement.smt2";
            out.write(QUESTION, disagreement.question.as_bytes())?;
            let (first, question) = (disagreement.to_string(), out.path().join(QUESTION));
            return Ok(Some(Fault::Disagreement { first, question, all: solver.disagreements().len() }));
        }
        let fault = counters.faults.split_first();
        Ok(fault.map(|(first, others)| Fault::Exploration { first: first.clone(), others: others.len() }))
    }
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_sentence() {
        let of = |others| Fault::Exploration { first: "path 3 panicked".to_string(), others }.to_string();
        assert_eq!(of(0), "path 3 panicked; everything else was explored, and is in the output folder");
        assert!(of(2).starts_with("path 3 panicked (and 2 more); "));
        let disagreement = Fault::Disagreement { first: "z3 objects".to_string(), question: "out/q".into(), all: 1 };
        assert_eq!(disagreement.to_string(), "z3 objects on the question in out/q (1 disagreement in all)");
    }
}
