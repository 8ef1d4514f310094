//! Signals, as far as the system has a part in them. Who handles a signal, and which are blocked, is known to the C
//! library (`runtime/libc/signal.c`), which calls the handlers itself: nothing comes from outside.

use super::refusal::{CallResult, fail};
use super::{Call, put};
use crate::end::BugKind;
use crate::machine::Machine;
use crate::state::State;

/// `rt_sigprocmask` from within the C library, which blocks signals while it must not be interrupted.
pub(crate) fn block(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    if call.number(machine, state, 2)? != 0 {
        put(machine, state, call.get(2), &[0; 8])?;
    }
    Ok(0)
}

/// `alarm` and `setitimer`: the time never comes.
pub(crate) fn alarm(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(0)
}

pub(crate) fn setitimer(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    if call.number(machine, state, 2)? != 0 {
        put(machine, state, call.get(2), &[0; 32])?;
    }
    Ok(0)
}

pub(crate) fn getitimer(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    put(machine, state, call.get(1), &[0; 32])
}

/// `kill` of a process.
pub(crate) fn kill(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let process = call.int(machine, state, 0)?;
    let signal = call.int(machine, state, 1)?;
    if !(0..=64).contains(&signal) {
        return fail(libc::EINVAL);
    }
    if !matches!(process, 0 | -1) && u64::from(process.unsigned_abs()) != super::identity::PROCESS {
        return fail(libc::ESRCH);
    }
    if signal == 0 { Ok(0) } else { end(machine, state, signal) }
}

/// `tkill`: the only thread gets a signal that nobody handles.
pub(crate) fn tkill(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let signal = call.int(machine, state, 1)?;
    end(machine, state, signal)
}

/// The default action of a signal.
fn end(machine: &mut Machine, state: &mut State, signal: i32) -> CallResult {
    match signal {
        libc::SIGABRT => Err(machine.bug(state, BugKind::Abort, "abort is called").into()),
        libc::SIGCHLD | libc::SIGCONT | libc::SIGURG | libc::SIGWINCH => Ok(0),
        _ => Err(machine.unsupported(state, format!("the end of the program by signal {signal}")).into()),
    }
}
