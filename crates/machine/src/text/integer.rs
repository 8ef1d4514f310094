//! Integers as `printf` shows them, with exact symbolic digits: what a solver knows about a number holds for its
//! digits.

use secateur_expr::{Expr, Number, NumberFormat, Pool, Valuation};

use crate::block::Byte;
use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult};
use crate::state::State;

/// The text of an integer that depends on the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integer {
    format: NumberFormat,
    /// The number, extended to 64 bits according to its type.
    value: Expr,
    /// The width of its type in bits.
    bits: u8,
}

/// What the layout of the text depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    negative: bool,
    zero: bool,
    /// The number of digits without leading zeros; 1 for zero.
    digits: u32,
}

/// What surrounds the digits.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Layout {
    blanks_before: u32,
    prefix: &'static [u8],
    zeros: u32,
    digits: u32,
    blanks_after: u32,
}

impl Layout {
    fn length(&self) -> u32 {
        self.blanks_before + self.prefix.len() as u32 + self.zeros + self.digits + self.blanks_after
    }
}

impl Integer {
    /// The lowest `bits` bits of a number, signed if the conversion is.
    pub(crate) fn new(pool: &mut Pool, format: NumberFormat, number: Expr, bits: u8) -> Integer {
        let low = if bits < pool.width(number) { pool.extract(number, 0, bits) } else { number };
        let value = if is_signed(&format) { pool.sext(low, 64) } else { pool.zext(low, 64) };
        Integer { format, value, bits }
    }

    /// Its text under an input.
    pub(super) fn render(&self, pool: &Pool, input: &mut Valuation) -> Vec<u8> {
        self.format.print(Number::Integer(input.eval(pool, self.value) as i64))
    }

    /// The length of its text, by cases.
    pub(super) fn length(&self, pool: &mut Pool) -> Expr {
        let positive = self.length_if(pool, false);
        if !is_signed(&self.format) {
            return positive;
        }
        let negative = self.length_if(pool, true);
        let is_negative = self.is_negative(pool);
        pool.ite(is_negative, negative, positive)
    }

    fn length_if(&self, pool: &mut Pool, negative: bool) -> Expr {
        let magnitude = self.magnitude(pool, negative);
        let width = pool.width(magnitude);
        let length = |shape: Shape| u128::from(lay_out(&self.format, shape).length());
        let most = self.max_digits();
        let mut all = pool.constant(32, length(Shape { negative, zero: false, digits: most }));
        for digits in (1..most).rev() {
            let bound = pool.constant(width, self.power(digits));
            let below = pool.ult(magnitude, bound);
            let here = pool.constant(32, length(Shape { negative, zero: false, digits }));
            all = pool.ite(below, here, all);
        }
        let none = pool.constant(width, 0);
        let is_zero = pool.eq(magnitude, none);
        let zero = pool.constant(32, length(Shape { negative, zero: true, digits: 1 }));
        pool.ite(is_zero, zero, all)
    }

    /// Decides on the sign and the number of digits.
    pub(super) fn fix(&self, machine: &mut Machine, state: &mut State) -> StepResult<Vec<Byte>> {
        let is_negative = self.is_negative(&mut machine.pool);
        let negative =
            is_signed(&self.format) && machine.decide_condition(state, DecisionKind::Shape, is_negative, None)?;
        let magnitude = self.magnitude(&mut machine.pool, negative);
        let digits = self.decide_digits(machine, state, magnitude)?;
        let zero = digits == 1 && zero_is_special(&self.format) && {
            let none = machine.pool.constant(machine.pool.width(magnitude), 0);
            let is_zero = machine.pool.eq(magnitude, none);
            machine.decide_condition(state, DecisionKind::Shape, is_zero, None)?
        };
        let layout = lay_out(&self.format, Shape { negative, zero, digits });
        let blank = Byte::Concrete(b' ');
        let mut bytes = vec![blank; layout.blanks_before as usize];
        bytes.extend(layout.prefix.iter().map(|byte| Byte::Concrete(*byte)));
        bytes.extend(std::iter::repeat_n(Byte::Concrete(b'0'), layout.zeros as usize));
        for place in (0..layout.digits).rev() {
            let digit = self.digit(&mut machine.pool, magnitude, place);
            bytes.push(machine.byte_of(digit));
        }
        bytes.extend(std::iter::repeat_n(blank, layout.blanks_after as usize));
        Ok(bytes)
    }

    fn decide_digits(&self, machine: &mut Machine, state: &mut State, magnitude: Expr) -> StepResult<u32> {
        let width = machine.pool.width(magnitude);
        let most = self.max_digits();
        let mut cases = Vec::new();
        let mut at_least = machine.pool.bool(true);
        for digits in 1..most {
            let bound = machine.pool.constant(width, self.power(digits));
            let below = machine.pool.ult(magnitude, bound);
            cases.push(machine.pool.and(at_least, below));
            at_least = machine.pool.not(below);
        }
        cases.push(at_least);
        Ok(machine.decide_case(state, DecisionKind::Shape, &cases)? as u32 + 1)
    }

    fn is_negative(&self, pool: &mut Pool) -> Expr {
        let zero = pool.constant(64, 0);
        pool.slt(self.value, zero)
    }

    /// The absolute value, in 32 bits if they suffice, which makes divisions easier.
    fn magnitude(&self, pool: &mut Pool, negative: bool) -> Expr {
        let width = if self.bits > 32 { 64 } else { 32 };
        let value = pool.extract(self.value, 0, width);
        if !negative {
            return value;
        }
        let zero = pool.constant(width, 0);
        pool.sub(zero, value)
    }

