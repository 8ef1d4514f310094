//! The graph, and the queries of the other modules.

use secateur_program::{BlockId, BranchId, Callee, FuncId, Inst, Program, Returns};

use crate::{Executed, Items, Start};

/// The distance of what cannot be reached.
pub(crate) const NEVER: u32 = u32::MAX;

/// A block, numbered across the whole program, or an artificial node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The blocks and calls of a program; it never changes.
pub struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// The node of the first block of each function, followed by the number of blocks.
    pub(crate) first: Vec<u32>,
    /// The fewest instructions from the start of a node to a return from its function.
    pub(crate) to_return: Vec<u32>,
    /// The predecessors of each node, and the distances from their starts.
    pub(crate) before: Vec<Vec<(NodeId, u32)>>,
    /// Some function of the program calls `longjmp`.
    pub(crate) jumps: bool,
    /// A call through a pointer may call `setjmp`.
    pub(crate) setjmp_through_pointers: bool,
    /// How a call of each function returns.
    pub(crate) returns: Vec<Returns>,
    /// Functions that may be called through a pointer, in order.
    pub(crate) pointed_to: Vec<FuncId>,
    pub(crate) entry: Option<FuncId>,
    pub(crate) constructors: Vec<FuncId>,
    pub(crate) exit: Option<FuncId>,
}

/// A block and what may follow it.
#[derive(Default)]
pub(crate) struct Node {
    /// The block, if it belongs to the user's code.
    pub(crate) user: Option<(FuncId, BlockId)>,
    /// First instruction, and one past the last.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// In code order.
    pub(crate) calls: Vec<CallSite>,
    pub(crate) successors: Vec<NodeId>,
    /// The branch that ends it.
    pub(crate) branch: Option<(BranchId, u32)>,
    pub(crate) returns: bool,
}

/// A call in a block.
#[derive(Clone, Copy)]
pub(crate) struct CallSite {
    pub(crate) pc: u32,
    /// The first block of the callee; `None` if the callee is a function of the machine.
    pub(crate) callee: Option<NodeId>,
}

impl Graph {
    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The program has no code.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A call may return a second time: it may call `setjmp`, and the program calls `longjmp`.
    pub fn may_return_again(&self, callee: Callee) -> bool {
        self.jumps
            && match callee {
                Callee::Direct(function) => self.returns[function.index()] == Returns::Twice,
                Callee::Indirect(_) => self.setjmp_through_pointers,
            }
    }

    /// Something is uncovered in the block itself or at its branch.
    pub(crate) fn has_uncovered(&self, node: NodeId, coverage: &impl Executed, items: Items) -> bool {
        let node = &self.nodes[node.index()];
        let Some((function, block)) = node.user else { return false };
        (items.blocks && !coverage.entered(function, block))
            || (items.branches && node.branch.is_some_and(|branch| has_untaken(branch, coverage)))
    }

    /// Where execution continues: a node, and the first instruction in it.
    pub(crate) fn destination(&self, program: &Program, start: &Start) -> Option<(NodeId, u32)> {
        let body = program.functions[start.function.index()].body.as_ref()?;
        let (block, pc) = match start.branch {
            Some((_, outcome)) => {
                let edge = match body.code.get(start.pc as usize)? {
                    Inst::Branch { then_edge, else_edge, .. } => [*else_edge, *then_edge][outcome.min(1) as usize],
                    Inst::Switch { info, .. } => *body.switches[info.index()].targets.get(outcome as usize)?,
                    _ => return None,
                };
                let edge = &body.edges[edge.index()];
                (edge.to, edge.pc)
            }
            None => (body.block_at(start.pc), start.pc),
        };
        Some((NodeId(self.first[start.function.index()] + block.0), pc))
    }

    /// The node of an instruction.
    pub(crate) fn node_at(&self, program: &Program, function: FuncId, pc: u32) -> Option<NodeId> {
        let body = program.functions[function.index()].body.as_ref()?;
        Some(NodeId(self.first[function.index()] + body.block_at(pc).0))
    }

    pub(crate) fn entry_of(&self, function: FuncId) -> Option<NodeId> {
        let (first, next) = (self.first[function.index()], self.first[function.index() + 1]);
        (first < next).then_some(NodeId(first))
    }

    /// The fewest instructions from an instruction to a return from its function.
    pub(crate) fn return_from(&self, node: NodeId, pc: u32) -> u32 {
        let node = &self.nodes[node.index()];
        let rest = node.end.saturating_sub(pc);
        if node.returns {
            return rest;
        }
        let next = node.successors.iter().map(|next| self.to_return[next.index()]).min().unwrap_or(NEVER);
        next.saturating_add(rest)
    }

    /// What runs after the outermost function has returned: the other constructors and `main` after a constructor,
    /// `exit` after `main`.
    pub(crate) fn after_outermost(&self, function: FuncId) -> Vec<NodeId> {
        let mut next = Vec::new();
        if self.constructors.contains(&function) {
            next.extend(self.constructors.iter().chain(&self.entry).copied());
        }
        if self.exit != Some(function) {
            next.extend(self.exit);
        }
        next.into_iter().filter_map(|function| self.entry_of(function)).collect()
    }
}

/// Some outcome of a branch was never taken.
pub(crate) fn has_untaken((branch, outcomes): (BranchId, u32), coverage: &impl Executed) -> bool {
    (0..outcomes).any(|outcome| !coverage.taken(branch, outcome))
}
