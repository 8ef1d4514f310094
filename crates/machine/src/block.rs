//! Operations on blocks of bytes: copying, filling, reading strings.

use secateur_expr::Expr;

use crate::access::{Access, Offset, ResolvedAddress};
use crate::decision::DecisionKind;
use crate::end::BugKind;
use crate::machine::{Machine, StepResult};
use crate::memory::{Cell, Object, ObjectId, Unwritten};
use crate::message_text::MessageText;
use crate::options::Uninit;
use crate::state::State;
use crate::text::byte_expr;
use crate::value::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Byte {
    Concrete(u8),
    Symbolic(Cell),
    /// Depends on memory that was never written, to this extent. Its value is the cell, or the byte without one.
    Uninitialised(u8, Cell, Unwritten),
}

/// The bytes of a block. In the common case that all are concrete, they take one byte each.
pub(crate) enum Bytes {
    Concrete(Vec<u8>),
    Mixed(Vec<Byte>),
}

impl Machine {
    /// `memmove`. A symbolic length is concretised, and so is a symbolic offset unless the copy is short; other values
    /// stay pending.
    pub(crate) fn copy(&mut self, state: &mut State, dst: Value, src: Value, len: Value) -> StepResult<()> {
        let len = self.pin(state, len)?;
        if len == 0 {
            return Ok(());
        }
        if len <= self.options.tuning.short_copy && (src.expr.is_some() || dst.expr.is_some()) {
            return self.copy_short(state, dst, src, len);
        }
        let from = self.fixed_place(state, src, len, Access::Read)?;
        let to = self.fixed_place(state, dst, len, Access::Write)?;
        self.check_halt()?;
        self.copy_between(state, to, from, len)
    }

    /// Copies the start of an object into a new one.
    pub(crate) fn copy_block(&mut self, state: &mut State, to: ObjectId, from: ObjectId, len: u64) -> StepResult<()> {
        let done = self.share_pages(state, (to, 0), (from, 0), len)?;
        let bytes = self.bytes_at(state, from, done, len - done)?;
        self.put_bytes(state, to, done, &bytes)
    }

    /// Copies the start of a block from one object to another by sharing whole pages; returns the number of bytes
    /// copied.
    fn share_pages(
        &mut self,
        state: &mut State,
        (to, offset): (ObjectId, u64),
        (from, from_offset): (ObjectId, u64),
        len: u64,
    ) -> StepResult<u64> {
        match state.memory.get(from).cloned() {
            // With `Uninit::Any`, memory that was never written becomes input when it is copied, byte by byte.
            Some(source) if self.options.uninit == Uninit::Zero => {
                Ok(self.object_mut(state, to)?.copy_pages(offset, &source, from_offset, len))
            }
            _ => Ok(0),
        }
    }

    /// Copies a block between places whose bounds were checked. A long one shares pages where possible; otherwise it is
    /// copied piece by piece. The instruction may be interrupted between pieces and start over: copying the same bytes
    /// twice does no harm unless they overlap.
    pub(crate) fn copy_between(
        &mut self,
        state: &mut State,
        (to, offset): (ObjectId, u64),
        (from, from_offset): (ObjectId, u64),
        len: u64,
    ) -> StepResult<()> {
        let mut done = 0;
        let long = self.options.tuning.long_copy;
        if len >= long {
            if to == from && offset.abs_diff(from_offset) < len {
                return self.move_within(state, to, offset, from_offset, len);
            }
            done = self.share_pages(state, (to, offset), (from, from_offset), len)?;
            while len - done > long {
                self.check_halt()?;
                let bytes = self.bytes_at(state, from, from_offset + done, long)?;
                self.put_bytes(state, to, offset + done, &bytes)?;
                done += long;
            }
        }
        let bytes = self.bytes_at(state, from, from_offset + done, len - done)?;
        self.put_bytes(state, to, offset + done, &bytes)
    }

