//! The one place that calls Bitwuzla's C interface. Terms are indices into a table that the context owns, so no safe
//! caller can hold a dangling pointer; a C call that fails returns an error instead of ending the process.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use bitwuzla_sys::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::translate::{Context, Format, Op, Rounding, Setup, Sort, Terms, Verdict};
use crate::{BackendReason, Deadline, SolverError};

/// How many formulas that are not in the question a solver may have: a multiple of the size of the question, plus a
/// constant.
const FOREIGN_FORMULAS: (usize, usize) = (4, 64);

/// A term manager with at most one solver on it.
pub(crate) struct BitwuzlaContext {
    manager: *mut BitwuzlaTermManager,
    options: *mut BitwuzlaOptions,
    setup: Setup,
    solver: *mut Bitwuzla,
    /// The assumptions that the solver was ever given.
    known: FxHashSet<Term>,
    /// Every term that was made. Each holds one reference, which the manager releases.
    terms: Vec<BitwuzlaTerm>,
    sorts: FxHashMap<Sort, BitwuzlaSort>,
    rounding: [Option<BitwuzlaTerm>; 5],
    /// When the running check must stop. Boxed, since the solver keeps a pointer to it.
    deadline: Box<RefCell<Deadline>>,
}

// SAFETY: the pointers are owned by this value alone, and Bitwuzla keeps no state that is tied to the creating thread:
// its two thread-local variables are the abort callback, which every function below sets, and a pointer that is valid
// only inside a call.
unsafe impl Send for BitwuzlaContext {}

/// A term of one [`BitwuzlaContext`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Term(u32);

impl Context for BitwuzlaContext {
    const NAME: &'static str = "bitwuzla";

    fn new(setup: Setup) -> Result<Self, SolverError> {
        catch_aborts();
        // SAFETY: the calls take no pointers; what they return is checked before use and freed in `drop`.
        let (manager, options) = unsafe { (bitwuzla_term_manager_new(), bitwuzla_options_new()) };
        let context = BitwuzlaContext {
            manager,
            options,
            setup,
            solver: ptr::null_mut(),
            known: FxHashSet::default(),
            terms: Vec::new(),
            sorts: FxHashMap::default(),
            rounding: [None; 5],
            deadline: Box::default(),
        };
        if manager.is_null() || options.is_null() {
            return Err(last_error());
        }
        let settings = [
            (BITWUZLA_OPT_PRODUCE_MODELS, 1),
            (BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS, 1),
            (BITWUZLA_OPT_SEED, setup.seed & u64::from(u32::MAX)),
            // On the questions of expat and libconfig, this pass takes a third to a half of the time; those of zlib
            // take a fifth longer without it.
            (BITWUZLA_OPT_PP_NORMALIZE, 0),
        ];
        for (option, value) in settings {
            // SAFETY: `options` is a live options object.
            unsafe { bitwuzla_set_option(options, option, value) };
        }
        check_errors()?;
        Ok(context)
    }

    fn renewed(&self) -> Result<Self, SolverError> {
        BitwuzlaContext::new(self.setup)
    }

    fn len(&self) -> usize {
        self.terms.len()
    }

    fn check(&mut self, assumptions: &[Term], deadline: &Deadline) -> Result<Verdict, SolverError> {
        if !self.is_reusable(assumptions) {
            self.renew_solver()?;
        }
        self.known.extend(assumptions);
        catch_aborts();
        let mut raw: Vec<BitwuzlaTerm> = assumptions.iter().map(|&term| self.raw(term)).collect();
        let count = u32::try_from(raw.len()).map_err(|_| error("too many assumptions"))?;
        self.deadline.replace(deadline.clone());
        // SAFETY: `raw` holds `count` live terms of this manager; the library copies them. An empty vector's pointer is
        // not null.
        let result = unsafe { bitwuzla_check_sat_assuming(self.solver, count, raw.as_mut_ptr()) };
        if result == BITWUZLA_UNKNOWN {
            // What an interrupted solver has learned is of little use and may be large.
            self.drop_solver();
        }
        check_errors()?;
        Ok(match result {
            BITWUZLA_SAT => Verdict::Sat,
            BITWUZLA_UNSAT => Verdict::Unsat,
            _ if deadline.is_over() => Verdict::Unknown(deadline.reason()),
            _ => Verdict::Unknown(BackendReason::GaveUp),
        })
    }

