//! Which checks may still fail, and where: those that the instructions of a block may fail, without those that have
//! failed there before.

use std::ops::{BitOr, Sub};

use rustc_hash::FxHashMap;
use secateur_program::{FuncId, LocId, Program};

use crate::graph::{NEVER, Node};
use crate::{Graph, NodeId};

/// The static hazards of a program. They must be over-approximated: whatever may fail must be included.
pub trait Hazards {
    /// The instructions of a function that may end a path abnormally, in code order.
    fn of(&self, function: FuncId) -> Vec<Hazard>;

    /// At this call depth or deeper, a call may overflow the stack.
    fn safe_depth(&self) -> usize;
}

/// An instruction that may end a path abnormally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// The instruction.
    pub pc: u32,
    /// The checks that it may fail.
    pub checks: CheckSet,
    /// The checks are exhaustive, and in the user's code a failure is reported at the instruction itself.
    pub is_reported_here: bool,
}

/// A set of kinds of checks, which are numbered from 0 to 31.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckSet(u32);

impl CheckSet {
    /// The set of one kind.
    pub const fn of(kind: u32) -> CheckSet {
        CheckSet(1 << kind)
    }

    /// Whether no kind is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for CheckSet {
    type Output = CheckSet;

    fn bitor(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 | other.0)
    }
}

/// The difference of two sets.
impl Sub for CheckSet {
    type Output = CheckSet;

    fn sub(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 & !other.0)
    }
}

/// The checks that failed, by the location of the report.
#[derive(Default)]
pub struct Failed(FxHashMap<LocId, CheckSet>);

impl Failed {
    /// Adds checks that failed at a location.
    pub fn insert(&mut self, checks: CheckSet, at: LocId) {
        let failed = self.0.entry(at).or_default();
        *failed = *failed | checks;
    }

    /// All of these checks have failed at this location.
    pub fn contains(&self, checks: CheckSet, at: LocId) -> bool {
        (checks - self.at(at)).is_empty()
    }

    fn at(&self, at: LocId) -> CheckSet {
        self.0.get(&at).copied().unwrap_or_default()
    }
}

/// The checks of each node, in code order.
pub(crate) struct Checks {
    nodes: Vec<Box<[Check]>>,
    /// At this call depth or deeper, a call may overflow the stack.
    safe_depth: usize,
}

struct Check {
    pc: u32,
    checks: CheckSet,
    /// Where a failure is reported; `None` if that depends on the call stack, so that it can never be excluded.
    at: Option<LocId>,
}

impl Checks {
    /// The checks that a machine with these hazards makes.
    pub(crate) fn new(program: &Program, graph: &Graph, hazards: &impl Hazards) -> Checks {
        let mut nodes: Vec<Box<[Check]>> = Vec::with_capacity(graph.len());
        for (index, function) in program.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            let hazards = hazards.of(FuncId(index as u32));
            let mut rest = &hazards[..];
            for block in &body.blocks {
                let (inside, after) = rest.split_at(rest.partition_point(|hazard| hazard.pc < block.end));
                rest = after;
                let end = last_reached(graph, &graph.nodes[nodes.len()]);
                let reached = inside.iter().filter(|hazard| hazard.pc < end);
                let checks = reached.map(|hazard| {
                    let known = function.user && hazard.is_reported_here;
                    Check { pc: hazard.pc, checks: hazard.checks, at: known.then(|| body.locs[hazard.pc as usize]) }
                });
                nodes.push(checks.collect());
            }
        }
        nodes.resize_with(graph.len(), Box::default);
        Checks { nodes, safe_depth: hazards.safe_depth() }
    }

    /// From an instruction on, a node has a check that may fail and has not failed there before.
    pub(crate) fn may_fail(&self, node: NodeId, pc: u32, failed: &Failed) -> bool {
        self.nodes[node.index()].iter().any(|check| check.pc >= pc && check.may_fail(failed))
    }

    /// At this call depth, a call may overflow the stack.
    pub(crate) fn may_overflow(&self, active: u32) -> bool {
        active as usize >= self.safe_depth
    }
}

impl Check {
    fn may_fail(&self, failed: &Failed) -> bool {
        self.at.is_none_or(|at| !failed.contains(self.checks, at))
    }
}

/// The end of a node, or of its first call that never returns.
fn last_reached(graph: &Graph, node: &Node) -> u32 {
    let never_returns = |callee: NodeId| graph.to_return[callee.index()] == NEVER;
    let ending = node.calls.iter().find(|call| call.callee.is_some_and(never_returns));
    ending.map_or(node.end, |call| call.pc + 1)
}
