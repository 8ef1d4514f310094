//! Z3's shared library, loaded when the first context is made: most runs never use Z3, and loading it takes most of a
//! millisecond.
//!
//! This is the part of Z3's C interface that we call, as declared in `z3_api.h`, `z3_ast_containers.h` and `z3_fpa.h`.

use std::error::Error;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::SolverError;

/// The file name of the library: with the version of its interface, and as development packages install it.
const NAMES: [&str; 2] = ["libz3.so.4", "libz3.so"];

/// The library, loaded at the first call and never unloaded. If loading fails, it is not tried again.
pub(super) fn library() -> Result<&'static Library, SolverError> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    LIBRARY.get_or_init(|| load(&NAMES)).as_ref().map_err(|reason| SolverError::NoZ3 { reason: reason.clone() })
}

/// Loads the first library that can be loaded. If there is none, the error is that of the first.
fn load(names: &[&str]) -> Result<Library, String> {
    let mut first_error = None;
    for name in names {
        match open(name) {
            Ok(library) => return Ok(library),
            // The error only names the call that failed; its source names the file and the reason.
            Err(error) => first_error = first_error.or(Some(error.source().unwrap_or(&error).to_string())),
        }
    }
    Err(first_error.unwrap_or_default())
}

fn open(name: &str) -> Result<Library, libloading::Error> {
    // SAFETY: loading Z3 only initialises its own variables, and the types of the functions are those of its headers.
    unsafe { Library::of(libloading::Library::new(name)?) }
}

/// Makes [`Library`] from a table of functions, named without their prefix `Z3_`, and their types.
macro_rules! functions {
    ($($($name:ident),+: $signature:ty;)+) => {
        /// Pointers to the functions of Z3.
        pub(super) struct Library {
            $($(pub(super) $name: $signature,)+)+
            /// Keeps the functions loaded.
            _library: libloading::Library,
        }

        impl Library {
            /// # Safety
            /// Functions of the library that have these names have these types.
            unsafe fn of(library: libloading::Library) -> Result<Library, libloading::Error> {
                Ok(Library {
                    // SAFETY: as the caller promised.
                    $($($name: *unsafe { library.get::<$signature>(concat!("Z3_", stringify!($name))) }?,)+)+
                    _library: library,
                })
            }
        }
    };
}

functions! {
    mk_config: unsafe extern "C" fn() -> Option<RawConfig>;
    del_config: unsafe extern "C" fn(RawConfig);
    mk_context: unsafe extern "C" fn(RawConfig) -> Option<RawContext>;
    del_context, interrupt: unsafe extern "C" fn(RawContext);
    set_error_handler: unsafe extern "C" fn(RawContext, Option<ErrorHandler>);
    get_error_code: unsafe extern "C" fn(RawContext) -> ErrorCode;
    get_error_msg: unsafe extern "C" fn(RawContext, ErrorCode) -> *const c_char;

    mk_string_symbol: unsafe extern "C" fn(RawContext, *const c_char) -> Option<RawSymbol>;
    mk_params: unsafe extern "C" fn(RawContext) -> Option<RawParams>;
    params_inc_ref, params_dec_ref: unsafe extern "C" fn(RawContext, RawParams);
    params_set_bool: unsafe extern "C" fn(RawContext, RawParams, RawSymbol, bool);
    params_set_uint: unsafe extern "C" fn(RawContext, RawParams, RawSymbol, c_uint);

    mk_solver, mk_simple_solver: unsafe extern "C" fn(RawContext) -> Option<RawSolver>;
    solver_inc_ref, solver_dec_ref: unsafe extern "C" fn(RawContext, RawSolver);
    solver_set_params: unsafe extern "C" fn(RawContext, RawSolver, RawParams);
    solver_assert: unsafe extern "C" fn(RawContext, RawSolver, RawAst);
    solver_check: unsafe extern "C" fn(RawContext, RawSolver) -> Truth;
    solver_check_assumptions: unsafe extern "C" fn(RawContext, RawSolver, c_uint, *const RawAst) -> Truth;
    solver_get_reason_unknown: unsafe extern "C" fn(RawContext, RawSolver) -> *const c_char;
    solver_get_unsat_core: unsafe extern "C" fn(RawContext, RawSolver) -> Option<RawVector>;
    solver_get_model: unsafe extern "C" fn(RawContext, RawSolver) -> Option<RawModel>;

    ast_vector_inc_ref, ast_vector_dec_ref: unsafe extern "C" fn(RawContext, RawVector);
    ast_vector_size: unsafe extern "C" fn(RawContext, RawVector) -> c_uint;
    ast_vector_get: unsafe extern "C" fn(RawContext, RawVector, c_uint) -> Option<RawAst>;
    model_inc_ref, model_dec_ref: unsafe extern "C" fn(RawContext, RawModel);
    model_eval: unsafe extern "C" fn(RawContext, RawModel, RawAst, bool, *mut RawAst) -> bool;
    get_numeral_string: unsafe extern "C" fn(RawContext, RawAst) -> *const c_char;

    mk_bool_sort: unsafe extern "C" fn(RawContext) -> Option<RawSort>;
    mk_bv_sort: unsafe extern "C" fn(RawContext, c_uint) -> Option<RawSort>;
    mk_fpa_sort: unsafe extern "C" fn(RawContext, c_uint, c_uint) -> Option<RawSort>;
    mk_unsigned_int64: unsafe extern "C" fn(RawContext, u64, RawSort) -> Option<RawAst>;
    mk_numeral, mk_fresh_const: unsafe extern "C" fn(RawContext, *const c_char, RawSort) -> Option<RawAst>;

    mk_true, mk_false, mk_fpa_rne, mk_fpa_rna, mk_fpa_rtn, mk_fpa_rtp, mk_fpa_rtz: Constant;
    mk_not, mk_bvnot, mk_bvneg, mk_fpa_abs, mk_fpa_neg, mk_fpa_is_nan, mk_fpa_is_zero, mk_fpa_is_negative: Unary;
    mk_xor, mk_eq, mk_implies, mk_bvadd, mk_bvsub, mk_bvmul, mk_bvudiv, mk_bvsdiv, mk_bvurem, mk_bvsrem, mk_bvand,
        mk_bvor, mk_bvxor, mk_bvshl, mk_bvlshr, mk_bvashr, mk_bvult, mk_bvule, mk_bvslt, mk_bvsle, mk_concat,
        mk_fpa_eq, mk_fpa_lt, mk_fpa_leq, mk_fpa_sqrt, mk_fpa_round_to_integral: Binary;
    mk_ite, mk_fpa_add, mk_fpa_sub, mk_fpa_mul, mk_fpa_div: Ternary;
    mk_and, mk_or: Nary;
    mk_zero_ext, mk_sign_ext: Indexed;
    mk_extract: unsafe extern "C" fn(RawContext, c_uint, c_uint, RawAst) -> Option<RawAst>;
    mk_fpa_fma: unsafe extern "C" fn(RawContext, RawAst, RawAst, RawAst, RawAst) -> Option<RawAst>;
    mk_fpa_to_sbv: unsafe extern "C" fn(RawContext, RawAst, RawAst, c_uint) -> Option<RawAst>;
    mk_fpa_to_fp_bv: unsafe extern "C" fn(RawContext, RawAst, RawSort) -> Option<RawAst>;
    mk_fpa_to_fp_float, mk_fpa_to_fp_signed, mk_fpa_to_fp_unsigned:
        unsafe extern "C" fn(RawContext, RawAst, RawAst, RawSort) -> Option<RawAst>;
}

