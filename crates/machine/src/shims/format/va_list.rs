//! Reads the arguments of a call in the order of `va_arg`.

use crate::convention::{INTEGERS_END, REGISTERS_END};
use crate::end::BugKind;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

// Indices into the ends of the arguments.
const INTEGER: usize = 0;
const VECTOR: usize = 1;
const MEMORY: usize = 2;

/// Reads an x86-64 `va_list` without changing it.
#[derive(Clone)]
pub(super) struct VaList {
    gp_offset: u64,
    fp_offset: u64,
    overflow: u64,
    registers: u64,
    /// Where the passed arguments end, if not at the end of their objects.
    ends: Option<[u64; 3]>,
}

impl VaList {
    pub(super) fn new(machine: &mut Machine, state: &mut State, address: Value) -> StepResult<VaList> {
        let address = machine.pin(state, address)?;
        let mut field = |offset: u64, bytes: u8| -> StepResult<u64> {
            let value = machine.load(state, Value::concrete(address + offset), bytes, bytes * 8)?;
            machine.pin(state, value)
        };
        let (gp_offset, fp_offset) = (field(0, 4)?, field(4, 4)?);
        let (overflow, registers) = (field(8, 8)?, field(16, 8)?);
        let ends = machine.argument_ends(state, registers);
        Ok(VaList { gp_offset, fp_offset, overflow, registers, ends })
    }

    /// Ends the path with a bug if the argument at `start` was not passed; `kind` selects the end to compare with.
    fn check(&self, machine: &Machine, state: &State, kind: usize, start: u64) -> StepResult<()> {
        match self.ends {
            Some(ends) if start >= ends[kind] => {
                Err(machine.bug(state, BugKind::BadCall, "the format asks for more arguments than are passed"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn next_integer(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Value> {
        let address = if self.gp_offset < INTEGERS_END {
            self.check(machine, state, INTEGER, self.gp_offset)?;
            self.gp_offset += 8;
            self.registers + self.gp_offset - 8
        } else {
            self.check(machine, state, MEMORY, self.overflow)?;
            self.overflow += 8;
            self.overflow - 8
        };
        machine.load(state, Value::concrete(address), 8, 64)
    }

    pub(super) fn next_double(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<Value> {
        let address = if self.fp_offset < REGISTERS_END {
            self.check(machine, state, VECTOR, self.fp_offset)?;
            self.fp_offset += 16;
            self.registers + self.fp_offset - 16
        } else {
            self.check(machine, state, MEMORY, self.overflow)?;
            self.overflow += 8;
            self.overflow - 8
        };
        machine.load(state, Value::concrete(address), 8, 64)
    }

    /// The next `long double`, made concrete.
    pub(super) fn next_long_double(&mut self, machine: &mut Machine, state: &mut State) -> StepResult<(u64, u64)> {
        let address = self.overflow.next_multiple_of(16);
        self.check(machine, state, MEMORY, address)?;
        self.overflow = address + 16;
        let low = machine.load(state, Value::concrete(address), 8, 64)?;
        let high = machine.load(state, Value::concrete(address + 8), 2, 16)?;
        Ok((machine.pin(state, low)?, machine.pin(state, high)?))
    }
}
