//! `setjmp` and `longjmp`.
//!
//! A `jmp_buf` holds the serial number of the frame and the instruction index of the call of `setjmp`. Which signals
//! are blocked is known to the C library (`runtime/libc/signal.c`): it saves that before `sigsetjmp`, and its
//! `siglongjmp` restores it.

use secateur_program::Returns;

use super::Shim;
use super::shim::{INT, LONG};
use crate::access::Access;
use crate::call::{Arguments, Returned};
use crate::end::BugKind;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

/// The number of bytes of a `jmp_buf` that are used.
const BUFFER_SIZE: u64 = 16;
/// Where a `jmp_buf` says whether it holds the blocked signals, too.
const SIGNALS_SAVED: u64 = 64;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("setjmp", setjmp)
        .takes(&[LONG])
        .fails_by(|call| call.written(0, Some(BUFFER_SIZE)))
        .returns(Returns::Twice),
    Shim::new("_setjmp", setjmp)
        .takes(&[LONG])
        .fails_by(|call| call.written(0, Some(BUFFER_SIZE)))
        .returns(Returns::Twice),
    Shim::new("sigsetjmp", set_place)
        .takes(&[LONG])
        .fails_by(|call| call.written(0, Some(BUFFER_SIZE)))
        .returns(Returns::Twice),
    Shim::new("__sigsetjmp", set_place)
        .takes(&[LONG])
        .fails_by(|call| call.written(0, Some(BUFFER_SIZE)))
        .returns(Returns::Twice),
    Shim::new("llvm.eh.sjlj.setjmp", set_place)
        .fails_by(|call| call.written(0, Some(BUFFER_SIZE)))
        .returns(Returns::Twice),
    Shim::new("longjmp", longjmp).takes(&[LONG, INT]).returns(Returns::Elsewhere),
    Shim::new("_longjmp", longjmp).takes(&[LONG, INT]).returns(Returns::Elsewhere),
    Shim::new("siglongjmp", longjmp).takes(&[LONG, INT]).returns(Returns::Elsewhere).fallback(),
    Shim::new("__longjmp_chk", longjmp).takes(&[LONG, INT]).returns(Returns::Elsewhere).fallback(),
    Shim::new("llvm.eh.sjlj.longjmp", longjmp).returns(Returns::Elsewhere),
];

/// `setjmp`: the blocked signals stay as they are.
fn setjmp(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let (id, offset) = machine.fixed_place(state, arguments.get(0), BUFFER_SIZE, Access::Write)?;
    let object = machine.object_mut(state, id)?;
    if offset + SIGNALS_SAVED + 4 <= object.size {
        object.write_concrete(offset + SIGNALS_SAVED, 4, 0);
    }
    set_place(machine, state, arguments)
}

fn set_place(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let (object, offset) = machine.fixed_place(state, arguments.get(0), BUFFER_SIZE, Access::Write)?;
    let (serial, pc) = (state.frame.serial, state.frame.pc);
    let object = machine.object_mut(state, object)?;
    object.write_concrete(offset, 8, serial);
    object.write_concrete(offset + 8, 8, u64::from(pc));
    Ok(Returned::Nothing)
}

fn longjmp(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let buffer = machine.pin(state, arguments.get(0))?;
    let serial = machine.load(state, Value::concrete(buffer), 8, 64)?;
    let pc = machine.load(state, Value::concrete(buffer + 8), 8, 64)?;
    let (Some(serial), Some(pc)) = (serial.as_concrete(), pc.as_concrete()) else {
        return Err(machine.unsupported(state, "longjmp with a symbolic jmp_buf"));
    };
    let alive = std::iter::once(&state.frame).chain(state.callers.iter()).any(|frame| frame.serial == serial);
    if !alive {
        return Err(machine.bug(state, BugKind::DeadStack, "longjmp to a function that has returned"));
    }
    // `setjmp` returns 1 if `longjmp` was given 0.
    let value = match arguments.slots.get(1).copied().unwrap_or(Value::ZERO) {
        Value { expr: Some(expr), .. } => {
            let zero = machine.pool.constant(32, 0);
            let one = machine.pool.constant(32, 1);
            let is_zero = machine.pool.eq(expr, zero);
            let value = machine.pool.ite(is_zero, one, expr);
            machine.value(value)
        }
        value if value.bits == 0 => Value { bits: 1, ..value },
        value => value,
    };
    while state.frame.serial != serial {
        let Some(below) = state.callers.pop() else { break };
        let left = std::mem::replace(&mut state.frame, below);
        for object in left.objects.into_iter().rev() {
            machine.end_stack_object(state, Some(object));
        }
    }
    machine.mark_inexpressible(state, "longjmp");
    machine.touch_frame(state);
    let program = std::rc::Rc::clone(&machine.program);
    let frame = &mut state.frame;
    frame.pc = pc as u32;
    if let Some(body) = &program.functions[frame.function.index()].body
        && let Some(secateur_program::Inst::Call { info }) = body.code.get(frame.pc as usize)
    {
        let call = &body.calls[info.index()];
        if !call.result.is_empty() {
            frame.slots[call.dst.index()] = value;
        }
    }
    frame.pc += 1;
    Ok(Returned::Elsewhere)
}
