//! The arguments of a call, as `va_arg` takes them.

use crate::machine::{Machine, Outcome};
use crate::state::State;
use crate::value::Value;

/// Reads a `va_list` of the x86-64 convention without changing it.
pub(super) struct VaList {
    gp_offset: u64,
    fp_offset: u64,
    overflow: u64,
    registers: u64,
}

impl VaList {
    pub(super) fn new(machine: &mut Machine, state: &mut State, address: Value) -> Outcome<VaList> {
        let address = machine.pin(state, address)?;
        let mut field = |offset: u64, bytes: u8| -> Outcome<u64> {
            let value = machine.load(state, Value::concrete(address + offset), bytes, bytes * 8)?;
            machine.pin(state, value)
        };
        Ok(VaList {
            gp_offset: field(0, 4)?,
            fp_offset: field(4, 4)?,
            overflow: field(8, 8)?,
            registers: field(16, 8)?,
        })
    }

    pub(super) fn next_integer(&mut self, machine: &mut Machine, state: &mut State) -> Outcome<Value> {
        let address = if self.gp_offset < 48 {
            self.gp_offset += 8;
            self.registers + self.gp_offset - 8
        } else {
            self.overflow += 8;
            self.overflow - 8
        };
        machine.load(state, Value::concrete(address), 8, 64)
    }

    pub(super) fn next_double(&mut self, machine: &mut Machine, state: &mut State) -> Outcome<Value> {
        let address = if self.fp_offset < 176 {
            self.fp_offset += 16;
            self.registers + self.fp_offset - 16
        } else {
            self.overflow += 8;
            self.overflow - 8
        };
        machine.load(state, Value::concrete(address), 8, 64)
    }

    /// A `long double`, which is always concrete.
    pub(super) fn next_long_double(&mut self, machine: &mut Machine, state: &mut State) -> Outcome<(u64, u64)> {
        let address = self.overflow.next_multiple_of(16);
        self.overflow = address + 16;
        let low = machine.load(state, Value::concrete(address), 8, 64)?;
        let high = machine.load(state, Value::concrete(address + 8), 2, 16)?;
        Ok((machine.pin(state, low)?, machine.pin(state, high)?))
    }
}
