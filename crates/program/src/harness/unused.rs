//! Removes unused functions that only this module could call.
//!
//! The compiler was told to keep everything, so that an unused static function can be tested. What remains here is that
//! function and what the compiler would have kept by itself.

use crate::llvm::{Module, Value};
use inkwell::llvm_sys::LLVMLinkage;

pub(super) fn remove(module: &Module<'_>, keep: &str) {
    // A removed function may have been the only one to use another.
    loop {
        let functions = module.functions();
        let unused: Vec<Value<'_>> =
            functions.into_iter().filter(|function| is_unused(*function) && function.name() != keep).collect();
        if unused.is_empty() {
            return;
        }
        unused.into_iter().for_each(Value::remove_function);
    }
}

fn is_unused(function: Value<'_>) -> bool {
    let local = matches!(
        function.linkage(),
        LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
            | LLVMLinkage::LLVMAvailableExternallyLinkage
            | LLVMLinkage::LLVMLinkOnceAnyLinkage
            | LLVMLinkage::LLVMLinkOnceODRLinkage
    );
    local && !function.is_declaration() && !function.is_used()
}
