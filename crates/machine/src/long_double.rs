//! x86 `long double` arithmetic, done natively and on concrete values only.
//!
//! An operand that depends on the input is concretised; its other values stay pending.

use secateur_expr::Rounding;
use secateur_program::{FloatCmp, FloatOp, FloatUnOp, LongDoubleOp, Operand};

use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::{Value, mask, signed};

/// The operands that an operation reads; unused places repeat the first.
pub(crate) fn operands(op: LongDoubleOp, a: Operand, b: Operand) -> [Operand; 4] {
    match op {
        LongDoubleOp::Bin(_) | LongDoubleOp::Cmp(_) => [a, a.offset(1), b, b.offset(1)],
        LongDoubleOp::Un(_) | LongDoubleOp::ToFloat(_) | LongDoubleOp::ToSigned(_) | LongDoubleOp::ToUnsigned(_) => {
            [a, a.offset(1), a, a]
        }
        LongDoubleOp::FromFloat(_) | LongDoubleOp::FromSigned(_) | LongDoubleOp::FromUnsigned(_) => [a; 4],
    }
}

impl Machine {
    /// Computes the slots of the result; the second is `None` if there is only one.
    pub(crate) fn long_double(
        &mut self,
        state: &mut State,
        op: LongDoubleOp,
        operands: [Value; 4],
    ) -> StepResult<(u64, Option<u64>)> {
        let mut bits = [0; 4];
        for (bits, operand) in bits.iter_mut().zip(operands) {
            *bits = self.pin(state, operand)?;
        }
        match x87::compute_in(self.rounding, op, bits) {
            Some(result) => Ok(result),
            None => Err(self.unsupported(state, "long double arithmetic (only on x86-64)")),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x87 {
    use super::*;
    use std::arch::asm;

    /// A number in the x87 extended format, padded as in memory.
    #[repr(C, align(16))]
    #[derive(Clone, Copy)]
    struct Extended([u8; 16]);

    impl Extended {
        fn new(low: u64, high: u64) -> Extended {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&low.to_le_bytes());
            bytes[8..10].copy_from_slice(&(high as u16).to_le_bytes());
            Extended(bytes)
        }

        fn slots(self) -> (u64, Option<u64>) {
            let mut low = [0; 8];
            low.copy_from_slice(&self.0[..8]);
            (u64::from_le_bytes(low), Some(u64::from(u16::from_le_bytes([self.0[8], self.0[9]]))))
        }
    }

    /// An instruction sequence that loads, computes and stores, and leaves the x87 stack as it found it.
    macro_rules! x87 {
        ($($line:literal),+; $($name:ident = $pointer:expr),+) => {
            // SAFETY: the pointers are to live, properly sized locals, and the x87 registers are declared as clobbered.
            unsafe {
                asm!($($line),+, $($name = in(reg) $pointer,)+ out("ax") _,
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack));
            }
        };
    }

    /// Computes in a rounding mode.
    pub(super) fn compute_in(mode: Rounding, op: LongDoubleOp, bits: [u64; 4]) -> Option<(u64, Option<u64>)> {
        let number = match mode {
            Rounding::Nearest => return compute(op, bits),
            Rounding::Down => 1,
            Rounding::Up => 2,
            Rounding::TowardsZero => 3,
        };
        let op = match op {
            LongDoubleOp::Un(op) => LongDoubleOp::Un(op.in_mode(mode)),
            op => op,
        };
        let mut saved = 0u16;
        // SAFETY: the pointers are to live locals. Only this module uses the x87 unit. It relies on the default control
        // word, which differs from this one in the rounding mode only and is restored before anything else runs.
        unsafe { asm!("fnstcw [{}]", in(reg) &mut saved, options(nostack)) };
        let control = saved & !(3 << 10) | number << 10;
        unsafe { asm!("fldcw [{}]", in(reg) &control, options(nostack)) };
        let result = compute(op, bits);
        unsafe { asm!("fldcw [{}]", in(reg) &saved, options(nostack)) };
        result
    }

    fn compute(op: LongDoubleOp, bits: [u64; 4]) -> Option<(u64, Option<u64>)> {
        let a = Extended::new(bits[0], bits[1]);
        let b = Extended::new(bits[2], bits[3]);
        Some(match op {
            LongDoubleOp::Bin(op) => binary(op, a, b).slots(),
            LongDoubleOp::Un(op) => unary(op, a).slots(),
            LongDoubleOp::Cmp(cmp) => (u64::from(compare(cmp, a, b)), None),
            LongDoubleOp::FromFloat(32) => from_f64(f64::from(f32::from_bits(bits[0] as u32))).slots(),
            LongDoubleOp::FromFloat(_) => from_f64(f64::from_bits(bits[0])).slots(),
            LongDoubleOp::ToFloat(32) => (u64::from(to_f32(a).to_bits()), None),
            LongDoubleOp::ToFloat(_) => (to_f64(a).to_bits(), None),
            LongDoubleOp::FromSigned(width) => from_i64(signed(bits[0], width)).slots(),
            LongDoubleOp::FromUnsigned(_) => from_u64(bits[0]).slots(),
            LongDoubleOp::ToSigned(width) => (to_i64(a) as u64 & mask(width), None),
            LongDoubleOp::ToUnsigned(width) => (to_u64(a) & mask(width), None),
        })
    }

    fn binary(op: FloatOp, a: Extended, b: Extended) -> Extended {
        let mut result = Extended([0; 16]);
        let r = &raw mut result;
        match op {
            FloatOp::Add => {
                x87!("fld tbyte ptr [{a}]", "fld tbyte ptr [{b}]", "faddp st(1), st", "fstp tbyte ptr [{r}]";
                    a = &raw const a, b = &raw const b, r = r)
            }
            FloatOp::Sub => {
                x87!("fld tbyte ptr [{b}]", "fld tbyte ptr [{a}]", "fsub st, st(1)", "fstp tbyte ptr [{r}]",
                    "fstp st(0)"; a = &raw const a, b = &raw const b, r = r)
            }
            FloatOp::Mul => {
                x87!("fld tbyte ptr [{a}]", "fld tbyte ptr [{b}]", "fmulp st(1), st", "fstp tbyte ptr [{r}]";
                    a = &raw const a, b = &raw const b, r = r)
            }
            FloatOp::Div => {
                x87!("fld tbyte ptr [{b}]", "fld tbyte ptr [{a}]", "fdiv st, st(1)", "fstp tbyte ptr [{r}]",
                    "fstp st(0)"; a = &raw const a, b = &raw const b, r = r)
            }
            FloatOp::Rem => {
                x87!("fld tbyte ptr [{b}]", "fld tbyte ptr [{a}]", "2:", "fprem", "fnstsw ax", "test ah, 4", "jnz 2b",
                    "fstp tbyte ptr [{r}]", "fstp st(0)";
                    a = &raw const a, b = &raw const b, r = r)
            }
            FloatOp::Min | FloatOp::Max => {
                let (less, unordered) = (FloatCmp::LESS, FloatCmp::UNORDERED);
                let take_a = compare(unordered, b, b)
                    || !compare(unordered, a, a) && compare(less, a, b) == (op == FloatOp::Min);
                return if take_a { a } else { b };
            }
            FloatOp::CopySign => {
                result = a;
                result.0[9] = a.0[9] & 0x7f | b.0[9] & 0x80;
            }
        }
        result
    }

    fn unary(op: FloatUnOp, a: Extended) -> Extended {
        let mut result = a;
        let r = &raw mut result;
        match op {
            FloatUnOp::Neg => result.0[9] ^= 0x80,
            FloatUnOp::Abs => result.0[9] &= 0x7f,
            FloatUnOp::Sqrt => {
                x87!("fld tbyte ptr [{a}]", "fsqrt", "fstp tbyte ptr [{r}]"; a = &raw const a, r = r)
            }
            FloatUnOp::RoundEven | FloatUnOp::Rint => rounded(a, r, 0),
            FloatUnOp::Floor => rounded(a, r, 1),
            FloatUnOp::Ceil => rounded(a, r, 2),
            FloatUnOp::Trunc => rounded(a, r, 3),
            FloatUnOp::Round => {
                // Ties round away from zero: truncate, and add one in magnitude if the fraction is at least a half.
                let whole = unary(FloatUnOp::Trunc, a);
                let rest = unary(FloatUnOp::Abs, binary(FloatOp::Sub, a, whole));
                if compare(FloatCmp::LESS, rest, from_f64(0.5)) || compare(FloatCmp::UNORDERED, rest, rest) {
                    return whole;
                }
                let one = binary(FloatOp::CopySign, from_f64(1.0), a);
                return binary(FloatOp::Add, whole, one);
            }
        }
        result
    }

    /// Rounds to an integer with the given rounding control.
    fn rounded(a: Extended, r: *mut Extended, control: u16) {
        let mut saved = 0u16;
        let s = &raw mut saved;
        x87!("fnstcw word ptr [{s}]"; s = s);
        let wanted = saved & !0x0c00 | control << 10;
        x87!("fldcw word ptr [{w}]", "fld tbyte ptr [{a}]", "frndint", "fstp tbyte ptr [{r}]", "fldcw word ptr [{s}]";
            w = &raw const wanted, a = &raw const a, r = r, s = s);
    }

    fn compare(cmp: FloatCmp, a: Extended, b: Extended) -> bool {
        let mut status = 0u16;
        // Condition bits after comparing st(0) = a with st(1) = b: C0 (bit 8) less, C3 (bit 14) equal, C2 (bit 10)
        // unordered.
        x87!("fld tbyte ptr [{b}]", "fld tbyte ptr [{a}]", "fucompp", "fnstsw ax", "mov word ptr [{s}], ax";
            a = &raw const a, b = &raw const b, s = &raw mut status);
        let (less, unordered, equal) = (status >> 8 & 1 == 1, status >> 10 & 1 == 1, status >> 14 & 1 == 1);
        if unordered {
            cmp.unordered
        } else if equal {
            cmp.equal
        } else if less {
            cmp.less
        } else {
            cmp.greater
        }
    }

    fn from_f64(value: f64) -> Extended {
        let mut result = Extended([0; 16]);
        x87!("fld qword ptr [{a}]", "fstp tbyte ptr [{r}]"; a = &raw const value, r = &raw mut result);
        result
    }

    fn to_f64(a: Extended) -> f64 {
        let mut result = 0f64;
        x87!("fld tbyte ptr [{a}]", "fstp qword ptr [{r}]"; a = &raw const a, r = &raw mut result);
        result
    }

    fn to_f32(a: Extended) -> f32 {
        let mut result = 0f32;
        x87!("fld tbyte ptr [{a}]", "fstp dword ptr [{r}]"; a = &raw const a, r = &raw mut result);
        result
    }

    fn from_i64(value: i64) -> Extended {
        let mut result = Extended([0; 16]);
        x87!("fild qword ptr [{a}]", "fstp tbyte ptr [{r}]"; a = &raw const value, r = &raw mut result);
        result
    }

    fn from_u64(value: u64) -> Extended {
        let low = from_i64((value >> 1) as i64);
        let doubled = binary(FloatOp::Add, low, low);
        binary(FloatOp::Add, doubled, from_i64((value & 1) as i64))
    }

    fn to_i64(a: Extended) -> i64 {
        let whole = unary(FloatUnOp::Trunc, a);
        let mut result = 0i64;
        x87!("fld tbyte ptr [{a}]", "fistp qword ptr [{r}]"; a = &raw const whole, r = &raw mut result);
        result
    }

    fn to_u64(a: Extended) -> u64 {
        let limit = from_f64(9_223_372_036_854_775_808.0);
        if compare(FloatCmp::LESS, a, limit) {
            return to_i64(a) as u64;
        }
        to_i64(binary(FloatOp::Sub, a, limit)) as u64 ^ 1 << 63
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn doubles_survive_a_round_trip_through_long_double() {
            for value in [0.0, -0.0, 1.0, -1.5, 1e300, 5e-324, f64::INFINITY] {
                assert_eq!(to_f64(from_f64(value)).to_bits(), value.to_bits());
            }
            assert!(to_f64(from_f64(f64::NAN)).is_nan());
        }

        #[test]
        fn arithmetic_has_64_bits_of_precision() {
            let big = from_u64(u64::MAX);
            assert_eq!(to_u64(big), u64::MAX);
            let less = binary(FloatOp::Sub, big, from_f64(1.0));
            assert_eq!(to_u64(less), u64::MAX - 1);
            assert_eq!(to_f64(binary(FloatOp::Div, from_f64(7.0), from_f64(2.0))), 3.5);
            assert_eq!(to_f64(binary(FloatOp::Rem, from_f64(7.5), from_f64(2.0))), 1.5);
            assert_eq!(to_f64(unary(FloatUnOp::Sqrt, from_f64(2.25))), 1.5);
        }

        #[test]
        fn each_rounding_operation_rounds_in_its_direction() {
            let of = |op, value| to_f64(unary(op, from_f64(value)));
            assert_eq!(of(FloatUnOp::Floor, -1.5), -2.0);
            assert_eq!(of(FloatUnOp::Ceil, -1.5), -1.0);
            assert_eq!(of(FloatUnOp::Trunc, -1.7), -1.0);
            assert_eq!(of(FloatUnOp::Round, 2.5), 3.0);
            assert_eq!(of(FloatUnOp::Round, -2.5), -3.0);
            assert_eq!(of(FloatUnOp::RoundEven, 2.5), 2.0);
            assert_eq!(to_i64(from_f64(-3.99)), -3);
        }

        #[test]
        fn comparisons_distinguish_all_four_outcomes() {
            let (one, two, nan) = (from_f64(1.0), from_f64(2.0), from_f64(f64::NAN));
            assert!(compare(FloatCmp::LESS, one, two) && !compare(FloatCmp::LESS, two, one));
            assert!(compare(FloatCmp::GREATER, two, one) && compare(FloatCmp::EQUAL, one, one));
            assert!(compare(FloatCmp::UNORDERED, one, nan) && !compare(FloatCmp::EQUAL, nan, nan));
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod x87 {
    use super::*;

    pub(super) fn compute_in(_: Rounding, _: LongDoubleOp, _: [u64; 4]) -> Option<(u64, Option<u64>)> {
        let _ = (FloatCmp::LESS, FloatOp::Add, FloatUnOp::Neg, mask(1), signed(0, 1));
        None
    }
}
