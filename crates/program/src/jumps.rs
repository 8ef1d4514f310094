//! `sigsetjmp` saves which signals are blocked. The C library of the machine knows them, and is called before.

use crate::llvm::{CodeBuilder, Module};

/// A function of `runtime/libc/signal.c`.
const SAVE: &str = "__secateur_save_signals";

/// Adds the calls.
pub(crate) fn save_signals(module: &Module<'_>) {
    for name in ["__sigsetjmp", "sigsetjmp"] {
        let Some(function) = module.function(name).filter(|function| function.is_declaration()) else { continue };
        let build = CodeBuilder::new(module);
        for call in function.users() {
            let arguments = if call.is_call() && call.callee() == function { call.arguments() } else { continue };
            if let [buffer, whether] = arguments[..]
                && whether.ty().int_width() == Some(32)
            {
                build.before(call);
                let ty = module.function_type(module.void_type(), &[module.pointer_type(), module.int_type(32)]);
                build.call(ty, module.declare(SAVE, ty), &[buffer, whether]);
            }
        }
    }
}
