//! The search for an invariant: explores a round of the loop from the candidate, learns from what is wrong, repeats.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use secateur_effects::Point;
use secateur_explore::{Judge, NestedEnd, PathAt, Random, explore_nested};
use secateur_expr::{Expr, Valuation};
use secateur_machine::{BugKind, End, Footprint, LiveSlots, Location, Machine, State};
use secateur_solver::{Answer, Solver};

use super::Head;
use super::candidate::{Candidate, Hopeless, Root};
use super::learning::{Lesson, SampleValues, generalise, over_fields};
use super::samples::{Course, Round, Sample, run_round, starts_alike};
use crate::clauses::Clauses;
use crate::credit::meter;
use crate::interpolant::{Satisfied, Witnesses};
use crate::interpolation::Interpolation;
use crate::tuning::Tuning;

/// The search for one invariant.
pub(crate) struct Proof {
    candidate: Candidate,
    live: Rc<dyn LiveSlots>,
    samples: Vec<Sample>,
    values: SampleValues,
    tuning: Tuning,
    budget: u64,
    random: Random,
    /// What samples hold.
    seen: FxHashSet<Vec<Option<u64>>>,
    /// Rounds from samples that lead to states which the candidate does not allow: the sample, and what is read.
    replays: Vec<(usize, Vec<u8>)>,
}

impl Proof {
    /// `None` if a check is on that looks at more than what locations hold.
    pub(crate) fn new(
        machine: &mut Machine,
        head: &Head<'_>,
        samples: Vec<Sample>,
        live: Rc<dyn LiveSlots>,
        tuning: &Tuning,
        budget: u64,
    ) -> Option<Proof> {
        let options = machine.options();
        if options.check_leak || options.checks(BugKind::Uninitialised) {
            return None;
        }
        let candidate = Candidate::new(machine, head, &live, tuning);
        let is_alike = |sample: &Sample| head.state.is_alike(&sample.state, &Footprint::default());
        let is_usable = |sample: &Sample| {
            is_alike(sample)
                && sample.state.has_allocated_as(head.state)
                && starts_alike(&sample.input, head.input, head.state)
        };
        let samples = samples.into_iter().filter(is_usable);
        Some(Proof {
            samples: samples.collect(),
            candidate,
            live,
            values: SampleValues::default(),
            tuning: tuning.clone(),
            budget,
            random: Random::new(0),
            replays: Vec::new(),
            seen: FxHashSet::default(),
        })
    }

    pub(crate) fn into_samples(self) -> Vec<Sample> {
        self.samples
    }

    /// Looks for an invariant; returns what it says about the locations that change.
    pub(crate) fn find(&mut self, machine: &mut Machine, solver: &mut Solver) -> Option<Clauses> {
        self.search(machine, solver).ok()
    }

    fn search(&mut self, machine: &mut Machine, solver: &mut Solver) -> Result<Clauses, Hopeless> {
        for index in 0..self.samples.len() {
            let state = self.samples[index].state.clone();
            self.candidate.add_differences(machine, &state)?;
        }
        self.simulate(machine, solver)?;
        for _ in 0..self.tuning.invariant_rounds {
            let root = self.candidate.root(machine)?;
            let interpolant = self.candidate.interpolant(machine, &root)?;
            let mut nested = Interpolation::for_proof(machine, Rc::clone(&self.live), &self.tuning);
            nested.assume_proved(interpolant);
            machine.address_selectors = root.selectors(&self.candidate);
            let input = root.input.clone();
            let state = root.state.clone();
            let mut judge = Lessons {
                root: &root,
                candidate: &mut self.candidate,
                samples: &mut self.values,
                learned: Vec::new(),
                replays: Vec::new(),
                seen: FxHashSet::default(),
                is_new: false,
                counterexamples: 0,
                failed: None,
                budget: &mut self.budget,
                meter: meter(machine, solver, &self.tuning),
                tuning: &self.tuning,
            };
            let end =
                explore_nested(machine, solver, &mut nested, &mut judge, state, input, self.tuning.invariant_slice);
            machine.address_selectors.clear();
            let Lessons { learned, replays, is_new, failed, .. } = judge;
            if failed.is_some() || (end == NestedEnd::Stopped && !is_new) || self.budget == 0 {
                return Err(Hopeless);
            }
            if end == NestedEnd::Complete && !is_new {
                return self.check_head(machine, solver, &root);
            }
            if !is_new {
                return Err(Hopeless);
            }
            self.candidate.relations.extend(learned);
            self.replays = replays;
            self.simulate(machine, solver)?;
        }
        Err(Hopeless)
    }

