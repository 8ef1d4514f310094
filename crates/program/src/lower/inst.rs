//! Lowers one instruction: dispatches by opcode, and lowers arithmetic.

use super::function::Builder;
use super::huge::huge_width;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::{Type, Value};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};

/// A floating-point format that can be computed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// `float` and `double`, by width.
    Float(u8),
    /// The x86 `long double`.
    Long,
}

impl Format {
    pub(super) fn of(ty: Type<'_>) -> Lowered<Format> {
        match ty.kind() {
            LLVMTypeKind::LLVMFloatTypeKind => Ok(Format::Float(32)),
            LLVMTypeKind::LLVMDoubleTypeKind => Ok(Format::Float(64)),
            LLVMTypeKind::LLVMX86_FP80TypeKind => Ok(Format::Long),
            _ => Err(Unsupported::new(format!("arithmetic on a value of type `{ty}`"))),
        }
    }

    pub(super) fn slots(self) -> u32 {
        match self {
            Format::Float(_) => 1,
            Format::Long => 2,
        }
    }
}

/// The width of an integer or pointer type that can be computed with.
pub(super) fn int_width(ty: Type<'_>) -> Lowered<u32> {
    match ty.int_width() {
        Some(width @ 1..=128) => Ok(width),
        None if ty.is_pointer() && ty.address_space() == 0 => Ok(64),
        _ => Err(Unsupported::new(format!("arithmetic on a value of type `{ty}`"))),
    }
}

