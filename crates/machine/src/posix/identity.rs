//! Who the program is: process, user, host.

use super::refusal::{CallResult, fail};
use super::{Call, put, world};
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

/// `getpriority`, as the kernel counts.
pub(crate) fn priority(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    of_program(machine, state, call)?;
    Ok((20 - state.world.niceness) as u64)
}

/// `setpriority`: an ordinary user can only give way to others.
pub(crate) fn set_priority(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    of_program(machine, state, call)?;
    let wanted = call.int(machine, state, 2)?.clamp(-20, 19);
    if wanted < state.world.niceness {
        return fail(libc::EACCES);
    }
    world(state).niceness = wanted;
    Ok(0)
}

/// Whether the processes whose priority is meant are the program, by the process, its group or its user.
fn of_program(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult<()> {
    let which = call.int(machine, state, 0)?;
    let who = call.number(machine, state, 1)? as u32;
    let own = match which {
        0 | 1 => PROCESS as u32,
        2 => USER,
        _ => return fail(libc::EINVAL),
    };
    if who == 0 || who == own { Ok(()) } else { fail(libc::ESRCH) }
}

/// `setuid` and the like, which set `COUNT` ids: to whom the program is already. Where there are several, -1 leaves
/// one.
pub(crate) fn set_identity<const COUNT: usize>(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
) -> CallResult {
    for index in 0..COUNT {
        let wanted = call.number(machine, state, index)? as u32;
        if wanted != USER && (COUNT == 1 || wanted != u32::MAX) {
            return fail(if COUNT == 1 && wanted == u32::MAX { libc::EINVAL } else { libc::EPERM });
        }
    }
    Ok(0)
}

/// `getresuid` and `getresgid`: user and group have the same number.
pub(crate) fn get_identity(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    for index in 0..3 {
        put(machine, state, call.get(index), &USER.to_le_bytes())?;
    }
    Ok(0)
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
