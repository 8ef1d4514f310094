//! What is known of a file besides its content: `stat`, permissions, times.

use super::clock::{NOW, Time, words};
use super::identity::{GROUP, USER};
use super::inode::{InodeId, Kind};
use super::lookup::{Links, look_up, look_up_at};
use super::refusal::{CallResult, fail};
use super::{Call, place, take, word, world};
use crate::access::Access;
use crate::block::Bytes;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;

/// The device that all files are on, and that of pipes.
const DISK: (u32, u32) = (8, 1);
const PIPES: (u32, u32) = (0, 13);
/// The size of a block, and that of a folder.
const BLOCK: u64 = 4096;

/// What `stat` reports.
struct Status {
    device: (u32, u32),
    number: u64,
    links: u64,
    mode: u32,
    represents: (u32, u32),
    size: u64,
    /// Blocks of 512 bytes.
    blocks: u64,
    accessed: Time,
    modified: Time,
}

impl Status {
    fn of(state: &mut State, id: InodeId) -> Status {
        let tree = &mut world(state).tree;
        let (number, links) = (tree.number(id), tree.link_count(id));
        let inode = tree.get(id);
        let size = match &inode.kind {
            Kind::File(content) => content.size,
            Kind::Directory(_) => BLOCK,
            Kind::Symlink(target) => target.len() as u64,
            Kind::Descriptor(number) => descriptor_target(*number).len() as u64,
            _ => 0,
        };
        let blocks = match inode.kind {
            Kind::File(_) | Kind::Directory(_) => size.div_ceil(BLOCK) * (BLOCK / 512),
            _ => 0,
        };
        Status {
            device: if matches!(inode.kind, Kind::Stream(_) | Kind::Pipe(_)) { PIPES } else { DISK },
            number,
            links,
            mode: inode.type_bits() | inode.permissions,
            represents: match inode.kind {
                Kind::Device(device) => device.numbers(),
                _ => (0, 0),
            },
            size,
            blocks,
            accessed: inode.accessed,
            modified: inode.modified,
        }
    }

    /// As a `struct stat`.
    fn stat(&self) -> Vec<u8> {
        let mut bytes = [device(self.device), self.number, self.links].map(u64::to_le_bytes).concat();
        bytes.extend([self.mode, USER, GROUP, 0].map(u32::to_le_bytes).concat());
        let rest = [device(self.represents), self.size, BLOCK, self.blocks];
        bytes.extend(rest.map(u64::to_le_bytes).concat());
        for time in [self.accessed, self.modified, NOW] {
            bytes.extend(words(time));
        }
        bytes.resize(144, 0);
        bytes
    }

    /// As a `struct statx`.
    fn statx(&self) -> Vec<u8> {
        const BASIC: u32 = 0x7ff;
        let mut bytes =
            [BASIC, BLOCK as u32, 0, 0, self.links as u32, USER, GROUP, self.mode].map(u32::to_le_bytes).concat();
        bytes.extend([self.number, self.size, self.blocks, 0].map(u64::to_le_bytes).concat());
        // Last read, made, last changed, last written.
        for time in [self.accessed, (0, 0), NOW, self.modified] {
            bytes.extend(words(time));
        }
        let numbers = [self.represents.0, self.represents.1, self.device.0, self.device.1];
        bytes.extend(numbers.map(u32::to_le_bytes).concat());
        bytes.resize(256, 0);
        bytes
    }
}

/// The target of `/dev/stdin` and the like.
pub(crate) fn descriptor_target(number: i32) -> String {
    format!("/proc/self/fd/{number}")
}

/// A device number as the C library packs it.
fn device((major, minor): (u32, u32)) -> u64 {
    u64::from(major & 0xfff) << 8 | u64::from(minor & 0xff)
}

pub(crate) fn stat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    let inode = resolved(state, inode)?;
    report(machine, state, call.get(1), inode)
}

pub(crate) fn lstat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Keep)?.existing()?;
    report(machine, state, call.get(1), inode)
}

pub(crate) fn fstat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let inode = state.world.descriptors.get(descriptor)?.inode;
    report(machine, state, call.get(1), inode)
}

pub(crate) fn newfstatat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = followed(machine, state, call, 3)?;
    report(machine, state, call.get(2), inode)
}

pub(crate) fn statx(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = followed(machine, state, call, 2)?;
    let (object, offset) = place(machine, state, call.get(4), 256, Access::Write)?;
    let bytes = Status::of(state, inode).statx();
    machine.write_block(state, object, offset, &Bytes::Concrete(bytes))?;
    Ok(0)
}

/// The inode that a descriptor and a path mean, with the flags in another argument.
fn at(machine: &mut Machine, state: &mut State, call: &Call<'_>, flags: usize) -> CallResult<InodeId> {
    let flags = call.int(machine, state, flags)?;
    if flags & libc::AT_EMPTY_PATH != 0 {
        let first = machine.load(state, call.get(1), 1, 8)?;
        if machine.pin(state, first)? == 0 {
            let descriptor = call.int(machine, state, 0)?;
            return match descriptor {
                libc::AT_FDCWD => Ok(state.world.folder),
                _ => Ok(state.world.descriptors.get(descriptor)?.inode),
            };
        }
    }
    let links = if flags & libc::AT_SYMLINK_NOFOLLOW != 0 { Links::Keep } else { Links::Follow };
    look_up_at(machine, state, call, 1, links)?.existing()
}

