//! How strategies that take turns share the work: each gets more of it the more it has covered lately for what it cost.
//!
//! Which strategy is good differs from program to program by a factor of two, and within a run, since none stays good
//! once it has found what it can find. So every strategy keeps a small share, and the rest is divided in proportion to
//! what was newly covered per unit of work. Work is counted rather than timed, so that runs are repeatable.

use crate::tuning::Tuning;

/// The shares of some strategies.
pub(super) struct Shares {
    records: Vec<Record>,
    /// How much work a period has, after which shares are divided anew.
    period: u64,
    /// How much of it is left.
    left: u64,
    /// The part of the work that is divided equally among all strategies.
    equal_part: f64,
    /// How much of what a strategy has found and cost still counts after the next period.
    memory: f64,
}

#[derive(Clone, Copy)]
struct Record {
    /// What it has newly covered, and what that has cost; older results count less.
    found: f64,
    cost: f64,
    /// The part of the work that it is given.
    share: f64,
    /// The work that it was given so far, divided by its share at that time.
    pace: f64,
}

impl Shares {
    pub(super) fn new(strategies: usize, tuning: &Tuning) -> Shares {
        let record = Record { found: 0.0, cost: 0.0, share: 1.0 / strategies.max(1) as f64, pace: 0.0 };
        let period = tuning.share_period;
        Shares {
            records: vec![record; strategies],
            period,
            left: period,
            equal_part: tuning.share_equal,
            memory: tuning.share_memory,
        }
    }

    /// The strategy whose turn it is: the one that is the farthest behind its share.
    pub(super) fn next(&self) -> usize {
        let paces = self.records.iter().map(|record| record.pace);
        paces.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(index, _)| index)
    }

    /// A strategy has had its turn.
    pub(super) fn record(&mut self, strategy: usize, newly_covered: u64, work: u64) {
        let Some(record) = self.records.get_mut(strategy) else { return };
        record.found += newly_covered as f64;
        record.cost += work as f64;
        record.pace += work.max(1) as f64 / record.share;
        self.left = self.left.saturating_sub(work);
        if self.left == 0 {
            self.left = self.period;
            self.divide();
        }
    }

    /// Skips the turn of a strategy that has nothing to try.
    pub(super) fn pass(&mut self, strategy: usize) {
        let last = self.records.iter().map(|record| record.pace).fold(0.0, f64::max);
        if let Some(record) = self.records.get_mut(strategy) {
            record.pace = last + 1.0;
        }
    }

    fn divide(&mut self) {
        let rates: Vec<f64> = self.records.iter().map(|record| record.found / record.cost.max(1.0)).collect();
        let (all, count) = (rates.iter().sum::<f64>(), self.records.len() as f64);
        // From now on all are at the same pace: what was given by old shares is settled.
        for (record, rate) in self.records.iter_mut().zip(rates) {
            let earned = if all > 0.0 { rate / all } else { 1.0 / count };
            record.share = self.equal_part / count + (1.0 - self.equal_part) * earned;
            record.pace = 0.0;
            record.found *= self.memory;
            record.cost *= self.memory;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets three strategies take turns and returns how much work each was given.
    fn given(mut found: impl FnMut(usize, u64) -> u64) -> [u64; 3] {
        let mut shares = Shares::new(3, &Tuning { share_period: 1000, ..Tuning::default() });
        let mut given = [0; 3];
        for turn in 0..100_000 {
            let next = shares.next();
            let work = [10, 20, 40][next];
            given[next] += work;
            shares.record(next, found(next, turn), work);
        }
        given
    }

    #[test]
    fn work_is_divided_equally_if_nothing_is_found() {
        let given = given(|_, _| 0);
        assert!(given.iter().all(|work| work.abs_diff(given[0]) < given[0] / 8), "{given:?}");
    }

    #[test]
    fn who_finds_more_for_its_cost_is_given_more() {
        let given = given(|strategy, turn| u64::from(strategy == 1 && turn % 10 == 0));
        assert!(given[1] > 4 * (given[0] + given[2]) / 2, "{given:?}");
        assert!(given[0].min(given[2]) > given[1] / 20, "but the others are not forgotten: {given:?}");
    }

    #[test]
    fn what_was_found_long_ago_no_longer_counts() {
        let given = given(|strategy, turn| u64::from(strategy == if turn < 2_000 { 0 } else { 2 }));
        assert!(given[2] > 4 * given[0], "{given:?}");
    }
}
