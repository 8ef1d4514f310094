//! Which blocks ran and which outcomes branches had, and what this means for source lines.

use crate::code_map::{BranchMap, CodeMap, SourceLine};
use secateur_program::{BlockId, BranchId, FuncId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// What was covered. It may include code of the C library; [`Coverage::counts`] counts only the user's.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// By branch: the outcomes seen.
    outcomes: Vec<BitSet>,
    /// By function: the blocks that ran.
    blocks: Vec<BitSet>,
}

/// How much of the user's code is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Branch outcomes.
    pub branches: Ratio,
    /// Source lines.
    pub lines: Ratio,
    /// Functions.
    pub functions: Ratio,
}

/// How many of a total are covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ratio {
    /// How many are covered.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

impl Ratio {
    /// In percent; 100 if there are none.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.total as f64 }
    }

    /// For people: `3/4 lines (75.0%)`.
    pub fn of(self, what: &str) -> String {
        format!("{}/{} {what} ({:.1}%)", self.covered, self.total, self.percent())
    }

    /// Counts one more.
    pub fn add(&mut self, covered: bool) {
        self.covered += u64::from(covered);
        self.total += 1;
    }
}

impl Coverage {
    /// Records an outcome of a branch; returns whether it is new.
    pub fn cover_branch(&mut self, branch: BranchId, outcome: u32) -> bool {
        entry(&mut self.outcomes, branch.index()).insert(outcome)
    }

    /// Records that a block ran; returns whether that is new.
    pub fn cover_block(&mut self, function: FuncId, block: BlockId) -> bool {
        entry(&mut self.blocks, function.index()).insert(block.0)
    }

    /// Whether the branch had this outcome.
    pub fn branch_covered(&self, branch: BranchId, outcome: u32) -> bool {
        self.outcomes.get(branch.index()).is_some_and(|set| set.contains(outcome))
    }

    /// Whether the block ran.
    pub fn block_covered(&self, function: FuncId, block: BlockId) -> bool {
        self.blocks.get(function.index()).is_some_and(|set| set.contains(block.0))
    }

    /// Adds what `other` covered; returns whether anything is new.
    pub fn merge(&mut self, other: &Coverage) -> bool {
        let mut new = false;
        for (mine, theirs) in [(&mut self.outcomes, &other.outcomes), (&mut self.blocks, &other.blocks)] {
            for (index, set) in theirs.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
                new |= entry(mine, index).merge(set);
            }
        }
        new
    }

    /// The same with the outcomes of copies as those of the branch in the source.
    pub fn by_source(&self, map: &CodeMap) -> Coverage {
        let mut coverage = self.clone();
        for branch in map.branches.iter().filter(|branch| branch.copy_of.is_some()) {
            for outcome in (0..branch.outcomes).filter(|outcome| self.branch_covered(BranchId(branch.id), *outcome)) {
                let (source, outcome) = branch.in_source(outcome);
                coverage.cover_branch(source, outcome);
            }
        }
        coverage
    }

    /// How much of the user's code is covered, in the source: copies count once.
    pub fn counts(&self, map: &CodeMap) -> Counts {
        let mut counts = Counts { branches: self.branches(map, |_| true), ..Counts::default() };
        for covered in self.lines(map).into_values() {
            counts.lines.add(covered);
        }
        for function in &map.functions {
            counts.functions.add(self.block_covered(FuncId(function.id), BlockId(0)));
        }
        counts
    }

    /// How many outcomes of those branches in the source are covered of which any copy is `wanted`.
    pub fn branches(&self, map: &CodeMap, wanted: impl Fn(&BranchMap) -> bool) -> Ratio {
        let coverage = self.by_source(map);
        let wanted = map.branches.iter().filter(|branch| wanted(branch)).map(|branch| branch.in_source(0).0);
        let wanted: HashSet<BranchId> = wanted.collect();
        let mut ratio = Ratio::default();
        for branch in map.source_branches().filter(|branch| wanted.contains(&BranchId(branch.id))) {
            for outcome in 0..branch.outcomes {
                ratio.add(coverage.branch_covered(BranchId(branch.id), outcome));
            }
        }
        ratio
    }

    /// Every line of the user's code that has an instruction, and whether a block with such an instruction ran.
    pub fn lines(&self, map: &CodeMap) -> BTreeMap<SourceLine, bool> {
        let mut lines = BTreeMap::new();
        for function in &map.functions {
            for (index, block) in function.blocks.iter().enumerate() {
                let covered = self.block_covered(FuncId(function.id), BlockId(index as u32));
                for place in &block.places {
                    *lines.entry(*place).or_insert(false) |= covered;
                }
            }
        }
        lines
    }
}

