//! The constructors of expressions. All of them simplify.
//!
//! They panic if operands have the wrong widths, which is a bug of the caller.

use crate::arith::wide;
use crate::expr::{Array, Expr, MAX_WIDTH, Width};
use crate::float::{self, Format};
use crate::native::NativeFn;
use crate::node::{NativeArgs, Stored};
use crate::op::{BinaryOp, FloatCast, FloatCmp, FloatOp, FloatUnOp, Rounding, UnaryOp};
use crate::pool::Pool;
use crate::rules::RuleId;

/// Defines the constructors of the operations on two integers.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        $($(#[$doc])* #[inline]
        pub fn $name(&mut self, a: Expr, b: Expr) -> Expr {
            self.binary(BinaryOp::$op, a, b)
        })*
    };
}

impl Pool {
    /// The little-endian word of `bytes` (1 to 16) consecutive input bytes.
    pub fn input(&mut self, first: u32, bytes: u8) -> Expr {
        assert!((1..=16).contains(&bytes), "an input word of {bytes} bytes");
        assert!(first.checked_add(bytes.into()).is_some(), "input byte {first} is too large");
        self.make(Stored::Input { first, bytes })
    }

    /// A placeholder. Holes with different ids may have different values.
    pub fn hole(&mut self, id: u32, width: Width) -> Expr {
        assert!((1..=MAX_WIDTH).contains(&width), "a width of {width} bits");
        self.make(Stored::Hole { id, width })
    }

    /// All bits flipped; the negation of a condition.
    #[inline]
    pub fn not(&mut self, a: Expr) -> Expr {
        self.unary(UnaryOp::Not, a)
    }

    /// Two's complement negation.
    #[inline]
    pub fn neg(&mut self, a: Expr) -> Expr {
        self.unary(UnaryOp::Neg, a)
    }

    /// The operation on one integer.
    pub fn unary(&mut self, op: UnaryOp, a: Expr) -> Expr {
        if let Some(value) = self.fold_operand(a) {
            let width = self.width(a);
            return self.folded(width, wide::unary(op, width, value));
        }
        self.make(Stored::Unary { op, a })
    }

    binary! {
        /// `a + b`
        add Add;
        /// `a - b`
        sub Sub;
        /// `a * b`
        mul Mul;
        /// Unsigned division; all ones for a division by zero.
        udiv UDiv;
        /// Signed division towards zero; by zero, 1 for negative and -1 for other dividends.
        sdiv SDiv;
        /// Remainder of `udiv`; the dividend for a division by zero.
        urem URem;
        /// Remainder of `sdiv`, with the sign of the dividend; the dividend for a division by zero.
        srem SRem;
        /// Bitwise and; the conjunction of conditions.
        and And;
        /// Bitwise or; the disjunction of conditions.
        or Or;
        /// Bitwise exclusive or.
        xor Xor;
        /// Shift left; 0 for shifts by the width or more.
        shl Shl;
        /// Shift right, filling with zeros; 0 for shifts by the width or more.
        lshr LShr;
        /// Shift right, filling with the sign, also for shifts by the width or more.
        ashr AShr;
        /// `a == b`
        eq Eq;
        /// `a < b`, unsigned
        ult Ult;
        /// `a <= b`, unsigned
        ule Ule;
        /// `a < b`, signed
        slt Slt;
        /// `a <= b`, signed
        sle Sle;
    }

