//! Builds interpolants while the path tree is settled, and compares states with them.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use secateur_effects::{EffectId, Effects, Point, Segment};
use secateur_explore::{Closed, Cover, NodeId, PathAt, Resolution, SideId, Subsumption, TreeEvent, Verdict};
use secateur_expr::Valuation;
use secateur_machine::{Choice, Decision, DecisionKind, End, Footprint, LiveSlots, Machine, State};
use secateur_program::Program;
use secateur_solver::Solver;

use crate::account::PortableAccount;
use crate::clauses::Clauses;
use crate::confirmation::Confirmation;
use crate::contents::Contents;
use crate::cover::{Covers, Leaf};
use crate::credit::{Credit, meter};
use crate::defect::Defect;
use crate::display;
use crate::induction::{Checker, Induction};
use crate::interpolant::{Interpolant, Satisfied, Witnesses};
use crate::invariant::{Head, Invariants};
use crate::node::{Account, Below, Node, Part};
use crate::scout::{Heads, Scout};
use crate::store::Store;
use crate::tuning::Tuning;
use crate::vacuous::Vacuous;

/// Its name on the command line and in the summary.
const NAME: &str = "interpolation";

/// How many interpolants are described to users: a page can show no more.
const MAX_DESCRIBED: usize = 1000;

/// The interpolants of one worker.
pub struct Interpolation {
    effects: Effects,
    nodes: FxHashMap<NodeId, Node>,
    store: Store,
    covers: Covers,
    /// What became of suspended paths.
    resolutions: Vec<(SideId, Resolution)>,
    /// What clauses evaluate to for the state that is compared.
    values: Valuation,
    vacuous: Vacuous,
    /// How many interpolants were described.
    described: usize,
    credit: Credit,
    confirmation: Confirmation,
    /// The nodes of other workers of which a side is explored here, and how it is accounted for, once it is.
    borrowed: FxHashMap<NodeId, Option<PortableAccount>>,
    invariants: Invariants,
    /// What machine and solver did for proofs, and for the search for bugs, since this was last looked at.
    proved: u64,
    /// The search for bugs, once it has begun.
    scout: Option<Scout>,
    /// How much work is done before it may begin.
    scout_at: u64,
    /// The first decision of the program: the state there, and the input that led to it.
    first: Option<(State, Arc<[u8]>)>,
    /// Inputs that fail a check.
    failing: Vec<Vec<u8>>,
    /// In a search for bugs, the states that paths had at the head of the loop.
    pub(crate) heads: Option<Heads>,
    tuning: Tuning,
    defect: Defect,
}

/// A state of a path that follows an input, and how the path ended, if it did.
#[derive(Clone, Copy)]
struct At<'a> {
    state: &'a State,
    input: &'a Arc<[u8]>,
    end: Option<&'a End>,
}

impl Interpolation {
    /// Nothing is known yet. With `invariants`, loops are proved by induction, too, which may lose coverage, though no
    /// bug.
    pub fn new(program: Arc<Program>, tuning: Tuning, invariants: bool, defect: Defect) -> Interpolation {
        let effects = Effects::new(Arc::clone(&program));
        Interpolation::with(effects, program, tuning, invariants, defect)
    }

    fn with(
        effects: Effects,
        program: Arc<Program>,
        tuning: Tuning,
        invariants: bool,
        defect: Defect,
    ) -> Interpolation {
        Interpolation {
            invariants: Invariants::new(program, effects.live(), &tuning, invariants),
            effects,
            nodes: FxHashMap::default(),
            store: Store::default(),
            covers: Covers::default(),
            resolutions: Vec::new(),
            values: Valuation::default(),
            vacuous: Vacuous::default(),
            described: 0,
            credit: Credit::new(&tuning),
            confirmation: Confirmation::default(),
            borrowed: FxHashMap::default(),
            proved: 0,
            scout: None,
            scout_at: tuning.scout_after,
            first: None,
            failing: Vec::new(),
            heads: None,
            tuning,
            defect,
        }
    }

