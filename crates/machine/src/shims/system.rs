//! The system-call boundary: the only way out of the program. Reading and writing are modelled; any other call ends the
//! path as unsupported.

use std::rc::Rc;

use super::Shim;
use super::shim::{CallOperands, INT, LONG};
use crate::access::{Access, NULL_ZONE};
use crate::block::{Byte, Bytes};
use crate::call::{Arguments, Returned};
use crate::decision::DecisionKind;
use crate::files::{File, Open};
use crate::hazards::{Hazards, NORMAL_END};
use crate::machine::{Machine, StepResult};
use crate::memory::{Cell, ObjectId};
use crate::state::State;
use crate::value::{Value, signed};

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("__secateur_syscall", system_call).fails_by(exit_hazards),
    // For programs that are loaded without the C library.
    Shim::new("read", read).takes(&[INT, LONG, LONG]).fallback(),
    Shim::new("write", write).takes(&[INT, LONG, LONG]).fallback(),
];

// System call numbers of x86-64 Linux.
const READ: u64 = 0;
const WRITE: u64 = 1;
const OPEN: u64 = 2;
const CLOSE: u64 = 3;
const LSEEK: u64 = 8;
const IOCTL: u64 = 16;
const READV: u64 = 19;
const WRITEV: u64 = 20;
const EXIT: u64 = 60;
const EXIT_GROUP: u64 = 231;
const OPENAT: u64 = 257;

/// `O_WRONLY`, `O_RDWR` and `O_CREAT`.
const WRITING: u64 = 0o103;

const ENOENT: i64 = 2;
const EBADF: i64 = 9;
const EFAULT: i64 = 14;
const EINVAL: i64 = 22;
const ENOTTY: i64 = 25;
const ESPIPE: i64 = 29;

/// The `ioctl` requests that ask about a terminal, which no descriptor is.
const TERMINAL: [u64; 2] = [0x5401, 0x5413];

fn exit_hazards(call: &CallOperands<'_>) -> Hazards {
    if matches!(call.constant(0), Some(EXIT | EXIT_GROUP)) { NORMAL_END } else { Hazards::ANY }
}

fn system_call(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let number = machine.pin(state, arguments.get(0))?;
    let (a, b, c) = (arguments.get(1), arguments.get(2), arguments.get(3));
    let result = match number {
        READ => do_read(machine, state, a, &[(b, c)])?,
        WRITE => do_write(machine, state, a, &[(b, c)])?,
        READV => {
            let parts = vector(machine, state, b, c)?;
            do_read(machine, state, a, &parts)?
        }
        WRITEV => {
            let parts = vector(machine, state, b, c)?;
            do_write(machine, state, a, &parts)?
        }
        OPEN => open(machine, state, a, b)?,
        OPENAT => open(machine, state, b, c)?,
        CLOSE => close(machine, state, a)?,
        LSEEK => seek(machine, state, a, b, c)?,
        IOCTL => control(machine, state, a, b)?,
        EXIT | EXIT_GROUP => return Err(machine.exit(state, a)?),
        _ => return Err(machine.unsupported(state, format!("system call {number}"))),
    };
    Ok(Returned::Value(Value::concrete(result as u64)))
}

fn read(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let result = do_read(machine, state, arguments.get(0), &[(arguments.get(1), arguments.get(2))])?;
    Ok(Returned::Value(Value::concrete(result.max(-1) as u64)))
}

fn write(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let result = do_write(machine, state, arguments.get(0), &[(arguments.get(1), arguments.get(2))])?;
    Ok(Returned::Value(Value::concrete(result.max(-1) as u64)))
}

/// The buffers of `readv` and `writev`.
fn vector(machine: &mut Machine, state: &mut State, list: Value, count: Value) -> StepResult<Vec<(Value, Value)>> {
    let list = machine.pin(state, list)?;
    let count = machine.pin(state, count)?;
    let mut parts = Vec::new();
    for index in 0..count {
        let address = list + index * 16;
        let base = machine.load(state, Value::concrete(address), 8, 64)?;
        let len = machine.load(state, Value::concrete(address + 8), 8, 64)?;
        parts.push((base, len));
    }
    Ok(parts)
}

/// Decides whether a pointer is null or close to it: the system then returns an error instead of ending the program.
fn is_null(machine: &mut Machine, state: &mut State, pointer: Value) -> StepResult<bool> {
    let address = machine.expr(pointer, 64);
    let end = machine.pool.constant(64, u128::from(NULL_ZONE));
    let null = machine.pool.ult(address, end);
    machine.decide_condition(state, DecisionKind::Pointer, null, None)
}

fn do_read(machine: &mut Machine, state: &mut State, descriptor: Value, parts: &[(Value, Value)]) -> StepResult<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let (file, position) = match state.files.open(descriptor) {
        Some(Open::File { file, position }) => (file, position),
        Some(Open::Nothing) => return Ok(0),
        Some(Open::Output(_)) => {
            return Err(machine.unsupported(state, "reading from standard output or error"));
        }
        None => return Ok(-EBADF),
    };
    // All checks come before the first effect.
    let mut places: Vec<(ObjectId, u64, u32)> = Vec::new();
    let File { first, len, .. } = *state.files.file(file);
    let mut left = u64::from(len).saturating_sub(position);
    for (base, len) in parts {
        let wanted = machine.pin(state, *len)?.min(left);
        if wanted > 0 {
            if is_null(machine, state, *base)? {
                return Ok(-EFAULT);
            }
            let (object, offset) = machine.fixed_place(state, *base, wanted, Access::Write)?;
            places.push((object, offset, wanted as u32));
            left -= wanted;
        }
    }
    let mut at = position;
    for (object, offset, len) in places {
        let bytes = machine.symbolic_bytes(first + at as u32, len);
        machine.write_block(state, object, offset, &bytes)?;
        at += u64::from(len);
    }
    if at > position {
        Rc::make_mut(&mut state.files).seek(descriptor, at);
    }
    Ok((at - position) as i64)
}

