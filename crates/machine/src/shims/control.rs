//! How programs end themselves.

use super::Group;
use crate::call::{Arguments, Returned};
use crate::end::{Bug, BugKind, End};
use crate::machine::{Machine, Outcome, Stop, end};
use crate::memory::ObjectKind;
use crate::state::State;
use crate::value::Value;

pub(super) const FUNCTIONS: Group = &[
    ("abort", abort),
    ("klee_abort", abort),
    ("llvm.trap", abort),
    ("__assert_fail", assert_fail),
    ("__assert_rtn", assert_rtn),
    ("__assert", assert_fail),
    ("__secateur_destructor", destructor),
    ("__stack_chk_fail", abort),
];

/// For programs that are loaded without the C library.
pub(super) const FALLBACKS: Group = &[("exit", exit), ("_exit", exit), ("_Exit", exit)];

/// How much of a message in the program's memory is shown.
const MESSAGE_LIMIT: u64 = 400;

fn abort(machine: &mut Machine, state: &mut State, _: &Arguments) -> Outcome<Returned> {
    Err(machine.bug(state, BugKind::Abort, "abort is called"))
}

fn assert_fail(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    let text = machine.shown_text(state, arguments.get(0), MESSAGE_LIMIT);
    Err(machine.bug(state, BugKind::Assertion, format!("assertion `{text}` fails")))
}

fn assert_rtn(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    let text = machine.shown_text(state, arguments.get(3), MESSAGE_LIMIT);
    Err(machine.bug(state, BugKind::Assertion, format!("assertion `{text}` fails")))
}

fn exit(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    Err(machine.exit(state, arguments.get(0))?)
}

/// The destructor of the given index, or a null pointer.
fn destructor(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
    let index = machine.pin(state, arguments.get(0))?;
    Ok(match machine.program.destructors.get(index as usize) {
        Some(function) => Returned::Value(Value::concrete(secateur_program::function_address(*function))),
        None => Returned::Nothing,
    })
}

impl Machine {
    /// The end of a program with this status. The status may depend on the input; it is what the input gives.
    pub(crate) fn exit(&mut self, state: &mut State, status: Value) -> Outcome<Stop> {
        self.check_initialised(state, status, "the exit status")?;
        if self.options.check_leak {
            self.check_leaks(state)?;
        }
        Ok(end(End::Exit(self.final_status(status))))
    }

    /// Heap objects that nothing points to any more.
    fn check_leaks(&mut self, state: &mut State) -> Outcome<()> {
        let reachable = self.reachable_objects(state);
        let leaked = state
            .memory
            .dynamic_objects()
            .into_iter()
            .find(|(id, object)| object.alive && object.kind == ObjectKind::Heap && !reachable.contains(id))
            .map(|(_, object)| {
                (object.origin.clone(), format!("{} is never freed and nothing points to it", object.describe()))
            });
        match leaked {
            // The place to look at is not the end of the program but the allocation.
            Some((origin, message)) => {
                let stack = vec![(origin.function, origin.loc)];
                Err(end(End::Bug(Box::new(Bug { kind: BugKind::Leak, message, stack }))))
            }
            None => Ok(()),
        }
    }
}
