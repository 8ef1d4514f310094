//! Making files of any kind.

use super::inode::{Content, Inode, Kind};
use super::lookup::{Links, Lookup, look_up, look_up_at};
use super::open::check_writable;
use super::refusal::{CallResult, fail};
use super::{Call, world};
use crate::machine::Machine;
use crate::state::State;

pub(crate) fn mknod(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up(machine, state, call, 0, Links::New)?;
    make(machine, state, call, &place, 1)
}

pub(crate) fn mknodat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up_at(machine, state, call, 1, Links::New)?;
    make(machine, state, call, &place, 2)
}

fn make(machine: &mut Machine, state: &mut State, call: &Call<'_>, place: &Lookup, mode: usize) -> CallResult {
    let mode = call.number(machine, state, mode)? as u32;
    let kind = match mode & libc::S_IFMT {
        0 | libc::S_IFREG => Some(Kind::File(Content::default())),
        libc::S_IFIFO => Some(Kind::Fifo),
        // Only the superuser may.
        libc::S_IFCHR | libc::S_IFBLK => None,
        libc::S_IFSOCK => return Err(machine.unsupported(state, "mknod of a socket").into()),
        libc::S_IFDIR => return fail(libc::EPERM),
        _ => return fail(libc::EINVAL),
    };
    if place.inode.is_some() {
        return fail(libc::EEXIST);
    }
    if place.is_folder {
        return fail(libc::ENOENT);
    }
    let name = place.name(machine, state)?;
    check_writable(state, place.folder)?;
    let Some(kind) = kind else { return fail(libc::EPERM) };
    let permissions = mode & 0o7777 & !state.world.umask;
    world(state).tree.add(place.folder, &name, Inode::new(kind, permissions));
    Ok(0)
}
