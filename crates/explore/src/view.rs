//! What searchers and cuts may ask about the program and the run.

use std::sync::Arc;

use secateur_graph::{Call, Distances, Failed, Graph, Items, Known, Reach, StackEntry, StackId, Stacks};
use secateur_machine::{Bug, BugKind, CoverageMap, End, Options, State};
use secateur_program::{BranchId, FuncId, LocId, Program};

use crate::flip::{FlipPoint, Position};
use crate::known::{Covered, Foreseen, check};
use crate::tree::PathTree;

/// Distances are out of date as soon as something is covered, and are made anew after this share of the nodes has been asked for: so they cost a constant time
/// for each question.
const REFRESH: usize = 256;
/// How far a check that has not failed yet counts to be. Most checks cannot fail, so that they must not come before all else.
const CHECK_DISTANCE: u32 = 100;

/// The program, as far as a run has got to know it. Everything is made when it is first asked for.
pub struct Map {
    program: Arc<Program>,
    /// How the machine runs it.
    options: Options,
    graph: Option<Graph>,
    stacks: Stacks,
    /// The checks that failed, and where.
    failed: Failed,
    /// Some path has come to a normal end.
    has_exited: bool,
    uncovered: Option<Uncovered>,
}

/// Distances to what is uncovered, for the coverage of some moment.
struct Uncovered {
    distances: Distances,
    covered: u64,
    asked: usize,
}

impl Map {
    /// Nothing is known yet.
    pub fn new(program: Arc<Program>, options: Options) -> Map {
        Map {
            program,
            options,
            graph: None,
            stacks: Stacks::default(),
            failed: Failed::default(),
            has_exited: false,
            uncovered: None,
        }
    }

    pub(crate) fn position(&mut self, state: &State) -> Position {
        let stack = self.stacks.of(&self.program, frames(state));
        let loc = self.stacks.user_place(stack, state.frame.loc(&self.program));
        Position { loc, stack, call_depth: self.stacks.user_depth(stack) }
    }

    /// The calls of a stack, for the map of another worker.
    pub(crate) fn calls(&self, stack: StackId) -> Vec<Call> {
        self.stacks.calls(stack)
    }

    /// The stack of calls that the map of another worker has told.
    pub(crate) fn stack(&mut self, calls: &[Call]) -> StackId {
        self.stacks.with_calls(&self.program, calls)
    }

    /// A path ended.
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

/// What is known at the moment.
pub struct View<'a> {
    /// What was executed on any path.
    pub coverage: &'a CoverageMap,
    /// The program.
    pub map: &'a mut Map,
    /// The decisions that are not settled.
    pub tree: &'a PathTree,
}

impl View<'_> {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.map.program
    }

    /// The program as a graph.
    pub fn graph(&mut self) -> &Graph {
        self.map.graph.get_or_insert_with(|| graph(&self.map.program))
    }

    /// This check has failed at this place before.
    pub fn has_failed(&self, kind: BugKind, at: LocId) -> bool {
        self.map.failed.contains(check(kind), at)
    }

    /// Some path has come to a normal end.
    pub fn has_exited(&self) -> bool {
        self.map.has_exited
    }

    /// How many instructions it is at least from where a flip goes to something uncovered; `None` if there is no way.
    pub fn distance(&mut self, place: &FlipPoint) -> Option<u32> {
        if let Some((kind, at)) = place.bug {
            return (!self.has_failed(kind, at)).then_some(CHECK_DISTANCE);
        }
        if let Some((branch, outcome)) = place.branch
            && self.map.program.functions[place.function.index()].user
            && !self.coverage.taken(branch, outcome)
        {
            return Some(0);
        }
        let coverage = self.coverage;
        self.graph();
        let Map { program, graph: Some(graph), stacks, uncovered, .. } = &mut *self.map else { return None };
        let covered = coverage.total_newly_covered();
        let too_old = |known: &Uncovered| known.covered != covered && known.asked >= graph.len() / REFRESH;
        let known = match uncovered.take().filter(|known| !too_old(known)) {
            Some(known) => known,
            None => Uncovered { distances: Distances::to_uncovered(graph, &Covered(coverage)), covered, asked: 0 },
        };
        let known = uncovered.insert(known);
        known.asked += 1;
        known.distances.from(program, graph, stacks, &place.start())
    }

    /// Distances to one branch.
    pub fn distances_to(&mut self, branch: BranchId) -> Distances {
        Distances::to_branch(self.graph(), branch)
    }

    /// How many instructions it is at least from where a flip goes to what the distances were made for.
    pub fn distance_in(&mut self, distances: &mut Distances, place: &FlipPoint) -> Option<u32> {
        if place.bug.is_some() {
            return None;
        }
        self.graph();
        let Map { program, graph: Some(graph), stacks, .. } = &*self.map else { return None };
        distances.from(program, graph, stacks, &place.start())
    }

    /// A record of what can be reached, with which [`View::can_reach`] is asked.
    pub fn reach(&mut self, items: Items) -> Reach {
        let Map { program, options, graph, .. } = &mut *self.map;
        let graph = graph.get_or_insert_with(|| self::graph(program));
        Reach::new(program, graph, &Foreseen::new(program, options), items)
    }

    /// Something that is worth a path can be reached from where a flip goes.
    pub fn can_reach(&mut self, reach: &mut Reach, place: &FlipPoint) -> bool {
        let known = Known { coverage: &Covered(self.coverage), failed: &self.map.failed };
        let Map { program, graph: Some(graph), stacks, .. } = &*self.map else { return true };
        reach.anything(program, graph, stacks, known, &place.start())
    }
}

fn graph(program: &Program) -> Graph {
    let name = |function: FuncId| &program.functions[function.index()].name;
    Graph::new(program, |function| secateur_machine::returns(name(function)))
}

/// The active calls of a state, the innermost first.
fn frames(state: &State) -> impl Iterator<Item = StackEntry> {
    let frames = std::iter::once(&state.frame).chain(state.callers.iter());
    frames.map(|frame| StackEntry { function: frame.function, context: frame.context, pc: frame.pc })
}
