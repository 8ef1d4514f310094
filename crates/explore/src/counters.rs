//! The counters of a run.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

use secateur_machine::GivenUp;
use secateur_program::LocId;
use serde::{Deserialize, Serialize};

use crate::frontier::Pruned;

/// How many internal errors are kept. One is enough to report a bug; this only bounds memory.
const MAX_FAULTS: usize = 16;

/// Counters of a run or of one worker.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Paths that ended in an exit of the program or in a bug.
    pub completed: u64,
    /// How many of these ended in a bug.
    pub bugs: u64,
    /// Paths that ended at an assumption of the harness.
    pub assumed: u64,
    /// Paths that ended where a disabled check fails.
    pub ignored: u64,
    /// Sides that were skipped because a disabled check fails there, whether feasible or not.
    pub ignored_sides: u64,
    /// Paths that ended at something unsupported.
    pub unsupported: u64,
    /// Paths that hit a limit on single paths.
    pub limited: u64,
    /// Paths that ended because everything that could follow is accounted for.
    pub subsumed: u64,
    /// The subtrees that were proved to have no bug, whatever they cover.
    pub proved: u64,
    /// Flips that no input takes.
    pub infeasible: u64,
    /// Alternatives that the conditions of the path itself refute, so that they never became flips.
    pub refuted: u64,
    /// Flips for which the solver gave no answer.
    pub unknown: u64,
    /// Flips whose state was rebuilt from the start because their snapshot was dropped or another worker had found
    /// them.
    pub replayed: u64,
    /// Flips whose decision was not reached again. This is an internal error.
    pub lost: u64,
    /// The first of the other internal errors: panics on a path or in a question, and paths that differ when they run
    /// again.
    pub faults: Vec<String>,
    /// Inputs that no flip was solved for and that became paths, by where they come from.
    #[serde(with = "crate::names::keys")]
    pub inputs_followed: BTreeMap<&'static str, u64>,
    /// Pending flips.
    pub pending: u64,
    /// Paths that were stopped before their end.
    pub stopped: u64,
    /// Flips that were pending and paths that were running when a limit was hit, before the grace period.
    pub left: u64,
    /// Pending flips that have a snapshot.
    pub snapshots: u64,
    /// The most decisions of a path.
    pub deepest: u64,
    /// What paths gave up and where, with the number of paths that did.
    pub given_up: BTreeMap<(GivenUp, LocId), u64>,
    /// Pruned flips, by pruner.
    #[serde(with = "crate::names::keys")]
    pub pruned: BTreeMap<&'static str, u64>,
    /// How many of them the selection dropped.
    pub dropped: u64,
    /// Some of them might have added coverage or a bug.
    pub losses: bool,
    /// Subtrees that were left out without loss, and were explored at the end to check that.
    pub cuts_checked: u64,
    /// Subtrees that should have been, but were too many, or a limit was hit before.
    pub cuts_left: u64,
    /// The time spent in the solver.
    pub solver_time: Duration,
    /// The peak numbers of nodes of the workers' path trees, added up.
    pub tree_nodes: u64,
}

impl Counters {
    /// Whether every path was explored, or shown to add nothing.
    pub fn is_complete(&self) -> bool {
        let left_out = self.unsupported + self.ignored + self.ignored_sides + self.limited + self.unknown + self.lost;
        left_out + self.pending + self.stopped == 0
            && self.given_up.is_empty()
            && self.faults.is_empty()
            && !self.losses
    }

    /// Records an internal error.
    pub(crate) fn add_fault(&mut self, what: String) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(what);
        }
    }

    /// Records a pruned flip.
    pub(crate) fn count_pruned(&mut self, pruned: Pruned) {
        *self.pruned.entry(pruned.by).or_default() += 1;
        self.losses |= !pruned.lossless;
    }

    /// Records flips that the selection dropped.
    pub(crate) fn count_dropped(&mut self, pruned: Pruned, flips: u64) {
        self.dropped += flips;
        *self.pruned.entry(pruned.by).or_default() += flips;
        self.losses |= flips > 0 && !pruned.lossless;
    }

    /// What was counted since `earlier`, which these counters have grown from. Where only the most is kept, it is all
    /// of it; what is a state rather than a count, such as what is pending, is left out.
    pub fn since(&self, earlier: &Counters) -> Counters {
        let less = |now: u64, before: u64| now.saturating_sub(before);
        let named = |now: &BTreeMap<&'static str, u64>, before: &BTreeMap<&'static str, u64>| {
            let counts = now.iter().map(|(name, count)| (*name, less(*count, before.get(name).copied().unwrap_or(0))));
            counts.filter(|(_, count)| *count > 0).collect()
        };
        let given_up = self.given_up.iter().map(|(what, paths)| {
            let before = earlier.given_up.get(what).copied().unwrap_or(0);
            (*what, less(*paths, before))
        });
        Counters {
            completed: less(self.completed, earlier.completed),
            bugs: less(self.bugs, earlier.bugs),
            assumed: less(self.assumed, earlier.assumed),
            ignored: less(self.ignored, earlier.ignored),
            ignored_sides: less(self.ignored_sides, earlier.ignored_sides),
            unsupported: less(self.unsupported, earlier.unsupported),
            limited: less(self.limited, earlier.limited),
            subsumed: less(self.subsumed, earlier.subsumed),
            proved: less(self.proved, earlier.proved),
            infeasible: less(self.infeasible, earlier.infeasible),
            refuted: less(self.refuted, earlier.refuted),
            unknown: less(self.unknown, earlier.unknown),
            replayed: less(self.replayed, earlier.replayed),
            lost: less(self.lost, earlier.lost),
            faults: self.faults.get(earlier.faults.len()..).unwrap_or_default().to_vec(),
            inputs_followed: named(&self.inputs_followed, &earlier.inputs_followed),
            pending: 0,
            stopped: 0,
            left: 0,
            snapshots: 0,
            deepest: self.deepest,
            given_up: given_up.filter(|(_, paths)| *paths > 0).collect(),
            pruned: named(&self.pruned, &earlier.pruned),
            dropped: less(self.dropped, earlier.dropped),
            losses: self.losses,
            cuts_checked: less(self.cuts_checked, earlier.cuts_checked),
            cuts_left: less(self.cuts_left, earlier.cuts_left),
            solver_time: self.solver_time.saturating_sub(earlier.solver_time),
            tree_nodes: less(self.tree_nodes, earlier.tree_nodes),
        }
    }

    /// The number of paths that ended.
    pub fn paths(&self) -> u64 {
        self.completed + self.assumed + self.ignored + self.unsupported + self.limited
    }
}

