//! Makes the graph of a program.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use secateur_program::{
    BlockId, Body, Callee, FuncId, Function, Inst, Program, Returns, function_address, function_at, object_offset,
};

use crate::graph::{CallSite, Graph, NEVER, Node, NodeId};

impl Graph {
    /// The graph of a program. `returns` tells how a call of each function goes on; it matters for those without a body only, and for those that stand for
    /// `setjmp` and `longjmp`.
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

/// Functions whose address is somewhere in the code or the data: only they can be called through a pointer.
fn functions_pointed_to(program: &Program) -> Vec<FuncId> {
    let mut found: FxHashSet<FuncId> = program.destructors.iter().copied().collect();
    let known = |address: &u64| function_at(*address).filter(|id| id.index() < program.functions.len());
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        found.extend(body.consts.iter().filter_map(known));
    }
    // Structures may be packed, so an address can begin anywhere; almost every place is ruled out at once, since functions are at the start of their addresses.
    let lowest = function_address(FuncId(0));
    for global in &program.globals {
        // Zeros at the end are left out of a first value, and an address may end in some.
        let bytes = [&global.init[..], &[0; 7]].concat();
        for window in bytes.windows(8) {
            let address = window.iter().rev().fold(0, |address, byte| address << 8 | u64::from(*byte));
            if address >= lowest && object_offset(address) == 0 {
                found.extend(known(&address));
            }
        }
    }
    let mut found: Vec<FuncId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

struct Builder<'a> {
    program: &'a Program,
    returns: Vec<Returns>,
    first: Vec<u32>,
    pointed_to: Vec<FuncId>,
    nodes: Vec<Node>,
    next_extra: u32,
    /// For calls through pointers, by the number of arguments.
    through_pointers: BTreeMap<usize, NodeId>,
    /// For `longjmp`.
    landing: Option<NodeId>,
    /// For functions of the machine that end the path.
    ending: Option<NodeId>,
    /// For the call that runs the destructors.
    destructors: Option<NodeId>,
}

impl Builder<'_> {
    fn add_function(&mut self, id: FuncId, function: &Function, body: &Body) {
        let first = self.first[id.index()];
        for (index, block) in body.blocks.iter().enumerate() {
            let code = block.start..block.end;
            let calls = code.clone().filter_map(|pc| Some((pc, call_at(body, pc)?)));
            let calls: Vec<CallSite> = calls
                .map(|(pc, (callee, arguments))| CallSite { pc, callee: self.callee(id, callee, arguments) })
                .collect();
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
        // A pointer to `longjmp` makes any call through a pointer one of it.
        if self.pointed_to.iter().any(|function| self.is(*function, Returns::Elsewhere)) {
            self.landing();
        }
        let marked = if self.landing.is_some() { self.marked() } else { Vec::new() };
        let blocks = self.first[program.functions.len()];
        let mut extra: Vec<Node> = (blocks..self.next_extra).map(|_| Node::default()).collect();
        for (arguments, node) in &self.through_pointers {
            // The machine takes a call with too few arguments for a bug.
            let callees = self.pointed_to.iter().filter(|function| {
                let function = &program.functions[function.index()];
                function.body.is_some() && function.params.len() <= *arguments
            });
            let node = &mut extra[(node.0 - blocks) as usize];
            node.successors =
                callees.map(|function| NodeId(self.first[function.index()])).chain(self.landing).collect();
            // The machine may do what is called by itself.
            node.returns = true;
        }
        if let Some(node) = self.destructors {
            let entries = program.destructors.iter().filter(|id| program.functions[id.index()].body.is_some());
            let node = &mut extra[(node.0 - blocks) as usize];
            node.successors = entries.map(|function| NodeId(self.first[function.index()])).collect();
            node.returns = true;
        }
        if let Some(landing) = self.landing {
            extra[(landing.0 - blocks) as usize].successors = marked;
        }
        let marked_through_pointers = self.pointed_to.iter().any(|function| self.is(*function, Returns::Twice));
        self.nodes.append(&mut extra);
        let to_return = to_return(&self.nodes);
        Graph {
            before: before(&self.nodes, &to_return),
            to_return,
            nodes: self.nodes,
            first: self.first,
            jumps: self.landing.is_some(),
            marked_through_pointers,
            returns: self.returns,
            entry: program.entry,
            constructors: program.constructors.clone(),
            exit: program.function("exit"),
        }
    }

    /// The blocks in which `setjmp` is called, or may be.
    fn marked(&self) -> Vec<NodeId> {
        let marks = |callee: Callee| match callee {
            Callee::Direct(function) => self.is(function, Returns::Twice),
            Callee::Indirect(_) => true,
        };
        let mut marked = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            for (block, code) in body.blocks.iter().enumerate() {
                if (code.start..code.end).filter_map(|pc| call_at(body, pc)).any(|(callee, _)| marks(callee)) {
                    marked.push(NodeId(self.first[index] + block as u32));
                }
            }
        }
        marked
    }
}

/// Who is called by an instruction, and with how many arguments.
fn call_at(body: &Body, pc: u32) -> Option<(Callee, usize)> {
    match body.code.get(pc as usize)? {
        Inst::Call { info } => {
            let call = &body.calls[info.index()];
            Some((call.callee, call.args.len()))
        }
        _ => None,
    }
}

/// How many instructions a node takes up to its call number `calls`, the callees of those before included.
pub(crate) fn length(node: &Node, calls: usize, to_return: &[u32]) -> u32 {
    let own = node.calls.get(calls).map_or(node.end, |call| call.pc) - node.start;
    let callees = node.calls[..calls].iter().filter_map(|call| call.callee);
    callees.fold(own, |sum, callee| sum.saturating_add(to_return[callee.index()]))
}

/// The fewest instructions from each node to a return from its function, by going on until no figure gets smaller.
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

/// The edges in reverse, with their lengths; an edge behind a call that never returns is none.
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
