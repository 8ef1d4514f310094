//! Statistics of a solver: how many questions there were, which rungs answered them, and how long that took.

use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::rungs::Rung;

/// Counts over the life of a [`Solver`](crate::Solver). Those of several solvers can be added up.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Questions asked.
    pub queries: u64,
    /// Questions answered with `Sat`.
    pub sat: u64,
    /// Questions answered with `Unsat`.
    pub unsat: u64,
    /// Questions answered with `Unknown`.
    pub unknown: u64,
    /// Time inside the SMT library, translation included.
    pub backend_time: Duration,
    /// Calls of the SMT library; a question can need several.
    pub backend_calls: u64,
    /// How many subexpressions the rung `layers` has computed.
    pub evaluated: u64,
    /// How many terms and values the rung `sums` has visited.
    pub visited: u64,
    /// The effort that they took, as far as it is known.
    pub backend_effort: u64,
    /// Models that did not hold although the rung that found them was certain. Each is a bug of this crate; the next
    /// rung was asked.
    pub wrong_models: u64,
    rungs: [RungStatistics; Rung::ALL.len()],
}

/// Statistics of one rung.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RungStatistics {
    /// Questions that reached it.
    pub asked: u64,
    /// Questions that it answered.
    pub answered: u64,
    /// Time spent on all that were asked.
    pub time: Duration,
}

impl Statistics {
    /// The counts of one rung.
    pub fn rung(&self, rung: Rung) -> &RungStatistics {
        &self.rungs[rung as usize]
    }

    /// The time that all rungs took.
    pub fn time(&self) -> Duration {
        self.rungs.iter().map(|rung| rung.time).sum()
    }

    pub(crate) fn record(&mut self, rung: Rung, time: Duration, answered: bool) {
        let counts = &mut self.rungs[rung as usize];
        counts.asked += 1;
        counts.answered += u64::from(answered);
        counts.time += time;
    }
}

impl AddAssign<&Statistics> for Statistics {
    fn add_assign(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.backend_time += other.backend_time;
        self.backend_calls += other.backend_calls;
        self.evaluated += other.evaluated;
        self.visited += other.visited;
        self.backend_effort += other.backend_effort;
        self.wrong_models += other.wrong_models;
        for (mine, theirs) in self.rungs.iter_mut().zip(&other.rungs) {
            mine.asked += theirs.asked;
            mine.answered += theirs.answered;
            mine.time += theirs.time;
        }
    }
}
