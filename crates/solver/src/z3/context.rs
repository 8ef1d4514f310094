//! The one place that calls Z3's C interface. Terms are indices into a table that the context owns, so no safe caller can hold a
//! dangling pointer.

use std::ffi::{CStr, CString};
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use z3_sys::*;

use crate::translate::{Context, Format, Op, Rounding, Sort, TIMEOUT, Terms, Verdict};
use crate::z3::interrupter;
use crate::{Patience, SolverError};

/// A Z3 context with at most one solver on it.
pub(crate) struct Z3Context {
    context: Z3_context,
    solver: Option<Z3_solver>,
    seed: u32,
    /// Every term that was handed out, and whether a float is below it. The context was made without reference counts for terms, so
    /// they live as long as it does.
    terms: Vec<(Z3_ast, bool)>,
    /// The literals that stood for the assumptions of the last check, if it used any.
    literals: Option<Vec<Z3_ast>>,
    /// How long the last check took.
    last_check: Duration,
    sorts: FxHashMap<Sort, Z3_sort>,
}

// SAFETY: the pointers are owned by this value alone, and a Z3 context may be used by any thread as long as it is one at a time.
unsafe impl Send for Z3Context {}

/// A term of one [`Z3Context`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Term(u32);

impl Context for Z3Context {
    const NAME: &'static str = "z3";

    fn new(seed: u64) -> Result<Self, SolverError> {
        // SAFETY: the configuration is deleted after its only use; without an error handler a failed call only sets an error code.
        let context = unsafe {
            let config = Z3_mk_config().ok_or_else(|| error("no configuration"))?;
            let context = Z3_mk_context(config);
            Z3_del_config(config);
            let context = context.ok_or_else(|| error("no context"))?;
            Z3_set_error_handler(context, None);
            context
        };
        Ok(Z3Context {
            context,
            solver: None,
            // Z3 takes 31 bits of seed.
            seed: (seed & 0x7fff_ffff) as u32,
            terms: Vec::new(),
            literals: None,
            last_check: Duration::ZERO,
            sorts: FxHashMap::default(),
        })
    }

    fn len(&self) -> usize {
        self.terms.len()
    }

    fn check(&mut self, assumptions: &[Term], patience: &Patience) -> Result<Verdict, SolverError> {
        let start = Instant::now();
        let verdict = if assumptions.iter().any(|&term| self.terms[term.0 as usize].1) {
            self.check_asserted(assumptions, patience)
        } else {
            self.check_assumed(assumptions, patience)
        };
        self.last_check = start.elapsed();
        verdict
    }

    fn unsat_assumptions(&mut self, assumptions: &[Term], patience: &Patience) -> Result<Vec<bool>, SolverError> {
        if self.literals.is_none() {
            // The other way of asking may take forever on the same formula, so it gets little more time than the first took.
            let patience = patience.clone().at_most(self.last_check + Duration::from_millis(100));
            if self.check_assumed(assumptions, &patience)? != Verdict::Unsat {
                // All of them together are a contradiction, too.
                return Ok(vec![true; assumptions.len()]);
            }
        }
        let (c, solver) = (self.context, self.solver()?);
        // SAFETY: the solver is live and its last answer was unsat; the vector is referenced while it is read.
        let failed: FxHashSet<Z3_ast> = unsafe {
            let core = Z3_solver_get_unsat_core(c, solver).ok_or_else(|| self.last_error())?;
            Z3_ast_vector_inc_ref(c, core);
            let failed = (0..Z3_ast_vector_size(c, core)).filter_map(|i| Z3_ast_vector_get(c, core, i)).collect();
            Z3_ast_vector_dec_ref(c, core);
            failed
        };
        self.check_errors()?;
        // Z3 shares equal terms, so pointers can be compared.
        let literals = self.literals.as_deref().unwrap_or_default();
        Ok(literals.iter().map(|literal| failed.contains(literal)).collect())
    }

    fn value(&mut self, term: Term) -> Result<u128, SolverError> {
        let (c, solver) = (self.context, self.solver()?);
        // SAFETY: solver and term are live; the model is referenced while it is read; the string is copied before the next call.
        let decimal = unsafe {
            let model = Z3_solver_get_model(c, solver).ok_or_else(|| self.last_error())?;
            Z3_model_inc_ref(c, model);
            let mut value = self.raw(term);
            let found = Z3_model_eval(c, model, self.raw(term), true, &mut value);
            let decimal = if found { text(Z3_get_numeral_string(c, value)) } else { String::new() };
            Z3_model_dec_ref(c, model);
            decimal
        };
        self.check_errors()?;
        decimal.parse().map_err(|_| error(&format!("strange value {decimal}")))
    }
}

