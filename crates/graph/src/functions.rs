//! Which functions can run at all, and which can be called through pointers.

use rustc_hash::FxHashSet;
use secateur_program::{Callee, FuncId, GlobalId, ObjectId, Program, function_address, function_at, object_offset};

/// By function: whether the program may call it. It follows calls, and addresses of functions and variables in the code
/// that may run and in the variables that such code names. So it includes every function that does run.
pub fn reachable_functions(program: &Program) -> Vec<bool> {
    let lists = program.constructors.iter().chain(&program.destructors);
    functions_reached_from(program, lists.chain(&program.entry).copied())
}

/// By function: whether calls of some functions may lead to it.
pub fn functions_reached_from(program: &Program, starts: impl IntoIterator<Item = FuncId>) -> Vec<bool> {
    let mut search = Search { program, runs: vec![false; program.functions.len()], seen: FxHashSet::default() };
    let mut todo = Vec::new();
    for function in starts {
        search.found(Item::Function(function), &mut todo);
    }
    while let Some(item) = todo.pop() {
        match item {
            Item::Function(function) => search.function(function, &mut todo),
            Item::Global(global) => search.global(global, &mut todo),
        }
    }
    search.runs
}

/// Functions whose address occurs in the code or the data, in order: only those can be called through a pointer.
pub fn functions_pointed_to(program: &Program) -> Vec<FuncId> {
    let mut found: FxHashSet<FuncId> = program.destructors.iter().copied().collect();
    let known = |address: u64| function_at(address).filter(|id| id.index() < program.functions.len());
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        found.extend(body.consts.iter().filter_map(|value| known(*value)));
    }
    // Almost every word is ruled out quickly, since the offset of a function's address is 0.
    let lowest = function_address(FuncId(0));
    let is_likely = |address: &u64| *address >= lowest && object_offset(*address) == 0;
    for global in &program.globals {
        found.extend(global.words().filter(is_likely).filter_map(known));
    }
    let mut found: Vec<FuncId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

enum Item {
    Function(FuncId),
    Global(GlobalId),
}

struct Search<'p> {
    program: &'p Program,
    runs: Vec<bool>,
    seen: FxHashSet<GlobalId>,
}

impl Search<'_> {
    fn found(&mut self, item: Item, todo: &mut Vec<Item>) {
        let is_new = match item {
            Item::Function(id) => self.runs.get_mut(id.index()).is_some_and(|runs| !std::mem::replace(runs, true)),
            Item::Global(id) => id.index() < self.program.globals.len() && self.seen.insert(id),
        };
        if is_new {
            todo.push(item);
        }
    }

    fn function(&mut self, function: FuncId, todo: &mut Vec<Item>) {
        let Some(body) = &self.program.functions[function.index()].body else { return };
        for call in &body.calls {
            if let Callee::Direct(callee) = call.callee {
                self.found(Item::Function(callee), todo);
            }
        }
        body.consts.iter().for_each(|value| self.address(*value, todo));
    }

    fn global(&mut self, global: GlobalId, todo: &mut Vec<Item>) {
        self.program.globals[global.index()].words().for_each(|value| self.address(value, todo));
    }

    /// A value that may be an address.
    fn address(&mut self, value: u64, todo: &mut Vec<Item>) {
        if let Some(function) = function_at(value) {
            return self.found(Item::Function(function), todo);
        }
        // An address just below an object is most likely computed from it.
        for object in [ObjectId::of(value), ObjectId::nearest_to(value)] {
            let Some(mut global) = object.global() else { continue };
            // A large variable has several numbers, of which the first counts.
            while self.program.globals.get(global.index()).is_some_and(|global| global.is_filler()) && global.0 > 0 {
                global = GlobalId(global.0 - 1);
            }
            self.found(Item::Global(global), todo);
        }
    }
}
