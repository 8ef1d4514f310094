//! LLVM's contexts and modules: where values and types live.

use super::types::{Layout, Type};
use super::value::Value;
use super::{copy_text, take_message};
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use inkwell::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMStripModuleDebugInfo;
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use std::cell::RefCell;
use std::ffi::{CString, c_void};

unsafe extern "C" {
    /// In `constant_intrinsics.cpp`.
    fn secateur_lower_constant_intrinsics(module: LLVMModuleRef);
    /// In `processor.cpp`.
    fn secateur_answer_for_processor(module: LLVMModuleRef);
}

/// The data layout of clang-19 on x86-64 Linux, for modules that have none.
const X86_64_LAYOUT: &std::ffi::CStr =
    c"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Owns types and constants, and collects LLVM's diagnostics.
pub(crate) struct Context {
    raw: LLVMContextRef,
    /// Boxed, because LLVM keeps its address.
    errors: Box<RefCell<Vec<String>>>,
}

impl Context {
    pub(crate) fn new() -> Context {
        let errors = Box::new(RefCell::new(Vec::new()));
        let raw = unsafe { LLVMContextCreate() };
        let address = (&*errors as *const RefCell<Vec<String>>).cast_mut().cast();
        unsafe { LLVMContextSetDiagnosticHandler(raw, Some(collect), address) };
        Context { raw, errors }
    }

    pub(super) fn raw(&self) -> LLVMContextRef {
        self.raw
    }

    /// The number of a kind of metadata.
    pub(crate) fn metadata_kind(&self, name: &str) -> u32 {
        unsafe { LLVMGetMDKindIDInContext(self.raw, name.as_ptr().cast(), name.len() as u32) }
    }

    /// Takes the errors that LLVM reported since the last call.
    pub(super) fn take_errors(&self) -> String {
        std::mem::take(&mut *self.errors.borrow_mut()).join("; ")
    }

    /// Parses bitcode or textual IR; `name` is for messages only.
    pub(crate) fn parse(&self, bytes: &[u8], name: &str) -> Result<Module<'_>, String> {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        let mut module = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        let failed = unsafe {
            // The copy ends in a zero byte, which the parser of textual IR requires; the parser takes it over.
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            LLVMParseIRInContext(self.raw, buffer, &mut module, &mut message) != 0
        };
        let message = unsafe { take_message(message) };
        let errors = self.take_errors();
        if failed || module.is_null() {
            return Err(if message.is_empty() { errors } else { message });
        }
        let module = Module { raw: module, context: self };
        // Debug information in one form, whatever the file had: calls of intrinsics, which can be walked.
        unsafe {
            LLVMSetIsNewDbgInfoFormat(module.raw, 0);
            if copy_c(LLVMGetDataLayoutStr(module.raw)).is_empty() {
                LLVMSetDataLayout(module.raw, X86_64_LAYOUT.as_ptr());
            }
        }
        Ok(module)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// Keeps the errors; warnings and remarks of the linker, such as different file names, mean nothing to users.
extern "C" fn collect(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    unsafe {
        if LLVMGetDiagInfoSeverity(info) as u32 == LLVMDiagnosticSeverity::LLVMDSError as u32 {
            let errors = &*errors.cast::<RefCell<Vec<String>>>();
            errors.borrow_mut().push(take_message(LLVMGetDiagInfoDescription(info)));
        }
    }
}

unsafe fn copy_c(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A module, owned.
pub(crate) struct Module<'c> {
    raw: LLVMModuleRef,
    context: &'c Context,
}

impl<'c> Module<'c> {
    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    /// LLVM's own check that the module is well-formed.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        let failed =
            unsafe { LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) != 0 };
        let message = unsafe { take_message(message) };
        if failed { Err(message.lines().next().unwrap_or("malformed").to_string()) } else { Ok(()) }
    }

    /// Replaces queries to the compiler, `llvm.objectsize` and `llvm.is.constant`, by their answers.
    pub(crate) fn lower_constant_intrinsics(&self) {
        unsafe { secateur_lower_constant_intrinsics(self.raw) }
    }

    /// Replaces questions to the processor, such as `cpuid`, by answers that are the same everywhere.
    pub(crate) fn answer_for_processor(&self) {
        unsafe { secateur_answer_for_processor(self.raw) }
    }

    /// Releases ownership: the caller frees the module.
    pub(super) fn into_raw(self) -> LLVMModuleRef {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }

    pub(crate) fn strip_debug_info(&self) {
        unsafe { LLVMStripModuleDebugInfo(self.raw) };
    }

    pub(crate) fn to_bitcode(&self) -> Vec<u8> {
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let data = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(data, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    pub(crate) fn layout(&self) -> Layout<'_> {
        unsafe { Layout::new(LLVMGetModuleDataLayout(self.raw)) }
    }

    pub(crate) fn target_triple(&self) -> String {
        unsafe { copy_c(LLVMGetTarget(self.raw)) }
    }

    pub(crate) fn set_target_triple(&self, triple: &str) {
        if let Ok(triple) = CString::new(triple) {
            unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) }
        }
    }

    /// Assembly at file level.
    pub(crate) fn inline_asm(&self) -> String {
        let mut len = 0;
        unsafe {
            let data = LLVMGetModuleInlineAsm(self.raw, &mut len);
            copy_text(data, len)
        }
    }

    pub(crate) fn functions(&self) -> Vec<Value<'_>> {
        let mut all = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstFunction(self.raw);
            while !at.is_null() {
                all.push(Value::new(at));
                at = LLVMGetNextFunction(at);
            }
        }
        all
    }

    pub(crate) fn globals(&self) -> Vec<Value<'_>> {
        let mut all = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstGlobal(self.raw);
            while !at.is_null() {
                all.push(Value::new(at));
                at = LLVMGetNextGlobal(at);
            }
        }
        all
    }

    pub(crate) fn aliases(&self) -> Vec<Value<'_>> {
        let mut all = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstGlobalAlias(self.raw);
            while !at.is_null() {
                all.push(Value::new(at));
                at = LLVMGetNextGlobalAlias(at);
            }
        }
        all
    }

    pub(crate) fn ifuncs(&self) -> Vec<Value<'_>> {
        let mut all = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstGlobalIFunc(self.raw);
            while !at.is_null() {
                all.push(Value::new(at));
                at = LLVMGetNextGlobalIFunc(at);
            }
        }
        all
    }

    /// The function of this name.
    pub(crate) fn function(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        unsafe { Value::or_none(LLVMGetNamedFunction(self.raw, name.as_ptr())) }
    }

    /// The global variable of this name.
    pub(crate) fn global(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        unsafe { Value::or_none(LLVMGetNamedGlobal(self.raw, name.as_ptr())) }
    }

    pub(crate) fn int_type(&self, width: u32) -> Type<'_> {
        unsafe { Type::new(LLVMIntTypeInContext(self.context.raw, width)) }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        unsafe { LLVMDisposeModule(self.raw) }
    }
}
