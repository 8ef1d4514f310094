//! Small and large changes of single variables of an input.

use crate::fit::{at_place, place};
use crate::random::Random;

/// A number in the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// Its first byte.
    pub first: u32,
    /// How many bytes it has: 1 to 8.
    pub bytes: u8,
    /// It is a `float` or a `double`.
    pub is_float: bool,
}

/// Values that programs like to compare with. These and the sizes below are constants because only all of them together
/// are a distribution.
const INTEGERS: [i64; 8] = [0, 1, -1, 10, 0x20, 0x30, 0x41, 100];
const FLOATS: [f64; 8] = [0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 100.0, f64::NAN];

impl Variable {
    fn width(&self) -> u8 {
        self.bytes * 8
    }

    pub(crate) fn get(&self, input: &[u8]) -> u64 {
        let byte = |at: u32| u64::from(input.get(at as usize).copied().unwrap_or(0));
        (0..u32::from(self.bytes)).rev().fold(0, |word, i| word << 8 | byte(self.first + i))
    }

    pub(crate) fn set(&self, input: &mut Vec<u8>, value: u64) {
        let end = self.first as usize + usize::from(self.bytes);
        if input.len() < end {
            input.resize(end, 0);
        }
        input[self.first as usize..end].copy_from_slice(&value.to_le_bytes()[..usize::from(self.bytes)]);
    }

    /// The exponents of the steps that make sense.
    pub(crate) fn exponents(&self) -> u32 {
        u32::from(self.width()) - u32::from(self.is_float)
    }

    /// A value that is a step of 2 to the power of `exponent` away; floating-point numbers are counted one by one.
    pub(crate) fn step(&self, value: u64, exponent: u32, is_up: bool) -> u64 {
        let width = self.width();
        if self.is_float {
            let step = 1i128 << exponent;
            let from = place(width, value);
            return at_place(width, if is_up { from + step } else { from - step });
        }
        let step = 1u64 << exponent;
        let moved = if is_up { value.wrapping_add(step) } else { value.wrapping_sub(step) };
        moved & (u64::MAX >> (64 - width))
    }

    /// Changes of another kind: special values, negation, doubling and halving, a step of 1 for floats.
    pub(crate) fn leaps(&self, value: u64) -> Vec<u64> {
        let mask = u64::MAX >> (64 - self.width());
        let mut leaps: Vec<u64> = match (self.is_float, self.bytes) {
            (true, 4) => {
                let x = f32::from_bits(value as u32);
                let near = [-x, x * 2.0, x / 2.0, x + 1.0, x - 1.0, x + 0.1, x - 0.1];
                let known = FLOATS.iter().map(|number| *number as f32);
                near.into_iter().chain(known).map(|number| number.to_bits().into()).collect()
            }
            (true, _) => {
                let x = f64::from_bits(value);
                let near = [-x, x * 2.0, x / 2.0, x + 1.0, x - 1.0, x + 0.1, x - 0.1];
                near.into_iter().chain(FLOATS).map(f64::to_bits).collect()
            }
            (false, _) => {
                let sign = 1u64 << (self.width() - 1);
                let near = [value.wrapping_neg(), !value, value << 1, value >> 1, sign, sign - 1];
                near.into_iter().chain(INTEGERS.map(|number| number as u64)).map(|number| number & mask).collect()
            }
        };
        leaps.sort_unstable();
        leaps.dedup();
        leaps.retain(|leap| *leap != value);
        leaps
    }

    /// Any value: small and large ones are as likely.
    pub(crate) fn random(&self, random: &mut Random) -> u64 {
        let bits = random.next();
        if self.is_float {
            let fraction = (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
            let size = [2.0, 20.0, 2e3, 2e6, 2e12][random.below(5)];
            let number = fraction * size;
            return if self.bytes == 4 { (number as f32).to_bits().into() } else { number.to_bits() };
        }
        let small = bits >> random.below(64);
        let value = if random.below(2) == 0 { small } else { small.wrapping_neg() };
        value & (u64::MAX >> (64 - self.width()))
    }
}
