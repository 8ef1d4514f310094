//! What searchers and pruners may ask about the program and the run.

use std::rc::Rc;
use std::sync::Arc;

use secateur_graph::{Call, Distances, Failed, Graph, Items, Known, Reach, StackEntry, StackId, Stacks};
use secateur_machine::{Bug, BugKind, CoverageMap, End, Options, PackedState, State};
use secateur_program::{BranchId, FuncId, LocId, Program, Slot};

use crate::flip::{FlipPoint, Position};
use crate::graph_input::{Covered, MachineHazards, check};
use crate::live::LiveSlots;
use crate::tree::PathTree;
use crate::tuning::Tuning;

/// What a worker knows about the program. Each part is computed when it is first asked for.
pub struct ProgramInfo {
    program: Arc<Program>,
    /// The options of the machine that runs it.
    options: Options,
    graph: Option<Graph>,
    stacks: Stacks,
    /// The checks that have failed, and where.
    failed: Failed,
    /// Whether some path has exited normally.
    has_exited: bool,
    uncovered: Option<Uncovered>,
    live: LiveSlots,
    /// Snapshots of frames with more slots keep the live ones only.
    packed_slots: usize,
    distance_refresh: usize,
    check_distance: u32,
}

/// Distances to uncovered code, for the coverage at some moment.
struct Uncovered {
    distances: Distances,
    covered: u64,
    asked: usize,
}

impl ProgramInfo {
    /// Knows nothing but the program and how it is run.
    pub fn new(program: Arc<Program>, options: Options, tuning: &Tuning) -> ProgramInfo {
        ProgramInfo {
            program,
            options,
            graph: None,
            stacks: Stacks::default(),
            failed: Failed::default(),
            has_exited: false,
            uncovered: None,
            live: LiveSlots::default(),
            packed_slots: tuning.packed_slots,
            distance_refresh: tuning.distance_refresh,
            check_distance: tuning.check_distance,
        }
    }

    pub(crate) fn position(&mut self, state: &State) -> Position {
        let stack = self.stacks.of(&self.program, frames(state));
        let loc = self.stacks.user_place(stack, state.frame.loc(&self.program));
        Position { loc, stack, call_depth: self.stacks.user_depth(stack) }
    }

    /// A copy of a state that stopped at a decision.
    pub(crate) fn snapshot(&mut self, state: &mut State) -> PackedState {
        if state.frame.slots.len() <= self.packed_slots {
            return PackedState::whole(state.clone());
        }
        let live = self.live_slots(state.frame.function, state.frame.pc);
        PackedState::new(state, &live)
    }

    /// The state of a snapshot, ready to run.
    pub(crate) fn unpack(&mut self, state: PackedState) -> State {
        let (function, pc) = state.point();
        let count = self.program.functions[function.index()].body.as_ref().map_or(0, |body| body.slots);
        state.unpack(count as usize, || self.live_slots(function, pc))
    }

    fn live_slots(&mut self, function: FuncId, pc: u32) -> Rc<[Slot]> {
        let ProgramInfo { program, graph, live, .. } = self;
        let graph = graph.get_or_insert_with(|| self::graph(program));
        live.before(program, graph, function, pc)
    }

    /// The calls of a stack, for another worker.
    pub(crate) fn calls(&self, stack: StackId) -> Vec<Call> {
        self.stacks.calls(stack)
    }

    /// The stack with these calls, which come from another worker.
    pub(crate) fn stack(&mut self, calls: &[Call]) -> StackId {
        self.stacks.with_calls(&self.program, calls)
    }

    /// Records the end of a path.
    pub(crate) fn ends(&mut self, end: &End) {
        match end {
            End::Exit(_) => self.has_exited = true,
            End::Bug(bug) => self.fails(bug),
            End::Assumed | End::Ignored(_) | End::Unsupported(_) | End::Limit(_) => {}
        }
    }

    fn fails(&mut self, bug: &Bug) {
        let user = bug.stack.iter().find(|(function, _)| self.program.functions[function.index()].user);
        if let Some((_, loc)) = user.or(bug.stack.first()) {
            self.failed.insert(check(bug.kind), *loc);
        }
    }
}

