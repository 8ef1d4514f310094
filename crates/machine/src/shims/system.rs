//! The system-call boundary: the only way out of the program. Reading and writing are modelled; the rest ends the path.

use std::rc::Rc;

use super::Group;
use crate::access::Access;
use crate::block::{Byte, Bytes};
use crate::call::{Arguments, Returned};
use crate::machine::{Machine, Outcome};
use crate::memory::{Cell, ObjectId};
use crate::state::State;
use crate::value::{Value, signed};

pub(super) const FUNCTIONS: Group = &[("__secateur_syscall", system_call)];

/// For programs that are loaded without the C library.
pub(super) const FALLBACKS: Group = &[("read", read), ("write", write)];

// Numbers of x86-64 Linux.
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
const ENOTTY: i64 = 25;
const ESPIPE: i64 = 29;

fn system_call(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
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
        LSEEK => -ESPIPE,
        IOCTL => -ENOTTY,
        EXIT | EXIT_GROUP => return Err(machine.exit(state, a)?),
        _ => return Err(machine.unsupported(state, format!("system call {number}"))),
    };
    Ok(Returned::Value(Value::concrete(result as u64)))
}

fn read(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    let result = do_read(machine, state, arguments.get(0), &[(arguments.get(1), arguments.get(2))])?;
    Ok(Returned::Value(Value::concrete(result.max(-1) as u64)))
}

fn write(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    let result = do_write(machine, state, arguments.get(0), &[(arguments.get(1), arguments.get(2))])?;
    Ok(Returned::Value(Value::concrete(result.max(-1) as u64)))
}

/// The buffers of `readv` and `writev`.
fn vector(machine: &mut Machine, state: &mut State, list: Value, count: Value) -> Outcome<Vec<(Value, Value)>> {
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

fn do_read(machine: &mut Machine, state: &mut State, descriptor: Value, parts: &[(Value, Value)]) -> Outcome<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let stream = state.streams.iter().position(|stream| stream.descriptor == Some(descriptor));
    let Some(stream) = stream else {
        return Ok(if descriptor == 0 { 0 } else { -EBADF });
    };
    // All checks come before the first effect.
    let mut places: Vec<(ObjectId, u64, u32)> = Vec::new();
    let mut left = state.streams[stream].len - state.streams[stream].position;
    for (base, len) in parts {
        let wanted = machine.pin(state, *len)?.min(u64::from(left)) as u32;
        if wanted > 0 {
            let (object, offset) = machine.fixed_place(state, *base, u64::from(wanted), Access::Write)?;
            places.push((object, offset, wanted));
            left -= wanted;
        }
    }
    let mut total = 0;
    for (object, offset, len) in places {
        let stream = &mut Rc::make_mut(&mut state.streams)[stream];
        let first = stream.first + stream.position;
        stream.position += len;
        let bytes = machine.symbolic_bytes(first, len);
        machine.write_block(state, object, offset, &bytes)?;
        total += i64::from(len);
    }
    Ok(total)
}

fn do_write(machine: &mut Machine, state: &mut State, descriptor: Value, parts: &[(Value, Value)]) -> Outcome<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let mut written = Vec::new();
    let mut symbolic = Vec::new();
    for (base, len) in parts {
        let len = machine.pin(state, *len)?;
        match machine.read_block(state, *base, len)? {
            Bytes::Concrete(bytes) => written.extend(bytes),
            Bytes::Mixed(bytes) => {
                for byte in bytes {
                    match byte {
                        Byte::Concrete(byte) | Byte::Uninitialised(byte, Cell::NONE) => written.push(byte),
                        Byte::Symbolic(cell) | Byte::Uninitialised(_, cell) => {
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
    if !matches!(descriptor, 1 | 2) {
        return Ok(-EBADF);
    }
    if total > 0 {
        state.output.write(descriptor, written, symbolic);
    }
    Ok(total)
}

/// Opens a symbolic file; there are no others.
fn open(machine: &mut Machine, state: &mut State, name: Value, flags: Value) -> Outcome<i64> {
    let text = machine.shown_text(state, name, 4096);
    let streams = Rc::clone(&state.streams);
    let names: Vec<&[u8]> =
        streams.iter().filter_map(|stream| stream.name.as_ref()).map(|name| name.as_bytes()).collect();
    let known = machine.decide_name(state, name, &names)?;
    if machine.pin(state, flags)? & WRITING != 0 {
        return Err(machine.unsupported(state, format!("opening the file `{text}` for writing")));
    }
    let descriptor = (3..).find(|n| state.streams.iter().all(|stream| stream.descriptor != Some(*n))).unwrap_or(3);
    let found = state.streams.iter().position(|stream| {
        known.is_some_and(|known| stream.name.as_ref().is_some_and(|name| name.as_bytes() == names[known]))
            && stream.descriptor.is_none()
    });
    match found {
        Some(index) => {
            let stream = &mut Rc::make_mut(&mut state.streams)[index];
            stream.descriptor = Some(descriptor);
            stream.position = 0;
            Ok(i64::from(descriptor))
        }
        None => Ok(-ENOENT),
    }
}

fn close(machine: &mut Machine, state: &mut State, descriptor: Value) -> Outcome<i64> {
    let descriptor = signed(machine.pin(state, descriptor)?, 32) as i32;
    let found = state.streams.iter().position(|stream| stream.descriptor == Some(descriptor));
    match found {
        Some(index) => {
            Rc::make_mut(&mut state.streams)[index].descriptor = None;
            Ok(0)
        }
        None => Ok(if (0..3).contains(&descriptor) { 0 } else { -EBADF }),
    }
}
