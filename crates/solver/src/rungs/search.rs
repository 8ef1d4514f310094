//! Rung `search`: the current input satisfies everything but the goal. Most goals compare something computed from few
//! bytes with something else, and the computation can be inverted: to make `a + 3 == b` true, set `a` to the value of
//! `b - 3`. A handful of such changes, each checked by evaluation, answers in microseconds, and also inverts functions
//! that are opaque to SMT solvers. (Input-to-state correspondence of REDQUEEN, and the inverse values of
//! propagation-based local search as in Bitwuzla.)

use rustc_hash::FxHashSet;
use secateur_expr::{
    ArrayNode, BinaryOp, Expr, FloatCast, FloatCmp, FloatOp, FloatUnOp, NativeFn, Node, Pool, UnaryOp,
};
use secateur_expr::{Valuation, float};

use crate::Tuning;
use crate::query::Query;
use crate::rungs::budget::Budget;
use crate::rungs::{Finding, Model};

/// Tries to change the input that `valuation` holds so that all conditions hold.
pub(crate) fn decide(
    pool: &Pool,
    query: &Query,
    valuation: &mut Valuation,
    tuning: &Tuning,
    budget: &Budget<'_>,
) -> Option<Finding> {
    if query.has_hole(pool) {
        return None;
    }
    let mut evaluations = tuning.search_evaluations;
    let mut best = valuation.input().to_vec();
    let mut visited: FxHashSet<Vec<u8>> = FxHashSet::default();
    for _ in 0..tuning.search_repairs {
        valuation.set_input(best.clone());
        visited.insert(best.clone());
        let broken = std::iter::once(query.goal)
            .chain(query.conditions.iter().copied())
            .find(|&condition| !valuation.holds(pool, condition));
        let Some(broken) = broken else {
            return Some(Finding::Sat(query.bytes.iter().map(|&byte| (byte, valuation.byte(byte))).collect()));
        };
        let mut next: Option<(usize, Vec<u8>)> = None;
        for way in 0..tuning.search_ways {
            if budget.is_used_up(valuation) {
                return None;
            }
            valuation.set_input(best.clone());
            let mut inverse = Inverse { pool, valuation, changes: Vec::new(), way, places: tuning.search_places };
            if !inverse.make(broken, 1, tuning.search_depth) {
                continue;
            }
            let changes = inverse.changes;
            changes.iter().for_each(|&(byte, value)| valuation.set_byte(byte, value));
            if visited.contains(valuation.input()) {
                continue;
            }
            evaluations = evaluations.checked_sub(query.conditions.len())?;
            let failing = query.conditions.iter().filter(|&&condition| !valuation.holds(pool, condition)).count();
            if next.as_ref().is_none_or(|(fewest, _)| failing < *fewest) {
                next = Some((failing, valuation.input().to_vec()));
            }
            if failing == 0 {
                break;
            }
        }
        best = next?.1;
    }
    None
}

/// Propagates wanted values from expressions down to input bytes.
struct Inverse<'a> {
    pool: &'a Pool,
    /// Values under the input that is to be changed.
    valuation: &'a mut Valuation,
    changes: Model,
    /// The choices still to be made, as the digits of a number in mixed radix.
    way: u32,
    /// How many places of a value in a table are chosen from.
    places: usize,
}

