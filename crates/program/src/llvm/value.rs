//! LLVM's values: constants, globals, functions, blocks and instructions.

use super::debug::Metadata;
use super::types::Type;
use super::{copy_text, take_message};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMInstructionGetDebugLoc};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex, LLVMIntPredicate,
    LLVMLinkage, LLVMOpcode, LLVMRealPredicate,
};
use std::ffi::CStr;
use std::fmt;
use std::marker::PhantomData;

unsafe extern "C" {
    /// In `details.cpp`.
    fn secateur_constant_words(value: LLVMValueRef, words: *mut u64);
}

/// Anything that can be an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m>(pub(super) LLVMValueRef, PhantomData<&'m ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'m>(pub(super) LLVMBasicBlockRef, PhantomData<&'m ()>);

/// Declares the methods that ask for the kind of a value.
macro_rules! kind_tests {
    ($($(#[$doc:meta])* $name:ident = $call:ident;)*) => {
        impl<'m> Value<'m> {
            $($(#[$doc])* pub(crate) fn $name(self) -> bool {
                unsafe { !$call(self.0).is_null() }
            })*
        }
    };
}

kind_tests! {
    is_instruction = LLVMIsAInstruction;
    is_function = LLVMIsAFunction;
    is_global_variable = LLVMIsAGlobalVariable;
    is_alias = LLVMIsAGlobalAlias;
    is_ifunc = LLVMIsAGlobalIFunc;
    is_const_expr = LLVMIsAConstantExpr;
    is_const_int = LLVMIsAConstantInt;
    is_const_float = LLVMIsAConstantFP;
    is_const_struct = LLVMIsAConstantStruct;
    is_const_array = LLVMIsAConstantArray;
    is_const_vector = LLVMIsAConstantVector;
    is_const_data = LLVMIsAConstantDataSequential;
    is_const_zero = LLVMIsAConstantAggregateZero;
    is_const_null = LLVMIsAConstantPointerNull;
    /// Undefined or poison.
    is_undefined = LLVMIsAUndefValue;
    is_block_address = LLVMIsABlockAddress;
    is_inline_asm = LLVMIsAInlineAsm;
    is_alloca = LLVMIsAAllocaInst;
    is_switch = LLVMIsASwitchInst;
    is_branch = LLVMIsABranchInst;
    is_call = LLVMIsACallInst;
    is_phi = LLVMIsAPHINode;
    is_intrinsic_call = LLVMIsAIntrinsicInst;
    is_debug_intrinsic = LLVMIsADbgInfoIntrinsic;
    /// A debug intrinsic about a variable.
    is_debug_variable = LLVMIsADbgVariableIntrinsic;
    is_store = LLVMIsAStoreInst;
    is_return = LLVMIsAReturnInst;
    is_unreachable = LLVMIsAUnreachableInst;
    is_landing_pad = LLVMIsALandingPadInst;
}

impl<'m> Value<'m> {
    /// # Safety
    /// `raw` is a value that lives as long as `'m`.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Value<'m> {
        Value(raw, PhantomData)
    }

    /// # Safety
    /// `raw` is null or a value that lives as long as `'m`.
    pub(super) unsafe fn or_none(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value(raw, PhantomData))
    }

    pub(crate) fn ty(self) -> Type<'m> {
        unsafe { Type::new(LLVMTypeOf(self.0)) }
    }

    pub(crate) fn name(self) -> String {
        let mut len = 0;
        unsafe {
            let data = LLVMGetValueName2(self.0, &mut len);
            copy_text(data, len)
        }
    }

    pub(crate) fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// Makes everything that uses this value use another one.
    pub(crate) fn replace_uses_with(self, other: Value<'_>) {
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    pub(crate) fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    pub(crate) fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) }.max(0) as u32
    }

    /// Operand `index`; the caller ensures that it exists.
    pub(crate) fn operand(self, index: u32) -> Value<'m> {
        debug_assert!(index < self.operand_count());
        Value(unsafe { LLVMGetOperand(self.0, index) }, PhantomData)
    }

    pub(crate) fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    /// Whether anything uses the value.
    pub(crate) fn is_used(self) -> bool {
        unsafe { !LLVMGetFirstUse(self.0).is_null() }
    }

    /// Whether the value is used once.
    pub(crate) fn is_used_once(self) -> bool {
        unsafe {
            let first = LLVMGetFirstUse(self.0);
            !first.is_null() && LLVMGetNextUse(first).is_null()
        }
    }

    /// The instructions and constants that use the value, once per use. All functions share constants, which may
    /// therefore have millions of uses.
    pub(crate) fn users(self) -> Vec<Value<'m>> {
        let mut users = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstUse(self.0);
            while !at.is_null() {
                users.push(Value(LLVMGetUser(at), PhantomData));
                at = LLVMGetNextUse(at);
            }
        }
        users
    }
}

