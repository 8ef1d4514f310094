//! Switches interpolation off while it costs more than it saves.
//!
//! Many programs have few states that come to the same point, and then all the work on interpolants is for nothing. So
//! that work is counted, in the unit of an executed instruction: it may be a share of what the exploration itself
//! takes, and whatever it has saved. Counts, unlike times, are the same in every run.

use crate::tuning::Tuning;

/// What was spent and saved so far.
pub(crate) struct Credit {
    spent: u64,
    saved: u64,
    paths: u64,
    tuning: Tuning,
}

impl Credit {
    pub(crate) fn new(tuning: &Tuning) -> Credit {
        Credit { spent: 0, saved: 0, paths: 0, tuning: tuning.clone() }
    }

    /// Whether more may be spent. `explored` and `on_holes` are the instructions that were executed on real states and
    /// on holes.
    pub(crate) fn is_left(&self, explored: u64, on_holes: u64) -> bool {
        self.left(explored, on_holes) > 0
    }

    /// How much more may be spent.
    pub(crate) fn left(&self, explored: u64, on_holes: u64) -> u64 {
        let Tuning { free_work, work_share, .. } = self.tuning;
        let earned = (self.exploration(explored) / 100 * work_share).saturating_add(free_work);
        earned.saturating_add(self.saved).saturating_sub(self.spent(on_holes))
    }

    /// What the exploration and all work on interpolants took so far.
    pub(crate) fn total(&self, explored: u64, on_holes: u64) -> u64 {
        self.exploration(explored).saturating_add(self.spent(on_holes))
    }

    fn exploration(&self, explored: u64) -> u64 {
        explored + self.paths * self.tuning.path_work
    }

    fn spent(&self, on_holes: u64) -> u64 {
        self.spent.saturating_add(on_holes * self.tuning.hole_instruction_work)
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
        self.spent += self.tuning.node_work;
    }

    /// A state was compared with interpolants.
    pub(crate) fn comparisons(&mut self, count: usize, clauses: usize) {
        self.spent += count as u64 * self.tuning.comparison_work + clauses as u64 * self.tuning.clause_work;
    }

    /// The solver was asked.
    pub(crate) fn questions(&mut self, count: u64) {
        self.spent += count * self.tuning.question_work;
    }

    /// Clauses were carried over a segment.
    pub(crate) fn carried(&mut self, clauses: usize) {
        self.spent += self.tuning.work_of_clauses(clauses);
    }

    /// A path was subsumed by a node below which there are this many.
    pub(crate) fn subsumed(&mut self, paths: u64, explored: u64) {
        let each = explored / self.paths.max(1) + self.tuning.path_work;
        self.saved = self.saved.saturating_add(paths.saturating_mul(each));
    }
}
