//! Lowers conversions between integers, pointers and floating-point formats.

use super::emit::int_slots;
use super::function::Builder;
use super::inst::{Format, int_width};
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;

impl<'m> Builder<'_, 'm> {
    pub(super) fn int_cast(&mut self, inst: Value<'m>, op: CastOp) -> Lowered<()> {
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

    /// Converts towards zero; above 64 bits as the compiler does, by calling a function of its runtime.
    pub(super) fn float_to_int_value(&mut self, from: Format, to: u32, signed: bool, a: Operand) -> Lowered<Operand> {
        if to > 64 {
            let name = match (from, signed) {
                (Format::Float(32), true) => "__fixsfti",
                (Format::Float(32), false) => "__fixunssfti",
                (Format::Float(_), true) => "__fixdfti",
                (Format::Float(_), false) => "__fixunsdfti",
                (Format::Long, true) => "__fixxfti",
                (Format::Long, false) => "__fixunsxfti",
            };
            let wide = [SlotType::WideLow, SlotType::WideHigh(64)];
            let value = self.call_named(name, &[(a, float_slots(from))], &wide);
            return Ok(self.resize(signed, 128, to, value));
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
        if !inst.operand(0).ty().lanes().0.int_width().is_some_and(|width| width <= 128) {
            return Err(Unsupported::new(format!("conversion from `{}`", inst.operand(0).ty())));
        }
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| {
            let a = a.offset(lane * int_slots(from));
            if from > 64 {
                let name = match (to, signed) {
                    (Format::Float(32), true) => "__floattisf",
                    (Format::Float(32), false) => "__floatuntisf",
                    (Format::Float(_), true) => "__floattidf",
                    (Format::Float(_), false) => "__floatuntidf",
                    (Format::Long, true) => "__floattixf",
                    (Format::Long, false) => "__floatuntixf",
                };
                let a = this.resize(signed, from, 128, a);
                let wide: &[SlotType] = &[SlotType::WideLow, SlotType::WideHigh(64)];
                return Ok(this.call_named(name, &[(a, wide)], float_slots(to)));
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

/// The slots of a format.
pub(super) fn float_slots(format: Format) -> &'static [SlotType] {
    match format {
        Format::Float(32) => &[SlotType::F32],
        Format::Float(_) => &[SlotType::F64],
        Format::Long => &[SlotType::F80Low, SlotType::F80High],
    }
}