    /// For the paths of a proof by induction: none is suspended, and how much work it is worth is decided elsewhere.
    pub(crate) fn for_proof(machine: &Machine, live: Rc<dyn LiveSlots>, tuning: &Tuning) -> Interpolation {
        let tuning = Tuning { covering: 0, free_work: u64::MAX / 2, ..tuning.clone() };
        let (effects, program) = (Effects::sharing(live), Arc::clone(&machine.program));
        let mut interpolation = Interpolation::with(effects, program, tuning, false, Defect::None);
        interpolation.described = MAX_DESCRIBED;
        interpolation
    }

    /// Whoever asks proves that everything that follows a state which satisfies this is accounted for.
    pub(crate) fn assume_proved(&mut self, interpolant: Interpolant) {
        self.store.add(interpolant);
    }

    /// Tries to prove that everything below a node at this point of a path is accounted for; returns the node.
    fn prove(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        path: &PathAt<'_>,
        from: SideId,
    ) -> Option<Verdict> {
        let before = meter(machine, solver, &self.tuning);
        let done = self.credit.total(before);
        if !self.invariants.visit(path, done, self.credit.is_endless()) {
            return None;
        }
        let point = Point::of(path.state);
        let top = self.loop_head(point, from);
        let Some(node) = top.and_then(|top| self.nodes.get(&top)).filter(|node| Point::of(&node.state) == point) else {
            self.invariants.postpone(point);
            return None;
        };
        let top = top?;
        let (state, input) = (node.state.clone(), Arc::clone(&node.input));
        let head = Head { state: &state, input: &input };
        let clauses = self.invariants.prove(machine, solver, &head, done, self.credit.is_endless());
        self.proved += meter(machine, solver, &self.tuning).saturating_sub(before);
        let clauses = clauses?;
        let node = self.nodes.get(&top)?;
        let cover = Cover {
            path: node.found_by,
            depth: node.ordinal(),
            text: Some(display::describe(machine, &state, &clauses)),
        };
        Some(Verdict::Proved { node: top, cover })
    }

    /// Looks for bugs if that is due: not before proofs have had their chance, and with a share of the work.
    fn scout(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>, from: SideId) {
        let before = meter(machine, solver, &self.tuning);
        let done = self.credit.total(before);
        let spent = self.scout.as_ref().map_or(0, |scout| scout.work);
        if done < self.scout_at || spent > done / 100 * self.tuning.scout_share || !self.invariants.is_on() {
            return;
        }
        if self.scout.is_none() {
            self.scout_at = done.saturating_mul(2);
            let head = self.loop_head(Point::of(path.state), from).and_then(|head| self.nodes.get(&head));
            let Some(head) = head.map(|node| Point::of(&node.state)) else { return };
            let Some((state, input)) = self.first.take() else { return };
            self.scout_at = 0;
            self.scout = Some(Scout::new(machine, self.effects.live(), &self.tuning, head, state, input));
        }
        let Some(scout) = &mut self.scout else { return };
        let found = scout.explore(machine, solver, self.tuning.scout_round, &self.tuning);
        self.failing.extend(found);
        self.proved += meter(machine, solver, &self.tuning).saturating_sub(before);
    }

    /// Drops all interpolants.
    pub(crate) fn drop_interpolants(&mut self) {
        self.store.clear();
    }

    /// Drops all nodes that are open; what they were is not accounted for.
    pub(crate) fn drop_nodes(&mut self) {
        self.nodes.clear();
        self.covers.forget();
        self.confirmation.clear();
    }

