//! Links many modules into one.

use super::module::Module;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

/// LLVM's linker, an opaque type.
#[repr(C)]
struct RawLinker {
    _private: [u8; 0],
}

unsafe extern "C" {
    // In `linker.cpp`.
    fn secateur_linker_new(destination: LLVMModuleRef) -> *mut RawLinker;
    fn secateur_linker_add(linker: *mut RawLinker, source: LLVMModuleRef) -> bool;
    fn secateur_linker_dispose(linker: *mut RawLinker);
}

/// Adds modules to one. Adding a module takes time in proportion to its size, however much was added before.
pub(crate) struct Linker<'m, 'c> {
    raw: *mut RawLinker,
    destination: &'m Module<'c>,
}

impl<'m, 'c> Linker<'m, 'c> {
    pub(crate) fn new(destination: &'m Module<'c>) -> Linker<'m, 'c> {
        Linker { raw: unsafe { secateur_linker_new(destination.raw()) }, destination }
    }

    /// Moves everything in `module` to the one that this linker adds to.
    pub(crate) fn add(&self, module: Module<'c>) -> Result<(), String> {
        let context = self.destination.context();
        context.take_errors();
        // The linker frees the module, whether it succeeds or not.
        let failed = unsafe { secateur_linker_add(self.raw, module.into_raw()) };
        let errors = context.take_errors();
        if failed { Err(if errors.is_empty() { "cannot link".to_string() } else { errors }) } else { Ok(()) }
    }
}

impl Drop for Linker<'_, '_> {
    fn drop(&mut self) {
        unsafe { secateur_linker_dispose(self.raw) }
    }
}
