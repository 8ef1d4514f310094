//! The handlers that clang's UndefinedBehaviorSanitizer calls.
//!
//! Several kinds of errors share a handler. Its first argument points to a description, which begins with the source
//! location (16 bytes) and, for most handlers, continues with the address of a type descriptor.

use secateur_program::Returns;

use super::{Run, Shim};
use crate::call::{Arguments, Returned};
use crate::decision::DecisionKind;
use crate::end::BugKind;
use crate::hazards::Hazards;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

/// What a handler reports.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// Always this bug, with this message.
    Always(BugKind, &'static str),
    /// An integer result that does not fit its type: undefined behaviour for signed types, an optional check for
    /// others.
    Overflow(&'static str),
    /// A division by zero, or of the smallest number by -1.
    Division,
    /// An access through a pointer that is null, misaligned, or into too small an object.
    Access,
    /// `-fsanitize-trap`: a number identifies the failed check.
    Trap,
}

use Handler::{Access, Always, Division, Overflow};

macro_rules! handlers {
    ($($name:literal => $handler:expr;)*) => {
        /// The names of the recoverable and the aborting variant; both end the path here.
        const HANDLERS: &[([&str; 2], Handler)] =
            &[$(([concat!("__ubsan_handle_", $name), concat!("__ubsan_handle_", $name, "_abort")], $handler),)*];
    };
}

handlers! {
    "add_overflow" => Overflow("sum");
    "sub_overflow" => Overflow("difference");
    "mul_overflow" => Overflow("product");
    "negate_overflow" => Overflow("negation");
    "divrem_overflow" => Division;
    "shift_out_of_bounds" => Always(BugKind::ShiftOutOfRange, "a shift is out of range");
    "out_of_bounds" => Always(BugKind::UndefinedBehaviour, "an array index is out of range");
    "builtin_unreachable" => Always(BugKind::Unreachable, "__builtin_unreachable is reached");
    "missing_return" => Always(BugKind::Unreachable, "the end of a function that must return a value is reached");
    "vla_bound_not_positive" =>
        Always(BugKind::UndefinedBehaviour, "the length of a variable-length array is not positive");
    "float_cast_overflow" =>
        Always(BugKind::UndefinedBehaviour, "a number does not fit the integer type it is converted to");
    "load_invalid_value" => Always(BugKind::UndefinedBehaviour, "a value that is not valid for its type is loaded");
    "invalid_builtin" =>
        Always(BugKind::UndefinedBehaviour, "a builtin function is called with an invalid argument");
    "nonnull_arg" => Always(BugKind::UndefinedBehaviour, NULL_ARGUMENT);
    "nullability_arg" => Always(BugKind::UndefinedBehaviour, NULL_ARGUMENT);
    "nonnull_return_v1" => Always(BugKind::UndefinedBehaviour, NULL_RESULT);
    "nullability_return_v1" => Always(BugKind::UndefinedBehaviour, NULL_RESULT);
    "pointer_overflow" => Always(BugKind::UndefinedBehaviour, "a pointer computation overflows");
    "type_mismatch_v1" => Access;
    "alignment_assumption" => Always(BugKind::UndefinedBehaviour, "an alignment assumption does not hold");
    "implicit_conversion" => Always(BugKind::UndefinedBehaviour, "an implicit conversion changes the value");
    "function_type_mismatch" => Always(BugKind::BadCall, "a function is called through a pointer of another type");
}

const NULL_ARGUMENT: &str = "a null pointer is passed where it is not allowed";
const NULL_RESULT: &str = "a null pointer is returned where it is not allowed";

/// The intrinsic that `-fsanitize-trap` calls; its argument is a number of clang's `SanitizerHandler`.
const TRAP: &str = "llvm.ubsantrap";

/// What the numbers mean, in order.
const TRAPS: &[&str] = &[
    "a sum overflows",
    "__builtin_unreachable is reached",
    "control flow integrity is violated",
    "a division overflows or is by zero",
    "an object has another dynamic type",
    "a number does not fit the integer type it is converted to",
    "a function is called through a pointer of another type",
    "an implicit conversion changes the value",
    "a builtin function is called with an invalid argument",
    "an Objective-C cast is invalid",
    "a value that is not valid for its type is loaded",
    "the end of a function that must return a value is reached",
    "a product overflows",
    "a negation overflows",
    NULL_ARGUMENT,
    NULL_RESULT,
    NULL_ARGUMENT,
    NULL_RESULT,
    "an array index is out of range",
    "a pointer computation overflows",
    "a shift is out of range",
    "a difference overflows",
    "a null or misaligned pointer is used, or the object is too small",
    "an alignment assumption does not hold",
    "the length of a variable-length array is not positive",
];

/// The offset of the type descriptor's address, after the source location.
const TYPE: u64 = 16;
/// The offset of the logarithm of the alignment in the description of an access.
const ALIGNMENT: u64 = 24;

/// All handlers.
pub(super) fn shims() -> impl Iterator<Item = Shim> {
    let handlers = HANDLERS.iter().flat_map(|(names, handler)| names.map(|name| handler.shim(name)));
    handlers.chain([Handler::Trap.shim(TRAP).fallback()])
}

impl Handler {
    fn shim(self, name: &'static str) -> Shim {
        Shim::with(name, Run::Handler(self)).fails(Hazards::of(self.kinds())).returns(Returns::Never)
    }

    /// The bugs that it may report.
    fn kinds(self) -> &'static [BugKind] {
        match self {
            Handler::Always(BugKind::ShiftOutOfRange, _) => &[BugKind::ShiftOutOfRange],
            Handler::Always(BugKind::Unreachable, _) => &[BugKind::Unreachable],
            Handler::Always(BugKind::BadCall, _) => &[BugKind::BadCall],
            Handler::Always(..) => &[BugKind::UndefinedBehaviour],
            Handler::Overflow(_) => &[BugKind::SignedOverflow, BugKind::UndefinedBehaviour],
            Handler::Division => &[BugKind::DivisionByZero, BugKind::DivisionOverflow, BugKind::UndefinedBehaviour],
            Handler::Access => &[BugKind::NullPointer, BugKind::UndefinedBehaviour],
            Handler::Trap => &[BugKind::Abort],
        }
    }

    pub(crate) fn call(self, machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
        let (kind, message) = match self {
            Handler::Always(kind, message) => (kind, message.to_string()),
            Handler::Overflow(result) => match described_type(machine, state, arguments)? {
                Type::Unsigned => (BugKind::UndefinedBehaviour, format!("an unsigned {result} overflows")),
                _ => (BugKind::SignedOverflow, format!("a {result} overflows")),
            },
            Handler::Division => division(machine, state, arguments)?,
            Handler::Access => access(machine, state, arguments)?,
            Handler::Trap => {
                let number = machine.pin(state, arguments.get(0))?;
                let what = TRAPS.get(number as usize).copied().unwrap_or("an unknown check");
                (BugKind::Abort, format!("a check inserted by the compiler fails: {what}"))
            }
        };
        Err(machine.bug(state, kind, message))
    }
}

