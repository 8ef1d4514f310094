//! Memory mappings: private ones, of nothing or of a file.

use super::Call;
use super::inode::Kind;
use super::refusal::{CallResult, fail};
use crate::call::lane_key;
use crate::end::{End, Limit};
use crate::machine::{Machine, end};
use crate::memory::{Object, ObjectId, ObjectKind};
use crate::state::State;

const PAGE: u64 = 4096;

pub(crate) fn mmap(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let length = call.number(machine, state, 1)?;
    let protection = call.int(machine, state, 2)?;
    let flags = call.int(machine, state, 3)?;
    if length == 0 {
        return fail(libc::EINVAL);
    }
    let is_anonymous = flags & libc::MAP_ANONYMOUS != 0;
    let unmodelled = if flags & (libc::MAP_FIXED | MAP_FIXED_NOREPLACE) != 0 {
        Some("mmap at a fixed address")
    } else if !is_anonymous && flags & libc::MAP_SHARED != 0 && protection & libc::PROT_WRITE != 0 {
        Some("mmap of a file that is shared and can be written to")
    } else if protection & libc::PROT_READ == 0 {
        Some("mmap of memory that cannot be read")
    } else {
        None
    };
    if let Some(what) = unmodelled {
        return Err(machine.unsupported(state, what).into());
    }
    let size = length.next_multiple_of(PAGE);
    if size > machine.options.max_allocation {
        return Err(end(End::Limit(Limit::Allocation)).into());
    }
    let mut copied = None;
    if !is_anonymous {
        let descriptor = call.int(machine, state, 4)?;
        let offset = call.number(machine, state, 5)?;
        let (file, inode) = state.world.opened(descriptor)?;
        if !file.is_readable() {
            return fail(libc::EACCES);
        }
        let Kind::File(content) = inode.kind else { return fail(libc::ENODEV) };
        if offset % PAGE != 0 {
            return fail(libc::EINVAL);
        }
        copied = content.object.map(|object| {
            let end = content.size.min(content.capacity);
            (object, offset, end.saturating_sub(offset).min(size))
        });
    }
    // An access behind the last page of a file would be an error of its own; the mapping ends with it.
    let id = map(machine, state, size);
    if let Some((object, offset, len)) = copied.filter(|(_, _, len)| *len > 0) {
        machine.copy_between(state, (id, 0), (object, offset), len)?;
    }
    Ok(id.address())
}

/// A new mapping of this many bytes, all 0.
fn map(machine: &Machine, state: &mut State, size: u64) -> ObjectId {
    let allocated_at = state.allocation_site(&machine.program, "mmap");
    let object = Object::new(size, ObjectKind::Global, allocated_at, &[], false);
    state.memory.allocate(lane_key(&state.frame), object)
}

const MAP_FIXED_NOREPLACE: i32 = 0x10_0000;

/// The mapping that starts at an address and has this length.
fn mapping(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult<Option<ObjectId>> {
    let address = call.number(machine, state, 0)?;
    let length = call.number(machine, state, 1)?;
    let id = state.memory.find(address);
    let whole = state.memory.get(id).is_some_and(|object| {
        object.alive
            && &*object.allocated_at.name == "mmap"
            && id.address() == address
            && object.size == length.next_multiple_of(PAGE)
    });
    Ok(whole.then_some(id))
}

pub(crate) fn munmap(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    match mapping(machine, state, call)? {
        Some(id) => {
            machine.object_mut(state, id)?.kill();
            Ok(0)
        }
        None => Err(machine.unsupported(state, "munmap of a part of a mapping").into()),
    }
}

/// `mremap`: a mapping that may move always does.
pub(crate) fn mremap(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 3)?;
    let length = call.number(machine, state, 2)?;
    if length == 0 || flags & !(libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED | libc::MREMAP_DONTUNMAP) != 0 {
        return fail(libc::EINVAL);
    }
    let Some(old) = mapping(machine, state, call)? else {
        return Err(machine.unsupported(state, "mremap of a part of a mapping").into());
    };
    let size = length.next_multiple_of(PAGE);
    let before = state.memory.get(old).map_or(0, |object| object.size);
    if size == before {
        return Ok(old.address());
    }
    if flags != libc::MREMAP_MAYMOVE {
        return Err(machine.unsupported(state, "mremap of a mapping that must not move").into());
    }
    if size > machine.options.max_allocation {
        return Err(end(End::Limit(Limit::Allocation)).into());
    }
    let new = map(machine, state, size);
    machine.copy_between(state, (new, 0), (old, 0), before.min(size))?;
    machine.object_mut(state, old)?.kill();
    Ok(new.address())
}

/// `mprotect`: only that memory stays as it is.
pub(crate) fn mprotect(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let protection = call.int(machine, state, 2)?;
    if protection & (libc::PROT_READ | libc::PROT_WRITE) != libc::PROT_READ | libc::PROT_WRITE {
        return Err(machine.unsupported(state, "mprotect that takes permissions away").into());
    }
    Ok(0)
}

/// `madvise`, `mlock` and the like: without effect.
pub(crate) fn advise(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    Ok(0)
}

/// `mincore` is not there, as on systems without it: which pages are mapped depends on how the program was loaded.
pub(crate) fn mincore(_: &mut Machine, _: &mut State, _: &Call<'_>) -> CallResult {
    fail(libc::ENOSYS)
}
