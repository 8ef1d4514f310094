//! Pipes within the program.

use super::descriptors::OpenFile;
use super::inode::{Inode, Kind, Pipe};
use super::refusal::{CallResult, fail};
use super::{Call, place, world};
use crate::access::Access;
use crate::block::Bytes;
use crate::machine::Machine;
use crate::state::State;

pub(crate) fn pipe(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    make(machine, state, call, 0)
}

pub(crate) fn pipe2(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let flags = call.int(machine, state, 1)?;
    if flags & !(libc::O_CLOEXEC | libc::O_NONBLOCK) != 0 {
        return fail(libc::EINVAL);
    }
    make(machine, state, call, flags)
}

fn make(machine: &mut Machine, state: &mut State, call: &Call<'_>, flags: i32) -> CallResult {
    let (object, offset) = place(machine, state, call.get(0), 8, Access::Write)?;
    let mut made = (*state.world).clone();
    let inode = made.tree.add_nameless(Inode { links: 1, ..Inode::new(Kind::Pipe(Pipe::default()), 0o600) });
    let mut ends = Vec::new();
    for access in [libc::O_RDONLY, libc::O_WRONLY] {
        let file = OpenFile::new(inode, access | flags & libc::O_NONBLOCK);
        ends.extend(made.descriptors.open(file, flags & libc::O_CLOEXEC != 0)?.to_le_bytes());
    }
    *world(state) = made;
    machine.write_block(state, object, offset, &Bytes::Concrete(ends))?;
    Ok(0)
}
