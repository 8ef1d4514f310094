//! The program as backward execution needs it: predecessors, callers, loops, and what functions write and read.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{NativeFn, Pool, Width};
use secateur_graph::{
    Dominators, Loops, callable_from_assembly, callable_from_outside, functions_pointed_to, reachable_functions,
};
use secateur_program::{BlockId, Body, Callee, EdgeId, FuncId, Inst, ObjectId, Program, Returns, Slot};

use crate::holes::Holes;
use crate::tuning::Tuning;

/// The first number of the objects that a search makes up: higher than any that the machine uses.
pub(crate) const FIRST_OBJECT: u32 = 1 << 24;
/// How many numbers each of them takes, whatever its size: 64 MiB.
pub(crate) const NUMBERS: u32 = 16;
/// One past the last.
const LAST_OBJECT: u32 = 1 << 25;

/// The program, and the expressions over its states.
pub(crate) struct Code<'a> {
    pub program: &'a Program,
    pub tuning: Tuning,
    pub pool: Pool,
    pub holes: Holes,
    /// What is known about a function, computed when it is first asked for.
    flows: FxHashMap<FuncId, Rc<Flow>>,
    /// The calls of each function.
    callers: FxHashMap<FuncId, Vec<CallSite>>,
    effects: Vec<Effects>,
    /// The fewest calls from the start of the program to each function.
    depths: Vec<u32>,
    /// A function that is called, but not part of the program, if there is one.
    foreign: Option<FuncId>,
    /// What such a function may call.
    from_outside: Vec<FuncId>,
    /// Code of the user that is not supported, such as inline assembly, if there is any.
    unsupported: Option<&'a str>,
    /// What such code may call.
    from_assembly: Vec<FuncId>,
    /// The slots that only ever hold the address of a local variable.
    pub locals: FxHashSet<(FuncId, Slot)>,
    objects: u32,
    /// Floats are rounded to nearest everywhere.
    pub has_usual_rounding: bool,
}

/// A call in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CallSite {
    pub function: FuncId,
    pub pc: u32,
    /// It is a call through a pointer.
    pub is_indirect: bool,
}

/// The control flow of a function.
pub(crate) struct Flow {
    /// For each block, the edges that enter it, with the instructions that take them.
    pub entering: Vec<Vec<(u32, EdgeId)>>,
    pub dominators: Dominators,
    pub loops: Loops,
    /// The fewest edges from the first block.
    pub distance: Vec<u32>,
}

/// What a call of a function may do, callees included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effects {
    /// It may write memory that exists before.
    pub writes: bool,
    /// It may read input.
    pub reads_input: bool,
}

impl<'a> Code<'a> {
    pub(crate) fn new(program: &'a Program, tuning: &Tuning) -> Code<'a> {
        let pointed_to = functions_pointed_to(program);
        let callers = callers(program, &pointed_to);
        let unsupported = unsupported(program);
        let is_foreign = |id: &FuncId| secateur_machine::returns_of(program, *id) == Returns::Foreign;
        Code {
            foreign: callers.iter().filter(|(_, sites)| !sites.is_empty()).map(|(id, _)| *id).filter(is_foreign).min(),
            from_outside: callable_from_outside(program, &pointed_to),
            unsupported,
            from_assembly: callable_from_assembly(program),
            program,
            tuning: tuning.clone(),
            pool: Pool::new(),
            holes: Holes::default(),
            flows: FxHashMap::default(),
            effects: effects(program),
            depths: depths(program, &callers),
            callers,
            locals: crate::memory::locals(program),
            objects: FIRST_OBJECT,
            has_usual_rounding: program.function("fesetround").is_none() && unsupported.is_none(),
        }
    }

    pub(crate) fn body(&self, function: FuncId) -> Option<&'a Body> {
        self.program.functions.get(function.index())?.body.as_ref()
    }

    pub(crate) fn name(&self, function: FuncId) -> &'a str {
        &self.program.functions[function.index()].name
    }

    /// Something that runs, but is not known, and may call this function.
    pub(crate) fn unknown_caller(&self, function: FuncId) -> Option<String> {
        if let Some(foreign) = self.foreign.filter(|_| self.from_outside.binary_search(&function).is_ok()) {
            return Some(format!("`{}`, which is not part of the program,", self.name(foreign)));
        }
        let unsupported = self.unsupported.filter(|_| self.from_assembly.binary_search(&function).is_ok());
        unsupported.map(|what| format!("{what}, which is not supported,"))
    }

    /// The control flow of a function with a body.
    pub(crate) fn flow(&mut self, function: FuncId) -> Option<Rc<Flow>> {
        let body = self.body(function)?;
        Some(Rc::clone(self.flows.entry(function).or_insert_with(|| Rc::new(Flow::new(body)))))
    }

    pub(crate) fn callers(&self, function: FuncId) -> Vec<CallSite> {
        self.callers.get(&function).cloned().unwrap_or_default()
    }

    pub(crate) fn effects(&self, callee: Callee) -> Effects {
        match callee {
            Callee::Direct(function) => self.effects[function.index()],
            Callee::Indirect(_) => Effects { writes: true, reads_input: true },
        }
    }

    /// The fewest calls from the start of the program to a function.
    pub(crate) fn call_depth(&self, function: FuncId) -> u32 {
        self.depths[function.index()]
    }

    /// An object that no other address belongs to.
    pub(crate) fn new_object(&mut self) -> ObjectId {
        self.objects += NUMBERS;
        if self.objects >= LAST_OBJECT {
            self.objects = FIRST_OBJECT;
        }
        ObjectId(self.objects)
    }
}