impl Inverse<'_> {
    /// Records changes that are likely to give `e` the value. False if there are none.
    fn make(&mut self, e: Expr, value: u128, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let width = self.pool.width(e);
        if self.value(e) == value {
            return true;
        }
        match self.pool.node(e) {
            Node::Const { .. } | Node::Hole { .. } => false,
            Node::Input { first, bytes } => {
                self.changes.extend((0..u32::from(bytes)).map(|i| (first + i, (value >> (8 * i)) as u8)));
                true
            }
            Node::Unary(UnaryOp::Not, a) => self.make(a, !value & mask(width), depth),
            Node::Unary(UnaryOp::Neg, a) => self.make(a, value.wrapping_neg() & mask(width), depth),
            Node::Binary(op, a, b) if op.is_comparison() => self.make_comparison(op, a, b, value == 1, depth),
            Node::Binary(op, a, b) if width == 1 => self.make_connective(op, a, b, value == 1, depth),
            Node::Binary(op, a, b) => {
                // The operand that is not a constant, or else either one.
                let left = self.pool.as_const(b).is_some() || self.pool.as_const(a).is_none() && self.choose(2) == 0;
                let wanted =
                    if left { self.left_operand(op, a, b, value) } else { self.right_operand(op, a, b, value) };
                wanted.is_some_and(|wanted| self.make(if left { a } else { b }, wanted & mask(width), depth))
            }
            Node::Ite(c, a, b) => {
                let condition = self.value(c) ^ u128::from(self.choose(2));
                self.make(c, condition, depth) && self.make(if condition == 1 { a } else { b }, value, depth)
            }
            Node::Concat(high, low) => {
                let bits = self.pool.width(low);
                self.make(high, value >> bits, depth) && self.make(low, value & mask(bits), depth)
            }
            Node::Extract { e: whole, low, width } => {
                let rest = self.value(whole) & !(mask(width) << low);
                self.make(whole, rest | value << low, depth)
            }
            Node::ZExt(a, _) => value <= mask(self.pool.width(a)) && self.make(a, value, depth),
            Node::SExt(a, _) => {
                let low = value & mask(self.pool.width(a));
                signed(low, self.pool.width(a)) as u128 & mask(width) == value && self.make(a, low, depth)
            }
            Node::Select { array, index } => {
                let mut array = array;
                while let ArrayNode::Store { array: under, .. } = self.pool.array_node(array) {
                    array = under;
                }
                let ArrayNode::Table(elements) = self.pool.array_node(array) else {
                    return false;
                };
                let places: Vec<usize> = (0..elements.len())
                    .filter(|&i| self.pool.as_const(elements[i]) == Some(value))
                    .take(self.places)
                    .collect();
                !places.is_empty() && {
                    let place = places[self.choose(places.len() as u32) as usize];
                    self.make(index, place as u128, depth)
                }
            }
            Node::FloatCmp(compare, a, b) => self.make_float_comparison(compare, a, b, value == 1, depth),
            Node::Float(op, _, a, b) => {
                let left = self.pool.as_const(b).is_some() || self.pool.as_const(a).is_none() && self.choose(2) == 0;
                let other = self.value(if left { b } else { a }) as u64;
                let value = value as u64;
                let wanted = match (op, left) {
                    (FloatOp::Add, _) => float::binary(FloatOp::Sub, width, value, other),
                    (FloatOp::Sub, true) => float::binary(FloatOp::Add, width, value, other),
                    (FloatOp::Sub, false) => float::binary(FloatOp::Sub, width, other, value),
                    (FloatOp::Mul, _) => float::binary(FloatOp::Div, width, value, other),
                    (FloatOp::Div, true) => float::binary(FloatOp::Mul, width, value, other),
                    (FloatOp::Div, false) => float::binary(FloatOp::Div, width, other, value),
                    (FloatOp::Rem, true) => value,
                    _ => return false,
                };
                self.make(if left { a } else { b }, wanted.into(), depth)
            }
            Node::FloatUn(op, _, a) => {
                let value = value as u64;
                let wanted =
                    if op == FloatUnOp::Sqrt { float::binary(FloatOp::Mul, width, value, value) } else { value };
                self.make(a, wanted.into(), depth)
            }
            Node::FloatCast(cast, _, a, _) => {
                let back = match cast {
                    FloatCast::Float => FloatCast::Float,
                    FloatCast::ToSigned => FloatCast::FromSigned,
                    FloatCast::ToUnsigned => FloatCast::FromUnsigned,
                    FloatCast::FromSigned => FloatCast::ToSigned,
                    FloatCast::FromUnsigned => FloatCast::ToUnsigned,
                };
                let inner = self.pool.width(a);
                self.make(a, float::cast(back, width, inner, value as u64).into(), depth)
            }
            Node::FusedMulAdd(_, a, b, c) => {
                let (x, y, z) = (self.value(a) as u64, self.value(b) as u64, self.value(c) as u64);
                let value = value as u64;
                if self.choose(2) == 0 {
                    let product = float::binary(FloatOp::Mul, width, x, y);
                    self.make(c, float::binary(FloatOp::Sub, width, value, product).into(), depth)
                } else {
                    let product = float::binary(FloatOp::Sub, width, value, z);
                    self.make(a, float::binary(FloatOp::Div, width, product, y).into(), depth)
                }
            }
            Node::Native { function, args } => {
                let Some(wanted) = native_argument(function, width, value as u64, self.way) else {
                    return false;
                };
                self.make(args[0], wanted.into(), depth)
            }
        }
    }

    fn make_connective(&mut self, op: BinaryOp, a: Expr, b: Expr, value: bool, depth: u32) -> bool {
        match (op, value) {
            (BinaryOp::And, true) => self.make(a, 1, depth) && self.make(b, 1, depth),
            (BinaryOp::Or, false) => self.make(a, 0, depth) && self.make(b, 0, depth),
            _ => {
                let (changed, other) = if self.choose(2) == 0 { (a, b) } else { (b, a) };
                let wanted = match op {
                    BinaryOp::And => 0,
                    BinaryOp::Or => 1,
                    BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => u128::from(value) ^ self.value(other),
                    _ => return false,
                };
                self.make(changed, wanted, depth)
            }
        }
    }

    fn make_comparison(&mut self, op: BinaryOp, a: Expr, b: Expr, value: bool, depth: u32) -> bool {
        let width = self.pool.width(a);
        let left = self.pool.as_const(b).is_some() || self.pool.as_const(a).is_none() && self.choose(2) == 0;
        let (changed, other) = if left { (a, self.value(b)) } else { (b, self.value(a)) };
        let is_signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
        let smallest = if is_signed { 1 << (width - 1) } else { 0 };
        let largest = if is_signed { mask(width) >> 1 } else { mask(width) };
        // Whether the changed operand is to be the smaller one, and whether both may be equal.
        let (below, equal) = match (op, value) {
            (BinaryOp::Eq, true) => return self.make(changed, other, depth),
            (BinaryOp::Eq, false) => (self.choose(2) == 0, false),
            (BinaryOp::Ult | BinaryOp::Slt, true) => (left, false),
            (BinaryOp::Ule | BinaryOp::Sle, true) => (left, true),
            (BinaryOp::Ult | BinaryOp::Slt, false) => (!left, true),
            _ => (!left, false),
        };
        let extreme = if below { smallest } else { largest };
        let step = if below { other.wrapping_sub(1) } else { other.wrapping_add(1) } & mask(width);
        let wanted = match self.choose(3) {
            0 if equal => other,
            2 => extreme,
            _ if other == extreme && op != BinaryOp::Eq => extreme,
            _ => step,
        };
        self.make(changed, wanted, depth)
    }

    fn make_float_comparison(&mut self, compare: FloatCmp, a: Expr, b: Expr, value: bool, depth: u32) -> bool {
        let compare = if value { compare } else { compare.negated() };
        let left = self.pool.as_const(b).is_some() || self.pool.as_const(a).is_none() && self.choose(2) == 0;
        let width = self.pool.width(a);
        let format = float::Format::of(width);
        let (changed, other) = if left { (a, self.value(b) as u64) } else { (b, self.value(a) as u64) };
        let (below, above) = if left { (compare.less, compare.greater) } else { (compare.greater, compare.less) };
        let mut options = Vec::with_capacity(6);
        if compare.equal {
            options.push(other);
        }
        if below {
            options.extend([next_float(&format, other, false), format.sign | (format.infinity - 1)]);
        }
        if above {
            options.extend([next_float(&format, other, true), format.infinity - 1]);
        }
        if compare.unordered {
            options.push(format.infinity | format.quiet);
        }
        !options.is_empty() && {
            let wanted = options[self.choose(options.len() as u32) as usize];
            self.make(changed, wanted.into(), depth)
        }
    }

    /// What `a` must be for `a op b` to be the value.
    fn left_operand(&mut self, op: BinaryOp, a: Expr, b: Expr, value: u128) -> Option<u128> {
        let (old, other) = (self.value(a), self.value(b));
        let width = self.pool.width(a);
        match op {
            BinaryOp::Add => Some(value.wrapping_sub(other)),
            BinaryOp::Sub => Some(value.wrapping_add(other)),
            BinaryOp::Xor => Some(value ^ other),
            BinaryOp::And => (value & !other == 0).then_some(old & !other | value),
            BinaryOp::Or => (other & !value == 0).then_some(old & other | value & !other),
            BinaryOp::Mul => factor(value, other, width),
            BinaryOp::UDiv => value.checked_mul(other),
            BinaryOp::SDiv => Some((signed(value, width)).wrapping_mul(signed(other, width)) as u128),
            BinaryOp::URem => (other != 0 && value < other).then(|| (old - old % other).wrapping_add(value)),
            BinaryOp::SRem => Some(value),
            BinaryOp::Shl => {
                let by = u32::try_from(other).ok().filter(|&by| by < u32::from(width))?;
                let kept = old & !(mask(width) >> by);
                (value & !(u128::MAX << by) == 0).then_some(kept | value >> by)
            }
            BinaryOp::LShr | BinaryOp::AShr => {
                let by = u32::try_from(other).ok().filter(|&by| by < u32::from(width))?;
                Some(value << by | old & !(u128::MAX << by))
            }
            _ => None,
        }
    }

    /// What `b` must be for `a op b` to be the value.
    fn right_operand(&mut self, op: BinaryOp, a: Expr, b: Expr, value: u128) -> Option<u128> {
        let other = self.value(a);
        match op {
            BinaryOp::Add | BinaryOp::Xor | BinaryOp::And | BinaryOp::Or | BinaryOp::Mul => {
                self.left_operand(op, b, a, value)
            }
            BinaryOp::Sub => Some(other.wrapping_sub(value)),
            BinaryOp::UDiv => other.checked_div(value),
            BinaryOp::URem => other.checked_sub(value).filter(|&divisor| divisor > value),
            BinaryOp::Shl => Some(u128::from(value.trailing_zeros().wrapping_sub(other.trailing_zeros()))),
            BinaryOp::LShr => Some(u128::from(value.leading_zeros().wrapping_sub(other.leading_zeros()))),
            _ => None,
        }
    }

    fn value(&mut self, e: Expr) -> u128 {
        self.valuation.eval_wide(self.pool, e)
    }

    /// Takes the next digit of `way`. Counting `way` up thus enumerates all combinations of choices, the first choice
    /// fastest.
    fn choose(&mut self, ways: u32) -> u32 {
        let choice = self.way % ways;
        self.way /= ways;
        choice
    }
}

