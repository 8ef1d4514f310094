//! Limits on resources, and what was used of them.

use super::descriptors::MOST_DESCRIPTORS;
use super::refusal::{CallResult, fail};
use super::{Call, put};
use crate::machine::Machine;
use crate::state::State;

/// There is no limit.
const NONE: u64 = u64::MAX;

/// The limit on a resource. Replay has the same (`runtime/replay/world.c`).
fn limit(resource: i32) -> Option<u64> {
    match resource as u32 {
        libc::RLIMIT_STACK => Some(8 << 20),
        libc::RLIMIT_CORE => Some(0),
        libc::RLIMIT_NOFILE => Some(MOST_DESCRIPTORS),
        0..16 => Some(NONE),
        _ => None,
    }
}

pub(crate) fn getrlimit(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let resource = call.int(machine, state, 0)?;
    let Some(limit) = limit(resource) else { return fail(libc::EINVAL) };
    put(machine, state, call.get(1), &[limit, limit].map(u64::to_le_bytes).concat())
}

/// `setrlimit`: accepted, and without effect.
pub(crate) fn setrlimit(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let resource = call.int(machine, state, 0)?;
    if limit(resource).is_none() { fail(libc::EINVAL) } else { Ok(0) }
}

/// `prlimit64`, by which the C library asks for limits.
pub(crate) fn prlimit(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let process = call.int(machine, state, 0)?;
    let resource = call.int(machine, state, 1)?;
    let old = call.number(machine, state, 3)?;
    if process != 0 && process as u64 != super::identity::PROCESS {
        return fail(libc::ESRCH);
    }
    let Some(limit) = limit(resource) else { return fail(libc::EINVAL) };
    if old != 0 {
        put(machine, state, call.get(3), &[limit, limit].map(u64::to_le_bytes).concat())?;
    }
    Ok(0)
}

/// `getrusage`: 10 ms, as the clocks say, and no memory to speak of.
pub(crate) fn getrusage(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let mut bytes = [0_u64, 10_000].map(u64::to_le_bytes).concat();
    bytes.resize(144, 0);
    put(machine, state, call.get(1), &bytes)
}

/// `sched_getaffinity`: one processor.
pub(crate) fn processors(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let size = call.number(machine, state, 1)?;
    if size < 8 {
        return fail(libc::EINVAL);
    }
    put(machine, state, call.get(2), &1_u64.to_le_bytes())?;
    Ok(8)
}

/// `sysinfo`: 4 GB of memory, half of it free.
pub(crate) fn sysinfo(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let fields = [1000, 0, 0, 0, 4 << 30, 2 << 30, 0, 0, 0, 0, 1, 0, 0];
    let mut bytes = fields.map(u64::to_le_bytes).concat();
    bytes.extend(1_u32.to_le_bytes());
    bytes.resize(112, 0);
    put(machine, state, call.get(0), &bytes)
}