impl Z3Context {
    /// Asks in the way that suits floats: Z3 chooses a strategy that fits the formula. It has no cores then.
    fn check_asserted(&mut self, assumptions: &[Term], patience: &Patience) -> Result<Verdict, SolverError> {
        // SAFETY: the context is live.
        let solver = self.renew_solver(unsafe { Z3_mk_solver(self.context) }, patience)?;
        for &assumption in assumptions {
            // SAFETY: context, solver and term are live.
            unsafe { Z3_solver_assert(self.context, solver, self.raw(assumption)) };
        }
        self.check_errors()?;
        self.literals = None;
        self.run(&[], patience)
    }

    /// Asks in the way that suits words: to start a strategy takes longer than most of these questions.
    fn check_assumed(&mut self, assumptions: &[Term], patience: &Patience) -> Result<Verdict, SolverError> {
        let c = self.context;
        // SAFETY: the context is live.
        let solver = self.renew_solver(unsafe { Z3_mk_simple_solver(c) }, patience)?;
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            // Z3 takes only literals as assumptions.
            let literal = self.variable(Sort::Bool, "assume")?;
            literals.push(self.raw(literal));
            let (from, to) = (self.raw(literal), self.raw(assumption));
            // SAFETY: solver and terms are live terms of this context.
            unsafe {
                let implication = Z3_mk_implies(c, from, to).ok_or_else(|| self.last_error())?;
                Z3_solver_assert(c, solver, implication);
            }
        }
        self.check_errors()?;
        let verdict = self.run(&literals, patience);
        self.literals = Some(literals);
        verdict
    }

    /// Takes a new, empty solver, which is to stop when the time is up.
    fn renew_solver(&mut self, solver: Option<Z3_solver>, patience: &Patience) -> Result<Z3_solver, SolverError> {
        self.drop_solver();
        let solver = solver.ok_or_else(|| self.last_error())?;
        // SAFETY: the context is live; the solver is released in `drop_solver`.
        unsafe { Z3_solver_inc_ref(self.context, solver) };
        self.solver = Some(solver);
        // Zero would mean no limit.
        let milliseconds =
            patience.left().map_or(u32::MAX, |left| u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1));
        self.set_parameters(&[("random_seed", self.seed), ("timeout", milliseconds)])?;
        Ok(solver)
    }

    /// Decides what was asserted together with literals.
    fn run(&mut self, literals: &[Z3_ast], patience: &Patience) -> Result<Verdict, SolverError> {
        let (c, solver) = (self.context, self.solver()?);
        let count = u32::try_from(literals.len()).map_err(|_| error("too many assumptions"))?;
        let result = interrupter::watched(c, patience, || {
            // SAFETY: `literals` holds `count` live terms of this context.
            unsafe {
                if count == 0 {
                    Z3_solver_check(c, solver)
                } else {
                    Z3_solver_check_assumptions(c, solver, count, literals.as_ptr())
                }
            }
        });
        match result {
            Z3_L_TRUE => Ok(Verdict::Sat),
            Z3_L_FALSE => Ok(Verdict::Unsat),
            // An interrupted check leaves an error code behind as well; the reason says more.
            _ => {
                // SAFETY: the solver is live; the string is copied before the next call.
                let reason = unsafe { text(Z3_solver_get_reason_unknown(c, solver)) };
                let timeout = patience.is_over() || reason.contains("timeout") || reason.contains("canceled");
                Ok(Verdict::Unknown(if timeout { TIMEOUT.to_owned() } else { reason }))
            }
        }
    }

    fn raw(&self, term: Term) -> Z3_ast {
        self.terms[term.0 as usize].0
    }

    fn solver(&self) -> Result<Z3_solver, SolverError> {
        self.solver.ok_or_else(|| error("nothing was checked yet"))
    }

    fn keep(&mut self, raw: Option<Z3_ast>, float: bool) -> Result<Term, SolverError> {
        let raw = raw.ok_or_else(|| self.last_error())?;
        let index = u32::try_from(self.terms.len()).map_err(|_| error("too many terms"))?;
        self.terms.push((raw, float));
        Ok(Term(index))
    }

    fn set_parameters(&mut self, values: &[(&str, u32)]) -> Result<(), SolverError> {
        let (c, solver) = (self.context, self.solver()?);
        // SAFETY: context and solver are live; the parameter set is referenced while it is used; names are copied.
        unsafe {
            let parameters = Z3_mk_params(c).ok_or_else(|| self.last_error())?;
            Z3_params_inc_ref(c, parameters);
            for &(name, value) in values {
                let name = c_string(name)?;
                if let Some(symbol) = Z3_mk_string_symbol(c, name.as_ptr()) {
                    Z3_params_set_uint(c, parameters, symbol, value);
                }
            }
            // Else Z3 takes the signal for itself during a check, and the program never hears of it.
            if let Some(symbol) = Z3_mk_string_symbol(c, c"ctrl_c".as_ptr()) {
                Z3_params_set_bool(c, parameters, symbol, false);
            }
            Z3_solver_set_params(c, solver, parameters);
            Z3_params_dec_ref(c, parameters);
        }
        self.check_errors()
    }

    fn sort(&mut self, sort: Sort) -> Result<Z3_sort, SolverError> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let c = self.context;
        // SAFETY: the context is live.
        let raw = unsafe {
            match sort {
                Sort::Bool => Z3_mk_bool_sort(c),
                Sort::Bits(width) => Z3_mk_bv_sort(c, width),
                Sort::Float(format) => {
                    let (exponent, significand) = format.exponent_and_significand();
                    Z3_mk_fpa_sort(c, exponent, significand)
                }
            }
        };
        let raw = raw.ok_or_else(|| self.last_error())?;
        self.sorts.insert(sort, raw);
        Ok(raw)
    }

    fn float_sort(&mut self, format: Format) -> Result<Z3_sort, SolverError> {
        self.sort(Sort::Float(format))
    }

    fn rounding(&self, mode: Rounding) -> Result<Z3_ast, SolverError> {
        let c = self.context;
        // SAFETY: the context is live.
        let raw = unsafe {
            match mode {
                Rounding::NearestEven => Z3_mk_fpa_rne(c),
                Rounding::NearestAway => Z3_mk_fpa_rna(c),
                Rounding::Down => Z3_mk_fpa_rtn(c),
                Rounding::Up => Z3_mk_fpa_rtp(c),
                Rounding::TowardsZero => Z3_mk_fpa_rtz(c),
            }
        };
        raw.ok_or_else(|| self.last_error())
    }

    fn check_errors(&self) -> Result<(), SolverError> {
        // SAFETY: the context is live.
        if unsafe { Z3_get_error_code(self.context) } == Z3_error_code::Ok { Ok(()) } else { Err(self.last_error()) }
    }

    fn last_error(&self) -> SolverError {
        // SAFETY: the context is live and the string is copied before the next call.
        error(&unsafe { text(Z3_get_error_msg(self.context, Z3_get_error_code(self.context))) })
    }

    fn drop_solver(&mut self) {
        if let Some(solver) = self.solver.take() {
            // SAFETY: the solver is live and is not used again.
            unsafe { Z3_solver_dec_ref(self.context, solver) };
        }
    }
}