    /// Moves a long block that overlaps its destination. The object is replaced only after everything was copied, so
    /// the instruction may be interrupted and start over.
    fn move_within(&mut self, state: &mut State, id: ObjectId, to: u64, from: u64, len: u64) -> StepResult<()> {
        self.read_unwritten(state, id, from, len, 8);
        let mut moved = state.memory.get(id).cloned().ok_or_else(|| self.lost_object(state))?;
        let mut done = 0;
        while done < len {
            self.check_halt()?;
            let piece = self.options.tuning.long_copy.min(len - done);
            let bytes = self.bytes_at(state, id, from + done, piece)?;
            put(&mut moved, to + done, &bytes);
            done += piece;
        }
        *self.object_mut(state, id)? = moved;
        Ok(())
    }

    /// Copies a few bytes from or to a symbolic offset, as single loads and stores.
    fn copy_short(&mut self, state: &mut State, dst: Value, src: Value, len: u64) -> StepResult<()> {
        let from = self.copy_place(state, src, len, Access::Read)?;
        let to = self.copy_place(state, dst, len, Access::Write)?;
        let mut values = Vec::new();
        for position in 0..len {
            values.push(self.read_place(state, from, position)?);
        }
        for (position, value) in (0..len).zip(values) {
            self.write_place(state, to, position, &value)?;
        }
        Ok(())
    }

    /// Resolves an address; its offset stays symbolic only if reading and writing there needs no further decision.
    fn copy_place(&mut self, state: &mut State, addr: Value, len: u64, access: Access) -> StepResult<ResolvedAddress> {
        let place = self.resolve(state, addr, len, access)?;
        match place.offset {
            Offset::Symbolic(expr) if !self.is_enumerable(state, place.object, expr)? => {
                let offset = self.pin(state, Value::symbolic(expr))?;
                Ok(ResolvedAddress { offset: Offset::Concrete(offset), ..place })
            }
            _ => Ok(place),
        }
    }

    /// `memset`.
    pub(crate) fn fill(&mut self, state: &mut State, dst: Value, value: Value, len: Value) -> StepResult<()> {
        let len = self.pin(state, len)?;
        if len == 0 {
            return Ok(());
        }
        let (object, offset) = self.fixed_place(state, dst, len, Access::Write)?;
        self.check_halt()?;
        let unwritten = self.to_content(value, 8).unwritten(0);
        let (byte, cell) = match value.expr {
            None => (value.bits as u8, Cell::NONE),
            Some(expr) => {
                let byte = self.pool.extract(expr, 0, 8);
                self.pool.as_const(byte).map_or((0, Cell::new(byte, 0)), |bits| (bits as u8, Cell::NONE))
            }
        };
        self.object_mut(state, object)?.fill(offset, len, byte, cell, unwritten);
        Ok(())
    }

    pub(crate) fn read_block(&mut self, state: &mut State, addr: Value, len: u64) -> StepResult<Bytes> {
        if len == 0 {
            return Ok(Bytes::Concrete(Vec::new()));
        }
        let (object, offset) = self.fixed_place(state, addr, len, Access::Read)?;
        self.bytes_at(state, object, offset, len)
    }

    /// Writes bytes into an object. They must be in bounds.
    pub(crate) fn write_block(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: u64,
        bytes: &Bytes,
    ) -> StepResult<()> {
        self.put_bytes(state, object, offset, bytes)
    }

    /// At most `limit` characters of the string at an address, up to a concrete terminator. A symbolic character may be
    /// the terminator, too. If the object ends and none of its characters must be 0, that is a bug.
    pub(crate) fn string(&mut self, state: &mut State, addr: Value, limit: usize) -> StepResult<Vec<Byte>> {
        let (id, offset) = self.fixed_place(state, addr, 1, Access::Read)?;
        let room = state.memory.get(id).map_or(0, |object| object.size - offset);
        let mut characters = Vec::new();
        let mut ends = self.pool.bool(false);
        let zero = self.pool.constant(8, 0);
        while characters.len() < limit {
            let len = characters.len() as u64;
            if len.is_multiple_of(self.options.tuning.long_copy) {
                self.check_halt()?;
            }
            if len == room && self.decide_condition(state, DecisionKind::Check, ends, Some(BugKind::OutOfBoundsRead))? {
                break;
            }
            if len == room {
                // This reports how far the string extends past its object.
                self.resolve(state, Value::concrete(id.address() + offset + len), 1, Access::Read)?;
            }
            // In an object that is itself a string of input characters, bytes after the terminator are never shown,
            // because the terminator is among the characters before. So this read needs no check against the string's
            // end.
            let value =
                self.read_place(state, ResolvedAddress { object: id, offset: Offset::Concrete(offset) }, len)?.value;
            match value.expr {
                None if value.bits == 0 => break,
                None => characters.push(Byte::Concrete(value.bits as u8)),
                Some(expr) => {
                    let here = self.pool.eq(expr, zero);
                    ends = self.pool.or(ends, here);
                    characters.push(self.byte_of(expr));
                }
            }
        }
        Ok(characters)
    }

