//! Plans rounds, and learns from what they find.
//!
//! After each round, the smallest set of tests that covers all branches so far is determined. The conditions on the
//! paths of these tests are the features; the weights with which their flips were kept, the pruning ratio and the
//! length of their round are drawn more often from then on. Whether a round prunes at all, and in which order it tries
//! flips, are choices that are made again each time by what they have given.
//!
//! Rounds that do not prune go on with one tree, since to start over without pruning would only repeat what is known.
//! Rounds that prune have a tree of their own, which starts with the input of a useful test.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use secateur_explore::{Limits, MakeSelection, Plan, RoundEnd, RoundLength, Rounds, Selection, SelectionStatus};
use secateur_machine::{Event, Machine};
use secateur_program::Program;
use secateur_suite::summary::{LearnedFeatureSummary, LearningSummary, RoundSummary};

use crate::bandit::Bandit;
use crate::condition::Condition;
use crate::cover::{Outcomes, smallest_cover};
use crate::draws::Draws;
use crate::evidence::{InputName, input_names};
use crate::identity::Identity;
use crate::learned::{Learned, LearnedError, LearnedFeature, NamedCondition};
use crate::scorer::{Findings, Scorer, Scoring};
use crate::tuning::Tuning;
use crate::weights::{Known, Way};

/// The ratios among which is drawn, unless the user gives some.
pub const RATIOS: [f64; 3] = [0.2, 0.4, 0.6];
/// The lengths of rounds among which is drawn, as parts of the average length. They are constants because what was
/// learned about each is kept in files.
const LENGTHS: [f64; 4] = [0.4, 0.8, 1.2, 1.6];
/// The orders among which is chosen unless the user names one. The first is that of the first round.
pub const ORDERS: [&str; 4] = ["default", "generational", "random-path", "covnew"];

/// How rounds are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CountedBy {
    /// By the clock.
    #[default]
    Time,
    /// By paths, so that a run with one worker is the same each time.
    Paths,
}

/// What the user wants of learning.
#[derive(Clone, Debug)]
pub struct Options {
    /// Into how many rounds the budget is divided, on average.
    pub rounds: u32,
    /// The shares of the flips that are dropped at a time.
    pub ratios: Vec<f64>,
    /// The seed of all draws.
    pub seed: u64,
    /// How rounds are counted.
    pub by: CountedBy,
    /// The orders among which is chosen.
    pub orders: Vec<String>,
    /// The files of the program, for messages of other runs.
    pub program: Vec<String>,
    /// What another run has learned.
    pub learned: Option<Learned>,
    /// Tuned numbers.
    pub tuning: Tuning,
}

/// Plans the rounds of a run. Copies share what is learned.
#[derive(Clone)]
pub struct Learner(Arc<Mutex<State>>);

struct State {
    options: Options,
    draws: Draws,
    round: u32,
    /// How long a round is on average.
    average: Option<RoundLength>,
    /// The names of input bytes.
    names: BTreeMap<u32, InputName>,
    /// All conditions that ever were features.
    conditions: Vec<Condition>,
    numbers: FxHashMap<Condition, u32>,
    tests: Vec<Test>,
    /// The tests that together cover everything.
    useful: Vec<usize>,
    records: Vec<Record>,
    pruning: Bandit,
    order: Bandit,
    /// What this run starts with, and writes.
    learned: Learned,
    /// How many rounds have pruned.
    pruned_rounds: u32,
    /// The last round had nothing left to try before it was over.
    ran_out: bool,
    summary: LearningSummary,
}

struct Test {
    input: Vec<u8>,
    outcomes: Outcomes,
    features: Vec<u32>,
    /// The round in which it was found, if flips had been dropped, and the vectors that kept its flip.
    found_in: Option<(usize, Vec<u32>)>,
}

/// What a round was given.
struct Record {
    scoring: Arc<Scoring>,
    features: Vec<u32>,
    /// The indices of what was drawn.
    ratio: usize,
    length: usize,
    order: usize,
    prunes: bool,
}

impl Learner {
    /// For a program; refuses what was learned on another one.
    pub fn new(program: &Program, mut options: Options) -> Result<Learner, LearnedError> {
        let identity = Identity::of(program);
        let mut learned = Learned::new(&options.program, identity.clone(), &options.orders);
        let (mut pruning, mut order) = (Bandit::new(2), Bandit::new(options.orders.len()));
        if let Some(before) = options.learned.take() {
            before.check(&identity, options.tuning.same_program)?;
            pruning = before.pruning.clone();
            if before.orders == options.orders {
                order = before.order.clone();
            }
            let Learned { features, ratios, lengths, .. } = before;
            learned = Learned { features, ratios, lengths, ..learned };
        }
        Ok(Learner(Arc::new(Mutex::new(State {
            draws: Draws::new(options.seed),
            round: 0,
            average: None,
            names: BTreeMap::new(),
            conditions: Vec::new(),
            numbers: FxHashMap::default(),
            tests: Vec::new(),
            useful: Vec::new(),
            records: Vec::new(),
            pruning,
            order,
            learned,
            pruned_rounds: 0,
            ran_out: false,
            summary: LearningSummary::default(),
            options,
        }))))
    }

