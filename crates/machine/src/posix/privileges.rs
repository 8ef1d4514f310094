//! What only the superuser may do: the program is not.

use super::Call;
use super::lookup::{Links, look_up};
use super::refusal::{CallResult, fail};
use crate::machine::Machine;
use crate::state::State;

/// Clocks, names of the host, other groups, mounted disks.
pub(crate) fn refused(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    fail(libc::EPERM)
}

/// `chroot`: the folder is looked at first.
pub(crate) fn chroot(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    let inode = state.world.tree.get(inode);
    if !inode.is_directory() {
        return fail(libc::ENOTDIR);
    }
    if !inode.allows(1) {
        return fail(libc::EACCES);
    }
    fail(libc::EPERM)
}
