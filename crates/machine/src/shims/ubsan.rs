//! The handlers that clang's UndefinedBehaviorSanitizer calls.

use crate::call::Returned;
use crate::end::BugKind;
use crate::machine::{Machine, Outcome};
use crate::state::State;

/// A handler: which bug it reports, and in which words.
#[derive(Clone, Copy)]
pub(crate) struct Handler {
    kind: BugKind,
    message: &'static str,
}

/// Names without the common prefix `__ubsan_handle_` and the suffix `_abort`.
const HANDLERS: &[(&str, BugKind, &str)] = &[
    ("add_overflow", BugKind::SignedOverflow, "a sum overflows"),
    ("sub_overflow", BugKind::SignedOverflow, "a difference overflows"),
    ("mul_overflow", BugKind::SignedOverflow, "a product overflows"),
    ("negate_overflow", BugKind::SignedOverflow, "a negation overflows"),
    ("divrem_overflow", BugKind::SignedOverflow, "a division overflows or is by zero"),
    ("shift_out_of_bounds", BugKind::ShiftOutOfRange, "a shift is out of range"),
    ("out_of_bounds", BugKind::UndefinedBehaviour, "an array index is out of range"),
    ("builtin_unreachable", BugKind::Unreachable, "__builtin_unreachable is reached"),
    ("missing_return", BugKind::Unreachable, "the end of a function that must return a value is reached"),
    ("vla_bound_not_positive", BugKind::UndefinedBehaviour, "the length of a variable-length array is not positive"),
    ("float_cast_overflow", BugKind::UndefinedBehaviour, "a number does not fit the integer type it is converted to"),
    ("load_invalid_value", BugKind::UndefinedBehaviour, "a value that its type does not have is loaded"),
    (
        "invalid_builtin",
        BugKind::UndefinedBehaviour,
        "a builtin function is called with an argument that it does not take",
    ),
    ("nonnull_arg", BugKind::UndefinedBehaviour, "a null pointer is passed where none may be"),
    ("nonnull_return_v1", BugKind::UndefinedBehaviour, "a null pointer is returned where none may be"),
    ("pointer_overflow", BugKind::UndefinedBehaviour, "a pointer computation overflows"),
    ("type_mismatch_v1", BugKind::UndefinedBehaviour, "a null, misaligned or too small object is accessed"),
    ("alignment_assumption", BugKind::UndefinedBehaviour, "an assumption on alignment is broken"),
    ("implicit_conversion", BugKind::UndefinedBehaviour, "an implicit conversion changes the value"),
    ("function_type_mismatch", BugKind::BadCall, "a function is called through a pointer of another type"),
];

pub(super) fn names() -> impl Iterator<Item = String> {
    HANDLERS.iter().flat_map(|(name, _, _)| ["", "_abort"].map(|suffix| format!("__ubsan_handle_{name}{suffix}")))
}

pub(super) fn find(name: &str) -> Option<Handler> {
    let name = name.strip_prefix("__ubsan_handle_")?;
    let name = name.strip_suffix("_abort").unwrap_or(name);
    let (_, kind, message) = HANDLERS.iter().find(|(handler, _, _)| *handler == name)?;
    Some(Handler { kind: *kind, message })
}

impl Handler {
    /// The bug that it reports.
    pub(crate) fn kind(self) -> BugKind {
        self.kind
    }

    pub(crate) fn call(self, machine: &mut Machine, state: &mut State) -> Outcome<Returned> {
        Err(machine.bug(state, self.kind, self.message))
    }
}
