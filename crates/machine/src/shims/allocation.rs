//! The `malloc` family.

use std::rc::Rc;

use secateur_program::GlobalId;

use super::Shim;
use super::shim::LONG;
use crate::access::Access;
use crate::call::{Arguments, Returned, lane_key};
use crate::end::{BugKind, End, Limit};
use crate::hazards::Hazards;
use crate::machine::{Machine, StepResult, end};
use crate::memory::{Object, ObjectId, ObjectKind};
use crate::state::State;
use crate::value::Value;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("malloc", malloc).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("valloc", malloc).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("calloc", calloc).takes(&[LONG, LONG]).fails(Hazards::NONE),
    Shim::new("realloc", realloc).takes(&[LONG, LONG]).fails(BAD_FREE),
    Shim::new("reallocarray", reallocarray).takes(&[LONG, LONG, LONG]).fails(BAD_FREE),
    Shim::new("free", free).takes(&[LONG]).fails(BAD_FREE),
    Shim::new("cfree", free).takes(&[LONG]).fails(BAD_FREE),
    Shim::new("aligned_alloc", aligned_alloc).takes(&[LONG, LONG]).fails(Hazards::NONE),
    Shim::new("memalign", aligned_alloc).takes(&[LONG, LONG]).fails(Hazards::NONE),
    Shim::new("posix_memalign", posix_memalign).takes(&[LONG, LONG, LONG]),
    Shim::new("malloc_usable_size", usable_size).takes(&[LONG]).fails(BAD_FREE),
];

/// What can go wrong with a pointer that `malloc` should have returned.
const BAD_FREE: Hazards = Hazards::of(&[BugKind::DoubleFree, BugKind::InvalidFree]);

fn malloc(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let size = machine.pin(state, arguments.get(0))?;
    allocate(machine, state, size, "malloc", machine.options.track_uninit)
}

fn calloc(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let count = machine.pin(state, arguments.get(0))?;
    let size = machine.pin(state, arguments.get(1))?;
    match count.checked_mul(size) {
        Some(size) => allocate(machine, state, size, "calloc", false),
        None => out_of_memory(machine, state),
    }
}

fn aligned_alloc(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    // Every object starts at a multiple of 2^22, so every alignment up to 4 MiB is met.
    let size = machine.pin(state, arguments.get(1))?;
    allocate(machine, state, size, "aligned_alloc", machine.options.track_uninit)
}

fn posix_memalign(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let alignment = machine.pin(state, arguments.get(1))?;
    let size = machine.pin(state, arguments.get(2))?;
    if alignment < 8 || !alignment.is_power_of_two() {
        return Ok(Returned::Value(Value::concrete(EINVAL)));
    }
    machine.resolve(state, arguments.get(0), 8, Access::Write)?;
    let Returned::Value(pointer) = allocate(machine, state, size, "posix_memalign", machine.options.track_uninit)?
    else {
        return Ok(Returned::Value(Value::concrete(ENOMEM)));
    };
    machine.store(state, arguments.get(0), pointer, 8, 64)?;
    Ok(Returned::Nothing)
}

fn realloc(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let size = machine.pin(state, arguments.get(1))?;
    reallocate(machine, state, arguments.get(0), size)
}

fn reallocarray(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let count = machine.pin(state, arguments.get(1))?;
    let size = machine.pin(state, arguments.get(2))?;
    match count.checked_mul(size) {
        Some(size) => reallocate(machine, state, arguments.get(0), size),
        None => out_of_memory(machine, state),
    }
}

