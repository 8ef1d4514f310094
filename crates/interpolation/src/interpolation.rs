//! Builds interpolants while the path tree is settled, and compares states with them.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::{Effect, LiveSlotCache, contents};
use secateur_explore::{Closed, NodeId, PathAt, SideId, Subsumption, TreeEvent};
use secateur_expr::{Expr, Valuation};
use secateur_machine::{Decision, End, Footprint, Limit, LiveSlots, Machine, State};
use secateur_program::{FuncId, Program};
use secateur_solver::{Answer, Solver};

use crate::clause::{Clause, Simplified, simplify};
use crate::node::{Node, decisions_of};

/// How many interpolants of one point are compared with a state, the newest first.
const MAX_COMPARED: usize = 64;
/// How many clauses a node may have.
const MAX_CLAUSES: usize = 4096;

/// The interpolants of one worker.
pub struct Interpolation {
    live: Rc<dyn LiveSlots>,
    nodes: FxHashMap<NodeId, Node>,
    interpolants: FxHashMap<Point, Vec<Rc<Interpolant>>>,
    /// What clauses evaluate to for the state that is compared.
    values: Valuation,
}

/// A point of the program at which a decision is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Point {
    function: FuncId,
    pc: u32,
    /// The calls that are active.
    context: u64,
}

impl Point {
    fn of(state: &State) -> Point {
        Point { function: state.frame.function, pc: state.frame.pc, context: state.frame.context }
    }
}

/// Which states need not be explored.
struct Interpolant {
    /// Those with the fewest conditions first: they are refuted most quickly.
    clauses: Vec<Clause>,
    /// The holes in them.
    holes: Vec<u32>,
    footprint: Footprint,
    /// The state of the node.
    state: State,
}

impl Interpolation {
    /// Nothing is known yet.
    pub fn new(program: Arc<Program>) -> Interpolation {
        Interpolation {
            live: Rc::new(LiveSlotCache::new(program)),
            nodes: FxHashMap::default(),
            interpolants: FxHashMap::default(),
            values: Valuation::default(),
        }
    }

    /// A side is accounted for: adds what it says about the state at its node. `below` are clauses over the state after
    /// the segment.
    fn contribute(
        &mut self,
        machine: &mut Machine,
        side: SideId,
        mut effect: Effect,
        below: &[Clause],
        footprint: &Footprint,
    ) {
        let Some(node) = self.nodes.get_mut(&side.node).filter(|node| !node.is_half) else { return };
        if Self::add_side(machine, node, side, &mut effect, below, footprint).is_none() {
            node.is_half = true;
        }
    }

    /// `None` if something cannot be expressed over the state at the node.
    fn add_side(
        machine: &mut Machine,
        node: &mut Node,
        side: SideId,
        effect: &mut Effect,
        below: &[Clause],
        footprint: &Footprint,
    ) -> Option<()> {
        let (key, _) = *node.sides.get(side.index as usize)?;
        let is_real = |decision: &secateur_effects::EffectDecision| {
            decision.is_first && decision.kind == node.kind && decision.chosen.key == key
        };
        let position = effect.decisions.iter().position(is_real)?;
        let real = &effect.decisions[position];
        let taken = real.chosen.condition;
        for choice in std::iter::once(&real.chosen).chain(&real.others) {
            node.conditions.insert(choice.key, choice.condition);
        }
        // What was certain on this path may be otherwise from another state.
        let mut certain: Vec<Expr> = effect.requirements.iter().map(|requirement| requirement.condition).collect();
        let decisions = effect.decisions.iter().enumerate().filter(|(index, _)| *index != position);
        certain.extend(decisions.map(|(_, decision)| decision.chosen.condition));
        for condition in certain {
            let otherwise = machine.pool.not(condition);
            add_clause(machine, node, vec![otherwise], Vec::new())?;
        }
        let ordinal = node.ordinal();
        let silent = silent_conditions(effect);
        let all = conditions_of(below);
        let mut carried = effect.carry(machine, &all)?.into_iter();
        for clause in below {
            let mut conditions: Vec<Expr> = carried.by_ref().take(clause.conditions.len()).collect();
            if clause.core.contains(&ordinal) {
                conditions.push(taken);
            }
            if clause.core.iter().any(|decision| *decision > ordinal) {
                conditions.extend(&silent);
            }
            let core = clause.core.iter().copied().filter(|decision| *decision < ordinal).collect();
            add_clause(machine, node, conditions, core)?;
        }
        node.footprint.add(&effect.end().memory.footprint());
        node.footprint.add(footprint);
        Some(())
    }

