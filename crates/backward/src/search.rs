//! The search: which state is taken one step back next, and what is known when none is left.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use secateur_expr::Expr;
use secateur_graph::Loop;
use secateur_program::{BlockId, FuncId, Inst, LocId, Place, Program, Returns, Slot};
use secateur_solver::{Deadline, Solver};

use crate::code::Code;
use crate::question::{Model, Solved};
use crate::state::{Caller, State};

/// How many calls away from the start counts as much as this many blocks.
const CALL_DISTANCE: u64 = 16;

/// How the search works.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often a loop or a recursion is entered backwards before it is left out as a whole.
    pub unroll: u32,
    /// The most steps.
    pub max_steps: u64,
    /// When to stop.
    pub deadline: Deadline,
}

/// How far the search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// How many steps were taken.
    pub steps: u64,
    /// How many states are left.
    pub pending: u64,
    /// The fewest deferred values of a state that is left.
    pub deferred: u32,
}

/// Runs candidates, and is told about progress.
pub trait Runner {
    /// Whether an input reaches the target.
    fn reaches(&mut self, input: &[u8]) -> bool;

    /// How far the search is; returns whether to go on.
    fn goes_on(&mut self, progress: &Progress) -> bool;
}

/// What the search shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// An input reaches the target.
    Reached,
    /// No input does.
    Unreachable {
        /// Where the conditions of the paths to the target contradict each other.
        refuted_at: Vec<LocId>,
    },
    /// Neither is known, for these reasons.
    Unknown(Vec<Obstacle>),
}

/// Why a path could not be followed to the start of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Obstacle {
    /// A sentence.
    pub why: String,
    /// Where; 0 if it is not a place.
    pub loc: LocId,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// How many steps were taken: one for each stretch of code from which a path may have come.
    pub steps: u64,
    /// How many of these stretches were followed, since the conditions there can hold.
    pub segments: u64,
    /// How many values were deferred on the path that answered, or the fewest of any that came to the start.
    pub deferred: u32,
    /// The last candidate that did not reach the target.
    pub candidate: Option<Vec<u8>>,
}

/// Searches backwards from the places of a target.
pub fn search(
    program: &Program,
    places: &[Place],
    solver: &mut Solver,
    options: &Options,
    runner: &mut dyn Runner,
) -> Outcome {
    solver.stop_after(options.deadline.clone());
    let mut search = Search {
        code: Code::new(program),
        solver,
        options,
        runner,
        pending: BTreeMap::new(),
        nodes: Vec::new(),
        refuted: FxHashMap::default(),
        refuted_at: BTreeSet::new(),
        obstacles: BTreeSet::new(),
        steps: 0,
        segments: 0,
        added: 0,
        deferred: None,
        candidate: None,
    };
    let answer = search.run(places);
    Outcome {
        answer,
        steps: search.steps,
        segments: search.segments,
        deferred: search.deferred.unwrap_or(0),
        candidate: search.candidate,
    }
}

/// A point with its known callers, where conditions can be compared.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Point {
    function: FuncId,
    pc: u32,
    block: BlockId,
    callers: Vec<Caller>,
}

/// A state whose predecessors are looked at, or were.
struct Node {
    parent: Option<usize>,
    /// How many predecessors are not refuted.
    open: usize,
    /// Some of them never will be.
    is_lost: bool,
    point: Point,
    conditions: Vec<Expr>,
}

struct Search<'a, 'b> {
    code: Code<'a>,
    solver: &'b mut Solver,
    options: &'b Options,
    runner: &'b mut dyn Runner,
    /// The states by priority, the newest of the same first.
    pending: BTreeMap<(u64, Reverse<u64>), (State, usize)>,
    nodes: Vec<Node>,
    /// Conditions that no path satisfies at a point, whatever it looks like before.
    refuted: FxHashMap<Point, Vec<Vec<Expr>>>,
    refuted_at: BTreeSet<LocId>,
    obstacles: BTreeSet<Obstacle>,
    steps: u64,
    segments: u64,
    added: u64,
    deferred: Option<u32>,
    candidate: Option<Vec<u8>>,
}

/// What became of a state.
enum Taken {
    /// These may precede it.
    Before(Vec<State>),
    /// It is at the start of the program, and these may precede it nevertheless.
    Start(Box<State>, Vec<State>),
    /// This is in the way.
    Lost(Obstacle),
}

