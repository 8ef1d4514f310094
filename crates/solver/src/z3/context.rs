//! The layer over Z3's C interface. Terms are indices into a table that the context owns, so no safe caller can hold a
//! dangling pointer.

use std::ffi::{CStr, CString, c_char};
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::translate::{Context, Format, Op, Rounding, Setup, Sort, Terms, Verdict};
use crate::z3::interrupter;
use crate::z3::library::{
    self, Binary, Indexed, Library, Nary, RawAst, RawContext, RawSolver, RawSort, Ternary, Unary,
};
use crate::{BackendReason, Deadline, SolverError};

/// A Z3 context with at most one solver on it.
pub(crate) struct Z3Context {
    z3: &'static Library,
    context: RawContext,
    solver: Option<RawSolver>,
    setup: Setup,
    /// Every term, and whether it has a float subterm. The context does not count references to terms, so they live as
    /// long as it does.
    terms: Vec<(RawAst, bool)>,
    /// The literals that stood for the assumptions of the last check, if it used any.
    literals: Option<Vec<RawAst>>,
    /// How long the last check took.
    last_check: Duration,
    sorts: FxHashMap<Sort, RawSort>,
}

// SAFETY: the pointers are owned by this value alone, and a Z3 context may be used by any thread as long as it is one
// at a time.
unsafe impl Send for Z3Context {}

/// A term of one [`Z3Context`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Term(u32);

impl Context for Z3Context {
    const NAME: &'static str = "z3";

    fn new(setup: Setup) -> Result<Self, SolverError> {
        let z3 = library::library()?;
        // SAFETY: the configuration is deleted after its only use; without an error handler a failed call only sets an
        // error code.
        let context = unsafe {
            let config = (z3.mk_config)().ok_or_else(|| error("no configuration"))?;
            let context = (z3.mk_context)(config);
            (z3.del_config)(config);
            let context = context.ok_or_else(|| error("no context"))?;
            (z3.set_error_handler)(context, None);
            context
        };
        Ok(Z3Context {
            z3,
            context,
            solver: None,
            setup,
            terms: Vec::new(),
            literals: None,
            last_check: Duration::ZERO,
            sorts: FxHashMap::default(),
        })
    }

    fn renewed(&self) -> Result<Self, SolverError> {
        Z3Context::new(self.setup)
    }

    fn len(&self) -> usize {
        self.terms.len()
    }

    fn check(&mut self, assumptions: &[Term], deadline: &Deadline) -> Result<Verdict, SolverError> {
        let start = Instant::now();
        let verdict = if assumptions.iter().any(|&term| self.terms[term.0 as usize].1) {
            self.check_asserted(assumptions, deadline)
        } else {
            self.check_assumed(assumptions, deadline)
        };
        self.last_check = start.elapsed();
        verdict
    }

    fn unsat_assumptions(&mut self, assumptions: &[Term], deadline: &Deadline) -> Result<Vec<bool>, SolverError> {
        if self.literals.is_none() {
            // The other way to ask may not terminate on the same formula, so it gets little more time than the first
            // took.
            let deadline = deadline.clone().at_most(self.last_check + self.setup.core_time);
            if self.check_assumed(assumptions, &deadline)? != Verdict::Unsat {
                // All of them together are a core, too.
                return Ok(vec![true; assumptions.len()]);
            }
        }
        let (c, solver) = (self.context, self.solver()?);
        // SAFETY: the solver is live and its last answer was unsat; the vector is referenced while it is read.
        let failed: FxHashSet<RawAst> = unsafe {
            let core = (self.z3.solver_get_unsat_core)(c, solver).ok_or_else(|| self.last_error())?;
            (self.z3.ast_vector_inc_ref)(c, core);
            let failed =
                (0..(self.z3.ast_vector_size)(c, core)).filter_map(|i| (self.z3.ast_vector_get)(c, core, i)).collect();
            (self.z3.ast_vector_dec_ref)(c, core);
            failed
        };
        self.check_errors()?;
        // Z3 shares equal terms, so pointers can be compared.
        let literals = self.literals.as_deref().unwrap_or_default();
        Ok(literals.iter().map(|literal| failed.contains(literal)).collect())
    }

