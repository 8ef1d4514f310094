//! Which checks may still fail, and where: those that the instructions of a block may fail, less those that have failed there before.

use rustc_hash::FxHashSet;
use secateur_machine::{BugKind, Hazards, Inspection, Options};
use secateur_program::{FuncId, LocId, Program};

use super::{Graph, NEVER, NodeId};

/// The checks that failed, and where that was reported.
pub type Failed = FxHashSet<(BugKind, LocId)>;

/// The checks of each node, in the order of the code.
pub struct Checks {
    nodes: Vec<Box<[Check]>>,
    /// With so many calls active, any further one may overflow the stack.
    deepest: usize,
}

struct Check {
    pc: u32,
    hazards: Hazards,
    /// Where a failure is reported; `None` if that depends on the calls that are active, so that it is never known to have been reported.
    at: Option<LocId>,
}

impl Checks {
    /// The checks that a machine with these options makes.
    pub fn new(program: &Program, graph: &Graph, options: &Options) -> Checks {
        let inspection = Inspection::new(program, options);
        let mut nodes: Vec<Box<[Check]>> = Vec::with_capacity(graph.len());
        for (index, function) in program.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            let hazards = inspection.function(FuncId(index as u32));
            for block in &body.blocks {
                let node = &graph.nodes[nodes.len()];
                let end = last_reached(graph, node);
                let code = (block.start..end).map(|pc| (pc, hazards[pc as usize]));
                let checks = code.filter(|(_, hazards)| !hazards.is_empty()).map(|(pc, hazards)| {
                    let known = function.user && !hazards.has(BugKind::Leak) && !hazards.has_unsupported();
                    Check { pc, hazards, at: known.then(|| body.locs[pc as usize]) }
                });
                nodes.push(checks.collect());
            }
        }
        nodes.resize_with(graph.len(), Box::default);
        Checks { nodes, deepest: inspection.safe_depth() }
    }

    /// Some check of a node may fail, from an instruction on, that has not failed there before.
    pub fn may_fail(&self, node: NodeId, pc: u32, failed: &Failed) -> bool {
        self.nodes[node.index()].iter().any(|check| check.pc >= pc && check.may_fail(failed))
    }

    /// With so many calls active, the next one may overflow the stack.
    pub fn may_overflow(&self, active: u32) -> bool {
        active as usize >= self.deepest
    }
}

impl Check {
    fn may_fail(&self, failed: &Failed) -> bool {
        match self.at {
            Some(at) if !failed.is_empty() => self.hazards.kinds().any(|kind| !failed.contains(&(kind, at))),
            _ => true,
        }
    }
}

/// The end of a node, or of its first call that never returns.
fn last_reached(graph: &Graph, node: &super::Node) -> u32 {
    let never_returns = |callee: NodeId| graph.to_return[callee.index()] == NEVER;
    let ending = node.calls.iter().find(|call| call.callee.is_some_and(never_returns));
    ending.map_or(node.end, |call| call.pc + 1)
}