fn do_write(machine: &mut Machine, state: &mut State, descriptor: Value, parts: &[(Value, Value)]) -> StepResult<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let stream = match state.files.open(descriptor) {
        Some(Open::Output(stream)) => stream,
        // No file is ever opened for writing.
        _ => return Ok(-EBADF),
    };
    let mut written = Vec::new();
    let mut symbolic = Vec::new();
    for (base, len) in parts {
        let len = machine.pin(state, *len)?;
        if len > 0 && is_null(machine, state, *base)? {
            return Ok(-EFAULT);
        }
        match machine.read_block(state, *base, len)? {
            Bytes::Concrete(bytes) => written.extend(bytes),
            Bytes::Mixed(bytes) => {
                for byte in bytes {
                    match byte {
                        Byte::Concrete(byte) | Byte::Uninitialised(byte, Cell::NONE, _) => written.push(byte),
                        Byte::Symbolic(cell) | Byte::Uninitialised(_, cell, _) => {
                            if let Some((expr, index)) = cell.get() {
                                symbolic.push((written.len() as u32, machine.pool.extract(expr, index as u8 * 8, 8)));
                            }
                            written.push(0);
                        }
                    }
                }
            }
        }
    }
    let total = written.len() as i64;
    if total > 0 {
        state.output.write(stream, written, symbolic);
    }
    Ok(total)
}

/// Opens a symbolic file. The program's folder has no other files; what exists elsewhere is unknown.
fn open(machine: &mut Machine, state: &mut State, name: Value, flags: Value) -> StepResult<i64> {
    let text = machine.message_text(state, name, 4096);
    let files = Rc::clone(&state.files);
    let names: Vec<(usize, Vec<u8>)> = files
        .named()
        .flat_map(|(number, name)| [(number, name.to_string()), (number, format!("./{name}"))])
        .map(|(number, name)| (number, name.into_bytes()))
        .collect();
    let spelled: Vec<&[u8]> = names.iter().map(|(_, name)| name.as_slice()).collect();
    let known = machine.decide_name(state, name, &spelled)?;
    if machine.pin(state, flags)? & WRITING != 0 {
        return Err(machine.unsupported(state, format!("opening the file `{text}` for writing")));
    }
    if let Some(known) = known {
        return Ok(i64::from(Rc::make_mut(&mut state.files).open_file(names[known].0)));
    }
    if leads_elsewhere(machine, state, name)? {
        return Err(machine.unsupported(state, format!("opening the file `{text}`, which the test does not provide")));
    }
    Ok(-ENOENT)
}

/// Decides whether a name leads out of the program's folder or to the folder itself: it starts with a dot or a slash.
fn leads_elsewhere(machine: &mut Machine, state: &mut State, name: Value) -> StepResult<bool> {
    let first = machine.load(state, name, 1, 8)?;
    let first = machine.expr(first, 8);
    let mut elsewhere = machine.pool.bool(false);
    for byte in *b"./" {
        let byte = machine.pool.constant(8, u128::from(byte));
        let same = machine.pool.eq(first, byte);
        elsewhere = machine.pool.or(elsewhere, same);
    }
    machine.decide_condition(state, DecisionKind::Shape, elsewhere, None)
}

fn close(machine: &mut Machine, state: &mut State, descriptor: Value) -> StepResult<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    Ok(if Rc::make_mut(&mut state.files).close(descriptor) { 0 } else { -EBADF })
}

fn seek(machine: &mut Machine, state: &mut State, descriptor: Value, offset: Value, whence: Value) -> StepResult<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let (file, position) = match state.files.open(descriptor) {
        Some(Open::File { file, position }) => (file, position),
        // `/dev/null` is always at its start.
        Some(Open::Nothing) => return Ok(0),
        Some(Open::Output(_)) => return Ok(-ESPIPE),
        None => return Ok(-EBADF),
    };
    let from = match machine.pin(state, whence)? & 0xffff_ffff {
        0 => 0,
        1 => position,
        2 => u64::from(state.files.file(file).len),
        _ => return Ok(-EINVAL),
    };
    let offset = machine.pin(state, offset)? as i64;
    match (from as i64).checked_add(offset).and_then(|to| u64::try_from(to).ok()) {
        Some(to) => {
            Rc::make_mut(&mut state.files).seek(descriptor, to);
            Ok(to as i64)
        }
        None => Ok(-EINVAL),
    }
}

/// `ioctl`: no descriptor is a terminal.
fn control(machine: &mut Machine, state: &mut State, descriptor: Value, request: Value) -> StepResult<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let request = machine.pin(state, request)?;
    if state.files.open(descriptor).is_none() {
        return Ok(-EBADF);
    }
    if TERMINAL.contains(&(request & 0xffff_ffff)) {
        return Ok(-ENOTTY);
    }
    Err(machine.unsupported(state, format!("ioctl with request {request:#x}")))
}
