//! Whether anything that is not covered yet can still be reached.
//!
//! Answers are kept. A "no" holds for ever, because coverage only grows; a "yes" comes with a witness, a node where something is uncovered, and holds as
//! long as that is so. So a search through the graph is needed only when a witness has been covered, and not when anything has.

use secateur_machine::Coverage;
use secateur_program::Program;

use super::{Graph, NodeId, StackId, Stacks};
use crate::flip::Place;

/// What there is to cover in the user's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Items {
    /// The outcomes of branches.
    pub branches: bool,
    /// Basic blocks.
    pub blocks: bool,
}

impl Items {
    /// Branch outcomes and blocks.
    pub const ALL: Items = Items { branches: true, blocks: true };
}

/// What is known about what can be reached.
pub struct Reach {
    items: Items,
    nodes: Vec<Answer>,
    /// Stacks from whose top function a return leads to nothing uncovered any more.
    exhausted: Vec<bool>,
    /// The search in which a node was seen last, and from which node.
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
    /// Nothing is known yet.
    pub fn new(graph: &Graph, items: Items) -> Reach {
        Reach {
            items,
            nodes: vec![Answer::Unknown; graph.len()],
            exhausted: Vec::new(),
            seen: vec![(0, NodeId(0)); graph.len()],
            searches: 0,
        }
    }

    /// Something uncovered can be reached from where a flip goes: in the rest of its function, in functions called from there, or after returns
    /// through its call stack. A place that is not in the graph counts as one from where everything can be reached.
    pub fn anything(
        &mut self,
        program: &Program,
        graph: &Graph,
        stacks: &Stacks,
        coverage: &Coverage,
        place: &Place,
    ) -> bool {
        if let Some((branch, outcome)) = place.branch
            && self.items.branches
            && program.functions[place.function.index()].user
            && !coverage.taken(branch, outcome)
        {
            return true;
        }
        let Some((node, pc)) = graph.destination(program, place) else { return true };
        self.rest(graph, coverage, node, pc)
            || (returns(graph, node, pc) && self.after_return(program, graph, stacks, coverage, place.stack))
    }

    /// Something uncovered can be reached once the function on top of the stack has returned.
    fn after_return(
        &mut self,
        program: &Program,
        graph: &Graph,
        stacks: &Stacks,
        coverage: &Coverage,
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
                if next.into_iter().any(|node| self.node(graph, coverage, node)) {
                    return true;
                }
                break;
            };
            let Some(node) = graph.node_at(program, stacks.function(below), call) else { return true };
            if self.rest(graph, coverage, node, call + 1) {
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

    /// Something uncovered can be reached from an instruction without a return from its function.
    fn rest(&mut self, graph: &Graph, coverage: &Coverage, id: NodeId, pc: u32) -> bool {
        let node = &graph.nodes[id.index()];
        if pc <= node.start {
            return self.node(graph, coverage, id);
        }
        let own = Items { blocks: false, ..self.items };
        let calls = node.calls.iter().filter(|call| call.pc >= pc).filter_map(|call| call.callee);
        graph.has_uncovered(id, coverage, own)
            || calls.chain(node.successors.iter().copied()).any(|next| self.node(graph, coverage, next))
    }

    /// Something uncovered can be reached from the start of a node without a return from its function.
    fn node(&mut self, graph: &Graph, coverage: &Coverage, start: NodeId) -> bool {
        match self.known(graph, coverage, start) {
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
            match self.known(graph, coverage, id) {
                Answer::Yes(witness) => {
                    self.remember(id, witness);
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

    fn known(&self, graph: &Graph, coverage: &Coverage, id: NodeId) -> Answer {
        match self.nodes[id.index()] {
            Answer::Yes(witness) if graph.has_uncovered(witness, coverage, self.items) => Answer::Yes(witness),
            Answer::No => Answer::No,
            _ if graph.has_uncovered(id, coverage, self.items) => Answer::Yes(id),
            _ => Answer::Unknown,
        }
    }

    /// Every node on the way of the search to `id` has this witness.
    fn remember(&mut self, mut id: NodeId, witness: NodeId) {
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

/// The function can be left by a return; `longjmp` may leave any.
fn returns(graph: &Graph, node: NodeId, pc: u32) -> bool {
    graph.jumps || graph.return_from(node, pc) < super::NEVER
}
