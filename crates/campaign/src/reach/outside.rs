//! What a proof does not cover: handlers of signals, none of which run while the program is explored, and what the
//! processor notes about floating-point operations.

use std::sync::Arc;

use secateur_graph::{functions_pointed_to, functions_reached_from};
use secateur_machine::returns_of;
use secateur_program::{BlockId, Body, Callee, FuncId, Inst, Program, Returns, SlotType};

use super::forward::leads_from;
use super::target::{Armed, ReachTarget};

/// Functions that install a handler.
const INSTALLING: [&str; 6] = ["signal", "sigaction", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset"];

/// Functions that ask which floating-point exceptions were raised.
const ASKING: [&str; 2] = ["fetestexcept", "fegetexceptflag"];

/// Why a program may get to a target although no path that is explored does; `None` if there is no reason.
pub(super) fn doubt(program: &Arc<Program>, target: &ReachTarget) -> Option<String> {
    let name = |function: FuncId| &program.functions[function.index()].name;
    if let Some(function) = called_by_user(program, &ASKING) {
        return Some(format!("floating-point exceptions are not modelled, and the program calls `{}`", name(function)));
    }
    let handlers = handlers(program);
    if handlers.is_empty() {
        return None;
    }
    let none_come = "and none come from outside while the program is explored";
    let Armed { program: armed, goal, .. } = target.as_place().arm(program);
    if let Some(goal) = goal
        && let Some(handler) = handlers.iter().find(|handler| leads_from(&armed, &goal, &[**handler]))
    {
        return Some(format!("`{}` may handle signals, {none_come}", name(*handler)));
    }
    // What a handler has changed may send the program another way.
    let handler = handlers.into_iter().find(|handler| may_return(program, *handler) && may_write(program, *handler))?;
    Some(format!("`{}` may handle signals and change variables, {none_come}", name(handler)))
}

/// A function with one of these names that the user's code may call.
fn called_by_user(program: &Program, names: &[&str]) -> Option<FuncId> {
    let ids = (0..program.functions.len() as u32).map(FuncId);
    let mut known = ids.filter(|id| names.contains(&&*program.functions[id.index()].name));
    let pointed_to = functions_pointed_to(program);
    let user = || program.functions.iter().filter(|function| function.user);
    let calls = || user().filter_map(|function| function.body.as_ref()).flat_map(|body| body.calls.iter());
    known.find(|id| pointed_to.contains(id) || calls().any(|call| call.callee == Callee::Direct(*id)))
}

/// The user's functions that can be handlers and whose address is taken, if the user's code installs any.
fn handlers(program: &Program) -> Vec<FuncId> {
    if called_by_user(program, &INSTALLING).is_none() {
        return Vec::new();
    }
    let is_handler = |id: &FuncId| {
        let function = &program.functions[id.index()];
        // The number may be ignored, or its type be another integer.
        let is_number = function.params.first().is_none_or(|param| matches!(*param.slots, [SlotType::Int(_)]));
        function.user && function.body.is_some() && is_number && function.params.len() <= 3
    };
    functions_pointed_to(program).into_iter().filter(is_handler).collect()
}

/// Some way through a function returns.
fn may_return(program: &Program, function: FuncId) -> bool {
    let Some(body) = &program.functions[function.index()].body else { return true };
    let mut seen = vec![false; body.blocks.len()];
    let mut todo = vec![BlockId(0)];
    while let Some(block) = todo.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let block = &body.blocks[block.index()];
        if (block.start..block.end).any(|pc| ends(program, body, pc)) {
            continue;
        }
        if matches!(body.code[block.end as usize - 1], Inst::Return { .. }) {
            return true;
        }
        todo.extend(&block.successors);
    }
    false
}

/// Nothing gets past an instruction.
fn ends(program: &Program, body: &Body, pc: u32) -> bool {
    body.call_at(pc).is_some_and(|call| match call.callee {
        Callee::Direct(callee) => returns_of(program, callee) == Returns::Never,
        Callee::Indirect(_) => false,
    })
}

/// A call of a function may change memory that outlives it, or do what is not known.
fn may_write(program: &Program, function: FuncId) -> bool {
    let may_run = functions_reached_from(program, [function]);
    let mut running = program.functions.iter().zip(may_run).filter(|(_, may_run)| *may_run);
    running.any(|(function, _)| match &function.body {
        Some(body) => body.code.iter().any(Inst::writes_memory),
        None => true,
    })
}
