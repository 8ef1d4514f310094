//! Flips whose questions are hard: they are put off until others have had their turn.
//!
//! A few questions can take longer than all others together, and most of them have no answer in the end. So a question
//! is first given little effort. If that is not enough, its flip stays pending, and is tried again with more effort:
//! when nothing else is pending, or as long as such questions take only a small part of the work. The last attempt has
//! no limit but time, so no path is lost.

use std::collections::BTreeSet;

use crate::search::FlipId;
use crate::tuning::Tuning;

/// How often a flip was put off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Attempt(u8);

impl Attempt {
    /// How much effort its question is given; `None` if it is not limited.
    pub(crate) fn effort(self, tuning: &Tuning) -> Option<u64> {
        let growth = tuning.effort_growth.checked_pow(u32::from(self.0))?;
        (u32::from(self.0) < tuning.effort_attempts).then(|| tuning.first_effort.saturating_mul(growth))
    }
}

/// The flips that were put off.
#[derive(Default)]
pub(crate) struct Postponed {
    flips: BTreeSet<(Attempt, FlipId)>,
    ids: BTreeSet<FlipId>,
    /// The work that was spent on them.
    work: u64,
}

impl Postponed {
    /// Puts off a flip after an attempt.
    pub(crate) fn add(&mut self, id: FlipId, attempt: Attempt) {
        self.flips.insert((Attempt(attempt.0.saturating_add(1)), id));
        self.ids.insert(id);
    }

    /// The flip that is next, if such flips have taken only their part of all the work.
    pub(crate) fn due(&mut self, work: u64, tuning: &Tuning) -> Option<(FlipId, Attempt)> {
        if self.work.saturating_mul(tuning.hard_part) > work {
            return None;
        }
        self.first()
    }

    /// The flip that is next.
    pub(crate) fn first(&mut self) -> Option<(FlipId, Attempt)> {
        let (attempt, id) = self.flips.pop_first()?;
        self.ids.remove(&id);
        Some((id, attempt))
    }

    /// Whether a flip was put off.
    pub(crate) fn contains(&self, id: FlipId) -> bool {
        self.ids.contains(&id)
    }

    /// Work was spent on a flip that had been put off.
    pub(crate) fn spent(&mut self, work: u64) {
        self.work = self.work.saturating_add(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_grows_until_it_is_unlimited() {
        let tuning = Tuning::default();
        let mut postponed = Postponed::default();
        let mut attempt = Attempt::default();
        let mut efforts = Vec::new();
        while let Some(effort) = attempt.effort(&tuning) {
            efforts.push(effort);
            postponed.add(FlipId(7), attempt);
            (_, attempt) = postponed.first().expect("it was put off");
        }
        assert_eq!(efforts.len(), tuning.effort_attempts as usize);
        assert!(efforts.is_sorted_by(|a, b| a < b), "{efforts:?}");
    }

    #[test]
    fn flips_that_were_put_off_take_a_part_of_the_work() {
        let tuning = Tuning::default();
        let mut postponed = Postponed::default();
        for number in 0..3 {
            postponed.add(FlipId(number), Attempt::default());
        }
        assert!(postponed.due(0, &tuning).is_some());
        postponed.spent(100);
        assert!(postponed.due(100, &tuning).is_none());
        assert!(postponed.due(100 * tuning.hard_part, &tuning).is_some());
        assert!(postponed.first().is_some(), "if nothing else is left, it does not matter what they took");
    }
}