impl AddAssign<&Counters> for Counters {
    /// Adds the counters of another worker.
    fn add_assign(&mut self, other: &Counters) {
        self.completed += other.completed;
        self.bugs += other.bugs;
        self.assumed += other.assumed;
        self.ignored += other.ignored;
        self.ignored_sides += other.ignored_sides;
        self.unsupported += other.unsupported;
        self.limited += other.limited;
        self.subsumed += other.subsumed;
        self.proved += other.proved;
        self.infeasible += other.infeasible;
        self.refuted += other.refuted;
        self.unknown += other.unknown;
        self.replayed += other.replayed;
        self.lost += other.lost;
        other.faults.iter().for_each(|fault| self.add_fault(fault.clone()));
        for (from, count) in &other.inputs_followed {
            *self.inputs_followed.entry(from).or_default() += count;
        }
        self.pending += other.pending;
        self.stopped += other.stopped;
        self.left += other.left;
        self.snapshots += other.snapshots;
        self.deepest = self.deepest.max(other.deepest);
        for (what, paths) in &other.given_up {
            *self.given_up.entry(*what).or_default() += paths;
        }
        self.dropped += other.dropped;
        self.losses |= other.losses;
        self.cuts_checked += other.cuts_checked;
        self.cuts_left += other.cuts_left;
        self.solver_time += other.solver_time;
        self.tree_nodes += other.tree_nodes;
        for (name, count) in &other.pruned {
            *self.pruned.entry(name).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was counted in parts adds up to all of it.
    #[test]
    fn counts_are_taken_apart_and_added_up() {
        let earlier = Counters {
            completed: 3,
            infeasible: 2,
            deepest: 7,
            pruned: [("lookahead", 2)].into(),
            faults: vec!["first".to_string()],
            given_up: [((GivenUp::Value, LocId(1)), 1)].into(),
            ..Counters::default()
        };
        let mut now = earlier.clone();
        let since = Counters {
            completed: 5,
            unknown: 1,
            deepest: 9,
            pruned: [("lookahead", 1), ("interpolation", 4)].into(),
            faults: vec!["second".to_string()],
            given_up: [((GivenUp::Value, LocId(1)), 2), ((GivenUp::Value, LocId(4)), 1)].into(),
            solver_time: Duration::from_secs(1),
            ..Counters::default()
        };
        now += &since;
        assert_eq!(format!("{:?}", now.since(&earlier)), format!("{since:?}"));
        assert!(now.since(&now).completed == 0 && now.since(&now).faults.is_empty());
    }

    /// Whatever leaves something out counts, a path that waited and was not found again included.
    #[test]
    fn nothing_that_is_left_out_is_complete() {
        assert!(Counters { completed: 3, subsumed: 2, infeasible: 1, ..Counters::default() }.is_complete());
        let left_out = [
            Counters { unsupported: 1, ..Counters::default() },
            Counters { ignored: 1, ..Counters::default() },
            Counters { ignored_sides: 1, ..Counters::default() },
            Counters { limited: 1, ..Counters::default() },
            Counters { unknown: 1, ..Counters::default() },
            Counters { lost: 1, ..Counters::default() },
            Counters { pending: 1, ..Counters::default() },
            Counters { stopped: 1, ..Counters::default() },
            Counters { losses: true, ..Counters::default() },
            Counters { faults: vec!["a path panicked".to_string()], ..Counters::default() },
            Counters { given_up: [((GivenUp::Value, LocId(1)), 1)].into(), ..Counters::default() },
        ];
        assert!(left_out.iter().all(|counters| !counters.is_complete()));
    }
}
