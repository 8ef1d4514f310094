//! Explores everything that can follow one state, depth first. No path of it is one of the run: nothing is reported,
//! kept or counted as covered.
//!
//! Proofs use it: whether a loop preserves an invariant is a question about all paths through its body, from a state
//! that stands for every state that satisfies the invariant.

use std::sync::Arc;

use secateur_expr::Expr;
use secateur_machine::{Choice, Decision, End, Event, Limit, Machine, State};
use secateur_program::LocId;
use secateur_solver::{Answer, Solver};

use secateur_graph::StackId;

use crate::subsumption::{PathAt, Subsumption, Verdict};
use crate::tree::{Closed, Found, Incomplete, PathTree, Point, SideId};

/// Watches the paths.
pub trait Judge {
    /// A path has come to a decision, and may be subsumed there. Returns whether all of it goes on.
    fn reaches(&mut self, machine: &mut Machine, path: &PathAt<'_>) -> bool;

    /// A path that is not subsumed has come to a decision. Returns whether it goes on.
    fn decides(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> bool;

    /// A path has ended. Returns whether this end accounts for everything that can follow.
    fn ends(&mut self, machine: &mut Machine, path: &PathAt<'_>, end: &End) -> bool;

    /// Whether to go on, after what machine and solver have done so far.
    fn goes_on(&mut self, machine: &Machine, solver: &Solver) -> bool;
}

/// A choice that was not tried yet.
struct Pending {
    state: State,
    choice: Choice,
    side: SideId,
    input: Arc<[u8]>,
}

/// How the exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NestedEnd {
    /// Everything is accounted for.
    Complete,
    /// A path is not: what the judge did not let go on, or a question without an answer.
    Incomplete,
    /// The judge or a limit stopped it.
    Stopped,
}

/// Explores everything that follows a state, given an input for it; after each `slice` instructions of a path it is
/// checked whether to stop. The machine follows the same input afterwards as before.
pub fn explore_nested(
    machine: &mut Machine,
    solver: &mut Solver,
    subsumption: &mut dyn Subsumption,
    judge: &mut dyn Judge,
    state: State,
    input: Vec<u8>,
    slice: u64,
) -> NestedEnd {
    let explored = machine.aside(|machine| {
        machine.follow(input);
        let mut tree = PathTree::default();
        tree.subscribe();
        let pending = Vec::new();
        Nested { machine, solver, subsumption, judge, tree, pending, paths: 0, is_complete: true, slice }.run(state)
    });
    explored.result
}

struct Nested<'a> {
    machine: &'a mut Machine,
    solver: &'a mut Solver,
    subsumption: &'a mut dyn Subsumption,
    judge: &'a mut dyn Judge,
    tree: PathTree,
    pending: Vec<Pending>,
    paths: u64,
    is_complete: bool,
    slice: u64,
}

impl Nested<'_> {
    fn run(&mut self, state: State) -> NestedEnd {
        if !self.follow(state, None) {
            return NestedEnd::Stopped;
        }
        while let Some(Pending { mut state, choice, side, input }) = self.pending.pop() {
            let answer = self.solver.solve(&mut self.machine.pool, &state.path, choice.condition, &input);
            match answer {
                Answer::Sat(input) => {
                    self.machine.follow(input);
                    self.machine.take(&mut state, &choice);
                    if !self.follow(state, Some(side)) {
                        return NestedEnd::Stopped;
                    }
                }
                Answer::Unsat(core) => self.close(side, Closed::Infeasible, &core),
                Answer::Unknown(_) => {
                    self.is_complete = false;
                    self.close(side, Closed::Incomplete(Incomplete::Unknown), &[]);
                }
            }
            if self.machine.is_halted() || !self.judge.goes_on(self.machine, self.solver) {
                return NestedEnd::Stopped;
            }
        }
        if self.is_complete { NestedEnd::Complete } else { NestedEnd::Incomplete }
    }

    /// Runs a path to its end; returns false if all of it is stopped.
    fn follow(&mut self, mut state: State, mut from: Option<SideId>) -> bool {
        let input: Arc<[u8]> = Arc::from(self.machine.guide.input());
        self.paths += 1;
        loop {
            self.subsumption.prepare(self.machine, self.solver);
            let event = self.machine.run(&mut state, self.slice);
            if self.machine.is_halted() || !self.judge.goes_on(self.machine, self.solver) {
                return false;
            }
            let path = PathAt { number: self.paths, from, state: &state, input: &input };
            match event {
                Event::Pause => {}
                Event::End(end) => {
                    let accounted = state.is_whole() && self.judge.ends(self.machine, &path, &end);
                    let closed = if accounted { Closed::Ended } else { Closed::Incomplete(Incomplete::Path) };
                    self.end(&path, &end, closed);
                    return true;
                }
                Event::Decision(decision) => {
                    if !self.judge.reaches(self.machine, &path) {
                        return false;
                    }
                    match self.subsumption.compare(self.machine, self.solver, &path) {
                        Verdict::Open => {}
                        Verdict::Subsumed(_) => {
                            let name = self.subsumption.name();
                            self.end(&path, &End::Limit(Limit::Subsumed), Closed::Pruned(name));
                            return true;
                        }
                        Verdict::Suspended | Verdict::Proved { .. } => return false,
                    }
                    if !self.judge.decides(self.machine, self.solver, &path) {
                        let closed = Closed::Incomplete(Incomplete::Path);
                        self.end(&path, &End::Limit(Limit::Run), closed);
                        return true;
                    }
                    from = Some(self.keep_alternatives(&path, &decision));
                    self.machine.take(&mut state, &decision.chosen);
                }
            }
        }
    }

    fn end(&mut self, path: &PathAt<'_>, end: &End, closed: Closed) {
        self.is_complete &= !matches!(closed, Closed::Incomplete(_));
        self.subsumption.ended(self.machine, self.solver, path, end, closed);
        if let Some(side) = path.from {
            self.close(side, closed, &[]);
        }
    }

    fn close(&mut self, side: SideId, closed: Closed, core: &[Expr]) {
        self.tree.close(side, closed, core);
        self.update();
    }

    fn update(&mut self) {
        let events = self.tree.take_events();
        self.subsumption.update(self.machine, self.solver, events);
    }

    fn keep_alternatives(&mut self, path: &PathAt<'_>, decision: &Decision) -> SideId {
        let PathAt { state, input, from, number } = *path;
        let frame = &state.frame;
        let ordinal = state.path.len() as u32;
        // Nobody reads the stack or the location.
        let point = Point { function: frame.function, pc: frame.pc, stack: StackId(0), ordinal };
        let found = Found { point, loc: LocId(0), found_by: number, taken: decision.chosen.key };
        let taken = self.tree.add_decision(from, found);
        self.subsumption.found(self.machine, taken.node, path, decision);
        for choice in &decision.refuted {
            let side = self.tree.add_side(taken.node, choice.key);
            let core = state.path.refutation(&mut self.machine.pool, choice.condition).unwrap_or_default();
            let conditions: Vec<Expr> = core.iter().map(|condition| condition.condition).collect();
            self.tree.close(side, Closed::Infeasible, &conditions);
        }
        for choice in &decision.alternatives {
            let side = self.tree.add_side(taken.node, choice.key);
            self.pending.push(Pending { state: state.clone(), choice: *choice, side, input: Arc::clone(input) });
        }
        self.update();
        taken
    }
}
