//! Builds the graph of a program.

use std::collections::BTreeMap;

use secateur_program::{BlockId, Body, Callee, FuncId, Function, Inst, Program, Returns};

use crate::functions::functions_pointed_to;
use crate::graph::{CallSite, Graph, NEVER, Node, NodeId};

impl Graph {
    /// The graph of a program. `returns` is how a call of each function returns. It matters only for functions without
    /// a body, and for `setjmp` and `longjmp`.
    pub fn new(program: &Program, returns: impl Fn(FuncId) -> Returns) -> Graph {
        let mut first = vec![0];
        for function in &program.functions {
            let blocks = function.body.as_ref().map_or(0, |body| body.blocks.len() as u32);
            first.push(first[first.len() - 1] + blocks);
        }
        let mut builder = Builder {
            program,
            returns: (0..program.functions.len()).map(|index| returns(FuncId(index as u32))).collect(),
            pointed_to: functions_pointed_to(program),
            nodes: Vec::new(),
            next_extra: first[first.len() - 1],
            through_pointers: BTreeMap::new(),
            landing: None,
            foreign: None,
            unsupported: None,
            ending: None,
            destructors: None,
            first,
        };
        for (index, function) in program.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                builder.add_function(FuncId(index as u32), function, body);
            }
        }
        builder.finish()
    }
}

/// What code that is not part of the program may call: functions with a body whose name or address it may know.
pub fn callable_from_outside(program: &Program, pointed_to: &[FuncId]) -> Vec<FuncId> {
    let ids = (0..program.functions.len() as u32).map(FuncId);
    ids.filter(|id| {
        let function = &program.functions[id.index()];
        let is_named = function.user && function.exported && program.entry != Some(*id);
        function.body.is_some() && (is_named || pointed_to.binary_search(id).is_ok())
    })
    .collect()
}

/// What inline assembly of the user may call: it can name any function of its file.
pub fn callable_from_assembly(program: &Program) -> Vec<FuncId> {
    let ids = (0..program.functions.len() as u32).map(FuncId);
    ids.filter(|id| {
        let function = &program.functions[id.index()];
        function.user && function.body.is_some() && program.entry != Some(*id)
    })
    .collect()
}

struct Builder<'a> {
    program: &'a Program,
    returns: Vec<Returns>,
    first: Vec<u32>,
    pointed_to: Vec<FuncId>,
    nodes: Vec<Node>,
    next_extra: u32,
    /// The nodes of calls through pointers, by the number of arguments.
    through_pointers: BTreeMap<usize, NodeId>,
    /// The node where `longjmp` continues.
    landing: Option<NodeId>,
    /// The node of functions that are not part of the program.
    foreign: Option<NodeId>,
    /// The node of code that is not supported, such as inline assembly.
    unsupported: Option<NodeId>,
    /// The node of machine functions that end the path.
    ending: Option<NodeId>,
    /// The node of the call that runs the destructors.
    destructors: Option<NodeId>,
}