/// A number whose product with `other` is `value`.
fn factor(value: u128, other: u128, width: u8) -> Option<u128> {
    if other == 0 {
        return None;
    }
    if value.is_multiple_of(other) {
        return Some(value / other);
    }
    // Odd numbers have an inverse modulo a power of two; Newton's iteration doubles its correct bits.
    let shift = other.trailing_zeros();
    let odd = other >> shift;
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    (value.trailing_zeros() >= shift).then(|| (value >> shift).wrapping_mul(inverse) & mask(width))
}

/// An argument for which a function of the C library is likely to return this result.
fn native_argument(function: NativeFn, width: u8, result: u64, way: u32) -> Option<u64> {
    let inverse = match function {
        NativeFn::Sin => NativeFn::Asin,
        NativeFn::Cos => NativeFn::Acos,
        NativeFn::Tan => NativeFn::Atan,
        NativeFn::Asin => NativeFn::Sin,
        NativeFn::Acos => NativeFn::Cos,
        NativeFn::Atan => NativeFn::Tan,
        NativeFn::Sinh => NativeFn::Asinh,
        NativeFn::Cosh => NativeFn::Acosh,
        NativeFn::Tanh => NativeFn::Atanh,
        NativeFn::Asinh => NativeFn::Sinh,
        NativeFn::Acosh => NativeFn::Cosh,
        NativeFn::Atanh => NativeFn::Tanh,
        NativeFn::Exp => NativeFn::Log,
        NativeFn::Exp2 => NativeFn::Log2,
        NativeFn::Expm1 => NativeFn::Log1p,
        NativeFn::Log => NativeFn::Exp,
        NativeFn::Log2 => NativeFn::Exp2,
        NativeFn::Log1p => NativeFn::Expm1,
        NativeFn::Cbrt => {
            let square = float::binary(FloatOp::Mul, width, result, result);
            return Some(float::binary(FloatOp::Mul, width, square, result));
        }
        _ => return None,
    };
    // Rounding may be off by one ulp in either direction.
    let argument = inverse.call(width, &[result]);
    let format = float::Format::of(width);
    Some(match way % 3 {
        0 => argument,
        1 => next_float(&format, argument, true),
        _ => next_float(&format, argument, false),
    })
}

/// The next float, upwards or downwards.
fn next_float(format: &float::Format, bits: u64, up: bool) -> u64 {
    let magnitude = bits & !format.sign;
    if format.is_nan(bits) {
        return bits;
    }
    if magnitude == 0 {
        return if up { 1 } else { format.sign | 1 };
    }
    let negative = bits & format.sign != 0;
    if up == negative {
        bits - 1
    } else if magnitude == format.infinity {
        bits
    } else {
        bits + 1
    }
}

fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(value: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}
