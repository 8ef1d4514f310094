//! Reading and writing through descriptors, and the sizes of files.

use super::clock::NOW;
use super::inode::{Content, Device, Inode, InodeId, Kind};
use super::lookup::{Links, look_up};
use super::refusal::{CallResult, fail};
use super::{Call, LARGEST_FILE, place, random, world};
use crate::access::Access;
use crate::block::{Byte, Bytes};
use crate::machine::Machine;
use crate::memory::{Cell, ObjectId, Unwritten};
use crate::state::State;
use crate::value::Value;

/// A part of the program's memory that is read or written.
struct Part {
    object: ObjectId,
    offset: u64,
    len: u64,
}

/// The most parts of one transfer.
const MOST_PARTS: u64 = 1024;

/// `read` and its kin: into the parts of a vector or into one part, from a given position or from that of the file.
pub(crate) fn read<const VECTOR: bool, const POSITION: bool>(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
) -> CallResult {
    let transfer = operands::<VECTOR, POSITION>(machine, state, call)?;
    read_into(machine, state, &transfer)
}

/// `write` and its kin, in the same way.
pub(crate) fn write<const VECTOR: bool, const POSITION: bool>(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
) -> CallResult {
    let transfer = operands::<VECTOR, POSITION>(machine, state, call)?;
    write_from(machine, state, &transfer)
}

/// What a transfer is given: addresses and lengths in memory, and a position if it is not that of the file.
struct Operands {
    descriptor: i32,
    parts: Vec<(Value, Value)>,
    at: Option<u64>,
}

fn operands<const VECTOR: bool, const POSITION: bool>(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
) -> CallResult<Operands> {
    let descriptor = call.int(machine, state, 0)?;
    let parts = if VECTOR { vector(machine, state, call)? } else { vec![(call.get(1), call.get(2))] };
    let at = if POSITION { Some(position(machine, state, call, 3)?) } else { None };
    Ok(Operands { descriptor, parts, at })
}

pub(crate) fn lseek(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let (file, inode) = state.world.opened(descriptor)?;
    let position = file.position;
    let size = match &inode.kind {
        Kind::File(content) => content.size,
        Kind::Directory(_) => file.listed.len() as u64,
        Kind::Stream(_) | Kind::Pipe(_) => return fail(libc::ESPIPE),
        // Devices are always at their start.
        _ => return Ok(0),
    };
    let is_directory = inode.is_directory();
    let whence = call.int(machine, state, 2)?;
    let offset = call.number(machine, state, 1)? as i64;
    let from = match whence {
        libc::SEEK_SET => 0,
        libc::SEEK_CUR => position,
        libc::SEEK_END => size,
        // A file has no holes but the one behind its end.
        libc::SEEK_DATA | libc::SEEK_HOLE if offset < 0 || offset as u64 >= size => return fail(libc::ENXIO),
        libc::SEEK_DATA => 0,
        libc::SEEK_HOLE => {
            world(state).descriptors.get_mut(descriptor)?.position = size;
            return Ok(size);
        }
        _ => return fail(libc::EINVAL),
    };
    let Some(to) = (from as i64).checked_add(offset).and_then(|to| u64::try_from(to).ok()) else {
        return fail(libc::EINVAL);
    };
    if is_directory && (to > size || whence == libc::SEEK_END) {
        return Err(machine.unsupported(state, "lseek to a place in a folder that was never reported").into());
    }
    world(state).descriptors.get_mut(descriptor)?.position = to;
    Ok(to)
}

pub(crate) fn ftruncate(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let size = call.number(machine, state, 1)? as i64;
    let (file, inode) = state.world.opened(descriptor)?;
    if !file.is_writable() || !matches!(inode.kind, Kind::File(_)) {
        return fail(libc::EINVAL);
    }
    let inode = file.inode;
    set_size(machine, state, inode, size)
}

