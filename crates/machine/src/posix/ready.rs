//! Waiting for descriptors: which of them can be read or written to without waiting.

use super::inode::Kind;
use super::refusal::{CallResult, fail};
use super::{Call, put, take, word};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;

/// The size of a `struct pollfd`, and of an `fd_set`.
const POLL_ENTRY: u64 = 8;
const SET: u64 = 128;

/// What a descriptor is ready for, among the events that `poll` asks for.
fn events(state: &State, descriptor: i32, wanted: i16) -> i16 {
    let Ok((file, inode)) = state.world.opened(descriptor) else { return libc::POLLNVAL };
    let mut ready = 0;
    let is_open = |writes: bool| {
        let mut others = state.world.descriptors.files().filter(|other| other.inode == file.inode);
        others.any(|other| if writes { other.is_writable() } else { other.is_readable() })
    };
    match &inode.kind {
        Kind::Pipe(pipe) if file.is_readable() => {
            if pipe.content.size > pipe.start {
                ready |= libc::POLLIN | libc::POLLRDNORM;
            }
            if !is_open(true) {
                ready |= libc::POLLHUP;
            }
        }
        Kind::Pipe(_) => {
            ready |= libc::POLLOUT | libc::POLLWRNORM;
            if !is_open(false) {
                ready |= libc::POLLERR;
            }
        }
        Kind::Stream(_) => ready |= libc::POLLOUT | libc::POLLWRNORM,
        _ => ready |= libc::POLLIN | libc::POLLRDNORM | libc::POLLOUT | libc::POLLWRNORM,
    }
    ready & (wanted | libc::POLLHUP | libc::POLLERR)
}

pub(crate) fn poll(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let timeout = call.int(machine, state, 2)?;
    poll_until(machine, state, call, timeout < 0)
}

pub(crate) fn ppoll(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let timeout = call.number(machine, state, 2)?;
    poll_until(machine, state, call, timeout == 0)
}

fn poll_until(machine: &mut Machine, state: &mut State, call: &Call<'_>, is_endless: bool) -> CallResult {
    let count = call.number(machine, state, 1)?;
    if count > super::descriptors::MOST_DESCRIPTORS {
        return fail(libc::EINVAL);
    }
    let mut entries = if count == 0 { Vec::new() } else { take(machine, state, call.get(0), count * POLL_ENTRY)? };
    let mut ready = 0;
    for entry in entries.chunks_exact_mut(POLL_ENTRY as usize) {
        let descriptor = word(entry, 0) as i32;
        let wanted = (word(entry, 4) & 0xffff) as i16;
        let events = if descriptor < 0 { 0 } else { events(state, descriptor, wanted) };
        entry[6..8].copy_from_slice(&events.to_le_bytes());
        ready += u64::from(events != 0);
    }
    if ready == 0 && is_endless {
        return Err(machine.unsupported(state, "poll that would wait for ever").into());
    }
    if count > 0 {
        put(machine, state, call.get(0), &entries)?;
    }
    Ok(ready)
}

pub(crate) fn select(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let count = call.int(machine, state, 0)?;
    if !(0..=1024).contains(&count) {
        return fail(libc::EINVAL);
    }
    let is_endless = call.number(machine, state, 4)? == 0;
    let sets: [(Value, i16); 3] = [
        (call.get(1), libc::POLLIN | libc::POLLHUP | libc::POLLERR),
        (call.get(2), libc::POLLOUT | libc::POLLERR),
        (call.get(3), 0),
    ];
    let mut results: Vec<(Value, Vec<u8>)> = Vec::new();
    let mut ready = 0;
    for (pointer, wanted) in sets {
        if machine.pin(state, pointer)? == 0 {
            continue;
        }
        let mut set = take(machine, state, pointer, SET)?;
        for descriptor in 0..count {
            let (byte, bit) = (descriptor as usize / 8, 1 << (descriptor % 8));
            if set[byte] & bit == 0 {
                continue;
            }
            if state.world.opened(descriptor).is_err() {
                return fail(libc::EBADF);
            }
            if events(state, descriptor, wanted) & wanted == 0 {
                set[byte] &= !bit;
            } else {
                ready += 1;
            }
        }
        super::place(machine, state, pointer, SET, crate::access::Access::Write)?;
        results.push((pointer, set));
    }
    if ready == 0 && is_endless {
        return Err(machine.unsupported(state, "select that would wait for ever").into());
    }
    for (pointer, set) in results {
        put(machine, state, pointer, &set)?;
    }
    Ok(ready)
}
