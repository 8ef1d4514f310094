//! Random numbers: the same ones in every run.

use super::refusal::{CallResult, fail};
use super::{Call, place, world};
use crate::access::Access;
use crate::block::Bytes;
use crate::machine::Machine;
use crate::state::State;

/// The most bytes of one call.
const MOST: u64 = (1 << 25) - 1;

pub(crate) fn getrandom(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let len = call.number(machine, state, 1)?.min(MOST);
    let flags = call.number(machine, state, 2)?;
    if flags > 7 {
        return fail(libc::EINVAL);
    }
    if len == 0 {
        return Ok(0);
    }
    let (object, offset) = place(machine, state, call.get(0), len, Access::Write)?;
    let bytes = bytes(state.world.random, len);
    machine.write_block(state, object, offset, &Bytes::Concrete(bytes))?;
    world(state).random += len;
    Ok(len)
}

/// The random bytes from a position on. Replay computes the same (`runtime/replay/world.c`).
pub(crate) fn bytes(position: u64, len: u64) -> Vec<u8> {
    (position..position + len).map(|at| (mix(at / 8) >> (at % 8 * 8)) as u8).collect()
}

/// SplitMix64: the words of the sequence whose seed is 0.
fn mix(index: u64) -> u64 {
    let mut word = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_sequence_fit_together() {
        let all = bytes(0, 40);
        assert_eq!(all[..8], 0xe220_a839_7b1d_cdaf_u64.to_le_bytes());
        assert_eq!([bytes(0, 13), bytes(13, 27)].concat(), all);
    }
}