    /// `a != b`
    pub fn ne(&mut self, a: Expr, b: Expr) -> Expr {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a > b`, unsigned
    pub fn ugt(&mut self, a: Expr, b: Expr) -> Expr {
        self.ult(b, a)
    }

    /// `a >= b`, unsigned
    pub fn uge(&mut self, a: Expr, b: Expr) -> Expr {
        self.ule(b, a)
    }

    /// `a > b`, signed
    pub fn sgt(&mut self, a: Expr, b: Expr) -> Expr {
        self.slt(b, a)
    }

    /// `a >= b`, signed
    pub fn sge(&mut self, a: Expr, b: Expr) -> Expr {
        self.sle(b, a)
    }

    /// The operation on two integers of the same width.
    pub fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "the operands of {op:?} have the same width");
        if let Some(y) = self.fold_operand(b)
            && let Some(x) = self.fold_operand(a)
        {
            let result_width = if op.is_comparison() { 1 } else { width };
            return self.folded(result_width, wide::binary(op, width, x, y));
        }
        // Constants go right, so that rules need to check only that side; otherwise older expressions go left.
        if op.is_commutative() && self.uses(RuleId::Commute) {
            let (constant_a, constant_b) = (self.as_const(a).is_some(), self.as_const(b).is_some());
            if constant_a && !constant_b || constant_a == constant_b && b < a {
                self.used(RuleId::Commute);
                return self.make(Stored::Binary { op, a: b, b: a });
            }
        }
        self.make(Stored::Binary { op, a, b })
    }

    /// `if c { a } else { b }`
    pub fn ite(&mut self, c: Expr, a: Expr, b: Expr) -> Expr {
        assert_eq!(self.width(c), 1, "a condition has one bit");
        assert_eq!(self.width(a), self.width(b), "the arms of an if-then-else have the same width");
        self.make(Stored::Ite { c, a, b })
    }

    /// `hi` as the high bits, `lo` as the low bits; together at most 128.
    pub fn concat(&mut self, hi: Expr, lo: Expr) -> Expr {
        let low_width = self.width(lo);
        let width = self.width(hi).saturating_add(low_width);
        assert!(width <= MAX_WIDTH, "a width of {width} bits");
        if let Some(low) = self.fold_operand(lo)
            && let Some(high) = self.fold_operand(hi)
        {
            return self.folded(width, high << low_width | low);
        }
        self.make(Stored::Concat { hi, lo })
    }

    /// Bits `low .. low + width`.
    pub fn extract(&mut self, e: Expr, low: u8, width: Width) -> Expr {
        let whole = self.width(e);
        assert!(
            width > 0 && low.checked_add(width).is_some_and(|end| end <= whole),
            "bits {low} to {low} + {width} of {whole}"
        );
        if width == whole {
            return e;
        }
        if let Some(value) = self.fold_operand(e) {
            return self.folded(width, value >> low);
        }
        self.make(Stored::Extract { low, width, e })
    }

    /// Zero-extended to `width` bits.
    pub fn zext(&mut self, e: Expr, width: Width) -> Expr {
        let from = self.width(e);
        assert!((from..=MAX_WIDTH).contains(&width), "an extension from {from} to {width} bits");
        if width == from {
            return e;
        }
        if let Some(value) = self.fold_operand(e) {
            return self.folded(width, value);
        }
        self.make(Stored::ZExt { width, e })
    }

    /// Sign-extended to `width` bits.
    pub fn sext(&mut self, e: Expr, width: Width) -> Expr {
        let from = self.width(e);
        assert!((from..=MAX_WIDTH).contains(&width), "an extension from {from} to {width} bits");
        if width == from {
            return e;
        }
        if let Some(value) = self.fold_operand(e) {
            return self.folded(width, wide::signed(from, value) as u128);
        }
        self.make(Stored::SExt { width, e })
    }

    /// The floating-point operation on two values of the same format, rounding to nearest.
    pub fn float(&mut self, op: FloatOp, a: Expr, b: Expr) -> Expr {
        self.float_in(Rounding::Nearest, op, a, b)
    }

    /// The floating-point operation on two values of the same format.
    pub fn float_in(&mut self, mode: Rounding, op: FloatOp, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "the operands of a float {op:?} have the same format");
        let format = Format::of(width);
        match op {
            FloatOp::Min | FloatOp::Max => {
                let better = if op == FloatOp::Min { FloatCmp::LESS } else { FloatCmp::GREATER };
                let a_is_nan = self.float_cmp(FloatCmp::UNORDERED, a, a);
                let b_wins = self.float_cmp(better, b, a);
                let take_b = self.or(a_is_nan, b_wins);
                return self.ite(take_b, b, a);
            }
            FloatOp::CopySign => {
                let sign = self.constant(width, format.sign.into());
                let magnitude = self.float_un(FloatUnOp::Abs, a);
                let sign = self.and(b, sign);
                return self.or(magnitude, sign);
            }
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem => {}
        }
        if let Some(y) = self.fold_operand(b)
            && let Some(x) = self.fold_operand(a)
        {
            return self.folded(width, float::binary_in(mode, op, width, x as u64, y as u64).into());
        }
        let mode = if op.rounds() { mode } else { Rounding::Nearest };
        self.make(Stored::Float { op, mode, a, b })
    }

    /// The floating-point operation on one value, rounding to nearest.
    pub fn float_un(&mut self, op: FloatUnOp, a: Expr) -> Expr {
        self.float_un_in(Rounding::Nearest, op, a)
    }

    /// The floating-point operation on one value.
    pub fn float_un_in(&mut self, mode: Rounding, op: FloatUnOp, a: Expr) -> Expr {
        let op = op.in_mode(mode);
        let width = self.width(a);
        let format = Format::of(width);
        if op == FloatUnOp::Neg {
            let sign = self.constant(width, format.sign.into());
            return self.xor(a, sign);
        }
        if op == FloatUnOp::Abs {
            let magnitude = self.constant(width, (!format.sign).into());
            return self.and(a, magnitude);
        }
        if let Some(x) = self.fold_operand(a) {
            return self.folded(width, float::unary_in(mode, op, width, x as u64).into());
        }
        let mode = if op.rounds() { mode } else { Rounding::Nearest };
        self.make(Stored::FloatUn { op, mode, a })
    }

    /// The floating-point comparison; a condition.
    pub fn float_cmp(&mut self, cmp: FloatCmp, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "the operands of a float comparison have the same format");
        Format::of(width);
        if let Some(y) = self.fold_operand(b)
            && let Some(x) = self.fold_operand(a)
        {
            return self.folded(1, float::compare(cmp, width, x as u64, y as u64).into());
        }
        self.make(Stored::FloatCmp { cmp, a, b })
    }

    /// Converted to a value of width `to`, rounding to nearest. Integers have at most 64 bits.
    pub fn float_cast(&mut self, op: FloatCast, a: Expr, to: Width) -> Expr {
        self.float_cast_in(Rounding::Nearest, op, a, to)
    }

    /// Converted to a value of width `to`. Integers have at most 64 bits.
    pub fn float_cast_in(&mut self, mode: Rounding, op: FloatCast, a: Expr, to: Width) -> Expr {
        let from = self.width(a);
        let (float_width, other) = match op {
            FloatCast::Float => (from, to),
            FloatCast::ToSigned | FloatCast::ToUnsigned => (from, to),
            FloatCast::FromSigned | FloatCast::FromUnsigned => (to, from),
        };
        Format::of(float_width);
        assert!((1..=64).contains(&other), "a conversion between a float and a value of {other} bits");
        if op == FloatCast::Float {
            Format::of(to);
            if from == to {
                return a;
            }
        }
        if let Some(x) = self.fold_operand(a) {
            return self.folded(to, float::cast_in(mode, op, from, to, x as u64).into());
        }
        match op {
            FloatCast::ToSigned if to != 32 && to != 64 => self.part_of_integer(a, if to < 32 { 32 } else { 64 }, to),
            FloatCast::ToUnsigned if to < 32 => self.part_of_integer(a, 32, to),
            FloatCast::ToUnsigned if to < 64 => self.part_of_integer(a, 64, to),
            FloatCast::ToUnsigned => {
                // 2^63 is subtracted from larger values before the conversion; the failed first conversion leaves its
                // bit set.
                let small = self.float_cast(FloatCast::ToSigned, a, 64);
                let limit = self.constant(from, float::two_to_the_63(from).into());
                let reduced = self.float(FloatOp::Sub, a, limit);
                let large = self.float_cast(FloatCast::ToSigned, reduced, 64);
                let shift = self.constant(64, 63);
                let failed = self.ashr(small, shift);
                let large = self.and(large, failed);
                self.or(small, large)
            }
            _ => {
                let mode = if op.rounds(from, to) { mode } else { Rounding::Nearest };
                self.make(Stored::FloatCast { op, mode, width: to, e: a })
            }
        }
    }

    /// `a * b + c`, rounded once, to nearest.
    pub fn fused_mul_add(&mut self, a: Expr, b: Expr, c: Expr) -> Expr {
        self.fused_mul_add_in(Rounding::Nearest, a, b, c)
    }

    /// `a * b + c`, rounded once.
    pub fn fused_mul_add_in(&mut self, mode: Rounding, a: Expr, b: Expr, c: Expr) -> Expr {
        let width = self.width(a);
        assert!(
            self.width(b) == width && self.width(c) == width,
            "the operands of a fused operation have the same format"
        );
        Format::of(width);
        if let Some(x) = self.fold_operand(a)
            && let Some(y) = self.fold_operand(b)
            && let Some(z) = self.fold_operand(c)
        {
            return self.folded(width, float::fused_mul_add_in(mode, width, x as u64, y as u64, z as u64).into());
        }
        self.make(Stored::FusedMulAdd { mode, a, b, c })
    }

    /// The result of a mathematical function on one or two floats of the same format.
    pub fn native(&mut self, function: NativeFn, args: &[Expr]) -> Expr {
        let width = self.width(args[0]);
        Format::of(width);
        assert_eq!(args.len(), function.arity(), "arguments of {}", function.name(width));
        assert!(args.iter().all(|&arg| self.width(arg) == width), "the arguments of a function have the same format");
        let values: Option<Vec<u64>> = args.iter().map(|&arg| self.fold_operand(arg).map(|x| x as u64)).collect();
        match values {
            Some(values) => self.folded(width, function.call(width, &values).into()),
            None => self.make(Stored::Native { function, args: NativeArgs::new(args) }),
        }
    }

    /// The element at a 64-bit index; 0 if the index is out of range.
    pub fn select(&mut self, array: Array, index: Expr) -> Expr {
        assert_eq!(self.width(index), 64, "an index has 64 bits");
        self.make(Stored::Select { array, index })
    }

    /// The low bits of a conversion to a signed integer of 32 or 64 bits.
    fn part_of_integer(&mut self, a: Expr, whole: Width, width: Width) -> Expr {
        let integer = self.float_cast(FloatCast::ToSigned, a, whole);
        self.extract(integer, 0, width)
    }

    /// The value of a constant, if constants are folded.
    #[inline]
    fn fold_operand(&self, e: Expr) -> Option<u128> {
        if self.uses(RuleId::ConstantFold) { self.as_const(e) } else { None }
    }

    #[inline]
    fn folded(&mut self, width: Width, value: u128) -> Expr {
        self.used(RuleId::ConstantFold);
        self.constant(width, value)
    }
}