    /// Everything below a node is accounted for: keeps its interpolant, and passes it on to the node above.
    fn settle(&mut self, machine: &mut Machine, mut node: Node) {
        for (key, core) in std::mem::take(&mut node.infeasible) {
            let added = node.conditions.get(&key).copied().and_then(|condition| {
                let (ordinal, above) = (node.ordinal(), core);
                let above = above.into_iter().filter(|decision| *decision < ordinal).collect();
                add_clause(machine, &mut node, vec![condition], above)
            });
            if added.is_none() {
                node.is_half = true;
            }
        }
        if node.is_half || node.clauses.len() > MAX_CLAUSES {
            return self.give_up(node.from);
        }
        let mut clauses: Vec<Clause> = node.clauses.into_iter().collect();
        clauses.sort_by(|a, b| (a.conditions.len(), &a.conditions).cmp(&(b.conditions.len(), &b.conditions)));
        if let Some(from) = node.from {
            match self.segment(machine, from, &node.state, &node.input, false) {
                Some(effect) => self.contribute(machine, from, effect, &clauses, &node.footprint),
                None => self.give_up(Some(from)),
            }
        }
        let holes = machine.pool.holes_of_all(&conditions_of(&clauses));
        let interpolant = Interpolant { clauses, holes, footprint: node.footprint, state: node.state };
        self.interpolants.entry(Point::of(&interpolant.state)).or_default().push(Rc::new(interpolant));
    }

    /// The node that a side belongs to will never have an interpolant.
    fn give_up(&mut self, side: Option<SideId>) {
        if let Some(node) = side.and_then(|side| self.nodes.get_mut(&side.node)) {
            node.is_half = true;
        }
    }

    /// The effect of the segment from the node of a side to a state of a path with this input.
    fn segment(&mut self, machine: &mut Machine, from: SideId, to: &State, input: &[u8], ends: bool) -> Option<Effect> {
        let node = self.nodes.get(&from.node).filter(|node| !node.is_half)?;
        let instructions = (to.instructions - u64::from(ends)).checked_sub(node.state.instructions)?;
        Effect::of_segment(machine, &node.state, input, instructions, ends, Rc::clone(&self.live)).ok()
    }

    /// The clauses of an interpolant over this state, each with the decisions of its path that it follows from; `None`
    /// if the state does not satisfy the interpolant.
    fn satisfied(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        interpolant: &Interpolant,
        path: &PathAt<'_>,
    ) -> Option<Vec<Clause>> {
        if !interpolant.state.is_alike(path.state, &interpolant.footprint) {
            return None;
        }
        let contents = contents(machine, &mut path.state.clone(), &interpolant.holes)?;
        if self.is_refuted(machine, interpolant, &contents, path) {
            return None;
        }
        let all = conditions_of(&interpolant.clauses);
        let (from, to) = (interpolant.state.input_len, path.state.input_len);
        let all = if from == to { all } else { machine.pool.shift_inputs(&all, from, to) };
        let here = machine.pool.substitute_all(&all, &mut |hole, _| contents.get(&hole).copied());
        let mut clauses = Vec::new();
        let mut undecided = Vec::new();
        let mut start = 0;
        for clause in &interpolant.clauses {
            let range = start..start + clause.conditions.len();
            start = range.end;
            let conditions = all[range.clone()].to_vec();
            match simplify(&machine.pool, here[range].iter().copied()) {
                Simplified::True => return None,
                Simplified::False => clauses.push(Clause { conditions, core: Vec::new() }),
                Simplified::Conditions(here) => undecided.push((conditions, here)),
            }
        }
        for (conditions, here) in undecided {
            let core = excluded(machine, solver, path, &here)?;
            clauses.push(Clause { conditions, core });
        }
        Some(clauses)
    }