/// Constants.
impl<'m> Value<'m> {
    /// The bits of an integer constant of at most 128 bits.
    pub(crate) fn int_bits(self) -> Option<u128> {
        let width = self.ty().int_width().filter(|_| self.is_const_int())?;
        if width <= 64 {
            return Some(u128::from(unsafe { LLVMConstIntGetZExtValue(self.0) }));
        }
        if width > 128 {
            return None;
        }
        let mut words = [0; 2];
        unsafe { secateur_constant_words(self.0, words.as_mut_ptr()) };
        Some(u128::from(words[1]) << 64 | u128::from(words[0]))
    }

    /// The words of an integer constant of any width, lowest first; bits that the type does not have are zero.
    pub(crate) fn int_words(self) -> Option<Vec<u64>> {
        let width = self.ty().int_width().filter(|_| self.is_const_int())?;
        let mut words = vec![0; width.div_ceil(64) as usize];
        unsafe { secateur_constant_words(self.0, words.as_mut_ptr()) };
        Some(words)
    }

    /// The bits of a floating-point constant whose format has `width` bits.
    pub(crate) fn float_bits(self, width: u32) -> Option<u128> {
        if !self.is_const_float() {
            return None;
        }
        unsafe {
            let integer = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(self.0)), width);
            Value::new(LLVMConstBitCast(self.0, integer)).int_bits()
        }
    }

    /// Element `index` of an aggregate constant.
    pub(crate) fn element(self, index: u32) -> Option<Value<'m>> {
        unsafe { Value::or_none(LLVMGetAggregateElement(self.0, index)) }
    }

    /// The bytes of a constant array of `i8`.
    pub(crate) fn const_bytes(self) -> Option<&'m [u8]> {
        unsafe {
            if !self.is_const_data() || LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut len = 0;
            let data = LLVMGetAsString(self.0, &mut len);
            (!data.is_null()).then(|| std::slice::from_raw_parts(data.cast::<u8>(), len))
        }
    }

    /// The function and block of a `blockaddress`.
    pub(crate) fn block_address(self) -> Option<(Value<'m>, Block<'m>)> {
        self.is_block_address().then(|| unsafe {
            (
                Value(LLVMGetBlockAddressFunction(self.0), PhantomData),
                Block(LLVMGetBlockAddressBasicBlock(self.0), PhantomData),
            )
        })
    }

    /// The text and the constraints of an inline assembly value.
    pub(crate) fn inline_asm(self) -> Option<(String, String)> {
        self.is_inline_asm().then(|| unsafe {
            let mut len = 0;
            let text = LLVMGetInlineAsmAsmString(self.0, &mut len);
            let text = copy_text(text, len);
            let constraints = LLVMGetInlineAsmConstraintString(self.0, &mut len);
            (text, copy_text(constraints, len))
        })
    }
}

/// Globals and functions.
impl<'m> Value<'m> {
    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    /// Its name means nothing outside of its module.
    pub(crate) fn is_local(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }

