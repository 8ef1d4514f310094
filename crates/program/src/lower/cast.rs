//! Lowers conversions between integers, pointers and floating-point formats.

use super::emit::int_slots;
use super::function::Builder;
use super::huge::huge_width;
use super::inst::{Format, int_width};
use super::shape::Lowered;
use crate::code::*;
use crate::llvm::Value;

impl<'m> Builder<'_, 'm> {
    pub(super) fn int_cast(&mut self, inst: Value<'m>, op: CastOp) -> Lowered<()> {
        if huge_width(inst.operand(0).ty()).or(huge_width(inst.ty())).is_some() {
            return self.huge_cast(inst, op);
        }
        let from = int_width(inst.operand(0).ty().lanes().0)?;
        let to = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| Ok(this.cast(op, from, to, a.offset(lane * int_slots(from)))))
    }

    pub(super) fn pointer_cast(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = int_width(inst.operand(0).ty().lanes().0)?;
        let to = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| Ok(this.resize(false, from, to, a.offset(lane * int_slots(from)))))
    }

    pub(super) fn bit_cast(&mut self, inst: Value<'m>) -> Lowered<()> {
        let a = self.operand(inst.operand(0))?;
        let from = self.shape(inst.operand(0).ty())?;
        let to = self.shape(inst.ty())?;
        let same = from.len() == to.len() && from.slots.iter().zip(&to.slots).all(|(a, b)| a.width() == b.width());
        if same {
            return self.bind(inst, a);
        }
        let source: Vec<_> =
            from.slots.iter().enumerate().map(|(index, slot)| (a.offset(index as u32), slot.width())).collect();
        let widths: Vec<u8> = to.slots.iter().map(|slot| slot.width()).collect();
        let parts = self.repack(&source, &widths);
        self.gather(inst, &parts)
    }

    /// Makes single slots the result of an instruction.
    pub(super) fn gather(&mut self, inst: Value<'m>, parts: &[Operand]) -> Lowered<()> {
        if let [part] = parts {
            return self.bind(inst, *part);
        }
        let dst = self.result(inst)?;
        for (index, part) in parts.iter().enumerate() {
            self.move_slots(Slot(dst.0 + index as u32), *part, 1);
        }
        Ok(())
    }

    pub(super) fn format_cast(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = Format::of(inst.operand(0).ty().lanes().0)?;
        let to = Format::of(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| {
            let a = a.offset(lane * from.slots());
            let dst = this.fresh(to.slots());
            match (from, to) {
                (Format::Float(from), Format::Float(to)) => {
                    this.emit(Inst::FloatCast { op: FloatCast::Float, from, to, dst, a });
                }
                (Format::Float(from), Format::Long) => {
                    this.emit(Inst::LongDouble { op: LongDoubleOp::FromFloat(from), dst, a, b: a });
                }
                (Format::Long, Format::Float(to)) => {
                    this.emit(Inst::LongDouble { op: LongDoubleOp::ToFloat(to), dst, a, b: a });
                }
                (Format::Long, Format::Long) => this.move_slots(dst, a, 2),
            }
            Ok(Operand::slot(dst))
        })
    }

    pub(super) fn float_to_int(&mut self, inst: Value<'m>, signed: bool) -> Lowered<()> {
        let from = Format::of(inst.operand(0).ty().lanes().0)?;
        let to = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| this.float_to_int_value(from, to, signed, a.offset(lane * from.slots())))
    }

    /// Converts towards zero.
    pub(super) fn float_to_int_value(&mut self, from: Format, to: u32, signed: bool, a: Operand) -> Lowered<Operand> {
        if to > 64 {
            return self.float_to_wide(from, to, signed, a);
        }
        let dst = self.fresh(1);
        let width = to as u8;
        self.emit(match (from, signed) {
            (Format::Float(from), true) => Inst::FloatCast { op: FloatCast::ToSigned, from, to: width, dst, a },
            (Format::Float(from), false) => Inst::FloatCast { op: FloatCast::ToUnsigned, from, to: width, dst, a },
            (Format::Long, true) => Inst::LongDouble { op: LongDoubleOp::ToSigned(width), dst, a, b: a },
            (Format::Long, false) => Inst::LongDouble { op: LongDoubleOp::ToUnsigned(width), dst, a, b: a },
        });
        Ok(Operand::slot(dst))
    }

    pub(super) fn int_to_float(&mut self, inst: Value<'m>, signed: bool) -> Lowered<()> {
        let from = int_width(inst.operand(0).ty().lanes().0)?;
        let to = Format::of(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| {
            let a = a.offset(lane * int_slots(from));
            if from > 64 {
                let wide = this.resize(signed, from, 128, a);
                return Ok(this.wide_to_float(to, signed, wide));
            }
            let dst = this.fresh(to.slots());
            let width = from as u8;
            this.emit(match (to, signed) {
                (Format::Float(to), true) => Inst::FloatCast { op: FloatCast::FromSigned, from: width, to, dst, a },
                (Format::Float(to), false) => Inst::FloatCast { op: FloatCast::FromUnsigned, from: width, to, dst, a },
                (Format::Long, true) => Inst::LongDouble { op: LongDoubleOp::FromSigned(width), dst, a, b: a },
                (Format::Long, false) => Inst::LongDouble { op: LongDoubleOp::FromUnsigned(width), dst, a, b: a },
            });
            Ok(Operand::slot(dst))
        })
    }
}

