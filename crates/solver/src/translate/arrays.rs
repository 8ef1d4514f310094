//! Reads of arrays as trees of if-then-elses. Array theories reason about every pair of accesses. A table lookup of a C
//! program has few indices and known elements, which a tree over the bits of the index exposes to the solver directly.

use secateur_expr::{Array, ArrayNode, Expr, Node, Pool};

use crate::SolverError;
use crate::translate::translator::{Step, Want};
use crate::translate::{Op, Terms};

/// The element of `array` at `index`, 0 beyond the end.
pub(super) fn build_select<T: Terms>(step: &mut Step<T>, array: Array, index: Expr) -> Result<T::Term, SolverError> {
    let mut stores = Vec::new();
    let mut under = array;
    let pool = step.pool;
    let elements = loop {
        match pool.array_node(under) {
            ArrayNode::Table(elements) => break elements,
            ArrayNode::Store { array, index, value } => {
                stores.push((index, value));
                under = array;
            }
        }
    };
    let at = step.get(index, Want::Bits);
    let zero = step.terms.bits(step.element_width(array), 0)?;
    let mut read = build_lookup(step, elements, index, at, zero)?;
    for &(stored, value) in stores.iter().rev() {
        let (stored, value) = (step.get(stored, Want::Bits), step.get(value, Want::Bits));
        let here = step.terms.apply(Op::Equal, &[at, stored])?;
        read = step.terms.apply(Op::Ite, &[here, value, read])?;
    }
    let length = pool.array_len(array);
    if largest(pool, index) < length {
        return Ok(read);
    }
    let length = step.terms.bits(u32::from(pool.width(index)), u128::from(length))?;
    let inside = step.terms.apply(Op::BvUlt, &[at, length])?;
    step.terms.apply(Op::Ite, &[inside, read, zero])
}

/// A balanced tree over the low bits of the index, lowest bit first, so that equal neighbours merge early. A bit that
/// is always zero costs nothing: half of the table is dropped.
fn build_lookup<T: Terms>(
    step: &mut Step<T>,
    elements: &[Expr],
    index: Expr,
    at: T::Term,
    zero: T::Term,
) -> Result<T::Term, SolverError> {
    let zeros = zero_bits(step.pool, index);
    let mut level: Vec<T::Term> = elements.iter().map(|&element| step.get(element, Want::Bits)).collect();
    let mut bit = 0;
    while level.len() > 1 {
        if zeros >> bit & 1 == 1 {
            level = level.into_iter().step_by(2).collect();
        } else {
            let set = {
                let extracted = step.terms.apply(Op::BvExtract { high: bit, low: bit }, &[at])?;
                let one = step.terms.bits(1, 1)?;
                step.terms.apply(Op::Equal, &[extracted, one])?
            };
            let mut next = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                let (even, odd) = (pair[0], pair.get(1).copied().unwrap_or(zero));
                next.push(if even == odd { even } else { step.terms.apply(Op::Ite, &[set, odd, even])? });
            }
            level = next;
        }
        bit += 1;
    }
    Ok(level.first().copied().unwrap_or(zero))
}

/// An upper bound of a 64-bit index, from its outer operations.
fn largest(pool: &Pool, index: Expr) -> u64 {
    !zero_bits(pool, index)
}

/// The bits of an index that are zero because of its outer operations.
fn zero_bits(pool: &Pool, index: Expr) -> u64 {
    let above = |width: u8| if width >= 64 { 0 } else { u64::MAX << width };
    match pool.node(index) {
        Node::Const { value, .. } => !(value as u64),
        Node::ZExt(inner, _) => above(pool.width(inner)) | inner_zero_bits(pool, inner),
        _ => inner_zero_bits(pool, index),
    }
}

/// One operation deeper. More is left to the rewrite rules.
fn inner_zero_bits(pool: &Pool, e: Expr) -> u64 {
    use secateur_expr::BinaryOp::{And, Shl};
    match pool.node(e) {
        Node::Binary(And, _, mask) => pool.as_const(mask).map_or(0, |mask| !(mask as u64)),
        Node::Binary(Shl, _, by) => match pool.as_const(by) {
            Some(by @ 0..64) => (1 << by) - 1,
            _ => 0,
        },
        Node::Concat(high, low) => {
            let width = pool.width(low);
            let low_bits = if pool.as_const(low) == Some(0) { u64::MAX >> (64 - width.min(64)) } else { 0 };
            let high_bits = if pool.as_const(high) == Some(0) && width < 64 { u64::MAX << width } else { 0 };
            low_bits | high_bits
        }
        _ => 0,
    }
}
