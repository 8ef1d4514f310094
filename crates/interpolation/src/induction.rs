//! Checks assumptions about covered paths: looks for interpolants that are inductive.
//!
//! Everything below a node is accounted for, if its suspended paths are covered by the nodes that they are assumed to
//! be covered by. Each of these nodes needs an interpolant that (1) has the clauses of everything that was explored
//! below it, and (2) holds for every path that it covers, expressed over the nodes above that path. Start with the
//! first part, add what the second requires, and repeat. If nothing is added any more, the interpolants are inductive:
//! a state that satisfies one of them can only repeat what was explored, and come to a state that satisfies one of them
//! again.
//!
//! If that does not end (a counter, say), it is tried once more with the locations that the interpolants speak of fixed
//! to the values that they have at the nodes.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::{Effects, Point};
use secateur_explore::{NodeId, PathAt, SideId};
use secateur_expr::{Intervals, Valuation};
use secateur_machine::{Footprint, Machine};
use secateur_solver::Solver;

use crate::clauses::{Clauses, Core};
use crate::cover::Covers;
use crate::interpolant::{Interpolant, Satisfied, Witnesses, content};
use crate::node::{Below, Node};
use crate::tuning::Tuning;
use crate::vacuous::Vacuous;

/// The outcome for the nodes below and including one.
pub(crate) enum Induction {
    /// All assumptions hold; the interpolants of the nodes, the topmost last.
    Holds(Vec<(NodeId, Interpolant)>),
    /// These paths are not covered, each with the point of its target and the holes for which it is not; without them
    /// if it is not known whether it is.
    Fails(Vec<(SideId, Option<Violation>)>),
}

/// Where and because of which holes a path is not covered.
type Violation = (Point, Vec<u32>);

/// Everything that the check looks at.
pub(crate) struct Checker<'a> {
    pub machine: &'a mut Machine,
    pub solver: &'a mut Solver,
    pub effects: &'a mut Effects,
    pub nodes: &'a FxHashMap<NodeId, Node>,
    pub covers: &'a mut Covers,
    pub values: &'a mut Valuation,
    pub vacuous: &'a mut Vacuous,
    pub tuning: &'a Tuning,
    /// How much work may be done, and was done, in the unit of `credit.rs`.
    pub budget: u64,
    pub work: u64,
}

/// What the check is about.
struct Region {
    /// The nodes that depend on assumptions, each after those below it.
    nodes: Vec<NodeId>,
    leaves: Vec<SideId>,
    footprint: Rc<Footprint>,
}

/// Why a round did not add up.
enum Failed {
    Leaves(Vec<(SideId, Option<Violation>)>),
    /// Clauses are added for ever.
    Grows(FxHashMap<NodeId, Clauses>),
    /// Something cannot be expressed.
    Inexpressible,
    /// It takes more work than it may, or a limit was hit.
    Stopped,
}

