//! Whether anything worth exploring can still be reached: code that is not covered yet, and checks that may fail.
//!
//! Answers are cached. A "no" is final, because coverage and failures only grow. A "yes" has a witness, a node with
//! something uncovered, and holds as long as the witness does. So the graph is searched again only when a witness
//! becomes invalid.

use secateur_program::Program;

use crate::checks::Checks;
use crate::graph::NEVER;
use crate::{Executed, Failed, Graph, Hazards, NodeId, StackId, Stacks, Start};

/// What is worth exploring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Items {
    /// The outcomes of branches of the user's code.
    pub branches: bool,
    /// Basic blocks of the user's code.
    pub blocks: bool,
    /// Checks that may fail, in any code, and have not failed at that place before.
    pub bugs: bool,
}

impl Items {
    /// Branch outcomes, blocks and checks.
    pub const ALL: Items = Items { bugs: true, ..Items::COVERAGE };
    /// Branch outcomes and blocks.
    pub const COVERAGE: Items = Items { branches: true, blocks: true, bugs: false };
}

/// What is covered and has failed.
pub struct Known<'a, C> {
    /// What was executed on any path.
    pub coverage: &'a C,
    /// The checks that failed.
    pub failed: &'a Failed,
}

// Not derived, because that would require `C: Clone`.
impl<C> Clone for Known<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Known<'_, C> {}

/// A cache of reachability.
pub struct Reach {
    items: Items,
    /// The checks, if they are among the items.
    checks: Option<Checks>,
    nodes: Vec<Answer>,
    /// Stacks from whose top function a return reaches nothing any more.
    exhausted: Vec<bool>,
    /// The last search that visited a node, and its predecessor there.
    seen: Vec<(u32, NodeId)>,
    searches: u32,
}

#[derive(Clone, Copy)]
enum Answer {
    Unknown,
    Yes(NodeId),
    No,
}

impl Reach {
    /// An empty cache.
    pub fn new(program: &Program, graph: &Graph, hazards: &impl Hazards, items: Items) -> Reach {
        Reach {
            items,
            checks: items.bugs.then(|| Checks::new(program, graph, hazards)),
            nodes: vec![Answer::Unknown; graph.len()],
            exhausted: Vec::new(),
            seen: vec![(0, NodeId(0)); graph.len()],
            searches: 0,
        }
    }

    /// Something can be reached from a start: in the rest of its function, in functions called from there, or after
    /// returns through its call stack. A start that is not in the graph is assumed to reach everything.
    pub fn anything(
        &mut self,
        program: &Program,
        graph: &Graph,
        stacks: &Stacks,
        known: Known<'_, impl Executed>,
        start: &Start,
    ) -> bool {
        if let Some((branch, outcome)) = start.branch
            && self.items.branches
            && program.functions[start.function.index()].user
            && !known.coverage.taken(branch, outcome)
        {
            return true;
        }
        if self.checks.as_ref().is_some_and(|checks| checks.may_overflow(stacks.depth(start.stack))) {
            return true;
        }
        let Some((node, pc)) = graph.destination(program, start) else { return true };
        self.rest(graph, known, node, pc)
            || (returns(graph, node, pc) && self.after_return(program, graph, stacks, known, start.stack))
    }

    /// Something can be reached once the function on top of the stack has returned.
    fn after_return(
        &mut self,
        program: &Program,
        graph: &Graph,
        stacks: &Stacks,
        known: Known<'_, impl Executed>,
        top: StackId,
    ) -> bool {
        self.exhausted.resize(stacks.len(), false);
        let mut passed = Vec::new();
        let mut stack = top;
        loop {
            if self.exhausted[stack.0 as usize] {
                break;
            }
            passed.push(stack);
            let Some((below, call)) = stacks.caller(stack) else {
                let next = graph.after_outermost(stacks.function(stack));
                if next.into_iter().any(|node| self.node(graph, known, node)) {
                    return true;
                }
                break;
            };
            let Some(node) = graph.node_at(program, stacks.function(below), call) else { return true };
            if self.rest(graph, known, node, call + 1) {
                return true;
            }
            if !returns(graph, node, call + 1) {
                break;
            }
            stack = below;
        }
        for stack in passed {
            self.exhausted[stack.0 as usize] = true;
        }
        false
    }

    /// Something can be reached from an instruction without a return from its function.
    fn rest(&mut self, graph: &Graph, known: Known<'_, impl Executed>, id: NodeId, pc: u32) -> bool {
        let node = &graph.nodes[id.index()];
        if pc <= node.start {
            return self.node(graph, known, id);
        }
        let own = Items { blocks: false, ..self.items };
        let calls = node.calls.iter().filter(|call| call.pc >= pc).filter_map(|call| call.callee);
        graph.has_uncovered(id, known.coverage, own)
            || self.may_fail(id, pc, known)
            || calls.chain(node.successors.iter().copied()).any(|next| self.node(graph, known, next))
    }

    /// Something can be reached from the start of a node without a return from its function.
    fn node(&mut self, graph: &Graph, known: Known<'_, impl Executed>, start: NodeId) -> bool {
        match self.answer(graph, known, start) {
            Answer::Yes(_) => return true,
            Answer::No => return false,
            Answer::Unknown => {}
        }
        self.searches += 1;
        self.seen[start.index()] = (self.searches, start);
        let mut found = vec![start];
        let mut next = 0;
        while next < found.len() {
            let id = found[next];
            next += 1;
            match self.answer(graph, known, id) {
                Answer::Yes(witness) => {
                    self.set_witness(id, witness);
                    return true;
                }
                Answer::No => continue,
                Answer::Unknown => {}
            }
            let node = &graph.nodes[id.index()];
            for to in node.calls.iter().filter_map(|call| call.callee).chain(node.successors.iter().copied()) {
                if self.seen[to.index()].0 != self.searches {
                    self.seen[to.index()] = (self.searches, id);
                    found.push(to);
                }
            }
        }
        for id in found {
            self.nodes[id.index()] = Answer::No;
        }
        false
    }

    fn answer(&self, graph: &Graph, known: Known<'_, impl Executed>, id: NodeId) -> Answer {
        match self.nodes[id.index()] {
            Answer::Yes(witness) if self.is_witness(graph, known, witness) => Answer::Yes(witness),
            Answer::No => Answer::No,
            _ if self.is_witness(graph, known, id) => Answer::Yes(id),
            _ => Answer::Unknown,
        }
    }

    /// A node itself has something uncovered or a check that may fail.
    fn is_witness(&self, graph: &Graph, known: Known<'_, impl Executed>, id: NodeId) -> bool {
        self.may_fail(id, 0, known) || graph.has_uncovered(id, known.coverage, self.items)
    }

    fn may_fail(&self, id: NodeId, pc: u32, known: Known<'_, impl Executed>) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.may_fail(id, pc, known.failed))
    }

    /// Sets the witness of all nodes on the path of the search to `id`.
    fn set_witness(&mut self, mut id: NodeId, witness: NodeId) {
        loop {
            self.nodes[id.index()] = Answer::Yes(witness);
            let from = self.seen[id.index()].1;
            if from == id {
                break;
            }
            id = from;
        }
    }
}

/// The function may return from here. With `longjmp`, any function may be left.
fn returns(graph: &Graph, node: NodeId, pc: u32) -> bool {
    graph.jumps || graph.return_from(node, pc) < NEVER
}