/// A growing set of small numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn insert(&mut self, number: u32) -> bool {
        let word = entry(&mut self.0, (number / 64) as usize);
        let new = *word >> (number % 64) & 1 == 0;
        *word |= 1 << (number % 64);
        new
    }

    fn contains(&self, number: u32) -> bool {
        self.0.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn merge(&mut self, other: &BitSet) -> bool {
        let mut new = false;
        for (index, theirs) in other.0.iter().enumerate() {
            let mine = entry(&mut self.0, index);
            new |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

fn entry<T: Default + Clone>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::code_map::{BlockMap, BranchMap, FunctionMap};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// `f` of three blocks with a branch on line 2 of `a.c`, `g` of one block in `b.c`, and a switch of three outcomes.
    pub(crate) fn small_map() -> CodeMap {
        let place = |file, line| SourceLine { file, line };
        let block = |native, places: &[SourceLine]| BlockMap { native: Some(native), places: places.to_vec() };
        let branch = |id, native, place, outcomes| BranchMap {
            id,
            native: Some(native),
            place,
            outcomes,
            copy_of: None,
            by_address: false,
            sides: Vec::new(),
        };
        CodeMap {
            files: vec!["?".into(), "a.c".into(), "b.c".into()],
            functions: vec![
                FunctionMap {
                    id: 0,
                    name: "f".into(),
                    place: Some(place(1, 1)),
                    blocks: vec![
                        block(0, &[place(1, 1), place(1, 2)]),
                        block(1, &[place(1, 3)]),
                        block(2, &[place(1, 2), place(1, 4)]),
                    ],
                },
                FunctionMap {
                    id: 2,
                    name: "g".into(),
                    place: Some(place(2, 7)),
                    blocks: vec![block(3, &[place(2, 8)])],
                },
            ],
            branches: vec![branch(0, 0, Some(place(1, 2)), 2), branch(5, 1, Some(place(2, 8)), 3)],
        }
    }

    #[test]
    fn counts_lines_branches_and_functions_of_the_user() {
        let map = small_map();
        let mut coverage = Coverage::default();
        assert!(coverage.cover_block(FuncId(0), BlockId(0)));
        assert!(!coverage.cover_block(FuncId(0), BlockId(0)));
        assert!(coverage.cover_branch(BranchId(0), 1));
        assert!(coverage.cover_block(FuncId(1), BlockId(0)), "library code is noted");
        assert!(coverage.cover_branch(BranchId(3), 1), "library code is noted");
        let counts = coverage.counts(&map);
        assert_eq!(counts.branches, Ratio { covered: 1, total: 5 });
        assert_eq!(counts.lines, Ratio { covered: 2, total: 5 });
        assert_eq!(counts.functions, Ratio { covered: 1, total: 2 });
    }

    #[test]
    fn copies_count_once() {
        let mut map = small_map();
        let first = map.branches[0].clone();
        map.branches.push(BranchMap { id: 7, copy_of: Some((first.id, false)), ..first.clone() });
        map.branches.push(BranchMap { id: 8, copy_of: Some((first.id, true)), ..first.clone() });
        let mut coverage = Coverage::default();
        coverage.cover_branch(BranchId(7), 1);
        assert_eq!(coverage.counts(&map).branches, Ratio { covered: 1, total: 5 });
        coverage.cover_branch(BranchId(8), 0);
        assert_eq!(
            coverage.counts(&map).branches,
            Ratio { covered: 1, total: 5 },
            "the outcomes of that one are swapped"
        );
        coverage.cover_branch(BranchId(8), 1);
        assert_eq!(coverage.counts(&map).branches, Ratio { covered: 2, total: 5 });
        assert_eq!(coverage.branches(&map, |branch| branch.id == 8), Ratio { covered: 2, total: 2 });
    }

    proptest! {
        #[test]
        fn is_a_pair_of_sets(a in proptest::collection::vec((0..40u32, 0..200u32), 0..50),
                             b in proptest::collection::vec((0..40u32, 0..200u32), 0..50)) {
            let mut first = Coverage::default();
            let mut model = BTreeSet::new();
            for (branch, outcome) in &a {
                prop_assert_eq!(first.cover_branch(BranchId(*branch), *outcome), model.insert((*branch, *outcome)));
            }
            let mut second = Coverage::default();
            for (branch, outcome) in &b {
                second.cover_branch(BranchId(*branch), *outcome);
            }
            let before = model.len();
            model.extend(b.iter().copied());
            prop_assert_eq!(first.merge(&second), model.len() > before);
            for branch in 0..40 {
                for outcome in 0..200 {
                    prop_assert_eq!(first.branch_covered(BranchId(branch), outcome), model.contains(&(branch, outcome)));
                }
            }
        }
    }
}