    /// The type of a global's value, not of its address.
    pub(crate) fn value_type(self) -> Type<'m> {
        unsafe { Type::new(LLVMGlobalGetValueType(self.0)) }
    }

    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        unsafe { Value::or_none(LLVMGetInitializer(self.0)) }
    }

    /// The section of an object file that a global was put into explicitly; empty if it was not.
    pub(crate) fn section(self) -> String {
        unsafe {
            let name = LLVMGetSection(self.0);
            if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        }
    }

    pub(crate) fn is_global_constant(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// What an alias stands for.
    pub(crate) fn aliasee(self) -> Option<Value<'m>> {
        if self.is_alias() { unsafe { Value::or_none(LLVMAliasGetAliasee(self.0)) } } else { None }
    }

    /// The function that chooses what an ifunc stands for.
    pub(crate) fn ifunc_resolver(self) -> Option<Value<'m>> {
        if self.is_ifunc() { unsafe { Value::or_none(LLVMGetGlobalIFuncResolver(self.0)) } } else { None }
    }

    /// Alignment of a global, alloca, load or store; 0 if none was given.
    pub(crate) fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }

    /// Removes the alignment of a load or store. Atomic ones are not changed, since they must be aligned.
    pub(crate) fn allow_any_alignment(self) {
        let ordering = unsafe { LLVMGetOrdering(self.0) };
        if ordering == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic {
            unsafe { LLVMSetAlignment(self.0, 1) };
        }
    }

    pub(crate) fn params(self) -> Vec<Value<'m>> {
        (0..unsafe { LLVMCountParams(self.0) })
            .map(|i| Value(unsafe { LLVMGetParam(self.0, i) }, PhantomData))
            .collect()
    }

    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        let mut blocks = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstBasicBlock(self.0);
            while !at.is_null() {
                blocks.push(Block(at, PhantomData));
                at = LLVMGetNextBasicBlock(at);
            }
        }
        blocks
    }

    /// Whether a function is one of LLVM's intrinsics.
    pub(crate) fn is_intrinsic(self) -> bool {
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.0) } != 0
    }

    pub(crate) fn has_function_attribute(self, name: &str) -> bool {
        unsafe {
            !LLVMGetStringAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, name.as_ptr().cast(), name.len() as u32)
                .is_null()
        }
    }

    pub(crate) fn add_function_attribute(self, name: &str) {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let attribute =
                LLVMCreateStringAttribute(context, name.as_ptr().cast(), name.len() as u32, c"".as_ptr(), 0);
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Adds one of LLVM's own attributes, such as `sanitize_address`, to a function.
    pub(crate) fn add_enum_attribute(self, name: &str) {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), 0);
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Removes one of LLVM's own attributes from a function.
    pub(crate) fn remove_enum_attribute(self, name: &str) {
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute_kind(name)) }
    }

    /// Removes one of LLVM's own attributes from a call.
    pub(crate) fn remove_call_attribute(self, name: &str) {
        unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, attribute_kind(name)) }
    }

    pub(crate) fn has_enum_attribute(self, name: &str) -> bool {
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute_kind(name)).is_null() }
    }

    /// The type that the `byval` attribute of a function's parameter names.
    pub(crate) fn param_by_value(self, index: u32) -> Option<Type<'m>> {
        unsafe { type_attribute(LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("byval"))) }
    }

    /// The type that the `sret` attribute of a function's parameter names.
    pub(crate) fn param_struct_return(self, index: u32) -> Option<Type<'m>> {
        unsafe { type_attribute(LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("sret"))) }
    }

    /// Whether a parameter of a function is declared never to be a null pointer.
    pub(crate) fn param_is_nonnull(self, index: u32) -> bool {
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("nonnull")).is_null() }
    }

    /// Whether the result of a function is extended by its sign.
    pub(crate) fn result_is_signed(self) -> bool {
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, LLVMAttributeReturnIndex, attribute_kind("signext")).is_null() }
    }

    /// Removes an unused function.
    pub(crate) fn remove_function(self) {
        debug_assert!(self.is_function() && !self.is_used());
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// The alignment attribute of a function's parameter.
    pub(crate) fn param_align(self, index: u32) -> Option<u32> {
        unsafe { int_attribute(LLVMGetEnumAttributeAtIndex(self.0, index + 1, attribute_kind("align"))) }
    }

    /// The subprogram that describes a function.
    pub(crate) fn subprogram(self) -> Option<Metadata<'m>> {
        unsafe { Metadata::or_none(LLVMGetSubprogram(self.0)) }
    }
}