    /// The uppermost node above a side at the point that is best for a proof: of those to which the path comes again,
    /// one in the outermost loop, and there the one to which it comes the most often, so that no round passes it by.
    fn loop_head(&mut self, point: Point, side: SideId) -> Option<NodeId> {
        struct Repeated {
            depth: usize,
            visits: usize,
            uppermost: NodeId,
        }
        let mut points: FxHashMap<Point, Repeated> = FxHashMap::default();
        let mut next = Some(side);
        while let Some(side) = next {
            let node = self.nodes.get(&side.node)?;
            let at = Point::of(&node.state);
            let depth = self.invariants.depth(&node.state);
            let known =
                points.entry(at).or_insert(Repeated { depth, visits: usize::from(at == point), uppermost: side.node });
            known.visits += 1;
            known.uppermost = side.node;
            next = node.from;
        }
        let repeated = points.into_values().filter(|known| known.visits > 1 && known.depth > 0);
        let best = repeated.min_by_key(|known| {
            let ordinal = self.nodes.get(&known.uppermost).map(Node::ordinal);
            (known.depth, std::cmp::Reverse(known.visits), ordinal)
        });
        best.map(|best| best.uppermost)
    }

    /// Does something for which machine and solver work, and counts that.
    fn counted<T>(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        act: impl FnOnce(&mut Interpolation, &mut Machine, &mut Solver) -> T,
    ) -> T {
        let before = meter(machine, solver, &self.tuning);
        let result = act(self, machine, solver);
        let proved = std::mem::take(&mut self.proved);
        self.credit.worked((meter(machine, solver, &self.tuning).saturating_sub(before)).saturating_sub(proved));
        self.credit.proved(proved);
        self.credit.comparisons(0, self.store.examined());
        result
    }

    /// Compares the state of a path with what is known of its point.
    fn compare_with_known(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        path: &PathAt<'_>,
        from: SideId,
    ) -> Option<Verdict> {
        let mut contents = Contents::default();
        let mut witnesses = Witnesses::new(&self.tuning);
        let candidates = self.store.candidates(machine, path.state, &mut contents, self.tuning.compared);
        for interpolant in candidates {
            let mut examined = 1;
            let is_violated = interpolant.is_violated(machine, path.state, &mut contents, &mut examined);
            self.credit.comparisons(0, examined);
            if is_violated {
                continue;
            }
            self.credit.comparisons(1, interpolant.len());
            let steps = self.values.steps();
            let satisfied = solver.with_effort(self.tuning.comparison_effort, |solver| {
                interpolant.compare(machine, solver, &mut self.values, &mut witnesses, path)
            });
            self.credit.spend(self.values.steps().saturating_sub(steps) * self.tuning.evaluation_work);
            if let Satisfied::Yes(clauses) = satisfied {
                let at = At { state: path.state, input: path.input, end: None };
                let ready = self.contribute(machine, from, at, &clauses, &interpolant.footprint, interpolant.paths);
                self.credit.subsumed(interpolant.paths, meter(machine, solver, &self.tuning));
                interpolant.usage.hit();
                self.close(machine, solver, ready);
                return Some(Verdict::Subsumed(self.cover(machine, &interpolant)));
            }
        }
        None
    }

    /// The effect of the segment from the node of a side to a state.
    fn effect(&mut self, machine: &mut Machine, from: SideId, to: At<'_>) -> Option<EffectId> {
        let node = self.nodes.get(&from.node).filter(|node| !node.is_half)?;
        let segment = Segment {
            start: &node.state,
            choice: node.sides.get(from.index as usize)?.key,
            end: to.state,
            ends: to.end.is_some(),
            input: to.input,
        };
        let effect = self.effects.of(machine, &segment).ok()?;
        self.defect.spoil(self.effects.get(effect));
        let is_alike = |end: &End| {
            let effect = self.effects.get(effect).ended.as_ref();
            effect.is_some_and(|ended| std::mem::discriminant(ended) == std::mem::discriminant(end))
        };
        to.end.is_none_or(is_alike).then_some(effect)
    }

