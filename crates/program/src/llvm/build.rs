//! Adds code to a module.

use super::module::Module;
use super::types::Type;
use super::value::{Block, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};
use std::ffi::CString;

/// Appends instructions at the current position.
pub(crate) struct CodeBuilder<'m> {
    raw: LLVMBuilderRef,
    module: &'m Module<'m>,
}

impl<'m> CodeBuilder<'m> {
    /// A builder without a position; the first call must set one.
    pub(crate) fn new(module: &'m Module<'m>) -> CodeBuilder<'m> {
        CodeBuilder { raw: unsafe { LLVMCreateBuilderInContext(module.context().raw()) }, module }
    }

    /// Moves to the end of a new block of a function.
    pub(crate) fn start_block(&self, function: Value<'m>) -> Block<'m> {
        unsafe {
            let block = LLVMAppendBasicBlockInContext(self.module.context().raw(), function.0, c"".as_ptr());
            LLVMPositionBuilderAtEnd(self.raw, block);
            Block::new(block)
        }
    }

    /// Moves before an instruction, and takes over its location.
    pub(crate) fn before(&self, instruction: Value<'m>) {
        debug_assert!(instruction.is_instruction());
        unsafe { LLVMPositionBuilderBefore(self.raw, instruction.0) }
    }

    pub(crate) fn int(&self, width: u32, value: u64) -> Value<'m> {
        unsafe { Value::new(LLVMConstInt(self.module.int_type(width).0, value, 0)) }
    }

    pub(crate) fn null(&self) -> Value<'m> {
        unsafe { Value::new(LLVMConstPointerNull(self.module.pointer_type().0)) }
    }

    /// The address of a zero-terminated string.
    pub(crate) fn text(&self, text: &str) -> Value<'m> {
        let text = CString::new(text.replace('\0', "?")).unwrap_or_default();
        unsafe { Value::new(LLVMBuildGlobalStringPtr(self.raw, text.as_ptr(), c".name".as_ptr())) }
    }

    pub(crate) fn alloca(&self, ty: Type<'m>, align: u32) -> Value<'m> {
        unsafe {
            let value = LLVMBuildAlloca(self.raw, ty.0, c"".as_ptr());
            if align.is_power_of_two() {
                LLVMSetAlignment(value, align);
            }
            Value::new(value)
        }
    }

    pub(crate) fn load(&self, ty: Type<'m>, address: Value<'m>) -> Value<'m> {
        unsafe { Value::new(LLVMBuildLoad2(self.raw, ty.0, address.0, c"".as_ptr())) }
    }

    pub(crate) fn store(&self, value: Value<'m>, address: Value<'m>) {
        unsafe { LLVMBuildStore(self.raw, value.0, address.0) };
    }

    /// `base + bytes`.
    pub(crate) fn offset(&self, base: Value<'m>, bytes: u64) -> Value<'m> {
        if bytes == 0 {
            return base;
        }
        let mut index = self.int(64, bytes).0;
        let byte = self.module.int_type(8).0;
        unsafe { Value::new(LLVMBuildGEP2(self.raw, byte, base.0, &mut index, 1, c"".as_ptr())) }
    }

    pub(crate) fn copy(&self, to: Value<'m>, from: Value<'m>, bytes: u64) {
        unsafe { LLVMBuildMemCpy(self.raw, to.0, 1, from.0, 1, self.int(64, bytes).0) };
    }

    pub(crate) fn and(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        unsafe { Value::new(LLVMBuildAnd(self.raw, a.0, b.0, c"".as_ptr())) }
    }

    /// Widens (with zeros) or narrows an integer.
    pub(crate) fn resize(&self, value: Value<'m>, width: u32) -> Value<'m> {
        let from = value.ty().int_width().unwrap_or(width);
        let op = match from.cmp(&width) {
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Less => LLVMOpcode::LLVMZExt,
            std::cmp::Ordering::Greater => LLVMOpcode::LLVMTrunc,
        };
        unsafe { Value::new(LLVMBuildCast(self.raw, op, value.0, self.module.int_type(width).0, c"".as_ptr())) }
    }

    pub(crate) fn compare(&self, predicate: LLVMIntPredicate, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        unsafe { Value::new(LLVMBuildICmp(self.raw, predicate, a.0, b.0, c"".as_ptr())) }
    }

    pub(crate) fn select(&self, cond: Value<'m>, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        unsafe { Value::new(LLVMBuildSelect(self.raw, cond.0, a.0, b.0, c"".as_ptr())) }
    }

    pub(crate) fn call(&self, ty: Type<'m>, function: Value<'m>, args: &[Value<'m>]) -> Value<'m> {
        let mut args: Vec<LLVMValueRef> = args.iter().map(|arg| arg.0).collect();
        unsafe {
            Value::new(LLVMBuildCall2(self.raw, ty.0, function.0, args.as_mut_ptr(), args.len() as u32, c"".as_ptr()))
        }
    }

    pub(crate) fn ret(&self, value: Value<'m>) {
        unsafe { LLVMBuildRet(self.raw, value.0) };
    }
}

impl Drop for CodeBuilder<'_> {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

impl<'c> Module<'c> {
    pub(crate) fn pointer_type(&self) -> Type<'_> {
        unsafe { Type::new(LLVMPointerTypeInContext(self.context().raw(), 0)) }
    }

    pub(crate) fn void_type(&self) -> Type<'_> {
        unsafe { Type::new(LLVMVoidTypeInContext(self.context().raw())) }
    }

    pub(crate) fn array_type(&self, element: Type<'_>, count: u64) -> Type<'_> {
        unsafe { Type::new(LLVMArrayType2(element.0, count)) }
    }

    pub(crate) fn function_type(&self, result: Type<'_>, params: &[Type<'_>]) -> Type<'_> {
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|param| param.0).collect();
        unsafe { Type::new(LLVMFunctionType(result.0, params.as_mut_ptr(), params.len() as u32, 0)) }
    }

    /// Adds a global variable of zero bytes that only this module sees.
    pub(crate) fn add_bytes(&self, name: &str, size: u64, align: u32) -> Value<'_> {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        let ty = self.array_type(self.int_type(8), size);
        unsafe {
            let global = LLVMAddGlobal(self.raw(), ty.0, name.as_ptr());
            LLVMSetInitializer(global, LLVMConstNull(ty.0));
            LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetAlignment(global, align);
            Value::new(global)
        }
    }

    /// Adds a constant of 32 bits that other modules see.
    pub(crate) fn add_number(&self, name: &str, value: u32) {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        let ty = self.int_type(32);
        unsafe {
            let global = LLVMAddGlobal(self.raw(), ty.0, name.as_ptr());
            LLVMSetInitializer(global, LLVMConstInt(ty.0, value.into(), 0));
            LLVMSetGlobalConstant(global, 1);
        }
    }

    /// The function of a name, declared if it does not exist yet.
    pub(crate) fn declare(&self, name: &str, ty: Type<'_>) -> Value<'_> {
        if let Some(function) = self.function(name) {
            return function;
        }
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        unsafe { Value::new(LLVMAddFunction(self.raw(), name.as_ptr(), ty.0)) }
    }
}