    /// What was learned so far, as the text of `learned.json`.
    pub fn learned(&self) -> String {
        self.state().result().text()
    }

    /// The course of the run and what was learned, for people.
    pub fn summary(&self) -> LearningSummary {
        self.state().summarise()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rounds for Learner {
    fn next(&mut self, machine: &mut Machine, left: &Limits) -> Plan {
        self.state().next(machine, left)
    }

    fn ended(&mut self, machine: &mut Machine, round: &RoundEnd) {
        self.state().ended(machine, round);
    }
}

impl State {
    fn next(&mut self, machine: &mut Machine, left: &Limits) -> Plan {
        self.round += 1;
        let average = *self.average.get_or_insert_with(|| average_length(&self.options, left));
        if self.round == 1 && !self.learned.features.is_empty() {
            self.names = names_of_first_path(machine);
        }
        let weights = self.weights();
        let features = self.features(&weights);
        let prunes = self.prunes(!features.is_empty());
        let features = if prunes { features } else { Vec::new() };
        let only_explores = self.learned.features.is_empty() && self.pruned_rounds < self.options.tuning.explore_rounds;
        let tuning = &self.options.tuning;
        let count = if prunes { tuning.vectors } else { 0 };
        let vectors: Vec<Vec<f64>> = (0..count)
            .map(|_| {
                let way = Way::draw(&mut self.draws, only_explores);
                let known = |feature: &u32| weights.get(feature).copied().unwrap_or_default();
                features.iter().map(|feature| way.weight(&known(feature), &mut self.draws, tuning)).collect()
            })
            .collect();
        let (ratio, length) = self.ratio_and_length(only_explores);
        let order = if self.round == 1 { 0 } else { self.order.choose(&mut self.draws, &self.options.tuning) };
        let length_drawn = scaled(average, LENGTHS[length]);
        let scoring = Arc::new(Scoring {
            status: SelectionStatus {
                round: self.round,
                rounds: self.options.rounds.max(self.round),
                features: features.len() as u64,
                kept: 1.0,
            },
            features: features.iter().map(|feature| self.conditions[*feature as usize].clone()).collect(),
            vectors,
            ratio: self.options.ratios[ratio],
            interval: scaled(length_drawn, 1.0 / f64::from(self.options.tuning.passes)),
            least_flips: self.options.tuning.least_flips,
            test_features: self.options.tuning.test_features,
            marks: self.options.tuning.marks,
            seed: self.draws.seed(),
            findings: Mutex::default(),
        });
        let first_input = if prunes { self.first_input() } else { Vec::new() };
        self.pruned_rounds += u32::from(prunes);
        self.records.push(Record { scoring: Arc::clone(&scoring), features, ratio, length, order, prunes });
        let make: MakeSelection =
            Arc::new(move || -> Box<dyn Selection> { Box::new(Scorer::new(Arc::clone(&scoring))) });
        Plan {
            order: self.options.orders[order].clone(),
            seed: self.draws.seed(),
            length: length_drawn,
            resumes: !prunes,
            first_input,
            selection: make,
            is_last: false,
        }
    }

    /// Whether the next round prunes. The first does not, unless another run has learned what to prune.
    fn prunes(&mut self, has_features: bool) -> bool {
        let may = has_features && !self.ran_out && (self.round > 1 || !self.learned.features.is_empty());
        // What pruning gives is known only once it was tried.
        may && (self.pruned_rounds == 0 || self.pruning.choose(&mut self.draws, &self.options.tuning) == 1)
    }

    /// The ratio and the length of the next round: in proportion to the useful tests that each has led to.
    fn ratio_and_length(&mut self, only_explores: bool) -> (usize, usize) {
        let (ratios, lengths) = if only_explores {
            (vec![1.0; self.options.ratios.len()], vec![1.0; LENGTHS.len()])
        } else {
            let weights = |counts: Vec<(f64, f64)>| counts.iter().map(|(_, count)| count + 1.0).collect::<Vec<_>>();
            (weights(self.ratio_counts()), weights(self.length_counts()))
        };
        (self.draws.choose(&ratios).unwrap_or(0), self.draws.choose(&lengths).unwrap_or(0))
    }

    /// How many useful tests each ratio has led to.
    fn ratio_counts(&self) -> Vec<(f64, f64)> {
        self.counts(&self.options.ratios, &self.learned.ratios, |record| record.ratio)
    }

    fn length_counts(&self) -> Vec<(f64, f64)> {
        self.counts(&LENGTHS, &self.learned.lengths, |record| record.length)
    }

    fn counts(&self, values: &[f64], before: &[(f64, f64)], of: impl Fn(&Record) -> usize) -> Vec<(f64, f64)> {
        let before = |value: f64| before.iter().find(|(known, _)| *known == value).map_or(0.0, |(_, count)| *count);
        let mut counts: Vec<(f64, f64)> = values.iter().map(|value| (*value, before(*value))).collect();
        for (round, _) in self.useful.iter().filter_map(|test| self.tests[*test].found_in.as_ref()) {
            counts[of(&self.records[*round])].1 += 1.0;
        }
        counts
    }

    /// What is known of the weight of each feature: the weights in the vectors that have kept the flips of useful
    /// tests.
    fn weights(&mut self) -> BTreeMap<u32, Known> {
        let mut weights: BTreeMap<u32, Known> = BTreeMap::new();
        for LearnedFeature { condition, weight } in self.learned.features.clone() {
            if let Some(condition) = condition.resolve(&self.names) {
                weights.entry(self.number(condition)).or_default().merge(weight);
            }
        }
        for (round, credited) in self.useful.iter().filter_map(|test| self.tests[*test].found_in.as_ref()) {
            let Record { scoring, features, .. } = &self.records[*round];
            for vector in credited {
                for (feature, weight) in features.iter().zip(&scoring.vectors[*vector as usize]) {
                    weights.entry(*feature).or_default().add(*weight);
                }
            }
        }
        weights
    }

    /// The features of the next round: those of useful tests, and those that another run has found useful. If they are
    /// too many, those of the fewest tests, which say the most, are taken.
    fn features(&self, weights: &BTreeMap<u32, Known>) -> Vec<u32> {
        let mut tests: BTreeMap<u32, usize> = BTreeMap::new();
        for test in &self.useful {
            self.tests[*test].features.iter().for_each(|feature| *tests.entry(*feature).or_default() += 1);
        }
        // A feature that all of them have tells no flips apart that lead to such tests.
        tests.retain(|_, count| *count < self.useful.len() || *count == 1);
        weights.keys().for_each(|feature| *tests.entry(*feature).or_default() += 0);
        let mut features: Vec<(usize, u32)> = tests.into_iter().map(|(feature, count)| (count, feature)).collect();
        features.sort_unstable();
        features.truncate(self.options.tuning.features);
        let mut features: Vec<u32> = features.into_iter().map(|(_, feature)| feature).collect();
        features.sort_unstable();
        features
    }

    /// The input of any useful test, or the one of zero bytes.
    fn first_input(&mut self) -> Vec<u8> {
        let drawn = self.draws.index(self.useful.len() + 1);
        self.useful.get(drawn).map_or_else(Vec::new, |test| self.tests[*test].input.clone())
    }

    fn number(&mut self, condition: Condition) -> u32 {
        let new = self.conditions.len() as u32;
        let number = *self.numbers.entry(condition.clone()).or_insert(new);
        if number == new {
            self.conditions.push(condition);
        }
        number
    }

    fn ended(&mut self, machine: &mut Machine, round: &RoundEnd) {
        let Some(record) = self.records.last() else { return };
        let (index, scoring) = (self.records.len() - 1, Arc::clone(&record.scoring));
        let Findings { tests, passes, compared, kept, lookups, nanoseconds } = std::mem::take(&mut *scoring.findings());
        for test in tests {
            let outcomes = test.outcomes(machine);
            self.names.extend(test.names);
            let features = test.features.into_iter().map(|feature| self.number(feature)).collect();
            let found_in = test.was_pruned.then_some((index, test.credited));
            self.tests.push(Test { input: test.input, outcomes, features, found_in });
        }
        self.useful = smallest_cover(&self.tests.iter().map(|test| &test.outcomes).collect::<Vec<_>>());
        let Some(record) = self.records.last() else { return };
        let cost = self.average.map_or(1.0, |average| part_of(round, average));
        // What anybody finds first says nothing about what is best later.
        if self.round > 1 {
            let (found, tuning) = (round.newly_covered as f64, &self.options.tuning);
            self.pruning.record(usize::from(record.prunes), found, cost, tuning);
            self.order.record(record.order, found, cost, tuning);
        }
        self.ran_out = cost < 0.5 * LENGTHS[record.length];
        self.summary.rounds.push(RoundSummary {
            order: self.options.orders[record.order].clone(),
            prunes: record.prunes,
            ratio: if record.prunes { scoring.ratio } else { 0.0 },
            length: LENGTHS[record.length],
            paths: round.paths,
            branches: round.branches,
            newly_covered: round.newly_covered,
            features: scoring.features.len() as u64,
            dropped: round.dropped,
            kept: if compared == 0 { 1.0 } else { kept as f64 / compared as f64 },
            useful_tests: self.useful.len() as u64,
        });
        self.summary.passes += passes;
        self.summary.compared += compared;
        self.summary.lookups += lookups;
        *self.summary.comparing_time.get_or_insert_default() += nanoseconds as f64 / 1e9;
    }

    /// What this run has learned, and what it was given.
    fn result(&mut self) -> Learned {
        let weights = self.weights();
        let current = self.features(&weights);
        let mut features = Vec::new();
        for feature in &current {
            if let Some(condition) = NamedCondition::of(&self.conditions[*feature as usize], &self.names) {
                let weight = weights.get(feature).copied().unwrap_or_default();
                features.push(LearnedFeature { condition, weight });
            }
        }
        // Those that were given and do not apply here are kept for the next run.
        let unresolved =
            self.learned.features.iter().filter(|feature| feature.condition.resolve(&self.names).is_none());
        features.extend(unresolved.cloned());
        Learned {
            features,
            ratios: self.ratio_counts(),
            lengths: self.length_counts(),
            pruning: self.pruning.clone(),
            order: self.order.clone(),
            ..self.learned.clone()
        }
    }

    fn summarise(&mut self) -> LearningSummary {
        let weights = self.weights();
        let name = |first: u32, bytes: u8| input_name(&self.names, first, bytes);
        let features = weights.iter().map(|(feature, known)| LearnedFeatureSummary {
            text: self.conditions[*feature as usize].describe(&name),
            weight: known.mean,
            deviation: known.deviation(),
            uses: known.count as u64,
        });
        let mut features: Vec<LearnedFeatureSummary> = features.collect();
        features.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.text.cmp(&b.text)));
        LearningSummary { features, ..self.summary.clone() }
    }
}

