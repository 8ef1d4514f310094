//! How programs terminate.

use secateur_program::Returns;

use super::Shim;
use super::shim::{INT, LONG};
use crate::call::{Arguments, Returned};
use crate::end::{Bug, BugKind, End};
use crate::hazards::{Hazards, NORMAL_END};
use crate::machine::{Machine, StepResult, Stop, end};
use crate::memory::ObjectKind;
use crate::state::State;
use crate::value::Value;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("abort", abort).fails(Hazards::of(&[BugKind::Abort])).returns(Returns::Never),
    Shim::new("klee_abort", abort).fails(Hazards::of(&[BugKind::Abort])).returns(Returns::Never),
    Shim::new("llvm.trap", abort).fails(Hazards::of(&[BugKind::Abort])).returns(Returns::Never),
    Shim::new("__assert_fail", assert_fail)
        .takes(&[LONG, LONG, INT, LONG])
        .fails_by(|call| Hazards::of(&[BugKind::Assertion]) | call.text(0))
        .returns(Returns::Never),
    Shim::new("__assert_rtn", assert_rtn)
        .takes(&[LONG, LONG, INT, LONG])
        .fails_by(|call| Hazards::of(&[BugKind::Assertion]) | call.text(3))
        .returns(Returns::Never),
    Shim::new("__assert", assert_fail)
        .takes(&[LONG, LONG, INT])
        .fails_by(|call| Hazards::of(&[BugKind::Assertion]) | call.text(0))
        .returns(Returns::Never),
    Shim::new("__secateur_destructor", destructor).fails(Hazards::NONE),
    Shim::new("__stack_chk_fail", abort).fails(Hazards::of(&[BugKind::Abort])).returns(Returns::Never),
    // For programs that are loaded without the C library.
    Shim::new("exit", exit).takes(&[INT]).fails(NORMAL_END).returns(Returns::Never).fallback(),
    Shim::new("_exit", exit).takes(&[INT]).fails(NORMAL_END).returns(Returns::Never).fallback(),
    Shim::new("_Exit", exit).takes(&[INT]).fails(NORMAL_END).returns(Returns::Never).fallback(),
];

/// The most bytes of a message in the program's memory that are shown.
const MESSAGE_LIMIT: u64 = 400;

fn abort(machine: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    Err(machine.bug(state, BugKind::Abort, "abort is called"))
}

fn assert_fail(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let text = machine.message_text(state, arguments.get(0), MESSAGE_LIMIT);
    Err(machine.bug(state, BugKind::Assertion, format!("assertion `{text}` fails")))
}

fn assert_rtn(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let text = machine.message_text(state, arguments.get(3), MESSAGE_LIMIT);
    Err(machine.bug(state, BugKind::Assertion, format!("assertion `{text}` fails")))
}

fn exit(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    Err(machine.exit(state, arguments.get(0))?)
}

/// The destructor of the given index, or a null pointer.
fn destructor(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let index = machine.pin(state, arguments.get(0))?;
    Ok(match machine.program.destructors.get(index as usize) {
        Some(function) => Returned::Value(Value::concrete(secateur_program::function_address(*function))),
        None => Returned::Nothing,
    })
}

impl Machine {
    /// The normal end of the program. The status may depend on the input; it is the one under the current input.
    pub(crate) fn exit(&mut self, state: &mut State, status: Value) -> StepResult<Stop> {
        self.check_initialised(state, status, "the exit status")?;
        if self.options.check_leak {
            self.check_leaks(state)?;
        }
        Ok(end(End::Exit(self.final_status(status))))
    }

    /// Reports a heap object that nothing points to any more.
    fn check_leaks(&mut self, state: &mut State) -> StepResult<()> {
        self.mark_inexpressible(state, "a leak check, which looks at all objects");
        let reachable = self.reachable_objects(state);
        let leaked = state
            .memory
            .dynamic_objects()
            .into_iter()
            .find(|(id, object)| object.alive && object.kind == ObjectKind::Heap && !reachable.contains(id))
            .map(|(_, object)| {
                (object.allocated_at.clone(), format!("{} is never freed and nothing points to it", object.describe()))
            });
        match leaked {
            // The location to report is the allocation, not the end of the program.
            Some((allocated_at, message)) => {
                let stack = vec![(allocated_at.function, allocated_at.loc)];
                Err(end(End::Bug(Box::new(Bug { kind: BugKind::Leak, message, stack }))))
            }
            None => Ok(()),
        }
    }
}
