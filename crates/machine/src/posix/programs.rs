//! Starting other programs: only attempts that fail can be followed.

use super::Call;
use super::inode::Kind;
use super::lookup::{Links, Lookup, look_up, look_up_at};
use super::refusal::{CallResult, fail};
use crate::machine::Machine;
use crate::state::State;

pub(crate) fn execve(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up(machine, state, call, 0, Links::Follow)?;
    start(machine, state, &place)
}

pub(crate) fn execveat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 4)?;
    if flags != 0 {
        return Err(machine.unsupported(state, format!("execveat with flags {flags:#x}")).into());
    }
    let place = look_up_at(machine, state, call, 1, Links::Follow)?;
    start(machine, state, &place)
}

fn start(machine: &mut Machine, state: &mut State, place: &Lookup) -> CallResult {
    let inode = state.world.tree.get(place.existing()?);
    if !matches!(inode.kind, Kind::File(_)) || !inode.allows(1) {
        return fail(libc::EACCES);
    }
    Err(machine.unsupported(state, "execve of a file that may be a program").into())
}
