//! Functions that the machine implements itself, one file per group. A program's own definition of the same name takes
//! precedence.

mod allocation;
mod control;
mod format;
mod harness;
mod jump;
mod math;
mod rounding;
mod shim;
mod system;
mod system_names;
mod ubsan;

pub(crate) use shim::{Run, Shim, Signature};
pub use system::system_call_table;

use std::rc::Rc;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use secateur_program::{FuncId, Program, Returns};

use crate::end::BugKind;

/// The groups of plain functions.
const GROUPS: [&[Shim]; 7] =
    [allocation::SHIMS, control::SHIMS, format::SHIMS, harness::SHIMS, jump::SHIMS, rounding::SHIMS, system::SHIMS];

/// All of them, in the order in which they are listed.
fn all() -> impl Iterator<Item = Shim> {
    GROUPS.into_iter().flatten().copied().chain(math::shims()).chain(harness::nondets()).chain(ubsan::shims())
}

/// The names of all functions that the machine implements in place of the C library.
pub fn shim_names() -> Vec<String> {
    all().filter(|shim| !shim.is_fallback).map(|shim| shim.name.to_string()).collect()
}

/// How a call of a function returns, if the machine may implement it.
///
/// ```
/// use secateur_machine::returns;
/// use secateur_program::Returns;
///
/// assert_eq!(returns("abort"), Returns::Never);
/// assert_eq!(returns("setjmp"), Returns::Twice);
/// assert_eq!(returns("a function of the user's"), Returns::Once);
/// ```
pub fn returns(name: &str) -> Returns {
    find(name).map_or(Returns::Once, Shim::how_it_returns)
}

/// How a call of a function of a program returns.
pub fn returns_of(program: &Program, function: FuncId) -> Returns {
    let function = &program.functions[function.index()];
    match find(&function.name) {
        Some(shim) => shim.how_it_returns(),
        // An intrinsic calls nothing.
        None if function.body.is_none() && !function.name.starts_with("llvm.") => Returns::Foreign,
        None => Returns::Once,
    }
}

/// The functions of a program that report an error whenever they are called: a failed assertion, `abort`, or an error
/// function of a harness.
pub fn error_functions(program: &Program) -> Vec<FuncId> {
    const ERRORS: [BugKind; 3] = [BugKind::Assertion, BugKind::Abort, BugKind::ReachError];
    let shims = resolve(program).into_iter().enumerate();
    // The last one returns if its arguments make sense.
    let is_error = |shim: &Shim| {
        let always_ends = shim.how_it_returns() == Returns::Never;
        always_ends && ERRORS.iter().any(|kind| shim.may_fail(*kind)) || shim.name == "klee_range"
    };
    let errors = shims.filter(|(_, shim)| shim.is_some_and(is_error));
    errors.map(|(index, _)| FuncId(index as u32)).collect()
}

/// The shims of the functions that a program only declares.
pub(crate) fn resolve(program: &Program) -> Vec<Option<&'static Shim>> {
    program.functions.iter().map(|function| if function.body.is_some() { None } else { find(&function.name) }).collect()
}

/// The types of shims, where they are fixed.
pub(crate) fn signatures(shims: &[Option<&'static Shim>]) -> Rc<[Option<Signature>]> {
    shims.iter().map(|shim| shim.and_then(Shim::signature)).collect()
}

/// The shim with this name.
pub(crate) fn find(name: &str) -> Option<&'static Shim> {
    static TABLE: LazyLock<FxHashMap<&str, Shim>> = LazyLock::new(|| all().map(|shim| (shim.name, shim)).collect());
    TABLE.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_listed_once_and_found() {
        let mut names: Vec<&str> = all().map(|shim| shim.name).collect();
        assert!(names.iter().all(|name| find(name).is_some_and(|found| found.name == *name)));
        let listed = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), listed);
    }

    #[test]
    fn fallbacks_do_not_replace_the_c_library() {
        let names = shim_names();
        assert!(names.iter().any(|name| name == "malloc"));
        assert!(!names.iter().any(|name| name == "exit" || name == "read"));
    }

    #[test]
    fn calls_that_do_not_return_once_are_known() {
        assert_eq!(returns("setjmp"), Returns::Twice);
        assert_eq!(returns("longjmp"), Returns::Elsewhere);
        assert_eq!(returns("__ubsan_handle_add_overflow_abort"), Returns::Never);
        assert_eq!(returns("malloc"), Returns::Once);
        assert_eq!(returns("not a function"), Returns::Once);
    }
}
