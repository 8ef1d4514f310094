//! Float operations as terms of the float theory.

use secateur_expr::{BinaryOp, Expr, FloatCast, FloatCmp, FloatOp, FloatUnOp, Node, Pool, float};

use crate::SolverError;
use crate::translate::translator::{Step, Want, fault, format, unexpected};
use crate::translate::{Format, Op, Rounding, Sort, Terms};

/// How an expression that is not a float operation is read as a float.
pub(super) enum View {
    /// A choice between two floats.
    Ite(Expr, Expr, Expr),
    /// The other sign.
    Neg(Expr),
    /// The positive sign.
    Abs(Expr),
    /// By its bits.
    Bits,
}

/// Recognises what the pool simplifies `-x` and `fabs(x)` to, so that a float stays a float between float operations.
pub(super) fn float_view(pool: &Pool, e: Expr) -> View {
    let sign = 1u128 << (pool.width(e) - 1);
    match pool.node(e) {
        Node::Ite(c, a, b) => View::Ite(c, a, b),
        Node::Binary(BinaryOp::Xor, a, mask) if pool.as_const(mask) == Some(sign) => View::Neg(a),
        Node::Binary(BinaryOp::And, a, mask) if pool.as_const(mask) == Some(sign - 1) => View::Abs(a),
        _ => View::Bits,
    }
}

/// The sort that the operand of a conversion is wanted in.
pub(super) fn cast_operand(cast: FloatCast) -> Want {
    match cast {
        FloatCast::FromSigned | FloatCast::FromUnsigned => Want::Bits,
        FloatCast::Float | FloatCast::ToSigned | FloatCast::ToUnsigned => Want::Float,
    }
}

/// An expression as a float.
pub(super) fn build<T: Terms>(step: &mut Step<T>, e: Expr) -> Result<T::Term, SolverError> {
    let to = step.format_of(e)?;
    match step.pool.node(e) {
        Node::Float(FloatOp::Rem, _, a, b) => build_remainder(step, e, a, b),
        Node::Float(op, mode, a, b) => {
            let args = [step.get(a, Want::Float), step.get(b, Want::Float)];
            let op = match op {
                FloatOp::Add => Op::FpAdd(mode.into()),
                FloatOp::Sub => Op::FpSub(mode.into()),
                FloatOp::Mul => Op::FpMul(mode.into()),
                FloatOp::Div => Op::FpDiv(mode.into()),
                _ => return Err(unexpected(&step.pool.node(e))),
            };
            step.terms.apply(op, &args)
        }
        Node::FloatUn(op, mode, a) => {
            let a = step.get(a, Want::Float);
            let op = match op {
                FloatUnOp::Neg => Op::FpNeg,
                FloatUnOp::Abs => Op::FpAbs,
                FloatUnOp::Sqrt => Op::FpSqrt(mode.into()),
                FloatUnOp::Floor => Op::FpRoundToIntegral(Rounding::Down),
                FloatUnOp::Ceil => Op::FpRoundToIntegral(Rounding::Up),
                FloatUnOp::Trunc => Op::FpRoundToIntegral(Rounding::TowardsZero),
                FloatUnOp::Round => Op::FpRoundToIntegral(Rounding::NearestAway),
                FloatUnOp::RoundEven | FloatUnOp::Rint => Op::FpRoundToIntegral(Rounding::NearestEven),
            };
            step.terms.apply(op, &[a])
        }
        Node::FusedMulAdd(mode, a, b, c) => {
            let args = [step.get(a, Want::Float), step.get(b, Want::Float), step.get(c, Want::Float)];
            step.terms.apply(Op::FpFma(mode.into()), &args)
        }
        Node::FloatCast(cast @ (FloatCast::Float | FloatCast::FromSigned | FloatCast::FromUnsigned), mode, a, _) => {
            let op = match cast {
                FloatCast::FromSigned => Op::FpFromSigned(mode.into(), to),
                FloatCast::FromUnsigned => Op::FpFromUnsigned(mode.into(), to),
                _ => Op::FpFromFp(mode.into(), to),
            };
            let a = step.get(a, cast_operand(cast));
            step.terms.apply(op, &[a])
        }
        _ => match float_view(step.pool, e) {
            View::Ite(c, a, b) => {
                let args = [step.get(c, Want::Bool), step.get(a, Want::Float), step.get(b, Want::Float)];
                step.terms.apply(Op::Ite, &args)
            }
            View::Neg(a) => {
                let a = step.get(a, Want::Float);
                step.terms.apply(Op::FpNeg, &[a])
            }
            View::Abs(a) => {
                let a = step.get(a, Want::Float);
                step.terms.apply(Op::FpAbs, &[a])
            }
            View::Bits => {
                let bits = step.get(e, Want::Bits);
                step.terms.apply(Op::FpFromBits(to), &[bits])
            }
        },
    }
}

