//! Copying descriptors and changing their flags.

use super::refusal::{CallResult, fail};
use super::{Call, world};
use crate::machine::Machine;
use crate::state::State;

pub(crate) fn dup(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let old = call.int(machine, state, 0)?;
    Ok(world(state).descriptors.duplicate(old, 0, false)? as u64)
}

pub(crate) fn dup2(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let old = call.int(machine, state, 0)?;
    let new = call.int(machine, state, 1)?;
    world(state).descriptors.replace(old, new, false)?;
    Ok(new as u64)
}

pub(crate) fn dup3(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let old = call.int(machine, state, 0)?;
    let new = call.int(machine, state, 1)?;
    let flags = call.int(machine, state, 2)?;
    if old == new || flags & !libc::O_CLOEXEC != 0 {
        return fail(libc::EINVAL);
    }
    world(state).descriptors.replace(old, new, flags != 0)?;
    Ok(new as u64)
}

/// `flock`: nobody else holds locks.
pub(crate) fn flock(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let operation = call.int(machine, state, 1)? & !libc::LOCK_NB;
    state.world.descriptors.get(descriptor)?;
    if matches!(operation, libc::LOCK_SH | libc::LOCK_EX | libc::LOCK_UN) { Ok(0) } else { fail(libc::EINVAL) }
}

/// The size of a `struct flock`.
const LOCK: u64 = 32;

/// The flags that `F_SETFL` can change.
const CHANGEABLE: i32 = libc::O_APPEND | libc::O_ASYNC | libc::O_DIRECT | libc::O_NOATIME | libc::O_NONBLOCK;

pub(crate) fn fcntl(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let command = call.int(machine, state, 1)?;
    let flags = state.world.descriptors.get(descriptor)?.flags;
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
            let least = call.int(machine, state, 2)?;
            Ok(world(state).descriptors.duplicate(descriptor, least, command == libc::F_DUPFD_CLOEXEC)? as u64)
        }
        libc::F_GETFD => Ok(state.world.descriptors.closes_on_exec(descriptor)?.into()),
        libc::F_SETFD => {
            let flags = call.int(machine, state, 2)?;
            world(state).descriptors.set_closes_on_exec(descriptor, flags & libc::FD_CLOEXEC != 0)?;
            Ok(0)
        }
        libc::F_GETFL => Ok(flags as u64),
        libc::F_SETFL => {
            let new = call.int(machine, state, 2)? & CHANGEABLE;
            world(state).descriptors.get_mut(descriptor)?.flags = flags & !CHANGEABLE | new;
            Ok(0)
        }
        // Nobody else holds locks.
        libc::F_SETLK | libc::F_SETLKW | libc::F_OFD_SETLK | libc::F_OFD_SETLKW => {
            super::take(machine, state, call.get(2), LOCK)?;
            Ok(0)
        }
        libc::F_GETLK | libc::F_OFD_GETLK => {
            let mut lock = super::take(machine, state, call.get(2), LOCK)?;
            lock[..2].copy_from_slice(&(libc::F_UNLCK as u16).to_le_bytes());
            super::put(machine, state, call.get(2), &lock)
        }
        _ => Err(machine.unsupported(state, format!("fcntl with command {command}")).into()),
    }
}