impl Drop for Z3Context {
    fn drop(&mut self) {
        self.drop_solver();
        // SAFETY: nothing of the context is used afterwards.
        unsafe { Z3_del_context(self.context) };
    }
}

impl Terms for Z3Context {
    type Term = Term;

    fn boolean(&mut self, value: bool) -> Result<Term, SolverError> {
        // SAFETY: the context is live.
        let raw = unsafe { if value { Z3_mk_true(self.context) } else { Z3_mk_false(self.context) } };
        self.keep(raw, false)
    }

    fn bits(&mut self, width: u32, value: u128) -> Result<Term, SolverError> {
        let sort = self.sort(Sort::Bits(width))?;
        let raw = if let Ok(small) = u64::try_from(value) {
            // SAFETY: context and sort are live.
            unsafe { Z3_mk_unsigned_int64(self.context, small, sort) }
        } else {
            let digits = c_string(&value.to_string())?;
            // SAFETY: context and sort are live; the string is copied.
            unsafe { Z3_mk_numeral(self.context, digits.as_ptr(), sort) }
        };
        self.keep(raw, false)
    }

    fn variable(&mut self, sort: Sort, name: &str) -> Result<Term, SolverError> {
        let float = matches!(sort, Sort::Float(_));
        let sort = self.sort(sort)?;
        let name = c_string(name)?;
        // SAFETY: context and sort are live; the name is copied.
        let raw = unsafe { Z3_mk_fresh_const(self.context, name.as_ptr(), sort) };
        self.keep(raw, float)
    }

