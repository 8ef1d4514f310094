//! Names of files: giving, changing and removing them.

use super::inode::{Inode, InodeId, Kind};
use super::lookup::{Links, Lookup, look_up, look_up_at};
use super::metadata::descriptor_target;
use super::open::check_writable;
use super::refusal::{CallResult, fail};
use super::{Call, folders, place, world};
use crate::access::Access;
use crate::block::Bytes;
use crate::machine::Machine;
use crate::state::State;

pub(crate) fn unlink(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up(machine, state, call, 0, Links::Keep)?;
    remove(machine, state, &place)
}

pub(crate) fn unlinkat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 2)?;
    let place = look_up_at(machine, state, call, 1, Links::Keep)?;
    match flags {
        0 => remove(machine, state, &place),
        libc::AT_REMOVEDIR => folders::remove_folder(machine, state, &place),
        _ => fail(libc::EINVAL),
    }
}

fn remove(machine: &mut Machine, state: &mut State, place: &Lookup) -> CallResult {
    let inode = place.existing()?;
    if state.world.tree.get(inode).is_directory() {
        return fail(libc::EISDIR);
    }
    let name = place.name(machine, state)?;
    check_writable(state, place.folder)?;
    world(state).tree.unlink(place.folder, &name);
    Ok(0)
}

pub(crate) fn link(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let old = look_up(machine, state, call, 0, Links::Keep)?.existing()?;
    let new = look_up(machine, state, call, 1, Links::New)?;
    add_link(machine, state, old, &new)
}

pub(crate) fn linkat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 4)?;
    if flags & !libc::AT_SYMLINK_FOLLOW != 0 {
        return Err(machine.unsupported(state, format!("linkat with flags {flags:#x}")).into());
    }
    let links = if flags == 0 { Links::Keep } else { Links::Follow };
    let old = look_up_at(machine, state, call, 1, links)?.existing()?;
    let new = look_up_at(machine, state, call, 3, Links::New)?;
    add_link(machine, state, old, &new)
}

fn add_link(machine: &mut Machine, state: &mut State, old: InodeId, new: &Lookup) -> CallResult {
    if new.inode.is_some() {
        return fail(libc::EEXIST);
    }
    if new.is_folder {
        return fail(libc::ENOENT);
    }
    if state.world.tree.get(old).is_directory() {
        return fail(libc::EPERM);
    }
    let name = new.name(machine, state)?;
    check_writable(state, new.folder)?;
    world(state).tree.link(new.folder, &name, old);
    Ok(0)
}

pub(crate) fn symlink(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up(machine, state, call, 1, Links::New)?;
    add_symlink(machine, state, call, &place)
}

pub(crate) fn symlinkat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let place = look_up_at(machine, state, call, 2, Links::New)?;
    add_symlink(machine, state, call, &place)
}

fn add_symlink(machine: &mut Machine, state: &mut State, call: &Call<'_>, new: &Lookup) -> CallResult {
    let mut target = Vec::new();
    for byte in machine.string(state, call.get(0), 4096)? {
        match super::pin_byte(machine, state, byte)? {
            0 => break,
            byte => target.push(byte),
        }
    }
    match target.len() {
        0 => return fail(libc::ENOENT),
        4096.. => return fail(libc::ENAMETOOLONG),
        _ => {}
    }
    if new.inode.is_some() {
        return fail(libc::EEXIST);
    }
    if new.is_folder {
        return fail(libc::ENOENT);
    }
    let name = new.name(machine, state)?;
    check_writable(state, new.folder)?;
    world(state).tree.add(new.folder, &name, Inode::new(Kind::Symlink(target.into()), 0o777));
    Ok(0)
}

pub(crate) fn readlink(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Keep)?.existing()?;
    read_target(machine, state, call, inode, 1)
}

pub(crate) fn readlinkat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up_at(machine, state, call, 1, Links::Keep)?.existing()?;
    read_target(machine, state, call, inode, 2)
}

fn read_target(machine: &mut Machine, state: &mut State, call: &Call<'_>, inode: InodeId, buffer: usize) -> CallResult {
    let size = call.number(machine, state, buffer + 1)? as i32;
    if size <= 0 {
        return fail(libc::EINVAL);
    }
    let target = match &state.world.tree.get(inode).kind {
        Kind::Symlink(target) => target.clone(),
        Kind::Descriptor(number) => descriptor_target(*number).as_bytes().into(),
        _ => return fail(libc::EINVAL),
    };
    let target = &target[..target.len().min(size as usize)];
    let (object, offset) = place(machine, state, call.get(buffer), target.len() as u64, Access::Write)?;
    machine.write_block(state, object, offset, &Bytes::Concrete(target.to_vec()))?;
    Ok(target.len() as u64)
}

pub(crate) fn rename(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let old = look_up(machine, state, call, 0, Links::Keep)?;
    let new = look_up(machine, state, call, 1, Links::Keep)?;
    change_name(machine, state, &old, &new, 0)
}

pub(crate) fn renameat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let old = look_up_at(machine, state, call, 1, Links::Keep)?;
    let new = look_up_at(machine, state, call, 3, Links::Keep)?;
    change_name(machine, state, &old, &new, 0)
}

pub(crate) fn renameat2(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.number(machine, state, 4)? as u32;
    if flags & !libc::RENAME_NOREPLACE != 0 {
        return Err(machine.unsupported(state, format!("renameat2 with flags {flags:#x}")).into());
    }
    let old = look_up_at(machine, state, call, 1, Links::Keep)?;
    let new = look_up_at(machine, state, call, 3, Links::Keep)?;
    change_name(machine, state, &old, &new, flags)
}

fn change_name(machine: &mut Machine, state: &mut State, old: &Lookup, new: &Lookup, flags: u32) -> CallResult {
    let has_no_name = |place: &Lookup| place.is_root() || place.is_dots();
    if has_no_name(old) || has_no_name(new) && flags & libc::RENAME_NOREPLACE == 0 {
        return fail(libc::EBUSY);
    }
    if has_no_name(new) {
        return fail(libc::EEXIST);
    }
    let moved = old.existing()?;
    let tree = &state.world.tree;
    let is_folder = tree.get(moved).is_directory();
    if new.inode.is_some() && flags & libc::RENAME_NOREPLACE != 0 {
        return fail(libc::EEXIST);
    }
    if new.is_folder && !is_folder {
        return fail(libc::ENOTDIR);
    }
    if is_folder && tree.is_within(new.folder, moved) {
        return fail(libc::EINVAL);
    }
    if let Some(there) = new.inode {
        if tree.get(there).is_directory() && tree.is_within(old.folder, there) {
            return fail(libc::ENOTEMPTY);
        }
        if there == moved {
            return Ok(0);
        }
        match (is_folder, tree.get(there).directory()) {
            (true, None) => return fail(libc::ENOTDIR),
            (false, Some(_)) => return fail(libc::EISDIR),
            (true, Some(directory)) if !directory.entries.is_empty() => return fail(libc::ENOTEMPTY),
            _ => {}
        }
    }
    let old_name = old.name(machine, state)?;
    let new_name = new.name(machine, state)?;
    check_writable(state, old.folder)?;
    check_writable(state, new.folder)?;
    let tree = &mut world(state).tree;
    tree.link(new.folder, &new_name, moved);
    tree.unlink(old.folder, &old_name);
    Ok(0)
}
