//! The search: which state is taken one step back next, and what is known when none is left.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateur_concrete_search as concrete;
use secateur_expr::Expr;
use secateur_machine::{End, Machine};
use secateur_program::{BlockId, FuncId, GoalPoint, Inst, LocId, Program, Returns};
use secateur_solver::{Deadline, Solver};

use crate::checkpoint::Checkpoint;
use crate::code::Code;
use crate::forward::Forward;
use crate::lift::BeforeLoop;
use crate::nodes::{NodeId, Nodes, Point, is_subset};
use crate::question::{Model, Solved};
use crate::state::{Caller, Loops, State, UNKNOWN_CALLER};
use crate::trace::Trace;
use crate::tuning::Tuning;

/// How the search works.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often a loop or a recursion is entered backwards before it is left out as a whole.
    pub unroll: u32,
    /// The most steps.
    pub max_steps: u64,
    /// How many inputs the concrete search may run, for all paths together.
    pub evaluations: u64,
    /// Another seed lets it try others.
    pub seed: u64,
    /// When to stop.
    pub deadline: Deadline,
    /// Numbers for measurements.
    pub tuning: Tuning,
    /// The same of the concrete search.
    pub concrete: concrete::Tuning,
}

/// How far the search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// How many steps were taken.
    pub steps: u64,
    /// How many stretches of code were followed.
    pub segments: u64,
    /// How many states are left.
    pub pending: u64,
    /// How many calls were entered on the path that is looked at.
    pub depth: u32,
    /// How many values are deferred on it.
    pub deferred: u32,
    /// How far the closest input of a concrete search is from the target, while there is one.
    pub distance: Option<f64>,
}

/// Runs candidates, and is told about progress.
pub trait Runner {
    /// Whether an input reaches the target.
    fn reaches(&mut self, input: &[u8]) -> bool;

    /// A solver for the questions of forward states; `None` to search backwards only.
    fn forward_solver(&mut self) -> Option<Solver>;

    /// A machine for the program with paths that end at the target.
    fn machine(&mut self) -> Machine;

