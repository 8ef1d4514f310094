//! The blocks and branch outcomes that were executed on any path of any machine of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use secateur_program::{BlockId, BranchId, FuncId, Program};

/// A growing set of blocks and branch outcomes, and what one machine has added to it.
#[derive(Debug)]
pub struct CoverageMap {
    all: Arc<Covered>,
    /// How many branch outcomes and blocks of the user's code this machine was the first to execute.
    newly_covered: u64,
    /// The entries that this machine was the first to add, since they were last taken, if anybody takes them.
    log: Option<Vec<u32>>,
}

/// What all machines share. Entries are only ever added, so the order between them does not matter.
#[derive(Debug)]
struct Covered {
    outcomes: Vec<AtomicBool>,
    first_outcome: Vec<u32>,
    blocks: Vec<AtomicBool>,
    first_block: Vec<u32>,
    /// The sum over all machines.
    newly_covered: AtomicU64,
}

impl CoverageMap {
    /// An empty map.
    pub fn new(program: &Program) -> CoverageMap {
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
        let none = |count: u32| (0..count).map(|_| AtomicBool::new(false)).collect();
        CoverageMap {
            all: Arc::new(Covered {
                outcomes: none(outcomes),
                first_outcome,
                blocks: none(blocks),
                first_block,
                newly_covered: AtomicU64::new(0),
            }),
            newly_covered: 0,
            log: None,
        }
    }

    /// The same set, for another machine that has added nothing yet.
    pub fn share(&self) -> CoverageMap {
        CoverageMap { all: Arc::clone(&self.all), newly_covered: 0, log: self.log.as_ref().map(|_| Vec::new()) }
    }

    /// The set as it is now, for a machine whose paths do not count.
    pub fn copy(&self) -> CoverageMap {
        let copy = |entries: &[AtomicBool]| {
            entries.iter().map(|entry| AtomicBool::new(entry.load(Ordering::Relaxed))).collect()
        };
        CoverageMap {
            all: Arc::new(Covered {
                outcomes: copy(&self.all.outcomes),
                first_outcome: self.all.first_outcome.clone(),
                blocks: copy(&self.all.blocks),
                first_block: self.all.first_block.clone(),
                newly_covered: AtomicU64::new(0),
            }),
            newly_covered: 0,
            log: None,
        }
    }

    /// Keeps what this machine adds from now on, for [`CoverageMap::take_log`].
    pub fn keep_log(&mut self) {
        self.log.get_or_insert_default();
    }

    /// The entries that this machine was the first to add since the last call: branch outcomes first, then blocks, in
    /// the order of the program.
    pub fn take_log(&mut self) -> Vec<u32> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Adds an entry of another run's log; returns false if it was there or is none of this program. It does not count
    /// as newly covered.
    pub fn restore(&self, entry: u32) -> bool {
        let outcomes = &self.all.outcomes;
        let entry = entry as usize;
        let entry = outcomes.get(entry).or_else(|| self.all.blocks.get(entry.checked_sub(outcomes.len())?));
        entry.is_some_and(|entry| !entry.swap(true, Ordering::Relaxed))
    }

    /// Records that a branch took this outcome.
    #[inline]
    pub fn take(&mut self, branch: BranchId, outcome: u32, user: bool) {
        if !self.taken(branch, outcome) {
            let all = Arc::clone(&self.all);
            self.add(&all.outcomes, 0, all.outcome(branch, outcome), user);
        }
    }

    /// Records that a block was entered.
    #[inline]
    pub fn enter(&mut self, function: FuncId, block: BlockId, user: bool) {
        if !self.entered(function, block) {
            let all = Arc::clone(&self.all);
            self.add(&all.blocks, all.outcomes.len(), all.block(function, block), user);
        }
    }

    /// Of several machines that add the same entry, only one counts it.
    #[cold]
    fn add(&mut self, entries: &[AtomicBool], first: usize, index: usize, user: bool) {
        if entries[index].swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(log) = &mut self.log {
            log.push((first + index) as u32);
        }
        if user {
            self.newly_covered += 1;
            self.all.newly_covered.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many entries of the user's code this machine was the first to add. A path that raises it is worth a test.
    pub fn newly_covered(&self) -> u64 {
        self.newly_covered
    }

    /// The sum of [`CoverageMap::newly_covered`] over all machines. While it does not change, neither does the coverage
    /// of the user's code.
    pub fn total_newly_covered(&self) -> u64 {
        self.all.newly_covered.load(Ordering::Relaxed)
    }

    /// Whether a branch has taken this outcome.
    #[inline]
    pub fn taken(&self, branch: BranchId, outcome: u32) -> bool {
        self.all.outcomes[self.all.outcome(branch, outcome)].load(Ordering::Relaxed)
    }

    /// Whether a block has been entered.
    #[inline]
    pub fn entered(&self, function: FuncId, block: BlockId) -> bool {
        self.all.blocks[self.all.block(function, block)].load(Ordering::Relaxed)
    }

    /// The number of covered branch outcomes of the user's code, and of all of them.
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

impl Covered {
    #[inline]
    fn outcome(&self, branch: BranchId, outcome: u32) -> usize {
        (self.first_outcome[branch.index()] + outcome) as usize
    }

    #[inline]
    fn block(&self, function: FuncId, block: BlockId) -> usize {
        (self.first_block[function.index()] + block.0) as usize
    }
}