    /// The state at the head itself must be one of those that were explored.
    fn check_head(&mut self, machine: &mut Machine, solver: &mut Solver, root: &Root) -> Result<Clauses, Hopeless> {
        let interpolant = self.candidate.interpolant(machine, root)?;
        let head = self.candidate.head().clone();
        let before = machine.guide.input().to_vec();
        machine.follow(self.candidate.input().to_vec());
        let path = PathAt { number: 0, from: None, state: &head, input: self.candidate.input() };
        let (mut values, mut witnesses) = (Valuation::default(), Witnesses::new(&self.tuning));
        let satisfied = interpolant.compare(machine, solver, &mut values, &mut witnesses, &path);
        machine.follow(before);
        match satisfied {
            Satisfied::Yes(_) => self.candidate.clauses(machine),
            Satisfied::No { .. } => Err(Hopeless),
        }
    }

    /// Runs rounds with random input from samples, for more samples.
    fn simulate(&mut self, machine: &mut Machine, solver: &mut Solver) -> Result<(), Hopeless> {
        self.refresh(machine)?;
        let rounds = machine.aside(|machine| self.run_rounds(machine, solver));
        let sampled = std::mem::take(&mut self.values.evaluated) * self.tuning.invariant_sample_work;
        self.budget = self.budget.saturating_sub(rounds.instructions + sampled);
        rounds.result?;
        self.refresh(machine)?;
        self.drop_broken(machine);
        Ok(())
    }

    /// Drops the relations that a sample breaks.
    fn drop_broken(&mut self, machine: &Machine) {
        let Proof { candidate, values, .. } = self;
        let mut relations = std::mem::take(&mut candidate.relations);
        relations.retain(|relation| values.satisfy(&machine.pool, relation));
        candidate.relations = relations;
    }

    fn run_rounds(&mut self, machine: &mut Machine, solver: &mut Solver) -> Result<(), Hopeless> {
        for (sample, fresh) in std::mem::take(&mut self.replays) {
            let round = self.run_from(machine, solver, sample, Course::Fixed(&fresh))?;
            self.add_sample(machine, round)?;
        }
        let mut random = Random::new(self.random.number());
        let mut kinds = self.kinds(machine);
        let mut many = 2 * kinds.len();
        for _ in 0..self.tuning.invariant_simulated {
            let fields = self.candidate.fields.len();
            let cost = self.tuning.path_work + fields as u64 * self.tuning.clause_work;
            self.budget = self.budget.saturating_sub(cost);
            if machine.is_halted() || kinds.is_empty() || self.budget == 0 {
                return Err(Hopeless);
            }
            let alike = &kinds[random.index(kinds.len())];
            let sample = alike[random.index(alike.len())];
            let round = self.run_from(machine, solver, sample, Course::Random(&mut random))?;
            let is_new = self.add_sample(machine, round)?;
            if is_new || self.candidate.fields.len() != fields {
                // Often what was just found leads to more that is new.
                kinds.push(vec![self.values.lines.len() - 1]);
            }
            if kinds.len() >= many {
                kinds = self.kinds(machine);
                many = 2 * kinds.len();
            }
        }
        Ok(())
    }

