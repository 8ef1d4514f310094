//! Integers of more than 128 bits, which clang uses to access long runs of bit-fields, and for `_BitInt`.
//!
//! Such an integer is a sequence of 64-bit words, lowest first; the last holds the remaining bits. The operations that
//! C code uses work word by word; multiplication, division and shifts by a variable amount are unsupported.

use super::function::Builder;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::{Type, Value};

/// The width of an integer type of more than 128 bits.
pub(super) fn huge_width(ty: Type<'_>) -> Option<u32> {
    ty.int_width().filter(|width| *width > 128)
}

/// Bits in a row: slots and how many bits each has, lowest first.
type Bits = Vec<(Operand, u8)>;

impl<'m> Builder<'_, 'm> {
    pub(super) fn huge_binary(&mut self, inst: Value<'m>, op: BinOp) -> Lowered<()> {
        let a = self.bits_of(inst.operand(0))?;
        let b = self.bits_of(inst.operand(1))?;
        let words = match op {
            BinOp::And | BinOp::Or | BinOp::Xor => {
                let pairs = a.iter().zip(&b);
                pairs.map(|(&(a, width), &(b, _))| self.bin(op, u32::from(width), a, b)).collect()
            }
            BinOp::Add => self.huge_sum(&a, &b, false),
            BinOp::Sub => self.huge_sum(&a, &b, true),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let amount = inst.operand(1).int_words().map(|words| words[0]).filter(|amount| *amount < total(&a));
                let amount = amount.ok_or_else(|| unsupported("shift by a variable amount", inst))?;
                self.huge_shift(op, &a, amount)
            }
            BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                return Err(unsupported("multiplication or division", inst));
            }
        };
        self.gather(inst, &words)
    }

    pub(super) fn huge_cast(&mut self, inst: Value<'m>, op: CastOp) -> Lowered<()> {
        let mut bits = self.bits_of(inst.operand(0))?;
        let widths: Vec<u8> = self.shape(inst.ty())?.slots.iter().map(|slot| slot.width()).collect();
        let missing = widths.iter().map(|width| u64::from(*width)).sum::<u64>().saturating_sub(total(&bits));
        match op {
            CastOp::SExt => self.extend_sign(&mut bits, missing),
            CastOp::ZExt | CastOp::Trunc => self.append_zeros(&mut bits, missing),
        }
        let words = self.repack(&bits, &widths);
        self.gather(inst, &words)
    }

    /// Compares word by word: a higher word decides unless both are equal.
    pub(super) fn huge_compare(&mut self, inst: Value<'m>, op: CmpOp) -> Lowered<()> {
        let a = self.bits_of(inst.operand(0))?;
        let b = self.bits_of(inst.operand(1))?;
        let last = a.len() - 1;
        let mut result: Option<Operand> = None;
        for (index, (&(x, width), &(y, _))) in a.iter().zip(&b).enumerate() {
            let width = u32::from(width);
            let op = if index == last { op } else { unsigned(op) };
            let here = self.cmp(op, width, x, y);
            result = Some(match (result, op) {
                (None, _) => here,
                (Some(lower), CmpOp::Eq) => self.bin(BinOp::And, 1, lower, here),
                (Some(lower), CmpOp::Ne) => self.bin(BinOp::Or, 1, lower, here),
                (Some(lower), _) => {
                    let same = self.cmp(CmpOp::Eq, width, x, y);
                    self.select(1, same, lower, here)
                }
            });
        }
        let result = result.ok_or_else(|| unsupported("comparison", inst))?;
        self.bind(inst, result)
    }

    /// A sum or a difference, with the carry from word to word.
    fn huge_sum(&mut self, a: &Bits, b: &Bits, subtract: bool) -> Vec<Operand> {
        let op = if subtract { BinOp::Sub } else { BinOp::Add };
        let mut carry = self.constant(0);
        let mut words = Vec::new();
        for (&(x, width), &(y, _)) in a.iter().zip(b) {
            let width = u32::from(width);
            let first = self.bin(op, width, x, y);
            let carried = self.resize(false, 1, width, carry);
            let word = self.bin(op, width, first, carried);
            // A borrow occurs if the subtrahend is larger; a sum has wrapped if it is less than what was added.
            let (once, again) = if subtract {
                (self.cmp(CmpOp::Ult, width, x, y), self.cmp(CmpOp::Ult, width, first, carried))
            } else {
                (self.cmp(CmpOp::Ult, width, first, x), self.cmp(CmpOp::Ult, width, word, carried))
            };
            carry = self.bin(BinOp::Or, 1, once, again);
            words.push(word);
        }
        words
    }

    fn huge_shift(&mut self, op: BinOp, a: &Bits, amount: u64) -> Vec<Operand> {
        let widths: Vec<u8> = a.iter().map(|(_, width)| *width).collect();
        let mut bits = Bits::new();
        if op == BinOp::Shl {
            self.append_zeros(&mut bits, amount);
            bits.extend_from_slice(a);
            return self.repack(&bits, &widths);
        }
        let mut skipped = amount;
        for &(word, width) in a {
            if skipped >= u64::from(width) {
                skipped -= u64::from(width);
                continue;
            }
            let left = width - skipped as u8;
            let by = self.constant(skipped);
            let moved = if skipped == 0 { word } else { self.bin(BinOp::LShr, u32::from(width), word, by) };
            bits.push((self.resize(false, u32::from(width), u32::from(left), moved), left));
            skipped = 0;
        }
        match op {
            BinOp::AShr => self.extend_sign(&mut bits, amount),
            _ => self.append_zeros(&mut bits, amount),
        }
        self.repack(&bits, &widths)
    }

    fn append_zeros(&mut self, bits: &mut Bits, count: u64) {
        let zero = self.constant(0);
        bits.extend(pieces(count).map(|width| (zero, width)));
    }

    /// Appends copies of the highest bit.
    fn extend_sign(&mut self, bits: &mut Bits, count: u64) {
        let Some(&(top, width)) = bits.last() else { return };
        let by = self.constant(u64::from(width) - 1);
        let sign = self.bin(BinOp::LShr, u32::from(width), top, by);
        let sign = self.resize(false, u32::from(width), 1, sign);
        let copies: Bits = pieces(count).map(|width| (self.resize(true, 1, u32::from(width), sign), width)).collect();
        bits.extend(copies);
    }

    fn bits_of(&mut self, value: Value<'m>) -> Lowered<Bits> {
        if value.ty().is_vector() {
            return Err(Unsupported::new(format!("arithmetic on a value of type `{}`", value.ty())));
        }
        let operand = self.operand(value)?;
        let shape = self.shape(value.ty())?;
        Ok(shape.slots.iter().enumerate().map(|(index, slot)| (operand.offset(index as u32), slot.width())).collect())
    }
}

/// A number of bits, as pieces of at most 64.
fn pieces(count: u64) -> impl Iterator<Item = u8> {
    (0..count.div_ceil(64)).map(move |index| (count - 64 * index).min(64) as u8)
}

fn total(bits: &Bits) -> u64 {
    bits.iter().map(|(_, width)| u64::from(*width)).sum()
}

/// The unsigned version of a comparison.
fn unsigned(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Slt => CmpOp::Ult,
        CmpOp::Sle => CmpOp::Ule,
        CmpOp::Sgt => CmpOp::Ugt,
        CmpOp::Sge => CmpOp::Uge,
        other => other,
    }
}

fn unsupported(what: &str, inst: Value<'_>) -> Unsupported {
    Unsupported::new(format!("{what} on a value of type `{}`", inst.operand(0).ty()))
}
