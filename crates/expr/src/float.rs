//! Evaluation of the floating-point operations, on the bits of `float`s (width 32) and `double`s (width 64).
//!
//! Results are bit-exact those of x86-64 code, even if they are NaN: the first NaN operand is returned with its quiet
//! bit set, and an invalid operation on numbers returns the default NaN, whose sign is set. The compiler may fold such
//! operations to other bits than the processor computes, so the rule is implemented here.

use crate::arith::narrow;
use crate::directed;
use crate::expr::Width;
use crate::op::{FloatCast, FloatCmp, FloatOp, FloatUnOp, Rounding};

/// The layout of one format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// All bits together: 32 or 64.
    pub width: Width,
    /// Bits of the exponent.
    pub exponent: u8,
    /// Bits of the significand, with the hidden one.
    pub significand: u8,
    /// The sign bit.
    pub sign: u64,
    /// The bits of infinity.
    pub infinity: u64,
    /// The bit that makes a NaN quiet.
    pub quiet: u64,
    /// The result of an invalid operation on numbers.
    pub default_nan: u64,
}

/// C's `float`.
pub const SINGLE: Format = Format {
    width: 32,
    exponent: 8,
    significand: 24,
    sign: 1 << 31,
    infinity: 0x7f80_0000,
    quiet: 1 << 22,
    default_nan: 0xffc0_0000,
};

/// C's `double`.
pub const DOUBLE: Format = Format {
    width: 64,
    exponent: 11,
    significand: 53,
    sign: 1 << 63,
    infinity: 0x7ff0_0000_0000_0000,
    quiet: 1 << 51,
    default_nan: 0xfff8_0000_0000_0000,
};

impl Format {
    /// The format of this width, which must be 32 or 64.
    pub fn of(width: Width) -> Format {
        match width {
            32 => SINGLE,
            64 => DOUBLE,
            _ => panic!("no floating-point format has {width} bits"),
        }
    }

    /// The bits are a NaN.
    #[inline]
    pub fn is_nan(&self, bits: u64) -> bool {
        bits & !self.sign > self.infinity
    }

    /// The bits of a NaN result: those of the first NaN operand, made quiet, or the default.
    fn nan_result(&self, operands: &[u64]) -> u64 {
        operands.iter().find(|&&bits| self.is_nan(bits)).map_or(self.default_nan, |bits| bits | self.quiet)
    }
}

/// Evaluates the body with `f32` or `f64`; the arguments are bits outside and floats inside.
macro_rules! with_format {
    ($width:expr, ($($arg:ident),*) => $body:expr) => {
        if $width == 32 {
            $(let $arg = f32::from_bits($arg as u32);)*
            u64::from(f32::to_bits($body))
        } else {
            $(let $arg = f64::from_bits($arg);)*
            f64::to_bits($body)
        }
    };
}

/// `a op b`, in the rounding mode to nearest.
pub fn binary(op: FloatOp, width: Width, a: u64, b: u64) -> u64 {
    let format = Format::of(width);
    let result = match op {
        FloatOp::Add => with_format!(width, (a, b) => a + b),
        FloatOp::Sub => with_format!(width, (a, b) => a - b),
        FloatOp::Mul => with_format!(width, (a, b) => a * b),
        FloatOp::Div => with_format!(width, (a, b) => a / b),
        FloatOp::Rem => with_format!(width, (a, b) => a % b),
        FloatOp::Min => return if format.is_nan(a) || compare(FloatCmp::LESS, width, b, a) { b } else { a },
        FloatOp::Max => return if format.is_nan(a) || compare(FloatCmp::GREATER, width, b, a) { b } else { a },
        FloatOp::CopySign => return a & !format.sign | b & format.sign,
    };
    if format.is_nan(result) { format.nan_result(&[a, b]) } else { result }
}

/// `a op b` in a rounding mode.
#[inline]
pub fn binary_in(mode: Rounding, op: FloatOp, width: Width, a: u64, b: u64) -> u64 {
    if mode == Rounding::Nearest || !op.rounds() {
        return binary(op, width, a, b);
    }
    let (format, result) = (Format::of(width), directed::binary(mode, op, width, a, b));
    if format.is_nan(result) { format.nan_result(&[a, b]) } else { result }
}

/// `op a`, in the rounding mode to nearest.
pub fn unary(op: FloatUnOp, width: Width, a: u64) -> u64 {
    let format = Format::of(width);
    let result = match op {
        FloatUnOp::Neg => return a ^ format.sign,
        FloatUnOp::Abs => return a & !format.sign,
        FloatUnOp::Sqrt => with_format!(width, (a) => a.sqrt()),
        FloatUnOp::Floor => with_format!(width, (a) => a.floor()),
        FloatUnOp::Ceil => with_format!(width, (a) => a.ceil()),
        FloatUnOp::Trunc => with_format!(width, (a) => a.trunc()),
        FloatUnOp::Round => with_format!(width, (a) => a.round()),
        FloatUnOp::RoundEven | FloatUnOp::Rint => with_format!(width, (a) => a.round_ties_even()),
    };
    if format.is_nan(result) { format.nan_result(&[a]) } else { result }
}

