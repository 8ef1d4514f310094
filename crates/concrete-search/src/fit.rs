//! Branch distances: how far a condition is from holding.
//!
//! A comparison of integers is as far off as the change of an operand that would make it hold, in its width and
//! signedness; one of floating-point numbers as many units in the last place. Of a conjunction all parts count, of a
//! disjunction the closest. Distances are added up as logarithms, so that a comparison of 64-bit numbers does not hide
//! one of bytes: twice as close is one less, whatever the width.

use secateur_expr::{BinaryOp, Expr, FloatCmp, Node, Pool, Register, Tape, UnaryOp, Width};

/// The deepest nesting of conditions that is taken apart; below, a condition holds or does not.
const MAX_NESTING: u32 = 64;

/// A condition that is to hold.
#[derive(Clone, Debug)]
pub enum Fit {
    /// All of these hold.
    All(Vec<Fit>),
    /// One of these holds.
    Any(Vec<Fit>),
    /// A comparison of integers has this outcome.
    Integers {
        /// The comparison.
        op: BinaryOp,
        /// The width of the operands.
        width: Width,
        /// Whether it is to hold.
        holds: bool,
        /// The operands.
        operands: (Register, Register),
    },
    /// A comparison of floating-point numbers holds.
    Floats {
        /// The comparison.
        cmp: FloatCmp,
        /// The width of the operands.
        width: Width,
        /// The operands.
        operands: (Register, Register),
    },
    /// A bit has this value.
    Bit(Register, bool),
}

impl Fit {
    /// How to measure a condition by what a tape computes. The tape must compute the condition.
    pub fn new(pool: &Pool, tape: &Tape, condition: Expr) -> Fit {
        fit(pool, tape, condition, true, 0)
    }

    /// How far the condition is from holding after the last run of the tape; 0 if it holds.
    pub fn distance(&self, tape: &Tape) -> f64 {
        match self {
            Fit::All(parts) => parts.iter().map(|part| part.distance(tape)).sum(),
            Fit::Any(parts) => parts.iter().map(|part| part.distance(tape)).fold(f64::INFINITY, f64::min),
            Fit::Integers { op, width, holds, operands: (a, b) } => {
                scaled(integer_distance(*op, *width, *holds, tape.value(*a), tape.value(*b)))
            }
            Fit::Floats { cmp, width, operands: (a, b) } => {
                scaled(float_distance(*cmp, *width, tape.value(*a) as u64, tape.value(*b) as u64))
            }
            Fit::Bit(register, wanted) => f64::from(u8::from((tape.value(*register) & 1 == 1) != *wanted)),
        }
    }
}

fn fit(pool: &Pool, tape: &Tape, condition: Expr, holds: bool, nesting: u32) -> Fit {
    // Subexpressions of what a tape computes have registers.
    let register = |e: Expr| tape.register(e).expect("the tape computes the condition");
    if nesting == MAX_NESTING {
        return Fit::Bit(register(condition), holds);
    }
    let part = |e: Expr, holds: bool| fit(pool, tape, e, holds, nesting + 1);
    match pool.node(condition) {
        Node::Unary(UnaryOp::Not, a) => part(a, !holds),
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if pool.width(a) == 1 => {
            let parts = vec![part(a, holds), part(b, holds)];
            if (op == BinaryOp::And) == holds { Fit::All(parts) } else { Fit::Any(parts) }
        }
        Node::Binary(op @ (BinaryOp::Xor | BinaryOp::Eq), a, b) if pool.width(a) == 1 => {
            let alike = (op == BinaryOp::Eq) == holds;
            Fit::Any(vec![
                Fit::All(vec![part(a, true), part(b, alike)]),
                Fit::All(vec![part(a, false), part(b, !alike)]),
            ])
        }
        Node::Binary(op, a, b) if op.is_comparison() => {
            Fit::Integers { op, width: pool.width(a), holds, operands: (register(a), register(b)) }
        }
        Node::FloatCmp(cmp, a, b) => {
            let cmp = if holds { cmp } else { cmp.negated() };
            Fit::Floats { cmp, width: pool.width(a), operands: (register(a), register(b)) }
        }
        Node::Ite(c, a, b) => Fit::Any(vec![
            Fit::All(vec![part(c, true), part(a, holds)]),
            Fit::All(vec![part(c, false), part(b, holds)]),
        ]),
        _ => Fit::Bit(register(condition), holds),
    }
}

/// The scale of distances on which they are added.
fn scaled(distance: u128) -> f64 {
    if distance == 0 { 0.0 } else { (distance as f64 + 1.0).log2() }
}

fn integer_distance(op: BinaryOp, width: Width, holds: bool, a: u128, b: u128) -> u128 {
    let mask = u128::MAX >> (128 - u32::from(width));
    let sign = 1 << (width - 1);
    // Signed numbers are in order once their sign bit is flipped.
    let ordered = |value: u128| if matches!(op, BinaryOp::Slt | BinaryOp::Sle) { value ^ sign } else { value };
    let (low, high) = (ordered(a), ordered(b));
    match (op, holds) {
        (BinaryOp::Eq, true) => (a.wrapping_sub(b) & mask).min(b.wrapping_sub(a) & mask),
        (BinaryOp::Eq, false) => u128::from(a == b),
        (BinaryOp::Ult | BinaryOp::Slt, true) => {
            if low < high {
                0
            } else {
                (low - high).saturating_add(1)
            }
        }
        (BinaryOp::Ule | BinaryOp::Sle, true) => low.saturating_sub(high),
        (BinaryOp::Ult | BinaryOp::Slt, false) => high.saturating_sub(low),
        (_, _) => {
            if high < low {
                0
            } else {
                (high - low).saturating_add(1)
            }
        }
    }
}

