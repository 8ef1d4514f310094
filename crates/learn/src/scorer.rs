//! Scores flips by the features of their paths, and drops those with the lowest scores.
//!
//! A path has a feature if what it knows of the byte or word implies it, whether the condition itself is on the path or
//! follows from others. What a path knows of a byte changes only with a condition on it; so each condition is looked up
//! once, and the mark of a path stands for all features that it has. Flips with the same mark have the same scores.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustc_hash::FxHashMap;
use secateur_explore::search::FlipId;
use secateur_explore::{Mark, RoundLength, Selection, SelectionStatus};
use secateur_expr::{ByteSet, Expr, Intervals, Node, Pool};
use secateur_machine::{Machine, State};
use secateur_path::{Fact, Path, for_each_fact};

use crate::condition::{Condition, Known};
use crate::draws::Draws;
use crate::evidence::FoundTest;

/// The name under which dropped flips are counted.
pub(crate) const NAME: &str = "learning";

/// How many answers are remembered. This only bounds memory.
const MOST_KNOWN: usize = 1 << 18;

/// What flips are scored by in one round.
pub(crate) struct Scoring {
    pub status: SelectionStatus,
    /// The features, by number.
    pub features: Vec<Condition>,
    /// A weight of each feature, for each vector.
    pub vectors: Vec<Vec<f64>>,
    /// The share of the flips that is dropped each time.
    pub ratio: f64,
    /// How long it is until flips are dropped again.
    pub interval: RoundLength,
    /// With fewer pending flips, none is dropped.
    pub least_flips: usize,
    /// The most features that are taken from a test.
    pub test_features: usize,
    /// The most sets of features that are told apart.
    pub marks: usize,
    pub seed: u64,
    /// What workers have found and counted in this round.
    pub findings: Mutex<Findings>,
}

/// What workers have found in a round.
#[derive(Default)]
pub(crate) struct Findings {
    pub tests: Vec<FoundTest>,
    /// How often flips were dropped.
    pub passes: u64,
    /// How many flips were compared, and kept, in all passes.
    pub compared: u64,
    pub kept: u64,
    /// How many conditions were looked up.
    pub lookups: u64,
    /// The time that comparing took, in nanoseconds.
    pub nanoseconds: u64,
}

impl Scoring {
    pub(crate) fn findings(&self) -> MutexGuard<'_, Findings> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Scores the flips of one worker.
pub(crate) struct Scorer {
    scoring: Arc<Scoring>,
    /// The features on a byte, or on a word of several, by its first byte.
    by_byte: FxHashMap<u32, Vec<(ByteSet, u32)>>,
    by_word: FxHashMap<(u32, u8), Vec<(Intervals, u32)>>,
    compound: FxHashMap<Condition, u32>,
    /// The features that conditions are, by expression, if they are about more than one byte or word.
    others: FxHashMap<Expr, Option<u32>>,
    /// The features that paths have, by mark, in ascending order.
    sets: Vec<Arc<[u32]>>,
    marks: FxHashMap<Arc<[u32]>, u32>,
    /// The mark of a path that learns something.
    next: FxHashMap<(Mark, Known), Mark>,
    /// The scores of each mark.
    scores: Vec<Box<[f64]>>,
    /// The lowest score that was kept last, for each vector; none before flips were dropped.
    cuts: Option<Vec<f64>>,
    draws: Draws,
    last: Instant,
    /// How many flips were tried since flips were dropped.
    turns: u64,
    kept: f64,
    lookups: u64,
}

impl Scorer {
    pub(crate) fn new(scoring: Arc<Scoring>) -> Scorer {
        let mut by_byte: FxHashMap<u32, Vec<(ByteSet, u32)>> = FxHashMap::default();
        let mut by_word: FxHashMap<(u32, u8), Vec<(Intervals, u32)>> = FxHashMap::default();
        let mut compound = FxHashMap::default();
        for (feature, number) in scoring.features.iter().zip(0..) {
            if let Some((byte, values)) = feature.byte_values() {
                by_byte.entry(byte).or_default().push((values, number));
            } else if let Some((first, bytes, values)) = feature.word_values() {
                by_word.entry((first, bytes)).or_default().push((values, number));
            } else {
                compound.insert(feature.clone(), number);
            }
        }
        let none: Arc<[u32]> = Arc::from([]);
        Scorer {
            by_byte,
            by_word,
            compound,
            others: FxHashMap::default(),
            marks: [(Arc::clone(&none), 0)].into_iter().collect(),
            sets: vec![none],
            next: FxHashMap::default(),
            scores: vec![vec![0.0; scoring.vectors.len()].into()],
            cuts: None,
            draws: Draws::new(scoring.seed),
            last: Instant::now(),
            turns: 0,
            kept: 1.0,
            lookups: 0,
            scoring,
        }
    }

