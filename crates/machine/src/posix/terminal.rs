//! Terminals: no descriptor is one.

use super::inode::Kind;
use super::refusal::{CallResult, fail};
use super::{Call, put};
use crate::machine::Machine;
use crate::state::State;

/// The requests that only terminals answer.
const REQUESTS: [u64; 8] = [
    libc::TCGETS,
    libc::TCSETS,
    libc::TCSETSW,
    libc::TCSETSF,
    libc::TIOCGWINSZ,
    libc::TIOCGPGRP,
    libc::TIOCSWINSZ,
    libc::TIOCGSID,
];

/// The requests to let one file have the blocks of another.
const FICLONE: u64 = 0x4004_9409;
const FICLONERANGE: u64 = 0x4020_940d;

pub(crate) fn ioctl(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    let request = call.number(machine, state, 1)? & 0xffff_ffff;
    let (file, inode) = state.world.opened(descriptor)?;
    match request {
        request if REQUESTS.contains(&request) => fail(libc::ENOTTY),
        // This disk cannot share blocks between files.
        FICLONE | FICLONERANGE => fail(libc::EOPNOTSUPP),
        libc::FIONREAD => {
            let left = match &inode.kind {
                Kind::File(content) => content.size.saturating_sub(file.position),
                Kind::Pipe(pipe) => pipe.content.size - pipe.start,
                Kind::Stream(_) => 0,
                _ => return fail(libc::ENOTTY),
            };
            put(machine, state, call.get(2), &(left as u32).to_le_bytes())
        }
        _ => Err(machine.unsupported(state, format!("ioctl with request {request:#x}")).into()),
    }
}