pub(crate) fn truncate(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    let size = call.number(machine, state, 1)? as i64;
    let found = state.world.tree.get(inode);
    match found.kind {
        Kind::File(_) if !found.allows(2) => fail(libc::EACCES),
        Kind::File(_) => set_size(machine, state, inode, size),
        Kind::Directory(_) => fail(libc::EISDIR),
        _ => fail(libc::EINVAL),
    }
}

/// `fallocate`: makes a file larger, if need be.
pub(crate) fn fallocate(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let mode = call.int(machine, state, 1)?;
    let offset = call.number(machine, state, 2)? as i64;
    let len = call.number(machine, state, 3)? as i64;
    if mode != 0 {
        return fail(libc::EOPNOTSUPP);
    }
    if offset < 0 || len <= 0 {
        return fail(libc::EINVAL);
    }
    let (file, inode) = state.world.opened(descriptor)?;
    if !file.is_writable() {
        return fail(libc::EBADF);
    }
    let id = file.inode;
    match &inode.kind {
        Kind::File(content) if offset.saturating_add(len) as u64 <= content.size => Ok(0),
        Kind::File(_) => set_size(machine, state, id, offset.saturating_add(len)),
        Kind::Pipe(_) | Kind::Stream(_) => fail(libc::ESPIPE),
        _ => fail(libc::ENODEV),
    }
}

/// `copy_file_range`, which older systems do not have: programs copy by themselves then.
pub(crate) fn missing(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    fail(libc::ENOSYS)
}

/// `sync`: everything is where it should be already.
pub(crate) fn sync_all(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(0)
}

/// `fsync` and the like: everything is where it should be already.
pub(crate) fn sync(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    match state.world.opened(descriptor)?.1.kind {
        Kind::File(_) | Kind::Directory(_) => Ok(0),
        _ => fail(libc::EINVAL),
    }
}

/// `fadvise64`: advice changes nothing.
pub(crate) fn advise(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let advice = call.int(machine, state, 3)?;
    match state.world.opened(descriptor)?.1.kind {
        Kind::Stream(_) | Kind::Pipe(_) => fail(libc::ESPIPE),
        _ if (0..6).contains(&advice) => Ok(0),
        _ => fail(libc::EINVAL),
    }
}

/// An offset in a file, which must not be negative.
fn position(machine: &mut Machine, state: &mut State, call: &Call<'_>, argument: usize) -> CallResult {
    let at = call.number(machine, state, argument)?;
    if (at as i64) < 0 { fail(libc::EINVAL) } else { Ok(at) }
}

