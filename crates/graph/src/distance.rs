//! Distances in instructions: to the nearest uncovered code, or to one branch.
//!
//! They are lower bounds over the graph, which ignore feasibility.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use secateur_program::{BranchId, FuncId, Program};

use crate::builder::length;
use crate::graph::{NEVER, has_untaken};
use crate::{Executed, Graph, Items, NodeId, StackId, Stacks, Start};

/// The distance of every node to the nearest of some goals.
pub struct Distances {
    nodes: Vec<u32>,
    /// Which nodes have a goal at their end.
    at_end: Vec<bool>,
    /// The distance after a return from the top function of each stack, computed on demand.
    stacks: Vec<Option<u32>>,
}

impl Distances {
    /// To the nearest uncovered block or branch outcome of the user's code.
    pub fn to_uncovered(graph: &Graph, coverage: &impl Executed) -> Distances {
        Distances::to(graph, |id| {
            let node = &graph.nodes[id.index()];
            let at_start = graph.has_uncovered(id, coverage, Items { branches: false, ..Items::COVERAGE });
            let at_end = node.user.is_some() && node.branch.is_some_and(|branch| has_untaken(branch, coverage));
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

    /// `goals` returns whether there is a goal at the start of a node, and whether there is one at its end.
    fn to(graph: &Graph, goals: impl Fn(NodeId) -> (bool, bool)) -> Distances {
        let mut distances =
            Distances { nodes: vec![NEVER; graph.len()], at_end: vec![false; graph.len()], stacks: Vec::new() };
        let mut queue = BinaryHeap::new();
        for (index, node) in graph.nodes.iter().enumerate() {
            let id = NodeId(index as u32);
            let (at_start, at_end) = goals(id);
            distances.at_end[index] = at_end;
            if at_start || at_end {
                let distance = if at_start { 0 } else { length(node, node.calls.len(), &graph.to_return) };
                distances.nodes[index] = distance;
                queue.push(Reverse((distance, id)));
            }
        }
        while let Some(Reverse((distance, id))) = queue.pop() {
            if distance > distances.nodes[id.index()] {
                continue;
            }
            for (before, length) in &graph.before[id.index()] {
                let through = distance.saturating_add(*length);
                if through < distances.nodes[before.index()] {
                    distances.nodes[before.index()] = through;
                    queue.push(Reverse((through, *before)));
                }
            }
        }
        distances
    }

    /// The distance from a start; `None` if no goal can be reached.
    pub fn from(&mut self, program: &Program, graph: &Graph, stacks: &Stacks, start: &Start) -> Option<u32> {
        let (node, pc) = graph.destination(program, start)?;
        let direct = self.rest(graph, node, pc);
        let to_return = graph.return_from(node, pc);
        let around = match to_return {
            NEVER => NEVER,
            _ => to_return.saturating_add(self.after_return(program, graph, stacks, start.stack)),
        };
        Some(direct.min(around)).filter(|distance| *distance < NEVER)
    }

    /// The distance after the call of the top function of a stack.
    fn after_return(&mut self, program: &Program, graph: &Graph, stacks: &Stacks, top: StackId) -> u32 {
        self.stacks.resize(stacks.len(), None);
        // Down to a stack whose distance is known, then up again, without recursion, since stacks may be deep.
        let mut unknown = Vec::new();
        let mut stack = Some(top);
        while let Some(id) = stack.filter(|id| self.stacks[id.0 as usize].is_none()) {
            unknown.push(id);
            stack = stacks.caller(id).map(|(below, _)| below);
        }
        for id in unknown.into_iter().rev() {
            let distance = match stacks.caller(id) {
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
            self.stacks[id.0 as usize] = Some(distance);
        }
        self.stacks[top.0 as usize].unwrap_or(NEVER)
    }

    fn after_outermost(&self, graph: &Graph, function: FuncId) -> u32 {
        let next = graph.after_outermost(function);
        next.into_iter().map(|node| self.nodes[node.index()]).min().unwrap_or(NEVER)
    }

    /// The distance from an instruction without returning from its function.
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
