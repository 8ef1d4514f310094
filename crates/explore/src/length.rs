//! How long the data of a libFuzzer harness may become: short at first, longer when nothing new is found.
//!
//! Short inputs are quick to run and have few alternatives, and most of what a parser does needs no long ones. What
//! needs a longer input than is tried for now stays pending.

use crate::tuning::Tuning;

/// The length that inputs may have for now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    now: u32,
    /// How many flips may be tried in a row without covering anything new before it doubles.
    patience: u32,
    /// How many were tried.
    tried: u32,
    /// How much was covered before.
    covered: u64,
}

impl Length {
    pub(crate) fn new(tuning: &Tuning) -> Length {
        Length { now: tuning.first_length, patience: tuning.length_patience, tried: 0, covered: 0 }
    }

    /// The length.
    pub(crate) fn now(&self) -> u32 {
        self.now
    }

    /// Another flip is about to be tried, and so much is covered. Returns whether the length should double.
    pub(crate) fn is_exhausted(&mut self, covered: u64) -> bool {
        if covered != self.covered {
            (self.covered, self.tried) = (covered, 0);
        }
        self.tried += 1;
        self.tried > self.patience
    }

    /// Doubles it.
    pub(crate) fn grow(&mut self) {
        self.now = self.now.saturating_mul(2);
        self.tried = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_when_nothing_new_is_covered() {
        let tuning = Tuning { first_length: 8, length_patience: 2, ..Tuning::default() };
        let mut length = Length::new(&tuning);
        let exhausted = [1, 1, 2, 2, 2].map(|covered| length.is_exhausted(covered));
        assert_eq!(exhausted, [false, false, false, false, true]);
        length.grow();
        assert_eq!((length.now(), length.is_exhausted(2)), (16, false));
    }
}
