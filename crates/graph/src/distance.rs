//! Distances in instructions: to the nearest uncovered code, to one branch, or to calls of some functions.
//!
//! They are lower bounds over the graph, which ignore feasibility.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use secateur_program::{BranchId, Callee, FuncId, Program};

use crate::graph::{NEVER, has_untaken};
use crate::{Executed, Graph, Items, NodeId, StackId, Stacks, Start};

/// The distance of every node to the nearest of some goals.
pub struct Distances {
    nodes: Vec<u32>,
    /// The instruction of each node that is a goal, if any; its end for a goal at the end.
    goals: Vec<Option<u32>>,
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
            (at_start, at_end.then_some(node.end))
        })
    }

    /// To calls of any of these functions, direct or through a pointer. A goal is out of reach only if no execution
    /// gets to it.
    pub fn to_calls(program: &Program, graph: &Graph, functions: &[FuncId]) -> Distances {
        let through_pointers = functions.iter().any(|function| graph.pointed_to.contains(function));
        let is_goal = |callee: Callee| match callee {
            Callee::Direct(function) => functions.contains(&function),
            Callee::Indirect(_) => through_pointers,
        };
        let mut goals = vec![None; graph.len()];
        for (function, first) in program.functions.iter().zip(&graph.first) {
            let Some(body) = &function.body else { continue };
            for (index, block) in body.blocks.iter().enumerate() {
                let is_goal = |pc: &u32| body.call_at(*pc).is_some_and(|call| is_goal(call.callee));
                goals[*first as usize + index] = (block.start..block.end).find(is_goal);
            }
        }
        Distances::to(graph, |id| (false, goals[id.index()]))
    }

    /// To one branch.
    pub fn to_branch(graph: &Graph, branch: BranchId) -> Distances {
        Distances::to(graph, |id| {
            let node = &graph.nodes[id.index()];
            let is_goal = node.branch.is_some_and(|(other, _)| other == branch);
            (false, is_goal.then_some(node.end))
        })
    }

    /// `goals` returns whether there is a goal at the start of a node, and the instruction of another one in it.
    fn to(graph: &Graph, goals: impl Fn(NodeId) -> (bool, Option<u32>)) -> Distances {
        let mut distances =
            Distances { nodes: vec![NEVER; graph.len()], goals: vec![None; graph.len()], stacks: Vec::new() };
        let mut queue = BinaryHeap::new();
        for (index, node) in graph.nodes.iter().enumerate() {
            let id = NodeId(index as u32);
            let (at_start, goal) = goals(id);
            distances.goals[index] = goal;
            let calls_before = |goal: u32| node.calls.iter().take_while(|call| call.pc < goal).count();
            let length = |goal: u32| {
                let callees = node.calls[..calls_before(goal)].iter().filter_map(|call| call.callee);
                callees.fold(goal - node.start, |sum, callee| sum.saturating_add(graph.to_return[callee.index()]))
            };
            let distance = if at_start { 0 } else { goal.map_or(NEVER, length) };
            if distance < NEVER {
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
        let around = match leave_from(graph, node, pc) {
            NEVER => NEVER,
            leaves => leaves.saturating_add(self.after_return(program, graph, stacks, start.stack)),
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
                        let around = onwards.saturating_add(leave_from(graph, node, call + 1));
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
        let own = self.goals[id.index()].and_then(|goal| goal.checked_sub(pc));
        let onwards = node.successors.iter().map(|next| self.nodes[next.index()].saturating_add(left));
        in_calls.chain(own).chain(onwards).min().unwrap_or(NEVER)
    }
}

/// The fewest instructions from an instruction until its function is left. With `longjmp`, any function may be.
fn leave_from(graph: &Graph, node: NodeId, pc: u32) -> u32 {
    match graph.return_from(node, pc) {
        NEVER if graph.jumps => 0,
        instructions => instructions,
    }
}