    /// A side is accounted for: adds what it says about the state at its node, given the state at the end of its first
    /// segment and clauses on that. Returns the node if all of its sides are accounted for now.
    fn contribute(
        &mut self,
        machine: &mut Machine,
        side: SideId,
        to: At<'_>,
        below: &Clauses,
        footprint: &Footprint,
        paths: u64,
    ) -> Option<NodeId> {
        self.credit.carried(below.len());
        let added = self.effect(machine, side, to).and_then(|effect| {
            let node = self.nodes.get_mut(&side.node)?;
            let effect = self.effects.get(effect);
            let decisions = to.state.path.len() as u32 - node.ordinal();
            let step = node.add_segment(machine, side.index, effect, decisions)?;
            node.clauses.add_carried(machine, effect, &step, below)?;
            node.footprint.add(footprint);
            node.paths = node.paths.saturating_add(paths);
            (node.clauses.len() <= self.tuning.clauses).then_some(node)
        });
        match added {
            Some(node) => {
                node.account(side.index, Account::Done);
                self.accounted(side)
            }
            None => {
                self.give_up(Some(side));
                None
            }
        }
    }

    /// A side was accounted for. Returns the node if all of its sides are now.
    fn accounted(&mut self, side: SideId) -> Option<NodeId> {
        let node = self.nodes.get(&side.node)?;
        let open = node.sides.iter().zip(0..).filter(|(side, _)| side.account == Account::Open);
        let open = open.map(|(_, index)| SideId { node: side.node, index });
        self.confirmation.add(Point::of(&node.state), open);
        (node.open == 0).then_some(side.node)
    }

    /// A side is accounted for if assumptions hold. Returns the node if all of its sides are accounted for now.
    fn assume(&mut self, machine: &mut Machine, side: SideId, to: At<'_>, below: Below, lowest: u32) -> Option<NodeId> {
        let added = self.effect(machine, side, to).and_then(|effect| {
            let node = self.nodes.get_mut(&side.node)?;
            let decisions = to.state.path.len() as u32 - node.ordinal();
            let step = node.add_segment(machine, side.index, self.effects.get(effect), decisions)?;
            node.parts.push(Part { effect, step, below, lowest });
            Some(node)
        });
        match added {
            Some(node) => {
                node.account(side.index, Account::Assumed);
                (node.open == 0).then_some(side.node)
            }
            None => {
                self.give_up(Some(side));
                None
            }
        }
    }

    /// All sides of a node are accounted for; goes on with the nodes above for which that is then so, too.
    fn close(&mut self, machine: &mut Machine, solver: &mut Solver, node: Option<NodeId>) {
        let mut next = node;
        while let Some(id) = next {
            next = self.close_one(machine, solver, id);
        }
    }

    fn close_one(&mut self, machine: &mut Machine, solver: &mut Solver, id: NodeId) -> Option<NodeId> {
        let from = self.nodes.get(&id)?.from;
        let side = from.and_then(|from| self.nodes.get(&from.node)?.sides.get(from.index as usize));
        if side.is_some_and(|side| side.account == Account::Assumed) {
            // It was closed before, and nothing has changed since.
            return None;
        }
        if self.borrowed.contains_key(&id) {
            let node = self.remove(machine, id)?;
            self.borrowed.insert(id, PortableAccount::of(machine, &node));
            return None;
        }
        let node = self.nodes.get_mut(&id)?;
        if !node.close(machine) {
            self.give_up_node(id);
            return None;
        }
        if node.parts.is_empty() {
            let mut node = self.remove(machine, id)?;
            self.vacuous.drop_if_it_pays(machine, solver, &mut node.clauses, &self.tuning);
            node.clauses.pin(machine, &node.state, &self.tuning);
            let footprint = Rc::new(node.footprint);
            let Node { found_by, clauses, state, paths, .. } = node;
            let interpolant = Interpolant::new(machine, found_by, clauses, footprint, state, paths);
            return self.keep(machine, interpolant, &node.input, node.from);
        }
        let lowest = node.lowest();
        match node.from.filter(|_| lowest < node.ordinal()) {
            Some(from) => {
                let (state, input) = (node.state.clone(), Arc::clone(&node.input));
                self.assume(machine, from, At { state: &state, input: &input, end: None }, Below::Node(id), lowest)
            }
            None => self.check(machine, solver, id),
        }
    }

