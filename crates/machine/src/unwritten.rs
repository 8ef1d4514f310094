//! Dependence on memory that was never written, where the input decides whether there is one.
//!
//! An access at a symbolic offset may reach an element that was written or one that was not. Memory keeps this as a
//! condition on the input. A register only knows yes or no, so a load makes a decision; copies from memory to memory
//! need none.

use secateur_expr::{Expr, Pool};

use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult};
use crate::memory::{Elements, Object, Unwritten};
use crate::state::State;
use crate::value::{Value, mask};

/// What up to 8 bytes of memory hold.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// The value. What it says of memory that was never written is meaningless.
    pub value: Value,
    /// The bits that certainly were not written.
    bits: u64,
    /// Bytes for which the input decides, with the condition under which they were not written.
    conditional: Vec<(u8, Expr)>,
}

impl Content {
    /// A value, and which of its bytes were not written.
    pub(crate) fn new(value: Value, bytes: [Unwritten; 8]) -> Content {
        let mut content = Content::written(value);
        for (byte, unwritten) in (0..).zip(bytes) {
            match unwritten {
                Unwritten::No => {}
                Unwritten::Partly(bits) => content.bits |= u64::from(bits) << (8 * byte),
                Unwritten::If(condition) => content.conditional.push((byte, condition)),
                Unwritten::Yes => content.bits |= 0xff << (8 * byte),
            }
        }
        content
    }

    /// A value all of whose bytes were written.
    pub(crate) fn written(value: Value) -> Content {
        Content { value, bits: 0, conditional: Vec::new() }
    }

    /// All bytes certainly were written.
    pub(crate) fn is_written(&self) -> bool {
        self.bits == 0 && self.conditional.is_empty()
    }

    /// Whether a byte depends on memory that was never written.
    pub(crate) fn unwritten(&self, byte: u8) -> Unwritten {
        let bits = (self.bits >> (8 * byte)) as u8;
        if bits != 0 {
            return Unwritten::of_bits(bits);
        }
        match self.conditional.iter().find(|(conditional, _)| *conditional == byte) {
            Some((_, condition)) => Unwritten::If(*condition),
            None => Unwritten::No,
        }
    }
}

impl Machine {
    /// A value of `width` bits as memory holds it; further bits are zero.
    pub(crate) fn to_content(&self, value: Value, width: u8) -> Content {
        Content { bits: self.unwritten.bits(value.unwritten) & mask(width), ..Content::written(value) }
    }

    /// A content of `bytes` bytes as a register holds it: decides which of them were written, where that depends on the
    /// input.
    pub(crate) fn decide_written(&mut self, state: &mut State, content: Content, bytes: u8) -> StepResult<Value> {
        let mut bits = content.bits;
        let mut last = None;
        for (byte, condition) in content.conditional {
            // The bytes of an element usually share one condition.
            let unwritten = match last {
                Some((same, unwritten)) if same == condition => unwritten,
                _ => self.decide_condition(state, DecisionKind::Check, condition, None)?,
            };
            last = Some((condition, unwritten));
            if unwritten {
                bits |= 0xff << (8 * byte);
            }
        }
        Ok(Value { unwritten: self.unwritten.number(bits, bytes * 8), ..content.value })
    }
}