    /// What a path knows once it takes a condition, as far as there are features for it.
    fn learned(&mut self, pool: &mut Pool, path: &Path, condition: Expr) -> Vec<Known> {
        let mut learned = Vec::new();
        for_each_fact(pool, condition, &mut |fact| learned.push(fact));
        let mut known = Vec::new();
        for fact in learned {
            match fact {
                Fact::Byte(byte, values) => {
                    if self.by_byte.contains_key(&byte) {
                        known.push(Known::Byte(byte, path.byte_values(byte, values)));
                    }
                }
                Fact::Word(restriction) => {
                    let Node::Input { first, bytes } = pool.node(restriction.word) else { continue };
                    let values = path.word_values(restriction.word, &restriction.values);
                    // Each byte of a word that has one value has one.
                    for (byte, value) in
                        values.single().into_iter().flat_map(|value| pool.bytes_of_word(restriction.word, value))
                    {
                        if self.by_byte.contains_key(&byte) {
                            known.push(Known::Byte(byte, ByteSet::only(value)));
                        }
                    }
                    if self.by_word.contains_key(&(first, bytes)) {
                        known.push(Known::Word(first, bytes, values));
                    }
                }
                Fact::Other(other) => {
                    if !self.compound.is_empty() {
                        known.push(Known::Other(other));
                    }
                }
            }
        }
        known
    }

    /// The mark of a path with this one that learns something.
    fn after(&mut self, pool: &mut Pool, mark: Mark, known: Known) -> Mark {
        self.lookups += 1;
        if let Some(next) = self.next.get(&(mark, known.clone())) {
            return *next;
        }
        let mut features: Vec<u32> = self.sets[mark.0 as usize].to_vec();
        let implied = |set: &[(ByteSet, u32)], values: &ByteSet| -> Vec<u32> {
            set.iter().filter(|(feature, _)| (*values & !*feature).is_empty()).map(|(_, number)| *number).collect()
        };
        match &known {
            Known::Byte(byte, values) => {
                features.extend(self.by_byte.get(byte).into_iter().flat_map(|set| implied(set, values)))
            }
            Known::Word(first, bytes, values) => {
                let set = self.by_word.get(&(*first, *bytes)).map(Vec::as_slice).unwrap_or_default();
                features.extend(set.iter().filter(|(feature, _)| values.is_subset(feature)).map(|(_, number)| *number));
            }
            Known::Other(other) => features.extend(self.other(pool, *other)),
        }
        features.sort_unstable();
        features.dedup();
        let next = self.numbered(features.into()).unwrap_or(mark);
        if self.next.len() >= MOST_KNOWN {
            self.next.clear();
        }
        self.next.insert((mark, known), next);
        next
    }

    /// The feature that an expression is, if it is one.
    fn other(&mut self, pool: &mut Pool, condition: Expr) -> Option<u32> {
        let compound = &self.compound;
        let find = || Condition::of(pool, condition).and_then(|condition| compound.get(&condition).copied());
        *self.others.entry(condition).or_insert_with(find)
    }

    /// The mark that stands for these features; `None` if there are too many marks.
    fn numbered(&mut self, features: Arc<[u32]>) -> Option<Mark> {
        if let Some(mark) = self.marks.get(&features) {
            return Some(Mark(*mark));
        }
        if self.sets.len() >= self.scoring.marks {
            return None;
        }
        let score = |vector: &Vec<f64>| features.iter().map(|feature| vector[*feature as usize]).sum();
        self.scores.push(self.scoring.vectors.iter().map(score).collect());
        let mark = self.sets.len() as u32;
        self.sets.push(Arc::clone(&features));
        self.marks.insert(features, mark);
        Some(Mark(mark))
    }

    /// The vectors whose last choice a flip with this mark would have survived.
    fn credited(&self, mark: Mark) -> Vec<u32> {
        let (Some(cuts), Some(scores)) = (&self.cuts, self.scores.get(mark.0 as usize)) else { return Vec::new() };
        (0..).zip(scores.iter().zip(cuts)).filter(|(_, (score, cut))| score >= cut).map(|(vector, _)| vector).collect()
    }
}

impl Selection for Scorer {
    fn name(&self) -> &'static str {
        NAME
    }

    fn mark(&mut self, pool: &mut Pool, path: &Path, mark: Mark, condition: Expr) -> Mark {
        if self.scoring.features.is_empty() || mark == Mark::UNKNOWN {
            return mark;
        }
        let known = self.learned(pool, path, condition);
        known.into_iter().fold(mark, |mark, known| self.after(pool, mark, known))
    }

