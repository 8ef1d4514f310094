//! Variable arguments, laid out according to the x86-64 calling convention.
//!
//! clang compiles `va_arg` to code that looks for an argument first among the saved registers, then in memory. That
//! code has branches and is part of the user's program. For it to take the same branches as natively, `va_start` must
//! split the arguments between the two as a native call does.

use secateur_program::{Argument, Param};

use crate::access::Access;
use crate::call::lane_key;
use crate::convention::{ArgumentLocation, Layout, REGISTERS_END, bytes_of, stride};
use crate::machine::{Machine, StepResult};
use crate::memory::{Object, ObjectId, ObjectKind};
use crate::state::State;
use crate::value::Value;

/// The size of a `va_list`.
pub(crate) const VA_LIST_SIZE: u64 = 24;

/// C library functions such as `syscall` read more arguments than they are given and ignore them. It is a part
/// of the layout of arguments.
const LIBRARY_SLACK: u64 = 64;
/// The name of the objects that hold variable arguments. A read beyond them is a read of an argument that was not
/// passed.
pub(crate) const ARGUMENT_AREA: &str = "variable arguments";
/// For a C library function, which may read all registers, the saved registers are followed by the ends of what was
/// passed: the offsets where integers and vectors end, and the address where arguments in memory end.
const ENDS: u64 = REGISTERS_END;
const ENDS_SIZE: u64 = 24;

/// Where the arguments after the named ones start.
fn after(params: &[Param]) -> Layout {
    let mut layout = Layout::new();
    for param in params.iter().filter(|param| param.by_value.is_none()) {
        layout.place(&param.slots);
    }
    // The memory area starts with the first argument that is not named.
    layout.memory = 0;
    layout
}

impl Machine {
    /// Fills the `va_list` at an address from the variable arguments of the frame.
    pub(crate) fn va_start(&mut self, state: &mut State, list: Value) -> StepResult<()> {
        let (list, list_offset) = self.fixed_place(state, list, VA_LIST_SIZE, Access::Write)?;
        let program = std::rc::Rc::clone(&self.program);
        let function = &program.functions[state.frame.function.index()];
        let arguments = state.frame.varargs.clone().unwrap_or_default();
        if state.is_original_frame() {
            self.mark_inexpressible(state, "variable arguments of an active call");
        }
        let mut layout = after(&function.params);
        let (first_integer, first_vector) = (layout.integer, layout.vector);
        // Reading objects passed by value may need decisions, so it comes before the first effect.
        let mut locations = Vec::new();
        for (argument, values) in arguments.iter() {
            locations.push(match (argument.by_value, values.first()) {
                (Some((size, align)), Some(pointer)) => {
                    let bytes = self.read_block(state, *pointer, size)?;
                    (layout.in_memory(size, u64::from(align)), Some(bytes))
                }
                _ => (layout.place(&argument.slots), None),
            });
        }
        let (registers, memory) = if function.user {
            let in_registers = if layout.vector > first_vector { layout.vector } else { layout.integer };
            (self.argument_area(state, in_registers), self.argument_area(state, layout.memory))
        } else {
            let registers = self.argument_area(state, ENDS + ENDS_SIZE);
            (registers, self.argument_area(state, layout.memory + LIBRARY_SLACK))
        };
        for ((argument, values), (location, bytes)) in arguments.iter().zip(locations) {
            let (area, offset) = match location {
                ArgumentLocation::Registers(offset) => (registers, offset),
                ArgumentLocation::Memory(offset) => (memory, offset),
            };
            match bytes {
                Some(bytes) => self.write_block(state, area, offset, &bytes)?,
                None => self.put_argument(state, area, offset, argument, values)?,
            }
        }
        if !function.user {
            let ends = [layout.integer, layout.vector, memory.address() + layout.memory];
            let object = self.object_mut(state, registers)?;
            for (offset, end) in (ENDS..).step_by(8).zip(ends) {
                object.write_concrete(offset, 8, end);
            }
        }
        let fields =
            [(0, 4, first_integer), (4, 4, first_vector), (8, 8, memory.address()), (16, 8, registers.address())];
        let object = self.object_mut(state, list)?;
        for (field, bytes, value) in fields {
            object.write_concrete(list_offset + field, bytes, value);
        }
        Ok(())
    }

    /// Allocates an object of the frame that holds arguments.
    fn argument_area(&mut self, state: &mut State, size: u64) -> ObjectId {
        let allocated_at = state.allocation_site(&self.program, ARGUMENT_AREA);
        let area = state
            .memory
            .allocate(lane_key(&state.frame), Object::new(size, ObjectKind::Stack, allocated_at, &[], false));
        state.frame.objects.push(area);
        area
    }

    fn put_argument(
        &mut self,
        state: &mut State,
        area: ObjectId,
        offset: u64,
        argument: &Argument,
        values: &[Value],
    ) -> StepResult<()> {
        let mut position = area.address() + offset;
        for (slot, value) in argument.slots.iter().zip(values) {
            self.store(state, Value::concrete(position), *value, bytes_of(*slot) as u8, slot.width())?;
            position += stride(&argument.slots, *slot);
        }
        Ok(())
    }

    /// Where the arguments of a C library function end, given the address of its saved registers: integers, vectors,
    /// and those in memory. `None` for a function of the user's, whose arguments end where their object does.
    pub(crate) fn argument_ends(&mut self, state: &mut State, registers: u64) -> Option<[u64; 3]> {
        self.read_unwritten(state, ObjectId::of(registers), ENDS, ENDS_SIZE, 8);
        let object = state.memory.get(ObjectId::of(registers))?;
        if *object.allocated_at.name != *ARGUMENT_AREA || object.size != ENDS + ENDS_SIZE {
            return None;
        }
        let end = |index: u64| object.read_concrete(ENDS + 8 * index, 8);
        Some([end(0)?, end(1)?, end(2)?])
    }

    /// Copies a `va_list`.
    pub(crate) fn va_copy(&mut self, state: &mut State, dst: Value, src: Value) -> StepResult<()> {
        self.copy(state, dst, src, Value::concrete(VA_LIST_SIZE))
    }
}