/// Conversions of integers above 64 bits, which no instruction does.
impl Builder<'_, '_> {
    /// A float to an integer of 65 to 128 bits, in two halves; each step is exact.
    fn float_to_wide(&mut self, from: Format, to: u32, signed: bool, a: Operand) -> Lowered<Operand> {
        let zero = self.float_constant(from, None);
        let up = self.float_constant(from, Some(64));
        let down = self.float_constant(from, Some(-64));
        let negative = self.float_cmp(LESS, from, a, zero);
        let size = self.float_un(FloatUnOp::Abs, from, a);
        let scaled = self.float_bin(FloatOp::Mul, from, size, down);
        let high = self.float_un(FloatUnOp::Trunc, from, scaled);
        let part = self.float_bin(FloatOp::Mul, from, high, up);
        let low = self.float_bin(FloatOp::Sub, from, size, part);
        let halves = self.fresh(2);
        let low = self.float_to_int_value(from, 64, false, low)?;
        self.move_slots(halves, low, 1);
        let high = self.float_to_int_value(from, 64, false, high)?;
        self.move_slots(Slot(halves.0 + 1), high, 1);
        let value = self.resize(false, 128, to, Operand::slot(halves));
        if !signed {
            return Ok(value);
        }
        let nothing = self.int(to, 0);
        let negated = self.bin(BinOp::Sub, to, nothing, value);
        Ok(self.select(to, negative, negated, value))
    }

    /// An integer of 128 bits to a float, rounded once.
    fn wide_to_float(&mut self, to: Format, signed: bool, a: Operand) -> Operand {
        let zero = self.int(128, 0);
        let negative = self.cmp(CmpOp::Slt, 128, a, zero);
        let size = if signed {
            let negated = self.bin(BinOp::Sub, 128, zero, a);
            self.select(128, negative, negated, a)
        } else {
            a
        };
        let (low, high) = (size, size.offset(1));
        let value = match to {
            // 64 bits fit a `long double`, so only the sum rounds.
            Format::Long => {
                let scale = self.float_constant(to, Some(64));
                let high = self.word_to_float(to, high);
                let high = self.float_bin(FloatOp::Mul, to, high, scale);
                let low = self.word_to_float(to, low);
                self.float_bin(FloatOp::Add, to, high, low)
            }
            // The highest 64 bits, the last of them set if anything follows: this rounds like the whole. Scaling is
            // exact.
            Format::Float(width) => {
                let none = self.int(64, 0);
                let leading = self.un(UnOp::LeadingZeros, 64, high);
                let all = self.int(64, 64);
                let shift = self.bin(BinOp::Sub, 64, all, leading);
                let wide_shift = self.resize(false, 64, 128, shift);
                let shifted = self.bin(BinOp::LShr, 128, size, wide_shift);
                let back = self.bin(BinOp::Shl, 128, shifted, wide_shift);
                let lost = self.cmp(CmpOp::Ne, 128, back, size);
                let sticky = self.cast(CastOp::ZExt, 1, 64, lost);
                let top = self.bin(BinOp::Or, 64, shifted, sticky);
                let short = self.cmp(CmpOp::Eq, 64, high, none);
                let top = self.select(64, short, low, top);
                let value = self.word_to_float(to, top);
                // 2 to the shift, by its exponent.
                let (bias, fraction) = if width == 32 { (127, 23) } else { (1023, 52) };
                let bias = self.int(64, bias);
                let exponent = self.bin(BinOp::Add, 64, shift, bias);
                let fraction = self.int(64, fraction);
                let scale = self.bin(BinOp::Shl, 64, exponent, fraction);
                let scale = self.resize(false, 64, u32::from(width), scale);
                self.float_bin(FloatOp::Mul, to, value, scale)
            }
        };
        if !signed {
            return value;
        }
        let negated = self.float_un(FloatUnOp::Neg, to, value);
        let dst = self.fresh(to.slots());
        let widths: Vec<u8> = float_slots(to).iter().map(|slot| slot.width()).collect();
        self.select_to(dst, &widths, negative, negated, value);
        Operand::slot(dst)
    }

    fn word_to_float(&mut self, to: Format, a: Operand) -> Operand {
        let dst = self.fresh(to.slots());
        self.emit(match to {
            Format::Float(to) => Inst::FloatCast { op: FloatCast::FromUnsigned, from: 64, to, dst, a },
            Format::Long => Inst::LongDouble { op: LongDoubleOp::FromUnsigned(64), dst, a, b: a },
        });
        Operand::slot(dst)
    }

    /// 2 to a power, or zero.
    pub(super) fn float_constant(&mut self, format: Format, power: Option<i64>) -> Operand {
        let biased = |bias: i64| power.map_or(0, |power| (bias + power) as u64);
        match format {
            Format::Float(32) => self.constant(biased(127) << 23),
            Format::Float(_) => self.constant(biased(1023) << 52),
            Format::Long => self.constants(&[if power.is_some() { 1 << 63 } else { 0 }, biased(16383)]),
        }
    }
}

const LESS: FloatCmp = FloatCmp { less: true, equal: false, greater: false, unordered: false };

/// The slots of a format.
pub(super) fn float_slots(format: Format) -> &'static [SlotType] {
    match format {
        Format::Float(32) => &[SlotType::F32],
        Format::Float(_) => &[SlotType::F64],
        Format::Long => &[SlotType::F80Low, SlotType::F80High],
    }
}
