//! Branches as people count them: by where they are in the source.

use serde::{Deserialize, Serialize};

use super::{BranchId, Program};

/// Which branch of the source a branch is. The compiler copies a branch into every function that it inlines it into,
/// and each file that includes a header has its own copy of what the header defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceBranch {
    /// The first of all copies, which stands for them.
    pub first: BranchId,
    /// The compiler has swapped the outcomes of this copy, compared with the first.
    pub inverted: bool,
}

impl SourceBranch {
    /// The outcome of the first copy that an outcome of this one corresponds to.
    pub fn outcome(self, outcome: u32) -> u32 {
        if self.inverted { 1 - outcome.min(1) } else { outcome }
    }
}

impl Program {
    /// The branch of the source that a branch is a copy of.
    pub fn source_of(&self, branch: BranchId) -> SourceBranch {
        let known = self.source_branches.get(branch.index());
        known.copied().unwrap_or(SourceBranch { first: branch, inverted: false })
    }

    /// How many outcomes of the user's branches were taken, as the source has them, and how many there are, given which
    /// outcomes of the copies were taken.
    pub fn source_outcomes(&self, taken: impl Fn(BranchId, u32) -> bool) -> (u64, u64) {
        // Where the outcomes of each branch begin in `seen`.
        let mut starts = Vec::with_capacity(self.branches.len());
        let mut end = 0;
        for branch in &self.branches {
            starts.push(end);
            end += branch.outcomes as usize;
        }
        let mut seen = vec![false; end];
        let (mut covered, mut all) = (0, 0);
        for (index, branch) in self.branches.iter().enumerate().filter(|(_, branch)| branch.native.is_some()) {
            let id = BranchId(index as u32);
            let source = self.source_of(id);
            if source.first == id {
                all += u64::from(branch.outcomes);
            }
            for outcome in (0..branch.outcomes).filter(|outcome| taken(id, *outcome)) {
                let seen = &mut seen[starts[source.first.index()] + source.outcome(outcome) as usize];
                covered += u64::from(!*seen);
                *seen = true;
            }
        }
        (covered, all)
    }
}