    fn unsat_assumptions(&mut self, assumptions: &[Term], _deadline: &Deadline) -> Result<Vec<bool>, SolverError> {
        self.require_solver()?;
        let mut size = 0;
        // SAFETY: the solver is live and its last answer was unsat; the returned array has `size` elements and stays
        // valid until the next call of this function on this thread.
        let failed: FxHashSet<BitwuzlaTerm> = unsafe {
            let first = bitwuzla_get_unsat_assumptions(self.solver, &mut size);
            if first.is_null() {
                FxHashSet::default()
            } else {
                std::slice::from_raw_parts(first, size).iter().copied().collect()
            }
        };
        check_errors()?;
        // The manager hands out one pointer per distinct term, so pointers can be compared.
        Ok(assumptions.iter().map(|&term| failed.contains(&self.raw(term))).collect())
    }

    fn value(&mut self, term: Term) -> Result<u128, SolverError> {
        self.require_solver()?;
        // SAFETY: solver and term are live; the string belongs to the library, lives until the next call on this thread
        // and is copied by the parse at once.
        unsafe {
            let value = bitwuzla_get_value(self.solver, self.raw(term));
            if value == 0 {
                return Err(last_error());
            }
            let text = bitwuzla_term_value_get_str_fmt(value, 2);
            check_errors()?;
            let text = CStr::from_ptr(text).to_string_lossy();
            let parsed = u128::from_str_radix(&text, 2).map_err(|_| error(&format!("unexpected value {text}")));
            bitwuzla_term_release(value);
            parsed
        }
    }
}

impl BitwuzlaContext {
    /// Whether the solver is reused for the question. That pays off along a path, on which questions differ in a
    /// condition or two: a new solver for each takes two to five times as long (the example `backends` measures it).
    /// Formulas of other paths only slow the solver down.
    fn is_reusable(&self, assumptions: &[Term]) -> bool {
        let shared = assumptions.iter().filter(|assumption| self.known.contains(assumption)).count();
        let foreign = self.known.len().saturating_sub(shared);
        let (times, more) = FOREIGN_FORMULAS;
        !self.solver.is_null() && 2 * shared >= assumptions.len() && foreign <= times * assumptions.len() + more
    }

    /// Replaces the solver by an empty one; the terms stay.
    fn renew_solver(&mut self) -> Result<(), SolverError> {
        self.drop_solver();
        catch_aborts();
        // SAFETY: manager and options live as long as `self`; the solver is deleted before them.
        self.solver = unsafe { bitwuzla_new(self.manager, self.options) };
        if self.solver.is_null() {
            return Err(last_error());
        }
        let state: *const RefCell<Deadline> = &*self.deadline;
        // SAFETY: the box that `state` points to lives until after the solver is deleted, and the callback only reads
        // it.
        unsafe {
            bitwuzla_set_termination_callback(self.solver, Some(should_terminate), state as *mut c_void);
        }
        check_errors()
    }

    fn raw(&self, term: Term) -> BitwuzlaTerm {
        self.terms[term.0 as usize]
    }

    fn require_solver(&self) -> Result<(), SolverError> {
        catch_aborts();
        if self.solver.is_null() { Err(error("nothing was checked yet")) } else { Ok(()) }
    }

    fn keep(&mut self, raw: BitwuzlaTerm) -> Result<Term, SolverError> {
        if raw == 0 {
            return Err(last_error());
        }
        let index = u32::try_from(self.terms.len()).map_err(|_| error("too many terms"))?;
        self.terms.push(raw);
        Ok(Term(index))
    }