/// The parts that `readv` and `writev` are given.
fn vector(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult<Vec<(Value, Value)>> {
    let list = call.number(machine, state, 1)?;
    let count = call.number(machine, state, 2)?;
    if count > MOST_PARTS {
        return fail(libc::EINVAL);
    }
    let mut parts = Vec::new();
    for index in 0..count {
        let address = list + index * 16;
        let base = machine.load(state, Value::concrete(address), 8, 64)?;
        let len = machine.load(state, Value::concrete(address + 8), 8, 64)?;
        parts.push((base, len));
    }
    Ok(parts)
}

/// Finds the memory of a transfer of at most `most` bytes.
fn resolve(
    machine: &mut Machine,
    state: &mut State,
    parts: &[(Value, Value)],
    most: u64,
    access: Access,
) -> CallResult<Vec<Part>> {
    let mut left = most;
    let mut places = Vec::new();
    for (base, len) in parts {
        let len = machine.pin(state, *len)?.min(left);
        if len > 0 {
            let (object, offset) = place(machine, state, *base, len, access)?;
            places.push(Part { object, offset, len });
            left -= len;
        }
    }
    Ok(places)
}

/// A pipe has no positions, which is noticed before anything else.
fn check_position(inode: &Inode, at: Option<u64>) -> CallResult<()> {
    if at.is_some() && matches!(inode.kind, Kind::Pipe(_) | Kind::Stream(_)) { fail(libc::ESPIPE) } else { Ok(()) }
}

/// Reads from a descriptor, at its position or at another one.
fn read_into(machine: &mut Machine, state: &mut State, transfer: &Operands) -> CallResult {
    let Operands { descriptor, ref parts, at } = *transfer;
    let (file, inode) = state.world.opened(descriptor)?;
    check_position(inode, at)?;
    if !file.is_readable() {
        return fail(libc::EBADF);
    }
    let (id, position) = (file.inode, at.unwrap_or(file.position));
    let (content, start) = match &inode.kind {
        Kind::File(content) => (*content, position),
        Kind::Pipe(pipe) => (pipe.content, pipe.start),
        Kind::Directory(_) => return fail(libc::EISDIR),
        Kind::Device(Device::Zero | Device::Full) => return fill(machine, state, parts, None),
        Kind::Device(Device::Random) => return fill(machine, state, parts, Some((descriptor, position))),
        _ => return Ok(0),
    };
    let left = content.size.saturating_sub(start);
    let is_pipe = matches!(inode.kind, Kind::Pipe(_));
    if left == 0 && is_pipe {
        let has_writer = state.world.descriptors.files().any(|file| file.inode == id && file.is_writable());
        if has_writer {
            return Err(machine.unsupported(state, "reading from an empty pipe, which would wait for ever").into());
        }
    }
    let places = resolve(machine, state, parts, left, Access::Write)?;
    let mut from = start;
    for part in places {
        get_content(machine, state, &content, from, &part)?;
        from += part.len;
    }
    if from > start {
        if is_pipe {
            if let Kind::Pipe(pipe) = &mut world(state).tree.get_mut(id).kind {
                pipe.start = from;
            }
        } else if at.is_none() {
            world(state).descriptors.get_mut(descriptor)?.position = from;
        }
    }
    Ok(from - start)
}

/// Copies from a file to the program's memory.
fn get_content(machine: &mut Machine, state: &mut State, content: &Content, from: u64, part: &Part) -> CallResult<()> {
    let stored = content.capacity.saturating_sub(from).min(part.len);
    if let Some(object) = content.object.filter(|_| stored > 0) {
        machine.copy_between(state, (part.object, part.offset), (object, from), stored)?;
    }
    if stored < part.len {
        let object = machine.object_mut(state, part.object)?;
        object.fill(part.offset + stored, part.len - stored, 0, Cell::NONE, Unwritten::No);
    }
    Ok(())
}

/// Reads zeros, or random bytes through a descriptor.
fn fill(machine: &mut Machine, state: &mut State, parts: &[(Value, Value)], random: Option<(i32, u64)>) -> CallResult {
    let places = resolve(machine, state, parts, u64::MAX, Access::Write)?;
    let mut read = 0;
    for part in places {
        match random {
            None => {
                machine.object_mut(state, part.object)?.fill(part.offset, part.len, 0, Cell::NONE, Unwritten::No);
            }
            Some((_, position)) => {
                let bytes = random::bytes(position + read, part.len);
                machine.write_block(state, part.object, part.offset, &Bytes::Concrete(bytes))?;
            }
        }
        read += part.len;
    }
    if let Some((descriptor, position)) = random {
        world(state).descriptors.get_mut(descriptor)?.position = position + read;
    }
    Ok(read)
}

/// Writes to a descriptor, at its position or at another one.
fn write_from(machine: &mut Machine, state: &mut State, transfer: &Operands) -> CallResult {
    let Operands { descriptor, ref parts, at } = *transfer;
    let (file, inode) = state.world.opened(descriptor)?;
    check_position(inode, at)?;
    if !file.is_writable() {
        return fail(libc::EBADF);
    }
    let (id, appends) = (file.inode, file.flags & libc::O_APPEND != 0);
    let position = at.unwrap_or(file.position);
    let (content, start) = match &inode.kind {
        Kind::File(content) => (*content, if appends { content.size } else { position }),
        Kind::Pipe(pipe) => {
            let has_reader = state.world.descriptors.files().any(|file| file.inode == id && file.is_readable());
            if !has_reader {
                return Err(machine.unsupported(state, "writing to a pipe that nobody reads: SIGPIPE").into());
            }
            (pipe.content, pipe.content.size)
        }
        Kind::Stream(stream) => {
            let stream = *stream;
            return write_stream(machine, state, stream, parts);
        }
        Kind::Device(Device::Full) => {
            let places = resolve(machine, state, parts, u64::MAX, Access::Read)?;
            return if places.is_empty() { Ok(0) } else { fail(libc::ENOSPC) };
        }
        _ => {
            let places = resolve(machine, state, parts, u64::MAX, Access::Read)?;
            return Ok(places.iter().map(|part| part.len).sum());
        }
    };
    let is_pipe = matches!(inode.kind, Kind::Pipe(_));
    let places = resolve(machine, state, parts, u64::MAX, Access::Read)?;
    let total: u64 = places.iter().map(|part| part.len).sum();
    if total == 0 {
        return Ok(0);
    }
    let end = start.saturating_add(total);
    if is_pipe && end > PIPE_CAPACITY {
        return Err(machine.unsupported(state, "writing more to a pipe than it holds").into());
    }
    if end > LARGEST_FILE {
        return Err(machine.unsupported(state, format!("a file of more than {} MB", LARGEST_FILE >> 20)).into());
    }
    let mut content = machine.reserve(state, id, content, end)?;
    // The room stays, should the copying be interrupted.
    set_content(state, id, content);
    let mut to = start;
    if let Some(object) = content.object {
        for part in &places {
            machine.copy_between(state, (object, to), (part.object, part.offset), part.len)?;
            to += part.len;
        }
    }
    content.size = content.size.max(end);
    set_content(state, id, content);
    let world = world(state);
    world.tree.get_mut(id).modified = NOW;
    if at.is_none() && !is_pipe {
        world.descriptors.get_mut(descriptor)?.position = end;
    }
    Ok(total)
}

/// How much may be written to a pipe in all; the system's limit on what is not read yet is the same.
const PIPE_CAPACITY: u64 = 65536;

fn set_content(state: &mut State, id: InodeId, new: Content) {
    match &mut world(state).tree.get_mut(id).kind {
        Kind::File(content) | Kind::Pipe(super::inode::Pipe { content, .. }) => *content = new,
        _ => {}
    }
}

/// Writes to standard output or error. What is written is kept for the end of the path.
fn write_stream(machine: &mut Machine, state: &mut State, stream: i32, parts: &[(Value, Value)]) -> CallResult {
    let places = resolve(machine, state, parts, u64::MAX, Access::Read)?;
    let mut written = Vec::new();
    let mut symbolic = Vec::new();
    for Part { object, offset, len } in places {
        match machine.read_block(state, Value::concrete(object.address() + offset), len)? {
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
    let total = written.len() as u64;
    if total > 0 {
        state.output.write(stream, written, symbolic);
    }
    Ok(total)
}

/// Cuts or extends a file.
fn set_size(machine: &mut Machine, state: &mut State, id: InodeId, size: i64) -> CallResult {
    let Ok(size) = u64::try_from(size) else { return fail(libc::EINVAL) };
    if size > LARGEST_FILE {
        return Err(machine.unsupported(state, format!("a file of more than {} MB", LARGEST_FILE >> 20)).into());
    }
    let Kind::File(content) = state.world.tree.get(id).kind else { return fail(libc::EINVAL) };
    // What is cut off must be zero if the file grows again.
    let cut = content.size.min(content.capacity);
    if let Some(object) = content.object.filter(|_| size < cut) {
        machine.object_mut(state, object)?.fill(size, cut - size, 0, Cell::NONE, Unwritten::No);
    }
    set_content(state, id, Content { size, ..content });
    world(state).tree.get_mut(id).modified = NOW;
    Ok(0)
}
