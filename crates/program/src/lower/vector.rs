//! Lowers the construction and decomposition of vectors and aggregates.

use super::function::Builder;
use super::inst::int_width;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::{Type, Value};

impl<'m> Builder<'_, 'm> {
    pub(super) fn extract_value(&mut self, inst: Value<'m>) -> Lowered<()> {
        let aggregate = inst.operand(0);
        let (from, _) = self.part_of(aggregate.ty(), &inst.indices())?;
        let operand = self.operand(aggregate)?;
        self.bind(inst, operand.offset(from))
    }

    pub(super) fn insert_value(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (aggregate, value) = (inst.operand(0), inst.operand(1));
        let (from, count) = self.part_of(aggregate.ty(), &inst.indices())?;
        let total = self.shape(aggregate.ty())?.len();
        let value = self.operand(value)?;
        let dst = self.result(inst)?;
        // The rest of an undefined aggregate may have any value.
        if !aggregate.is_undefined() {
            let old = self.operand(aggregate)?;
            self.move_slots(dst, old, from);
            let after = from + count;
            self.move_slots(Slot(dst.0 + after), old.offset(after), total - after);
        }
        self.move_slots(Slot(dst.0 + from), value, count);
        Ok(())
    }

    /// The first slot of a part of an aggregate, and how many it has.
    fn part_of(&mut self, ty: Type<'m>, indices: &[u32]) -> Lowered<(u32, u32)> {
        let mut at = ty;
        let mut first = 0;
        for &index in indices {
            if at.is_struct() {
                let fields = at.fields();
                for field in fields.iter().take(index as usize) {
                    first += self.shape(*field)?.len();
                }
                at = *fields.get(index as usize).ok_or_else(|| Unsupported::new("field that does not exist"))?;
            } else {
                let (element, _) = at.elements().ok_or_else(|| Unsupported::new("part of a scalar"))?;
                first += index * self.shape(element)?.len();
                at = element;
            }
        }
        let count = self.shape(at)?.len();
        self.shape(ty)?;
        Ok((first, count))
    }

    pub(super) fn extract_element(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (vector, index) = (inst.operand(0), inst.operand(1));
        let (_, lanes) = vector.ty().lanes();
        let shape = self.shape(inst.ty())?;
        let size = shape.len();
        let operand = self.operand(vector)?;
        let known = index.int_bits().map(|index| index as u32 & lane_mask(lanes));
        if let Some(lane) = known.filter(|lane| *lane < lanes) {
            return self.bind(inst, operand.offset(lane * size));
        }
        let width = int_width(index.ty())?;
        let index = self.lane_index(index, lanes)?;
        let widths: Vec<u8> = shape.slots.iter().map(|slot| slot.width()).collect();
        let mut value = self.constants(&vec![0; size as usize]);
        for lane in 0..lanes {
            let number = self.int(width, u128::from(lane));
            let here = self.cmp(CmpOp::Eq, width, index, number);
            let dst = self.fresh(size);
            self.select_to(dst, &widths, here, operand.offset(lane * size), value);
            value = Operand::slot(dst);
        }
        self.bind(inst, value)
    }

    /// The index of a lane, as the processor takes it: LLVM leaves an index beyond the end undefined, but its code
    /// never leaves the register that holds the vector.
    fn lane_index(&mut self, index: Value<'m>, lanes: u32) -> Lowered<Operand> {
        let width = int_width(index.ty())?;
        let index = self.operand(index)?;
        let mask = self.int(width, u128::from(lane_mask(lanes)));
        Ok(self.bin(BinOp::And, width, index, mask))
    }

    pub(super) fn insert_element(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (vector, element, index) = (inst.operand(0), inst.operand(1), inst.operand(2));
        let (_, lanes) = vector.ty().lanes();
        let shape = self.shape(element.ty())?;
        let size = shape.len();
        let old = self.operand(vector)?;
        let value = self.operand(element)?;
        let constant = index.int_bits().map(|index| index as u32 & lane_mask(lanes));
        let width = int_width(index.ty())?;
        let index = self.lane_index(index, lanes)?;
        let dst = self.result(inst)?;
        let widths: Vec<u8> = shape.slots.iter().map(|slot| slot.width()).collect();
        for lane in 0..lanes {
            let (to, from) = (Slot(dst.0 + lane * size), old.offset(lane * size));
            match constant {
                Some(at) if at == lane => self.move_slots(to, value, size),
                Some(_) if vector.is_undefined() => {}
                Some(_) => self.move_slots(to, from, size),
                None => {
                    let number = self.int(width, u128::from(lane));
                    let here = self.cmp(CmpOp::Eq, width, index, number);
                    self.select_to(to, &widths, here, value, from);
                }
            }
        }
        Ok(())
    }

    pub(super) fn shuffle(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, b) = (inst.operand(0), inst.operand(1));
        let (element, lanes) = a.ty().lanes();
        let size = self.shape(element)?.len();
        let a = self.operand(a)?;
        let b = self.operand(b)?;
        let dst = self.result(inst)?;
        for (lane, source) in inst.shuffle_mask().into_iter().enumerate() {
            // A lane that the mask omits is poison.
            let Some(source) = source else { continue };
            let from = if source < lanes { a.offset(source * size) } else { b.offset((source - lanes) * size) };
            self.move_slots(Slot(dst.0 + lane as u32 * size), from, size);
        }
        Ok(())
    }
}

/// The significant bits of an index: registers have a power of two of lanes.
fn lane_mask(lanes: u32) -> u32 {
    lanes.next_power_of_two() - 1
}