impl Search<'_, '_> {
    fn run(&mut self, places: &[Place]) -> Answer {
        let jumps = self.code.program.functions.iter().enumerate().any(|(index, function)| {
            secateur_machine::returns(&function.name) == Returns::Elsewhere
                && !self.code.callers(FuncId(index as u32)).is_empty()
        });
        if jumps {
            let why = "`longjmp` is not followed backwards".to_string();
            return Answer::Unknown(vec![Obstacle { why, loc: LocId(0) }]);
        }
        let states: Vec<State> = places.iter().filter_map(|place| self.state_at(*place)).collect();
        let root = self.add_node(None, &State::at(FuncId(0), BlockId(0), 0));
        self.nodes[root].open = 1;
        self.add_all(root, states);
        while let Some((_, (state, node))) = self.pending.pop_first() {
            let progress = Progress {
                steps: self.steps,
                pending: self.pending.len() as u64 + 1,
                deferred: self.pending.first_key_value().map_or(0, |(_, (state, _))| state.deferred),
            };
            if self.steps >= self.options.max_steps || !self.runner.goes_on(&progress) {
                let left = self.pending.len() + 1;
                let what = if self.steps >= self.options.max_steps { "limit of steps" } else { "time limit" };
                let why = format!("{left} backward paths were left at the {what}");
                self.obstacles.insert(Obstacle { why, loc: LocId(0) });
                self.nodes[root].is_lost = true;
                break;
            }
            self.segments += 1;
            match self.take(state) {
                Taken::Before(states) => self.add_all(node, states),
                Taken::Start(state, states) => {
                    // The state counts as open until it is known what precedes it.
                    if self.at_start(*state, node) {
                        return Answer::Reached;
                    }
                    self.add_all(node, states);
                }
                Taken::Lost(obstacle) => {
                    self.obstacles.insert(obstacle);
                    self.lose(node);
                }
            }
        }
        if self.nodes[root].is_lost || self.nodes[root].open > 0 {
            return Answer::Unknown(self.obstacles.iter().cloned().collect());
        }
        Answer::Unreachable { refuted_at: self.refuted_at.iter().copied().collect() }
    }

    /// The state at a target.
    fn state_at(&mut self, place: Place) -> Option<State> {
        match place {
            Place::Before { function, pc } => Some(State::at(function, self.code.body(function)?.block_at(pc), pc)),
            Place::Outcome { branch, outcome } => {
                let branch = self.code.program.branches.get(branch.index())?;
                let body = self.code.body(branch.function)?;
                let last = body.blocks[branch.block.index()].end - 1;
                let edge = match body.code[last as usize] {
                    Inst::Branch { then_edge, else_edge, .. } => [else_edge, then_edge][outcome.min(1) as usize],
                    Inst::Switch { info, .. } => *body.switches[info.index()].targets.get(outcome as usize)?,
                    _ => return None,
                };
                let mut state = State::at(branch.function, branch.block, last + 1);
                let condition = self.code.edge_condition(&state, branch.function, last, edge);
                if let Some(condition) = condition {
                    state.require(&self.code.pool, condition);
                }
                Some(state)
            }
        }
    }

    /// Adds the states that may precede a node; those that are refuted are left out.
    fn add_all(&mut self, parent: usize, states: Vec<State>) {
        for mut state in states {
            self.steps += 1;
            if self.is_refuted(&mut state) {
                self.refuted_at.insert(self.loc(&state));
                continue;
            }
            let node = self.add_node(Some(parent), &state);
            self.nodes[parent].open += 1;
            let key = (self.priority(&state), Reverse(self.added));
            self.added += 1;
            self.pending.insert(key, (state, node));
        }
        // The node itself counted as open while its predecessors were not known.
        self.close(parent);
    }

    fn add_node(&mut self, parent: Option<usize>, state: &State) -> usize {
        let point = point_of(state);
        self.nodes.push(Node { parent, open: 1, is_lost: false, point, conditions: state.conditions.clone() });
        self.nodes.len() - 1
    }

    /// One of the predecessors of a node is refuted, or the node is known not to have others.
    fn close(&mut self, mut node: usize) {
        loop {
            self.nodes[node].open -= 1;
            if self.nodes[node].open > 0 || self.nodes[node].is_lost {
                return;
            }
            let Node { parent, point, conditions, .. } = &mut self.nodes[node];
            let (point, conditions) = (point.clone(), std::mem::take(conditions));
            let parent = *parent;
            self.refuted.entry(point).or_default().push(conditions);
            match parent {
                Some(parent) => node = parent,
                None => return,
            }
        }
    }

