//! What depends on memory that was never written, where the input decides which memory that is.
//!
//! An access at a symbolic offset may be to an element that was written or to one that was not. Memory keeps such a case as a condition on the input; a register
//! only knows yes or no, so that a load decides. Copies from memory to memory need no decision.

use secateur_expr::{Expr, Pool};

use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult};
use crate::memory::{Elements, Object, Unwritten};
use crate::state::State;
use crate::value::Value;

/// To recognise what symbolic writes have left takes time in proportion to their number; with more than these it is not tried.
const MOST_WRITES: usize = 8;

/// What up to 8 bytes of memory hold.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// The value; it tells which bytes were not written for certain.
    pub value: Value,
    /// Bytes of which the input decides, with the condition that they were not written.
    doubtful: Vec<(u8, Expr)>,
}

impl Content {
    /// A value, and which of its bytes were not written.
    pub(crate) fn new(value: Value, bytes: [Unwritten; 8]) -> Content {
        let mut content = Content { value, doubtful: Vec::new() };
        for (byte, unwritten) in (0..).zip(bytes) {
            match unwritten {
                Unwritten::No => {}
                Unwritten::If(condition) => content.doubtful.push((byte, condition)),
                Unwritten::Yes => content.value.unwritten |= 1 << byte,
            }
        }
        content
    }

    /// All of it was written for certain.
    pub(crate) fn is_written(&self) -> bool {
        !self.value.uninit() && self.doubtful.is_empty()
    }

    /// Whether one of its bytes depends on what was never written.
    pub(crate) fn unwritten(&self, byte: u8) -> Unwritten {
        if self.value.unwritten >> byte & 1 == 1 {
            return Unwritten::Yes;
        }
        match self.doubtful.iter().find(|(doubtful, _)| *doubtful == byte) {
            Some((_, condition)) => Unwritten::If(*condition),
            None => Unwritten::No,
        }
    }
}

impl From<Value> for Content {
    fn from(value: Value) -> Content {
        Content { value, doubtful: Vec::new() }
    }
}

impl Machine {
    /// Decides which bytes were written, as far as that depends on the input.
    pub(crate) fn decide_written(&mut self, state: &mut State, content: Content) -> StepResult<Value> {
        let mut value = content.value;
        let mut last = None;
        for (byte, condition) in content.doubtful {
            // The bytes of an element mostly share one condition.
            let unwritten = match last {
                Some((same, unwritten)) if same == condition => unwritten,
                _ => self.decide_condition(state, DecisionKind::Check, condition, None)?,
            };
            last = Some((condition, unwritten));
            value.unwritten |= u32::from(unwritten) << byte;
        }
        Ok(value)
    }
}

/// Whether the element that is meant was not written, where `unwritten` says so for each of them.
///
/// The conditions of elements to which symbolic writes may have gone are as many as there are elements. Where they are nothing but that, "the element is none of those that were written" says the same
/// in one comparison for each write.
pub(crate) fn chosen(pool: &mut Pool, elements: &Elements, unwritten: &[Unwritten], writes: &[Elements]) -> Unwritten {
    if unwritten.iter().all(|element| *element == Unwritten::Yes) {
        return Unwritten::Yes;
    }
    let writes = if writes.len() > MOST_WRITES { &[] } else { writes };
    let stride = u64::from(elements.stride);
    let is_alike = |write: &&Elements| {
        write.stride == elements.stride && write.start.abs_diff(elements.start).is_multiple_of(stride)
    };
    let writes: Vec<&Elements> = writes.iter().filter(is_alike).collect();
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
    // What was not written mostly comes in few runs, whose conditions are ranges.
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

/// What is known of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Written,
    /// It was not written, unless one of the symbolic writes went there.
    UnlessWrites,
    Other(Unwritten),
}

/// Whether an element that was not written is still so after some symbolic writes.
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

/// Notes a symbolic write to an object of which not everything was written.
pub(crate) fn note_write(object: &mut Object, elements: Elements) {
    if object.symbolic_writes.len() <= MOST_WRITES {
        object.symbolic_writes.push(elements);
    }
}

/// Whether a byte was not written after a write that replaces it where `here` holds.
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
        Unwritten::Yes => pool.bool(true),
    }
}

fn from_condition(pool: &Pool, condition: Expr) -> Unwritten {
    match pool.as_const(condition) {
        None => Unwritten::If(condition),
        Some(0) => Unwritten::No,
        Some(_) => Unwritten::Yes,
    }
}
