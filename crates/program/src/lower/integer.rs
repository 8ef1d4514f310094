//! Lowers intrinsics on integers to the basic operations.

use super::emit::int_slots;
use super::function::Builder;
use super::inst::int_width;
use super::shape::Lowered;
use crate::code::*;
use crate::llvm::Value;

/// The operations that can overflow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arith {
    Add,
    Sub,
    Mul,
}

impl<'m> Builder<'_, 'm> {
    /// Lowers the intrinsic if it is one of these; `false` if not.
    pub(super) fn integer_intrinsic(&mut self, inst: Value<'m>, first: &str, second: &str) -> Lowered<bool> {
        match (first, second) {
            ("smax", _) => self.each_pair(inst, |this, width, a, b| this.pick(CmpOp::Sgt, width, a, b))?,
            ("smin", _) => self.each_pair(inst, |this, width, a, b| this.pick(CmpOp::Slt, width, a, b))?,
            ("umax", _) => self.each_pair(inst, |this, width, a, b| this.pick(CmpOp::Ugt, width, a, b))?,
            ("umin", _) => self.each_pair(inst, |this, width, a, b| this.pick(CmpOp::Ult, width, a, b))?,
            ("abs", _) => self.each_int(inst, |this, width, a| {
                let zero = this.int(width, 0);
                let negative = this.cmp(CmpOp::Slt, width, a, zero);
                let negated = this.bin(BinOp::Sub, width, zero, a);
                this.select(width, negative, negated, a)
            })?,
            ("ctpop", _) => self.each_int(inst, |this, width, a| this.un(UnOp::CountOnes, width, a))?,
            ("ctlz", _) => self.each_int(inst, |this, width, a| this.un(UnOp::LeadingZeros, width, a))?,
            ("cttz", _) => self.each_int(inst, |this, width, a| this.un(UnOp::TrailingZeros, width, a))?,
            ("bswap", _) => self.each_int(inst, |this, width, a| this.un(UnOp::SwapBytes, width, a))?,
            ("bitreverse", _) => self.each_int(inst, |this, width, a| this.un(UnOp::ReverseBits, width, a))?,
            ("fshl", _) => self.funnel(inst, true)?,
            ("fshr", _) => self.funnel(inst, false)?,
            ("sadd", "with") => self.with_overflow(inst, Arith::Add, true)?,
            ("uadd", "with") => self.with_overflow(inst, Arith::Add, false)?,
            ("ssub", "with") => self.with_overflow(inst, Arith::Sub, true)?,
            ("usub", "with") => self.with_overflow(inst, Arith::Sub, false)?,
            ("smul", "with") => self.with_overflow(inst, Arith::Mul, true)?,
            ("umul", "with") => self.with_overflow(inst, Arith::Mul, false)?,
            ("sadd", "sat") => {
                self.each_pair(inst, |this, width, a, b| this.saturate(Arith::Add, true, width, a, b))?
            }
            ("uadd", "sat") => {
                self.each_pair(inst, |this, width, a, b| this.saturate(Arith::Add, false, width, a, b))?
            }
            ("ssub", "sat") => {
                self.each_pair(inst, |this, width, a, b| this.saturate(Arith::Sub, true, width, a, b))?
            }
            ("usub", "sat") => {
                self.each_pair(inst, |this, width, a, b| this.saturate(Arith::Sub, false, width, a, b))?
            }
            ("sshl", "sat") => self.each_pair(inst, |this, width, a, b| this.saturating_shift(true, width, a, b))?,
            ("ushl", "sat") => self.each_pair(inst, |this, width, a, b| this.saturating_shift(false, width, a, b))?,
            ("scmp", _) => self.three_way(inst, CmpOp::Slt, CmpOp::Sgt)?,
            ("ucmp", _) => self.three_way(inst, CmpOp::Ult, CmpOp::Ugt)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn each_int(&mut self, inst: Value<'m>, mut each: impl FnMut(&mut Self, u32, Operand) -> Operand) -> Lowered<()> {
        let width = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        self.map_lanes(inst, |this, lane| Ok(each(this, width, a.offset(lane * int_slots(width)))))
    }

    fn each_pair(
        &mut self,
        inst: Value<'m>,
        mut each: impl FnMut(&mut Self, u32, Operand, Operand) -> Operand,
    ) -> Lowered<()> {
        let width = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = int_slots(width);
        self.map_lanes(inst, |this, lane| Ok(each(this, width, a.offset(lane * size), b.offset(lane * size))))
    }

    /// `llvm.fshl` and `llvm.fshr`: shift the concatenation of two values, and return one half.
    fn funnel(&mut self, inst: Value<'m>, left: bool) -> Lowered<()> {
        let width = int_width(inst.ty().lanes().0)?;
        let size = int_slots(width);
        let high = self.operand(inst.operand(0))?;
        let low = self.operand(inst.operand(1))?;
        let amount = self.operand(inst.operand(2))?;
        self.map_lanes(inst, |this, lane| {
            let (high, low, amount) = (high.offset(lane * size), low.offset(lane * size), amount.offset(lane * size));
            let known = if size == 1 { this.known(amount).map(|amount| amount % u64::from(width)) } else { None };
            if known == Some(0) {
                return Ok(if left { high } else { low });
            }
            // In two steps on the far side, since a shift by the whole width is undefined.
            let modulus = this.int(width, u128::from(width));
            let shift = match known {
                Some(amount) => this.int(width, u128::from(amount)),
                None => this.bin(BinOp::URem, width, amount, modulus),
            };
            let last = this.int(width, u128::from(width) - 1);
            let one = this.int(width, 1);
            let (up, down) = match (known, left) {
                (Some(amount), true) => (shift, this.int(width, u128::from(u64::from(width) - amount))),
                (Some(amount), false) => (this.int(width, u128::from(u64::from(width) - amount)), shift),
                (None, _) => {
                    let rest = this.bin(BinOp::Sub, width, last, shift);
                    if left { (shift, rest) } else { (rest, shift) }
                }
            };
            let (mut high, mut low) = (high, low);
            if known.is_none() {
                if left {
                    low = this.bin(BinOp::LShr, width, low, one);
                } else {
                    high = this.bin(BinOp::Shl, width, high, one);
                }
            }
            let high = this.bin(BinOp::Shl, width, high, up);
            let low = this.bin(BinOp::LShr, width, low, down);
            Ok(this.bin(BinOp::Or, width, high, low))
        })
    }

    fn with_overflow(&mut self, inst: Value<'m>, arith: Arith, signed: bool) -> Lowered<()> {
        let (element, lanes) = inst.operand(0).ty().lanes();
        let width = int_width(element)?;
        let size = int_slots(width);
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let dst = self.result(inst)?;
        for lane in 0..lanes {
            let (a, b) = (a.offset(lane * size), b.offset(lane * size));
            let (value, overflow) = self.overflowing(arith, signed, width, a, b);
            // All values come first, then all flags.
            self.move_slots(Slot(dst.0 + lane * size), value, size);
            self.move_slots(Slot(dst.0 + lanes * size + lane), overflow, 1);
        }
        Ok(())
    }

    /// The wrapped result, and whether it wrapped.
    fn overflowing(&mut self, arith: Arith, signed: bool, width: u32, a: Operand, b: Operand) -> (Operand, Operand) {
        let zero = self.int(width, 0);
        match (arith, signed) {
            (Arith::Add, false) => {
                let value = self.bin(BinOp::Add, width, a, b);
                (value, self.cmp(CmpOp::Ult, width, value, a))
            }
            (Arith::Sub, false) => {
                let value = self.bin(BinOp::Sub, width, a, b);
                (value, self.cmp(CmpOp::Ult, width, a, b))
            }
            (Arith::Add | Arith::Sub, true) => {
                // It wrapped if the operands' signs (the second one flipped for a difference) agree and the result's
                // does not.
                let op = if arith == Arith::Add { BinOp::Add } else { BinOp::Sub };
                let value = self.bin(op, width, a, b);
                let changed = self.bin(BinOp::Xor, width, a, value);
                let other = if arith == Arith::Add { value } else { a };
                let other = self.bin(BinOp::Xor, width, b, other);
                let both = self.bin(BinOp::And, width, changed, other);
                (value, self.cmp(CmpOp::Slt, width, both, zero))
            }
            (Arith::Mul, _) if width <= 64 => {
                let wide_a = self.resize(signed, width, 2 * width, a);
                let wide_b = self.resize(signed, width, 2 * width, b);
                let product = self.bin(BinOp::Mul, 2 * width, wide_a, wide_b);
                let value = self.cast(CastOp::Trunc, 2 * width, width, product);
                let back = self.resize(signed, width, 2 * width, value);
                (value, self.cmp(CmpOp::Ne, 2 * width, back, product))
            }
            (Arith::Mul, false) => {
                let value = self.bin(BinOp::Mul, width, a, b);
                let one = self.int(width, 1);
                let is_zero = self.cmp(CmpOp::Eq, width, a, zero);
                let divisor = self.select(width, is_zero, one, a);
                let quotient = self.bin(BinOp::UDiv, width, value, divisor);
                let differs = self.cmp(CmpOp::Ne, width, quotient, b);
                let nonzero = self.not(1, is_zero);
                (value, self.bin(BinOp::And, 1, nonzero, differs))
            }
            (Arith::Mul, true) => {
                let value = self.bin(BinOp::Mul, width, a, b);
                let one = self.int(width, 1);
                let minus_one = self.int(width, u128::MAX);
                let least = self.int(width, 1 << (width - 1));
                let is_zero = self.cmp(CmpOp::Eq, width, a, zero);
                let is_minus_one = self.cmp(CmpOp::Eq, width, a, minus_one);
                let special = self.bin(BinOp::Or, 1, is_zero, is_minus_one);
                let divisor = self.select(width, special, one, a);
                let quotient = self.bin(BinOp::SDiv, width, value, divisor);
                let differs = self.cmp(CmpOp::Ne, width, quotient, b);
                let ordinary = self.not(1, special);
                let ordinary = self.bin(BinOp::And, 1, ordinary, differs);
                let is_least = self.cmp(CmpOp::Eq, width, b, least);
                let negated = self.bin(BinOp::And, 1, is_minus_one, is_least);
                (value, self.bin(BinOp::Or, 1, ordinary, negated))
            }
        }
    }

    fn saturate(&mut self, arith: Arith, signed: bool, width: u32, a: Operand, b: Operand) -> Operand {
        let (value, overflow) = self.overflowing(arith, signed, width, a, b);
        let limit = match (signed, arith) {
            (true, _) => self.signed_limit(width, a),
            (false, Arith::Sub) => self.int(width, 0),
            (false, _) => self.int(width, u128::MAX),
        };
        self.select(width, overflow, limit, value)
    }

    fn saturating_shift(&mut self, signed: bool, width: u32, a: Operand, b: Operand) -> Operand {
        let value = self.bin(BinOp::Shl, width, a, b);
        let back = self.bin(if signed { BinOp::AShr } else { BinOp::LShr }, width, value, b);
        let overflow = self.cmp(CmpOp::Ne, width, back, a);
        let limit = if signed { self.signed_limit(width, a) } else { self.int(width, u128::MAX) };
        self.select(width, overflow, limit, value)
    }

    /// The least value if `a` is negative, else the greatest.
    fn signed_limit(&mut self, width: u32, a: Operand) -> Operand {
        let zero = self.int(width, 0);
        let least = self.int(width, 1 << (width - 1));
        let greatest = self.int(width, (1 << (width - 1)) - 1);
        let negative = self.cmp(CmpOp::Slt, width, a, zero);
        self.select(width, negative, least, greatest)
    }

    fn three_way(&mut self, inst: Value<'m>, less: CmpOp, greater: CmpOp) -> Lowered<()> {
        let from = int_width(inst.operand(0).ty().lanes().0)?;
        let to = int_width(inst.ty().lanes().0)?;
        let size = int_slots(from);
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        self.map_lanes(inst, |this, lane| {
            let (a, b) = (a.offset(lane * size), b.offset(lane * size));
            let less = this.cmp(less, from, a, b);
            let greater = this.cmp(greater, from, a, b);
            let (minus, zero, one) = (this.int(to, u128::MAX), this.int(to, 0), this.int(to, 1));
            let value = this.select(to, greater, one, zero);
            Ok(this.select(to, less, minus, value))
        })
    }
}