    /// The samples in groups that agree in what relations are about, so that rare ones are not lost among the others.
    fn kinds(&self, machine: &Machine) -> Vec<Vec<usize>> {
        let conditions: Vec<Expr> = self.candidate.relations.iter().flatten().copied().collect();
        let relevant: FxHashSet<u32> = machine.pool.holes_of_all(&conditions).into_iter().collect();
        let columns: Vec<usize> =
            (0..self.values.holes.len()).filter(|column| relevant.contains(&self.values.holes[*column])).collect();
        let mut kinds: BTreeMap<Vec<Option<u64>>, Vec<usize>> = BTreeMap::new();
        for (index, line) in self.values.lines.iter().enumerate() {
            kinds.entry(columns.iter().map(|column| line[*column]).collect()).or_default().push(index);
        }
        kinds.into_values().collect()
    }

    fn run_from(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        sample: usize,
        course: Course<'_>,
    ) -> Result<Round, Hopeless> {
        let line = self.values.lines.get(sample).ok_or(Hopeless)?;
        let fields = self.candidate.fields.keys().zip(line);
        let contents: Vec<(Location, u64)> =
            fields.filter_map(|(location, value)| Some((*location, (*value)?))).collect();
        Ok(run_round(machine, solver, &self.candidate, &contents, course))
    }

    /// Adds the state to which a round came back. Returns whether it is new.
    fn add_sample(&mut self, machine: &mut Machine, round: Round) -> Result<bool, Hopeless> {
        let state = match round {
            Round::Bug => return Err(Hopeless),
            Round::Over => return Ok(false),
            Round::Back(state) => state,
        };
        if !state.has_allocated_as(self.candidate.head()) {
            return Err(Hopeless);
        }
        let sample = Sample { state: *state, input: machine.guide.input().into() };
        if self.candidate.add_differences(machine, &sample.state)? {
            self.samples.push(sample);
            self.refresh(machine)?;
            return Ok(true);
        }
        let values = self.candidate.values_in(machine, &sample);
        let is_new = self.seen.insert(values.clone());
        if is_new {
            self.candidate.allow(&values)?;
            self.values.lines.push(values);
            self.samples.push(sample);
        }
        Ok(is_new)
    }

    /// Brings everything up to date after the fields have changed.
    fn refresh(&mut self, machine: &mut Machine) -> Result<(), Hopeless> {
        self.candidate.add_unknown(machine)?;
        let head = Sample { state: self.candidate.head().clone(), input: self.candidate.input().clone() };
        let holes = self.candidate.holes(machine);
        if holes == self.values.holes && !self.values.lines.is_empty() {
            return Ok(());
        }
        let samples = self.samples.iter().chain([&head]);
        let lines = samples.map(|sample| self.candidate.values_in(machine, sample)).collect();
        let evaluated = self.values.evaluated;
        self.values = SampleValues::new(holes, lines);
        self.values.evaluated = evaluated;
        self.seen = self.values.lines.iter().cloned().collect();
        if self.samples.is_empty() {
            self.samples.push(head);
        }
        self.values.lines.iter().try_for_each(|line| self.candidate.allow(line))
    }
}

/// Learns from the paths of one round.
struct Lessons<'a> {
    root: &'a Root,
    candidate: &'a mut Candidate,
    samples: &'a mut SampleValues,
    /// The new relations.
    learned: Vec<Vec<Expr>>,
    /// Rounds from samples to states that the candidate does not allow.
    replays: Vec<(usize, Vec<u8>)>,
    seen: FxHashSet<Vec<Expr>>,
    /// Something was learned, so that there is a reason for another round.
    is_new: bool,
    counterexamples: usize,
    /// Why there is no invariant that could be found here.
    failed: Option<Hopeless>,
    budget: &'a mut u64,
    /// What machine and solver had done when the budget was last looked at.
    meter: u64,
    tuning: &'a Tuning,
}

