//! The rounding mode of floating-point operations. The C library decides on the mode (`runtime/libc/fenv.c`), so the
//! mode that is set here is concrete.

use secateur_expr::Rounding;

use super::Shim;
use crate::call::{Arguments, Returned};
use crate::hazards::Hazards;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("__secateur_flt_rounds", flt_rounds).fails(Hazards::NONE),
    Shim::new("__secateur_get_rounding", get_rounding).fails(Hazards::NONE),
    Shim::new("__secateur_set_rounding", set_rounding).fails(Hazards::NONE),
];

/// The value of `FLT_ROUNDS` according to the C standard.
fn flt_rounds(_: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    let number = match state.rounding {
        Rounding::TowardsZero => 0,
        Rounding::Nearest => 1,
        Rounding::Up => 2,
        Rounding::Down => 3,
    };
    Ok(Returned::Value(Value::concrete(number)))
}

/// The number of the mode in the control registers of x86-64.
fn get_rounding(_: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    let number = match state.rounding {
        Rounding::Nearest => 0,
        Rounding::Down => 1,
        Rounding::Up => 2,
        Rounding::TowardsZero => 3,
    };
    Ok(Returned::Value(Value::concrete(number)))
}

fn set_rounding(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let mode = match machine.pin(state, arguments.get(0))? {
        0 => Rounding::Nearest,
        1 => Rounding::Down,
        2 => Rounding::Up,
        3 => Rounding::TowardsZero,
        other => return Err(machine.unsupported(state, format!("the rounding mode {other}"))),
    };
    state.rounding = mode;
    machine.rounding = mode;
    Ok(Returned::Nothing)
}
