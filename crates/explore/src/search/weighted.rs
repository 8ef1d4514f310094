//! Draws flips at random, each with a probability in proportion to its weight.
//!
//! What the weight depends on is up to the strategy. Flips that always have the same weight form a class, so that a new
//! weight for thousands of flips is one change, and drawing takes time logarithmic in the number of classes.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{FlipId, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::view::View;

/// The weight 1. Weights are integers, so that adding and subtracting leaves no rounding error.
pub(super) const UNIT: u64 = 1 << 32;

/// Determines the weight of a flip.
pub(super) trait Measure: Send {
    /// Flips with the same key have the same weight.
    type Key: Copy + Eq + Hash + Send;

    /// Whether weights change when something is covered.
    const DEPENDS_ON_COVERAGE: bool;

    /// The key of a flip that was found. This may change the weight of the key.
    fn key(&mut self, info: &FlipInfo) -> Self::Key;

    /// The weight of each flip with this key.
    fn weight(&self, key: Self::Key, view: &mut View<'_>) -> u64;
}

/// A searcher that draws by weight.
pub(super) struct Weighted<M: Measure> {
    measure: M,
    numbers: FxHashMap<M::Key, usize>,
    classes: Vec<Class<M::Key>>,
    sums: Sums,
    /// Classes whose weight must be recomputed.
    outdated: Vec<usize>,
    covered: u64,
    draws: usize,
    refresh: usize,
    random: Random,
}

struct Class<K> {
    key: K,
    weight: u64,
    flips: Vec<FlipId>,
    outdated: bool,
}

impl<M: Measure> Weighted<M> {
    /// When coverage has changed, weights are recomputed after `classes / refresh` draws.
    pub(super) fn new(measure: M, refresh: usize, seed: u64) -> Weighted<M> {
        Weighted {
            measure,
            numbers: FxHashMap::default(),
            classes: Vec::new(),
            sums: Sums::default(),
            outdated: Vec::new(),
            covered: 0,
            draws: 0,
            refresh,
            random: Random::new(seed),
        }
    }

    fn update(&mut self, view: &mut View<'_>) {
        let covered = view.coverage.total_newly_covered();
        if M::DEPENDS_ON_COVERAGE && covered != self.covered && self.draws >= self.classes.len() / self.refresh {
            (self.covered, self.draws) = (covered, 0);
            self.outdated = (0..self.classes.len()).collect();
        }
        for number in std::mem::take(&mut self.outdated) {
            let class = &mut self.classes[number];
            class.outdated = false;
            if !class.flips.is_empty() {
                class.weight = self.measure.weight(class.key, view).max(1);
            }
            self.sums.set(number, class.weight.saturating_mul(class.flips.len() as u64));
        }
    }
}

impl<M: Measure> Searcher for Weighted<M> {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        let key = self.measure.key(info);
        let number = *self.numbers.entry(key).or_insert(self.classes.len());
        if number == self.classes.len() {
            self.classes.push(Class { key, weight: 1, flips: Vec::new(), outdated: false });
        }
        let class = &mut self.classes[number];
        class.flips.push(id);
        if !class.outdated {
            class.outdated = true;
            self.outdated.push(number);
        }
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.update(view);
        let total = self.sums.total();
        if total == 0 {
            return None;
        }
        self.draws += 1;
        let number = self.sums.find(self.random.below(total));
        let class = &mut self.classes[number];
        let index = self.random.index(class.flips.len());
        let id = class.flips.swap_remove(index);
        self.sums.set(number, class.weight.saturating_mul(class.flips.len() as u64));
        Some(id)
    }
}

/// Numbers with their prefix sums, as a complete binary tree of sums.
#[derive(Default)]
struct Sums {
    /// Node 1 is the root, the children of node n are 2n and 2n + 1; the second half are the numbers.
    tree: Vec<u64>,
}

impl Sums {
    fn capacity(&self) -> usize {
        self.tree.len() / 2
    }

    fn total(&self) -> u64 {
        self.tree.get(1).copied().unwrap_or(0)
    }

    fn set(&mut self, index: usize, value: u64) {
        if index >= self.capacity() {
            self.grow(index + 1);
        }
        let mut node = self.capacity() + index;
        self.tree[node] = value;
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].saturating_add(self.tree[2 * node + 1]);
        }
    }

    /// The first index up to which the sum is greater than `sum`, which must be less than the total.
    fn find(&self, mut sum: u64) -> usize {
        let mut node = 1;
        while node < self.capacity() {
            node *= 2;
            if sum >= self.tree[node] {
                sum -= self.tree[node];
                node += 1;
            }
        }
        node - self.capacity()
    }

    fn grow(&mut self, len: usize) {
        let old = std::mem::take(&mut self.tree);
        let (capacity, numbers) = (len.next_power_of_two(), &old[old.len() / 2..]);
        self.tree = vec![0; 2 * capacity];
        self.tree[capacity..capacity + numbers.len()].copy_from_slice(numbers);
        for node in (1..capacity).rev() {
            self.tree[node] = self.tree[2 * node].saturating_add(self.tree[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_find_each_number_by_its_share() {
        let mut sums = Sums::default();
        for (index, value) in [3, 0, 5, 1, 2].into_iter().enumerate() {
            sums.set(index, value);
        }
        let found: Vec<usize> = (0..sums.total()).map(|sum| sums.find(sum)).collect();
        assert_eq!(found, [0, 0, 0, 2, 2, 2, 2, 2, 3, 4, 4]);
        sums.set(2, 0);
        assert_eq!((0..sums.total()).map(|sum| sums.find(sum)).collect::<Vec<_>>(), [0, 0, 0, 3, 4, 4]);
    }
}
