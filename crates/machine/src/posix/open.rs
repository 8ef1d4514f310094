//! Opening and closing files.

use super::clock::NOW;
use super::descriptors::OpenFile;
use super::inode::{Content, Device, Inode, InodeId, Kind};
use super::lookup::{Links, Lookup, look_up, look_up_at};
use super::refusal::{CallResult, fail};
use super::{Call, world};
use crate::machine::Machine;
use crate::state::State;

/// The flags that matter only while a file is opened.
const OPENING: i32 = libc::O_CREAT | libc::O_EXCL | libc::O_NOCTTY | libc::O_TRUNC | libc::O_CLOEXEC | libc::O_NOFOLLOW;

/// `O_LARGEFILE` of the kernel, which the C library calls 0. The system adds it to all files that are opened.
pub(crate) const LARGE_FILE: i32 = 0o100_000;

pub(crate) fn open(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 1)?;
    let mode = mode(machine, state, call, flags, 2)?;
    if flags & libc::O_CREAT != 0 {
        check_name(&look_up(machine, state, call, 0, Links::New)?)?;
    }
    let place = look_up(machine, state, call, 0, links(flags))?;
    open_place(machine, state, &place, flags, mode)
}

/// What is to be created cannot have a slash at its end, whatever is there.
fn check_name(place: &Lookup) -> CallResult<()> {
    if place.is_folder && !place.is_root() { fail(libc::EISDIR) } else { Ok(()) }
}

pub(crate) fn openat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 2)?;
    let mode = mode(machine, state, call, flags, 3)?;
    if flags & libc::O_CREAT != 0 {
        check_name(&look_up_at(machine, state, call, 1, Links::New)?)?;
    }
    let place = look_up_at(machine, state, call, 1, links(flags))?;
    open_place(machine, state, &place, flags, mode)
}

pub(crate) fn creat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let mode = call.number(machine, state, 1)? as u32;
    check_name(&look_up(machine, state, call, 0, Links::New)?)?;
    let place = look_up(machine, state, call, 0, Links::Follow)?;
    open_place(machine, state, &place, libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC, mode)
}

pub(crate) fn close(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    world(state).descriptors.close(descriptor)?;
    Ok(0)
}

/// `memfd_create`: a file without a name. The name that is given is for people.
pub(crate) fn memfd_create(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.number(machine, state, 1)? as u32;
    if flags & !libc::MFD_CLOEXEC != 0 {
        return Err(machine.unsupported(state, format!("memfd_create with flags {flags:#x}")).into());
    }
    state.world.descriptors.check_room()?;
    let world = world(state);
    let inode = world.tree.add_nameless(Inode::new(Kind::File(Content::default()), 0o777));
    let file = OpenFile::new(inode, libc::O_RDWR | LARGE_FILE);
    Ok(world.descriptors.open(file, flags != 0)? as u64)
}

/// The mode of a new file, which is passed only if there may be one.
fn mode(machine: &mut Machine, state: &mut State, call: &Call<'_>, flags: i32, argument: usize) -> CallResult<u32> {
    Ok(if flags & libc::O_CREAT == 0 { 0 } else { call.number(machine, state, argument)? as u32 })
}

fn links(flags: i32) -> Links {
    let exclusive = flags & (libc::O_CREAT | libc::O_EXCL) == libc::O_CREAT | libc::O_EXCL;
    if exclusive || flags & libc::O_NOFOLLOW != 0 { Links::Keep } else { Links::Follow }
}

fn open_place(machine: &mut Machine, state: &mut State, place: &Lookup, flags: i32, mode: u32) -> CallResult {
    if flags & libc::O_TMPFILE == libc::O_TMPFILE {
        return fail(libc::EOPNOTSUPP);
    }
    let inode = match place.inode {
        Some(inode) => {
            let inode = existing(state, inode, flags)?;
            if matches!(state.world.tree.get(inode).kind, Kind::Fifo) && flags & libc::O_PATH == 0 {
                return Err(machine.unsupported(state, "opening a named pipe").into());
            }
            inode
        }
        None => {
            if flags & libc::O_CREAT == 0 {
                return fail(libc::ENOENT);
            }
            if place.is_folder {
                return fail(libc::EISDIR);
            }
            create(machine, state, place, mode)?
        }
    };
    let file = OpenFile::new(inode, flags & !OPENING | LARGE_FILE);
    Ok(world(state).descriptors.open(file, flags & libc::O_CLOEXEC != 0)? as u64)
}

/// Checks whether an existing file can be opened like this, and empties it if asked to.
fn existing(state: &mut State, id: InodeId, flags: i32) -> CallResult<InodeId> {
    if flags & (libc::O_CREAT | libc::O_EXCL) == libc::O_CREAT | libc::O_EXCL {
        return fail(libc::EEXIST);
    }
    let inode = state.world.tree.get(id);
    let access = flags & libc::O_ACCMODE;
    let is_path = flags & libc::O_PATH != 0;
    let changes = access != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
    match inode.kind {
        Kind::Symlink(_) if flags & libc::O_DIRECTORY != 0 => return fail(libc::ENOTDIR),
        Kind::Symlink(_) if !is_path => return fail(libc::ELOOP),
        Kind::Directory(_) if changes && !is_path => return fail(libc::EISDIR),
        Kind::Device(Device::Terminal) if !is_path => return fail(libc::ENXIO),
        Kind::Descriptor(number) => {
            let inode =
                state.world.descriptors.get(number).map_or_else(|_| fail(libc::ENXIO), |file| Ok(file.inode))?;
            return existing(state, inode, flags & !libc::O_TRUNC);
        }
        _ => {}
    }
    if flags & libc::O_DIRECTORY != 0 && !inode.is_directory() {
        return fail(libc::ENOTDIR);
    }
    let wanted = match access {
        _ if is_path => 0,
        libc::O_RDONLY => 4,
        libc::O_WRONLY => 2,
        _ => 6,
    };
    if !inode.allows(wanted) {
        return fail(libc::EACCES);
    }
    // There must be a free descriptor before anything is changed.
    state.world.descriptors.check_room()?;
    if flags & libc::O_TRUNC != 0 && access != libc::O_RDONLY {
        let inode = world(state).tree.get_mut(id);
        if let Kind::File(content) = &mut inode.kind {
            *content = Content::default();
            inode.modified = NOW;
        }
    }
    Ok(id)
}

/// Makes a new file.
fn create(machine: &mut Machine, state: &mut State, place: &Lookup, mode: u32) -> CallResult<InodeId> {
    let name = place.name(machine, state)?;
    check_writable(state, place.folder)?;
    state.world.descriptors.check_room()?;
    let permissions = mode & 0o7777 & !state.world.umask;
    let inode = Inode::new(Kind::File(Content::default()), permissions);
    Ok(world(state).tree.add(place.folder, &name, inode))
}

/// Names can be added to and removed from a folder.
pub(crate) fn check_writable(state: &State, folder: InodeId) -> CallResult<()> {
    let inode = state.world.tree.get(folder);
    if inode.links == 0 {
        return fail(libc::ENOENT);
    }
    if !inode.allows(3) {
        return fail(libc::EACCES);
    }
    Ok(())
}
