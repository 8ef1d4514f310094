//! Extended attributes, which this disk does not have.

use super::Call;
use super::lookup::{Links, look_up};
use super::refusal::{CallResult, fail};
use crate::machine::Machine;
use crate::state::State;

/// Of a path.
pub(crate) fn of_path(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    look_up(machine, state, call, 0, Links::Follow)?.existing()?;
    fail(libc::EOPNOTSUPP)
}

/// Of a path, or of the symbolic link that it is.
pub(crate) fn of_link(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    look_up(machine, state, call, 0, Links::Keep)?.existing()?;
    fail(libc::EOPNOTSUPP)
}

/// Of a descriptor.
pub(crate) fn of_descriptor(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    let descriptor = call.int(machine, state, 0)?;
    state.world.descriptors.get(descriptor)?;
    fail(libc::EOPNOTSUPP)
}