/// Instructions.
impl<'m> Value<'m> {
    /// The opcode of an instruction or a constant expression.
    pub(crate) fn opcode(self) -> Option<LLVMOpcode> {
        if self.is_instruction() {
            Some(unsafe { LLVMGetInstructionOpcode(self.0) })
        } else if self.is_const_expr() {
            Some(unsafe { LLVMGetConstOpcode(self.0) })
        } else {
            None
        }
    }

    /// The block that an instruction is in.
    pub(crate) fn parent(self) -> Block<'m> {
        debug_assert!(self.is_instruction());
        Block(unsafe { LLVMGetInstructionParent(self.0) }, PhantomData)
    }

    pub(crate) fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub(crate) fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// The element type that a `getelementptr` steps over.
    pub(crate) fn gep_type(self) -> Type<'m> {
        unsafe { Type::new(LLVMGetGEPSourceElementType(self.0)) }
    }

    pub(crate) fn allocated_type(self) -> Type<'m> {
        unsafe { Type::new(LLVMGetAllocatedType(self.0)) }
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            if count == 0 { Vec::new() } else { std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec() }
        }
    }

    /// The mask of a `shufflevector`: `None` stands for poison.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        unsafe {
            let count = LLVMGetNumMaskElements(self.0);
            (0..count).map(|i| u32::try_from(LLVMGetMaskValue(self.0, i)).ok()).collect()
        }
    }

    pub(crate) fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    pub(crate) fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| {
                    (
                        Value(LLVMGetIncomingValue(self.0, i), PhantomData),
                        Block(LLVMGetIncomingBlock(self.0, i), PhantomData),
                    )
                })
                .collect()
        }
    }

    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i), PhantomData)).collect() }
    }

    pub(crate) fn is_conditional(self) -> bool {
        self.is_branch() && unsafe { LLVMIsConditional(self.0) != 0 }
    }

    /// The cases of a switch, in its own order.
    pub(crate) fn switch_cases(self) -> Vec<(Value<'m>, Block<'m>)> {
        debug_assert!(self.is_switch());
        // Operands are the value, the default block, then a value and a block per case.
        (1..self.operand_count() / 2)
            .map(|i| {
                let block = unsafe { LLVMValueAsBasicBlock(self.operand(2 * i + 1).0) };
                (self.operand(2 * i), Block(block, PhantomData))
            })
            .collect()
    }

    /// The called value of a call.
    pub(crate) fn callee(self) -> Value<'m> {
        Value(unsafe { LLVMGetCalledValue(self.0) }, PhantomData)
    }

    /// Changes the called function of a call, with the same arguments.
    pub(crate) fn set_callee(self, function: Value<'m>) {
        debug_assert!(self.is_call());
        // The called value is the last operand.
        unsafe { LLVMSetOperand(self.0, self.operand_count() - 1, function.0) }
    }

    /// The arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Value<'m>> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|i| self.operand(i)).collect()
    }

    /// An attribute of a call's argument: the call's own, or that of the function that it calls by name and with its
    /// type.
    fn argument_attribute(self, index: u32, name: &str) -> LLVMAttributeRef {
        unsafe {
            let own = LLVMGetCallSiteEnumAttribute(self.0, index + 1, attribute_kind(name));
            let callee = self.callee();
            if own.is_null() && callee.is_function() && callee.value_type().0 == LLVMGetCalledFunctionType(self.0) {
                return LLVMGetEnumAttributeAtIndex(callee.0, index + 1, attribute_kind(name));
            }
            own
        }
    }

    /// The type that the `byval` attribute of a call's argument names.
    pub(crate) fn argument_by_value(self, index: u32) -> Option<Type<'m>> {
        unsafe { type_attribute(self.argument_attribute(index, "byval")) }
    }

    /// Whether an argument of a call is extended by its sign.
    pub(crate) fn argument_is_signed(self, index: u32) -> bool {
        !self.argument_attribute(index, "signext").is_null()
    }

    /// The alignment attribute of a call's argument.
    pub(crate) fn argument_align(self, index: u32) -> Option<u32> {
        unsafe { int_attribute(self.argument_attribute(index, "align")) }
    }

    /// Whether a call or the function that it calls is declared not to return.
    pub(crate) fn call_is_noreturn(self) -> bool {
        let kind = attribute_kind("noreturn");
        let at_call = unsafe { !LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind).is_null() };
        at_call || (self.callee().is_function() && self.callee().has_enum_attribute("noreturn"))
    }

    /// Whether a call may return more than once, as `setjmp` does.
    pub(crate) fn call_returns_twice(self) -> bool {
        let kind = attribute_kind("returns_twice");
        let at_call = unsafe { !LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, kind).is_null() };
        at_call || (self.callee().is_function() && self.callee().has_enum_attribute("returns_twice"))
    }

    pub(crate) fn debug_location(self) -> Option<Metadata<'m>> {
        unsafe { Metadata::or_none(LLVMInstructionGetDebugLoc(self.0)) }
    }

    /// The number that [`Value::set_number`] attached.
    pub(crate) fn number(self, kind: u32) -> Option<u32> {
        unsafe {
            let node = Value::or_none(LLVMGetMetadata(self.0, kind))?;
            if LLVMGetMDNodeNumOperands(node.0) != 1 {
                return None;
            }
            let mut operand = std::ptr::null_mut();
            LLVMGetMDNodeOperands(node.0, &mut operand);
            u32::try_from(Value::or_none(operand)?.int_bits()?).ok()
        }
    }

    /// Attaches a number to an instruction, as metadata of this kind.
    pub(crate) fn set_number(self, kind: u32, number: u32) {
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let constant = LLVMConstInt(LLVMInt32TypeInContext(context), u64::from(number), 0);
            let mut operand = LLVMValueAsMetadata(constant);
            let node = LLVMMDNodeInContext2(context, &mut operand, 1);
            LLVMSetMetadata(self.0, kind, LLVMMetadataAsValue(context, node));
        }
    }

    /// Removes what [`Value::set_number`] attached.
    pub(crate) fn clear_number(self, kind: u32) {
        unsafe { LLVMSetMetadata(self.0, kind, std::ptr::null_mut()) }
    }
}

