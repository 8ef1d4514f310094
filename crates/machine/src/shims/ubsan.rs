//! The handlers that clang's UndefinedBehaviorSanitizer calls.
//!
//! Several kinds of errors share a handler. Its first argument points to a description, which begins with the place in the source (16
//! bytes) and, for most handlers, goes on with the address of the description of a type.

use secateur_program::Returns;

use super::{Run, Shim};
use crate::call::{Arguments, Returned};
use crate::decision::DecisionKind;
use crate::end::BugKind;
use crate::hazards::Hazards;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

/// What a handler is called for.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// Always this bug, in these words.
    Always(BugKind, &'static str),
    /// Integer arithmetic whose result does not fit: a bug of signed numbers only, but a check that can be asked for of others.
    Overflow(&'static str),
    /// A division by zero, or of the smallest number by -1.
    Division,
    /// An access through a pointer that is null, misaligned, or has too little behind it.
    Access,
    /// `-fsanitize-trap`: a number says which check has failed.
    Trap,
}

use Handler::{Access, Always, Division, Overflow};

macro_rules! handlers {
    ($($name:literal => $handler:expr;)*) => {
        /// The names of those that may go on and of those that abort; none goes on here.
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
    "vla_bound_not_positive" => Always(BugKind::UndefinedBehaviour, "the length of a variable-length array is not positive");
    "float_cast_overflow" => Always(BugKind::UndefinedBehaviour, "a number does not fit the integer type it is converted to");
    "load_invalid_value" => Always(BugKind::UndefinedBehaviour, "a value that its type does not have is loaded");
    "invalid_builtin" => Always(BugKind::UndefinedBehaviour, "a builtin function is called with an argument that it does not take");
    "nonnull_arg" => Always(BugKind::UndefinedBehaviour, NULL_ARGUMENT);
    "nullability_arg" => Always(BugKind::UndefinedBehaviour, NULL_ARGUMENT);
    "nonnull_return_v1" => Always(BugKind::UndefinedBehaviour, NULL_RESULT);
    "nullability_return_v1" => Always(BugKind::UndefinedBehaviour, NULL_RESULT);
    "pointer_overflow" => Always(BugKind::UndefinedBehaviour, "a pointer computation overflows");
    "type_mismatch_v1" => Access;
    "alignment_assumption" => Always(BugKind::UndefinedBehaviour, "an assumption on alignment is broken");
    "implicit_conversion" => Always(BugKind::UndefinedBehaviour, "an implicit conversion changes the value");
    "function_type_mismatch" => Always(BugKind::BadCall, "a function is called through a pointer of another type");
}

const NULL_ARGUMENT: &str = "a null pointer is passed where none may be";
const NULL_RESULT: &str = "a null pointer is returned where none may be";

/// The call that `-fsanitize-trap` makes; the number is that of clang's `SanitizerHandler`.
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
    "a builtin function is called with an argument that it does not take",
    "an Objective-C cast is invalid",
    "a value that its type does not have is loaded",
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
    "a null, misaligned or too small object is accessed",
    "an assumption on alignment is broken",
    "the length of a variable-length array is not positive",
];

/// Where the description of the type is, after the place in the source.
const TYPE: u64 = 16;
/// Where the description of an access has the logarithm of the alignment.
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
                let what = TRAPS.get(number as usize).copied().unwrap_or("an unknown one");
                (BugKind::Abort, format!("a check of the compiler's fails: {what}"))
            }
        };
        Err(machine.bug(state, kind, message))
    }
}

/// A type, as far as it matters.
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
    // 0 stands for an integer; the lowest bit of what follows says whether it has a sign.
    Ok(match (number(described, 2)?, number(described + 2, 2)? & 1) {
        (0, 1) => Type::Signed,
        (0, _) => Type::Unsigned,
        _ => Type::Other,
    })
}

/// Which error a division is. A divisor of at most 64 bits is the argument itself.
fn division(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<(BugKind, String)> {
    if matches!(described_type(machine, state, arguments)?, Type::Other) {
        return Ok((BugKind::UndefinedBehaviour, "a number of floating point is divided by zero".to_string()));
    }
    if is_nonzero(machine, state, arguments.get(2), BugKind::DivisionByZero)? {
        let message = "the quotient of the smallest number and -1 does not fit";
        Ok((BugKind::DivisionOverflow, message.to_string()))
    } else {
        Ok((BugKind::DivisionByZero, "division by zero".to_string()))
    }
}

/// Which error an access is.
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
        (
            BugKind::UndefinedBehaviour,
            format!("an address that is no multiple of {alignment} is used where it must be one"),
        )
    })
}

/// Decides whether a number is something else than 0, which is the bug.
fn is_nonzero(machine: &mut Machine, state: &mut State, value: Value, bug: BugKind) -> StepResult<bool> {
    let expr = machine.expr(value, 64);
    let zero = machine.pool.constant(64, 0);
    let nonzero = machine.pool.ne(expr, zero);
    machine.decide_condition(state, DecisionKind::Check, nonzero, Some(bug))
}
