//! Lowers what touches memory: allocas, loads, stores, address arithmetic and (single-threaded) atomics.

use super::constant::sign_extend;
use super::function::Builder;
use super::inst::{Format, int_width};
use super::shape::{Lowered, Piece, Unsupported};
use crate::code::*;
use crate::llvm::{Type, Value};
use inkwell::llvm_sys::{LLVMAtomicRMWBinOp, LLVMOpcode};

impl<'m> Builder<'_, 'm> {
    pub(super) fn alloca(&mut self, inst: Value<'m>) -> Lowered<()> {
        if self.locals.contains_key(&inst) {
            return Ok(());
        }
        let ty = inst.allocated_type();
        self.unit.sized(ty)?;
        let layout = self.unit.shapes.layout();
        let count = inst.operand(0);
        let width = int_width(count.ty())?;
        let count = match count.int_bits() {
            Some(1) => None,
            _ if width > 64 => return Err(Unsupported::new("stack allocation with a count of more than 64 bits")),
            _ => {
                let count = self.operand(count)?;
                Some(self.resize(false, width, 64, count))
            }
        };
        let align = match inst.alignment() {
            0 => layout.align(ty),
            align => align,
        };
        let name = match self.names.get(&inst) {
            Some(name) => name.clone(),
            None => inst.name(),
        };
        let info = InfoId(self.body.allocas.len() as u32);
        self.body.allocas.push(Alloca { element_size: layout.size(ty), count, align, name: name.into() });
        let dst = self.result(inst)?;
        self.emit(Inst::Alloca { dst, info });
        Ok(())
    }

    pub(super) fn load_inst(&mut self, inst: Value<'m>) -> Lowered<()> {
        if let Some(&slot) = self.locals.get(&inst.operand(0)) {
            if self.forwarded.contains(&inst) {
                return self.bind(inst, Operand::slot(slot));
            }
            let count = self.shape(inst.ty())?.len();
            let dst = self.result(inst)?;
            self.move_slots(dst, Operand::slot(slot), count);
            return Ok(());
        }
        if let Some(expected) = expected_function_mark(inst) {
            let expected = self.operand(expected)?;
            return self.bind(inst, expected);
        }
        let addr = self.operand(inst.operand(0))?;
        let dst = self.result(inst)?;
        self.load_to(dst, inst.ty(), addr)
    }

    pub(super) fn store_inst(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (value, pointer) = (inst.operand(0), inst.operand(1));
        let src = self.operand(value)?;
        if let Some(&slot) = self.locals.get(&pointer) {
            let count = self.shape(value.ty())?.len();
            if value.is_used_once() && self.has_own_slot(value) {
                // Nothing else uses the value, so the instruction that computed it can write to the local.
                self.retarget(slot, src, count);
            } else {
                self.move_slots(slot, src, count);
            }
            return Ok(());
        }
        let addr = self.operand(pointer)?;
        self.store(value.ty(), addr, src)
    }

    /// Loads a value of a type into slots.
    pub(super) fn load_to(&mut self, dst: Slot, ty: Type<'m>, addr: Operand) -> Lowered<()> {
        let shape = self.shape(ty)?;
        for piece in &shape.pieces {
            match *piece {
                Piece::Whole { slot, offset, bytes, width } => {
                    let addr = self.pointer_plus(addr, offset);
                    self.emit(Inst::Load { dst: Slot(dst.0 + slot), addr, bytes, width });
                }
                Piece::Packed { slot, offset, lanes, width } => {
                    let mut chunks = Vec::new();
                    for (at, bits) in chunks_of(lanes * u32::from(width)) {
                        let addr = self.pointer_plus(addr, offset + at);
                        let chunk = self.fresh(1);
                        self.emit(Inst::Load { dst: chunk, addr, bytes: bits.div_ceil(8), width: bits });
                        chunks.push((Operand::slot(chunk), bits));
                    }
                    let parts = self.repack(&chunks, &vec![width; lanes as usize]);
                    for (lane, part) in parts.into_iter().enumerate() {
                        self.move_slots(Slot(dst.0 + slot + lane as u32), part, 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores a value of a type.
    pub(super) fn store(&mut self, ty: Type<'m>, addr: Operand, src: Operand) -> Lowered<()> {
        let shape = self.shape(ty)?;
        for piece in &shape.pieces {
            match *piece {
                Piece::Whole { slot, offset, bytes, width } => {
                    let addr = self.pointer_plus(addr, offset);
                    self.emit(Inst::Store { addr, src: src.offset(slot), bytes, width });
                }
                Piece::Packed { slot, offset, lanes, width } => {
                    let lanes: Vec<_> = (0..lanes).map(|lane| (src.offset(slot + lane), width)).collect();
                    let chunks = chunks_of(lanes.len() as u32 * u32::from(width));
                    let widths: Vec<u8> = chunks.iter().map(|(_, bits)| *bits).collect();
                    let parts = self.repack(&lanes, &widths);
                    for ((at, bits), part) in chunks.into_iter().zip(parts) {
                        let addr = self.pointer_plus(addr, offset + at);
                        self.emit(Inst::Store { addr, src: part, bytes: bits.div_ceil(8), width: bits });
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn gep(&mut self, inst: Value<'m>) -> Lowered<()> {
        let base = inst.operand(0);
        if !inst.ty().is_vector() {
            let forwarded = self.forwarded.contains(&base);
            let base = self.operand(base)?;
            let mut address = self.gep_lane(inst, base, 0)?;
            if address == base && forwarded {
                // The slot of a local may change while the address is still in use.
                let copy = self.fresh(1);
                self.move_slots(copy, address, 1);
                address = Operand::slot(copy);
            }
            return self.bind(inst, address);
        }
        let vector_base = base.ty().is_vector();
        let base = self.operand(base)?;
        self.map_lanes(inst, |this, lane| {
            let base = if vector_base { base.offset(lane) } else { base };
            this.gep_lane(inst, base, lane)
        })
    }

    /// The address that a `getelementptr` computes in one lane.
    fn gep_lane(&mut self, inst: Value<'m>, base: Operand, lane: u32) -> Lowered<Operand> {
        let mut address = base;
        let mut constant = 0i64;
        let mut at = inst.gep_type();
        self.unit.sized(at)?;
        for (position, index) in inst.operands().skip(1).enumerate() {
            let width = int_width(index.ty().lanes().0)?;
            if width > 64 {
                return Err(Unsupported::new("array index of more than 64 bits"));
            }
            let mut operand = self.operand(index)?;
            if index.ty().is_vector() {
                operand = operand.offset(lane);
            }
            if let Some(bits) = self.known(operand) {
                let index = sign_extend(bits, width);
                if position == 0 {
                    constant = constant.wrapping_add(index.wrapping_mul(self.unit.shapes.layout().size(at) as i64));
                } else {
                    let (inner, offset) = self.unit.step_into(at, index)?;
                    at = inner;
                    constant = constant.wrapping_add(offset);
                }
                continue;
            }
            if position > 0 {
                at = self.unit.step_into(at, 0)?.0;
                self.unit.sized(at)?;
            }
            let size = self.unit.shapes.layout().size(at);
            let mut operand = self.cast(CastOp::SExt, width, 64, operand);
            let scale = match u32::try_from(size) {
                Ok(scale) => scale,
                Err(_) => {
                    let size = self.constant(size);
                    operand = self.bin(BinOp::Mul, 64, operand, size);
                    1
                }
            };
            let dst = self.fresh(1);
            self.emit(Inst::PtrAdd { dst, base: address, index: operand, scale });
            address = Operand::slot(dst);
        }
        Ok(self.pointer_plus(address, constant as u64))
    }

    pub(super) fn atomic_rmw(&mut self, inst: Value<'m>) -> Lowered<()> {
        let ty = inst.ty();
        let addr = self.operand(inst.operand(0))?;
        let value = self.operand(inst.operand(1))?;
        let old_slot = self.result(inst)?;
        self.load_to(old_slot, ty, addr)?;
        let old = Operand::slot(old_slot);
        use LLVMAtomicRMWBinOp::*;
        let operation = inst.rmw_operation();
        let new = match operation {
            LLVMAtomicRMWBinOpXchg => value,
            LLVMAtomicRMWBinOpFAdd | LLVMAtomicRMWBinOpFSub | LLVMAtomicRMWBinOpFMax | LLVMAtomicRMWBinOpFMin => {
                let format = Format::of(ty)?;
                let op = match operation {
                    LLVMAtomicRMWBinOpFAdd => FloatOp::Add,
                    LLVMAtomicRMWBinOpFSub => FloatOp::Sub,
                    LLVMAtomicRMWBinOpFMax => FloatOp::Max,
                    _ => FloatOp::Min,
                };
                self.float_bin(op, format, old, value)
            }
            _ => {
                let width = int_width(ty)?;
                match operation {
                    LLVMAtomicRMWBinOpAdd => self.bin(BinOp::Add, width, old, value),
                    LLVMAtomicRMWBinOpSub => self.bin(BinOp::Sub, width, old, value),
                    LLVMAtomicRMWBinOpAnd => self.bin(BinOp::And, width, old, value),
                    LLVMAtomicRMWBinOpOr => self.bin(BinOp::Or, width, old, value),
                    LLVMAtomicRMWBinOpXor => self.bin(BinOp::Xor, width, old, value),
                    LLVMAtomicRMWBinOpNand => {
                        let and = self.bin(BinOp::And, width, old, value);
                        self.not(width, and)
                    }
                    LLVMAtomicRMWBinOpMax => self.pick(CmpOp::Sgt, width, old, value),
                    LLVMAtomicRMWBinOpMin => self.pick(CmpOp::Slt, width, old, value),
                    LLVMAtomicRMWBinOpUMax => self.pick(CmpOp::Ugt, width, old, value),
                    LLVMAtomicRMWBinOpUMin => self.pick(CmpOp::Ult, width, old, value),
                    LLVMAtomicRMWBinOpUIncWrap => {
                        let one = self.int(width, 1);
                        let zero = self.int(width, 0);
                        let next = self.bin(BinOp::Add, width, old, one);
                        let wraps = self.cmp(CmpOp::Uge, width, old, value);
                        self.select(width, wraps, zero, next)
                    }
                    _ => {
                        let one = self.int(width, 1);
                        let zero = self.int(width, 0);
                        let next = self.bin(BinOp::Sub, width, old, one);
                        let is_zero = self.cmp(CmpOp::Eq, width, old, zero);
                        let above = self.cmp(CmpOp::Ugt, width, old, value);
                        let wraps = self.bin(BinOp::Or, 1, is_zero, above);
                        self.select(width, wraps, value, next)
                    }
                }
            }
        };
        self.store(ty, addr, new)
    }

    /// `if a op b { a } else { b }`: minimum or maximum.
    pub(super) fn pick(&mut self, op: CmpOp, width: u32, a: Operand, b: Operand) -> Operand {
        let first = self.cmp(op, width, a, b);
        self.select(width, first, a, b)
    }

    pub(super) fn compare_exchange(&mut self, inst: Value<'m>) -> Lowered<()> {
        let ty = inst.operand(1).ty();
        let width = int_width(ty)?;
        let addr = self.operand(inst.operand(0))?;
        let expected = self.operand(inst.operand(1))?;
        let new = self.operand(inst.operand(2))?;
        let dst = self.result(inst)?;
        self.load_to(dst, ty, addr)?;
        let old = Operand::slot(dst);
        let size = super::emit::int_slots(width);
        let equal = Slot(dst.0 + size);
        self.cmp_to(equal, CmpOp::Eq, width, old, expected);
        let stored = self.select(width, Operand::slot(equal), new, old);
        self.store(ty, addr, stored)
    }

    /// The `va_arg` instruction, by the rules of x86-64 for what fits one register; clang does the rest itself.
    pub(super) fn va_arg(&mut self, inst: Value<'m>) -> Lowered<()> {
        let shape = self.shape(inst.ty())?;
        let [kind] = shape.slots[..] else {
            return Err(Unsupported::new(format!("`va_arg` of type `{}`", inst.ty())));
        };
        let list = self.operand(inst.operand(0))?;
        // A `va_list` is { gp_offset: u32, fp_offset: u32, overflow: ptr, registers: ptr }.
        let (field, limit, step) = match kind {
            SlotType::F32 | SlotType::F64 => (4, 176, 16),
            _ => (0, 48, 8),
        };
        let offset_at = self.pointer_plus(list, field);
        let offset = self.fresh(1);
        self.emit(Inst::Load { dst: offset, addr: offset_at, bytes: 4, width: 32 });
        let offset = Operand::slot(offset);
        let limit = self.constant(limit);
        let in_registers = self.cmp(CmpOp::Ult, 32, offset, limit);
        let registers_at = self.pointer_plus(list, 16);
        let registers = self.fresh(1);
        self.emit(Inst::Load { dst: registers, addr: registers_at, bytes: 8, width: 64 });
        let offset64 = self.cast(CastOp::ZExt, 32, 64, offset);
        let register = self.fresh(1);
        self.emit(Inst::PtrAdd { dst: register, base: Operand::slot(registers), index: offset64, scale: 1 });
        let overflow_at = self.pointer_plus(list, 8);
        let overflow = self.fresh(1);
        self.emit(Inst::Load { dst: overflow, addr: overflow_at, bytes: 8, width: 64 });
        let overflow = Operand::slot(overflow);
        let address = self.select(64, in_registers, Operand::slot(register), overflow);
        let dst = self.result(inst)?;
        self.load_to(dst, inst.ty(), address)?;
        let step = self.constant(step);
        let next_offset = self.bin(BinOp::Add, 32, offset, step);
        let next_offset = self.select(32, in_registers, next_offset, offset);
        self.emit(Inst::Store { addr: offset_at, src: next_offset, bytes: 4, width: 32 });
        let next = self.pointer_plus(overflow, 8);
        let next = self.select(64, in_registers, overflow, next);
        self.emit(Inst::Store { addr: overflow_at, src: next, bytes: 8, width: 64 });
        Ok(())
    }
}

/// Splits a string of bits into chunks of at most 64: the byte offset of each, and its number of bits.
fn chunks_of(bits: u32) -> Vec<(u64, u8)> {
    (0..bits.div_ceil(64)).map(|chunk| (u64::from(chunk) * 8, (bits - chunk * 64).min(64) as u8)).collect()
}

/// The mark that `-fsanitize=function` expects in front of a function, together with a number for its type. Our
/// functions have neither; the machine checks calls through another type itself.
fn expected_function_mark<'m>(load: Value<'m>) -> Option<Value<'m>> {
    let place = load.operand(0);
    if place.opcode() != Some(LLVMOpcode::LLVMGetElementPtr) || place.operand_count() != 3 || !load.is_used_once() {
        return None;
    }
    let before = place.operand(1).int_bits() == Some(u128::from(u32::MAX)) && place.gep_type().is_struct();
    let compare = load.users().first().copied().filter(|user| user.opcode() == Some(LLVMOpcode::LLVMICmp))?;
    let expected = compare.operand(1);
    let is_mark = place.operand(2).int_bits() == Some(0) && expected.int_bits() == Some(0xc105_cafe);
    // C code has 64-bit indices there.
    let is_number = place.operand(2).int_bits() == Some(1) && expected.int_bits().is_some();
    (before && (is_mark || is_number)).then_some(expected)
}
