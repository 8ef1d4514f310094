//! What can go wrong in the functions that the machine implements. One that is not named here can fail in every way, so that nothing is lost when one is added.

use secateur_program::{Operand, Returns};

use super::math::Math;
use super::{Shim, find, jump};
use crate::access::Access;
use crate::end::BugKind;
use crate::hazards::{Addresses, DECIDES, Hazards, NORMAL_END};

/// Allocate, ask, assume or are ignored, and touch no memory that exists.
const HARMLESS: &[&str] = &[
    "__secateur_flt_rounds",
    "__secateur_get_rounding",
    "__secateur_set_rounding",
    "malloc",
    "valloc",
    "calloc",
    "aligned_alloc",
    "memalign",
    "__secateur_destructor",
    "__VERIFIER_nondet_string",
    "__VERIFIER_nondet_bool",
    "klee_choose",
    "klee_prefer_cex",
    "klee_posix_prefer_cex",
    "klee_silent_exit",
    "klee_is_symbolic",
    "klee_is_replay",
    "klee_get_obj_size",
    "klee_get_valuef",
    "klee_get_valued",
    "klee_get_valuel",
    "klee_get_valuell",
    "klee_get_value_i32",
    "klee_get_value_i64",
    "klee_warning",
    "klee_warning_once",
    "klee_print_expr",
    "klee_print_range",
    "klee_stack_trace",
    "klee_open_merge",
    "klee_close_merge",
    "klee_mark_global",
    "klee_set_forking",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
];

/// Take what `malloc` returned.
const TAKE_HEAP: &[&str] = &["free", "cfree", "realloc", "reallocarray", "malloc_usable_size"];

/// End the path, whatever they are given.
const ENDS: &[&str] = &[
    "abort",
    "klee_abort",
    "llvm.trap",
    "__stack_chk_fail",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "reach_error",
    "__VERIFIER_error",
    "klee_report_error",
    "klee_silent_exit",
    "exit",
    "_exit",
    "_Exit",
];

/// The numbers of system calls that end the program: `exit` and `exit_group`.
const ENDING_CALLS: [u64; 2] = [60, 231];

/// What can go wrong in a call of a function without a body. `arguments` are its slots.
pub(crate) fn hazards(name: &str, arguments: &[Operand], addresses: &Addresses<'_>) -> Hazards {
    let function = match find(name) {
        None => return Hazards::UNSUPPORTED,
        Some(Shim::Math(Math::Native(..))) => return Hazards::UNSUPPORTED,
        Some(Shim::Math(_) | Shim::Nondet(_)) => return Hazards::NONE,
        Some(Shim::Handler(handler)) => return Hazards::of(handler.kinds()),
        Some(Shim::Function(_)) => name,
    };
    let text = |index: usize| arguments.get(index).map_or(Hazards::ANY, |text| addresses.text_hazards(*text));
    let written = |index: usize, len: Option<u64>| {
        arguments.get(index).map_or(Hazards::ANY, |place| addresses.hazards(*place, len, Access::Write))
    };
    let constant = |index: usize| arguments.get(index).and_then(|argument| addresses.constant(*argument));
    match function {
        name if HARMLESS.contains(&name) => Hazards::NONE,
        name if TAKE_HEAP.contains(&name) => Hazards::of(&[BugKind::DoubleFree, BugKind::InvalidFree]),
        "klee_assume" | "__VERIFIER_assume" => DECIDES,
        "klee_make_symbolic" if arguments.len() < 3 || constant(2) == Some(0) => written(0, constant(1)),
        "klee_make_symbolic" => written(0, constant(1)) | text(2),
        "__VERIFIER_nondet_memory" => written(0, constant(1)),
        "klee_int" => text(0),
        "klee_range" => Hazards::of(&[BugKind::ReachError]) | text(2),
        "abort" | "klee_abort" | "llvm.trap" | "__stack_chk_fail" => Hazards::of(&[BugKind::Abort]),
        "__assert_fail" | "__assert" => Hazards::of(&[BugKind::Assertion]) | text(0),
        "__assert_rtn" => Hazards::of(&[BugKind::Assertion]) | text(3),
        "reach_error" | "__VERIFIER_error" => Hazards::of(&[BugKind::ReachError]),
        "klee_report_error" => Hazards::of(&[BugKind::ReachError]) | text(2),
        "exit" | "_exit" | "_Exit" => NORMAL_END,
        "__secateur_syscall" if constant(0).is_some_and(|number| ENDING_CALLS.contains(&number)) => NORMAL_END,
        name if returns(name) == Returns::Twice => written(0, Some(jump::BUFFER_SIZE)),
        _ => Hazards::ANY,
    }
}

/// How a call of a function that the machine may implement goes on.
pub fn returns(name: &str) -> Returns {
    match name {
        name if jump::LONG_JUMPS.contains(&name) => Returns::Elsewhere,
        name if jump::MARKS.contains(&name) => Returns::Twice,
        name if ENDS.contains(&name) || matches!(find(name), Some(Shim::Handler(_))) => Returns::Never,
        _ => Returns::Once,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_here_exists() {
        for name in [HARMLESS, TAKE_HEAP, ENDS, jump::LONG_JUMPS, jump::MARKS].concat() {
            assert!(matches!(find(name), Some(Shim::Function(_))), "{name}");
        }
    }
}
