//! Looks for bugs while a proof takes its time.
//!
//! Depth-first order suits proofs, but changes what comes last first: a bug that needs certain requests in a row is
//! found when nearly everything else is done. So part of the work goes to a search of its own, in programs with a
//! loop. It takes a state that some path has at the head of the loop, and explores one round from there, as proofs do;
//! the states in which the round ends are next. States that agree in all that a round depends on count as the same:
//! the interpolants of rounds say what that is, and what they turn out to depend on later is told apart from then on.
//!
//! First come states with a value that no state had at that location before, then those with two values that no state
//! had together. So the search goes through the modes of a device, say, and hardly through their combinations.
//!
//! What it skips is not accounted for. But a bug that it meets is on a real path, and its input is run natively, too.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::Point;
use secateur_explore::{Judge, PathAt, explore_nested};
use secateur_expr::Intervals;
use secateur_machine::{End, Footprint, LiveSlots, Location, Machine, State};
use secateur_solver::Solver;

use crate::clauses::{Clauses, Core};
use crate::credit::meter;
use crate::interpolant::Interpolant;
use crate::interpolation::Interpolation;
use crate::tuning::Tuning;

/// A state to start a round from.
#[derive(Clone)]
struct Start {
    state: State,
    input: Arc<[u8]>,
}

/// The search for bugs through the rounds of one loop.
pub(crate) struct Scout {
    /// Holds what is known of the states at the head, while no round is explored.
    rounds: Option<Box<Interpolation>>,
    /// What was done so far, in the unit of `credit.rs`.
    pub work: u64,
}

/// The states that paths had at the head of a loop.
pub(crate) struct Heads {
    head: Point,
    /// The locations that rounds depend on, each with its hole.
    fields: Vec<(Location, u32)>,
    values: FxHashMap<u32, FxHashSet<u64>>,
    pairs: FxHashSet<((u32, u64), (u32, u64))>,
    known: FxHashSet<Vec<(u32, u64)>>,
    new_values: VecDeque<Start>,
    new_pairs: Vec<Start>,
    others: VecDeque<Start>,
    /// The states from which a round was explored since a location was added.
    explored: Vec<Start>,
    most_fields: usize,
    most_values: usize,
}

impl Scout {
    /// A search that begins where the program first decides.
    pub(crate) fn new(
        machine: &Machine,
        live: Rc<dyn LiveSlots>,
        tuning: &Tuning,
        head: Point,
        state: State,
        input: Arc<[u8]>,
    ) -> Scout {
        let mut rounds = Interpolation::for_proof(machine, live, tuning);
        let mut heads = Heads {
            head,
            fields: Vec::new(),
            values: FxHashMap::default(),
            pairs: FxHashSet::default(),
            known: FxHashSet::default(),
            new_values: VecDeque::new(),
            new_pairs: Vec::new(),
            others: VecDeque::new(),
            explored: Vec::new(),
            most_fields: tuning.scout_fields,
            most_values: tuning.scout_values,
        };
        heads.new_values.push_back(Start { state, input });
        rounds.heads = Some(heads);
        Scout { rounds: Some(Box::new(rounds)), work: 0 }
    }

    /// Explores from the most promising state, with at most so much work; returns the input of a bug, if it meets one.
    pub(crate) fn explore(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        budget: u64,
        tuning: &Tuning,
    ) -> Option<Vec<u8>> {
        let mut rounds = self.rounds.take()?;
        let start = rounds.heads.as_mut().and_then(Heads::next)?;
        let fields = rounds.heads.as_ref().map(|heads| heads.fields.len());
        let Start { state, input } = start.clone();
        let before = meter(machine, solver, tuning);
        let mut judge = Bugs { found: None, left: budget, meter: before, tuning };
        let slice = tuning.invariant_slice;
        explore_nested(machine, solver, &mut *rounds, &mut judge, state, input.to_vec(), slice);
        self.work = self.work.saturating_add(budget - judge.left);
        // The next round has a tree of its own, with the same numbers of nodes.
        rounds.drop_nodes();
        if let Some(heads) = &mut rounds.heads {
            heads.explored.push(start);
            if Some(heads.fields.len()) != fields {
                // Some states were taken for the same that are not.
                heads.new_values.extend(heads.explored.drain(..));
                rounds.drop_interpolants();
            }
        }
        self.rounds = Some(rounds);
        judge.found
    }