    fn mark_of(&mut self, pool: &mut Pool, path: &Path) -> Mark {
        path.conditions().into_iter().fold(Mark::START, |mark, condition| self.mark(pool, path, mark, condition))
    }

    fn is_due(&mut self, pending: usize) -> bool {
        if self.scoring.vectors.is_empty() {
            return false;
        }
        self.turns += 1;
        let is_time = match self.scoring.interval {
            RoundLength::Time(time) => self.last.elapsed() >= time,
            RoundLength::Paths(paths) => self.turns >= paths,
        };
        is_time && pending >= self.scoring.least_flips
    }

    fn select(&mut self, pending: &[(FlipId, Mark)]) -> Vec<FlipId> {
        let started = Instant::now();
        let Selected { dropped, cuts } =
            lowest(pending, &self.scores, self.scoring.ratio, self.scoring.vectors.len(), &mut self.draws);
        self.cuts = Some(cuts);
        self.kept = 1.0 - dropped.len() as f64 / pending.len().max(1) as f64;
        (self.turns, self.last) = (0, Instant::now());
        let mut findings = self.scoring.findings();
        findings.passes += 1;
        findings.compared += pending.len() as u64;
        findings.kept += (pending.len() - dropped.len()) as u64;
        findings.nanoseconds += started.elapsed().as_nanos() as u64;
        dropped
    }

    fn found(&mut self, machine: &mut Machine, state: &State, mark: Mark) {
        let credited = self.credited(mark);
        let test = FoundTest::new(machine, state, credited, self.cuts.is_some(), self.scoring.test_features);
        self.scoring.findings().tests.push(test);
    }

    fn status(&self) -> SelectionStatus {
        SelectionStatus { kept: self.kept, ..self.scoring.status }
    }

    fn forget(&mut self) {
        self.others.clear();
        self.next.retain(|(_, known), _| !matches!(known, Known::Other(_)));
    }
}

impl Drop for Scorer {
    fn drop(&mut self) {
        self.scoring.findings().lookups += self.lookups;
    }
}

/// What a comparison of flips has given.
struct Selected {
    dropped: Vec<FlipId>,
    /// The lowest score that each vector keeps.
    cuts: Vec<f64>,
}

