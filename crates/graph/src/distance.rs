//! How many instructions it is to something, at least: to anything uncovered, or to one branch.
//!
//! The figures are lower bounds over the graph: they say nothing about which inputs can take the way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use secateur_program::{BranchId, FuncId, Program};

use crate::builder::length;
use crate::graph::{NEVER, untaken};
use crate::{Executed, Graph, Items, NodeId, StackId, Stacks, Start};

/// The distance of every node to the nearest of some goals.
pub struct Distances {
    nodes: Vec<u32>,
    /// Whether there is a goal at the end of each node.
    at_end: Vec<bool>,
    /// The distance after a return from the function on top of each stack, as far as it was asked for.
    stacks: Vec<Option<u32>>,
}

impl Distances {
    /// To the nearest uncovered block or branch outcome of the user's code.
    pub fn to_uncovered(graph: &Graph, coverage: &impl Executed) -> Distances {
        Distances::to(graph, |id| {
            let node = &graph.nodes[id.index()];
            let at_start = graph.has_uncovered(id, coverage, Items { branches: false, ..Items::COVERAGE });
            let at_end = node.user.is_some() && node.branch.is_some_and(|branch| untaken(branch, coverage));
            (at_start, at_end)
        })
    }

    /// To one branch.
    pub fn to_branch(graph: &Graph, branch: BranchId) -> Distances {
        Distances::to(graph, |id| {
            let is_goal = graph.nodes[id.index()].branch.is_some_and(|(other, _)| other == branch);
            (false, is_goal)
        })
    }

    /// `goals` tells whether there is a goal at the start, and whether there is one at the end of a node.
    fn to(graph: &Graph, goals: impl Fn(NodeId) -> (bool, bool)) -> Distances {
        let mut distances =
            Distances { nodes: vec![NEVER; graph.len()], at_end: vec![false; graph.len()], stacks: Vec::new() };
        let mut queue = BinaryHeap::new();
        for (index, node) in graph.nodes.iter().enumerate() {
            let id = NodeId(index as u32);
            let (at_start, at_end) = goals(id);
            distances.at_end[index] = at_end;
            if at_start || at_end {
                let far = if at_start { 0 } else { length(node, node.calls.len(), &graph.to_return) };
                distances.nodes[index] = far;
                queue.push(Reverse((far, id)));
            }
        }
        while let Some(Reverse((far, id))) = queue.pop() {
            if far > distances.nodes[id.index()] {
                continue;
            }
            for (before, length) in &graph.before[id.index()] {
                let farther = far.saturating_add(*length);
                if farther < distances.nodes[before.index()] {
                    distances.nodes[before.index()] = farther;
                    queue.push(Reverse((farther, *before)));
                }
            }
        }
        distances
    }

    /// From where execution goes on; `None` if there is no way.
    pub fn from(&mut self, program: &Program, graph: &Graph, stacks: &Stacks, start: &Start) -> Option<u32> {
        let (node, pc) = graph.destination(program, start)?;
        let direct = self.rest(graph, node, pc);
        let to_return = graph.return_from(node, pc);
        let around = match to_return {
            NEVER => NEVER,
            _ => to_return.saturating_add(self.after_return(program, graph, stacks, start.stack)),
        };
        Some(direct.min(around)).filter(|far| *far < NEVER)
    }

    /// From the place after the call of the function on top of the stack.
    fn after_return(&mut self, program: &Program, graph: &Graph, stacks: &Stacks, top: StackId) -> u32 {
        self.stacks.resize(stacks.len(), None);
        // Down to a stack whose figure is known, then up again; a stack may be too deep for recursion.
        let mut unknown = Vec::new();
        let mut stack = Some(top);
        while let Some(id) = stack.filter(|id| self.stacks[id.0 as usize].is_none()) {
            unknown.push(id);
            stack = stacks.caller(id).map(|(below, _)| below);
        }
        for id in unknown.into_iter().rev() {
            let far = match stacks.caller(id) {
                None => self.after_outermost(graph, stacks.function(id)),
                Some((below, call)) => match graph.node_at(program, stacks.function(below), call) {
                    Some(node) => {
                        let onwards = self.stacks[below.0 as usize].unwrap_or(NEVER);
                        let around = onwards.saturating_add(graph.return_from(node, call + 1));
                        self.rest(graph, node, call + 1).min(around)
                    }
                    None => NEVER,
                },
            };
            self.stacks[id.0 as usize] = Some(far);
        }
        self.stacks[top.0 as usize].unwrap_or(NEVER)
    }

    fn after_outermost(&self, graph: &Graph, function: FuncId) -> u32 {
        let next = graph.after_outermost(function);
        next.into_iter().map(|node| self.nodes[node.index()]).min().unwrap_or(NEVER)
    }

    /// From an instruction, without a return from its function.
    fn rest(&self, graph: &Graph, id: NodeId, pc: u32) -> u32 {
        let node = &graph.nodes[id.index()];
        if pc <= node.start {
            return self.nodes[id.index()];
        }
        let left = node.end.saturating_sub(pc);
        let calls = node.calls.iter().filter(|call| call.pc >= pc);
        let in_calls = calls.filter_map(|call| Some(self.nodes[call.callee?.index()].saturating_add(call.pc - pc)));
        let at_end = self.at_end[id.index()].then_some(left);
        let onwards = node.successors.iter().map(|next| self.nodes[next.index()].saturating_add(left));
        in_calls.chain(at_end).chain(onwards).min().unwrap_or(NEVER)
    }
}