fn reallocate(machine: &mut Machine, state: &mut State, old: Value, size: u64) -> StepResult<Returned> {
    let pointer = machine.pin(state, old)?;
    if pointer == 0 {
        return allocate(machine, state, size, "realloc", machine.options.track_uninit);
    }
    let old = check_heap_start(machine, state, pointer, "realloc")?;
    if size == 0 {
        kill(machine, state, old)?;
        return Ok(Returned::Nothing);
    }
    let old_size = machine.size_of(state, old)?;
    machine.check_halt()?;
    let new = allocate(machine, state, size, "realloc", machine.options.track_uninit)?;
    if let Returned::Value(value) = &new {
        machine.copy_block(state, ObjectId::of(value.bits), old, old_size.min(size))?;
        kill(machine, state, old)?;
    }
    Ok(new)
}

fn free(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let pointer = machine.pin(state, arguments.get(0))?;
    if pointer != 0 {
        let object = check_heap_start(machine, state, pointer, "free")?;
        kill(machine, state, object)?;
    }
    Ok(Returned::Nothing)
}

fn usable_size(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let pointer = machine.pin(state, arguments.get(0))?;
    if pointer == 0 {
        return Ok(Returned::Nothing);
    }
    let object = check_heap_start(machine, state, pointer, "malloc_usable_size")?;
    Ok(Returned::Value(Value::concrete(machine.size_of(state, object)?)))
}

/// More memory than any machine has: `malloc` of more returns a null pointer, also under sanitizers. It is a part of
/// the memory model, so it is a constant rather than a tuned number.
const MAX_PLAUSIBLE: u64 = 1 << 40;

/// Allocates a heap object; returns a null pointer for more memory than any machine has.
fn allocate(machine: &mut Machine, state: &mut State, size: u64, by: &str, uninit: bool) -> StepResult<Returned> {
    if size > MAX_PLAUSIBLE {
        return out_of_memory(machine, state);
    }
    if size > machine.options.max_allocation {
        return Err(end(End::Limit(Limit::Allocation)));
    }
    // The allocation site is the call in the user's program; C library functions in between are part of the context.
    let allocated_at = state.allocation_site(&machine.program, by);
    let mut object = Object::new(size, ObjectKind::Heap, allocated_at, &[], uninit);
    object.fresh = state.next_fresh(&machine.program);
    let id = state.memory.allocate(lane_key(&state.frame), object);
    Ok(Returned::Value(Value::concrete(id.address())))
}

/// Returns a null pointer. `errno` says why, unless the program does not use it.
#[cold]
fn out_of_memory(machine: &mut Machine, state: &mut State) -> StepResult<Returned> {
    let program = Rc::clone(&machine.program);
    if let Some(errno) = program.globals.iter().position(|global| &*global.name == ERRNO) {
        let address = ObjectId::of_global(GlobalId(errno as u32)).address();
        machine.store(state, Value::concrete(address), Value::concrete(ENOMEM), 4, 32)?;
    }
    Ok(Returned::Nothing)
}

fn check_heap_start(machine: &mut Machine, state: &mut State, pointer: u64, by: &str) -> StepResult<ObjectId> {
    let id = state.memory.find(pointer);
    let offset = pointer - id.address();
    let (kind, message) = match state.memory.get(id) {
        Some(object) if object.kind == ObjectKind::Heap && offset == 0 => {
            if object.alive {
                return Ok(id);
            }
            (BugKind::DoubleFree, format!("{by} of {}, which was freed before", object.describe()))
        }
        Some(object) if object.kind == ObjectKind::Heap => {
            (BugKind::InvalidFree, format!("{by} of a pointer to offset {offset} of {}", object.describe()))
        }
        Some(object) => (BugKind::InvalidFree, format!("{by} of {}, which is not on the heap", object.describe())),
        None => (BugKind::InvalidFree, format!("{by} of address {pointer:#x}, where there is no object")),
    };
    Err(machine.bug(state, kind, message))
}

fn kill(machine: &mut Machine, state: &mut State, id: ObjectId) -> StepResult<()> {
    machine.object_mut(state, id)?.kill();
    Ok(())
}

const ENOMEM: u64 = 12;
const EINVAL: u64 = 22;

/// The C library's `errno`.
const ERRNO: &str = "__secateur_errno";