    fn value(&mut self, term: Term) -> Result<u128, SolverError> {
        let (c, solver) = (self.context, self.solver()?);
        // SAFETY: solver and term are live; the model is referenced while it is read; the string is copied before the
        // next call.
        let decimal = unsafe {
            let model = (self.z3.solver_get_model)(c, solver).ok_or_else(|| self.last_error())?;
            (self.z3.model_inc_ref)(c, model);
            let mut value = self.raw(term);
            let found = (self.z3.model_eval)(c, model, self.raw(term), true, &mut value);
            let decimal = if found { text((self.z3.get_numeral_string)(c, value)) } else { String::new() };
            (self.z3.model_dec_ref)(c, model);
            decimal
        };
        self.check_errors()?;
        decimal.parse().map_err(|_| error(&format!("unexpected value {decimal}")))
    }
}

impl Z3Context {
    /// The way to ask that suits floats: Z3 picks a tactic for the formula. It then has no cores.
    fn check_asserted(&mut self, assumptions: &[Term], deadline: &Deadline) -> Result<Verdict, SolverError> {
        // SAFETY: the context is live.
        let solver = self.renew_solver(unsafe { (self.z3.mk_solver)(self.context) }, deadline)?;
        for &assumption in assumptions {
            // SAFETY: context, solver and term are live.
            unsafe { (self.z3.solver_assert)(self.context, solver, self.raw(assumption)) };
        }
        self.check_errors()?;
        self.literals = None;
        self.run(&[], deadline)
    }

