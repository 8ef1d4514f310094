//! Switches interpolation off while it costs more than it saves.
//!
//! Many programs have few states that come to the same point, and then all the work on interpolants is for nothing. So
//! that work is counted, in the unit of an executed instruction: it may be a share of what the exploration itself
//! takes, and whatever it has saved. Counts, unlike times, are the same in every run.
//!
//! Once that is spent, it pauses until as much is there as makes another attempt worthwhile: a node has an interpolant
//! only if everything below it was recorded. Each attempt that saves little makes the next pause twice as long.

use secateur_machine::Machine;
use secateur_solver::{Rung, Solver};

use crate::tuning::Tuning;

/// What was spent and saved so far.
pub(crate) struct Credit {
    /// What machine and solver did for interpolation, and for proofs.
    metered: u64,
    spent: u64,
    saved: u64,
    paths: u64,
    /// Some path has ended, and was not subsumed.
    has_ended: bool,
    /// What the exploration took until then. The first path starts at the beginning of the program, the others do not.
    first: u64,
    is_on: bool,
    /// How much must be left to go on after a pause.
    pause: u64,
    /// What was spent and saved when the present attempt began.
    began: (u64, u64),
    tuning: Tuning,
}

/// What machine and solver have done so far.
pub(crate) fn meter(machine: &Machine, solver: &Solver, tuning: &Tuning) -> u64 {
    let statistics = solver.statistics();
    machine.instructions
        + machine.expressions().saturating_mul(tuning.expression_work)
        + (statistics.evaluated + statistics.visited).saturating_mul(tuning.evaluation_work)
        + statistics.rung(Rung::Cases).asked.saturating_mul(tuning.hard_question_work)
        + statistics.rung(Rung::Sums).asked.saturating_mul(tuning.sums_work)
        + statistics.queries.saturating_mul(tuning.question_work)
        + statistics.backend_effort.saturating_mul(tuning.effort_work)
        + statistics.backend_calls.saturating_mul(tuning.smt_work)
}

impl Credit {
    pub(crate) fn new(tuning: &Tuning) -> Credit {
        Credit {
            metered: 0,
            spent: 0,
            saved: 0,
            paths: 0,
            has_ended: false,
            first: 0,
            is_on: true,
            pause: tuning.free_work,
            began: (0, 0),
            tuning: tuning.clone(),
        }
    }

    /// Whether interpolation is at work.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Switches it on or off, given what machine and solver have done so far.
    pub(crate) fn decide(&mut self, meter: u64) -> bool {
        let left = self.left(meter);
        if self.is_on && left == 0 {
            self.is_on = false;
            let (spent, saved) = self.began;
            if self.saved - saved < (self.spent - spent) / 2 {
                self.pause = self.pause.saturating_mul(2);
            }
        } else if !self.is_on && left >= self.pause {
            self.is_on = true;
            self.began = (self.spent, self.saved);
        }
        self.is_on
    }

    /// How much more may be spent.
    pub(crate) fn left(&self, meter: u64) -> u64 {
        let Tuning { free_work, endless_work, work_share, .. } = self.tuning;
        let free = if self.has_ended { free_work } else { free_work.max(endless_work) };
        let earned = (self.exploration(meter) / 100 * work_share).saturating_add(free);
        earned.saturating_add(self.saved).saturating_sub(self.spent)
    }

    /// What the exploration and all work on interpolants took so far, without proofs.
    pub(crate) fn total(&self, meter: u64) -> u64 {
        self.exploration(meter).saturating_add(self.spent)
    }

    fn exploration(&self, meter: u64) -> u64 {
        meter.saturating_sub(self.metered) + self.paths * self.tuning.path_work
    }

    /// Whether no path has ended yet.
    pub(crate) fn is_endless(&self) -> bool {
        !self.has_ended
    }

    /// Work was done that no meter shows.
    pub(crate) fn spend(&mut self, work: u64) {
        self.spent = self.spent.saturating_add(work);
    }

    /// Machine and solver have worked for interpolation.
    pub(crate) fn worked(&mut self, work: u64) {
        self.metered = self.metered.saturating_add(work);
        self.spend(work);
    }

    /// Machine and solver have worked for a proof, which has a budget of its own.
    pub(crate) fn proved(&mut self, work: u64) {
        self.metered = self.metered.saturating_add(work);
    }

    /// A path was pruned.
    pub(crate) fn path(&mut self) {
        self.paths += 1;
    }

    /// A path has come to its end.
    pub(crate) fn end(&mut self, meter: u64) {
        self.paths += 1;
        if !self.has_ended {
            self.has_ended = true;
            self.first = self.exploration(meter);
        }
    }

    /// A node was recorded.
    pub(crate) fn node(&mut self) {
        self.spent += self.tuning.node_work;
    }

    /// A state was compared with interpolants.
    pub(crate) fn comparisons(&mut self, count: usize, clauses: usize) {
        self.spent += count as u64 * self.tuning.comparison_work + clauses as u64 * self.tuning.clause_work;
    }

    /// Clauses were carried over a segment.
    pub(crate) fn carried(&mut self, clauses: usize) {
        self.spent += self.tuning.work_of_clauses(clauses);
    }

    /// A path was subsumed by a node below which there are this many.
    pub(crate) fn subsumed(&mut self, paths: u64, meter: u64) {
        let others = self.paths.saturating_sub(1).max(1);
        let each = (self.exploration(meter).saturating_sub(self.first) / others).max(self.tuning.path_work);
        self.saved = self.saved.saturating_add(paths.saturating_mul(each));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning() -> Tuning {
        Tuning { free_work: 1_000, endless_work: 5_000, work_share: 50, path_work: 0, ..Tuning::default() }
    }

    #[test]
    fn pauses_that_save_nothing_become_longer() {
        let mut credit = Credit::new(&tuning());
        credit.end(0);
        assert!(credit.decide(0));
        credit.spend(1_000);
        assert!(!credit.decide(0));
        assert!(!credit.decide(3_998), "half of it is not two thousand");
        assert!(credit.decide(4_000));
        credit.spend(2_000);
        assert!(!credit.decide(4_000));
        assert!(!credit.decide(11_998));
        assert!(credit.decide(12_000));
    }

    #[test]
    fn what_is_saved_may_be_spent() {
        let mut credit = Credit::new(&tuning());
        credit.end(10_000);
        credit.path();
        credit.path();
        credit.spend(900);
        credit.subsumed(3, 12_000);
        assert_eq!(credit.left(12_000), 1_000 + 6_000 + 3 * 1_000 - 900);
    }

    #[test]
    fn more_is_free_while_no_path_has_ended() {
        let mut credit = Credit::new(&tuning());
        credit.worked(1_500);
        assert!(credit.decide(1_500));
        assert!(credit.is_endless());
        credit.end(1_500);
        assert!(!credit.decide(1_500));
    }
}