/// Calls `visit` for each operand of a float operation that is a float itself.
pub(super) fn for_each_float_operand(pool: &Pool, e: Expr, visit: &mut dyn FnMut(Expr)) {
    match pool.node(e) {
        Node::FloatUn(_, _, a) | Node::FloatCast(FloatCast::Float, _, a, _) => visit(a),
        Node::Float(_, _, a, b) => [a, b].into_iter().for_each(visit),
        Node::FusedMulAdd(_, a, b, c) => [a, b, c].into_iter().for_each(visit),
        _ => {}
    }
}

/// The bits of the result of a float operation: a variable that reads as the result, which determines it unless the
/// result is NaN. The bits of a NaN are those that the processor computes.
pub(super) fn build_bits<T: Terms>(step: &mut Step<T>, e: Expr) -> Result<T::Term, SolverError> {
    let result = step.get(e, Want::Float);
    let (to, width) = (step.format_of(e)?, u32::from(step.pool.width(e)));
    let number = step.terms.variable(Sort::Bits(width), "bits")?;
    let read = step.terms.apply(Op::FpFromBits(to), &[number])?;
    let same = step.terms.apply(Op::Equal, &[read, result])?;
    step.define(e, same);
    let mut operands = Vec::new();
    for_each_float_operand(step.pool, e, &mut |operand| operands.push(operand));
    if operands.is_empty() {
        // An integer never converts to NaN.
        return Ok(number);
    }
    let nan = if let Node::FloatCast(_, _, a, _) = step.pool.node(e) {
        convert_nan(step, a)?
    } else {
        propagate_nan(step, &operands, width)?
    };
    let is_nan = step.terms.apply(Op::FpIsNan, &[result])?;
    step.terms.apply(Op::Ite, &[is_nan, nan, number])
}

/// The first operand that is NaN, made quiet; else the default NaN of an invalid operation.
fn propagate_nan<T: Terms>(step: &mut Step<T>, operands: &[Expr], width: u32) -> Result<T::Term, SolverError> {
    let layout = float::Format::of(width as u8);
    let quiet = step.terms.bits(width, layout.quiet.into())?;
    let mut bits = step.terms.bits(width, layout.default_nan.into())?;
    for &operand in operands.iter().rev() {
        let is_nan = step.get(operand, Want::Float);
        let is_nan = step.terms.apply(Op::FpIsNan, &[is_nan])?;
        let quieted = step.get(operand, Want::Bits);
        let quieted = step.terms.apply(Op::BvOr, &[quieted, quiet])?;
        bits = step.terms.apply(Op::Ite, &[is_nan, quieted, bits])?;
    }
    Ok(bits)
}

