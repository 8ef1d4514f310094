//! How long the data of a libFuzzer harness may become: short at first, longer when nothing new is found.
//!
//! Short inputs are quick to run and have few alternatives, and most of what a parser does needs no long ones. What
//! needs a longer input than is tried for now stays pending.

use crate::tuning::Tuning;

/// The length that inputs may have for now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    now: u32,
    /// How many flips may be tried in a row without covering anything new before it doubles, and how much work that may
    /// take.
    patience: u32,
    most_work: u64,
    /// How many were tried.
    tried: u32,
    /// The work that was done before.
    since: Option<u64>,
    /// How much was covered before.
    covered: u64,
}

impl Length {
    pub(crate) fn new(tuning: &Tuning) -> Length {
        Length {
            now: tuning.first_length,
            patience: tuning.length_patience,
            most_work: tuning.length_work,
            tried: 0,
            since: None,
            covered: 0,
        }
    }

    /// The length.
    pub(crate) fn now(&self) -> u32 {
        self.now
    }

    /// Another flip is about to be tried, and so much is covered, and so much work done. Returns whether the length
    /// should double.
    pub(crate) fn is_exhausted(&mut self, covered: u64, work: u64) -> bool {
        if covered != self.covered {
            (self.covered, self.tried, self.since) = (covered, 0, None);
        }
        self.tried += 1;
        let since = *self.since.get_or_insert(work);
        self.tried > self.patience || work.saturating_sub(since) > self.most_work
    }

    /// Doubles it.
    pub(crate) fn grow(&mut self) {
        self.now = self.now.saturating_mul(2);
        (self.tried, self.since) = (0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_when_nothing_new_is_covered() {
        let tuning = Tuning { first_length: 8, length_patience: 2, ..Tuning::default() };
        let mut length = Length::new(&tuning);
        let exhausted = [1, 1, 2, 2, 2].map(|covered| length.is_exhausted(covered, 0));
        assert_eq!(exhausted, [false, false, false, false, true]);
        length.grow();
        assert_eq!((length.now(), length.is_exhausted(2, 0)), (16, false));
    }

    #[test]
    fn it_grows_when_much_work_was_in_vain() {
        let tuning = Tuning { first_length: 8, length_work: 10, ..Tuning::default() };
        let mut length = Length::new(&tuning);
        let exhausted =
            [(1, 5), (1, 15), (2, 16), (2, 26), (2, 27)].map(|(covered, work)| length.is_exhausted(covered, work));
        assert_eq!(exhausted, [false, false, false, false, true]);
        length.grow();
        assert!(!length.is_exhausted(2, 30));
    }
}
