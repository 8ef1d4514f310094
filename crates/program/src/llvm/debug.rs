//! LLVM's debug information.

use super::copy_text;
use super::value::Value;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use std::marker::PhantomData;

unsafe extern "C" {
    /// In `details.cpp`.
    fn secateur_parameter_number(metadata: LLVMMetadataRef) -> u32;
}

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Metadata<'m>(LLVMMetadataRef, PhantomData<&'m ()>);

/// A `DIFile`, as its names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DebugFile {
    pub(crate) directory: String,
    pub(crate) name: String,
}

impl<'m> Metadata<'m> {
    /// # Safety
    /// `raw` is null or metadata of a context that outlives `'m`.
    pub(super) unsafe fn or_none(raw: LLVMMetadataRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata(raw, PhantomData))
    }

    fn kind(self) -> LLVMMetadataKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }

    fn is(self, kind: LLVMMetadataKind) -> bool {
        self.kind() as u32 == kind as u32
    }

    /// Line and column of a `DILocation`.
    pub(crate) fn line_and_column(self) -> (u32, u32) {
        if !self.is(LLVMMetadataKind::LLVMDILocationMetadataKind) {
            return (0, 0);
        }
        unsafe { (LLVMDILocationGetLine(self.0), LLVMDILocationGetColumn(self.0)) }
    }

    /// The scope that a `DILocation` is in.
    pub(crate) fn scope(self) -> Option<Metadata<'m>> {
        if !self.is(LLVMMetadataKind::LLVMDILocationMetadataKind) {
            return None;
        }
        unsafe { Metadata::or_none(LLVMDILocationGetScope(self.0)) }
    }

    /// The call that a `DILocation` was inlined at.
    pub(crate) fn inlined_at(self) -> Option<Metadata<'m>> {
        if !self.is(LLVMMetadataKind::LLVMDILocationMetadataKind) {
            return None;
        }
        unsafe { Metadata::or_none(LLVMDILocationGetInlinedAt(self.0)) }
    }

    /// The name of the function that a scope is in.
    pub(crate) fn function_name(self, context: &'m super::Context) -> Option<String> {
        use LLVMMetadataKind::*;
        let mut scope = self;
        // Scopes are nested a few levels deep; malformed ones might be nested in themselves.
        for _ in 0..1000 {
            let operands = scope.operands(context);
            let operand = |index: usize| operands.get(index).copied().flatten();
            match scope.kind() {
                LLVMDISubprogramMetadataKind => return operand(2)?.text(context),
                LLVMDILexicalBlockMetadataKind | LLVMDILexicalBlockFileMetadataKind => scope = operand(1)?,
                _ => return None,
            }
        }
        None
    }

    /// The line of a `DISubprogram`.
    pub(crate) fn subprogram_line(self) -> u32 {
        if self.is(LLVMMetadataKind::LLVMDISubprogramMetadataKind) {
            unsafe { LLVMDISubprogramGetLine(self.0) }
        } else {
            0
        }
    }

    /// The node of the `DIFile` of a scope.
    pub(crate) fn file_node(self) -> Option<Metadata<'m>> {
        use LLVMMetadataKind::*;
        let is_scope = matches!(
            self.kind(),
            LLVMDISubprogramMetadataKind
                | LLVMDILexicalBlockMetadataKind
                | LLVMDILexicalBlockFileMetadataKind
                | LLVMDICompileUnitMetadataKind
                | LLVMDIFileMetadataKind
        );
        if is_scope { unsafe { Metadata::or_none(LLVMDIScopeGetFile(self.0)) } } else { None }
    }

    /// The names of a `DIFile`.
    pub(crate) fn file(self) -> Option<DebugFile> {
        if !self.is(LLVMMetadataKind::LLVMDIFileMetadataKind) {
            return None;
        }
        let mut len = 0;
        unsafe {
            let directory = LLVMDIFileGetDirectory(self.0, &mut len);
            let directory = copy_text(directory, len as usize);
            let name = LLVMDIFileGetFilename(self.0, &mut len);
            Some(DebugFile { directory, name: copy_text(name, len as usize) })
        }
    }

    /// The DWARF tag of a described node.
    pub(crate) fn tag(self) -> u16 {
        use LLVMMetadataKind::*;
        let tagged = matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind | LLVMDIDerivedTypeMetadataKind | LLVMDICompositeTypeMetadataKind
        );
        if tagged { unsafe { LLVMGetDINodeTag(self.0) } } else { 0 }
    }

    /// The size of a type in bits.
    pub(crate) fn type_bits(self) -> u64 {
        use LLVMMetadataKind::*;
        let is_type = matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind | LLVMDIDerivedTypeMetadataKind | LLVMDICompositeTypeMetadataKind
        );
        if is_type { unsafe { LLVMDITypeGetSizeInBits(self.0) } } else { 0 }
    }

    /// Where a member begins, in bits.
    pub(crate) fn type_offset_bits(self) -> u64 {
        if self.tag() == 0 { 0 } else { unsafe { LLVMDITypeGetOffsetInBits(self.0) } }
    }

    /// Whether a member is a bit-field.
    pub(crate) fn is_bit_field(self) -> bool {
        const BIT_FIELD: i32 = 1 << 19;
        self.tag() != 0 && unsafe { LLVMDITypeGetFlags(self.0) } & BIT_FIELD != 0
    }

    /// Whether an array is a vector, which is passed by value.
    pub(crate) fn is_vector(self) -> bool {
        const VECTOR: i32 = 1 << 11;
        self.tag() != 0 && unsafe { LLVMDITypeGetFlags(self.0) } & VECTOR != 0
    }

    /// The number that it wraps.
    pub(crate) fn constant(self, context: &'m super::Context) -> Option<u64> {
        let wrapped = unsafe { Value::or_none(LLVMMetadataAsValue(context.raw(), self.0)) }?.wrapped_value()?;
        wrapped.int_bits().map(|bits| bits as u64)
    }

    /// Whether it is the type of a function.
    pub(crate) fn is_function_type(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind)
    }

    /// The name of a type.
    pub(crate) fn type_name(self) -> String {
        if self.tag() == 0 {
            return String::new();
        }
        let mut len = 0;
        unsafe {
            let name = LLVMDITypeGetName(self.0, &mut len);
            copy_text(name, len)
        }
    }

    /// The operands of a node; `None` where there is none.
    pub(crate) fn operands(self, context: &'m super::Context) -> Vec<Option<Metadata<'m>>> {
        unsafe {
            let value = LLVMMetadataAsValue(context.raw(), self.0);
            if LLVMIsAMDNode(value).is_null() {
                return Vec::new();
            }
            let count = LLVMGetMDNodeNumOperands(value) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(value, raw.as_mut_ptr());
            raw.into_iter()
                .map(|operand| if operand.is_null() { None } else { Metadata::or_none(LLVMValueAsMetadata(operand)) })
                .collect()
        }
    }

    /// The name of a variable.
    pub(crate) fn variable_name(self, context: &'m super::Context) -> Option<String> {
        if !self.is(LLVMMetadataKind::LLVMDILocalVariableMetadataKind) {
            return None;
        }
        self.operands(context).get(1).copied().flatten()?.text(context)
    }

    /// The type of a variable.
    pub(crate) fn variable_type(self, context: &'m super::Context) -> Option<Metadata<'m>> {
        if !self.is(LLVMMetadataKind::LLVMDILocalVariableMetadataKind) {
            return None;
        }
        self.operands(context).get(3).copied().flatten()
    }

    /// Which parameter a variable is, from 1; `None` if it is not a parameter.
    pub(crate) fn parameter_number(self) -> Option<usize> {
        let number = unsafe { secateur_parameter_number(self.0) };
        (number > 0).then_some(number as usize)
    }

    /// File and type of the global variable that a `DIGlobalVariableExpression` describes.
    pub(crate) fn global_variable(
        self,
        context: &'m super::Context,
    ) -> Option<(Option<DebugFile>, Option<Metadata<'m>>)> {
        if !self.is(LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
            return None;
        }
        let variable = unsafe { Metadata::or_none(LLVMDIGlobalVariableExpressionGetVariable(self.0)) }?;
        let operands = variable.operands(context);
        let operand = |index: usize| operands.get(index).copied().flatten();
        Some((operand(2).and_then(Metadata::file), operand(3)))
    }

    /// The text of a metadata string.
    pub(crate) fn text(self, context: &'m super::Context) -> Option<String> {
        if !self.is(LLVMMetadataKind::LLVMMDStringMetadataKind) {
            return None;
        }
        unsafe {
            let mut len = 0;
            let data = LLVMGetMDString(LLVMMetadataAsValue(context.raw(), self.0), &mut len);
            (!data.is_null()).then(|| copy_text(data, len as usize))
        }
    }
}

impl<'m> Value<'m> {
    /// The metadata that is attached to a global variable.
    pub(crate) fn attached(self) -> Vec<Metadata<'m>> {
        let mut count = 0;
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            if entries.is_null() {
                return Vec::new();
            }
            let nodes = (0..count as u32)
                .filter_map(|index| Metadata::or_none(LLVMValueMetadataEntriesGetMetadata(entries, index)))
                .collect();
            LLVMDisposeValueMetadataEntries(entries);
            nodes
        }
    }

    /// The value (or its address) and the variable that a debug intrinsic describes.
    pub(crate) fn described(self) -> Option<(Value<'m>, Metadata<'m>)> {
        if !self.is_debug_variable() {
            return None;
        }
        // `llvm.dbg.assign` has the value that is assigned first, and the address of the variable later.
        let address = if self.callee().name() == "llvm.dbg.assign" { 4 } else { 0 };
        Some((self.operand(address).wrapped_value()?, self.operand(1).as_metadata()?))
    }

    /// The variable that a debug intrinsic describes, even if its value no longer exists.
    pub(crate) fn described_variable(self) -> Option<Metadata<'m>> {
        if self.is_debug_variable() { self.operand(1).as_metadata() } else { None }
    }

    /// The text of an argument that is a metadata string, such as the predicate of a constrained comparison.
    pub(crate) fn metadata_text(self) -> Option<String> {
        let mut len = 0;
        unsafe {
            let data = LLVMGetMDString(self.0, &mut len);
            (!data.is_null()).then(|| copy_text(data, len as usize))
        }
    }

    /// The metadata that an argument of a debug intrinsic wraps.
    fn as_metadata(self) -> Option<Metadata<'m>> {
        unsafe { if LLVMIsAMDNode(self.0).is_null() { None } else { Metadata::or_none(LLVMValueAsMetadata(self.0)) } }
    }

    /// The value that an argument of a debug intrinsic wraps.
    fn wrapped_value(self) -> Option<Value<'m>> {
        unsafe {
            // A value wrapped in metadata counts as a node with that one operand.
            if LLVMIsAValueAsMetadata(self.0).is_null() {
                return None;
            }
            let mut operand = std::ptr::null_mut();
            LLVMGetMDNodeOperands(self.0, &mut operand);
            Value::or_none(operand)
        }
    }
}