    /// The character of a digit; place 0 is the last.
    fn digit(&self, pool: &mut Pool, magnitude: Expr, place: u32) -> Expr {
        let width = pool.width(magnitude);
        let radix = pool.constant(width, self.radix());
        let power = pool.constant(width, self.power(place));
        let shifted = pool.udiv(magnitude, power);
        let digit = pool.urem(shifted, radix);
        let digit = pool.extract(digit, 0, 8);
        let zero = pool.constant(8, u128::from(b'0'));
        let decimal = pool.add(digit, zero);
        if self.radix() <= 10 {
            return decimal;
        }
        let first = if self.format.conversion == b'X' { b'A' } else { b'a' };
        let offset = pool.constant(8, u128::from(first - 10));
        let letter = pool.add(digit, offset);
        let ten = pool.constant(8, 10);
        let is_decimal = pool.ult(digit, ten);
        pool.ite(is_decimal, decimal, letter)
    }

    fn radix(&self) -> u128 {
        match self.format.conversion {
            b'o' => 8,
            b'x' | b'X' => 16,
            _ => 10,
        }
    }

    fn power(&self, exponent: u32) -> u128 {
        self.radix().pow(exponent)
    }

    /// The most digits that a number of its type has.
    fn max_digits(&self) -> u32 {
        let largest = if is_signed(&self.format) { 1u128 << (self.bits - 1) } else { (1 << self.bits) - 1 };
        (1..).find(|digits| self.power(*digits) > largest).unwrap_or(1)
    }
}

fn is_signed(format: &NumberFormat) -> bool {
    matches!(format.conversion, b'd' | b'i')
}

/// Zero is laid out differently from other one-digit numbers.
fn zero_is_special(format: &NumberFormat) -> bool {
    format.precision == Some(0) || format.alternate
}

/// The layout that the C standard prescribes.
fn lay_out(format: &NumberFormat, shape: Shape) -> Layout {
    let digits = if shape.zero && format.precision == Some(0) { 0 } else { shape.digits };
    let mut zeros = format.precision.unwrap_or(0).saturating_sub(digits);
    let mut prefix: &'static [u8] = b"";
    match format.conversion {
        b'd' | b'i' if shape.negative => prefix = b"-",
        b'd' | b'i' if format.plus => prefix = b"+",
        b'd' | b'i' if format.space => prefix = b" ",
        b'x' if format.alternate && !shape.zero => prefix = b"0x",
        b'X' if format.alternate && !shape.zero => prefix = b"0X",
        // `%#o` makes the first digit a zero.
        b'o' if format.alternate && zeros == 0 && (!shape.zero || digits == 0) => zeros = 1,
        _ => {}
    }
    let blanks = format.width.saturating_sub(prefix.len() as u32 + zeros + digits);
    let layout = Layout { blanks_before: 0, prefix, zeros, digits, blanks_after: 0 };
    if format.minus {
        Layout { blanks_after: blanks, ..layout }
    } else if format.zero && format.precision.is_none() {
        Layout { zeros: zeros + blanks, ..layout }
    } else {
        Layout { blanks_before: blanks, ..layout }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of flags, some widths and precisions, on numbers around every power.
    #[test]
    fn length_and_digits_match_the_c_library() {
        let mut formats = Vec::new();
        for flags in 0..32u32 {
            for (width, precision) in [(0, None), (7, None), (0, Some(0)), (12, Some(3)), (3, Some(11))] {
                for conversion in *b"diuoxX" {
                    let flag = |bit: u32| flags >> bit & 1 == 1;
                    let (minus, plus, space, alternate, zero) = (flag(0), flag(1), flag(2), flag(3), flag(4));
                    formats.push(NumberFormat { minus, plus, space, alternate, zero, width, precision, conversion });
                }
            }
        }
        let numbers = [0i64, 1, 7, 8, 9, 10, 99, 100, 127, 255, 4096, 32_768, 65_535, i64::from(i32::MAX), i64::MAX];
        for format in formats {
            for bits in [8u8, 16, 32, 64] {
                for number in numbers.iter().flat_map(|number| [*number, number.wrapping_neg(), !number]) {
                    check(format, bits, number);
                }
            }
        }
    }

    fn check(format: NumberFormat, bits: u8, number: i64) {
        let mut pool = Pool::new();
        let input = pool.input(0, 8);
        let integer = Integer::new(&mut pool, format, input, bits);
        let mut valuation = Valuation::new(number.to_le_bytes().to_vec());
        let text = integer.render(&pool, &mut valuation);
        let length = integer.length(&mut pool);
        assert_eq!(valuation.eval(&pool, length), text.len() as u64, "{format:?} {bits} {number}");
        let negative = is_signed(&format) && (valuation.eval(&pool, integer.value) as i64) < 0;
        let magnitude = integer.magnitude(&mut pool, negative);
        let size = u128::from(valuation.eval(&pool, magnitude));
        let digits = (1..).find(|digits| integer.power(*digits) > size).unwrap_or(1);
        assert!(digits <= integer.max_digits(), "{format:?} {bits} {number}");
        let layout = lay_out(&format, Shape { negative, zero: size == 0, digits });
        let start = (layout.blanks_before + layout.prefix.len() as u32 + layout.zeros) as usize;
        for place in 0..layout.digits {
            let digit = integer.digit(&mut pool, magnitude, layout.digits - 1 - place);
            let shown = valuation.eval(&pool, digit) as u8;
            assert_eq!(shown, text[start + place as usize], "{format:?} {bits} {number}");
        }
    }
}
