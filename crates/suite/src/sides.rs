//! The results of attempts to take each side of each branch that no path took.

use secateur_program::BranchId;
use std::collections::BTreeMap;

/// Attempts by branch and outcome.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sides {
    attempts: BTreeMap<(BranchId, u32), Attempts>,
}

/// The results of attempts to take one side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attempts {
    /// No input takes it after the decisions before it.
    pub infeasible: u64,
    /// The solver gave no answer.
    pub unknown: u64,
    /// Its place was not reached again when the path was re-run.
    pub lost: u64,
    /// Still pending when the run stopped.
    pub pending: u64,
    /// Pruned, by pruner.
    pub pruned: BTreeMap<&'static str, u64>,
}

impl Sides {
    /// The attempts at this side, for adding to them.
    pub fn entry(&mut self, branch: BranchId, outcome: u32) -> &mut Attempts {
        self.attempts.entry((branch, outcome)).or_default()
    }

    /// Moves the attempts of another worker into these.
    pub fn absorb(&mut self, others: &mut Sides) {
        for ((branch, outcome), more) in std::mem::take(&mut others.attempts) {
            let attempts = self.entry(branch, outcome);
            attempts.infeasible += more.infeasible;
            attempts.unknown += more.unknown;
            attempts.lost += more.lost;
            attempts.pending += more.pending;
            more.pruned.into_iter().for_each(|(name, count)| *attempts.pruned.entry(name).or_default() += count);
        }
    }

    /// The attempts at this side, if there were any.
    pub fn get(&self, branch: BranchId, outcome: u32) -> Option<&Attempts> {
        self.attempts.get(&(branch, outcome))
    }
}