    /// The way to ask that suits bit-vectors: starting a tactic takes longer than most of these questions.
    fn check_assumed(&mut self, assumptions: &[Term], deadline: &Deadline) -> Result<Verdict, SolverError> {
        let c = self.context;
        // SAFETY: the context is live.
        let solver = self.renew_solver(unsafe { (self.z3.mk_simple_solver)(c) }, deadline)?;
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            // Z3 takes only literals as assumptions.
            let literal = self.variable(Sort::Bool, "assume")?;
            literals.push(self.raw(literal));
            let (from, to) = (self.raw(literal), self.raw(assumption));
            // SAFETY: solver and terms are live terms of this context.
            unsafe {
                let implication = (self.z3.mk_implies)(c, from, to).ok_or_else(|| self.last_error())?;
                (self.z3.solver_assert)(c, solver, implication);
            }
        }
        self.check_errors()?;
        let verdict = self.run(&literals, deadline);
        self.literals = Some(literals);
        verdict
    }

    /// Replaces the solver by a new one, with the deadline as its time limit.
    fn renew_solver(&mut self, solver: Option<RawSolver>, deadline: &Deadline) -> Result<RawSolver, SolverError> {
        self.drop_solver();
        let solver = solver.ok_or_else(|| self.last_error())?;
        // SAFETY: the context is live; the solver is released in `drop_solver`.
        unsafe { (self.z3.solver_inc_ref)(self.context, solver) };
        self.solver = Some(solver);
        // Zero would mean no limit.
        let milliseconds =
            deadline.left().map_or(u32::MAX, |left| u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1));
        // Z3 takes 31 bits of seed.
        let seed = (self.setup.seed & 0x7fff_ffff) as u32;
        self.set_parameters(&[("random_seed", seed), ("timeout", milliseconds)])?;
        Ok(solver)
    }

    /// Decides the assertions under these literals.
    fn run(&mut self, literals: &[RawAst], deadline: &Deadline) -> Result<Verdict, SolverError> {
        let (c, solver) = (self.context, self.solver()?);
        let count = u32::try_from(literals.len()).map_err(|_| error("too many assumptions"))?;
        let result = interrupter::watched(self.z3, c, deadline, || {
            // SAFETY: `literals` holds `count` live terms of this context.
            unsafe {
                if count == 0 {
                    (self.z3.solver_check)(c, solver)
                } else {
                    (self.z3.solver_check_assumptions)(c, solver, count, literals.as_ptr())
                }
            }
        });
        match result {
            library::TRUE => Ok(Verdict::Sat),
            library::FALSE => Ok(Verdict::Unsat),
            // An interrupted check leaves an error code behind as well; the reason says more.
            _ => {
                // SAFETY: the solver is live; the string is copied before the next call.
                let reason = unsafe { text((self.z3.solver_get_reason_unknown)(c, solver)) };
                let timeout = deadline.is_over() || reason.contains("timeout") || reason.contains("canceled");
                Ok(Verdict::Unknown(if timeout { BackendReason::Timeout } else { BackendReason::Message(reason) }))
            }
        }
    }

    fn raw(&self, term: Term) -> RawAst {
        self.terms[term.0 as usize].0
    }

    fn solver(&self) -> Result<RawSolver, SolverError> {
        self.solver.ok_or_else(|| error("nothing was checked yet"))
    }

    fn keep(&mut self, raw: Option<RawAst>, float: bool) -> Result<Term, SolverError> {
        let raw = raw.ok_or_else(|| self.last_error())?;
        let index = u32::try_from(self.terms.len()).map_err(|_| error("too many terms"))?;
        self.terms.push((raw, float));
        Ok(Term(index))
    }

    fn set_parameters(&mut self, values: &[(&str, u32)]) -> Result<(), SolverError> {
        let (c, solver) = (self.context, self.solver()?);
        // SAFETY: context and solver are live; the parameter set is referenced while it is used; names are copied.
        unsafe {
            let parameters = (self.z3.mk_params)(c).ok_or_else(|| self.last_error())?;
            (self.z3.params_inc_ref)(c, parameters);
            for &(name, value) in values {
                let name = c_string(name)?;
                if let Some(symbol) = (self.z3.mk_string_symbol)(c, name.as_ptr()) {
                    (self.z3.params_set_uint)(c, parameters, symbol, value);
                }
            }
            // Otherwise Z3 handles the signal itself during a check, and the program does not receive it.
            if let Some(symbol) = (self.z3.mk_string_symbol)(c, c"ctrl_c".as_ptr()) {
                (self.z3.params_set_bool)(c, parameters, symbol, false);
            }
            (self.z3.solver_set_params)(c, solver, parameters);
            (self.z3.params_dec_ref)(c, parameters);
        }
        self.check_errors()
    }

    fn sort(&mut self, sort: Sort) -> Result<RawSort, SolverError> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let c = self.context;
        // SAFETY: the context is live.
        let raw = unsafe {
            match sort {
                Sort::Bool => (self.z3.mk_bool_sort)(c),
                Sort::Bits(width) => (self.z3.mk_bv_sort)(c, width),
                Sort::Float(format) => {
                    let (exponent, significand) = format.exponent_and_significand();
                    (self.z3.mk_fpa_sort)(c, exponent, significand)
                }
            }
        };
        let raw = raw.ok_or_else(|| self.last_error())?;
        self.sorts.insert(sort, raw);
        Ok(raw)
    }

    fn float_sort(&mut self, format: Format) -> Result<RawSort, SolverError> {
        self.sort(Sort::Float(format))
    }

    fn rounding(&self, mode: Rounding) -> Result<RawAst, SolverError> {
        let c = self.context;
        // SAFETY: the context is live.
        let raw = unsafe {
            match mode {
                Rounding::NearestEven => (self.z3.mk_fpa_rne)(c),
                Rounding::NearestAway => (self.z3.mk_fpa_rna)(c),
                Rounding::Down => (self.z3.mk_fpa_rtn)(c),
                Rounding::Up => (self.z3.mk_fpa_rtp)(c),
                Rounding::TowardsZero => (self.z3.mk_fpa_rtz)(c),
            }
        };
        raw.ok_or_else(|| self.last_error())
    }

    fn check_errors(&self) -> Result<(), SolverError> {
        // SAFETY: the context is live.
        if unsafe { (self.z3.get_error_code)(self.context) } == library::OK { Ok(()) } else { Err(self.last_error()) }
    }

    fn last_error(&self) -> SolverError {
        // SAFETY: the context is live and the string is copied before the next call.
        error(&unsafe { text((self.z3.get_error_msg)(self.context, (self.z3.get_error_code)(self.context))) })
    }

    fn drop_solver(&mut self) {
        if let Some(solver) = self.solver.take() {
            // SAFETY: the solver is live and is not used again.
            unsafe { (self.z3.solver_dec_ref)(self.context, solver) };
        }
    }
}