impl Lessons<'_> {
    fn fail(&mut self) {
        self.failed = Some(Hopeless);
    }

    fn is_head(&self, state: &State) -> bool {
        let head = &self.root.state;
        state.instructions > head.instructions
            && Point::of(state) == Point::of(head)
            && head.is_alike(state, &Footprint::default())
    }

    /// The conditions of a path since the root.
    fn conditions(&self, state: &State) -> Vec<Expr> {
        let first = self.root.state.path.len() as u32;
        let mut conditions: Vec<Expr> = state
            .path
            .decided()
            .take_while(|decided| decided.decision >= first)
            .map(|decided| decided.condition)
            .collect();
        conditions.reverse();
        conditions
    }

    /// Learns a relation from conditions that hold on a counterexample with this input.
    fn learn(&mut self, machine: &mut Machine, conditions: &[Expr], input: &[u8]) -> Lesson {
        self.counterexamples += 1;
        let conditions = over_fields(machine, self.candidate, self.root, conditions);
        let fresh = self.fresh(input);
        generalise(&machine.pool, self.samples, conditions, fresh)
    }

    /// What a path with this input reads after the root.
    fn fresh<'i>(&self, input: &'i [u8]) -> &'i [u8] {
        input.get(self.root.first as usize + self.root.bytes.len()..).unwrap_or_default()
    }

    fn add(&mut self, relation: Vec<Expr>) {
        if self.seen.insert(relation.clone()) {
            self.is_new = true;
            self.learned.push(relation);
        }
    }

    /// Learns from a path that must not be.
    fn excludes(&mut self, machine: &mut Machine, path: &PathAt<'_>) {
        if self.is_excluded(machine, path.input) {
            return;
        }
        let conditions = self.conditions(path.state);
        match self.learn(machine, &conditions, path.input) {
            Lesson::Relation(relation) => self.add(relation),
            Lesson::Real(_) | Lesson::Nothing => self.fail(),
        }
    }

    /// Whether a relation that was learned in this round excludes a counterexample already.
    fn is_excluded(&self, machine: &mut Machine, input: &[u8]) -> bool {
        let mut values = Valuation::new(input.to_vec());
        let mut holes: Vec<(u32, u128)> = Vec::new();
        for (location, field) in &self.candidate.fields {
            let Some((value, _)) = machine.value_at(&self.root.state, *location) else { continue };
            let value = value.expr.map_or(value.bits, |expr| values.eval(&machine.pool, expr));
            let Some(hole) = machine.pool.holes(field.hole).first().copied() else { continue };
            holes.push((hole, value.into()));
        }
        let mut values = Valuation::new(self.fresh(input).to_vec());
        holes.into_iter().for_each(|(hole, value)| values.add_hole(hole, value));
        self.learned.iter().any(|relation| relation.iter().all(|condition| values.holds(&machine.pool, *condition)))
    }

    /// A path has come back to the head, with a state that the candidate does not allow.
    fn returns(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> Result<(), Hopeless> {
        if self.candidate.add_differences(machine, path.state)? {
            self.is_new = true;
            return Ok(());
        }
        let mut values = Valuation::new(path.input.to_vec());
        let locations: Vec<Location> = self.candidate.fields.keys().copied().collect();
        for location in locations {
            let Some((value, width)) = machine.value_at(path.state, location) else {
                if let Some(field) = self.candidate.fields.get_mut(&location)
                    && field.values.take().is_some()
                {
                    self.is_new = true;
                }
                continue;
            };
            let now = value.expr.map_or(value.bits, |expr| values.eval(&machine.pool, expr));
            self.is_new |= self.candidate.widen(location, now)?;
            if value.expr.is_some() {
                let content = machine.expr(value, width);
                self.widen_by_models(machine, solver, path, location, content)?;
            }
        }
        if self.is_excluded(machine, path.input) {
            return Ok(());
        }
        for index in (0..self.candidate.relations.len()).rev() {
            if let Some((conditions, input)) = self.breaks(machine, solver, path, index) {
                if self.is_excluded(machine, &input) {
                    continue;
                }
                let mut all = self.conditions(path.state);
                all.extend(conditions);
                match self.learn(machine, &all, &input) {
                    Lesson::Relation(relation) => self.add(relation),
                    // Samples break it, so it was no relation.
                    Lesson::Real(sample) => {
                        self.replays.push((sample, self.fresh(&input).to_vec()));
                        self.is_new = true;
                    }
                    Lesson::Nothing => {
                        self.candidate.relations.remove(index);
                        self.is_new = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Asks for values of a field that are not allowed yet, and allows them.
    fn widen_by_models(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        path: &PathAt<'_>,
        location: Location,
        content: Expr,
    ) -> Result<(), Hopeless> {
        for _ in 0..self.tuning.invariant_models {
            let Some(values) = self.candidate.fields.get(&location).and_then(|field| field.values.as_ref()) else {
                return Ok(());
            };
            let allowed = secateur_expr::Intervals::of(values.iter().map(|value| u128::from(*value)));
            let member = machine.pool.member(content, &allowed);
            let other = machine.pool.not(member);
            if machine.pool.as_const(other) == Some(0) || path.state.path.refutes(&mut machine.pool, other) {
                return Ok(());
            }
            match solver.solve(&mut machine.pool, &path.state.path, other, path.input) {
                Answer::Sat(input) => {
                    let value = Valuation::new(input).eval(&machine.pool, content);
                    self.is_new |= self.candidate.widen(location, value)?;
                }
                Answer::Unsat(_) => return Ok(()),
                Answer::Unknown(_) => return Err(Hopeless),
            }
        }
        Ok(())
    }

    /// Whether a path may break a relation; returns the conditions of the relation there, and an input that does.
    fn breaks(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        path: &PathAt<'_>,
        index: usize,
    ) -> Option<(Vec<Expr>, Vec<u8>)> {
        let relation = self.candidate.relations[index].clone();
        let holes = machine.pool.holes_of_all(&relation);
        let mut contents = rustc_hash::FxHashMap::default();
        for hole in holes {
            let location = machine.holes.location(hole)?;
            let (value, width) = machine.value_at(path.state, location)?;
            contents.insert(hole, machine.expr(value, width));
        }
        let shifted = machine.pool.shift_inputs(&relation, 0, path.state.input_len);
        let here = machine.pool.substitute_all(&shifted, &mut |hole, _| contents.get(&hole).copied());
        let mut goal = machine.pool.bool(true);
        for condition in &here {
            goal = machine.pool.and(goal, *condition);
        }
        if machine.pool.as_const(goal) == Some(0) || path.state.path.refutes(&mut machine.pool, goal) {
            return None;
        }
        if machine.pool.as_const(goal).is_some() {
            return Some((here, path.input.to_vec()));
        }
        match solver.solve(&mut machine.pool, &path.state.path, goal, path.input) {
            Answer::Sat(input) => Some((here, input)),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }
}

impl Judge for Lessons<'_> {
    fn reaches(&mut self, _machine: &mut Machine, path: &PathAt<'_>) -> bool {
        let head = self.candidate.head();
        if !path.state.has_allocated_as(head) {
            self.fail();
            return false;
        }
        let before = self.candidate.touched.len();
        let changed = head.changed_objects(path.state);
        self.candidate.touched.extend(changed);
        self.is_new |= self.candidate.touched.len() > before;
        true
    }

    fn decides(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> bool {
        if !self.is_head(path.state) {
            // Most likely it runs in a loop that does not come to the head.
            let is_long = path.state.path.len() - self.root.state.path.len() > self.tuning.invariant_decisions;
            if is_long {
                self.excludes(machine, path);
            }
            return !is_long;
        }
        if self.returns(machine, solver, path).is_err() {
            self.fail();
        }
        false
    }

    fn ends(&mut self, machine: &mut Machine, path: &PathAt<'_>, end: &End) -> bool {
        match end {
            End::Exit(_) | End::Assumed => true,
            End::Bug(_) => {
                self.excludes(machine, path);
                false
            }
            _ => {
                self.fail();
                false
            }
        }
    }

    fn goes_on(&mut self, machine: &Machine, solver: &Solver) -> bool {
        let now = meter(machine, solver, self.tuning);
        let sampled = std::mem::take(&mut self.samples.evaluated) * self.tuning.invariant_sample_work;
        *self.budget = self.budget.saturating_sub(now.saturating_sub(self.meter) + sampled);
        self.meter = now;
        *self.budget > 0 && self.failed.is_none() && self.counterexamples < self.tuning.invariant_counterexamples
    }
}
