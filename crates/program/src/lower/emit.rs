//! Emits instructions: the vocabulary in which everything else is lowered.
//!
//! Integer helpers work for any width up to 128; a value above 64 bits is two slots.

use super::constant::mask;
use super::function::Builder;
use crate::code::*;

/// How many slots an integer of this width has.
pub(super) fn int_slots(width: u32) -> u32 {
    if width > 64 { 2 } else { 1 }
}

impl<'m> Builder<'_, 'm> {
    pub(super) fn move_slots(&mut self, dst: Slot, src: Operand, count: u32) {
        for index in 0..count {
            let dst = Slot(dst.0 + index);
            if src.offset(index) != Operand::slot(dst) {
                self.emit(Inst::Move { dst, src: src.offset(index) });
            }
        }
    }

    /// Puts a value that was just computed into given slots.
    ///
    /// If it is in slots from `since` on, nothing else uses it, and it need not be copied.
    pub(super) fn place(&mut self, dst: Slot, src: Operand, count: u32, since: Slot) {
        match src.kind() {
            OperandKind::Slot(slot) if slot >= since => self.retarget(dst, src, count),
            _ => self.move_slots(dst, src, count),
        }
    }

    /// Puts a value that nothing else uses into given slots: the instruction that computed it writes there instead, if
    /// possible.
    pub(super) fn retarget(&mut self, dst: Slot, src: Operand, count: u32) {
        if let (OperandKind::Slot(slot), 1) = (src.kind(), count)
            && let Some(target) = self.last().and_then(Inst::single_result_mut)
            && *target == slot
        {
            *target = dst;
            self.give_back(slot);
            return;
        }
        self.move_slots(dst, src, count);
    }

    pub(super) fn bin_to(&mut self, dst: Slot, op: BinOp, width: u32, a: Operand, b: Operand) {
        let width8 = width as u8;
        self.emit(if width <= 64 {
            Inst::Bin { op, width: width8, dst, a, b }
        } else {
            Inst::BinWide { op, width: width8, dst, a, b }
        });
    }

    pub(super) fn bin(&mut self, op: BinOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(int_slots(width));
        self.bin_to(dst, op, width, a, b);
        Operand::slot(dst)
    }

    pub(super) fn un_to(&mut self, dst: Slot, op: UnOp, width: u32, a: Operand) {
        let width8 = width as u8;
        self.emit(if width <= 64 {
            Inst::Un { op, width: width8, dst, a }
        } else {
            Inst::UnWide { op, width: width8, dst, a }
        });
    }

    pub(super) fn un(&mut self, op: UnOp, width: u32, a: Operand) -> Operand {
        let dst = self.fresh(int_slots(width));
        self.un_to(dst, op, width, a);
        Operand::slot(dst)
    }

    pub(super) fn cmp_to(&mut self, dst: Slot, op: CmpOp, width: u32, a: Operand, b: Operand) {
        let width8 = width as u8;
        self.emit(if width <= 64 {
            Inst::Cmp { op, width: width8, dst, a, b }
        } else {
            Inst::CmpWide { op, width: width8, dst, a, b }
        });
    }

    pub(super) fn cmp(&mut self, op: CmpOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(1);
        self.cmp_to(dst, op, width, a, b);
        Operand::slot(dst)
    }

    pub(super) fn cast_to(&mut self, dst: Slot, op: CastOp, from: u32, to: u32, a: Operand) {
        let (from8, to8) = (from as u8, to as u8);
        if from == to {
            self.move_slots(dst, a, int_slots(to));
        } else if from <= 64 && to <= 64 {
            self.emit(Inst::Cast { op, from: from8, to: to8, dst, a });
        } else {
            self.emit(Inst::CastWide { op, from: from8, to: to8, dst, a });
        }
    }

    pub(super) fn cast(&mut self, op: CastOp, from: u32, to: u32, a: Operand) -> Operand {
        if from == to {
            return a;
        }
        if let (Some(value), true) = (self.known(a), from <= 64 && to <= 64) {
            let value = match op {
                CastOp::SExt => super::constant::sign_extend(value, from) as u64,
                CastOp::ZExt | CastOp::Trunc => value,
            };
            return self.constant(value & mask(to as u8));
        }
        let dst = self.fresh(int_slots(to));
        self.cast_to(dst, op, from, to, a);
        Operand::slot(dst)
    }

    /// Widens or narrows, whatever is needed.
    pub(super) fn resize(&mut self, signed: bool, from: u32, to: u32, a: Operand) -> Operand {
        let op = match (to < from, signed) {
            (true, _) => CastOp::Trunc,
            (false, true) => CastOp::SExt,
            (false, false) => CastOp::ZExt,
        };
        self.cast(op, from, to, a)
    }

    /// `if cond { a } else { b }` on slots of these widths.
    pub(super) fn select_to(&mut self, dst: Slot, widths: &[u8], cond: Operand, a: Operand, b: Operand) {
        for (index, &width) in widths.iter().enumerate() {
            let index = index as u32;
            let dst = Slot(dst.0 + index);
            self.emit(Inst::Select { width, dst, cond, a: a.offset(index), b: b.offset(index) });
        }
    }

    /// `if cond { a } else { b }` on integers.
    pub(super) fn select(&mut self, width: u32, cond: Operand, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(int_slots(width));
        if width <= 64 {
            self.select_to(dst, &[width as u8], cond, a, b);
        } else {
            self.select_to(dst, &[64, (width - 64) as u8], cond, a, b);
        }
        Operand::slot(dst)
    }

    /// An integer constant of any width.
    pub(super) fn int(&mut self, width: u32, value: u128) -> Operand {
        if width <= 64 {
            self.constant(value as u64 & mask(width as u8))
        } else {
            self.constants(&[value as u64, (value >> 64) as u64 & mask((width - 64) as u8)])
        }
    }

    pub(super) fn not(&mut self, width: u32, a: Operand) -> Operand {
        let ones = self.int(width, u128::MAX);
        self.bin(BinOp::Xor, width, a, ones)
    }

    /// `base + offset` bytes.
    pub(super) fn pointer_plus(&mut self, base: Operand, offset: u64) -> Operand {
        if offset == 0 {
            return base;
        }
        if let Some(base) = self.known(base) {
            return self.constant(base.wrapping_add(offset));
        }
        let index = self.constant(offset);
        let dst = self.fresh(1);
        self.emit(Inst::PtrAdd { dst, base, index, scale: 1 });
        Operand::slot(dst)
    }

    /// Copies bit strings: concatenates the slots of the source from the lowest bit on, and splits them into slots of
    /// the given widths.
    pub(super) fn repack(&mut self, source: &[(Operand, u8)], widths: &[u8]) -> Vec<Operand> {
        let mut result = Vec::with_capacity(widths.len());
        let mut from = 0;
        // How many bits of `source[from]` are used up.
        let mut used = 0;
        for &width in widths {
            let mut have = 0;
            let mut joined: Option<Operand> = None;
            while have < width {
                let Some(&(operand, available)) = source.get(from) else { break };
                let take = (available - used).min(width - have);
                let mut part = operand;
                if used > 0 {
                    let amount = self.constant(u64::from(used));
                    part = self.bin(BinOp::LShr, u32::from(available), part, amount);
                }
                if take < width || available != take {
                    part = self.resize(false, u32::from(available), u32::from(take), part);
                    part = self.resize(false, u32::from(take), u32::from(width), part);
                }
                if have > 0 {
                    let amount = self.constant(u64::from(have));
                    part = self.bin(BinOp::Shl, u32::from(width), part, amount);
                }
                joined = Some(match joined {
                    None => part,
                    Some(before) => self.bin(BinOp::Or, u32::from(width), before, part),
                });
                have += take;
                used += take;
                if used == available {
                    from += 1;
                    used = 0;
                }
            }
            let value = match joined {
                Some(value) => value,
                None => self.constant(0),
            };
            result.push(value);
        }
        result
    }
}

impl Inst {
    /// The slot that the instruction writes, if it writes exactly one.
    fn single_result_mut(&mut self) -> Option<&mut Slot> {
        match self {
            Inst::Move { dst, .. }
            | Inst::Bin { dst, .. }
            | Inst::Un { dst, .. }
            | Inst::Cmp { dst, .. }
            | Inst::CmpWide { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::Float { dst, .. }
            | Inst::FloatUn { dst, .. }
            | Inst::FloatCmp { dst, .. }
            | Inst::FloatCast { dst, .. }
            | Inst::FusedMulAdd { dst, .. }
            | Inst::Load { dst, .. } => Some(dst),
            _ => None,
        }
    }
}