    /// Keeps an interpolant, and passes it on to the node above.
    fn keep(
        &mut self,
        machine: &mut Machine,
        interpolant: Interpolant,
        input: &Arc<[u8]>,
        from: Option<SideId>,
    ) -> Option<NodeId> {
        if let Some(heads) = self.heads.as_mut().filter(|_| from.is_none()) {
            heads.depends_on(machine, interpolant.clauses());
        }
        let interpolant = self.store.add(interpolant);
        let at = At { state: &interpolant.state, input, end: None };
        self.contribute(machine, from?, at, interpolant.clauses(), &interpolant.footprint, interpolant.paths)
    }

    /// Checks the assumptions below a node, on none of which anything above depends.
    fn check(&mut self, machine: &mut Machine, solver: &mut Solver, root: NodeId) -> Option<NodeId> {
        let budget = self.credit.left(meter(machine, solver, &self.tuning));
        let Interpolation { effects, nodes, covers, values, vacuous, tuning, .. } = self;
        let mut checker = Checker { machine, solver, effects, nodes, covers, values, vacuous, tuning, budget, work: 0 };
        let result = checker.check(root);
        self.credit.spend(checker.work);
        match result {
            Induction::Holds(interpolants) => {
                let mut next = None;
                // A loop without end would have been explored for ever.
                self.credit.subsumed(u64::from(u32::MAX), meter(machine, solver, &self.tuning));
                let covers: FxHashMap<NodeId, Cover> =
                    interpolants.iter().map(|(id, interpolant)| (*id, self.cover(machine, interpolant))).collect();
                let parts = interpolants.iter().filter_map(|(id, _)| self.nodes.get(id)).flat_map(|node| &node.parts);
                let below: Vec<Below> = parts.map(|part| part.below).collect();
                for below in below {
                    if let Below::Leaf(side) = below
                        && let Some(leaf) = self.covers.remove_leaf(side)
                        && let Some(cover) = covers.get(&leaf.target)
                    {
                        self.resolutions.push((side, Resolution::Covered(cover.clone())));
                    }
                }
                for (id, interpolant) in interpolants {
                    let Some(node) = self.remove(machine, id) else { continue };
                    if id == root {
                        next = self.keep(machine, interpolant, &node.input, node.from);
                    } else {
                        self.store.add(interpolant);
                    }
                }
                next
            }
            Induction::Fails(leaves) => {
                let mut violations: BTreeMap<Point, Vec<u32>> = BTreeMap::new();
                for (side, why) in leaves {
                    if let Some((point, holes)) = why {
                        violations.entry(point).or_default().extend(holes);
                    }
                    self.resume(side);
                }
                for (point, holes) in violations {
                    let node = |id: NodeId| self.nodes.get(&id).map(|node| (&node.state, &node.input));
                    self.covers.refine(machine, point, &holes, node);
                }
                None
            }
        }
    }

    /// Takes note of what happened to the tree.
    fn apply(&mut self, machine: &mut Machine, solver: &mut Solver, events: Vec<TreeEvent>) {
        for event in events {
            match event {
                TreeEvent::Found(_) => {}
                TreeEvent::Closed(side, Closed::Incomplete(_), _) => self.give_up(Some(side)),
                TreeEvent::Closed(side, closed, core) => {
                    let Some(node) = self.nodes.get_mut(&side.node).filter(|node| node.open > 0) else { continue };
                    match closed {
                        Closed::Infeasible => match self.defect {
                            Defect::InfeasibleSide => node.account(side.index, Account::Done),
                            Defect::CoreCondition => node.account_infeasible(side.index, core.get(1..).unwrap_or(&[])),
                            _ => node.account_infeasible(side.index, &core),
                        },
                        Closed::Pruned(by) if by != NAME => node.account(side.index, Account::Done),
                        Closed::Pruned(_) | Closed::Ended | Closed::Explored | Closed::Incomplete(_) => {}
                    }
                    let ready = self.nodes.get(&side.node).is_some_and(|node| node.open == 0 && !node.is_half);
                    self.close(machine, solver, ready.then_some(side.node));
                }
                TreeEvent::Settled { node, parent, complete } => {
                    if !complete {
                        self.give_up(parent);
                    }
                    if self.remove(machine, node).is_some() {
                        self.give_up(parent);
                    }
                }
            }
        }
    }