/// A type, as far as it matters here.
enum Type {
    Signed,
    Unsigned,
    Other,
}

/// The type in the description that a handler is given.
fn described_type(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Type> {
    let description = machine.pin(state, arguments.get(0))?;
    let mut number = |address: u64, bytes: u8| -> StepResult<u64> {
        let value = machine.load(state, Value::concrete(address), bytes, bytes * 8)?;
        machine.pin(state, value)
    };
    let described = number(description + TYPE, 8)?;
    // Kind 0 is an integer; the lowest bit of what follows is set if it is signed.
    Ok(match (number(described, 2)?, number(described + 2, 2)? & 1) {
        (0, 1) => Type::Signed,
        (0, _) => Type::Unsigned,
        _ => Type::Other,
    })
}

/// The error of a division. A divisor of at most 64 bits is passed by value.
fn division(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<(BugKind, String)> {
    if matches!(described_type(machine, state, arguments)?, Type::Other) {
        return Ok((BugKind::UndefinedBehaviour, "a floating-point number is divided by zero".to_string()));
    }
    if is_nonzero(machine, state, arguments.get(2), BugKind::DivisionByZero)? {
        let message = "the quotient of the smallest number and -1 does not fit";
        Ok((BugKind::DivisionOverflow, message.to_string()))
    } else {
        Ok((BugKind::DivisionByZero, "division by zero".to_string()))
    }
}

/// The error of an access.
fn access(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<(BugKind, String)> {
    let pointer = arguments.get(1);
    if !is_nonzero(machine, state, pointer, BugKind::NullPointer)? {
        return Ok((BugKind::NullPointer, "a null pointer is used".to_string()));
    }
    let description = machine.pin(state, arguments.get(0))?;
    let log = machine.load(state, Value::concrete(description + ALIGNMENT), 1, 8)?;
    let alignment = 1u64 << (machine.pin(state, log)? & 63);
    let (pointer, low) = (machine.expr(pointer, 64), machine.pool.constant(64, u128::from(alignment - 1)));
    let rest = machine.pool.and(pointer, low);
    let zero = machine.pool.constant(64, 0);
    let aligned = machine.pool.eq(rest, zero);
    let bug = Some(BugKind::UndefinedBehaviour);
    Ok(if machine.decide_condition(state, DecisionKind::Check, aligned, bug)? {
        (BugKind::UndefinedBehaviour, "the accessed object is too small for its type".to_string())
    } else {
        (BugKind::UndefinedBehaviour, format!("a misaligned address is used; it must be a multiple of {alignment}"))
    })
}

/// Decides whether a number is nonzero; zero is the bug.
fn is_nonzero(machine: &mut Machine, state: &mut State, value: Value, bug: BugKind) -> StepResult<bool> {
    let expr = machine.expr(value, 64);
    let zero = machine.pool.constant(64, 0);
    let nonzero = machine.pool.ne(expr, zero);
    machine.decide_condition(state, DecisionKind::Check, nonzero, Some(bug))
}
