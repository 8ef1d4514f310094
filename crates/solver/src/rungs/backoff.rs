//! Exponential backoff: rungs that do not help on a program are asked less and less often.
//!
//! Each rung pays off on some programs and wastes time on others: on code without sums, `sums` reads every question
//! only to pass it on. The questions of one program are similar. So a rung that answers none of many questions in a row
//! is asked only every second time, then every fourth time and so on; its next answer resets that. Questions are
//! counted rather than timed, so that runs are deterministic.

use crate::Tuning;
use crate::rungs::Rung;

/// The record of each rung.
#[derive(Default)]
pub(crate) struct Backoff {
    records: [Record; Rung::ALL.len()],
}

#[derive(Clone, Copy, Default)]
struct Record {
    /// How many questions in a row it was asked and did not answer.
    failures: u32,
    /// How many more questions skip it.
    pause: u32,
}

impl Backoff {
    /// Whether the rung is to be asked now. Must be called once for each question that reaches the rung.
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

    /// How many of the next questions reach a rung that never answers.
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
    fn a_rung_without_answers_is_asked_less_and_less() {
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
    fn mandatory_rungs_are_always_asked() {
        let mut backoff = Backoff::default();
        for rung in Rung::ALL.into_iter().filter(|rung| !rung.is_optional()) {
            assert_eq!(asked(&mut backoff, rung, 1000), 1000, "{rung:?}");
        }
    }
}