/// What is known when a searcher or a pruner decides.
pub struct View<'a> {
    /// What was executed on any path.
    pub coverage: &'a CoverageMap,
    /// The program.
    pub program_info: &'a mut ProgramInfo,
    /// The decisions that are not settled.
    pub tree: &'a PathTree,
}

impl View<'_> {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program_info.program
    }

    /// The program as a graph.
    pub fn graph(&mut self) -> &Graph {
        self.program_info.graph.get_or_insert_with(|| graph(&self.program_info.program))
    }

    /// Whether this check has failed at this location before.
    pub fn has_failed(&self, kind: BugKind, at: LocId) -> bool {
        self.program_info.failed.contains(check(kind), at)
    }

    /// Whether some path has exited normally.
    pub fn has_exited(&self) -> bool {
        self.program_info.has_exited
    }

    /// The least number of instructions from where a flip goes to something uncovered; `None` if there is no way.
    pub fn distance(&mut self, point: &FlipPoint) -> Option<u32> {
        if let Some((kind, at)) = point.bug {
            return (!self.has_failed(kind, at)).then_some(self.program_info.check_distance);
        }
        if let Some((branch, outcome)) = point.branch
            && self.program_info.program.functions[point.function.index()].user
            && !self.coverage.taken(branch, outcome)
        {
            return Some(0);
        }
        let coverage = self.coverage;
        self.graph();
        let ProgramInfo { program, graph: Some(graph), stacks, uncovered, distance_refresh, .. } =
            &mut *self.program_info
        else {
            return None;
        };
        let covered = coverage.total_newly_covered();
        let too_old = |known: &Uncovered| known.covered != covered && known.asked >= graph.len() / *distance_refresh;
        let known = match uncovered.take().filter(|known| !too_old(known)) {
            Some(known) => known,
            None => Uncovered { distances: Distances::to_uncovered(graph, &Covered(coverage)), covered, asked: 0 },
        };
        let known = uncovered.insert(known);
        known.asked += 1;
        known.distances.from(program, graph, stacks, &point.start())
    }

    /// The distances to one branch.
    pub fn distances_to(&mut self, branch: BranchId) -> Distances {
        Distances::to_branch(self.graph(), branch)
    }

    /// The distances to calls of some functions.
    pub fn distances_to_calls(&mut self, functions: &[FuncId]) -> Distances {
        let program = Arc::clone(&self.program_info.program);
        Distances::to_calls(&program, self.graph(), functions)
    }

    /// The least number of instructions from where a flip goes to the target of the distances.
    pub fn distance_in(&mut self, distances: &mut Distances, point: &FlipPoint) -> Option<u32> {
        if point.bug.is_some() {
            return None;
        }
        self.graph();
        let ProgramInfo { program, graph: Some(graph), stacks, .. } = &*self.program_info else { return None };
        distances.from(program, graph, stacks, &point.start())
    }

    /// The record of what can be reached that [`View::can_reach`] needs.
    pub fn reach(&mut self, items: Items) -> Reach {
        let ProgramInfo { program, options, graph, .. } = &mut *self.program_info;
        let graph = graph.get_or_insert_with(|| self::graph(program));
        Reach::new(program, graph, &MachineHazards::new(program, options), items)
    }

    /// Whether anything of interest can be reached from where a flip goes.
    pub fn can_reach(&mut self, reach: &mut Reach, point: &FlipPoint) -> bool {
        let known = Known { coverage: &Covered(self.coverage), failed: &self.program_info.failed };
        let ProgramInfo { program, graph: Some(graph), stacks, .. } = &*self.program_info else { return true };
        reach.anything(program, graph, stacks, known, &point.start())
    }
}

fn graph(program: &Program) -> Graph {
    Graph::new(program, |function| secateur_machine::returns_of(program, function))
}

/// The active calls of a state, the innermost first.
fn frames(state: &State) -> impl Iterator<Item = StackEntry> {
    let frames = std::iter::once(&state.frame).chain(state.callers.iter());
    frames.map(|frame| StackEntry { function: frame.function, context: frame.context, pc: frame.pc })
}