    /// The condition that a string equals a name. The string is complete up to a concrete terminator, or longer than
    /// the name.
    pub(crate) fn is_string(&mut self, string: &[Byte], name: &[u8]) -> Expr {
        let mut same = self.pool.bool(string.len() >= name.len());
        for (byte, wanted) in string.iter().zip(name.iter().chain(&[0])) {
            let here = match byte_expr(*byte, &mut self.pool) {
                Some(expr) => {
                    let wanted = self.pool.constant(8, u128::from(*wanted));
                    self.pool.eq(expr, wanted)
                }
                None => self.pool.bool(matches!(byte, Byte::Concrete(byte) if byte == wanted)),
            };
            same = self.pool.and(same, here);
        }
        same
    }

    /// The string at an address under the current input, for a message. Makes no decision and stops at the first
    /// unreadable byte.
    pub(crate) fn message_text(&mut self, state: &State, addr: Value, limit: u64) -> MessageText {
        let address = self.eval_value(addr);
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            match self.peek(state, address.wrapping_add(text.len() as u64), 1).as_deref() {
                Some([byte]) if byte.value != 0 => text.push(byte.value),
                _ => break,
            }
        }
        MessageText::text(&text)
    }

    /// An expression of 8 bits as a byte of memory.
    pub(crate) fn byte_of(&mut self, byte: Expr) -> Byte {
        match self.pool.as_const(byte) {
            Some(bits) => Byte::Concrete(bits as u8),
            None => Byte::Symbolic(Cell::new(byte, 0)),
        }
    }

    /// Resolves an address and makes its offset concrete.
    pub(crate) fn fixed_place(
        &mut self,
        state: &mut State,
        addr: Value,
        len: u64,
        access: Access,
    ) -> StepResult<(ObjectId, u64)> {
        let ResolvedAddress { object, offset } = self.resolve(state, addr, len, access)?;
        match offset {
            Offset::Concrete(offset) => Ok((object, offset)),
            Offset::Symbolic(expr) => Ok((object, self.pin(state, Value::symbolic(expr))?)),
        }
    }

    fn bytes_at(&mut self, state: &mut State, object: ObjectId, offset: u64, len: u64) -> StepResult<Bytes> {
        self.read_unwritten(state, object, offset, len, 8);
        let object = state.memory.get(object).ok_or_else(|| self.lost_object(state))?;
        let mut concrete = vec![0; len as usize];
        if object.copy_out(offset, &mut concrete) {
            return Ok(Bytes::Concrete(concrete));
        }
        let mixed = (offset..offset + len).map(|position| match (object.unwritten(position), object.cell(position)) {
            (Unwritten::No, Cell::NONE) => Byte::Concrete(object.byte(position)),
            (Unwritten::No, cell) => Byte::Symbolic(cell),
            (unwritten, cell) => Byte::Uninitialised(object.byte(position), cell, unwritten),
        });
        Ok(Bytes::Mixed(mixed.collect()))
    }

    fn put_bytes(&self, state: &mut State, object: ObjectId, offset: u64, bytes: &Bytes) -> StepResult<()> {
        put(self.object_mut(state, object)?, offset, bytes);
        Ok(())
    }
}

fn put(object: &mut Object, offset: u64, bytes: &Bytes) {
    match bytes {
        Bytes::Concrete(bytes) => object.copy_in(offset, bytes),
        Bytes::Mixed(bytes) => {
            for (position, byte) in (offset..).zip(bytes) {
                match *byte {
                    Byte::Concrete(byte) => object.set_byte(position, byte),
                    Byte::Symbolic(cell) => object.set_cell(position, cell),
                    Byte::Uninitialised(byte, cell, unwritten) => object.set(position, byte, cell, unwritten),
                }
            }
        }
    }
}