impl Drop for Z3Context {
    fn drop(&mut self) {
        self.drop_solver();
        // SAFETY: nothing of the context is used afterwards.
        unsafe { (self.z3.del_context)(self.context) };
    }
}

impl Terms for Z3Context {
    type Term = Term;

    fn boolean(&mut self, value: bool) -> Result<Term, SolverError> {
        // SAFETY: the context is live.
        let raw = unsafe { if value { (self.z3.mk_true)(self.context) } else { (self.z3.mk_false)(self.context) } };
        self.keep(raw, false)
    }

    fn bits(&mut self, width: u32, value: u128) -> Result<Term, SolverError> {
        let sort = self.sort(Sort::Bits(width))?;
        let raw = if let Ok(small) = u64::try_from(value) {
            // SAFETY: context and sort are live.
            unsafe { (self.z3.mk_unsigned_int64)(self.context, small, sort) }
        } else {
            let digits = c_string(&value.to_string())?;
            // SAFETY: context and sort are live; the string is copied.
            unsafe { (self.z3.mk_numeral)(self.context, digits.as_ptr(), sort) }
        };
        self.keep(raw, false)
    }

    fn variable(&mut self, sort: Sort, name: &str) -> Result<Term, SolverError> {
        let float = matches!(sort, Sort::Float(_));
        let sort = self.sort(sort)?;
        let name = c_string(name)?;
        // SAFETY: context and sort are live; the name is copied.
        let raw = unsafe { (self.z3.mk_fresh_const)(self.context, name.as_ptr(), sort) };
        self.keep(raw, float)
    }