    fn sort(&mut self, sort: Sort) -> Result<BitwuzlaSort, SolverError> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let manager = self.manager;
        // SAFETY: the manager is live.
        let raw = unsafe {
            match sort {
                Sort::Bool => bitwuzla_mk_bool_sort(manager),
                Sort::Bits(width) => bitwuzla_mk_bv_sort(manager, u64::from(width)),
                Sort::Float(format) => {
                    let (exponent, significand) = format.exponent_and_significand();
                    bitwuzla_mk_fp_sort(manager, u64::from(exponent), u64::from(significand))
                }
            }
        };
        if raw == 0 {
            return Err(last_error());
        }
        self.sorts.insert(sort, raw);
        Ok(raw)
    }

    fn rounding(&mut self, mode: Rounding) -> Result<BitwuzlaTerm, SolverError> {
        let value = match mode {
            Rounding::NearestEven => BITWUZLA_RM_RNE,
            Rounding::NearestAway => BITWUZLA_RM_RNA,
            Rounding::Down => BITWUZLA_RM_RTN,
            Rounding::Up => BITWUZLA_RM_RTP,
            Rounding::TowardsZero => BITWUZLA_RM_RTZ,
        };
        if let Some(known) = self.rounding[value as usize] {
            return Ok(known);
        }
        // SAFETY: the manager is live and the mode is one of the library's own.
        let raw = unsafe { bitwuzla_mk_rm_value(self.manager, value) };
        if raw == 0 {
            return Err(last_error());
        }
        self.rounding[value as usize] = Some(raw);
        Ok(raw)
    }

    fn drop_solver(&mut self) {
        if !self.solver.is_null() {
            catch_aborts();
            // SAFETY: the solver is live and is not used again.
            unsafe { bitwuzla_delete(self.solver) };
            self.solver = ptr::null_mut();
        }
        self.known.clear();
    }
}

impl Drop for BitwuzlaContext {
    fn drop(&mut self) {
        self.drop_solver();
        catch_aborts();
        // SAFETY: nothing that these own is used afterwards; terms and sorts end with the manager.
        unsafe {
            if !self.options.is_null() {
                bitwuzla_options_delete(self.options);
            }
            if !self.manager.is_null() {
                bitwuzla_term_manager_delete(self.manager);
            }
        }
    }
}

impl Terms for BitwuzlaContext {
    type Term = Term;

    fn boolean(&mut self, value: bool) -> Result<Term, SolverError> {
        catch_aborts();
        // SAFETY: the manager is live.
        let raw = unsafe { if value { bitwuzla_mk_true(self.manager) } else { bitwuzla_mk_false(self.manager) } };
        self.keep(raw)
    }

    fn bits(&mut self, width: u32, value: u128) -> Result<Term, SolverError> {
        catch_aborts();
        let sort = self.sort(Sort::Bits(width))?;
        let raw = if let (Ok(small), true) = (u64::try_from(value), width <= 64) {
            // SAFETY: manager and sort are live.
            unsafe { bitwuzla_mk_bv_value_uint64(self.manager, sort, small) }
        } else {
            let digits = c_string(&format!("{value:x}"))?;
            // SAFETY: manager and sort are live; the string is copied.
            unsafe { bitwuzla_mk_bv_value(self.manager, sort, digits.as_ptr(), 16) }
        };
        self.keep(raw)
    }

    fn variable(&mut self, sort: Sort, name: &str) -> Result<Term, SolverError> {
        catch_aborts();
        let sort = self.sort(sort)?;
        let name = c_string(name)?;
        // SAFETY: manager and sort are live; the name is copied.
        let raw = unsafe { bitwuzla_mk_const(self.manager, sort, name.as_ptr()) };
        self.keep(raw)
    }

