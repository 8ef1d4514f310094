//! Floating-point operations in the rounding modes other than to nearest, as the processor computes them.
//!
//! Compilers assume rounding to nearest when they fold and move operations. So each operation is one piece of inline
//! assembly, which sets the mode and restores the old one.

use std::arch::asm;
use std::hint::black_box;

use crate::expr::Width;
use crate::op::{FloatOp, Rounding};

/// The value of MXCSR: all exceptions masked, and the mode.
fn control(mode: Rounding) -> u32 {
    const MASKED: u32 = 0x1f80;
    let bits = match mode {
        Rounding::Nearest => 0,
        Rounding::Down => 1,
        Rounding::Up => 2,
        Rounding::TowardsZero => 3,
    };
    MASKED | bits << 13
}

/// Executes an instruction on a register with `$value` in a mode; its other operands follow.
macro_rules! in_mode {
    ($mode:expr, $instruction:literal, $value:ident $(, $name:ident = $class:ident $other:expr)*) => {{
        let (new, mut old) = (control($mode), 0u32);
        // SAFETY: the instruction uses only registers; the control register is saved before and restored after it.
        unsafe {
            asm!(
                "stmxcsr [{old}]",
                "ldmxcsr [{new}]",
                $instruction,
                "ldmxcsr [{old}]",
                old = in(reg) &mut old,
                new = in(reg) &new,
                value = inout(xmm_reg) $value,
                $($name = in($class) $other,)*
                options(nostack),
            );
        }
    }};
}

/// `a op b`, for operations that round. The caller replaces the bits of a NaN result.
pub(crate) fn binary(mode: Rounding, op: FloatOp, width: Width, a: u64, b: u64) -> u64 {
    if width == 32 {
        let (mut value, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        match op {
            FloatOp::Add => in_mode!(mode, "addss {value}, {b}", value, b = xmm_reg b),
            FloatOp::Sub => in_mode!(mode, "subss {value}, {b}", value, b = xmm_reg b),
            FloatOp::Mul => in_mode!(mode, "mulss {value}, {b}", value, b = xmm_reg b),
            FloatOp::Div => in_mode!(mode, "divss {value}, {b}", value, b = xmm_reg b),
            _ => unreachable!("{op:?} does not round"),
        }
        return value.to_bits().into();
    }
    let (mut value, b) = (f64::from_bits(a), f64::from_bits(b));
    match op {
        FloatOp::Add => in_mode!(mode, "addsd {value}, {b}", value, b = xmm_reg b),
        FloatOp::Sub => in_mode!(mode, "subsd {value}, {b}", value, b = xmm_reg b),
        FloatOp::Mul => in_mode!(mode, "mulsd {value}, {b}", value, b = xmm_reg b),
        FloatOp::Div => in_mode!(mode, "divsd {value}, {b}", value, b = xmm_reg b),
        _ => unreachable!("{op:?} does not round"),
    }
    value.to_bits()
}

/// The square root. The caller replaces the bits of a NaN result.
pub(crate) fn square_root(mode: Rounding, width: Width, a: u64) -> u64 {
    if width == 32 {
        let mut value = f32::from_bits(a as u32);
        in_mode!(mode, "sqrtss {value}, {value}", value);
        return value.to_bits().into();
    }
    let mut value = f64::from_bits(a);
    in_mode!(mode, "sqrtsd {value}, {value}", value);
    value.to_bits()
}

/// A `double` as a `float`. It must not be NaN.
pub(crate) fn narrow(mode: Rounding, a: u64) -> u64 {
    let mut value = f64::from_bits(a);
    in_mode!(mode, "cvtsd2ss {value}, {value}", value);
    // The result is in the low half of the register.
    value.to_bits() & u64::from(u32::MAX)
}

/// A signed or unsigned integer of 64 bits as a float.
pub(crate) fn from_integer(mode: Rounding, width: Width, integer: i128) -> u64 {
    // A value that does not fit into a signed register is halved; its last bit is kept as a sticky bit, so that
    // rounding is right.
    let (small, is_halved) = match i64::try_from(integer) {
        Ok(small) => (small, false),
        Err(_) => ((integer >> 1 | integer & 1) as i64, true),
    };
    if width == 32 {
        let mut value = 0f32;
        in_mode!(mode, "cvtsi2ss {value}, {small}", value, small = reg small);
        return (if is_halved { value * 2.0 } else { value }).to_bits().into();
    }
    let mut value = 0f64;
    in_mode!(mode, "cvtsi2sd {value}, {small}", value, small = reg small);
    (if is_halved { value * 2.0 } else { value }).to_bits()
}

unsafe extern "C" {
    fn fma(a: f64, b: f64, c: f64) -> f64;
    fn fmaf(a: f32, b: f32, c: f32) -> f32;
}

/// `a * b + c`, rounded once. The caller replaces the bits of a NaN result.
pub(crate) fn fused_mul_add(mode: Rounding, width: Width, a: u64, b: u64, c: u64) -> u64 {
    let (new, mut old) = (control(mode), 0u32);
    // Not every processor has an instruction for it, but the function of the C library respects the mode. The compiler
    // must not know which function it is, or it might fold or move the call.
    let (double, single) =
        (black_box(fma as unsafe extern "C" fn(_, _, _) -> _), black_box(fmaf as unsafe extern "C" fn(_, _, _) -> _));
    // SAFETY: the functions accept any values. The mode is restored before anything else is computed.
    unsafe {
        asm!("stmxcsr [{}]", "ldmxcsr [{}]", in(reg) &mut old, in(reg) &new, options(nostack));
        let bits = if width == 32 {
            let part = |bits: u64| f32::from_bits(bits as u32);
            f32::to_bits(single(part(a), part(b), part(c))).into()
        } else {
            f64::to_bits(double(f64::from_bits(a), f64::from_bits(b), f64::from_bits(c)))
        };
        asm!("ldmxcsr [{}]", in(reg) &old, options(nostack));
        bits
    }
}