    /// A path of that machine has reached the target.
    fn is_reached(&self, end: &End) -> bool;

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
        refutations: Vec<Waypoint>,
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

/// A place on the way to the target.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Waypoint {
    /// The place.
    pub loc: LocId,
    /// What must hold there, in terms of variables; empty if that is not simple enough to be shown.
    pub conditions: Vec<String>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackwardResult {
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
    /// How many inputs the concrete search has run.
    pub evaluations: u64,
    /// The path that answered, from the target on, if one did.
    pub path: Vec<Waypoint>,
}

/// Searches backwards from the places of a target.
pub fn search(
    program: &Program,
    places: &[GoalPoint],
    solver: &mut Solver,
    options: &Options,
    runner: &mut dyn Runner,
) -> BackwardResult {
    solver.stop_after(options.deadline.clone());
    solver.set_effort(Some(options.tuning.step_effort));
    let mut search = Search {
        code: Code::new(program, &options.tuning),
        solver,
        options,
        runner,
        pending: BTreeMap::new(),
        lifted: BTreeMap::new(),
        general: BTreeMap::new(),
        turn: 0,
        nodes: Nodes::default(),
        postponed: VecDeque::new(),
        evaluations: 0,
        refuted: FxHashMap::default(),
        refutations: BTreeMap::new(),
        obstacles: BTreeSet::new(),
        steps: 0,
        segments: 0,
        added: 0,
        deferred: None,
        forward: None,
        explained: 0,
        path: Vec::new(),
        candidate: None,
    };
    let answer = search.run(places);
    BackwardResult {
        answer,
        steps: search.steps,
        segments: search.segments + search.forward.as_ref().map_or(0, |forward| forward.segments),
        deferred: search.deferred.unwrap_or(0),
        candidate: search.candidate,
        evaluations: search.evaluations,
        path: search.path,
    }
}

struct Search<'a, 'b> {
    code: Code<'a>,
    solver: &'b mut Solver,
    options: &'b Options,
    runner: &'b mut dyn Runner,
    /// The states by priority, the newest of the same first.
    pending: Queue,
    /// Those that leave loops out, and those that generalise them: they take turns with the others.
    lifted: Queue,
    general: Queue,
    turn: u32,
    nodes: Nodes,
    /// Paths at the start of the program whose concrete search is to go on.
    postponed: VecDeque<Postponed>,
    /// Conditions that no path satisfies at a point, whatever it looks like before.
    refuted: FxHashMap<Point, Vec<Vec<Expr>>>,
    /// What was refuted at which place, as far as it is explained.
    refutations: BTreeMap<LocId, Vec<String>>,
    obstacles: BTreeSet<Obstacle>,
    steps: u64,
    segments: u64,
    added: u64,
    deferred: Option<u32>,
    candidate: Option<Vec<u8>>,
    /// How many inputs the concrete search has run.
    evaluations: u64,
    /// The other half of a search from both sides.
    forward: Option<Forward>,
    /// How many refutations were explained.
    explained: usize,
    path: Vec<Waypoint>,
}

/// States with their nodes, by priority, the newest of the same first.
type Queue = BTreeMap<(u64, Reverse<u64>), (State, NodeId)>;

/// A state at the start of the program, with an input that satisfies what the solver can decide, if there is one.
struct Postponed {
    state: State,
    node: NodeId,
    input: Vec<u8>,
    has_model: bool,
}

/// What became of a state.
enum Taken {
    /// These may precede it.
    Before(Vec<State>),
    /// It is at the header of a loop.
    Loop { header: Box<State>, states: BeforeLoop },
    /// It is at the start of the program, and these may precede it nevertheless.
    Start(Box<State>, Vec<State>),
    /// These may precede it, and what this is about.
    Partly(Vec<State>, Obstacle),
    /// This is in the way.
    Lost(Obstacle),
}

impl Search<'_, '_> {
    fn run(&mut self, places: &[GoalPoint]) -> Answer {
        let jumps = self.code.program.functions.iter().enumerate().any(|(index, function)| {
            secateur_machine::returns(&function.name) == Returns::Elsewhere
                && !self.code.callers(FuncId(index as u32)).is_empty()
        });
        if jumps {
            let why = "`longjmp` is not followed backwards".to_string();
            return Answer::Unknown(vec![Obstacle { why, loc: LocId(0) }]);
        }
        let states: Vec<State> = places.iter().filter_map(|place| self.state_at(*place)).collect();
        let root = self.nodes.add(None, &State::at(FuncId(0), BlockId(0), 0));
        self.add_all(root, states);
        while let Some((state, node)) = self.next() {
            if self.steps >= self.options.max_steps || !self.runner.goes_on(&self.progress(&state)) {
                let left = self.pending.len() + self.lifted.len() + self.general.len() + 1;
                let what = if self.steps >= self.options.max_steps { "limit of steps" } else { "time limit" };
                let why = format!("{left} backward paths were left at the {what}");
                self.obstacles.insert(Obstacle { why, loc: LocId(0) });
                self.nodes.lose(root);
                if self.steps < self.options.max_steps {
                    self.postponed.clear();
                }
                break;
            }
            self.segments += 1;
            if self.segments.is_multiple_of(self.options.tuning.postponed_for) && self.goes_on_concretely() {
                return Answer::Reached;
            }
            if self.meets(&state) {
                self.path = self.path_of(node);
                return Answer::Reached;
            }
            let from = Checkpoint::of(&self.code, &state);
            let (deferred, loops) = (state.deferred, state.loops);
            let mut taken = self.take(state);
            taken.mark(from, deferred);
            match taken {
                Taken::Before(states) => self.add_all(node, states),
                Taken::Loop { header, states: BeforeLoop { lifted, general, before } } => {
                    let cover = self.nodes.add_cover(node, &header);
                    self.add_all(cover, lifted.unwrap_or_default());
                    if let Some((general, states)) = general.filter(|_| !self.nodes.is_closed(node)) {
                        let cover = self.nodes.add_cover(node, &general);
                        self.add_all(cover, states);
                    }
                    if !self.nodes.is_closed(node) {
                        self.add_all(node, before);
                    }
                }
                Taken::Start(state, states) => {
                    // The state counts as open until it is known what precedes it.
                    if self.at_start(*state, node) {
                        self.path = self.path_of(node);
                        return Answer::Reached;
                    }
                    self.add_all(node, states);
                }
                Taken::Partly(states, obstacle) => {
                    if !loops.is_abstract() {
                        self.obstacles.insert(obstacle);
                    }
                    self.nodes.lose(node);
                    self.add_all(node, states);
                }
                Taken::Lost(obstacle) => {
                    // What a lifted loop admits need not happen.
                    if !loops.is_abstract() {
                        self.obstacles.insert(obstacle);
                    }
                    self.nodes.lose(node);
                }
            }
        }
        while self.nodes.is_open(root) && !self.postponed.is_empty() {
            if self.goes_on_concretely() {
                return Answer::Reached;
            }
        }
        if self.nodes.is_open(root) {
            return Answer::Unknown(self.obstacles.iter().cloned().collect());
        }
        let refutations = std::mem::take(&mut self.refutations).into_iter();
        Answer::Unreachable { refutations: refutations.map(|(loc, conditions)| Waypoint { loc, conditions }).collect() }
    }