/// Whether the accessed element is unwritten, where `unwritten` has the answer for each element.
///
/// After symbolic writes, each element that they may have reached has a condition of its own. If these conditions say
/// nothing else, "the element is none of those that were written" is equivalent, and takes one comparison per write.
/// Looking for that takes time in proportion to the writes, so it is done for at most `most`.
pub(crate) fn chosen(
    pool: &mut Pool,
    elements: &Elements,
    unwritten: &[Unwritten],
    writes: &[Elements],
    most: usize,
) -> Unwritten {
    if unwritten.iter().all(|element| *element == Unwritten::Yes) {
        return Unwritten::Yes;
    }
    let writes = if writes.len() > most { &[] } else { writes };
    let stride = u64::from(elements.stride);
    let is_aligned = |write: &&Elements| {
        write.stride == elements.stride && write.start.abs_diff(elements.start).is_multiple_of(stride)
    };
    let writes: Vec<&Elements> = writes.iter().filter(is_aligned).collect();
    let kinds: Vec<Kind> = (0..)
        .zip(unwritten)
        .map(|(number, unwritten)| match *unwritten {
            Unwritten::No => Kind::Written,
            other if other == after_writes(pool, &writes, elements.offset(number)) => Kind::UnlessWrites,
            other => Kind::Other(other),
        })
        .collect();
    let mut any = pool.bool(false);
    let mut first = 0;
    // Unwritten elements mostly form a few runs, whose conditions are ranges.
    for run in kinds.chunk_by(|a, b| a == b) {
        let end = first + run.len();
        if run[0] != Kind::Written {
            let mut condition = is_between(pool, elements.index, first, end, kinds.len());
            match run[0] {
                Kind::Other(unwritten) => {
                    let unwritten = to_condition(pool, unwritten);
                    condition = pool.and(condition, unwritten);
                }
                _ => {
                    for write in &writes {
                        let distance = elements.start.wrapping_sub(write.start) as i64 / stride as i64;
                        let distance = pool.constant(64, u128::from(distance as u64));
                        let number = pool.add(elements.index, distance);
                        let elsewhere = pool.ne(number, write.index);
                        condition = pool.and(condition, elsewhere);
                    }
                }
            }
            any = pool.or(any, condition);
        }
        first = end;
    }
    from_condition(pool, any)
}

/// What is known about an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Written,
    /// It was not written, unless one of the symbolic writes reached it.
    UnlessWrites,
    Other(Unwritten),
}

/// Whether an unwritten element is still unwritten after some symbolic writes.
fn after_writes(pool: &mut Pool, writes: &[&Elements], offset: u64) -> Unwritten {
    writes.iter().fold(Unwritten::Yes, |unwritten, write| match write.number(offset) {
        None => unwritten,
        Some(number) => {
            let number = pool.constant(64, u128::from(number));
            let here = pool.eq(write.index, number);
            replaced(pool, here, Unwritten::No, unwritten)
        }
    })
}

/// Notes a symbolic write to an object with bytes that were never written; one more than `most` shows that there were
/// more.
pub(crate) fn note_write(object: &mut Object, elements: Elements, most: usize) {
    if object.symbolic_writes.len() <= most {
        object.symbolic_writes.push(elements);
    }
}

/// Whether a byte is unwritten after a write that replaces it where `here` holds.
pub(crate) fn replaced(pool: &mut Pool, here: Expr, new: Unwritten, old: Unwritten) -> Unwritten {
    if new == old {
        return old;
    }
    let (new, old) = (to_condition(pool, new), to_condition(pool, old));
    let elsewhere = pool.not(here);
    let (new, old) = (pool.and(here, new), pool.and(elsewhere, old));
    let unwritten = pool.or(new, old);
    from_condition(pool, unwritten)
}

/// The condition that an index below `count` is at least `first` and below `end`.
fn is_between(pool: &mut Pool, index: Expr, first: usize, end: usize, count: usize) -> Expr {
    let from = pool.constant(64, first as u128);
    if end - first == 1 {
        return pool.eq(index, from);
    }
    let last = pool.constant(64, end as u128 - 1);
    let starts = if first == 0 { pool.bool(true) } else { pool.ule(from, index) };
    let ends = if end == count { pool.bool(true) } else { pool.ule(index, last) };
    pool.and(starts, ends)
}

fn to_condition(pool: &mut Pool, unwritten: Unwritten) -> Expr {
    match unwritten {
        Unwritten::No => pool.bool(false),
        Unwritten::If(condition) => condition,
        // That some bits were written is forgotten here.
        Unwritten::Partly(_) | Unwritten::Yes => pool.bool(true),
    }
}

fn from_condition(pool: &Pool, condition: Expr) -> Unwritten {
    match pool.as_const(condition) {
        None => Unwritten::If(condition),
        Some(0) => Unwritten::No,
        Some(_) => Unwritten::Yes,
    }
}
