//! Proves loops by induction, whatever the number of rounds.
//!
//! A driver or a protocol that serves requests for ever has too many states to explore each of them. But what makes it
//! correct is usually simple: a few relations between its variables that every round preserves. Such an invariant is
//! looked for where paths come to the same point again and again:
//!
//! 1. *Samples* are states that paths had there (`samples.rs`): those seen by the exploration, and more by running
//!    rounds with random input.
//! 2. The *candidate* (`candidate.rs`) says which locations change between rounds, which values each of them has, and
//!    relations between them. At first there are no relations.
//! 3. The *proof* (`proof.rs`) explores one round from a state in which these locations are input, restricted by the
//!    candidate. If every path ends without a bug or returns to a state that satisfies the candidate, then so does
//!    every path of the program from there on.
//! 4. A path that does not is a *counterexample*. If it leaves the values, they are extended. If it ends in a bug, or
//!    breaks a relation, its conditions must not hold together: that is a new relation. Conditions that are not needed
//!    to keep it true for all samples are left out, which generalises it (`learning.rs`).
//!
//! Samples only guide the search: whatever is concluded is proved by the last round.

mod candidate;
mod learning;
mod proof;
mod samples;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use secateur_effects::Point;
use secateur_explore::PathAt;
use secateur_graph::Loops;
use secateur_machine::{LiveSlots, Machine, State};
use secateur_program::{BlockId, FuncId, Program};
use secateur_solver::Solver;

use crate::clauses::Clauses;
use crate::tuning::Tuning;
use proof::Proof;
use samples::Sample;

/// What is known about the points at which paths decide.
pub(crate) struct Invariants {
    program: Arc<Program>,
    /// The loops of functions, as far as they were asked for.
    loops: FxHashMap<FuncId, Loops>,
    depths: FxHashMap<Point, usize>,
    live: Rc<dyn LiveSlots>,
    points: FxHashMap<Point, AtPoint>,
    tuning: Tuning,
    is_on: bool,
    /// How much work is done elsewhere before the next proof is tried.
    next_work: u64,
}

struct AtPoint {
    visits: u64,
    /// The number of visits at which a proof is tried next.
    next: u64,
    attempts: u32,
    samples: Vec<Sample>,
}

/// The state that a proof starts from.
pub(crate) struct Head<'a> {
    pub state: &'a State,
    pub input: &'a Arc<[u8]>,
}

impl Invariants {
    /// Nothing is known yet. If it is not on, nothing is looked for.
    pub(crate) fn new(program: Arc<Program>, live: Rc<dyn LiveSlots>, tuning: &Tuning, is_on: bool) -> Invariants {
        // A buffer of `setjmp` names a call by a number that is no location.
        let jumps = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
        let has_jumps = jumps.iter().any(|name| program.function(name).is_some());
        Invariants {
            program,
            loops: FxHashMap::default(),
            depths: FxHashMap::default(),
            live,
            points: FxHashMap::default(),
            tuning: tuning.clone(),
            is_on: is_on && !has_jumps,
            next_work: 0,
        }
    }

    /// Whether loops may be explored from other states than those of the run.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// A path has come to a decision. Returns whether a proof is due, given how much work was done so far, and whether
    /// any path has ended: most loops are done with before.
    pub(crate) fn visit(&mut self, path: &PathAt<'_>, work: u64, is_endless: bool) -> bool {
        if !self.is_on {
            return false;
        }
        let first = self.tuning.invariant_visits;
        let at = self.points.entry(Point::of(path.state)).or_insert_with(|| AtPoint {
            visits: 0,
            next: first,
            attempts: 0,
            samples: Vec::new(),
        });
        if at.attempts >= self.tuning.invariant_attempts {
            return false;
        }
        at.visits += 1;
        let sample = Sample { state: path.state.clone(), input: Arc::clone(path.input) };
        match at.samples.len() {
            // The latest ones replace each other: in depth-first order they differ the most from the first ones.
            len if len < self.tuning.invariant_samples => at.samples.push(sample),
            len => at.samples[at.visits as usize % len] = sample,
        }
        let first = if is_endless { self.tuning.invariant_after } else { self.tuning.invariant_after_end };
        work >= self.next_work.max(first) && at.visits >= at.next
    }

    /// Looks for an invariant that holds from a state on, whenever paths come to its point. Returns what it requires.
    pub(crate) fn prove(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        head: &Head<'_>,
        work: u64,
        is_endless: bool,
    ) -> Option<Clauses> {
        let at = self.points.get_mut(&Point::of(head.state))?;
        at.attempts += 1;
        // The next attempt has more samples, and may take more work.
        at.next = at.visits.saturating_mul(2);
        let Tuning { invariant_share, invariant_share_after_end, .. } = self.tuning;
        let budget = work.saturating_mul(if is_endless { invariant_share } else { invariant_share_after_end });
        self.next_work = work.saturating_mul(self.tuning.invariant_pause);
        let samples = std::mem::take(&mut at.samples);
        let mut proof = Proof::new(machine, head, samples, Rc::clone(&self.live), &self.tuning, budget)?;
        let found = proof.find(machine, solver);
        let samples = proof.into_samples();
        if let Some(at) = self.points.get_mut(&Point::of(head.state)) {
            at.samples = samples;
            at.samples.truncate(self.tuning.invariant_samples);
        }
        found
    }

    /// In how many loops the point of a state is, counting those of all active calls.
    pub(crate) fn depth(&mut self, state: &State) -> usize {
        let Invariants { program, loops, depths, .. } = self;
        *depths.entry(Point::of(state)).or_insert_with(|| {
            let mut depth = 0;
            for (function, pc) in state.calls() {
                let Some(body) = &program.functions[function.index()].body else { continue };
                let block = body.blocks.iter().position(|block| (block.start..block.end).contains(&pc));
                let loops = loops.entry(function).or_insert_with(|| Loops::new(body));
                depth += block.map_or(0, |block| loops.depth(BlockId(block as u32)));
            }
            depth
        })
    }

    /// No proof is tried at a point before it was visited as often again.
    pub(crate) fn postpone(&mut self, point: Point) {
        if let Some(at) = self.points.get_mut(&point) {
            at.next = at.visits.saturating_mul(2);
        }
    }

    /// Expressions and states are forgotten.
    pub(crate) fn forget(&mut self) {
        self.points.values_mut().for_each(|at| at.samples.clear());
    }
}