    /// A forward path gets to the point of a state with its conditions, and on to the target.
    fn meets(&mut self, state: &State) -> bool {
        // What backward execution answers at once needs no forward paths.
        if self.forward.is_none()
            && (self.segments > self.options.tuning.forward_after || self.candidate.is_some())
            && let Some(solver) = self.runner.forward_solver()
        {
            let mut forward = Forward::new(self.runner.machine(), solver, &self.options.tuning);
            forward.follow(&[]);
            if let Some(candidate) = &self.candidate {
                forward.follow(candidate);
            }
            self.forward = Some(forward);
        }
        let Some(forward) = &mut self.forward else { return false };
        let Some(input) = forward.meet(&self.code, state) else { return false };
        if self.runner.reaches(&input) {
            self.deferred = Some(state.deferred);
            return true;
        }
        forward.follow(&input);
        self.candidate = Some(input);
        false
    }

    /// The state that is taken back next. Of a loop, it is tried first whether a path comes to it at all.
    fn next(&mut self) -> Option<(State, NodeId)> {
        loop {
            self.turn += 1;
            let turns = self.options.tuning.turns;
            let Search { pending, lifted, general, turn, .. } = self;
            let queues = match *turn % turns {
                0 => [general, pending, lifted],
                turn if turn % 2 == 1 => [lifted, pending, general],
                _ => [pending, lifted, general],
            };
            let (_, (state, node)) = queues.into_iter().find_map(Queue::pop_first)?;
            if !self.nodes.is_settled(node) {
                return Some((state, node));
            }
        }
    }

    /// How far the search is, with this state as the next.
    fn progress(&self, state: &State) -> Progress {
        Progress {
            steps: self.steps,
            segments: self.segments,
            pending: (self.pending.len() + self.lifted.len() + self.general.len()) as u64 + 1,
            depth: state.depth(),
            deferred: state.deferred,
            distance: None,
        }
    }