/// The flips that are dropped: a share of all. Each vector keeps the same number of flips with its highest scores, and
/// what any of them keeps stays. Of flips with equal scores, any may go.
fn lowest(
    pending: &[(FlipId, Mark)],
    scores: &[Box<[f64]>],
    ratio: f64,
    vectors: usize,
    draws: &mut Draws,
) -> Selected {
    let mut by_mark: BTreeMap<Mark, Vec<usize>> = BTreeMap::new();
    pending.iter().enumerate().for_each(|(index, (_, mark))| by_mark.entry(*mark).or_default().push(index));
    by_mark.values_mut().for_each(|flips| draws.shuffle(flips));
    let mut marks: Vec<Mark> = by_mark.keys().copied().collect();
    draws.shuffle(&mut marks);
    let score = |mark: Mark, vector: usize| scores[mark.0 as usize][vector];
    let orders: Vec<Vec<(usize, Mark)>> = (0..vectors)
        .map(|vector| {
            let mut marks = marks.clone();
            marks.sort_by(|a, b| score(*b, vector).total_cmp(&score(*a, vector)));
            marks.iter().flat_map(|mark| by_mark[mark].iter().map(|flip| (*flip, *mark))).collect()
        })
        .collect();
    let keep = pending.len() - (pending.len() as f64 * ratio.clamp(0.0, 1.0)) as usize;
    let mut is_kept = vec![false; pending.len()];
    let (mut kept, mut cuts) = (0, vec![f64::INFINITY; vectors]);
    'ranks: for rank in 0..pending.len() {
        for (vector, order) in orders.iter().enumerate() {
            if kept == keep {
                break 'ranks;
            }
            let (flip, mark) = order[rank];
            cuts[vector] = score(mark, vector);
            kept += usize::from(!std::mem::replace(&mut is_kept[flip], true));
        }
    }
    let dropped = pending.iter().zip(&is_kept).filter(|(_, is_kept)| !**is_kept).map(|((id, _), _)| *id).collect();
    Selected { dropped, cuts }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn flips(marks: &[u32]) -> Vec<(FlipId, Mark)> {
        marks.iter().zip(0..).map(|(mark, id)| (FlipId(id), Mark(*mark))).collect()
    }

    proptest! {
        #[test]
        fn the_share_is_dropped_and_what_any_vector_prefers_is_kept(
            marks in prop::collection::vec(0..10u32, 0..200),
            weights in prop::collection::vec(prop::collection::vec(-1.0..1.0f64, 3), 10),
            ratio in 0.0..1.0f64,
            seed: u64,
        ) {
            let pending = flips(&marks);
            let scores: Vec<Box<[f64]>> = weights.into_iter().map(Into::into).collect();
            let Selected { dropped, cuts } = lowest(&pending, &scores, ratio, 3, &mut Draws::new(seed));
            prop_assert_eq!(dropped.len(), (marks.len() as f64 * ratio) as usize);
            let dropped: BTreeSet<FlipId> = dropped.into_iter().collect();
            for (id, mark) in &pending {
                for vector in 0..3 {
                    // Of flips at the cut itself, some may go.
                    let is_above = scores[mark.0 as usize][vector] > cuts[vector];
                    prop_assert!(!(is_above && dropped.contains(id)), "{:?} {}", id, vector);
                }
            }
        }
    }

    #[test]
    fn flips_with_the_same_features_are_dropped_alike() {
        let pending = flips(&[0, 1, 0, 1, 0, 1]);
        let scores: Vec<Box<[f64]>> = vec![Box::new([-0.5]), Box::new([0.5])];
        let Selected { dropped, cuts } = lowest(&pending, &scores, 0.5, 1, &mut Draws::new(1));
        assert_eq!(dropped, [FlipId(0), FlipId(2), FlipId(4)]);
        assert_eq!(cuts, [0.5]);
    }

    fn scorer(features: Vec<Condition>, vectors: Vec<Vec<f64>>) -> Scorer {
        Scorer::new(Arc::new(Scoring {
            status: SelectionStatus::default(),
            features,
            vectors,
            ratio: 0.5,
            interval: RoundLength::Paths(1),
            least_flips: 0,
            test_features: 100,
            marks: 100,
            seed: 1,
            findings: Mutex::default(),
        }))
    }

    fn byte(first: u32, value: u64) -> Condition {
        Condition::In { first, bytes: 1, values: vec![(value, value)] }
    }

    /// What follows from several conditions counts, and so does what follows from the value of a word.
    #[test]
    fn a_path_has_the_features_that_it_implies() {
        let mut pool = Pool::new();
        let word = Condition::In { first: 4, bytes: 4, values: vec![(0x4142, 0x4142)] };
        let mut scorer = scorer(
            vec![byte(0, 7), byte(5, 0x41), word, byte(1, 1)],
            vec![vec![0.5, 0.25, 0.125, 1.0], vec![-1.0, 0.0, 0.0, 0.0]],
        );
        let (a, at_least, at_most) = (pool.input(0, 1), pool.constant(8, 7), pool.constant(8, 8));
        let (first, second) = (pool.ule(at_least, a), pool.ult(a, at_most));
        let mut path = Path::default();
        let half = scorer.mark(&mut pool, &path, Mark::START, first);
        assert_eq!(half, Mark::START, "it may still be any from 7 on");
        path.push(&mut pool, first, secateur_path::ChoiceKey::Side(true));
        let seven = scorer.mark(&mut pool, &path, half, second);
        assert_eq!(*scorer.sets[seven.0 as usize], [0]);
        path.push(&mut pool, second, secateur_path::ChoiceKey::Side(true));
        let (input, value) = (pool.input(4, 4), pool.constant(32, 0x4142));
        let is_value = pool.eq(input, value);
        let both = scorer.mark(&mut pool, &path, seven, is_value);
        assert_eq!(*scorer.sets[both.0 as usize], [0, 1, 2]);
        assert_eq!(*scorer.scores[both.0 as usize], [0.875, -1.0]);
        path.push(&mut pool, is_value, secateur_path::ChoiceKey::Side(true));
        assert_eq!(scorer.mark_of(&mut pool, &path), both);
    }

    /// A condition on two bytes is a feature where it occurs itself.
    #[test]
    fn compound_features_are_found_after_expressions_were_forgotten() {
        let make = |pool: &mut Pool| {
            let (a, b, x) = (pool.input(0, 1), pool.input(1, 1), pool.constant(8, b'x'.into()));
            let (a, b) = (pool.eq(a, x), pool.eq(b, x));
            pool.or(a, b)
        };
        let mut pool = Pool::new();
        let either = make(&mut pool);
        let feature = Condition::of(&mut pool, either).unwrap();
        let mut scorer = scorer(vec![feature], vec![vec![1.0]]);
        let mark = scorer.mark(&mut pool, &Path::default(), Mark::START, either);
        assert_ne!(mark, Mark::START);
        let mut pool = Pool::new();
        pool.input(9, 4);
        scorer.forget();
        let either = make(&mut pool);
        assert_eq!(scorer.mark(&mut pool, &Path::default(), Mark::START, either), mark);
    }
}