impl<'m> Builder<'_, 'm> {
    pub(super) fn instruction(&mut self, inst: Value<'m>) -> Lowered<()> {
        let opcode = inst.opcode().ok_or_else(|| Unsupported::new("unknown instruction"))?;
        match opcode {
            LLVMOpcode::LLVMAdd => self.binary(inst, BinOp::Add),
            LLVMOpcode::LLVMSub => self.binary(inst, BinOp::Sub),
            LLVMOpcode::LLVMMul => self.binary(inst, BinOp::Mul),
            LLVMOpcode::LLVMUDiv => self.binary(inst, BinOp::UDiv),
            LLVMOpcode::LLVMSDiv => self.binary(inst, BinOp::SDiv),
            LLVMOpcode::LLVMURem => self.binary(inst, BinOp::URem),
            LLVMOpcode::LLVMSRem => self.binary(inst, BinOp::SRem),
            LLVMOpcode::LLVMAnd => self.binary(inst, BinOp::And),
            LLVMOpcode::LLVMOr => self.binary(inst, BinOp::Or),
            LLVMOpcode::LLVMXor => self.binary(inst, BinOp::Xor),
            LLVMOpcode::LLVMShl => self.binary(inst, BinOp::Shl),
            LLVMOpcode::LLVMLShr => self.binary(inst, BinOp::LShr),
            LLVMOpcode::LLVMAShr => self.binary(inst, BinOp::AShr),
            LLVMOpcode::LLVMFAdd => self.float_binary(inst, FloatOp::Add),
            LLVMOpcode::LLVMFSub => self.float_binary(inst, FloatOp::Sub),
            LLVMOpcode::LLVMFMul => self.float_binary(inst, FloatOp::Mul),
            LLVMOpcode::LLVMFDiv => self.float_binary(inst, FloatOp::Div),
            LLVMOpcode::LLVMFRem => self.float_binary(inst, FloatOp::Rem),
            LLVMOpcode::LLVMFNeg => self.float_unary(inst, FloatUnOp::Neg),
            LLVMOpcode::LLVMICmp => self.int_compare(inst),
            LLVMOpcode::LLVMFCmp => self.float_compare(inst),
            LLVMOpcode::LLVMSelect => self.select_inst(inst),
            LLVMOpcode::LLVMFreeze => {
                let operand = self.operand(inst.operand(0))?;
                self.bind(inst, operand)
            }
            LLVMOpcode::LLVMPHI => self.shape(inst.ty()).map(|_| ()),

            LLVMOpcode::LLVMTrunc => self.int_cast(inst, CastOp::Trunc),
            LLVMOpcode::LLVMZExt => self.int_cast(inst, CastOp::ZExt),
            LLVMOpcode::LLVMSExt => self.int_cast(inst, CastOp::SExt),
            LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr => self.pointer_cast(inst),
            LLVMOpcode::LLVMBitCast => self.bit_cast(inst),
            LLVMOpcode::LLVMFPTrunc | LLVMOpcode::LLVMFPExt => self.format_cast(inst),
            LLVMOpcode::LLVMFPToUI => self.float_to_int(inst, false),
            LLVMOpcode::LLVMFPToSI => self.float_to_int(inst, true),
            LLVMOpcode::LLVMUIToFP => self.int_to_float(inst, false),
            LLVMOpcode::LLVMSIToFP => self.int_to_float(inst, true),
            LLVMOpcode::LLVMAddrSpaceCast => Err(Unsupported::new(format!("address space cast to `{}`", inst.ty()))),

            LLVMOpcode::LLVMAlloca => self.alloca(inst),
            LLVMOpcode::LLVMLoad => self.load_inst(inst),
            LLVMOpcode::LLVMStore => self.store_inst(inst),
            LLVMOpcode::LLVMGetElementPtr => self.gep(inst),
            LLVMOpcode::LLVMFence => Ok(()),
            LLVMOpcode::LLVMAtomicRMW => self.atomic_rmw(inst),
            LLVMOpcode::LLVMAtomicCmpXchg => self.compare_exchange(inst),
            LLVMOpcode::LLVMVAArg => self.va_arg(inst),

            LLVMOpcode::LLVMExtractElement => self.extract_element(inst),
            LLVMOpcode::LLVMInsertElement => self.insert_element(inst),
            LLVMOpcode::LLVMShuffleVector => self.shuffle(inst),
            LLVMOpcode::LLVMExtractValue => self.extract_value(inst),
            LLVMOpcode::LLVMInsertValue => self.insert_value(inst),

            LLVMOpcode::LLVMCall => self.call_inst(inst),
            LLVMOpcode::LLVMRet => self.return_inst(inst),
            LLVMOpcode::LLVMBr => self.branch(inst),
            LLVMOpcode::LLVMSwitch => self.switch(inst),
            LLVMOpcode::LLVMIndirectBr => self.computed_goto(inst),
            LLVMOpcode::LLVMUnreachable => {
                self.emit(Inst::Unreachable);
                Ok(())
            }
            LLVMOpcode::LLVMCallBr => Err(Unsupported::new("`asm goto`")),
            LLVMOpcode::LLVMInvoke => self.invoke(inst),
            LLVMOpcode::LLVMResume
            | LLVMOpcode::LLVMLandingPad
            | LLVMOpcode::LLVMCleanupRet
            | LLVMOpcode::LLVMCatchRet
            | LLVMOpcode::LLVMCatchPad
            | LLVMOpcode::LLVMCleanupPad
            | LLVMOpcode::LLVMCatchSwitch => Err(Unsupported::new("exception handling")),
            LLVMOpcode::LLVMUserOp1 | LLVMOpcode::LLVMUserOp2 => Err(Unsupported::new("unknown instruction")),
        }
    }

    /// Applies `each` to every lane of a vector, or once to a scalar: it gets the number of the lane and returns the
    /// value.
    pub(super) fn map_lanes(
        &mut self,
        inst: Value<'m>,
        mut each: impl FnMut(&mut Self, u32) -> Lowered<Operand>,
    ) -> Lowered<()> {
        let (element, lanes) = inst.ty().lanes();
        if !inst.ty().is_vector() {
            let value = each(self, 0)?;
            return self.bind(inst, value);
        }
        let size = self.shape(element)?.len();
        let dst = self.result(inst)?;
        for lane in 0..lanes {
            let since = self.next_slot();
            let value = each(self, lane)?;
            self.place(Slot(dst.0 + lane * size), value, size, since);
        }
        Ok(())
    }

    fn binary(&mut self, inst: Value<'m>, op: BinOp) -> Lowered<()> {
        if huge_width(inst.ty()).is_some() {
            return self.huge_binary(inst, op);
        }
        let width = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = super::emit::int_slots(width);
        self.map_lanes(inst, |this, lane| Ok(this.bin(op, width, a.offset(lane * size), b.offset(lane * size))))
    }

    fn float_binary(&mut self, inst: Value<'m>, op: FloatOp) -> Lowered<()> {
        let format = Format::of(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = format.slots();
        self.map_lanes(inst, |this, lane| Ok(this.float_bin(op, format, a.offset(lane * size), b.offset(lane * size))))
    }

    fn float_unary(&mut self, inst: Value<'m>, op: FloatUnOp) -> Lowered<()> {
        let format = Format::of(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| Ok(this.float_un(op, format, a.offset(lane * format.slots()))))
    }

    pub(super) fn float_bin(&mut self, op: FloatOp, format: Format, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(format.slots());
        self.emit(match format {
            Format::Float(width) => Inst::Float { op, width, dst, a, b },
            Format::Long => Inst::LongDouble { op: LongDoubleOp::Bin(op), dst, a, b },
        });
        Operand::slot(dst)
    }

    pub(super) fn float_un(&mut self, op: FloatUnOp, format: Format, a: Operand) -> Operand {
        let dst = self.fresh(format.slots());
        self.emit(match format {
            Format::Float(width) => Inst::FloatUn { op, width, dst, a },
            Format::Long => Inst::LongDouble { op: LongDoubleOp::Un(op), dst, a, b: a },
        });
        Operand::slot(dst)
    }

    pub(super) fn float_cmp(&mut self, cmp: FloatCmp, format: Format, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(1);
        self.emit(match format {
            Format::Float(width) => Inst::FloatCmp { cmp, width, dst, a, b },
            Format::Long => Inst::LongDouble { op: LongDoubleOp::Cmp(cmp), dst, a, b },
        });
        Operand::slot(dst)
    }

    fn int_compare(&mut self, inst: Value<'m>) -> Lowered<()> {
        let op = match inst.int_predicate() {
            LLVMIntPredicate::LLVMIntEQ => CmpOp::Eq,
            LLVMIntPredicate::LLVMIntNE => CmpOp::Ne,
            LLVMIntPredicate::LLVMIntUGT => CmpOp::Ugt,
            LLVMIntPredicate::LLVMIntUGE => CmpOp::Uge,
            LLVMIntPredicate::LLVMIntULT => CmpOp::Ult,
            LLVMIntPredicate::LLVMIntULE => CmpOp::Ule,
            LLVMIntPredicate::LLVMIntSGT => CmpOp::Sgt,
            LLVMIntPredicate::LLVMIntSGE => CmpOp::Sge,
            LLVMIntPredicate::LLVMIntSLT => CmpOp::Slt,
            LLVMIntPredicate::LLVMIntSLE => CmpOp::Sle,
        };
        if huge_width(inst.operand(0).ty()).is_some() {
            return self.huge_compare(inst, op);
        }
        let width = int_width(inst.operand(0).ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = super::emit::int_slots(width);
        self.map_lanes(inst, |this, lane| Ok(this.cmp(op, width, a.offset(lane * size), b.offset(lane * size))))
    }

    fn float_compare(&mut self, inst: Value<'m>) -> Lowered<()> {
        let set = |less, equal, greater, unordered| FloatCmp { less, equal, greater, unordered };
        let cmp = match inst.float_predicate() {
            LLVMRealPredicate::LLVMRealPredicateFalse => set(false, false, false, false),
            LLVMRealPredicate::LLVMRealOEQ => set(false, true, false, false),
            LLVMRealPredicate::LLVMRealOGT => set(false, false, true, false),
            LLVMRealPredicate::LLVMRealOGE => set(false, true, true, false),
            LLVMRealPredicate::LLVMRealOLT => set(true, false, false, false),
            LLVMRealPredicate::LLVMRealOLE => set(true, true, false, false),
            LLVMRealPredicate::LLVMRealONE => set(true, false, true, false),
            LLVMRealPredicate::LLVMRealORD => set(true, true, true, false),
            LLVMRealPredicate::LLVMRealUNO => set(false, false, false, true),
            LLVMRealPredicate::LLVMRealUEQ => set(false, true, false, true),
            LLVMRealPredicate::LLVMRealUGT => set(false, false, true, true),
            LLVMRealPredicate::LLVMRealUGE => set(false, true, true, true),
            LLVMRealPredicate::LLVMRealULT => set(true, false, false, true),
            LLVMRealPredicate::LLVMRealULE => set(true, true, false, true),
            LLVMRealPredicate::LLVMRealUNE => set(true, false, true, true),
            LLVMRealPredicate::LLVMRealPredicateTrue => set(true, true, true, true),
        };
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = format.slots();
        self.map_lanes(inst, |this, lane| Ok(this.float_cmp(cmp, format, a.offset(lane * size), b.offset(lane * size))))
    }

    fn select_inst(&mut self, inst: Value<'m>) -> Lowered<()> {
        let cond = self.operand(inst.operand(0))?;
        let a = self.operand(inst.operand(1))?;
        let b = self.operand(inst.operand(2))?;
        let shape = self.shape(inst.ty())?;
        let widths: Vec<u8> = shape.slots.iter().map(|slot| slot.width()).collect();
        let dst = self.result(inst)?;
        if inst.operand(0).ty().is_vector() {
            let (_, lanes) = inst.ty().lanes();
            let size = shape.len() / lanes.max(1);
            for lane in 0..lanes {
                let at = lane * size;
                let widths = &widths[at as usize..(at + size) as usize];
                self.select_to(Slot(dst.0 + at), widths, cond.offset(lane), a.offset(at), b.offset(at));
            }
        } else {
            self.select_to(dst, &widths, cond, a, b);
        }
        Ok(())
    }
}