impl Flow {
    fn new(body: &Body) -> Flow {
        let mut entering = vec![Vec::new(); body.blocks.len()];
        for block in &body.blocks {
            let last = block.end - 1;
            let mut edges = body.edges_of(&body.code[last as usize]);
            edges.sort_unstable();
            edges.dedup();
            for edge in edges {
                entering[body.edges[edge.index()].to.index()].push((last, edge));
            }
        }
        let mut distance = vec![u32::MAX; body.blocks.len()];
        let mut queue = std::collections::VecDeque::from([BlockId(0)]);
        distance[0] = 0;
        while let Some(block) = queue.pop_front() {
            for next in &body.blocks[block.index()].successors {
                if distance[next.index()] == u32::MAX {
                    distance[next.index()] = distance[block.index()] + 1;
                    queue.push_back(*next);
                }
            }
        }
        Flow { entering, dominators: Dominators::new(body), loops: Loops::new(body), distance }
    }
}

/// What is not supported in the user's code that may run.
fn unsupported(program: &Program) -> Option<&str> {
    let may_run = reachable_functions(program);
    let users = program.functions.iter().zip(may_run).filter(|(function, may_run)| function.user && *may_run);
    let mut bodies = users.filter_map(|(function, _)| function.body.as_ref());
    bodies.find_map(|body| body.unsupported.first()).map(String::as_str)
}

fn bodies(program: &Program) -> impl Iterator<Item = (FuncId, &Body)> {
    let functions = program.functions.iter().enumerate();
    functions.filter_map(|(index, function)| Some((FuncId(index as u32), function.body.as_ref()?)))
}

/// The calls of each function. A function whose address occurs anywhere may be called through any pointer.
fn callers(program: &Program, pointed_to: &[FuncId]) -> FxHashMap<FuncId, Vec<CallSite>> {
    let mut found: FxHashMap<FuncId, Vec<CallSite>> = FxHashMap::default();
    let mut indirect = Vec::new();
    for (function, body) in bodies(program) {
        for (pc, call) in body.calls_in_order() {
            match call.callee {
                Callee::Direct(callee) => {
                    found.entry(callee).or_default().push(CallSite { function, pc, is_indirect: false });
                }
                Callee::Indirect(_) => indirect.push((CallSite { function, pc, is_indirect: true }, call.args.len())),
            }
        }
    }
    for function in pointed_to.iter().copied() {
        let params = program.functions[function.index()].params.len();
        let sites = indirect.iter().filter(|(_, arguments)| *arguments >= params).map(|(site, _)| *site);
        found.entry(function).or_default().extend(sites);
    }
    found
}

/// What a function without a body does, by its name.
fn effects_of_shim(name: &str) -> Effects {
    if secateur_machine::returns(name) == Returns::Never || is_harmless(name) {
        return Effects::default();
    }
    let reads_input = true;
    match crate::call::Shim::of(name) {
        crate::call::Shim::Value => Effects { writes: false, reads_input },
        crate::call::Shim::Memory => Effects { writes: true, reads_input },
        crate::call::Shim::Opaque => Effects { writes: true, reads_input: !is_allocation(name) },
        _ => Effects::default(),
    }
}

/// It allocates memory.
fn is_allocation(name: &str) -> bool {
    matches!(name, "malloc" | "calloc" | "realloc")
}

/// The opaque function that a call of this name means, and its width.
pub(crate) fn native(name: &str) -> Option<(NativeFn, Width)> {
    NativeFn::from_name(name).or_else(|| NativeFn::from_internal_name(name))
}

/// It neither writes memory of the program nor reads input.
pub(crate) fn is_harmless(name: &str) -> bool {
    native(name).is_some()
        || matches!(
            name,
            "klee_warning"
                | "klee_warning_once"
                | "klee_prefer_cex"
                | "fabs"
                | "fabsf"
                | "floor"
                | "floorf"
                | "ceil"
                | "ceilf"
                | "free"
        )
}

fn effects(program: &Program) -> Vec<Effects> {
    let mut effects: Vec<Effects> = program
        .functions
        .iter()
        .map(|function| match &function.body {
            None => effects_of_shim(&function.name),
            Some(body) => Effects { writes: writes_itself(body), reads_input: false },
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (function, body) in bodies(program) {
            for (_, call) in body.calls_in_order() {
                let of_callee = match call.callee {
                    Callee::Direct(callee) => effects[callee.index()],
                    Callee::Indirect(_) => Effects { writes: true, reads_input: true },
                };
                let own = &mut effects[function.index()];
                let both = Effects {
                    writes: own.writes || of_callee.writes,
                    reads_input: own.reads_input || of_callee.reads_input,
                };
                changed |= both != *own;
                *own = both;
            }
        }
    }
    effects
}

fn writes_itself(body: &Body) -> bool {
    body.code.iter().any(Inst::writes_memory)
}

fn depths(program: &Program, callers: &FxHashMap<FuncId, Vec<CallSite>>) -> Vec<u32> {
    let mut depths = vec![u32::MAX; program.functions.len()];
    let mut calls: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    for (callee, sites) in callers {
        for site in sites {
            calls.entry(site.function).or_default().push(*callee);
        }
    }
    let mut queue: std::collections::VecDeque<FuncId> =
        program.constructors.iter().chain(&program.entry).copied().collect();
    queue.iter().for_each(|function| depths[function.index()] = 0);
    while let Some(function) = queue.pop_front() {
        for callee in calls.get(&function).into_iter().flatten() {
            if depths[callee.index()] == u32::MAX {
                depths[callee.index()] = depths[function.index()] + 1;
                queue.push_back(*callee);
            }
        }
    }
    depths
}
