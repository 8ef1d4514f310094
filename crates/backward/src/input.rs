//! What a path reads from the input.

use secateur_expr::Expr;
use secateur_program::Slot;

use crate::code::Code;
use crate::holes::{Replacement, Rewrite};
use crate::memory::{Objects, objects};
use crate::state::State;

/// One read from the input.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// How many bytes it reads.
    pub bytes: u32,
    /// The holes for parts of it, with the offsets of their first bytes.
    pub parts: Vec<(u32, u32)>,
}

/// Replaces the loads of a range of memory by input.
struct Filled<'a> {
    objects: Objects<'a>,
    address: Expr,
    len: u64,
    parts: Vec<(u32, u32)>,
    deferred: u32,
}

impl Replacement for Filled<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, _: u32, _: Slot) -> Option<Expr> {
        None
    }

    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr> {
        if self.objects.are_apart(rewrite, address, self.address) {
            return None;
        }
        let distance = rewrite.pool.sub(address, self.address);
        let Some(distance) = rewrite.pool.as_const(distance) else {
            // It may or may not be part of the range.
            self.deferred += 1;
            return Some(rewrite.holes.free(rewrite.pool, bytes * 8));
        };
        let distance = distance as u64 as i64;
        if distance >= self.len as i64 || distance <= -i64::from(bytes) {
            return None;
        }
        let mut all: Option<Expr> = None;
        for index in 0..i64::from(bytes) {
            let at = distance + index;
            let byte = if at < 0 || at as u64 >= self.len {
                let offset = rewrite.pool.constant(64, index as u128);
                let address = rewrite.pool.add(address, offset);
                rewrite.holes.load(rewrite.pool, address, 1)
            } else {
                self.byte(rewrite, at as u32)
            };
            all = Some(all.map_or(byte, |low| rewrite.pool.concat(byte, low)));
        }
        all
    }
}

impl Filled<'_> {
    /// The input byte at an offset; several loads may read it.
    fn byte(&mut self, rewrite: &mut Rewrite<'_>, offset: u32) -> Expr {
        match self.parts.iter().find(|(_, known)| *known == offset) {
            Some((hole, _)) => rewrite.pool.hole(*hole, 8),
            None => {
                let (hole, byte) = rewrite.holes.input(rewrite.pool, 8);
                self.parts.push((hole, offset));
                byte
            }
        }
    }
}

impl Code<'_> {
    /// The state before a slot gets a value of the input. Only as many bits as it needs are part of the value.
    pub(crate) fn read_value(&mut self, state: &mut State, dst: Slot, bytes: u32, width: u8) {
        let (hole, value) = self.holes.input(&mut self.pool, width);
        self.set_slots(state, &[(dst, value)]);
        state.reads.push(Read { bytes, parts: vec![(hole, 0)] });
    }

    /// The state before memory is filled with input.
    pub(crate) fn read_memory(&mut self, state: &mut State, address: Expr, len: u64) {
        let objects = objects(self.program, &self.locals, state);
        let mut filled = Filled { objects, address, len, parts: Vec::new(), deferred: 0 };
        state.rewrite(&mut self.pool, &mut self.holes, &mut filled);
        state.deferred += filled.deferred;
        state.reads.push(Read { bytes: len.min(u64::from(u32::MAX)) as u32, parts: filled.parts });
    }
}
