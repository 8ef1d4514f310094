//! The results of attempts to take each side of each branch that no path took.

use crate::code_map::CodeMap;
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

impl Attempts {
    fn add(&mut self, more: &Attempts) {
        self.infeasible += more.infeasible;
        self.unknown += more.unknown;
        self.lost += more.lost;
        self.pending += more.pending;
        more.pruned.iter().for_each(|(name, count)| *self.pruned.entry(name).or_default() += count);
    }
}

impl Sides {
    /// The attempts at this side, for adding to them.
    pub fn entry(&mut self, branch: BranchId, outcome: u32) -> &mut Attempts {
        self.attempts.entry((branch, outcome)).or_default()
    }

    /// Moves the attempts of another worker into these.
    pub fn absorb(&mut self, others: &mut Sides) {
        for ((branch, outcome), more) in std::mem::take(&mut others.attempts) {
            self.entry(branch, outcome).add(&more);
        }
    }

    /// The same with the attempts at copies as those at the branch in the source.
    pub fn by_source(&self, map: &CodeMap) -> Sides {
        let mut sides = self.clone();
        for branch in map.branches.iter().filter(|branch| branch.copy_of.is_some()) {
            for outcome in 0..branch.outcomes {
                if let Some(attempts) = self.get(BranchId(branch.id), outcome) {
                    let (source, outcome) = branch.in_source(outcome);
                    sides.entry(source, outcome).add(attempts);
                }
            }
        }
        sides
    }

    /// The attempts at this side, if there were any.
    pub fn get(&self, branch: BranchId, outcome: u32) -> Option<&Attempts> {
        self.attempts.get(&(branch, outcome))
    }
}