/// Units in the last place between two numbers.
fn float_distance(cmp: FloatCmp, width: Width, a: u64, b: u64) -> u128 {
    let number = |bits: u64| if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let (x, y) = (number(a), number(b));
    let holds = match x.partial_cmp(&y) {
        Some(std::cmp::Ordering::Less) => cmp.less,
        Some(std::cmp::Ordering::Equal) => cmp.equal,
        Some(std::cmp::Ordering::Greater) => cmp.greater,
        None => cmp.unordered,
    };
    if holds {
        return 0;
    }
    if x.is_nan() || y.is_nan() {
        // No number of small steps leads away from there.
        return u128::from(u64::MAX);
    }
    let (a, b) = (place(width, a), place(width, b));
    let apart = a.abs_diff(b);
    if cmp.equal || (cmp.less && a > b) || (cmp.greater && a < b) {
        apart + u128::from(!cmp.equal)
    } else if cmp.less || cmp.greater {
        1
    } else {
        // Only a number that is none would do.
        u128::from(u64::MAX)
    }
}

/// The place of a number among all of its format: neighbours differ by 1, and both zeros are 0.
pub(crate) fn place(width: Width, bits: u64) -> i128 {
    let sign = 1 << (width - 1);
    let magnitude = i128::from(bits & (sign - 1));
    if bits & sign == 0 { magnitude } else { -magnitude }
}

/// The number at a place.
pub(crate) fn at_place(width: Width, place: i128) -> u64 {
    let sign = 1u64 << (width - 1);
    let magnitude = place.unsigned_abs().min(u128::from(sign - 1)) as u64;
    if place < 0 { magnitude | sign } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_as_far_off_as_an_operand_must_change() {
        let distance = |op, holds, a: u128, b: u128| integer_distance(op, 8, holds, a, b);
        assert_eq!(distance(BinaryOp::Eq, true, 3, 250), 9);
        assert_eq!(distance(BinaryOp::Eq, false, 3, 3), 1);
        assert_eq!(distance(BinaryOp::Ult, true, 7, 5), 3);
        assert_eq!(distance(BinaryOp::Ult, false, 5, 7), 2);
        assert_eq!(distance(BinaryOp::Ule, true, 7, 5), 2);
        assert_eq!(distance(BinaryOp::Ule, false, 5, 7), 3);
        // 255 is -1.
        assert_eq!(distance(BinaryOp::Slt, true, 5, 255), 7);
        assert_eq!(distance(BinaryOp::Slt, true, 255, 5), 0);
        assert_eq!(distance(BinaryOp::Sle, true, 0x7f, 0x80), 255);
        assert_eq!(integer_distance(BinaryOp::Ule, 128, false, 0, u128::MAX), u128::MAX);
    }

    #[test]
    fn floats_are_as_far_off_as_there_are_numbers_between() {
        let distance = |cmp, a: f64, b: f64| float_distance(cmp, 64, a.to_bits(), b.to_bits());
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        assert_eq!(distance(FloatCmp::EQUAL, 1.0, next), 1);
        assert_eq!(distance(FloatCmp::LESS, next, 1.0), 2);
        assert_eq!(distance(FloatCmp::LESS, 1.0, next), 0);
        assert_eq!(distance(FloatCmp::EQUAL, 0.0, -0.0), 0);
        assert_eq!(distance(FloatCmp::LESS, 0.0, -0.0), 1);
        assert_eq!(distance(FloatCmp::EQUAL, -f64::from_bits(1), f64::from_bits(1)), 2);
        assert_eq!(distance(FloatCmp::LESS, f64::NAN, 1.0), u128::from(u64::MAX));
        assert_eq!(distance(FloatCmp::UNORDERED, f64::NAN, 1.0), 0);
        assert_eq!(distance(FloatCmp::EQUAL.negated(), 1.0, 1.0), 1);
        assert_eq!(float_distance(FloatCmp::EQUAL, 32, 1f32.to_bits().into(), (1f32.to_bits() + 4).into()), 4);
    }

    #[test]
    fn a_condition_is_at_distance_0_exactly_if_it_holds() {
        let mut pool = Pool::new();
        let (a, b) = (pool.input(0, 1), pool.input(1, 1));
        let (less, five) = (pool.slt(a, b), pool.constant(8, 5));
        let is_five = pool.eq(a, five);
        let both = pool.and(less, is_five);
        let either = pool.or(less, is_five);
        let one = pool.xor(less, is_five);
        let chosen = pool.ite(less, is_five, both);
        let not = pool.not(either);
        for condition in [less, is_five, both, either, one, chosen, not] {
            let mut tape = Tape::new(&pool, &[condition]);
            let fit = Fit::new(&pool, &tape, condition);
            let register = tape.register(condition).expect("it is computed");
            for x in [0, 1, 4, 5, 6, 127, 128, 255] {
                for y in [0, 4, 5, 6, 127, 128, 255] {
                    tape.run(&[x, y]);
                    assert_eq!(fit.distance(&tape) == 0.0, tape.value(register) == 1, "{x} {y}");
                }
            }
        }
    }
}
