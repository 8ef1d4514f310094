//! Clocks. They stand still: a program that measures time finds that none has passed.

use super::refusal::{CallResult, fail};
use super::{Call, put};
use crate::machine::Machine;
use crate::state::State;

/// A point in time: seconds and nanoseconds.
pub(crate) type Time = (i64, i64);

/// The time of day: 2023-11-14 22:13:20 UTC. Replay has the same (`runtime/replay/world.h`).
pub(crate) const NOW: Time = (1_700_000_000, 0);
/// What clocks show that count from the start of the system.
const SINCE_BOOT: Time = (1000, 0);
/// What clocks show that count the time that the program has used.
const USED: Time = (0, 10_000_000);

/// What a clock shows.
fn read(clock: u64) -> Option<Time> {
    match clock as i32 {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => Some(NOW),
        libc::CLOCK_MONOTONIC | libc::CLOCK_MONOTONIC_RAW | libc::CLOCK_MONOTONIC_COARSE | libc::CLOCK_BOOTTIME => {
            Some(SINCE_BOOT)
        }
        libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => Some(USED),
        _ => None,
    }
}

/// A time as two words.
pub(crate) fn words((first, second): Time) -> Vec<u8> {
    [first.to_le_bytes(), second.to_le_bytes()].concat()
}

pub(crate) fn clock_gettime(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let clock = call.number(machine, state, 0)?;
    let Some(time) = read(clock) else { return fail(libc::EINVAL) };
    put(machine, state, call.get(1), &words(time))
}

pub(crate) fn clock_getres(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let clock = call.number(machine, state, 0)?;
    if read(clock).is_none() {
        return fail(libc::EINVAL);
    }
    if call.number(machine, state, 1)? == 0 {
        return Ok(0);
    }
    put(machine, state, call.get(1), &words((0, 1)))
}

pub(crate) fn gettimeofday(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    if call.number(machine, state, 0)? == 0 {
        return Ok(0);
    }
    put(machine, state, call.get(0), &words((NOW.0, NOW.1 / 1000)))
}

pub(crate) fn time(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    if call.number(machine, state, 0)? != 0 {
        put(machine, state, call.get(0), &NOW.0.to_le_bytes())?;
    }
    Ok(NOW.0 as u64)
}

/// `times`: clock ticks, a hundred per second.
pub(crate) fn times(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    if call.number(machine, state, 0)? != 0 {
        put(machine, state, call.get(0), &[1_i64, 0, 0, 0].map(i64::to_le_bytes).concat())?;
    }
    Ok(SINCE_BOOT.0 as u64 * 100)
}

/// `nanosleep`: it is over at once.
pub(crate) fn nanosleep(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    sleep(machine, state, call, 0)
}

/// `clock_nanosleep`.
pub(crate) fn clock_nanosleep(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    sleep(machine, state, call, 2)
}

fn sleep(machine: &mut Machine, state: &mut State, call: &Call<'_>, request: usize) -> CallResult {
    let request = super::take(machine, state, call.get(request), 16)?;
    let nanoseconds = super::word(&request, 8) as i64;
    if (super::word(&request, 0) as i64) < 0 || !(0..1_000_000_000).contains(&nanoseconds) {
        return fail(libc::EINVAL);
    }
    Ok(0)
}