    /// A path is not covered after all: it runs on, and nothing above it is accounted for.
    fn resume(&mut self, side: SideId) {
        if self.covers.remove_leaf(side).is_none() {
            return;
        }
        self.resolutions.push((side, Resolution::Resumed));
        let mut next = Some((side, Below::Leaf(side)));
        while let Some((side, below)) = next {
            let Some(node) = self.nodes.get_mut(&side.node) else { return };
            let before = node.parts.len();
            node.parts.retain(|part| part.below != below);
            if node.parts.len() == before {
                return;
            }
            let was_closed = node.open == 0;
            node.account(side.index, Account::Open);
            next = node.from.filter(|_| was_closed).map(|from| (from, Below::Node(side.node)));
        }
    }

    /// What an interpolant covers a path by.
    fn cover(&mut self, machine: &Machine, interpolant: &Interpolant) -> Cover {
        let is_new = !interpolant.is_described.replace(true) && self.described < MAX_DESCRIBED;
        self.described += usize::from(is_new);
        Cover {
            path: interpolant.found_by,
            depth: interpolant.state.path.len() as u32,
            text: is_new.then(|| display::describe(machine, &interpolant.state, interpolant.clauses())),
        }
    }

    /// The node that a side belongs to will never have an interpolant, nor will those above it.
    fn give_up(&mut self, side: Option<SideId>) {
        if let Some(side) = side {
            self.give_up_node(side.node);
        }
    }

    fn give_up_node(&mut self, id: NodeId) {
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(node) = self.nodes.get_mut(&id).filter(|node| !node.is_half) else { return };
            node.is_half = true;
            next = node.from.map(|side| side.node);
            // What it is assumed to cover must run.
            self.covers.covered_by(id).into_iter().for_each(|side| self.resume(side));
        }
    }

    /// Gives up the half of the nodes that is closer to the root: it takes the longest until they are complete.
    fn give_up_upper_half(&mut self) {
        let mut upper: Vec<(u32, NodeId)> = self.nodes.iter().map(|(id, node)| (node.ordinal(), *id)).collect();
        upper.sort_unstable();
        upper.truncate(upper.len().div_ceil(2));
        upper.into_iter().for_each(|(_, id)| self.give_up_node(id));
    }

    /// Takes a node out. What it is assumed to cover runs on, and is compared with its interpolant, if it has one.
    fn remove(&mut self, machine: &mut Machine, id: NodeId) -> Option<Node> {
        self.covers.covered_by(id).into_iter().for_each(|side| self.resume(side));
        let node = self.nodes.remove(&id)?;
        self.covers.remove(machine, id, &node.state, &node.input);
        Some(node)
    }

    /// The node that a path is assumed to be covered by, and the ordinal of the uppermost node that this depends on. It
    /// is a node above the path, or one that depends on such a node only.
    fn target(&mut self, machine: &mut Machine, path: &PathAt<'_>, from: SideId) -> Option<(NodeId, u32)> {
        let candidates = self.covers.candidates(machine, path.state, path.input);
        candidates.into_iter().rev().take(self.tuning.covering).find_map(|id| {
            let node = self.nodes.get(&id).filter(|node| !node.is_half)?;
            if !node.state.is_alike(path.state, &Footprint::default()) {
                return None;
            }
            // A side of each node above the path is open: the one along which it runs.
            if node.open > 0 {
                return self.is_above(id, from).then(|| (id, node.ordinal()));
            }
            let lowest = node.lowest();
            let above = self.above(id, lowest)?;
            self.is_above(above, from).then_some((id, lowest))
        })
    }

    /// The node with this ordinal above a node.
    fn above(&self, id: NodeId, ordinal: u32) -> Option<NodeId> {
        let mut next = Some(id);
        while let Some(id) = next {
            let node = self.nodes.get(&id).filter(|node| node.ordinal() >= ordinal)?;
            if node.ordinal() == ordinal {
                return Some(id);
            }
            next = node.from.map(|side| side.node);
        }
        None
    }

    /// Whether a node is above a side.
    fn is_above(&self, id: NodeId, side: SideId) -> bool {
        let Some(ordinal) = self.nodes.get(&id).map(Node::ordinal) else { return false };
        let mut next = Some(side);
        while let Some(side) = next {
            if side.node == id {
                return true;
            }
            next = self.nodes.get(&side.node).filter(|node| node.ordinal() > ordinal).and_then(|node| node.from);
        }
        false
    }

    /// Suspends a path if a node may cover it.
    fn suspends(&mut self, machine: &mut Machine, path: &PathAt<'_>, from: SideId) -> bool {
        if machine.is_halted() {
            return false;
        }
        if self.nodes.get(&from.node).is_none_or(|node| node.is_half) {
            return false;
        }
        let Some((target, lowest)) = self.target(machine, path, from) else { return false };
        let at = At { state: path.state, input: path.input, end: None };
        // If all sides of the node are accounted for now, `suspended` notices.
        self.assume(machine, from, at, Below::Leaf(from), lowest);
        if self.nodes.get(&from.node).is_none_or(|node| node.is_half) {
            return false;
        }
        let leaf =
            Leaf { state: path.state.clone(), input: Arc::clone(path.input), target, proved: Clauses::default() };
        self.covers.add_leaf(from, leaf);
        true
    }
}