    /// The current input shows that a state with these contents does not satisfy an interpolant, which is so for most.
    fn is_refuted(
        &mut self,
        machine: &mut Machine,
        interpolant: &Interpolant,
        contents: &FxHashMap<u32, Expr>,
        path: &PathAt<'_>,
    ) -> bool {
        // Inputs that are read below are any; as far as the current input goes, it is tried.
        let mut input = path.input[..path.input.len().min(path.state.input_len as usize)].to_vec();
        if interpolant.state.input_len != path.state.input_len {
            input.truncate(input.len().min(interpolant.state.input_len as usize));
        }
        self.values.set_input(input);
        self.values.forget_holes();
        for (hole, content) in contents {
            let value = machine.guide.values.eval_wide(&machine.pool, *content);
            self.values.add_hole(*hole, value);
        }
        let violated =
            |clause: &Clause| clause.conditions.iter().all(|condition| self.values.holds(&machine.pool, *condition));
        let mut clauses = interpolant.clauses.iter();
        clauses.any(violated)
    }
}

/// The conditions of a segment that were assumed, not decided on.
fn silent_conditions(effect: &mut Effect) -> Vec<Expr> {
    let decided: FxHashSet<Expr> = effect.decisions.iter().map(|decision| decision.chosen.condition).collect();
    effect.end().path.conditions().into_iter().filter(|condition| !decided.contains(condition)).collect()
}

/// All conditions of some clauses, one after the other.
fn conditions_of(clauses: &[Clause]) -> Vec<Expr> {
    clauses.iter().flat_map(|clause| clause.conditions.iter().copied()).collect()
}

/// The decisions of a path from which it follows that conditions do not all hold.
fn excluded(machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>, conditions: &[Expr]) -> Option<Vec<u32>> {
    for condition in conditions {
        if let Some(refutation) = path.state.path.refutation(&mut machine.pool, *condition) {
            return Some(refutation.iter().map(|decided| decided.decision).collect());
        }
    }
    let mut goal = machine.pool.bool(true);
    for condition in conditions {
        goal = machine.pool.and(goal, *condition);
    }
    match solver.solve(&mut machine.pool, &path.state.path, goal, path.input) {
        Answer::Unsat(core) => Some(decisions_of(path.state, &core, &[goal])),
        Answer::Sat(_) | Answer::Unknown(_) => None,
    }
}

/// Adds a clause to a node; `None` if the state of the node itself does not satisfy it.
fn add_clause(machine: &mut Machine, node: &mut Node, conditions: Vec<Expr>, core: Vec<u32>) -> Option<()> {
    match simplify(&machine.pool, conditions) {
        Simplified::False => {}
        Simplified::True => return None,
        Simplified::Conditions(conditions) => {
            node.clauses.insert(Clause { conditions, core });
        }
    }
    Some(())
}

impl Subsumption for Interpolation {
    fn name(&self) -> &'static str {
        "interpolation"
    }

    fn subsumes(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> bool {
        let Some(from) = path.from else { return false };
        let Some(known) = self.interpolants.get(&Point::of(path.state)) else { return false };
        let known: Vec<Rc<Interpolant>> = known.iter().rev().take(MAX_COMPARED).cloned().collect();
        for interpolant in known {
            let Some(clauses) = self.satisfied(machine, solver, &interpolant, path) else { continue };
            match self.segment(machine, from, path.state, path.input, false) {
                Some(effect) => self.contribute(machine, from, effect, &clauses, &interpolant.footprint),
                None => self.give_up(Some(from)),
            }
            return true;
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
                let effect = self.segment(machine, from, path.state, path.input, true);
                let is_same = |effect: &Effect| {
                    effect
                        .ended
                        .as_ref()
                        .is_some_and(|ended| std::mem::discriminant(ended) == std::mem::discriminant(end))
                };
                match effect.filter(is_same) {
                    Some(effect) => self.contribute(machine, from, effect, &[], &Footprint::default()),
                    None => self.give_up(Some(from)),
                }
            }
            End::Ignored(_) | End::Unsupported(_) | End::Limit(_) => self.give_up(Some(from)),
        }
    }

    fn update(&mut self, machine: &mut Machine, events: Vec<TreeEvent>) {
        for event in events {
            match event {
                TreeEvent::Found(_) => {}
                TreeEvent::Closed(side, Closed::Infeasible, core) => {
                    if let Some(node) = self.nodes.get_mut(&side.node)
                        && let Some((key, condition)) = node.sides.get(side.index as usize).copied()
                    {
                        let decisions = node.decisions_of(&core, condition);
                        node.infeasible.push((key, decisions));
                    }
                }
                TreeEvent::Closed(side, Closed::Incomplete(_), _) => self.give_up(Some(side)),
                TreeEvent::Closed(..) => {}
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
        self.interpolants.clear();
        // What would become of these nodes has nowhere to go, so they have no interpolant.
        self.nodes.clear();
    }
}