impl Checker<'_> {
    /// Checks the assumptions below a node.
    pub(crate) fn check(&mut self, root: NodeId) -> Induction {
        let (region, is_whole) = self.region(root);
        if !is_whole {
            return Induction::Fails(region.leaves.into_iter().map(|side| (side, None)).collect());
        }
        // A target may have gained an interpolant in the meantime, which the path is then compared with as usual.
        let nodes: FxHashSet<NodeId> = region.nodes.iter().copied().collect();
        let lost = |side: &SideId| {
            let leaf = self.covers.leaves.get(side)?;
            (!nodes.contains(&leaf.target)).then_some((*side, None))
        };
        let lost: Vec<_> = region.leaves.iter().filter_map(lost).collect();
        if !lost.is_empty() {
            return Induction::Fails(lost);
        }
        let mut result = self.iterate(&region, &FxHashMap::default(), self.tuning.rounds);
        if let Err(Failed::Grows(clauses)) = &result {
            let fixed = self.fixed(&region, clauses);
            result = self.iterate(&region, &fixed, self.tuning.fixed_rounds);
        }
        match result {
            Ok(mut clauses) => {
                let mut interpolants = Vec::new();
                for id in &region.nodes {
                    let (Some(node), Some(clauses)) = (self.nodes.get(id), clauses.remove(id)) else { continue };
                    let footprint = Rc::clone(&region.footprint);
                    let state = node.state.clone();
                    let interpolant =
                        Interpolant::new(self.machine, node.found_by, clauses, footprint, state, node.paths);
                    interpolants.push((*id, interpolant));
                }
                Induction::Holds(interpolants)
            }
            Err(Failed::Leaves(leaves)) => Induction::Fails(leaves),
            Err(Failed::Stopped) => Induction::Fails(region.leaves.iter().map(|side| (*side, None)).collect()),
            Err(Failed::Grows(_) | Failed::Inexpressible) => {
                let leaf = |side: &SideId| {
                    let leaf = self.covers.leaves.get(side)?;
                    Some((*side, Some((Point::of(&leaf.state), Vec::new()))))
                };
                Induction::Fails(region.leaves.iter().filter_map(leaf).collect())
            }
        }
    }

    /// What the check is about, and whether that is all: not if it takes too much work.
    fn region(&mut self, root: NodeId) -> (Region, bool) {
        let (mut nodes, mut leaves, mut footprint) = (Vec::new(), Vec::new(), Footprint::default());
        let mut is_whole = true;
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            let Some(node) = self.nodes.get(&id) else { continue };
            nodes.push(id);
            if is_whole {
                footprint.add(&node.footprint);
            }
            for part in &node.parts {
                match part.below {
                    Below::Leaf(side) => leaves.push(side),
                    // A number that was used again would lead elsewhere.
                    Below::Node(below) => match self.nodes.get(&below).and_then(|below| below.from) {
                        Some(from) if from.node == id => work.push(below),
                        _ => is_whole = false,
                    },
                }
            }
            is_whole &= self.spend(self.tuning.node_work + footprint.len() as u64).is_ok();
        }
        // Nodes were added before those below them.
        nodes.reverse();
        (Region { nodes, leaves, footprint: Rc::new(footprint) }, is_whole)
    }

    /// Iterates until nothing is added; `fixed` are clauses that nodes have from the start.
    fn iterate(
        &mut self,
        region: &Region,
        fixed: &FxHashMap<NodeId, Clauses>,
        rounds: usize,
    ) -> Result<FxHashMap<NodeId, Clauses>, Failed> {
        for side in &region.leaves {
            if let Some(leaf) = self.covers.leaves.get_mut(side) {
                leaf.proved = Clauses::default();
            }
        }
        let mut clauses = self.propagate(region, fixed)?;
        for _ in 0..rounds {
            self.compare_leaves(region, &clauses)?;
            let next = self.propagate(region, fixed)?;
            if next == clauses {
                return Ok(clauses);
            }
            clauses = next;
        }
        Err(Failed::Grows(clauses))
    }

    /// Compares each leaf with the present interpolant of its target.
    fn compare_leaves(&mut self, region: &Region, clauses: &FxHashMap<NodeId, Clauses>) -> Result<(), Failed> {
        let mut interpolants: FxHashMap<NodeId, Interpolant> = FxHashMap::default();
        let mut failed = Vec::new();
        let before = self.machine.guide.input().to_vec();
        for side in &region.leaves {
            self.spend(self.tuning.node_work)?;
            let Some(leaf) = self.covers.leaves.get(side) else { continue };
            let (Some(target), Some(required)) = (self.nodes.get(&leaf.target), clauses.get(&leaf.target)) else {
                continue;
            };
            let machine = &mut *self.machine;
            let interpolant = interpolants.entry(leaf.target).or_insert_with(|| {
                Interpolant::new(machine, 0, required.clone(), Rc::clone(&region.footprint), target.state.clone(), 0)
            });
            if self.machine.guide.input() != &*leaf.input {
                self.machine.follow(leaf.input.to_vec());
            }
            let path = PathAt { number: 0, from: Some(*side), state: &leaf.state, input: &leaf.input };
            let mut witnesses = Witnesses::new(self.tuning);
            match interpolant.compare(self.machine, self.solver, self.values, &mut witnesses, &path) {
                Satisfied::Yes(proved) => {
                    if let Some(leaf) = self.covers.leaves.get_mut(side) {
                        leaf.proved = proved;
                    }
                }
                Satisfied::No { holes } => failed.push((*side, Some((Point::of(&leaf.state), holes)))),
            }
        }
        if self.machine.guide.input() != before {
            self.machine.follow(before);
        }
        if failed.is_empty() { Ok(()) } else { Err(Failed::Leaves(failed)) }
    }

    /// The clauses of all nodes, given what the leaves were shown to satisfy.
    fn propagate(
        &mut self,
        region: &Region,
        fixed: &FxHashMap<NodeId, Clauses>,
    ) -> Result<FxHashMap<NodeId, Clauses>, Failed> {
        let mut all: FxHashMap<NodeId, Clauses> = FxHashMap::default();
        for id in &region.nodes {
            let mut clauses = self.clauses_of(*id, fixed.get(id), &all).ok_or(Failed::Inexpressible)?;
            let before = self.vacuous.asked();
            self.vacuous.drop(self.machine, self.solver, &mut clauses);
            let questions = self.vacuous.asked() - before;
            self.spend(self.tuning.work_of_clauses(clauses.len()) + questions * self.tuning.question_work)?;
            all.insert(*id, clauses);
        }
        Ok(all)
    }

    /// The clauses of one node, given those of the nodes below. `None` if something cannot be expressed.
    fn clauses_of(&mut self, id: NodeId, fixed: Option<&Clauses>, all: &FxHashMap<NodeId, Clauses>) -> Option<Clauses> {
        let node = self.nodes.get(&id)?;
        let mut clauses = node.clauses.clone();
        for (hole, core, values) in fixed.into_iter().flat_map(Clauses::sets) {
            clauses.restrict(hole, core.clone(), values).ok()?;
        }
        for part in &node.parts {
            let below = match part.below {
                Below::Node(below) => all.get(&below)?,
                Below::Leaf(side) => &self.covers.leaves.get(&side)?.proved,
            };
            clauses.add_carried(self.machine, self.effects.get(part.effect), &part.step, below)?;
        }
        Some(clauses)
    }

    /// Counts work; fails if it is too much, or if a limit was hit, so that it does not matter any more.
    fn spend(&mut self, work: u64) -> Result<(), Failed> {
        self.work += work;
        if self.work > self.budget || self.machine.is_halted() { Err(Failed::Stopped) } else { Ok(()) }
    }

    /// Clauses that fix the locations that the targets' clauses speak of to their values at the targets.
    fn fixed(&mut self, region: &Region, clauses: &FxHashMap<NodeId, Clauses>) -> FxHashMap<NodeId, Clauses> {
        let mut all: FxHashMap<NodeId, Clauses> = FxHashMap::default();
        for side in &region.leaves {
            let Some(target) = self.covers.leaves.get(side).map(|leaf| leaf.target) else { continue };
            let (Some(node), Some(clauses)) = (self.nodes.get(&target), clauses.get(&target)) else { continue };
            if all.contains_key(&target) {
                continue;
            }
            let mut fixed = Clauses::default();
            for hole in clauses.holes(&self.machine.pool) {
                if let Some((value, _)) = content(self.machine, &node.state, hole)
                    && let Some(bits) = value.as_concrete()
                {
                    // A set of one value is never empty.
                    let _ = fixed.restrict(hole, Core::new(), &Intervals::one(bits.into()));
                }
            }
            all.insert(target, fixed);
        }
        all
    }
}