/// `op a` in a rounding mode.
#[inline]
pub fn unary_in(mode: Rounding, op: FloatUnOp, width: Width, a: u64) -> u64 {
    if mode == Rounding::Nearest || op != FloatUnOp::Sqrt {
        return unary(op.in_mode(mode), width, a);
    }
    let (format, result) = (Format::of(width), directed::square_root(mode, width, a));
    if format.is_nan(result) { format.nan_result(&[a]) } else { result }
}

/// `a * b + c`, rounded once, to nearest.
pub fn fused_mul_add(width: Width, a: u64, b: u64, c: u64) -> u64 {
    let format = Format::of(width);
    let result = with_format!(width, (a, b, c) => a.mul_add(b, c));
    if format.is_nan(result) { format.nan_result(&[a, b, c]) } else { result }
}

/// `a * b + c`, rounded once, in a rounding mode.
pub fn fused_mul_add_in(mode: Rounding, width: Width, a: u64, b: u64, c: u64) -> u64 {
    if mode == Rounding::Nearest {
        return fused_mul_add(width, a, b, c);
    }
    let (format, result) = (Format::of(width), directed::fused_mul_add(mode, width, a, b, c));
    if format.is_nan(result) { format.nan_result(&[a, b, c]) } else { result }
}

/// Whether the comparison holds.
pub fn compare(cmp: FloatCmp, width: Width, a: u64, b: u64) -> bool {
    let order = to_double(width, a).partial_cmp(&to_double(width, b));
    match order {
        Some(std::cmp::Ordering::Less) => cmp.less,
        Some(std::cmp::Ordering::Equal) => cmp.equal,
        Some(std::cmp::Ordering::Greater) => cmp.greater,
        None => cmp.unordered,
    }
}

/// Converts in a rounding mode from a value of width `from` to one of width `to`; integers have at most 64 bits.
#[inline]
pub fn cast_in(mode: Rounding, op: FloatCast, from: Width, to: Width, a: u64) -> u64 {
    if mode == Rounding::Nearest || !op.rounds(from, to) {
        return cast(op, from, to, a);
    }
    match op {
        FloatCast::FromSigned => directed::from_integer(mode, to, i128::from(narrow::signed(from, a))),
        FloatCast::FromUnsigned => directed::from_integer(mode, to, i128::from(a)),
        _ if Format::of(from).is_nan(a) => cast(op, from, to, a),
        _ => directed::narrow(mode, a),
    }
}

/// Converts from a value of width `from` to one of width `to`, rounding to nearest; integers have at most 64 bits.
pub fn cast(op: FloatCast, from: Width, to: Width, a: u64) -> u64 {
    match op {
        FloatCast::Float => convert_format(from, to, a),
        FloatCast::ToSigned => to_signed(from, to, a),
        FloatCast::ToUnsigned if to < 32 => to_signed(from, 32, a) & narrow::mask(to),
        FloatCast::ToUnsigned if to < 64 => to_signed(from, 64, a) & narrow::mask(to),
        FloatCast::ToUnsigned => {
            let small = to_signed(from, 64, a);
            let large = to_signed(from, 64, binary(FloatOp::Sub, from, a, two_to_the_63(from)));
            small | large & ((small as i64) >> 63) as u64
        }
        FloatCast::FromSigned => {
            let value = narrow::signed(from, a);
            if to == 32 { u64::from((value as f32).to_bits()) } else { (value as f64).to_bits() }
        }
        FloatCast::FromUnsigned => {
            if to == 32 {
                u64::from((a as f32).to_bits())
            } else {
                (a as f64).to_bits()
            }
        }
    }
}

/// The bits of 2^63, the least number that does not fit into a signed 64-bit integer.
pub(crate) fn two_to_the_63(width: Width) -> u64 {
    if width == 32 { u64::from(9_223_372_036_854_775_808f32.to_bits()) } else { 9_223_372_036_854_775_808f64.to_bits() }
}

/// The result of `cvttsd2si`, with a 32-bit register for integers of up to 32 bits and a 64-bit register for others.
fn to_signed(from: Width, to: Width, a: u64) -> u64 {
    let truncated = to_double(from, a).trunc();
    let limit = if to <= 32 { 2_147_483_648f64 } else { 9_223_372_036_854_775_808f64 };
    let fits = truncated >= -limit && truncated < limit;
    // The negated limit is the "integer indefinite", the result for all values that do not fit.
    let value = if fits { truncated as i64 } else { -limit as i64 };
    value as u64 & narrow::mask(to)
}

fn convert_format(from: Width, to: Width, a: u64) -> u64 {
    let (source, target) = (Format::of(from), Format::of(to));
    if source.is_nan(a) && from != to {
        let sign = if a & source.sign != 0 { target.sign } else { 0 };
        let payload = a & (source.quiet - 1);
        let payload = if from == 32 { payload << 29 } else { payload >> 29 };
        return sign | target.infinity | target.quiet | payload;
    }
    match (from, to) {
        (32, 64) => to_double(from, a).to_bits(),
        (64, 32) => u64::from((f64::from_bits(a) as f32).to_bits()),
        _ => a,
    }
}

#[inline]
fn to_double(width: Width, bits: u64) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}
