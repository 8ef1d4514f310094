//! What may run without a call in the program: handlers of signals that come from outside. None do while it is
//! explored.

use std::sync::Arc;

use secateur_graph::functions_pointed_to;
use secateur_program::{Callee, FuncId, Program, SlotType};

use super::forward::leads_from;
use super::target::{Armed, ReachTarget};

/// Functions that install a handler.
const INSTALLING: [&str; 6] = ["signal", "sigaction", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset"];

/// A function that may be a handler of signals and may lead to the target.
pub(super) fn handler_leading_to(program: &Arc<Program>, target: &ReachTarget) -> Option<FuncId> {
    let handlers = handlers(program);
    if handlers.is_empty() {
        return None;
    }
    let Armed { program, goal, .. } = target.as_place().arm(program);
    let goal = goal?;
    handlers.into_iter().find(|handler| leads_from(&program, &goal, &[*handler]))
}

/// The user's functions that look like handlers and whose address is taken, if the user's code installs any.
fn handlers(program: &Program) -> Vec<FuncId> {
    let installs = |callee: Callee| match callee {
        Callee::Direct(function) => INSTALLING.contains(&&*program.functions[function.index()].name),
        Callee::Indirect(_) => false,
    };
    let user = program.functions.iter().filter(|function| function.user);
    let mut calls = user.filter_map(|function| function.body.as_ref()).flat_map(|body| body.calls.iter());
    if !calls.any(|call| installs(call.callee)) {
        return Vec::new();
    }
    let is_handler = |id: &FuncId| {
        let function = &program.functions[id.index()];
        let takes_signal = function.params.first().is_some_and(|param| *param.slots == [SlotType::Int(32)]);
        function.user && function.body.is_some() && takes_signal && matches!(function.params.len(), 1 | 3)
    };
    functions_pointed_to(program).into_iter().filter(is_handler).collect()
}
