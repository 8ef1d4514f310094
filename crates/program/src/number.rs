//! Numbers the user's branches and blocks, so that a native run and the machine identify the same ones.
//!
//! The numbers are metadata on the terminators: they survive linking and serialization.

use crate::llvm::{Context, Module, Value};

/// The attribute of functions that are part of the user's program.
const USER: &str = "secateur-user";

/// The kinds of metadata that hold the numbers.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    pub(crate) branch: u32,
    pub(crate) block: u32,
}

impl Kinds {
    pub(crate) fn new(context: &Context) -> Kinds {
        Kinds { branch: context.metadata_kind("secateur.branch"), block: context.metadata_kind("secateur.block") }
    }
}

/// Marks every defined function as the user's, and numbers its conditional branches, switches and blocks in order.
pub(crate) fn mark_user(module: &Module<'_>) {
    let kinds = Kinds::new(module.context());
    let mut branches = 0;
    let mut blocks = 0;
    for function in module.functions() {
        if function.is_declaration() {
            continue;
        }
        function.add_function_attribute(USER);
        for block in function.blocks() {
            let Some(terminator) = block.terminator() else { continue };
            terminator.set_number(kinds.block, blocks);
            blocks += 1;
            if is_decision(terminator) {
                terminator.set_number(kinds.branch, branches);
                branches += 1;
            } else {
                // A file that Secateur wrote may contain old numbers.
                terminator.clear_number(kinds.branch);
            }
        }
    }
}

/// Whether a function is part of the user's program.
pub(crate) fn is_user(function: Value<'_>) -> bool {
    function.has_function_attribute(USER)
}

/// Whether a terminator is a conditional branch or a switch.
pub(crate) fn is_decision(terminator: Value<'_>) -> bool {
    terminator.is_conditional() || terminator.is_switch()
}