    fn apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SolverError> {
        let c = self.context;
        let arg = |i: usize| args.get(i).map(|&term| self.raw(term)).ok_or_else(|| error("too few arguments"));
        let one = |f: unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>| {
            // SAFETY: context and argument are live; the library checks the sort.
            Ok::<_, SolverError>(unsafe { f(c, arg(0)?) })
        };
        let two = |f: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>| {
            // SAFETY: as above.
            Ok::<_, SolverError>(unsafe { f(c, arg(0)?, arg(1)?) })
        };
        let indexed = |f: unsafe extern "C" fn(Z3_context, u32, Z3_ast) -> Option<Z3_ast>, index: u32| {
            // SAFETY: as above.
            Ok::<_, SolverError>(unsafe { f(c, index, arg(0)?) })
        };
        let rounded = |f: unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>| {
            // SAFETY: as above.
            Ok::<_, SolverError>(unsafe { f(c, self.rounding(Rounding::NearestEven)?, arg(0)?, arg(1)?) })
        };
        let many = |f: unsafe extern "C" fn(Z3_context, u32, *const Z3_ast) -> Option<Z3_ast>| {
            let raw: Vec<Z3_ast> = args.iter().map(|&term| self.raw(term)).collect();
            // SAFETY: context and arguments are live, and the count is that of the vector.
            Ok::<_, SolverError>(unsafe { f(c, raw.len() as u32, raw.as_ptr()) })
        };
        let raw = match op {
            Op::Not => one(Z3_mk_not),
            Op::And => many(Z3_mk_and),
            Op::Or => many(Z3_mk_or),
            Op::Xor => two(Z3_mk_xor),
            Op::Equal => two(Z3_mk_eq),
            Op::BvNot => one(Z3_mk_bvnot),
            Op::BvNeg => one(Z3_mk_bvneg),
            Op::BvAdd => two(Z3_mk_bvadd),
            Op::BvSub => two(Z3_mk_bvsub),
            Op::BvMul => two(Z3_mk_bvmul),
            Op::BvUdiv => two(Z3_mk_bvudiv),
            Op::BvSdiv => two(Z3_mk_bvsdiv),
            Op::BvUrem => two(Z3_mk_bvurem),
            Op::BvSrem => two(Z3_mk_bvsrem),
            Op::BvAnd => two(Z3_mk_bvand),
            Op::BvOr => two(Z3_mk_bvor),
            Op::BvXor => two(Z3_mk_bvxor),
            Op::BvShl => two(Z3_mk_bvshl),
            Op::BvLshr => two(Z3_mk_bvlshr),
            Op::BvAshr => two(Z3_mk_bvashr),
            Op::BvUlt => two(Z3_mk_bvult),
            Op::BvUle => two(Z3_mk_bvule),
            Op::BvSlt => two(Z3_mk_bvslt),
            Op::BvSle => two(Z3_mk_bvsle),
            Op::BvConcat => two(Z3_mk_concat),
            Op::BvZeroExtend(bits) => indexed(Z3_mk_zero_ext, bits),
            Op::BvSignExtend(bits) => indexed(Z3_mk_sign_ext, bits),
            Op::FpAdd => rounded(Z3_mk_fpa_add),
            Op::FpSub => rounded(Z3_mk_fpa_sub),
            Op::FpMul => rounded(Z3_mk_fpa_mul),
            Op::FpDiv => rounded(Z3_mk_fpa_div),
            Op::FpAbs => one(Z3_mk_fpa_abs),
            Op::FpNeg => one(Z3_mk_fpa_neg),
            Op::FpEq => two(Z3_mk_fpa_eq),
            Op::FpLt => two(Z3_mk_fpa_lt),
            Op::FpLe => two(Z3_mk_fpa_leq),
            Op::FpIsNan => one(Z3_mk_fpa_is_nan),
            Op::FpIsZero => one(Z3_mk_fpa_is_zero),
            Op::FpIsNegative => one(Z3_mk_fpa_is_negative),
            // SAFETY, for all below: context and arguments are live; the library checks the sorts.
            Op::Ite => Ok(unsafe { Z3_mk_ite(c, arg(0)?, arg(1)?, arg(2)?) }),
            Op::BvExtract { high, low } => Ok(unsafe { Z3_mk_extract(c, high, low, arg(0)?) }),
            Op::FpFma => {
                let mode = self.rounding(Rounding::NearestEven)?;
                Ok(unsafe { Z3_mk_fpa_fma(c, mode, arg(0)?, arg(1)?, arg(2)?) })
            }
            Op::FpSqrt => Ok(unsafe { Z3_mk_fpa_sqrt(c, self.rounding(Rounding::NearestEven)?, arg(0)?) }),
            Op::FpRoundToIntegral(mode) => Ok(unsafe { Z3_mk_fpa_round_to_integral(c, self.rounding(mode)?, arg(0)?) }),
            Op::FpToSigned(width) => {
                Ok(unsafe { Z3_mk_fpa_to_sbv(c, self.rounding(Rounding::TowardsZero)?, arg(0)?, width) })
            }
            Op::FpFromBits(format) => {
                let bits = arg(0)?;
                let sort = self.float_sort(format)?;
                Ok(unsafe { Z3_mk_fpa_to_fp_bv(c, bits, sort) })
            }
            Op::FpFromFp(format) | Op::FpFromSigned(format) | Op::FpFromUnsigned(format) => {
                let from = arg(0)?;
                let (mode, sort) = (self.rounding(Rounding::NearestEven)?, self.float_sort(format)?);
                let convert = match op {
                    Op::FpFromFp(_) => Z3_mk_fpa_to_fp_float,
                    Op::FpFromSigned(_) => Z3_mk_fpa_to_fp_signed,
                    _ => Z3_mk_fpa_to_fp_unsigned,
                };
                Ok(unsafe { convert(c, mode, from, sort) })
            }
        }?;
        let float = op.makes_float() || args.iter().any(|&term| self.terms[term.0 as usize].1);
        self.keep(raw, float)
    }
}