    /// The state at a target.
    fn state_at(&mut self, place: GoalPoint) -> Option<State> {
        match place {
            GoalPoint::Before { function, pc } => Some(State::at(function, self.code.body(function)?.block_at(pc), pc)),
            GoalPoint::Outcome { branch, outcome } => {
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
    fn add_all(&mut self, parent: NodeId, states: Vec<State>) {
        for mut state in states {
            self.steps += 1;
            if self.is_refuted(&mut state) {
                let loc = self.loc(&state);
                let known = self.refutations.get(&loc).map(Vec::is_empty);
                if known != Some(false) && self.explained < self.options.tuning.explained {
                    let conditions = self.explain(&mut state);
                    self.refutations.insert(loc, conditions);
                } else {
                    self.refutations.entry(loc).or_default();
                }
                continue;
            }
            if self.nodes.leaves_out(parent, &state) {
                continue;
            }
            let node = self.nodes.add(Some(parent), &state);
            let key = (self.priority(&state), Reverse(self.added));
            self.added += 1;
            let queue = match state.loops {
                Loops::Entered => &mut self.pending,
                Loops::Lifted => &mut self.lifted,
                Loops::General => &mut self.general,
            };
            queue.insert(key, (state, node));
        }
        // The node itself counted as open while its predecessors were not known.
        for (point, conditions) in self.nodes.close(parent) {
            self.refuted.entry(point).or_default().push(conditions);
        }
    }

    /// No path comes to the point of a state with its conditions.
    fn is_refuted(&mut self, state: &mut State) -> bool {
        if state.is_refuted(&self.code.pool) {
            return true;
        }
        let known = self.refuted.get(&Point::of(state)).into_iter().flatten();
        if known.into_iter().any(|refuted| is_subset(refuted, &state.conditions)) {
            return true;
        }
        if std::mem::replace(&mut state.is_new, false) {
            return matches!(self.code.solve(self.solver, state), Solved::Refuted);
        }
        false
    }

    /// The conditions of a refuted state that contradict each other, without those that are not needed for that.
    fn explain(&mut self, state: &mut State) -> Vec<String> {
        self.explained += 1;
        let mut needed = state.conditions.clone();
        if needed.len() > self.options.tuning.explained_conditions {
            return Vec::new();
        }
        for condition in state.conditions.clone() {
            state.conditions = needed.iter().copied().filter(|other| *other != condition).collect();
            if matches!(self.code.solve(self.solver, state), Solved::Refuted) {
                needed.clone_from(&state.conditions);
            }
        }
        let shown: Option<Vec<String>> = needed.iter().map(|condition| self.code.shown(state, *condition)).collect();
        // A condition that cannot hold by itself says nothing.
        let is_trivial = needed.iter().any(|condition| self.code.pool.is_false(*condition));
        shown.filter(|_| !is_trivial).unwrap_or_default()
    }

    /// The path from a node to the target, without repetition.
    fn path_of(&self, node: NodeId) -> Vec<Waypoint> {
        let mut path: Vec<Waypoint> = Vec::new();
        for state in self.nodes.path(node) {
            let shown = state.conditions.iter().filter_map(|condition| self.code.shown(&state, *condition));
            let point = Waypoint { loc: self.loc(&state), conditions: shown.collect() };
            if path.last() != Some(&point) {
                path.push(point);
            }
        }
        path
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
        distance += u64::from(self.code.call_depth(outermost).min(1 << 16)) * self.options.tuning.call_distance;
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
                Some(header) => {
                    let states = match self.code.before_header(state.clone(), &flow, header, self.options.unroll) {
                        Some(states) => states,
                        None => {
                            let why = "a proof by induction was given up".to_string();
                            return Taken::Lost(Obstacle { why, loc: self.loc(&state) });
                        }
                    };
                    if states.lifted.is_some() {
                        return Taken::Loop { header: Box::new(state), states };
                    }
                    states.before
                }
                None => self.code.before_block(&state, &flow, |_| true),
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

    /// A state at the entry of a function whose caller is not known.
    fn at_entry(&mut self, state: State) -> Taken {
        let function = state.function;
        let key = (UNKNOWN_CALLER, function, BlockId(0));
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
        if let Some(caller) = self.code.unknown_caller(function) {
            let why = format!("{caller} may call `{}`", self.code.name(function));
            return Taken::Partly(before, Obstacle { why, loc: self.loc(&state) });
        }
        if !starts {
            return Taken::Before(before);
        }
        let mut start = state;
        self.code.start(&mut start);
        Taken::Start(Box::new(start), before)
    }

    /// A state at the start of the program: its conditions are over the input. Returns whether the target is reached.
    fn at_start(&mut self, state: State, node: NodeId) -> bool {
        self.steps += 1;
        self.solver.set_effort(Some(self.options.tuning.start_effort));
        let solved =
            if state.is_refuted(&self.code.pool) { Solved::Refuted } else { self.code.solve(self.solver, &state) };
        self.solver.set_effort(Some(self.options.tuning.step_effort));
        let model: Option<Model> = match solved {
            Solved::Refuted => return false,
            Solved::Satisfied(model) => Some(model),
            Solved::Unknown => None,
        };
        self.deferred = Some(self.deferred.map_or(state.deferred, |fewest| fewest.min(state.deferred)));
        let has_model = model.is_some();
        let input = model.map(|model| model.input(&state)).unwrap_or_default();
        let is_lifted = state.loops == Loops::Lifted;
        let tuning = &self.options.tuning;
        let most = match is_lifted {
            true => tuning.first_evaluations.min(tuning.all_first_evaluations.saturating_sub(self.evaluations)),
            false => u64::MAX,
        };
        if has_model && self.runner.reaches(&input) || self.search_concretely(&state, &input, has_model, most) {
            self.deferred = Some(state.deferred);
            return true;
        }
        if has_model {
            if let Some(forward) = &mut self.forward {
                forward.follow(&input);
            }
            self.candidate = Some(input.clone());
        }
        if !state.loops.is_abstract() {
            if let Some(obstacle) = &state.obstacle {
                self.obstacles.insert((**obstacle).clone());
            }
            let why = match state.deferred {
                _ if !has_model => "the solver gave up on the conditions at the start of the program".to_string(),
                0 => "an input satisfies the conditions, but does not get there".to_string(),
                1 => "1 value on a backward path is not expressed and was deferred".to_string(),
                count => format!("{count} values on a backward path are not expressed and were deferred"),
            };
            self.obstacles.insert(Obstacle { why, loc: LocId(0) });
        }
        self.nodes.lose(node);
        if is_lifted {
            self.postponed.push_back(Postponed { state, node, input, has_model });
        }
        false
    }

    /// Goes on with a concrete search that was postponed. Returns whether the target is reached.
    fn goes_on_concretely(&mut self) -> bool {
        let Some(Postponed { state, node, input, has_model }) = self.postponed.pop_front() else { return false };
        if !self.search_concretely(&state, &input, has_model, u64::MAX) {
            return false;
        }
        self.deferred = Some(state.deferred);
        self.path = self.path_of(node);
        true
    }

    /// Searches for an input on the path of a state at the start of the program (phase II), beginning with one that
    /// satisfies what the solver can decide. It runs at most this many inputs.
    fn search_concretely(&mut self, state: &State, input: &[u8], is_model: bool, most: u64) -> bool {
        let left = self.options.evaluations - self.evaluations;
        // Nothing else can help an input that satisfies all there is to satisfy. Loops that are generalised are lifted,
        // too.
        if left.min(most) == 0 || state.loops == Loops::General || is_model && state.deferred == 0 {
            return false;
        }
        let tuning = &self.options.tuning;
        let evaluations = (left / tuning.search_part).max(tuning.search_least).min(left).min(most);
        let progress = self.progress(state);
        let seed = self.options.seed.wrapping_add(self.evaluations);
        let outcome = {
            let mut trace = Trace::new(&self.code, state, is_model, evaluations, &mut *self.runner, progress);
            let options = concrete::Options { evaluations, seed, tuning: self.options.concrete.clone() };
            concrete::search(&mut trace, input.to_vec(), &options)
        };
        self.evaluations += outcome.evaluations.min(left);
        match outcome.found {
            Some(found) => self.runner.reaches(&found),
            None => {
                self.candidate = Some(outcome.closest);
                false
            }
        }
    }
}

impl Taken {
    /// Notes the point from which the states come, for those on which something was deferred since.
    fn mark(&mut self, from: Checkpoint, deferred: u32) {
        let from = Rc::new(from);
        let mark = |state: &mut State| {
            if state.deferred > deferred {
                state.trace = Some(Rc::clone(&from));
            }
        };
        match self {
            Taken::Before(states) | Taken::Partly(states, _) => states.iter_mut().for_each(mark),
            Taken::Loop { states, .. } => {
                let general = states.general.iter_mut().flat_map(|(_, states)| states);
                states.lifted.iter_mut().flatten().chain(general).chain(&mut states.before).for_each(mark);
            }
            Taken::Start(state, states) => std::iter::once(&mut **state).chain(states).for_each(mark),
            Taken::Lost(_) => {}
        }
    }
}
