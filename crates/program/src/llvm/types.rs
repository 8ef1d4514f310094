//! LLVM's types, and how the target lays them out in memory.

use super::take_message;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::*;
use std::fmt;
use std::marker::PhantomData;

/// A type; types live as long as their context.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m>(pub(super) LLVMTypeRef, PhantomData<&'m ()>);

impl<'m> Type<'m> {
    /// # Safety
    /// `raw` is a type of a context that outlives `'m`.
    pub(super) unsafe fn new(raw: LLVMTypeRef) -> Type<'m> {
        Type(raw, PhantomData)
    }

    pub(crate) fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }

    pub(crate) fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }

    pub(crate) fn is_struct(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
    }

    /// The width of an integer type.
    pub(crate) fn int_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    /// The address space of a pointer type.
    pub(crate) fn address_space(self) -> u32 {
        if self.is_pointer() { unsafe { LLVMGetPointerAddressSpace(self.0) } } else { 0 }
    }

    /// The fields of a struct type.
    pub(crate) fn fields(self) -> Vec<Type<'m>> {
        if !self.is_struct() {
            return Vec::new();
        }
        let count = unsafe { LLVMCountStructElementTypes(self.0) };
        (0..count).map(|i| Type(unsafe { LLVMStructGetTypeAtIndex(self.0, i) }, PhantomData)).collect()
    }

    /// Element type and count of an array or a vector of fixed length.
    pub(crate) fn elements(self) -> Option<(Type<'m>, u64)> {
        let count = match self.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.0) },
            LLVMTypeKind::LLVMVectorTypeKind => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
            _ => return None,
        };
        Some((Type(unsafe { LLVMGetElementType(self.0) }, PhantomData), count))
    }

    /// The type itself, or the type of one lane of a vector, and the number of lanes.
    pub(crate) fn lanes(self) -> (Type<'m>, u32) {
        match self.elements() {
            Some((element, count)) if self.is_vector() => (element, count as u32),
            _ => (self, 1),
        }
    }

    /// Whether values of the type have a size.
    pub(crate) fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Whether the size of the type or of a part depends on the machine, as for scalable vectors.
    pub(crate) fn is_scalable(self) -> bool {
        match self.kind() {
            LLVMTypeKind::LLVMScalableVectorTypeKind => true,
            LLVMTypeKind::LLVMStructTypeKind => self.fields().iter().any(|field| field.is_scalable()),
            LLVMTypeKind::LLVMArrayTypeKind => self.elements().is_some_and(|(element, _)| element.is_scalable()),
            _ => false,
        }
    }

    /// The result type of a function type.
    pub(crate) fn result(self) -> Type<'m> {
        debug_assert_eq!(self.kind(), LLVMTypeKind::LLVMFunctionTypeKind);
        Type(unsafe { LLVMGetReturnType(self.0) }, PhantomData)
    }

    /// The parameter types of a function type.
    pub(crate) fn params(self) -> Vec<Type<'m>> {
        debug_assert_eq!(self.kind(), LLVMTypeKind::LLVMFunctionTypeKind);
        let count = unsafe { LLVMCountParamTypes(self.0) } as usize;
        let mut raw = vec![std::ptr::null_mut(); count];
        unsafe { LLVMGetParamTypes(self.0, raw.as_mut_ptr()) };
        raw.into_iter().map(|ty| Type(ty, PhantomData)).collect()
    }

    /// Whether a function type takes variable arguments.
    pub(crate) fn is_variadic(self) -> bool {
        debug_assert_eq!(self.kind(), LLVMTypeKind::LLVMFunctionTypeKind);
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&unsafe { take_message(LLVMPrintTypeToString(self.0)) })
    }
}

/// The data layout of a module. Every method requires a sized type that is not scalable.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m>(LLVMTargetDataRef, PhantomData<&'m ()>);

impl<'m> Layout<'m> {
    /// # Safety
    /// `raw` belongs to something that outlives `'m`.
    pub(super) unsafe fn new(raw: LLVMTargetDataRef) -> Layout<'m> {
        Layout(raw, PhantomData)
    }

    /// Whether it is laid out as on x86-64: little-endian, with pointers of 64 bits.
    pub(crate) fn is_supported(self) -> bool {
        unsafe { LLVMByteOrder(self.0) == LLVMByteOrdering::LLVMLittleEndian && LLVMPointerSize(self.0) == 8 }
    }

    /// Bytes from one element of an array to the next.
    pub(crate) fn size(self, ty: Type<'m>) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }

    /// Bytes that a store writes.
    pub(crate) fn store_size(self, ty: Type<'m>) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.0, ty.0) }
    }

    pub(crate) fn align(self, ty: Type<'m>) -> u32 {
        unsafe { LLVMABIAlignmentOfType(self.0, ty.0) }
    }

    /// Where a field of a struct begins.
    pub(crate) fn field_offset(self, ty: Type<'m>, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.0, ty.0, field) }
    }
}