    /// Ends the search: expressions and states are forgotten, or memory is short.
    pub(crate) fn forget(&mut self) {
        self.rounds = None;
    }
}

impl Heads {
    fn next(&mut self) -> Option<Start> {
        self.new_values.pop_front().or_else(|| self.new_pairs.pop()).or_else(|| self.others.pop_front())
    }

    /// A path of a round has come to a decision. If that is the head, its state is noted; returns what makes other
    /// states equal to it, as far as this search is concerned.
    pub(crate) fn arrives(&mut self, machine: &mut Machine, path: &PathAt<'_>) -> Option<Interpolant> {
        path.from?;
        if Point::of(path.state) != self.head {
            return None;
        }
        let mut holds = Vec::with_capacity(self.fields.len());
        let mut clauses = Clauses::default();
        for (location, hole) in &self.fields {
            // What is not concrete differs from path to path, and hardly ever is a mode.
            if let Some((value, _)) = machine.value_at(path.state, *location)
                && let Some(bits) = value.as_concrete()
            {
                holds.push((*hole, bits));
                // A set of one value is never empty.
                let _ = clauses.restrict(*hole, Core::new(), &Intervals::one(bits.into()));
            }
        }
        self.add(&holds, path);
        let footprint = Rc::new(Footprint::default());
        Some(Interpolant::new(machine, 0, clauses, footprint, path.state.clone(), 1))
    }

    fn add(&mut self, holds: &[(u32, u64)], path: &PathAt<'_>) {
        if !self.known.insert(holds.to_vec()) {
            return;
        }
        let start = Start { state: path.state.clone(), input: Arc::clone(path.input) };
        let mut has_new_value = false;
        let mut has_new_pair = false;
        for (hole, value) in holds {
            let known = self.values.entry(*hole).or_default();
            has_new_value |= known.len() < self.most_values && known.insert(*value);
        }
        // What has many values is a number, not a mode.
        let modes: Vec<(u32, u64)> =
            holds.iter().copied().filter(|(hole, _)| self.values[hole].len() < self.most_values).collect();
        for (index, one) in modes.iter().enumerate() {
            for other in &modes[..index] {
                has_new_pair |= self.pairs.insert((*other, *one));
            }
        }
        match (has_new_value, has_new_pair) {
            (true, _) => self.new_values.push_back(start),
            (false, true) => self.new_pairs.push(start),
            (false, false) => self.others.push_back(start),
        }
    }

    /// Notes which locations a round depends on.
    pub(crate) fn depends_on(&mut self, machine: &Machine, clauses: &Clauses) {
        for hole in clauses.holes(&machine.pool) {
            let is_known = self.fields.iter().any(|(_, known)| *known == hole);
            if let Some(location) = machine.holes.location(hole)
                && !is_known
                && self.fields.len() < self.most_fields
            {
                self.fields.push((location, hole));
            }
        }
    }
}

/// Stops at a bug.
struct Bugs<'a> {
    found: Option<Vec<u8>>,
    /// How much more work may be done, and what machine and solver had done when this was last looked at.
    left: u64,
    meter: u64,
    tuning: &'a Tuning,
}

impl Judge for Bugs<'_> {
    fn reaches(&mut self, _machine: &mut Machine, _path: &PathAt<'_>) -> bool {
        true
    }

    fn decides(&mut self, _machine: &mut Machine, _solver: &mut Solver, _path: &PathAt<'_>) -> bool {
        true
    }

    fn ends(&mut self, _machine: &mut Machine, path: &PathAt<'_>, end: &End) -> bool {
        if matches!(end, End::Bug(_)) {
            self.found = Some(path.input.to_vec());
        }
        matches!(end, End::Exit(_) | End::Assumed)
    }

    fn goes_on(&mut self, machine: &Machine, solver: &Solver) -> bool {
        let now = meter(machine, solver, self.tuning);
        self.left = self.left.saturating_sub(now.saturating_sub(self.meter));
        self.meter = now;
        self.found.is_none() && self.left > 0
    }
}
