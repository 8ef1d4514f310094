//! What happened in a run, in numbers.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

use secateur_machine::GivenUp;
use secateur_program::LocId;

use crate::frontier::Pruned;

/// How many of our own faults are told.
const MOST_FAULTS: usize = 16;

/// What happened so far.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Paths that ended by the program's own means or in a bug.
    pub completed: u64,
    /// Of these, paths that ended in a bug.
    pub bugs: u64,
    /// Paths cut off by an assumption of the harness.
    pub assumed: u64,
    /// Paths that ended where a check fails that is switched off.
    pub ignored: u64,
    /// Sides that were left out because a check that is switched off fails there, be it possible or not.
    pub ignored_sides: u64,
    /// Paths that ended at something that cannot be modelled.
    pub unsupported: u64,
    /// Paths that hit a limit for single paths.
    pub limited: u64,
    /// Paths that ended because everything that could follow is accounted for.
    pub subsumed: u64,
    /// Flips that no input can take.
    pub infeasible: u64,
    /// Alternatives of which the path itself knew that no input can take them, so that they never became flips.
    pub refuted: u64,
    /// Flips for which the solver gave no answer.
    pub unknown: u64,
    /// Flips that had to be run from the start because their snapshot was dropped, or because another worker had found them.
    pub replayed: u64,
    /// Flips whose place was not found again; this is our own fault.
    pub lost: u64,
    /// What else went wrong by our own fault: paths and questions that ended in a panic, and paths that were another one when they ran again. The first of them.
    pub faults: Vec<String>,
    /// Flips that are pending.
    pub pending: u64,
    /// Paths that were stopped half-way.
    pub stopped: u64,
    /// Flips that were pending and paths that were under way when a limit was hit, before use was made of what was pending.
    pub left: u64,
    /// Snapshots among them.
    pub snapshots: u64,
    /// The longest path, in decisions.
    pub deepest: u64,
    /// What paths gave up and where, and how many paths did.
    pub given_up: BTreeMap<(GivenUp, LocId), u64>,
    /// Flips that were not tried, by the pruner that took them out.
    pub pruned: BTreeMap<&'static str, u64>,
    /// Some of them might have added coverage or a bug.
    pub losses: bool,
    /// How long the solver took.
    pub solver_time: Duration,
    /// The most nodes that the path trees of the workers have had.
    pub tree_nodes: u64,
}

impl Counters {
    /// Nothing was given up: when nothing is pending either, every path is known, or known to add nothing.
    pub fn is_complete(&self) -> bool {
        self.unsupported + self.ignored + self.ignored_sides + self.limited + self.unknown + self.lost + self.pending
            == 0
            && self.given_up.is_empty()
            && self.faults.is_empty()
            && !self.losses
    }

    /// Something went wrong by our own fault.
    pub(crate) fn add_fault(&mut self, what: String) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(what);
        }
    }

    /// A pruner took out a flip.
    pub(crate) fn count_pruned(&mut self, pruned: Pruned) {
        *self.pruned.entry(pruned.by).or_default() += 1;
        self.losses |= !pruned.lossless;
    }

    /// All paths that ended.
    pub fn paths(&self) -> u64 {
        self.completed + self.assumed + self.ignored + self.unsupported + self.limited
    }
}

impl AddAssign<&Counters> for Counters {
    /// What several workers did together.
    fn add_assign(&mut self, other: &Counters) {
        self.completed += other.completed;
        self.bugs += other.bugs;
        self.assumed += other.assumed;
        self.ignored += other.ignored;
        self.ignored_sides += other.ignored_sides;
        self.unsupported += other.unsupported;
        self.limited += other.limited;
        self.subsumed += other.subsumed;
        self.infeasible += other.infeasible;
        self.refuted += other.refuted;
        self.unknown += other.unknown;
        self.replayed += other.replayed;
        self.lost += other.lost;
        other.faults.iter().for_each(|fault| self.add_fault(fault.clone()));
        self.pending += other.pending;
        self.stopped += other.stopped;
        self.left += other.left;
        self.snapshots += other.snapshots;
        self.deepest = self.deepest.max(other.deepest);
        for (what, paths) in &other.given_up {
            *self.given_up.entry(*what).or_default() += paths;
        }
        self.losses |= other.losses;
        self.solver_time += other.solver_time;
        self.tree_nodes += other.tree_nodes;
        for (name, count) in &other.pruned {
            *self.pruned.entry(name).or_default() += count;
        }
    }
}
