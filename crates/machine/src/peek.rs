//! Inspects the memory of a finished path under the current input.

use secateur_program::{FIRST_DYNAMIC_OBJECT, GlobalId, function_at, global_address};

use crate::access::is_near;
use crate::machine::Machine;
use crate::memory::{Object, ObjectId, ObjectKind, Unwritten};
use crate::state::State;

/// A byte of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeekedByte {
    /// Its value.
    pub value: u8,
    /// The value does not depend on memory that was never written. Meaningful only where this is tracked.
    pub written: bool,
}

/// The live object that contains an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeekedObject<'s> {
    /// Its first address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its kind.
    pub kind: ObjectKind,
    /// The variable's name, or the allocating function.
    pub name: &'s str,
    /// The C library allocated it.
    pub library: bool,
}

impl Machine {
    /// The bytes at an address; `None` if they are not all in one live object.
    pub fn peek(&mut self, state: &State, address: u64, len: u64) -> Option<Vec<PeekedByte>> {
        let (id, object) = living(state, address)?;
        let offset = address - id.address();
        if offset.checked_add(len).is_none_or(|end| end > object.size) {
            return None;
        }
        let bytes = (offset..offset + len).map(|position| PeekedByte {
            value: match object.cell(position).get() {
                Some((expr, byte)) => (self.guide.values.eval_wide(&self.pool, expr) >> (byte * 8)) as u8,
                None => object.byte(position),
            },
            written: match object.unwritten(position) {
                Unwritten::No => true,
                Unwritten::If(condition) => self.guide.eval(&self.pool, condition) == 0,
                Unwritten::Partly(_) | Unwritten::Yes => false,
            },
        });
        Some(bytes.collect())
    }

    /// The live object that contains an address, or ends there.
    pub fn object_at<'s>(&self, state: &'s State, address: u64) -> Option<PeekedObject<'s>> {
        let (id, object) = living(state, address)?;
        (address - id.address() <= object.size).then_some(PeekedObject {
            address: id.address(),
            size: object.size,
            kind: object.kind,
            name: &object.allocated_at.name,
            library: object.allocated_at.library,
        })
    }

    /// Whether a number is an address of an object, alive or dead, or of a function.
    pub fn is_address(&self, state: &State, number: u64) -> bool {
        let id = state.memory.nearest(number);
        match state.memory.get(id) {
            Some(object) if u64::from(id.0) >= FIRST_DYNAMIC_OBJECT => {
                is_near(number.wrapping_sub(id.address()) as i64, object.size)
            }
            // Globals have the lowest addresses, which other numbers are likely to equal, so only exact ones count.
            Some(object) => living(state, number).is_some() && (number - id.address()) <= object.size,
            None => function_at(number).is_some_and(|function| function.index() < self.program.functions.len()),
        }
    }

    /// The address of a global variable.
    pub fn address_of(&self, global: &str) -> Option<u64> {
        let index = self.program.globals.iter().position(|known| &*known.name == global)?;
        Some(global_address(GlobalId(index as u32)))
    }
}

fn living(state: &State, address: u64) -> Option<(ObjectId, &Object)> {
    let id = state.memory.find(address);
    state.memory.get(id).filter(|object| object.alive).map(|object| (id, object))
}