    fn apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SolverError> {
        catch_aborts();
        let Call { kind, rounding, indices } = call(op);
        let mut all = [0; 5];
        let mut count = 0;
        if let Some(mode) = rounding {
            all[0] = self.rounding(mode)?;
            count = 1;
        }
        for &arg in args {
            *all.get_mut(count).ok_or_else(|| error("too many arguments"))? = self.raw(arg);
            count += 1;
        }
        let index_count = indices.iter().take_while(|index| index.is_some()).count();
        let indices = indices.map(|index| index.unwrap_or(0));
        // SAFETY: the first `count` arguments and `index_count` indices are initialised, and the terms are live; the
        // library checks sorts and counts and reports through the abort callback.
        let raw = unsafe {
            if index_count == 0 {
                bitwuzla_mk_term(self.manager, kind, count as u32, all.as_mut_ptr())
            } else {
                bitwuzla_mk_term_indexed(
                    self.manager,
                    kind,
                    count as u32,
                    all.as_mut_ptr(),
                    index_count as u32,
                    indices.as_ptr(),
                )
            }
        };
        self.keep(raw)
    }
}

/// An operation in Bitwuzla's interface.
struct Call {
    kind: BitwuzlaKind,
    rounding: Option<Rounding>,
    indices: [Option<u64>; 2],
}

fn call(op: Op) -> Call {
    let plain = |kind| Call { kind, rounding: None, indices: [None, None] };
    let rounded = |kind, mode| Call { rounding: Some(mode), ..plain(kind) };
    let indexed = |kind, first: u32| Call { indices: [Some(u64::from(first)), None], ..plain(kind) };
    let pair = |(first, second): (u32, u32)| [Some(u64::from(first)), Some(u64::from(second))];
    let format = |kind, format: Format| Call { indices: pair(format.exponent_and_significand()), ..plain(kind) };
    let to_format = |kind, mode, to: Format| Call { rounding: Some(mode), ..format(kind, to) };
    match op {
        Op::Not => plain(BITWUZLA_KIND_NOT),
        Op::And => plain(BITWUZLA_KIND_AND),
        Op::Or => plain(BITWUZLA_KIND_OR),
        Op::Xor => plain(BITWUZLA_KIND_XOR),
        Op::Ite => plain(BITWUZLA_KIND_ITE),
        Op::Equal => plain(BITWUZLA_KIND_EQUAL),
        Op::BvNot => plain(BITWUZLA_KIND_BV_NOT),
        Op::BvNeg => plain(BITWUZLA_KIND_BV_NEG),
        Op::BvAdd => plain(BITWUZLA_KIND_BV_ADD),
        Op::BvSub => plain(BITWUZLA_KIND_BV_SUB),
        Op::BvMul => plain(BITWUZLA_KIND_BV_MUL),
        Op::BvUdiv => plain(BITWUZLA_KIND_BV_UDIV),
        Op::BvSdiv => plain(BITWUZLA_KIND_BV_SDIV),
        Op::BvUrem => plain(BITWUZLA_KIND_BV_UREM),
        Op::BvSrem => plain(BITWUZLA_KIND_BV_SREM),
        Op::BvAnd => plain(BITWUZLA_KIND_BV_AND),
        Op::BvOr => plain(BITWUZLA_KIND_BV_OR),
        Op::BvXor => plain(BITWUZLA_KIND_BV_XOR),
        Op::BvShl => plain(BITWUZLA_KIND_BV_SHL),
        Op::BvLshr => plain(BITWUZLA_KIND_BV_SHR),
        Op::BvAshr => plain(BITWUZLA_KIND_BV_ASHR),
        Op::BvUlt => plain(BITWUZLA_KIND_BV_ULT),
        Op::BvUle => plain(BITWUZLA_KIND_BV_ULE),
        Op::BvSlt => plain(BITWUZLA_KIND_BV_SLT),
        Op::BvSle => plain(BITWUZLA_KIND_BV_SLE),
        Op::BvConcat => plain(BITWUZLA_KIND_BV_CONCAT),
        Op::BvExtract { high, low } => Call { indices: pair((high, low)), ..plain(BITWUZLA_KIND_BV_EXTRACT) },
        Op::BvZeroExtend(bits) => indexed(BITWUZLA_KIND_BV_ZERO_EXTEND, bits),
        Op::BvSignExtend(bits) => indexed(BITWUZLA_KIND_BV_SIGN_EXTEND, bits),
        Op::FpAdd(mode) => rounded(BITWUZLA_KIND_FP_ADD, mode),
        Op::FpSub(mode) => rounded(BITWUZLA_KIND_FP_SUB, mode),
        Op::FpMul(mode) => rounded(BITWUZLA_KIND_FP_MUL, mode),
        Op::FpDiv(mode) => rounded(BITWUZLA_KIND_FP_DIV, mode),
        Op::FpFma(mode) => rounded(BITWUZLA_KIND_FP_FMA, mode),
        Op::FpSqrt(mode) => rounded(BITWUZLA_KIND_FP_SQRT, mode),
        Op::FpAbs => plain(BITWUZLA_KIND_FP_ABS),
        Op::FpNeg => plain(BITWUZLA_KIND_FP_NEG),
        Op::FpEq => plain(BITWUZLA_KIND_FP_EQUAL),
        Op::FpLt => plain(BITWUZLA_KIND_FP_LT),
        Op::FpLe => plain(BITWUZLA_KIND_FP_LEQ),
        Op::FpIsNan => plain(BITWUZLA_KIND_FP_IS_NAN),
        Op::FpIsZero => plain(BITWUZLA_KIND_FP_IS_ZERO),
        Op::FpIsNegative => plain(BITWUZLA_KIND_FP_IS_NEG),
        Op::FpRoundToIntegral(mode) => rounded(BITWUZLA_KIND_FP_RTI, mode),
        Op::FpFromBits(to) => format(BITWUZLA_KIND_FP_TO_FP_FROM_BV, to),
        Op::FpFromFp(mode, to) => to_format(BITWUZLA_KIND_FP_TO_FP_FROM_FP, mode, to),
        Op::FpFromSigned(mode, to) => to_format(BITWUZLA_KIND_FP_TO_FP_FROM_SBV, mode, to),
        Op::FpFromUnsigned(mode, to) => to_format(BITWUZLA_KIND_FP_TO_FP_FROM_UBV, mode, to),
        Op::FpToSigned(width) => {
            Call { rounding: Some(Rounding::TowardsZero), ..indexed(BITWUZLA_KIND_FP_TO_SBV, width) }
        }
    }
}

