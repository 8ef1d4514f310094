//! Switches interpolation off while it costs more than it saves.
//!
//! Many programs have few states that come to the same point, and then all the work on interpolants is for nothing. So
//! that work is counted, in the unit of an executed instruction: it may be a share of what the exploration itself takes,
//! and whatever it has saved. Counts, unlike times, are the same in every run.

use crate::tuning::Tuning;

/// What each piece of work costs, measured on the programs of `bench`.
const INSTRUCTION_ON_HOLES: u64 = 10;
pub(crate) const NODE: u64 = 30;
const COMPARISON: u64 = 20;
pub(crate) const CLAUSE: u64 = 4;
pub(crate) const QUESTION: u64 = 1_500;
/// What the exploration of a path takes beside its instructions.
const PATH: u64 = 300;

/// What was spent and saved so far.
pub(crate) struct Credit {
    spent: u64,
    saved: u64,
    paths: u64,
    free: u64,
    share: u64,
}

impl Credit {
    pub(crate) fn new(tuning: &Tuning) -> Credit {
        Credit { spent: 0, saved: 0, paths: 0, free: tuning.free_work, share: tuning.work_share }
    }

    /// Whether more may be spent. `explored` and `on_holes` are the instructions that were executed on real states and
    /// on holes.
    pub(crate) fn is_left(&self, explored: u64, on_holes: u64) -> bool {
        self.left(explored, on_holes) > 0
    }

    /// How much more may be spent.
    pub(crate) fn left(&self, explored: u64, on_holes: u64) -> u64 {
        let exploration = explored + self.paths * PATH;
        let spent = self.spent.saturating_add(on_holes * INSTRUCTION_ON_HOLES);
        let earned = (exploration / 100 * self.share).saturating_add(self.free).saturating_add(self.saved);
        earned.saturating_sub(spent)
    }

    /// What the exploration and all work on interpolants took so far.
    pub(crate) fn total(&self, explored: u64, on_holes: u64) -> u64 {
        (explored + self.paths * PATH).saturating_add(self.spent).saturating_add(on_holes * INSTRUCTION_ON_HOLES)
    }

    /// Work was done.
    pub(crate) fn spend(&mut self, work: u64) {
        self.spent = self.spent.saturating_add(work);
    }

    /// A path has ended.
    pub(crate) fn path(&mut self) {
        self.paths += 1;
    }

    /// A node was recorded.
    pub(crate) fn node(&mut self) {
        self.spent += NODE;
    }

    /// A state was compared with interpolants.
    pub(crate) fn comparisons(&mut self, count: usize, clauses: usize) {
        self.spent += count as u64 * COMPARISON + clauses as u64 * CLAUSE;
    }

    /// The solver was asked.
    pub(crate) fn questions(&mut self, count: u64) {
        self.spent += count * QUESTION;
    }

    /// Clauses were carried over a segment.
    pub(crate) fn carried(&mut self, clauses: usize) {
        self.spent += NODE + clauses as u64 * CLAUSE;
    }

    /// A path was subsumed by a node below which there are this many.
    pub(crate) fn subsumed(&mut self, paths: u64, explored: u64) {
        let each = explored / self.paths.max(1) + PATH;
        self.saved = self.saved.saturating_add(paths.saturating_mul(each));
    }
}
