//! Looks into the memory of a finished path, as it is for the current input.

use secateur_program::{GlobalId, OFFSET_BITS, global_address};

use crate::machine::Machine;
use crate::memory::ObjectId;
use crate::state::State;

impl Machine {
    /// The bytes at an address; `None` if they are not all in one living object.
    pub fn peek(&mut self, state: &State, address: u64, len: u64) -> Option<Vec<u8>> {
        let id = ObjectId((address >> OFFSET_BITS) as u32);
        let offset = address - id.address();
        let object = state.memory.get(id).filter(|object| object.alive)?;
        if offset.checked_add(len).is_none_or(|end| end > object.size) {
            return None;
        }
        let bytes = (offset..offset + len).map(|position| match object.cell(position).get() {
            Some((expr, byte)) => (self.input.eval_wide(&self.pool, expr) >> (byte * 8)) as u8,
            None => object.byte(position),
        });
        Some(bytes.collect())
    }

    /// The address of a global variable.
    pub fn address_of(&self, global: &str) -> Option<u64> {
        let index = self.program.globals.iter().position(|known| &*known.name == global)?;
        Some(global_address(GlobalId(index as u32)))
    }
}