thread_local! {
    /// The last error that the library reported.
    static LAST_ERROR: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs the callback for errors of this thread; without it, the library would end the process.
fn catch_aborts() {
    // SAFETY: the callback is a plain function that does not unwind.
    unsafe { bitwuzla_set_abort_callback(Some(record_error)) };
}

/// Called by the library instead of exiting; the call that failed then returns null or zero.
unsafe extern "C" fn record_error(message: *const c_char) {
    let text = if message.is_null() {
        String::new()
    } else {
        // SAFETY: the library passes a string that ends in a zero byte and lives during this call.
        unsafe { CStr::from_ptr(message) }.to_string_lossy().trim().to_owned()
    };
    // While a thread is being torn down, nobody reads the error.
    let _ = LAST_ERROR.try_with(|error| *error.borrow_mut() = Some(text));
}

/// Called by the library from time to time during a check.
unsafe extern "C" fn should_terminate(state: *mut c_void) -> i32 {
    // SAFETY: the state is the boxed cell of the context that runs this very check, on this thread.
    let deadline = unsafe { &*(state as *const RefCell<Deadline>) };
    let deadline = deadline.borrow();
    deadline.spend(1);
    i32::from(deadline.is_over())
}

fn check_errors() -> Result<(), SolverError> {
    match LAST_ERROR.take() {
        Some(message) => Err(error(&message)),
        None => Ok(()),
    }
}

fn last_error() -> SolverError {
    error(&LAST_ERROR.take().unwrap_or_else(|| "a call failed without a message".to_owned()))
}

fn error(message: &str) -> SolverError {
    SolverError::Backend { backend: "bitwuzla", message: message.to_owned() }
}

fn c_string(text: &str) -> Result<CString, SolverError> {
    CString::new(text).map_err(|_| error("a name holds a zero byte"))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn byte(context: &mut BitwuzlaContext, name: &str) -> Term {
        context.variable(Sort::Bits(8), name).unwrap()
    }

    #[test]
    fn finds_a_value_and_a_contradiction() {
        let mut context = BitwuzlaContext::new(Setup::default()).unwrap();
        let a = byte(&mut context, "a");
        let seven = context.bits(8, 7).unwrap();
        let is_seven = context.apply(Op::Equal, &[a, seven]).unwrap();
        let below = context.apply(Op::BvUlt, &[a, seven]).unwrap();
        let at_most = context.apply(Op::BvUle, &[a, seven]).unwrap();
        assert_eq!(context.check(&[is_seven, at_most], &Deadline::default()).unwrap(), Verdict::Sat);
        assert_eq!(context.value(a).unwrap(), 7);
        assert_eq!(context.check(&[at_most, is_seven, below], &Deadline::default()).unwrap(), Verdict::Unsat);
        assert_eq!(
            context.unsat_assumptions(&[at_most, is_seven, below], &Deadline::default()).unwrap(),
            [false, true, true]
        );
        assert_eq!(context.check(&[], &Deadline::default()).unwrap(), Verdict::Sat);
    }

    #[test]
    fn a_misuse_is_an_error_and_the_context_lives_on() {
        let mut context = BitwuzlaContext::new(Setup::default()).unwrap();
        let a = byte(&mut context, "a");
        let wide = context.bits(128, u128::MAX).unwrap();
        assert!(context.apply(Op::BvAdd, &[a, wide]).is_err());
        assert!(context.value(a).is_err(), "nothing was checked yet");
        assert!(context.apply(Op::BvNot, &[a]).is_ok());
    }

    #[test]
    fn stops_when_time_is_up() {
        let mut context = BitwuzlaContext::new(Setup::default()).unwrap();
        let a = context.variable(Sort::Bits(64), "a").unwrap();
        let b = context.variable(Sort::Bits(64), "b").unwrap();
        let one = context.bits(64, 1).unwrap();
        let product = {
            let (a, b) = (
                context.apply(Op::BvZeroExtend(64), &[a]).unwrap(),
                context.apply(Op::BvZeroExtend(64), &[b]).unwrap(),
            );
            context.apply(Op::BvMul, &[a, b]).unwrap()
        };
        // The product of two 63-bit primes, neither of them near a power of two, which would make it easy.
        let target = context.bits(128, 5_404_409_356_476_829_913u128 * 6_133_192_865_029_429_481).unwrap();
        let found = context.apply(Op::Equal, &[product, target]).unwrap();
        let above = context.apply(Op::BvUlt, &[one, a]).unwrap();
        let ordered = context.apply(Op::BvUlt, &[a, b]).unwrap();
        let start = Instant::now();
        let verdict = context.check(&[found, above, ordered], &Deadline::lasting(Duration::from_millis(200))).unwrap();
        assert_eq!(verdict, Verdict::Unknown(BackendReason::Timeout));
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn moves_between_threads() {
        let mut context = BitwuzlaContext::new(Setup::default()).unwrap();
        let a = byte(&mut context, "a");
        std::thread::spawn(move || {
            let zero = context.bits(8, 0).unwrap();
            let positive = context.apply(Op::BvSlt, &[zero, a]).unwrap();
            assert_eq!(context.check(&[positive], &Deadline::default()).unwrap(), Verdict::Sat);
        })
        .join()
        .unwrap();
    }
}
