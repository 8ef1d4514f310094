//! Builds interpolants while the path tree is settled, and compares states with them.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use secateur_effects::{EffectId, Effects, Segment};
use secateur_explore::{Closed, NodeId, PathAt, SideId, Subsumption, TreeEvent};
use secateur_expr::Valuation;
use secateur_machine::{Decision, End, Footprint, Limit, Machine, State};
use secateur_program::Program;
use secateur_solver::Solver;

use crate::clauses::Clauses;
use crate::interpolant::{Interpolant, Satisfied, Witnesses};
use crate::node::Node;
use crate::store::Store;

/// Its name on the command line and in the summary.
const NAME: &str = "interpolation";
/// How many interpolants of one point and with the same required values are compared with a state, the newest first.
const MAX_COMPARED: usize = 64;
/// How many clauses a node may have.
const MAX_CLAUSES: usize = 4096;

/// The interpolants of one worker.
pub struct Interpolation {
    effects: Effects,
    nodes: FxHashMap<NodeId, Node>,
    store: Store,
    /// What clauses evaluate to for the state that is compared.
    values: Valuation,
}

impl Interpolation {
    /// Nothing is known yet.
    pub fn new(program: Arc<Program>) -> Interpolation {
        Interpolation {
            effects: Effects::new(program),
            nodes: FxHashMap::default(),
            store: Store::default(),
            values: Valuation::default(),
        }
    }

    /// A side is accounted for: adds what it says about the state at its node, given the state at the end of its first
    /// segment and clauses on that.
    fn contribute(&mut self, machine: &mut Machine, side: SideId, to: &At<'_>, below: &Clauses, footprint: &Footprint) {
        let Some(effect) = self.effect(machine, side, to) else { return self.give_up(Some(side)) };
        let Some(node) = self.nodes.get_mut(&side.node) else { return };
        let decisions = to.state.path.len() as u32 - node.ordinal();
        let effect = self.effects.get(effect);
        if to.end.is_some_and(|end| !ends_alike(effect.ended.as_ref(), end))
            || node.add_side(machine, side.index, effect, decisions, below, footprint).is_none()
        {
            node.is_half = true;
        }
    }

    /// The effect of the segment from the node of a side to a state.
    fn effect(&mut self, machine: &mut Machine, from: SideId, to: &At<'_>) -> Option<EffectId> {
        let node = self.nodes.get(&from.node).filter(|node| !node.is_half)?;
        let segment = Segment {
            start: &node.state,
            choice: node.sides.get(from.index as usize)?.key,
            end: to.state,
            ends: to.end.is_some(),
            input: to.input,
        };
        self.effects.of(machine, &segment).ok()
    }

    /// Everything below a node is accounted for: keeps its interpolant, and passes it on to the node above.
    fn settle(&mut self, machine: &mut Machine, mut node: Node) {
        if !node.close(machine) || node.clauses.len() > MAX_CLAUSES {
            return self.give_up(node.from);
        }
        let interpolant = Interpolant::new(machine, node.clauses, node.footprint, node.state);
        let interpolant = self.store.add(interpolant);
        if let Some(from) = node.from {
            let at = At { state: &interpolant.state, input: &node.input, end: None };
            self.contribute(machine, from, &at, interpolant.clauses(), &interpolant.footprint);
        }
    }

    /// The node that a side belongs to will never have an interpolant.
    fn give_up(&mut self, side: Option<SideId>) {
        if let Some(node) = side.and_then(|side| self.nodes.get_mut(&side.node)) {
            node.is_half = true;
        }
    }
}

/// A state of a path that follows an input, and how the path ended, if it did.
struct At<'a> {
    state: &'a State,
    input: &'a Arc<[u8]>,
    end: Option<&'a End>,
}

fn ends_alike(effect: Option<&End>, end: &End) -> bool {
    effect.is_some_and(|ended| std::mem::discriminant(ended) == std::mem::discriminant(end))
}

impl Subsumption for Interpolation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn subsumes(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> bool {
        let Some(from) = path.from else { return false };
        let mut witnesses = Witnesses::default();
        for interpolant in self.store.candidates(machine, path.state, MAX_COMPARED) {
            if let Satisfied::Yes(clauses) =
                interpolant.compare(machine, solver, &mut self.values, &mut witnesses, path)
            {
                let at = At { state: path.state, input: path.input, end: None };
                self.contribute(machine, from, &at, &clauses, &interpolant.footprint);
                return true;
            }
        }
        false
    }

    fn found(&mut self, node: NodeId, path: &PathAt<'_>, decision: &Decision) {
        self.nodes.insert(node, Node::new(path.state, path.input, path.from, decision));
    }

    fn ended(&mut self, machine: &mut Machine, path: &PathAt<'_>, end: &End) {
        let Some(from) = path.from else { return };
        match end {
            // What it contributes was added when it was subsumed.
            End::Limit(Limit::Subsumed) => {}
            End::Exit(_) | End::Bug(_) | End::Assumed => {
                let at = At { state: path.state, input: path.input, end: Some(end) };
                self.contribute(machine, from, &at, &Clauses::default(), &Footprint::default());
            }
            End::Ignored(_) | End::Unsupported(_) | End::Limit(_) => self.give_up(Some(from)),
        }
    }

    fn update(&mut self, machine: &mut Machine, events: Vec<TreeEvent>) {
        for event in events {
            match event {
                TreeEvent::Found(_) => {}
                TreeEvent::Closed(side, closed, core) => {
                    let Some(node) = self.nodes.get_mut(&side.node) else { continue };
                    match closed {
                        Closed::Infeasible => node.is_infeasible(side.index, &core),
                        Closed::Incomplete(_) => node.is_half = true,
                        Closed::Pruned(by) if by != NAME => node.is_done(side.index),
                        Closed::Pruned(_) | Closed::Ended | Closed::Explored => {}
                    }
                }
                TreeEvent::Settled { node, complete, .. } => {
                    if let Some(mut node) = self.nodes.remove(&node) {
                        node.is_half |= !complete;
                        self.settle(machine, node);
                    }
                }
            }
        }
    }

    fn forget(&mut self) {
        self.effects.forget();
        self.store.clear();
        // What would become of these nodes has nowhere to go, so they have no interpolant.
        self.nodes.clear();
    }
}