/// For messages only: before LLVM prints a value of a function, it walks the whole module.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(unsafe { take_message(LLVMPrintValueToString(self.0)) }.trim())
    }
}

impl<'m> Block<'m> {
    /// # Safety
    /// `raw` is a block that lives as long as `'m`.
    pub(super) unsafe fn new(raw: LLVMBasicBlockRef) -> Block<'m> {
        Block(raw, PhantomData)
    }

    pub(crate) fn instructions(self) -> Vec<Value<'m>> {
        let mut instructions = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstInstruction(self.0);
            while !at.is_null() {
                instructions.push(Value(at, PhantomData));
                at = LLVMGetNextInstruction(at);
            }
        }
        instructions
    }

    /// The last instruction, which a verified module always has.
    pub(crate) fn terminator(self) -> Option<Value<'m>> {
        unsafe { Value::or_none(LLVMGetBasicBlockTerminator(self.0)) }
    }

    /// The phis, which come first.
    pub(crate) fn phis(self) -> Vec<Value<'m>> {
        let mut phis = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstInstruction(self.0);
            while !at.is_null() && !LLVMIsAPHINode(at).is_null() {
                phis.push(Value(at, PhantomData));
                at = LLVMGetNextInstruction(at);
            }
        }
        phis
    }
}

fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

unsafe fn type_attribute<'m>(attribute: LLVMAttributeRef) -> Option<Type<'m>> {
    (!attribute.is_null()).then(|| unsafe { Type::new(LLVMGetTypeAttributeValue(attribute)) })
}

unsafe fn int_attribute(attribute: LLVMAttributeRef) -> Option<u32> {
    (!attribute.is_null()).then(|| unsafe { LLVMGetEnumAttributeValue(attribute) } as u32)
}