/// Copies a string of the library.
///
/// # Safety
/// `pointer` is null or points to a string that ends in a zero byte and lives during the call.
unsafe fn text(pointer: Z3_string) -> String {
    match NonNull::new(pointer.cast_mut()) {
        None => String::new(),
        // SAFETY: as the caller promised.
        Some(pointer) => unsafe { CStr::from_ptr(pointer.as_ptr()) }.to_string_lossy().into_owned(),
    }
}

fn error(message: &str) -> SolverError {
    SolverError::Backend { backend: Z3Context::NAME, message: message.to_owned() }
}

fn c_string(text: &str) -> Result<CString, SolverError> {
    CString::new(text).map_err(|_| error("a name holds a zero byte"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_value_and_a_contradiction() {
        let mut context = Z3Context::new(0).unwrap();
        let a = context.variable(Sort::Bits(8), "a").unwrap();
        let seven = context.bits(8, 7).unwrap();
        let is_seven = context.apply(Op::Equal, &[a, seven]).unwrap();
        let below = context.apply(Op::BvUlt, &[a, seven]).unwrap();
        let at_most = context.apply(Op::BvUle, &[a, seven]).unwrap();
        assert_eq!(context.check(&[is_seven, at_most], &Patience::default()).unwrap(), Verdict::Sat);
        assert_eq!(context.value(a).unwrap(), 7);
        assert_eq!(context.check(&[at_most, is_seven, below], &Patience::default()).unwrap(), Verdict::Unsat);
        assert_eq!(
            context.unsat_assumptions(&[at_most, is_seven, below], &Patience::default()).unwrap(),
            [false, true, true]
        );
    }

    #[test]
    fn a_misuse_is_an_error_and_the_context_lives_on() {
        let mut context = Z3Context::new(0).unwrap();
        let a = context.variable(Sort::Bits(8), "a").unwrap();
        let wide = context.bits(128, u128::MAX).unwrap();
        assert!(context.apply(Op::BvAdd, &[a, wide]).is_err());
        assert!(context.value(a).is_err(), "nothing was checked yet");
        assert!(context.apply(Op::BvNot, &[a]).is_ok());
    }
}