/// Makes a term without arguments.
type Constant = unsafe extern "C" fn(RawContext) -> Option<RawAst>;
/// Makes a term from one argument; the types below from two, three, many, or one and a number. Rounding modes are
/// arguments, too, and come first.
pub(super) type Unary = unsafe extern "C" fn(RawContext, RawAst) -> Option<RawAst>;
pub(super) type Binary = unsafe extern "C" fn(RawContext, RawAst, RawAst) -> Option<RawAst>;
pub(super) type Ternary = unsafe extern "C" fn(RawContext, RawAst, RawAst, RawAst) -> Option<RawAst>;
pub(super) type Nary = unsafe extern "C" fn(RawContext, c_uint, *const RawAst) -> Option<RawAst>;
pub(super) type Indexed = unsafe extern "C" fn(RawContext, c_uint, RawAst) -> Option<RawAst>;

/// A callback for errors.
type ErrorHandler = unsafe extern "C" fn(RawContext, ErrorCode);

/// The result of the last call.
type ErrorCode = c_uint;
/// It succeeded.
pub(super) const OK: ErrorCode = 0;

/// The answer to a check; 0 if it is unknown.
type Truth = c_int;
/// Unsatisfiable.
pub(super) const FALSE: Truth = -1;
/// Satisfiable.
pub(super) const TRUE: Truth = 1;

/// Pointers to objects of Z3, with a type for each kind. `Option` of one is a pointer that may be null.
macro_rules! pointers {
    ($($name:ident)+) => {$(
        #[derive(Copy, Clone, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub(super) struct $name(NonNull<c_void>);
    )+};
}

pointers! { RawConfig RawContext RawSymbol RawParams RawSolver RawModel RawVector RawSort RawAst }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_skipped() {
        assert!(load(&["libno-such-z3.so", NAMES[0]]).is_ok());
    }

    #[test]
    fn without_a_library_the_error_says_why_and_what_to_do() {
        let reason = load(&["libno-such-z3.so", "libneither.so"]).err().expect("there is no such library");
        assert_eq!(
            SolverError::NoZ3 { reason }.to_string(),
            "cannot load Z3 (libno-such-z3.so: cannot open shared object file: No such file or directory): \
             install the package libz3-4, or use `--solver bitwuzla` without `--cross-check`"
        );
    }

    #[test]
    fn another_library_is_not_taken_for_z3() {
        let reason = load(&["libm.so.6"]).err().expect("the mathematical library is not Z3");
        assert!(reason.ends_with("undefined symbol: Z3_mk_config"), "{reason}");
    }
}