impl Subsumption for Interpolation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&mut self, machine: &Machine, solver: &Solver) -> bool {
        self.credit.decide(meter(machine, solver, &self.tuning))
    }

    fn is_active(&self) -> bool {
        self.credit.is_on()
    }

    fn compare(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> Verdict {
        let Some(from) = path.from else { return Verdict::Open };
        if !path.state.is_whole() || !self.is_active() {
            return Verdict::Open;
        }
        if let Some(interpolant) = self.heads.as_mut().and_then(|heads| heads.arrives(machine, path)) {
            self.store.add(interpolant);
        }
        self.counted(machine, solver, |this, machine, solver| {
            if let Some(verdict) = this.compare_with_known(machine, solver, path, from) {
                return verdict;
            }
            this.scout(machine, solver, path, from);
            if let Some(proved) = this.prove(machine, solver, path, from) {
                return proved;
            }
            if this.suspends(machine, path, from) { Verdict::Suspended } else { Verdict::Open }
        })
    }

    fn found(&mut self, machine: &mut Machine, id: NodeId, path: &PathAt<'_>, decision: &Decision) {
        if !self.is_active() {
            return;
        }
        self.credit.node();
        if path.from.is_none() && self.first.is_none() {
            self.first = Some((path.state.clone(), Arc::clone(path.input)));
        }
        self.covers.add(machine, id, path.state, path.input);
        self.nodes.insert(id, Node::new(path.number, path.state, path.input, path.from, decision));
    }

    fn ended(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>, end: &End, closed: Closed) {
        match closed {
            Closed::Ended => self.credit.end(meter(machine, solver, &self.tuning)),
            _ => self.credit.path(),
        }
        let Some(from) = path.from else { return };
        match closed {
            Closed::Ended => self.counted(machine, solver, |this, machine, solver| {
                let at = At { state: path.state, input: path.input, end: Some(end) };
                let ready = this.contribute(machine, from, at, &Clauses::default(), &Footprint::default(), 1);
                this.close(machine, solver, ready);
            }),
            // What it contributes was added when it was subsumed or covered.
            Closed::Pruned(_) => {}
            Closed::Incomplete(_) | Closed::Infeasible | Closed::Explored => self.give_up(Some(from)),
        }
    }

    fn update(&mut self, machine: &mut Machine, solver: &mut Solver, events: Vec<TreeEvent>) {
        self.counted(machine, solver, |this, machine, solver| this.apply(machine, solver, events));
    }

    fn suspended(&mut self, machine: &mut Machine, solver: &mut Solver, side: SideId) {
        let ready = self.nodes.get(&side.node).is_some_and(|node| node.open == 0 && !node.is_half);
        self.counted(machine, solver, |this, machine, solver| this.close(machine, solver, ready.then_some(side.node)));
    }

    fn wanted(&mut self) -> Option<SideId> {
        self.confirmation.next()
    }

    fn failing_inputs(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.failing)
    }

    fn resolutions(&mut self) -> Vec<(SideId, Resolution)> {
        std::mem::take(&mut self.resolutions)
    }

    fn release(&mut self, side: SideId) {
        if let Some(leaf) = self.covers.leaves.get(&side) {
            self.covers.block(Point::of(&leaf.state));
        }
        self.resume(side);
        self.resolutions.retain(|(resolved, _)| *resolved != side);
    }

    fn may_hand_over(&self, side: SideId) -> bool {
        // What is below a node that may cover it could not be covered elsewhere, and would be unrolled.
        let mut next = Some(side.node);
        while let Some(id) = next {
            if self.covers.is_target(id) {
                return false;
            }
            next = self.nodes.get(&id).and_then(|node| node.from).map(|side| side.node);
        }
        true
    }

    fn borrowed(&mut self, side: SideId, path: &PathAt<'_>, kind: DecisionKind, choice: &Choice) {
        // The node has other sides, which are not known here. So it covers nothing, and has no interpolant.
        let decision = Decision { kind, chosen: *choice, alternatives: Default::default(), refuted: Vec::new() };
        self.nodes.insert(side.node, Node::new(path.number, path.state, path.input, None, &decision));
        self.borrowed.insert(side.node, None);
    }

    fn account(&mut self, _machine: &Machine, node: NodeId) -> Option<secateur_explore::Account> {
        let account = self.borrowed.remove(&node)??;
        Some(Box::new(account))
    }

    fn returned(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        side: SideId,
        account: Option<secateur_explore::Account>,
    ) {
        let account = account.and_then(|account| account.downcast::<PortableAccount>().ok());
        let added = account.and_then(|account| {
            let node = self.nodes.get_mut(&side.node).filter(|node| !node.is_half)?;
            account.add_to(machine, node, side.index)?;
            (node.clauses.len() <= self.tuning.clauses).then_some(())
        });
        match added {
            Some(()) => {
                let ready = self.accounted(side);
                self.counted(machine, solver, |this, machine, solver| this.close(machine, solver, ready));
            }
            None => self.give_up(Some(side)),
        }
    }

    fn relieve(&mut self, machine: &mut Machine) -> usize {
        let few = self.tuning.few_kept;
        let mut dropped = self.store.drop_useless(&self.tuning);
        let needed = self.nodes.values().flat_map(|node| node.parts.iter().map(|part| part.effect)).collect();
        let before = self.effects.len();
        let renamed = self.effects.drop_half(&needed);
        for part in self.nodes.values_mut().flat_map(|node| &mut node.parts) {
            if let Some(id) = renamed.get(&part.effect) {
                part.effect = *id;
            }
        }
        dropped += Some(before - self.effects.len()).filter(|effects| *effects > few).unwrap_or(0);
        self.scout.iter_mut().for_each(Scout::forget);
        if dropped == 0 && self.nodes.len() > few {
            self.invariants.forget();
            self.give_up_upper_half();
        }
        let half: Vec<NodeId> = self.nodes.iter().filter(|(_, node)| node.is_half).map(|(id, _)| *id).collect();
        for id in &half {
            self.remove(machine, *id);
        }
        dropped + half.len()
    }

    fn forget(&mut self) {
        self.effects.forget();
        self.vacuous.forget();
        self.invariants.forget();
        self.scout.iter_mut().for_each(Scout::forget);
        self.first = None;
        self.store.clear();
        self.confirmation.clear();
        for side in self.covers.leaves.keys() {
            self.resolutions.push((*side, Resolution::Resumed));
        }
        self.covers.forget();
        // What would become of these nodes has nowhere to go, so they have no interpolant.
        self.nodes.clear();
    }
}
