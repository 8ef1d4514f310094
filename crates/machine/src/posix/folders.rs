//! Folders: listing, making and removing them, and the working directory.

use std::rc::Rc;

use super::inode::InodeId;
use super::lookup::{Links, Lookup, look_up, look_up_at};
use super::open::check_writable;
use super::refusal::{CallResult, fail};
use super::{Call, place, put, world};
use crate::access::Access;
use crate::block::Bytes;
use crate::machine::Machine;
use crate::state::State;

pub(crate) fn mkdir(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up(machine, state, call, 0, Links::New)?;
    make(machine, state, call, &place, 1)
}

pub(crate) fn mkdirat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up_at(machine, state, call, 1, Links::New)?;
    make(machine, state, call, &place, 2)
}

fn make(machine: &mut Machine, state: &mut State, call: &Call<'_>, place: &Lookup, mode: usize) -> CallResult {
    let mode = call.number(machine, state, mode)? as u32;
    if place.inode.is_some() {
        return fail(libc::EEXIST);
    }
    let name = place.name(machine, state)?;
    check_writable(state, place.folder)?;
    let permissions = mode & 0o1777 & !state.world.umask;
    world(state).tree.add_directory(place.folder, &name, permissions);
    Ok(0)
}

pub(crate) fn rmdir(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up(machine, state, call, 0, Links::Keep)?;
    remove_folder(machine, state, &place)
}

/// Removes an empty folder.
pub(crate) fn remove_folder(machine: &mut Machine, state: &mut State, place: &Lookup) -> CallResult {
    let inode = place.existing()?;
    let Some(directory) = state.world.tree.get(inode).directory() else { return fail(libc::ENOTDIR) };
    if place.is_root() {
        return fail(libc::EBUSY);
    }
    if place.is_dot() {
        return fail(libc::EINVAL);
    }
    if place.is_dots() || !directory.entries.is_empty() {
        return fail(libc::ENOTEMPTY);
    }
    if inode == place.folder {
        return fail(libc::EBUSY);
    }
    let name = place.name(machine, state)?;
    check_writable(state, place.folder)?;
    world(state).tree.unlink(place.folder, &name);
    Ok(0)
}

pub(crate) fn chdir(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    enter(state, inode)
}

pub(crate) fn fchdir(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let inode = state.world.descriptors.get(descriptor)?.inode;
    enter(state, inode)
}

fn enter(state: &mut State, folder: InodeId) -> CallResult {
    let inode = state.world.tree.get(folder);
    if !inode.is_directory() {
        return fail(libc::ENOTDIR);
    }
    if !inode.allows(1) {
        return fail(libc::EACCES);
    }
    world(state).folder = folder;
    Ok(0)
}

pub(crate) fn getcwd(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let size = call.number(machine, state, 1)?;
    let Some(mut path) = state.world.tree.path(state.world.folder) else { return fail(libc::ENOENT) };
    path.push(0);
    if path.len() as u64 > size {
        return fail(libc::ERANGE);
    }
    put(machine, state, call.get(0), &path)?;
    Ok(path.len() as u64)
}

/// `getdents64`: one entry at a time, in the order of names, so that replay can list them in the same order whatever
/// happens to the folder meanwhile.
pub(crate) fn getdents(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let size = call.number(machine, state, 2)?;
    let (file, inode) = state.world.opened(descriptor)?;
    let Some(directory) = inode.directory() else { return fail(libc::ENOTDIR) };
    if inode.links == 0 {
        return fail(libc::ENOENT);
    }
    let position = file.position as usize;
    let next: Option<(Rc<[u8]>, InodeId)> = match position.checked_sub(1).map(|last| &*file.listed[last]) {
        None => Some((b"."[..].into(), file.inode)),
        Some(b".") => Some((b".."[..].into(), directory.parent)),
        Some(last) => {
            let is_later = |name: &[u8]| last == b".." || name > last;
            directory.entries.iter().find(|(name, _)| is_later(name)).map(|(name, id)| (name.clone(), *id))
        }
    };
    let Some((name, id)) = next else { return Ok(0) };
    let record = (19 + name.len() as u64 + 1).next_multiple_of(8);
    if record > size {
        return fail(libc::EINVAL);
    }
    let (object, offset) = place(machine, state, call.get(1), record, Access::Write)?;
    let world = world(state);
    let file = world.descriptors.get_mut(descriptor)?;
    file.listed.truncate(position);
    file.listed.push(name.clone());
    file.position += 1;
    let kind = (world.tree.get(id).type_bits() >> 12) as u8;
    let mut bytes = [world.tree.number(id), position as u64 + 1].map(u64::to_le_bytes).concat();
    bytes.extend((record as u16).to_le_bytes());
    bytes.push(kind);
    bytes.extend(&*name);
    bytes.resize(record as usize, 0);
    machine.write_block(state, object, offset, &Bytes::Concrete(bytes))?;
    Ok(record)
}
