//! Finds the stack variables that can live in slots: those whose address is only used to load and store the whole
//! value.
//!
//! Without optimisation, clang puts every variable on the stack, so this accounts for most of the speed of such code.

use super::function::Builder;
use crate::code::Slot;
use crate::llvm::{Block, Value};
use crate::names::LocalName;
use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::FxHashMap;

impl<'m> Builder<'_, 'm> {
    /// Assigns slots to eligible locals, and records the names of the others.
    pub(super) fn find_locals(&mut self, blocks: &[Block<'m>]) {
        let Some(entry) = blocks.first() else { return };
        for inst in entry.instructions() {
            if !self.unit.promote_locals
                || !inst.is_alloca()
                || inst.operand(0).int_bits() != Some(1)
                || !is_plain(inst)
            {
                continue;
            }
            let ty = inst.allocated_type();
            if ty.is_struct() || (ty.elements().is_some() && !ty.is_vector()) {
                continue;
            }
            let Ok(shape) = self.shape(ty) else { continue };
            let slot = self.fresh(shape.len());
            self.locals.insert(inst, slot);
            let slots = shape.slots.iter().enumerate();
            self.body.locals.extend(slots.map(|(index, kind)| (Slot(slot.0 + index as u32), *kind)));
        }
        // After `longjmp`, code runs again with older values of what it had loaded, so these need slots of their own.
        let mut returns_twice = false;
        for inst in blocks.iter().flat_map(|block| block.instructions()) {
            returns_twice |= inst.is_call() && inst.call_returns_twice();
            self.record_name(inst);
        }
        if !returns_twice {
            for block in blocks {
                self.forward_loads(*block);
            }
        }
    }

    /// Whether the slot of a value holds this value only.
    pub(super) fn has_own_slot(&self, value: Value<'m>) -> bool {
        match value.opcode() {
            Some(LLVMOpcode::LLVMLoad) => !self.locals.contains_key(&value.operand(0)),
            Some(opcode) => value.is_instruction() && computes(opcode),
            None => false,
        }
    }

    /// Records the name of a variable on the stack, or of a parameter that has none yet.
    fn record_name(&mut self, intrinsic: Value<'m>) {
        let Some((value, variable)) = intrinsic.described() else { return };
        let Some(name) = variable.variable_name(self.unit.context) else { return };
        if self.unit.functions[self.id.index()].user {
            let ty = variable.variable_type(self.unit.context).and_then(|ty| self.unit.types.read(ty));
            self.variables.push((value, LocalName { name: name.as_str().into(), ty, slot: None }));
        }
        // A parameter is described itself, or through the variable that it is stored to.
        // (Only variables have few users: a constant may be described in every function.)
        let users = if value.is_alloca() { value.users() } else { Vec::new() };
        let stored = users.into_iter().find(|user| user.is_store() && user.operand(1) == value);
        for candidate in [Some(value), stored.map(|store| store.operand(0))].into_iter().flatten() {
            if let Some(index) = self.function.params().iter().position(|param| *param == candidate) {
                let param = &mut self.unit.functions[self.id.index()].params[index];
                if param.name.is_empty() && variable.parameter_number().is_some() {
                    param.name = name.as_str().into();
                }
            }
        }
        if value.is_alloca() {
            self.names.insert(value, name);
        }
    }

    /// Finds the loads of a local whose uses all come before the local changes, in the same block: they need no copy.
    fn forward_loads(&mut self, block: Block<'m>) {
        let instructions = block.instructions();
        let position: FxHashMap<Value<'m>, usize> =
            instructions.iter().enumerate().map(|(index, inst)| (*inst, index)).collect();
        let mut next_store: FxHashMap<Value<'m>, usize> = FxHashMap::default();
        for (index, inst) in instructions.iter().enumerate().rev() {
            match inst.opcode() {
                Some(LLVMOpcode::LLVMStore) if self.locals.contains_key(&inst.operand(1)) => {
                    next_store.insert(inst.operand(1), index);
                }
                Some(LLVMOpcode::LLVMLoad) if self.locals.contains_key(&inst.operand(0)) => {
                    let limit = next_store.get(&inst.operand(0)).copied().unwrap_or(usize::MAX);
                    let direct = inst
                        .users()
                        .into_iter()
                        .all(|user| reads_at_once(user) && position.get(&user).is_some_and(|at| *at <= limit));
                    if direct {
                        self.forwarded.insert(*inst);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether an instruction reads its operands when it is executed, rather than giving its own users the slots of an
/// operand.
fn reads_at_once(user: Value<'_>) -> bool {
    match user.opcode() {
        Some(LLVMOpcode::LLVMCall) => !user.is_intrinsic_call() && !user.callee().is_inline_asm(),
        Some(LLVMOpcode::LLVMGetElementPtr) => !user.operands().skip(1).all(|index| index.is_constant()),
        Some(LLVMOpcode::LLVMStore | LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMRet) => true,
        Some(LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch) => true,
        Some(opcode) => computes(opcode),
        None => false,
    }
}

/// Whether an instruction computes a new value from its operands.
fn computes(opcode: LLVMOpcode) -> bool {
    use LLVMOpcode::*;
    matches!(
        opcode,
        LLVMAdd
            | LLVMSub
            | LLVMMul
            | LLVMUDiv
            | LLVMSDiv
            | LLVMURem
            | LLVMSRem
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMFAdd
            | LLVMFSub
            | LLVMFMul
            | LLVMFDiv
            | LLVMFRem
            | LLVMFNeg
            | LLVMICmp
            | LLVMFCmp
            | LLVMTrunc
            | LLVMZExt
            | LLVMSExt
            | LLVMFPToUI
            | LLVMFPToSI
            | LLVMUIToFP
            | LLVMSIToFP
            | LLVMFPTrunc
            | LLVMFPExt
    )
}

/// Whether the address of an alloca is used for nothing but loads and stores of its whole value.
fn is_plain(alloca: Value<'_>) -> bool {
    let ty = alloca.allocated_type();
    alloca.users().into_iter().all(|user| match user.opcode() {
        Some(LLVMOpcode::LLVMLoad) => user.ty() == ty,
        Some(LLVMOpcode::LLVMStore) => user.operand(0) != alloca && user.operand(0).ty() == ty,
        Some(LLVMOpcode::LLVMCall) => is_lifetime_marker(user),
        _ => false,
    })
}

/// Whether a call is `llvm.lifetime.start` or `.end`.
pub(super) fn is_lifetime_marker(call: Value<'_>) -> bool {
    call.is_intrinsic_call() && call.callee().name().starts_with("llvm.lifetime.")
}
