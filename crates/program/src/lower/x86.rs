//! Lowers the vector intrinsics of x86-64 for which LLVM has no general form: those of SSE to SSE 4.2, and those of AVX2
//! that do the same in each half. The rest, such as approximate reciprocals and AES, is unsupported, by its name.

use super::function::Builder;
use super::inst::{Format, int_width};
use super::math::{EQUAL, LESS};
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;

/// The polynomial of the instruction `crc32`, the highest power in the lowest bit.
const CRC32C: u128 = 0x82f6_3b78;

/// The direction of a shift.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    Left,
    Logical,
    Arithmetic,
}

/// The lanes of an operand.
#[derive(Clone, Copy)]
struct Lanes {
    operand: Operand,
    width: u32,
    count: u32,
}

impl Lanes {
    fn get(self, lane: u32) -> Operand {
        self.operand.offset(lane)
    }

    /// How many lanes there are in 128 bits: most instructions of AVX2 work on each half by itself.
    fn per_half(self) -> u32 {
        128 / self.width
    }
}

impl<'m> Builder<'_, 'm> {
    /// Lowers the intrinsic if it is one of these; `false` if not. `name` is what follows `llvm.x86.`.
    pub(super) fn x86_intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<bool> {
        let (set, operation) = name.split_once('.').unwrap_or((name, ""));
        let operation = operation.trim_end_matches(".128").trim_end_matches(".256");
        match (set, operation) {
            ("sse2", "pause" | "lfence" | "mfence" | "clflush") | ("sse", "sfence") => {}
            (_, "pmovmskb" | "movmsk.ps" | "movmsk.pd") => self.sign_mask(inst)?,
            (_, "packsswb" | "packssdw") => self.pack(inst, true)?,
            (_, "packuswb" | "packusdw") => self.pack(inst, false)?,
            (_, "pmadd.wd") => self.each_two_products(inst, true, false)?,
            (_, "pmadd.ub.sw") => self.each_two_products(inst, false, true)?,
            (_, "pmulh.w") => self.high_products(inst, true)?,
            (_, "pmulhu.w") => self.high_products(inst, false)?,
            (_, "pmul.hr.sw") => self.rounded_products(inst)?,
            (_, "psad.bw") => self.sums_of_differences(inst)?,
            (_, "pavg.b" | "pavg.w") => self.averages(inst)?,
            (_, "pshuf.b") => self.shuffle_bytes(inst)?,
            (_, "phadd.w" | "phadd.d") => self.horizontal(inst, BinOp::Add)?,
            (_, "phsub.w" | "phsub.d") => self.horizontal(inst, BinOp::Sub)?,
            (_, "psign.b" | "psign.w" | "psign.d") => self.signs(inst)?,
            (_, "pblendvb" | "blendvps" | "blendvpd") | ("avx", "blendv.ps" | "blendv.pd") => self.blend(inst)?,
            (_, "ptestz") => self.test_bits(inst, false)?,
            (_, "ptestc") => self.test_bits(inst, true)?,
            ("avx2", "psllv.d" | "psllv.q") => self.shift_each(inst, Shift::Left)?,
            ("avx2", "psrlv.d" | "psrlv.q") => self.shift_each(inst, Shift::Logical)?,
            ("avx2", "psrav.d") => self.shift_each(inst, Shift::Arithmetic)?,
            (_, "psll.w" | "psll.d" | "psll.q" | "pslli.w" | "pslli.d" | "pslli.q") => {
                self.shift_all(inst, Shift::Left)?
            }
            (_, "psrl.w" | "psrl.d" | "psrl.q" | "psrli.w" | "psrli.d" | "psrli.q") => {
                self.shift_all(inst, Shift::Logical)?
            }
            (_, "psra.w" | "psra.d" | "psrai.w" | "psrai.d") => self.shift_all(inst, Shift::Arithmetic)?,
            (_, "min.ps" | "min.pd") => self.extreme(inst, true, false)?,
            (_, "max.ps" | "max.pd") => self.extreme(inst, false, false)?,
            (_, "min.ss" | "min.sd") => self.extreme(inst, true, true)?,
            (_, "max.ss" | "max.sd") => self.extreme(inst, false, true)?,
            (_, "cmp.ps" | "cmp.pd") => self.compare_floats(inst, false)?,
            (_, "cmp.ss" | "cmp.sd") => self.compare_floats(inst, true)?,
            (_, "cvttss2si" | "cvttss2si64" | "cvttsd2si" | "cvttsd2si64" | "cvttps2dq" | "cvttpd2dq") => {
                self.floats_to_ints(inst, false)?
            }
            (_, "cvtss2si" | "cvtss2si64" | "cvtsd2si" | "cvtsd2si64" | "cvtps2dq" | "cvtpd2dq") => {
                self.floats_to_ints(inst, true)?
            }
            ("sse42", "crc32.32.8" | "crc32.32.16" | "crc32.32.32" | "crc32.64.64") => self.crc32(inst)?,
            _ => {
                let named = operation.strip_prefix("ucomi").or(operation.strip_prefix("comi"));
                let Some(cmp) = named.and_then(|name| name.split('.').next()).and_then(comparison) else {
                    return Ok(false);
                };
                self.compare_lowest(inst, cmp)?;
            }
        }
        Ok(true)
    }

    /// An argument that is a vector of integers or floats, or a scalar as a vector of one.
    fn lanes_of(&mut self, value: Value<'m>) -> Lowered<Lanes> {
        let (element, count) = value.ty().lanes();
        let width = match Format::of(element) {
            Ok(Format::Float(width)) => u32::from(width),
            _ => int_width(element)?,
        };
        Ok(Lanes { operand: self.operand(value)?, width, count })
    }

    fn two_lanes(&mut self, inst: Value<'m>) -> Lowered<(Lanes, Lanes)> {
        Ok((self.lanes_of(inst.operand(0))?, self.lanes_of(inst.operand(1))?))
    }

    fn is_negative(&mut self, width: u32, a: Operand) -> Operand {
        let zero = self.int(width, 0);
        self.cmp(CmpOp::Slt, width, a, zero)
    }

    /// A bit for each lane: its highest one.
    fn sign_mask(&mut self, inst: Value<'m>) -> Lowered<()> {
        let a = self.lanes_of(inst.operand(0))?;
        let to = int_width(inst.ty())?;
        let mut mask = self.int(to, 0);
        for lane in 0..a.count {
            let sign = self.is_negative(a.width, a.get(lane));
            let bit = self.cast(CastOp::ZExt, 1, to, sign);
            let by = self.int(to, u128::from(lane));
            let bit = self.bin(BinOp::Shl, to, bit, by);
            mask = self.bin(BinOp::Or, to, mask, bit);
        }
        self.bind(inst, mask)
    }

    /// A signed value, limited to the range of a narrower type.
    fn clamp(&mut self, from: u32, to: u32, signed: bool, a: Operand) -> Operand {
        let (least, greatest) =
            if signed { ((-(1_i128 << (to - 1))) as u128, (1 << (to - 1)) - 1) } else { (0, (1 << to) - 1) };
        let (least, greatest) = (self.int(from, least), self.int(from, greatest));
        let a = self.pick(CmpOp::Slt, from, a, greatest);
        let a = self.pick(CmpOp::Sgt, from, a, least);
        self.cast(CastOp::Trunc, from, to, a)
    }

    fn pack(&mut self, inst: Value<'m>, signed: bool) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let half = a.per_half();
        self.map_lanes(inst, |this, lane| {
            let (block, at) = (lane / (2 * half), lane % (2 * half));
            let source = if at < half { a } else { b };
            Ok(this.clamp(source.width, source.width / 2, signed, source.get(block * half + at % half)))
        })
    }

    /// The sum of two products of neighbours, twice as wide; or as wide and limited to its range.
    fn each_two_products(&mut self, inst: Value<'m>, first_signed: bool, limited: bool) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        // One bit more than the result, which limiting needs.
        let wide = 4 * a.width;
        self.map_lanes(inst, |this, lane| {
            let mut product = |at: u32| {
                let x = this.resize(first_signed, a.width, wide, a.get(at));
                let y = this.resize(true, b.width, wide, b.get(at));
                this.bin(BinOp::Mul, wide, x, y)
            };
            let (low, high) = (product(2 * lane), product(2 * lane + 1));
            let sum = this.bin(BinOp::Add, wide, low, high);
            let to = 2 * a.width;
            Ok(if limited { this.clamp(wide, to, true, sum) } else { this.cast(CastOp::Trunc, wide, to, sum) })
        })
    }

    fn product(&mut self, signed: bool, a: Lanes, b: Lanes, lane: u32) -> Operand {
        let x = self.resize(signed, a.width, 2 * a.width, a.get(lane));
        let y = self.resize(signed, b.width, 2 * b.width, b.get(lane));
        self.bin(BinOp::Mul, 2 * a.width, x, y)
    }

    fn high_products(&mut self, inst: Value<'m>, signed: bool) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        self.map_lanes(inst, |this, lane| {
            let product = this.product(signed, a, b, lane);
            let by = this.int(2 * a.width, u128::from(a.width));
            let high = this.bin(BinOp::LShr, 2 * a.width, product, by);
            Ok(this.cast(CastOp::Trunc, 2 * a.width, a.width, high))
        })
    }

    /// The products of two numbers from -1 to 1, rounded.
    fn rounded_products(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let wide = 2 * a.width;
        self.map_lanes(inst, |this, lane| {
            let product = this.product(true, a, b, lane);
            let (by, one) = (this.int(wide, u128::from(a.width) - 2), this.int(wide, 1));
            let product = this.bin(BinOp::AShr, wide, product, by);
            let product = this.bin(BinOp::Add, wide, product, one);
            let product = this.bin(BinOp::LShr, wide, product, one);
            Ok(this.cast(CastOp::Trunc, wide, a.width, product))
        })
    }

    /// The sum of the absolute differences of eight bytes each.
    fn sums_of_differences(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        self.map_lanes(inst, |this, lane| {
            let mut sum = this.int(64, 0);
            for at in 8 * lane..8 * lane + 8 {
                let greater = this.pick(CmpOp::Ugt, 8, a.get(at), b.get(at));
                let less = this.pick(CmpOp::Ult, 8, a.get(at), b.get(at));
                let difference = this.bin(BinOp::Sub, 8, greater, less);
                let difference = this.cast(CastOp::ZExt, 8, 64, difference);
                sum = this.bin(BinOp::Add, 64, sum, difference);
            }
            Ok(sum)
        })
    }

    /// The averages, rounded up.
    fn averages(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let wide = 2 * a.width;
        self.map_lanes(inst, |this, lane| {
            let x = this.cast(CastOp::ZExt, a.width, wide, a.get(lane));
            let y = this.cast(CastOp::ZExt, a.width, wide, b.get(lane));
            let one = this.int(wide, 1);
            let sum = this.bin(BinOp::Add, wide, x, y);
            let sum = this.bin(BinOp::Add, wide, sum, one);
            let half = this.bin(BinOp::LShr, wide, sum, one);
            Ok(this.cast(CastOp::Trunc, wide, a.width, half))
        })
    }

    /// Bytes of the first vector at the indices in the second; 0 where an index is negative.
    fn shuffle_bytes(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, indices) = self.two_lanes(inst)?;
        let half = a.per_half();
        self.map_lanes(inst, |this, lane| {
            let index = indices.get(lane);
            let first = lane / half * half;
            if let Some(index) = this.known(index) {
                let picked = a.get(first + (index as u32 & (half - 1)));
                return Ok(if index & 0x80 == 0 { picked } else { this.int(8, 0) });
            }
            let mask = this.int(8, u128::from(half) - 1);
            let within = this.bin(BinOp::And, 8, index, mask);
            let mut value = a.get(first);
            for at in 1..half {
                let number = this.int(8, u128::from(at));
                let here = this.cmp(CmpOp::Eq, 8, within, number);
                value = this.select(8, here, a.get(first + at), value);
            }
            let negative = this.is_negative(8, index);
            let zero = this.int(8, 0);
            Ok(this.select(8, negative, zero, value))
        })
    }

    /// Sums or differences of neighbours, those of the first vector before those of the second.
    fn horizontal(&mut self, inst: Value<'m>, op: BinOp) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let half = a.per_half();
        self.map_lanes(inst, |this, lane| {
            let (block, at) = (lane / half * half, lane % half);
            let source = if at < half / 2 { a } else { b };
            let first = block + at % (half / 2) * 2;
            Ok(this.bin(op, source.width, source.get(first), source.get(first + 1)))
        })
    }

    /// The first vector with the signs of the second, where 0 makes 0.
    fn signs(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        self.map_lanes(inst, |this, lane| {
            let zero = this.int(a.width, 0);
            let negated = this.bin(BinOp::Sub, a.width, zero, a.get(lane));
            let negative = this.is_negative(b.width, b.get(lane));
            let value = this.select(a.width, negative, negated, a.get(lane));
            let none = this.cmp(CmpOp::Eq, b.width, b.get(lane), zero);
            Ok(this.select(a.width, none, zero, value))
        })
    }

    /// Lanes of the second vector where the third is negative, else of the first.
    fn blend(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let mask = self.lanes_of(inst.operand(2))?;
        self.map_lanes(inst, |this, lane| {
            let second = this.is_negative(mask.width, mask.get(lane));
            Ok(this.select(a.width, second, b.get(lane), a.get(lane)))
        })
    }

    /// Whether two vectors have no bit in common, or whether the first has all bits of the second.
    fn test_bits(&mut self, inst: Value<'m>, complement: bool) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let mut common = self.int(a.width, 0);
        for lane in 0..a.count {
            let x = if complement { self.not(a.width, a.get(lane)) } else { a.get(lane) };
            let both = self.bin(BinOp::And, a.width, x, b.get(lane));
            common = self.bin(BinOp::Or, a.width, common, both);
        }
        let zero = self.int(a.width, 0);
        let none = self.cmp(CmpOp::Eq, a.width, common, zero);
        let to = int_width(inst.ty())?;
        let result = self.cast(CastOp::ZExt, 1, to, none);
        self.bind(inst, result)
    }

    /// Shifts a lane; a shift by its width or more leaves 0, or its sign.
    fn shift(&mut self, shift: Shift, width: u32, a: Operand, by: Operand) -> Operand {
        let most = self.int(width, u128::from(width) - 1);
        let is_beyond = self.cmp(CmpOp::Ugt, width, by, most);
        let bounded = self.select(width, is_beyond, most, by);
        let op = match shift {
            Shift::Left => BinOp::Shl,
            Shift::Logical => BinOp::LShr,
            Shift::Arithmetic => BinOp::AShr,
        };
        let shifted = self.bin(op, width, a, bounded);
        if shift == Shift::Arithmetic {
            return shifted;
        }
        let zero = self.int(width, 0);
        self.select(width, is_beyond, zero, shifted)
    }

    fn shift_each(&mut self, inst: Value<'m>, shift: Shift) -> Lowered<()> {
        let (a, by) = self.two_lanes(inst)?;
        self.map_lanes(inst, |this, lane| Ok(this.shift(shift, a.width, a.get(lane), by.get(lane))))
    }

    /// Shifts all lanes by one amount: a number, or the lower half of a vector.
    fn shift_all(&mut self, inst: Value<'m>, shift: Shift) -> Lowered<()> {
        let (a, by) = self.two_lanes(inst)?;
        let (mut amount, from) = if by.count == 1 {
            (by.operand, by.width)
        } else {
            let mut amount = self.int(64, 0);
            for lane in 0..64 / by.width {
                let part = self.resize(false, by.width, 64, by.get(lane));
                let at = self.int(64, u128::from(lane * by.width));
                let part = self.bin(BinOp::Shl, 64, part, at);
                amount = self.bin(BinOp::Or, 64, amount, part);
            }
            (amount, 64)
        };
        // What does not fit into a lane is beyond its width as well.
        if from > a.width {
            let most = self.int(from, u128::from(a.width));
            amount = self.pick(CmpOp::Ult, from, amount, most);
        }
        let amount = self.resize(false, from, a.width, amount);
        self.map_lanes(inst, |this, lane| Ok(this.shift(shift, a.width, a.get(lane), amount)))
    }

    /// The lesser or greater one; the second if they cannot be compared or are both 0.
    fn extreme(&mut self, inst: Value<'m>, least: bool, lowest_only: bool) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let format = Format::of(inst.ty().lanes().0)?;
        self.map_lanes(inst, |this, lane| {
            let (x, y) = (a.get(lane), b.get(lane));
            if lowest_only && lane > 0 {
                return Ok(x);
            }
            let first = if least { this.float_cmp(LESS, format, x, y) } else { this.float_cmp(LESS, format, y, x) };
            Ok(this.select(a.width, first, x, y))
        })
    }

    /// All bits set where a comparison holds, which the last argument names.
    fn compare_floats(&mut self, inst: Value<'m>, lowest_only: bool) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let number = inst.operand(2).int_bits().unwrap_or(u128::MAX);
        // The upper half of the comparisons is the opposite of the lower half.
        let cmp = match number & 3 {
            0 => EQUAL,
            1 => LESS,
            2 => FloatCmp { equal: true, ..LESS },
            _ => FloatCmp { less: false, equal: false, greater: false, unordered: true },
        };
        if number > 7 {
            return Err(Unsupported::new(format!("comparison {number} of vectors of floats")));
        }
        let cmp = if number & 4 == 0 {
            cmp
        } else {
            FloatCmp { less: !cmp.less, equal: !cmp.equal, greater: !cmp.greater, unordered: !cmp.unordered }
        };
        self.map_lanes(inst, |this, lane| {
            if lowest_only && lane > 0 {
                return Ok(a.get(lane));
            }
            let holds = this.float_cmp(cmp, format, a.get(lane), b.get(lane));
            Ok(this.cast(CastOp::SExt, 1, a.width, holds))
        })
    }

    /// Compares the lowest lanes; 1 if it holds.
    fn compare_lowest(&mut self, inst: Value<'m>, cmp: FloatCmp) -> Lowered<()> {
        let (a, b) = self.two_lanes(inst)?;
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let holds = self.float_cmp(cmp, format, a.get(0), b.get(0));
        let to = int_width(inst.ty())?;
        let result = self.cast(CastOp::ZExt, 1, to, holds);
        self.bind(inst, result)
    }

    /// Converts floats, towards zero or as the rounding mode says. What does not fit becomes the least integer.
    fn floats_to_ints(&mut self, inst: Value<'m>, rounded: bool) -> Lowered<()> {
        let a = self.lanes_of(inst.operand(0))?;
        let format = Format::of(inst.operand(0).ty().lanes().0)?;
        let to = int_width(inst.ty().lanes().0)?;
        let limit = self.float_constant(format, Some(i64::from(to) - 1));
        let least = self.float_un(FloatUnOp::Neg, format, limit);
        self.map_lanes(inst, |this, lane| {
            if lane >= a.count {
                return Ok(this.int(to, 0));
            }
            let mut value = a.get(lane);
            value = this.float_un(if rounded { FloatUnOp::Rint } else { FloatUnOp::Trunc }, format, value);
            let below = this.float_cmp(LESS, format, value, limit);
            let above = this.float_cmp(FloatCmp { equal: true, ..LESS }, format, least, value);
            let fits = this.bin(BinOp::And, 1, below, above);
            let converted = this.float_to_int_value(format, to, true, value)?;
            let indefinite = this.int(to, 1 << (to - 1));
            Ok(this.select(to, fits, converted, indefinite))
        })
    }

    /// One step of a checksum for each bit of the second argument.
    fn crc32(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (sum, data) = self.two_lanes(inst)?;
        let width = data.width.max(32);
        let mut value = self.resize(false, sum.width, 32, sum.operand);
        value = self.resize(false, 32, width, value);
        let data_bits = self.resize(false, data.width, width, data.operand);
        value = self.bin(BinOp::Xor, width, value, data_bits);
        let (one, polynomial) = (self.int(width, 1), self.int(width, CRC32C));
        for _ in 0..data.width {
            let low = self.cast(CastOp::Trunc, width, 1, value);
            let shifted = self.bin(BinOp::LShr, width, value, one);
            let reduced = self.bin(BinOp::Xor, width, shifted, polynomial);
            value = self.select(width, low, reduced, shifted);
        }
        let value = self.resize(false, width, 32, value);
        let value = self.resize(false, 32, int_width(inst.ty())?, value);
        self.bind(inst, value)
    }
}

/// What a comparison in the name of an intrinsic means.
fn comparison(name: &str) -> Option<FloatCmp> {
    Some(match name {
        "eq" => EQUAL,
        "neq" => FloatCmp { less: true, equal: false, greater: true, unordered: true },
        "lt" => LESS,
        "le" => FloatCmp { equal: true, ..LESS },
        "gt" => FloatCmp { less: false, equal: false, greater: true, unordered: false },
        "ge" => FloatCmp { less: false, equal: true, greater: true, unordered: false },
        _ => return None,
    })
}
