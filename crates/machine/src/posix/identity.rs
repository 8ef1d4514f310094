//! Who the program is: process, user, host.

use super::refusal::{CallResult, fail};
use super::{Call, put};
use crate::given_up::GivenUp;
use crate::machine::Machine;
use crate::state::State;

/// The user and the group that the program runs as, and that own all files. Replay has the same
/// (`runtime/replay/world.h`).
pub(crate) const USER: u32 = 1000;
pub(crate) const GROUP: u32 = 1000;
/// The process, and the one that started it.
pub(crate) const PROCESS: u64 = 4242;
const PARENT: u64 = 4241;

/// The names that `uname` reports.
const NAMES: [&str; 6] = ["Linux", "localhost", "6.1.0", "#1 SMP", "x86_64", "(none)"];

pub(crate) fn process(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(PROCESS)
}

pub(crate) fn parent(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(PARENT)
}

pub(crate) fn user(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(USER.into())
}

pub(crate) fn group(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(GROUP.into())
}

/// The program is the leader of its process group and session.
pub(crate) fn process_group(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    match call.int(machine, state, 0)? {
        0 => Ok(PROCESS),
        other if other as u64 == PROCESS => Ok(PROCESS),
        _ => fail(libc::ESRCH),
    }
}

/// `setsid`: the leader of a process group cannot begin a session.
pub(crate) fn setsid(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    fail(libc::EPERM)
}

/// `setpgid`: the program can only be made the leader of the group that it leads already.
pub(crate) fn setpgid(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let own = [0, PROCESS as i32];
    let process = call.int(machine, state, 0)?;
    let group = call.int(machine, state, 1)?;
    if !own.contains(&process) {
        return fail(libc::ESRCH);
    }
    if own.contains(&group) { Ok(0) } else { fail(libc::EPERM) }
}

/// `sched_yield`: nobody else is running.
pub(crate) fn sched_yield(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(0)
}

/// `getpriority`: the usual one, as the kernel counts.
pub(crate) fn priority(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(20)
}

/// `setuid` and the like: to whom the program is already.
pub(crate) fn set_identity(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let wanted = call.number(machine, state, 0)? as u32;
    if wanted == USER { Ok(0) } else { fail(libc::EPERM) }
}

/// `getgroups`: the one group.
pub(crate) fn groups(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    match call.int(machine, state, 0)? {
        0 => {}
        1.. => {
            put(machine, state, call.get(1), &GROUP.to_le_bytes())?;
        }
        _ => return fail(libc::EINVAL),
    }
    Ok(1)
}

pub(crate) fn uname(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let mut bytes = Vec::new();
    for (index, name) in NAMES.iter().enumerate() {
        bytes.extend(name.as_bytes());
        bytes.resize((index + 1) * 65, 0);
    }
    put(machine, state, call.get(0), &bytes)
}

/// `fork`: there is no room for another process. That one could be started is given up.
pub(crate) fn fork(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> CallResult {
    state.give_up(&machine.program, GivenUp::Fork);
    fail(libc::EAGAIN)
}

/// `wait4`: there are no children.
pub(crate) fn wait(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    fail(libc::ECHILD)
}
