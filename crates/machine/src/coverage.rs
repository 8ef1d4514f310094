//! Which blocks and branch outcomes of the program have been executed, over all paths.

use secateur_program::{BlockId, BranchId, FuncId, Program};

/// A growing set of blocks and branch outcomes.
#[derive(Clone, Debug)]
pub struct Coverage {
    outcomes: Vec<bool>,
    first_outcome: Vec<u32>,
    blocks: Vec<bool>,
    first_block: Vec<u32>,
    /// How many branch outcomes and blocks of the user's code were new.
    news: u64,
}

impl Coverage {
    /// Nothing is covered.
    pub fn new(program: &Program) -> Coverage {
        let mut outcomes = 0;
        let first_outcome = program
            .branches
            .iter()
            .map(|branch| {
                outcomes += branch.outcomes;
                outcomes - branch.outcomes
            })
            .collect();
        let mut blocks = 0;
        let first_block = program
            .functions
            .iter()
            .map(|function| {
                let count = function.body.as_ref().map_or(0, |body| body.blocks.len() as u32);
                blocks += count;
                blocks - count
            })
            .collect();
        Coverage {
            outcomes: vec![false; outcomes as usize],
            first_outcome,
            blocks: vec![false; blocks as usize],
            first_block,
            news: 0,
        }
    }

    /// A branch was taken.
    #[inline]
    pub fn take(&mut self, branch: BranchId, outcome: u32, user: bool) {
        let seen = &mut self.outcomes[(self.first_outcome[branch.index()] + outcome) as usize];
        self.news += u64::from(!*seen & user);
        *seen = true;
    }

    /// A block was entered.
    #[inline]
    pub fn enter(&mut self, function: FuncId, block: BlockId, user: bool) {
        let seen = &mut self.blocks[(self.first_block[function.index()] + block.0) as usize];
        self.news += u64::from(!*seen & user);
        *seen = true;
    }

    /// Counts what was new in the user's code; a path that raised it is worth a test.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// A branch has taken this outcome.
    pub fn taken(&self, branch: BranchId, outcome: u32) -> bool {
        self.outcomes[(self.first_outcome[branch.index()] + outcome) as usize]
    }

    /// A block has been entered.
    pub fn entered(&self, function: FuncId, block: BlockId) -> bool {
        self.blocks[(self.first_block[function.index()] + block.0) as usize]
    }

    /// Covered and all branch outcomes of the user's code.
    pub fn user_outcomes(&self, program: &Program) -> (u64, u64) {
        let mut counts = (0, 0);
        for (index, branch) in program.branches.iter().enumerate() {
            if branch.native.is_some() {
                counts.1 += u64::from(branch.outcomes);
                counts.0 +=
                    (0..branch.outcomes).filter(|outcome| self.taken(BranchId(index as u32), *outcome)).count() as u64;
            }
        }
        counts
    }
}