/// `byte 0 of stdin`, `bytes 4 to 7 of x`, `x`.
fn input_name(names: &BTreeMap<u32, InputName>, first: u32, bytes: u8) -> String {
    let found = names.range(..=first).next_back();
    let Some((start, name)) = found.filter(|(start, name)| first - **start < name.bytes) else {
        return format!("input byte {first}");
    };
    let offset = first - start;
    match bytes {
        _ if offset == 0 && u32::from(bytes) == name.bytes => name.text.clone(),
        1 => format!("byte {offset} of {}", name.text),
        _ => format!("bytes {offset} to {} of {}", offset + u32::from(bytes) - 1, name.text),
    }
}

/// The names of the inputs that the path of the input of zero bytes reads.
fn names_of_first_path(machine: &mut Machine) -> BTreeMap<u32, InputName> {
    const MOST: u64 = 100_000_000;
    // It is a known path only once a round has followed it.
    let first = machine.aside(|machine| {
        machine.is_concrete = true;
        let mut state = machine.start(Vec::new());
        while state.instructions < MOST {
            match machine.run(&mut state, 1 << 20) {
                Event::Decision(decision) => machine.take(&mut state, &decision.chosen),
                Event::Pause if !machine.is_halted() => {}
                Event::Pause | Event::End(_) => break,
            }
        }
        machine.is_concrete = false;
        input_names(&state)
    });
    first.result
}

/// How long a round is on average: the budget, divided by the number of rounds.
fn average_length(options: &Options, left: &Limits) -> RoundLength {
    let rounds = options.rounds.max(1);
    match options.by {
        CountedBy::Time => {
            let budget = left.time.map(|time| (time / rounds).max(Duration::from_millis(1)));
            RoundLength::Time(budget.unwrap_or(options.tuning.round_time))
        }
        CountedBy::Paths => {
            let budget = left.paths.map(|paths| (paths / u64::from(rounds)).max(1));
            RoundLength::Paths(budget.unwrap_or(options.tuning.round_paths))
        }
    }
}

fn scaled(length: RoundLength, by: f64) -> RoundLength {
    match length {
        RoundLength::Time(time) => RoundLength::Time(time.mul_f64(by)),
        RoundLength::Paths(paths) => RoundLength::Paths(((paths as f64 * by).round() as u64).max(1)),
    }
}

/// What a round has taken, in rounds of average length.
fn part_of(round: &RoundEnd, average: RoundLength) -> f64 {
    match average {
        RoundLength::Time(time) => round.time.as_secs_f64() / time.as_secs_f64().max(1e-9),
        RoundLength::Paths(paths) => round.paths as f64 / paths.max(1) as f64,
    }
}