/// A NaN in the other format: sign and high bits of the payload are kept.
fn convert_nan<T: Terms>(step: &mut Step<T>, a: Expr) -> Result<T::Term, SolverError> {
    let bits = step.get(a, Want::Bits);
    let from = u32::from(step.pool.width(a));
    let to = 96 - from;
    let (source, target) = (float::Format::of(from as u8), float::Format::of(to as u8));
    let sign = step.terms.apply(Op::BvExtract { high: from - 1, low: from - 1 }, &[bits])?;
    let exponent_and_quiet = u32::from(target.exponent) + 1;
    let ones = step.terms.bits(exponent_and_quiet, (1 << exponent_and_quiet) - 1)?;
    let head = step.terms.apply(Op::BvConcat, &[sign, ones])?;
    // Below the hidden bit and the quiet bit.
    let payload = |significand: u8| u32::from(significand) - 2;
    let (have, want) = (payload(source.significand), payload(target.significand));
    let tail = if have < want {
        let kept = step.terms.apply(Op::BvExtract { high: have - 1, low: 0 }, &[bits])?;
        let zeros = step.terms.bits(want - have, 0)?;
        step.terms.apply(Op::BvConcat, &[kept, zeros])?
    } else {
        step.terms.apply(Op::BvExtract { high: have - 1, low: have - want }, &[bits])?
    };
    step.terms.apply(Op::BvConcat, &[head, tail])
}

/// A comparison of two floats as a Bool.
pub(super) fn build_comparison<T: Terms>(
    step: &mut Step<T>,
    compare: FloatCmp,
    a: Expr,
    b: Expr,
) -> Result<T::Term, SolverError> {
    let (a, b) = (step.get(a, Want::Float), step.get(b, Want::Float));
    let mut outcomes = Vec::with_capacity(4);
    match (compare.less, compare.equal) {
        (true, true) => outcomes.push(step.terms.apply(Op::FpLe, &[a, b])?),
        (true, false) => outcomes.push(step.terms.apply(Op::FpLt, &[a, b])?),
        (false, true) if compare.greater => {}
        (false, true) => outcomes.push(step.terms.apply(Op::FpEq, &[a, b])?),
        (false, false) => {}
    }
    if compare.greater {
        let op = if compare.equal && !compare.less { Op::FpLe } else { Op::FpLt };
        outcomes.push(step.terms.apply(op, &[b, a])?);
    }
    if compare.unordered {
        outcomes.push(step.terms.apply(Op::FpIsNan, &[a])?);
        outcomes.push(step.terms.apply(Op::FpIsNan, &[b])?);
    }
    match outcomes[..] {
        [] => step.terms.boolean(false),
        [only] => Ok(only),
        _ => step.terms.apply(Op::Or, &outcomes),
    }
}

/// A float truncated to an integer of 32 or 64 bits. For NaN and out of range, the processor returns the smallest
/// integer.
pub(super) fn build_to_integer<T: Terms>(
    step: &mut Step<T>,
    cast: FloatCast,
    a: Expr,
    width: u32,
) -> Result<T::Term, SolverError> {
    let from = step.format_of(a)?;
    let a = step.get(a, Want::Float);
    if cast != FloatCast::ToSigned || !(32..=64).contains(&width) {
        return Err(fault(format!("{cast:?} to {width} bits")));
    }
    // Between this and one less the result is the smallest integer, too, so the exact bound does not matter.
    let power = power_of_two(step, from, width - 1)?;
    let negative = step.terms.apply(Op::FpNeg, &[power])?;
    let above = step.terms.apply(Op::FpLe, &[negative, a])?;
    let below = step.terms.apply(Op::FpLt, &[a, power])?;
    let fits = step.terms.apply(Op::And, &[above, below])?;
    let truncated = step.terms.apply(Op::FpToSigned(width), &[a])?;
    let smallest = step.terms.bits(width, 1 << (width - 1))?;
    step.terms.apply(Op::Ite, &[fits, truncated, smallest])
}

fn power_of_two<T: Terms>(step: &mut Step<T>, format: Format, exponent: u32) -> Result<T::Term, SolverError> {
    let (width, bits) = match format {
        Format::Single => (32, u128::from(u64::from(127 + exponent) << 23)),
        Format::Double => (64, u128::from(u64::from(1023 + exponent) << 52)),
    };
    let bits = step.terms.bits(width, bits)?;
    step.terms.apply(Op::FpFromBits(format), &[bits])
}

