//! A small set of tests that covers what all cover together, by the greedy rule: the one that adds the most is next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Branch outcomes, by their number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcomes(Vec<u64>);

impl Outcomes {
    /// Adds one.
    pub(crate) fn insert(&mut self, outcome: usize) {
        let word = outcome / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (outcome % 64);
    }

    /// How many are not in another set.
    fn not_in(&self, other: &Outcomes) -> u32 {
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(others).map(|(mine, other)| (mine & !other).count_ones()).sum()
    }

    fn add(&mut self, other: &Outcomes) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(mine, other)| *mine |= other);
    }
}

/// The indices of some tests that together cover all that is covered, in ascending order. Of equal ones, the first is
/// taken.
///
/// What a test adds can only shrink while others are taken, so it is computed again only for the one that promises the
/// most.
pub(crate) fn smallest_cover(tests: &[&Outcomes]) -> Vec<usize> {
    let mut covered = Outcomes::default();
    let mut candidates: BinaryHeap<(u32, Reverse<usize>)> =
        tests.iter().enumerate().map(|(index, test)| (test.not_in(&covered), Reverse(index))).collect();
    let mut taken = Vec::new();
    while let Some((_, Reverse(index))) = candidates.pop() {
        let adds = tests[index].not_in(&covered);
        if adds == 0 {
            continue;
        }
        let is_best = candidates.peek().is_none_or(|next| (adds, Reverse(index)) >= *next);
        if is_best {
            covered.add(tests[index]);
            taken.push(index);
        } else {
            candidates.push((adds, Reverse(index)));
        }
    }
    taken.sort_unstable();
    taken
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn outcomes(numbers: &BTreeSet<usize>) -> Outcomes {
        let mut outcomes = Outcomes::default();
        numbers.iter().for_each(|number| outcomes.insert(*number));
        outcomes
    }

    /// The greedy rule as it is usually written down.
    fn by_definition(tests: &[BTreeSet<usize>]) -> Vec<usize> {
        let (mut covered, mut taken) = (BTreeSet::new(), Vec::new());
        loop {
            let adds = |index: &usize| tests[*index].difference(&covered).count();
            let best = (0..tests.len()).max_by_key(|index| (adds(index), Reverse(*index)));
            let Some(best) = best.filter(|best| adds(best) > 0) else { break };
            covered.extend(&tests[best]);
            taken.push(best);
        }
        taken.sort_unstable();
        taken
    }

    proptest! {
        #[test]
        fn the_cover_is_that_of_the_greedy_rule(
            tests in prop::collection::vec(prop::collection::btree_set(0..200usize, 0..20), 0..30),
        ) {
            let sets: Vec<Outcomes> = tests.iter().map(outcomes).collect();
            let taken = smallest_cover(&sets.iter().collect::<Vec<_>>());
            let all: BTreeSet<usize> = tests.iter().flatten().copied().collect();
            let covered: BTreeSet<usize> = taken.iter().flat_map(|index| &tests[*index]).copied().collect();
            prop_assert_eq!(covered, all);
            prop_assert_eq!(taken, by_definition(&tests));
        }
    }

    #[test]
    fn one_test_that_covers_everything_is_enough() {
        let tests = [vec![1, 2], vec![3], vec![1, 2, 3], vec![2, 3]];
        let sets: Vec<Outcomes> = tests.iter().map(|test| outcomes(&test.iter().copied().collect())).collect();
        assert_eq!(smallest_cover(&sets.iter().collect::<Vec<_>>()), [2]);
    }
}