/// The same, where `/dev/stdin` and the like are links, unless the flags say that links are not followed.
fn followed(machine: &mut Machine, state: &mut State, call: &Call<'_>, flags: usize) -> CallResult<InodeId> {
    let inode = at(machine, state, call, flags)?;
    let keeps = call.int(machine, state, flags)? & libc::AT_SYMLINK_NOFOLLOW != 0;
    if keeps { Ok(inode) } else { resolved(state, inode) }
}

fn report(machine: &mut Machine, state: &mut State, buffer: Value, inode: InodeId) -> CallResult {
    let (object, offset) = place(machine, state, buffer, 144, Access::Write)?;
    let bytes = Status::of(state, inode).stat();
    machine.write_block(state, object, offset, &Bytes::Concrete(bytes))?;
    Ok(0)
}

/// What `/dev/stdin` and the like stand for.
fn resolved(state: &State, inode: InodeId) -> CallResult<InodeId> {
    match state.world.tree.get(inode).kind {
        Kind::Descriptor(number) => match state.world.descriptors.get(number) {
            Ok(file) => Ok(file.inode),
            Err(_) => fail(libc::ENOENT),
        },
        _ => Ok(inode),
    }
}

pub(crate) fn access(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let wanted = call.number(machine, state, 1)? as u32;
    let inode = look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    may(state, inode, wanted)
}

pub(crate) fn faccessat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let wanted = call.number(machine, state, 2)? as u32;
    let inode = look_up_at(machine, state, call, 1, Links::Follow)?.existing()?;
    may(state, inode, wanted)
}

pub(crate) fn faccessat2(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let wanted = call.number(machine, state, 2)? as u32;
    let inode = at(machine, state, call, 3)?;
    may(state, inode, wanted)
}

fn may(state: &State, inode: InodeId, wanted: u32) -> CallResult {
    if wanted > 7 {
        return fail(libc::EINVAL);
    }
    if state.world.tree.get(resolved(state, inode)?).allows(wanted) { Ok(0) } else { fail(libc::EACCES) }
}

pub(crate) fn chmod(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    set_permissions(machine, state, call, inode, 1)
}

pub(crate) fn fchmod(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let inode = state.world.descriptors.get(descriptor)?.inode;
    set_permissions(machine, state, call, inode, 1)
}

pub(crate) fn fchmodat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let inode = look_up_at(machine, state, call, 1, Links::Follow)?.existing()?;
    set_permissions(machine, state, call, inode, 2)
}

fn set_permissions(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
    inode: InodeId,
    mode: usize,
) -> CallResult {
    let mode = call.number(machine, state, mode)? as u32;
    if !matches!(state.world.tree.get(inode).kind, Kind::File(_) | Kind::Directory(_) | Kind::Fifo) {
        return fail(libc::EPERM);
    }
    world(state).tree.get_mut(inode).permissions = mode & 0o7777;
    Ok(0)
}

pub(crate) fn chown(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    set_owner(machine, state, call, 1)
}

pub(crate) fn lchown(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    look_up(machine, state, call, 0, Links::Keep)?.existing()?;
    set_owner(machine, state, call, 1)
}

pub(crate) fn fchown(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    state.world.descriptors.get(descriptor)?;
    set_owner(machine, state, call, 1)
}

pub(crate) fn fchownat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    at(machine, state, call, 4)?;
    set_owner(machine, state, call, 2)
}

/// An ordinary user can only give files to himself.
fn set_owner(machine: &mut Machine, state: &mut State, call: &Call<'_>, user: usize) -> CallResult {
    let group = call.number(machine, state, user + 1)? as u32;
    let user = call.number(machine, state, user)? as u32;
    let same = [(user, USER), (group, GROUP)].iter().all(|(new, own)| *new == u32::MAX || new == own);
    if same { Ok(0) } else { fail(libc::EPERM) }
}

pub(crate) fn umask(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let mask = call.number(machine, state, 0)? as u32 & 0o777;
    Ok(std::mem::replace(&mut world(state).umask, mask).into())
}

pub(crate) fn utimensat(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let path = call.number(machine, state, 1)?;
    let inode = if path == 0 {
        let descriptor = call.int(machine, state, 0)?;
        state.world.descriptors.get(descriptor)?.inode
    } else {
        at(machine, state, call, 3)?
    };
    let mut new = [Some(NOW), Some(NOW)];
    if call.number(machine, state, 2)? != 0 {
        let times = take(machine, state, call.get(2), 32)?;
        for (index, new) in new.iter_mut().enumerate() {
            let (seconds, nanoseconds) = (word(&times, index * 16) as i64, word(&times, index * 16 + 8) as i64);
            *new = match nanoseconds {
                libc::UTIME_NOW => Some(NOW),
                libc::UTIME_OMIT => None,
                0..1_000_000_000 => Some((seconds, nanoseconds)),
                _ => return fail(libc::EINVAL),
            };
        }
    }
    let inode = world(state).tree.get_mut(inode);
    inode.accessed = new[0].unwrap_or(inode.accessed);
    inode.modified = new[1].unwrap_or(inode.modified);
    Ok(0)
}

pub(crate) fn statfs(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    report_system(machine, state, call)
}

pub(crate) fn fstatfs(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    state.world.descriptors.get(descriptor)?;
    report_system(machine, state, call)
}

/// A disk of a million blocks, half of them free.
fn report_system(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    const EXT4: u64 = 0xef53;
    let fields = [EXT4, BLOCK, 1_000_000, 500_000, 500_000, 1_000_000, 500_000, 0, 255, BLOCK, 0];
    let mut bytes = fields.map(u64::to_le_bytes).concat();
    bytes.resize(120, 0);
    super::put(machine, state, call.get(1), &bytes)
}