    /// A node will never be refuted, nor what it leads to.
    fn lose(&mut self, node: usize) {
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| !self.nodes[*node].is_lost) {
            self.nodes[node].is_lost = true;
            next = self.nodes[node].parent;
        }
    }

    /// No path comes to the point of a state with its conditions.
    fn is_refuted(&mut self, state: &mut State) -> bool {
        if state.is_refuted(&self.code.pool) {
            return true;
        }
        let known = self.refuted.get(&point_of(state)).into_iter().flatten();
        if known.into_iter().any(|refuted| is_subset(refuted, &state.conditions)) {
            return true;
        }
        if std::mem::replace(&mut state.is_new, false) {
            return matches!(self.code.solve(self.solver, state), Solved::Refuted);
        }
        false
    }

    /// Closest to the start of the program first, and fewest deferred values.
    fn priority(&mut self, state: &State) -> u64 {
        let mut distance = u64::from(self.distance(state.function, state.block));
        for caller in &state.callers {
            let Some(body) = self.code.body(caller.function) else { continue };
            let block = body.block_at(caller.pc);
            distance += u64::from(self.distance(caller.function, block));
        }
        let outermost = state.callers.first().map_or(state.function, |caller| caller.function);
        distance += u64::from(self.code.call_depth(outermost).min(1 << 16)) * CALL_DISTANCE;
        u64::from(state.deferred.min(1 << 20)) << 32 | distance.min(u64::from(u32::MAX))
    }

    fn distance(&mut self, function: FuncId, block: BlockId) -> u32 {
        self.code.flow(function).map_or(0, |flow| flow.distance[block.index()].min(1 << 16))
    }

    fn loc(&self, state: &State) -> LocId {
        let body = self.code.body(state.function);
        let pc = body.map_or(0, |body| state.pc.min(body.blocks[state.block.index()].end - 1));
        body.and_then(|body| body.locs.get(pc as usize)).copied().unwrap_or(LocId(0))
    }

    /// Takes a state back to where there is a choice.
    fn take(&mut self, mut state: State) -> Taken {
        loop {
            let Some(body) = self.code.body(state.function) else { return Taken::Before(Vec::new()) };
            if !self.code.step_back(&mut state) {
                return Taken::Before(Vec::new());
            }
            if state.pc > body.blocks[state.block.index()].start {
                let mut before = self.code.step_call(state, self.options.unroll);
                match before.pop() {
                    Some(only) if before.is_empty() => {
                        state = only;
                        continue;
                    }
                    last => {
                        before.extend(last);
                        return Taken::Before(before);
                    }
                }
            }
            if state.block == BlockId(0) {
                match self.code.leave(state.clone()) {
                    Some(before) => state = before,
                    None => return self.at_entry(state),
                }
                continue;
            }
            let Some(flow) = self.code.flow(state.function) else { return Taken::Before(Vec::new()) };
            if self.code.skip(&mut state, &flow) {
                if state.is_new {
                    return Taken::Before(vec![state]);
                }
                continue;
            }
            if self.code.merge(&mut state, &flow) {
                if state.is_new {
                    return Taken::Before(vec![state]);
                }
                continue;
            }
            let header = flow.loops.innermost(state.block).filter(|found| found.head == state.block);
            let conditions = state.conditions.clone();
            let mut before = match header {
                Some(header) => self.before_header(state, &flow, header),
                None => self.before_block(&state, &flow, |_| true),
            };
            match before.pop() {
                // A block that is entered from one other without a condition belongs to the same stretch.
                Some(only) if before.is_empty() && only.conditions == conditions => state = only,
                last => {
                    before.extend(last);
                    return Taken::Before(before);
                }
            }
        }
    }

    /// The states before each edge into the block of a state, from those blocks that are `wanted`.
    fn before_block(
        &mut self,
        state: &State,
        flow: &crate::code::Flow,
        wanted: impl Fn(BlockId) -> bool,
    ) -> Vec<State> {
        let Some(body) = self.code.body(state.function) else { return Vec::new() };
        let entering = &flow.entering[state.block.index()];
        let mut before = Vec::new();
        for (last, edge) in entering.iter().filter(|(last, _)| wanted(body.block_at(*last))) {
            let mut state = state.clone();
            self.code.take_edge(&mut state, *last, *edge);
            // What the block computes may already contradict the condition of the edge.
            if self.code.step_back(&mut state) {
                before.push(state);
            }
        }
        before
    }

    /// The states before the header of a loop: from outside, and after another round.
    fn before_header(&mut self, state: State, flow: &crate::code::Flow, header: &Loop) -> Vec<State> {
        let is_inside = |block: BlockId| header.blocks.binary_search(&block).is_ok();
        let key = (state.depth(), state.function, header.head);
        let rounds = state.visits.get(&key).copied().unwrap_or(0);
        let mut outside = state.clone();
        outside.visits.remove(&key);
        let mut before = self.before_block(&outside, flow, |block| !is_inside(block));
        let mut inside = state;
        if rounds < self.options.unroll {
            inside.visits.insert(key, rounds + 1);
            before.extend(self.before_block(&inside, flow, is_inside));
        } else {
            inside.visits.remove(&key);
            self.lift(&mut inside, header);
            before.extend(self.before_block(&inside, flow, |block| !is_inside(block)));
        }
        before
    }

    /// Makes free whatever any number of rounds of a loop may have changed.
    fn lift(&mut self, state: &mut State, header: &Loop) {
        let Some(body) = self.code.body(state.function) else { return };
        let mut written: Vec<Slot> = Vec::new();
        let mut writes_memory = false;
        for block in &header.blocks {
            let code = &body.blocks[block.index()];
            for inst in &body.code[code.start as usize..code.end as usize] {
                let add = |slot: Slot, count: u32| written.extend((slot.0..slot.0 + count).map(Slot));
                body.accesses(inst, |_, _| {}, add);
                match inst {
                    Inst::Call { info } => {
                        let effects = self.code.effects(body.calls[info.index()].callee);
                        writes_memory |= effects.writes;
                        state.has_gap |= effects.reads_input;
                    }
                    Inst::Store { .. } | Inst::MemCopy { .. } | Inst::MemSet { .. } => writes_memory = true,
                    Inst::VaStart { .. } | Inst::VaCopy { .. } | Inst::LifetimeStart { .. } => writes_memory = true,
                    _ => {}
                }
                for edge in body.edges_of(inst) {
                    written.extend(body.edges[edge.index()].moves.iter().map(|(slot, _)| *slot));
                }
            }
        }
        written.sort_unstable();
        written.dedup();
        written.retain(|slot| self.code.mentions(state, *slot));
        let free: Vec<(Slot, Expr)> =
            written.into_iter().map(|slot| (slot, self.code.holes.free(&mut self.code.pool, 64))).collect();
        state.deferred += free.len() as u32;
        self.code.set_slots(state, &free);
        if writes_memory {
            self.code.write_anywhere(state);
        }
    }

    /// A state at the entry of a function whose caller is not known.
    fn at_entry(&mut self, state: State) -> Taken {
        let function = state.function;
        let key = (u32::MAX, function, BlockId(0));
        let rounds = state.visits.get(&key).copied().unwrap_or(0);
        if rounds > self.options.unroll {
            let why = format!("the recursion of `{}` was not followed further", self.code.name(function));
            return Taken::Lost(Obstacle { why, loc: self.loc(&state) });
        }
        let program = self.code.program;
        let starts = program.entry == Some(function) || program.constructors.contains(&function);
        // These run without a call in the program.
        if program.runs_destructors(function) {
            let why = "what runs after `main` is not followed backwards".to_string();
            return Taken::Lost(Obstacle { why, loc: self.loc(&state) });
        }
        let mut before = Vec::new();
        for site in self.code.callers(function) {
            let mut state = state.clone();
            state.visits.insert(key, rounds + 1);
            let caller = Caller { function: site.function, pc: site.pc };
            before.push(self.code.leave_to(state, caller, site.is_indirect));
        }
        if !starts {
            return Taken::Before(before);
        }
        let mut start = state;
        self.code.start(&mut start);
        Taken::Start(Box::new(start), before)
    }

    /// A state at the start of the program: its conditions are over the input. Returns whether the target is reached.
    fn at_start(&mut self, state: State, node: usize) -> bool {
        self.steps += 1;
        let solved =
            if state.is_refuted(&self.code.pool) { Solved::Refuted } else { self.code.solve(self.solver, &state) };
        let model: Option<Model> = match solved {
            Solved::Refuted => return false,
            Solved::Satisfied(model) => Some(model),
            Solved::Unknown => None,
        };
        self.deferred = Some(self.deferred.map_or(state.deferred, |fewest| fewest.min(state.deferred)));
        let why = match model {
            None => "the solver gave up on the conditions at the start of the program".to_string(),
            Some(model) => {
                let input = model.input(&state);
                if self.runner.reaches(&input) {
                    self.deferred = Some(state.deferred);
                    return true;
                }
                self.candidate = Some(input);
                match state.deferred {
                    0 => "an input satisfies the conditions, but does not get there".to_string(),
                    count => format!("{count} values on a backward path are not expressed and were deferred"),
                }
            }
        };
        self.obstacles.insert(Obstacle { why, loc: LocId(0) });
        self.lose(node);
        false
    }
}

fn point_of(state: &State) -> Point {
    Point { function: state.function, pc: state.pc, block: state.block, callers: state.callers.clone() }
}

/// Both are sorted.
fn is_subset(small: &[Expr], large: &[Expr]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|condition| rest.any(|other| other == condition))
}