/// C's `fmod`. The exact circuit divides numbers of up to 2,000 bits, which no solver can handle. So the result is a
/// free variable, constrained by the facts below. Most conditions need no more, and evaluation rejects models that are
/// wrong nevertheless.
fn build_remainder<T: Terms>(step: &mut Step<T>, e: Expr, a: Expr, b: Expr) -> Result<T::Term, SolverError> {
    let Some(format) = format(step.pool.width(e)) else {
        return Err(unexpected(&step.pool.node(e)));
    };
    let (a, b) = (step.get(a, Want::Float), step.get(b, Want::Float));
    let result = step.terms.variable(Sort::Float(format), "fmod")?;
    let (magnitude_a, magnitude_b) = (step.terms.apply(Op::FpAbs, &[a])?, step.terms.apply(Op::FpAbs, &[b])?);
    let magnitude = step.terms.apply(Op::FpAbs, &[result])?;
    let largest = {
        let bits = match format {
            Format::Single => step.terms.bits(32, u128::from(f32::MAX.to_bits()))?,
            Format::Double => step.terms.bits(64, u128::from(f64::MAX.to_bits()))?,
        };
        step.terms.apply(Op::FpFromBits(format), &[bits])?
    };
    let finite_a = step.terms.apply(Op::FpLe, &[magnitude_a, largest])?;
    let (nan_b, zero_b) = (step.terms.apply(Op::FpIsNan, &[b])?, step.terms.apply(Op::FpIsZero, &[b])?);
    let invalid_b = step.terms.apply(Op::Or, &[nan_b, zero_b])?;
    let valid_b = step.terms.apply(Op::Not, &[invalid_b])?;
    let defined = step.terms.apply(Op::And, &[finite_a, valid_b])?;

    // NaN exactly if the dividend is infinite, the divisor zero, or one of them NaN.
    let is_nan = step.terms.apply(Op::FpIsNan, &[result])?;
    let number = step.terms.apply(Op::Not, &[is_nan])?;
    let same = step.terms.apply(Op::Equal, &[number, defined])?;
    step.define(e, same);
    let undefined = step.terms.apply(Op::Not, &[defined])?;

    // The sign is that of the dividend; the magnitude is below that of the divisor, and at most that of the dividend.
    let (minus_a, minus) = (step.terms.apply(Op::FpIsNegative, &[a])?, step.terms.apply(Op::FpIsNegative, &[result])?);
    let sign = step.terms.apply(Op::Equal, &[minus_a, minus])?;
    let below = step.terms.apply(Op::FpLt, &[magnitude, magnitude_b])?;
    let not_above = step.terms.apply(Op::FpLe, &[magnitude, magnitude_a])?;
    let facts = step.terms.apply(Op::And, &[sign, below, not_above])?;
    let facts = step.terms.apply(Op::Or, &[undefined, facts])?;
    step.define(e, facts);

    // A dividend that is smaller than the divisor is its own remainder.
    let smaller = step.terms.apply(Op::FpLt, &[magnitude_a, magnitude_b])?;
    let larger = step.terms.apply(Op::Not, &[smaller])?;
    let kept = step.terms.apply(Op::Equal, &[result, a])?;
    let kept = step.terms.apply(Op::Or, &[larger, kept])?;
    step.define(e, kept);

    // Up to twice the divisor, one exact subtraction gives the remainder.
    let once = step.terms.apply(Op::FpSub(Rounding::NearestEven), &[magnitude_a, magnitude_b])?;
    let (at_least_once, twice) =
        (step.terms.apply(Op::FpLe, &[magnitude_b, magnitude_a])?, step.terms.apply(Op::FpLt, &[once, magnitude_b])?);
    let applies = step.terms.apply(Op::And, &[defined, at_least_once, twice])?;
    let not_applies = step.terms.apply(Op::Not, &[applies])?;
    let subtracted = step.terms.apply(Op::Equal, &[magnitude, once])?;
    let subtracted = step.terms.apply(Op::Or, &[not_applies, subtracted])?;
    step.define(e, subtracted);
    Ok(result)
}
