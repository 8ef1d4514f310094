//! Rungs that do not help on a program are asked less and less.
//!
//! Each rung pays on some programs and is wasted on others: on code without sums, `sums` reads every question only to pass it on. Which it is
//! shows soon, since the questions of one program are alike. A rung that answers none of many questions in a row is therefore asked only every
//! second time, then every fourth time and so on; its first answer brings it back. Questions are counted rather than timed, so that every run of a
//! program is the same.

use crate::Tuning;
use crate::rungs::Rung;

/// How each rung has fared.
#[derive(Default)]
pub(crate) struct Backoff {
    records: [Record; Rung::ALL.len()],
}

#[derive(Clone, Copy, Default)]
struct Record {
    /// Questions in a row that were asked and not answered.
    failures: u32,
    /// How many more questions it is not asked.
    pause: u32,
}

impl Backoff {
    /// The rung should look at a question now. To be called once for each question that reaches the rung.
    pub(crate) fn is_due(&mut self, rung: Rung) -> bool {
        let record = &mut self.records[rung as usize];
        match record.pause.checked_sub(1) {
            Some(pause) => {
                record.pause = pause;
                false
            }
            None => true,
        }
    }

    /// The rung was asked.
    pub(crate) fn record(&mut self, rung: Rung, answered: bool, tuning: &Tuning) {
        let record = &mut self.records[rung as usize];
        if answered || !rung.is_optional() {
            *record = Record::default();
            return;
        }
        record.failures = record.failures.saturating_add(1);
        record.pause = (1 << (record.failures / tuning.backoff_failures).min(tuning.backoff_halvings)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the next questions a rung that never answers is asked.
    fn asked(backoff: &mut Backoff, rung: Rung, questions: u32) -> u32 {
        let mut asked = 0;
        for _ in 0..questions {
            if backoff.is_due(rung) {
                backoff.record(rung, false, &Tuning::default());
                asked += 1;
            }
        }
        asked
    }

    #[test]
    fn a_rung_without_success_is_asked_less_and_less() {
        let Tuning { backoff_failures: failures, backoff_halvings: halvings, .. } = Tuning::default();
        let mut backoff = Backoff::default();
        assert_eq!(asked(&mut backoff, Rung::Sums, failures), failures);
        assert_eq!(asked(&mut backoff, Rung::Sums, 2 * failures), failures);
        assert_eq!(asked(&mut backoff, Rung::Sums, 4 * failures), failures);
        asked(&mut backoff, Rung::Sums, 10_000);
        let rarely = 1 << halvings;
        assert_eq!(asked(&mut backoff, Rung::Sums, 100 * rarely), 100, "but it is not forgotten");
        assert_eq!(asked(&mut backoff, Rung::Cases, 10), 10, "other rungs are not concerned");
    }

    #[test]
    fn an_answer_brings_a_rung_back() {
        let mut backoff = Backoff::default();
        asked(&mut backoff, Rung::Cases, 10_000);
        backoff.record(Rung::Cases, true, &Tuning::default());
        let failures = Tuning::default().backoff_failures;
        assert_eq!(asked(&mut backoff, Rung::Cases, failures), failures);
    }

    #[test]
    fn rungs_that_others_need_are_always_asked() {
        let mut backoff = Backoff::default();
        for rung in Rung::ALL.into_iter().filter(|rung| !rung.is_optional()) {
            assert_eq!(asked(&mut backoff, rung, 1000), 1000, "{rung:?}");
        }
    }
}