impl Builder<'_> {
    fn add_function(&mut self, id: FuncId, function: &Function, body: &Body) {
        let first = self.first[id.index()];
        for (index, block) in body.blocks.iter().enumerate() {
            let code = block.start..block.end;
            let calls = code.clone().filter_map(|pc| Some((pc, body.call_at(pc)?)));
            let mut calls: Vec<CallSite> = calls
                .map(|(pc, call)| CallSite { pc, callee: self.callee(id, call.callee, call.args.len()) })
                .collect();
            if function.user {
                let unknown = code.clone().filter(|pc| matches!(body.code[*pc as usize], Inst::Unsupported { .. }));
                calls.extend(unknown.map(|pc| CallSite { pc, callee: Some(self.unsupported()) }));
                calls.sort_by_key(|call| call.pc);
            }
            let last = code.last().and_then(|pc| body.code.get(pc as usize));
            let branch = match last {
                Some(Inst::Branch { branch, .. }) => Some(*branch),
                Some(Inst::Switch { info, .. }) => Some(body.switches[info.index()].branch),
                _ => None,
            };
            self.nodes.push(Node {
                user: function.user.then_some((id, BlockId(index as u32))),
                start: block.start,
                end: block.end,
                calls,
                successors: block.successors.iter().map(|next| NodeId(first + next.0)).collect(),
                branch: branch.map(|branch| (branch, self.program.branches[branch.index()].outcomes)),
                returns: matches!(last, Some(Inst::Return { .. })),
            });
        }
    }

    fn callee(&mut self, caller: FuncId, callee: Callee, arguments: usize) -> Option<NodeId> {
        match callee {
            Callee::Direct(function) if self.is(function, Returns::Elsewhere) => Some(self.landing()),
            Callee::Direct(function) => match self.program.functions[function.index()].body {
                Some(_) => Some(NodeId(self.first[function.index()])),
                None if self.is(function, Returns::Never) => Some(self.ending()),
                None if self.is(function, Returns::Foreign) => Some(self.foreign()),
                None => None,
            },
            Callee::Indirect(_) if self.program.runs_destructors(caller) => Some(self.destructors()),
            Callee::Indirect(_) => {
                if let Some(node) = self.through_pointers.get(&arguments) {
                    return Some(*node);
                }
                let node = self.extra();
                self.through_pointers.insert(arguments, node);
                Some(node)
            }
        }
    }

    fn landing(&mut self) -> NodeId {
        let node = self.landing.unwrap_or_else(|| self.extra());
        *self.landing.insert(node)
    }

    fn foreign(&mut self) -> NodeId {
        let node = self.foreign.unwrap_or_else(|| self.extra());
        *self.foreign.insert(node)
    }

    fn unsupported(&mut self) -> NodeId {
        let node = self.unsupported.unwrap_or_else(|| self.extra());
        *self.unsupported.insert(node)
    }

    fn ending(&mut self) -> NodeId {
        let node = self.ending.unwrap_or_else(|| self.extra());
        *self.ending.insert(node)
    }

    fn destructors(&mut self) -> NodeId {
        let node = self.destructors.unwrap_or_else(|| self.extra());
        *self.destructors.insert(node)
    }

    fn extra(&mut self) -> NodeId {
        self.next_extra += 1;
        NodeId(self.next_extra - 1)
    }

    fn is(&self, function: FuncId, returns: Returns) -> bool {
        self.returns[function.index()] == returns
    }

    fn finish(mut self) -> Graph {
        let program = self.program;
        // If the address of `longjmp` is taken, any call through a pointer may call it.
        if self.pointed_to.iter().any(|function| self.is(*function, Returns::Elsewhere)) {
            self.landing();
        }
        let resumed = if self.landing.is_some() { self.setjmp_blocks() } else { Vec::new() };
        let blocks = self.first[program.functions.len()];
        let mut extra: Vec<Node> = (blocks..self.next_extra).map(|_| Node::default()).collect();
        for (arguments, node) in &self.through_pointers {
            // The machine reports a call with too few arguments as a bug.
            let callees = self.pointed_to.iter().filter(|function| {
                let function = &program.functions[function.index()];
                function.body.is_some() && function.params.len() <= *arguments
            });
            let node = &mut extra[(node.0 - blocks) as usize];
            node.successors =
                callees.map(|function| NodeId(self.first[function.index()])).chain(self.landing).collect();
            // The callee may be a function of the machine, which has no body.
            node.returns = true;
        }
        if let Some(node) = self.destructors {
            let entries = program.destructors.iter().filter(|id| program.functions[id.index()].body.is_some());
            let node = &mut extra[(node.0 - blocks) as usize];
            node.successors = entries.map(|function| NodeId(self.first[function.index()])).collect();
            node.returns = true;
        }
        if let Some(node) = self.foreign {
            let callees = callable_from_outside(program, &self.pointed_to);
            let node = &mut extra[(node.0 - blocks) as usize];
            node.successors =
                callees.into_iter().map(|function| NodeId(self.first[function.index()])).chain(self.landing).collect();
            node.returns = true;
        }
        if let Some(node) = self.unsupported {
            let callees = callable_from_assembly(program);
            let node = &mut extra[(node.0 - blocks) as usize];
            node.successors =
                callees.into_iter().map(|function| NodeId(self.first[function.index()])).chain(self.landing).collect();
            node.returns = true;
        }
        if let Some(landing) = self.landing {
            extra[(landing.0 - blocks) as usize].successors = resumed;
        }
        let setjmp_through_pointers = self.pointed_to.iter().any(|function| self.is(*function, Returns::Twice));
        self.nodes.append(&mut extra);
        let to_return = to_return(&self.nodes);
        Graph {
            before: before(&self.nodes, &to_return),
            to_return,
            nodes: self.nodes,
            first: self.first,
            jumps: self.landing.is_some(),
            setjmp_through_pointers,
            pointed_to: self.pointed_to,
            returns: self.returns,
            entry: program.entry,
            constructors: program.constructors.clone(),
            exit: program.function("exit"),
        }
    }

    /// The blocks in which `setjmp` is called, or may be.
    fn setjmp_blocks(&self) -> Vec<NodeId> {
        let may_be_setjmp = |callee: Callee| match callee {
            Callee::Direct(function) => self.is(function, Returns::Twice),
            Callee::Indirect(_) => true,
        };
        let mut blocks = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            for (block, code) in body.blocks.iter().enumerate() {
                if (code.start..code.end).filter_map(|pc| body.call_at(pc)).any(|call| may_be_setjmp(call.callee)) {
                    blocks.push(NodeId(self.first[index] + block as u32));
                }
            }
        }
        blocks
    }
}

/// The number of instructions of a node up to its call number `calls`, including the callees of the calls before.
pub(crate) fn length(node: &Node, calls: usize, to_return: &[u32]) -> u32 {
    let own = node.calls.get(calls).map_or(node.end, |call| call.pc) - node.start;
    let callees = node.calls[..calls].iter().filter_map(|call| call.callee);
    callees.fold(own, |sum, callee| sum.saturating_add(to_return[callee.index()]))
}

/// The fewest instructions from each node to a return from its function, computed as a fixed point.
fn to_return(nodes: &[Node]) -> Vec<u32> {
    let mut to_return = vec![NEVER; nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, node) in nodes.iter().enumerate().rev() {
            let next = node.successors.iter().map(|next| to_return[next.index()]).min().unwrap_or(NEVER);
            let rest = if node.returns { 0 } else { next };
            let all = rest.saturating_add(length(node, node.calls.len(), &to_return));
            if all < to_return[index] {
                to_return[index] = all;
                changed = true;
            }
        }
    }
    to_return
}

/// The reversed edges with their lengths, without those after a call that never returns.
fn before(nodes: &[Node], to_return: &[u32]) -> Vec<Vec<(NodeId, u32)>> {
    let mut before = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let mut add = |to: NodeId, length: u32| {
            if length < NEVER {
                before[to.index()].push((NodeId(index as u32), length));
            }
        };
        for (number, call) in node.calls.iter().enumerate() {
            if let Some(callee) = call.callee {
                add(callee, length(node, number, to_return));
            }
        }
        for next in &node.successors {
            add(*next, length(node, node.calls.len(), to_return));
        }
    }
    before
}