    fn apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SolverError> {
        let (z3, c) = (self.z3, self.context);
        let arg = |i: usize| args.get(i).map(|&term| self.raw(term)).ok_or_else(|| error("too few arguments"));
        let one = |f: Unary| {
            // SAFETY: context and argument are live; the library checks the sort.
            Ok::<_, SolverError>(unsafe { f(c, arg(0)?) })
        };
        let two = |f: Binary| {
            // SAFETY: as above.
            Ok::<_, SolverError>(unsafe { f(c, arg(0)?, arg(1)?) })
        };
        let indexed = |f: Indexed, index: u32| {
            // SAFETY: as above.
            Ok::<_, SolverError>(unsafe { f(c, index, arg(0)?) })
        };
        let rounded = |f: Ternary, mode: Rounding| {
            // SAFETY: as above.
            Ok::<_, SolverError>(unsafe { f(c, self.rounding(mode)?, arg(0)?, arg(1)?) })
        };
        let many = |f: Nary| {
            let raw: Vec<RawAst> = args.iter().map(|&term| self.raw(term)).collect();
            // SAFETY: context and arguments are live, and the count is that of the vector.
            Ok::<_, SolverError>(unsafe { f(c, raw.len() as u32, raw.as_ptr()) })
        };
        let raw = match op {
            Op::Not => one(z3.mk_not),
            Op::And => many(z3.mk_and),
            Op::Or => many(z3.mk_or),
            Op::Xor => two(z3.mk_xor),
            Op::Equal => two(z3.mk_eq),
            Op::BvNot => one(z3.mk_bvnot),
            Op::BvNeg => one(z3.mk_bvneg),
            Op::BvAdd => two(z3.mk_bvadd),
            Op::BvSub => two(z3.mk_bvsub),
            Op::BvMul => two(z3.mk_bvmul),
            Op::BvUdiv => two(z3.mk_bvudiv),
            Op::BvSdiv => two(z3.mk_bvsdiv),
            Op::BvUrem => two(z3.mk_bvurem),
            Op::BvSrem => two(z3.mk_bvsrem),
            Op::BvAnd => two(z3.mk_bvand),
            Op::BvOr => two(z3.mk_bvor),
            Op::BvXor => two(z3.mk_bvxor),
            Op::BvShl => two(z3.mk_bvshl),
            Op::BvLshr => two(z3.mk_bvlshr),
            Op::BvAshr => two(z3.mk_bvashr),
            Op::BvUlt => two(z3.mk_bvult),
            Op::BvUle => two(z3.mk_bvule),
            Op::BvSlt => two(z3.mk_bvslt),
            Op::BvSle => two(z3.mk_bvsle),
            Op::BvConcat => two(z3.mk_concat),
            Op::BvZeroExtend(bits) => indexed(z3.mk_zero_ext, bits),
            Op::BvSignExtend(bits) => indexed(z3.mk_sign_ext, bits),
            Op::FpAdd(mode) => rounded(z3.mk_fpa_add, mode),
            Op::FpSub(mode) => rounded(z3.mk_fpa_sub, mode),
            Op::FpMul(mode) => rounded(z3.mk_fpa_mul, mode),
            Op::FpDiv(mode) => rounded(z3.mk_fpa_div, mode),
            Op::FpAbs => one(z3.mk_fpa_abs),
            Op::FpNeg => one(z3.mk_fpa_neg),
            Op::FpEq => two(z3.mk_fpa_eq),
            Op::FpLt => two(z3.mk_fpa_lt),
            Op::FpLe => two(z3.mk_fpa_leq),
            Op::FpIsNan => one(z3.mk_fpa_is_nan),
            Op::FpIsZero => one(z3.mk_fpa_is_zero),
            Op::FpIsNegative => one(z3.mk_fpa_is_negative),
            // SAFETY, for all below: context and arguments are live; the library checks the sorts.
            Op::Ite => Ok(unsafe { (z3.mk_ite)(c, arg(0)?, arg(1)?, arg(2)?) }),
            Op::BvExtract { high, low } => Ok(unsafe { (z3.mk_extract)(c, high, low, arg(0)?) }),
            Op::FpFma(mode) => {
                let mode = self.rounding(mode)?;
                Ok(unsafe { (z3.mk_fpa_fma)(c, mode, arg(0)?, arg(1)?, arg(2)?) })
            }
            Op::FpSqrt(mode) => Ok(unsafe { (z3.mk_fpa_sqrt)(c, self.rounding(mode)?, arg(0)?) }),
            Op::FpRoundToIntegral(mode) => {
                Ok(unsafe { (z3.mk_fpa_round_to_integral)(c, self.rounding(mode)?, arg(0)?) })
            }
            Op::FpToSigned(width) => {
                Ok(unsafe { (z3.mk_fpa_to_sbv)(c, self.rounding(Rounding::TowardsZero)?, arg(0)?, width) })
            }
            Op::FpFromBits(format) => {
                let bits = arg(0)?;
                let sort = self.float_sort(format)?;
                Ok(unsafe { (z3.mk_fpa_to_fp_bv)(c, bits, sort) })
            }
            Op::FpFromFp(mode, format) | Op::FpFromSigned(mode, format) | Op::FpFromUnsigned(mode, format) => {
                let from = arg(0)?;
                let (mode, sort) = (self.rounding(mode)?, self.float_sort(format)?);
                let convert = match op {
                    Op::FpFromFp(..) => z3.mk_fpa_to_fp_float,
                    Op::FpFromSigned(..) => z3.mk_fpa_to_fp_signed,
                    _ => z3.mk_fpa_to_fp_unsigned,
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
unsafe fn text(pointer: *const c_char) -> String {
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
        let mut context = Z3Context::new(Setup::default()).unwrap();
        let a = context.variable(Sort::Bits(8), "a").unwrap();
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
    }

    #[test]
    fn a_misuse_is_an_error_and_the_context_lives_on() {
        let mut context = Z3Context::new(Setup::default()).unwrap();
        let a = context.variable(Sort::Bits(8), "a").unwrap();
        let wide = context.bits(128, u128::MAX).unwrap();
        assert!(context.apply(Op::BvAdd, &[a, wide]).is_err());
        assert!(context.value(a).is_err(), "nothing was checked yet");
        assert!(context.apply(Op::BvNot, &[a]).is_ok());
    }
}
