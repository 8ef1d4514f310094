//! The SMT libraries behind one small trait.

use secateur_expr::{Expr, Pool};

use crate::bitwuzla::BitwuzlaContext;
use crate::query::bytes_of;
use crate::translate::{Context, Translator, Verdict};
use crate::z3::Z3Context;
use crate::{BackendKind, Patience, SolverError};

/// A complete decision procedure for sets of conditions.
///
/// It remembers translations by expression handle: [`forget`](Backend::forget) must be called before a different pool is used.
pub trait Backend: Send {
    /// The name users know it by.
    fn name(&self) -> &'static str;

    /// Decides whether all conditions (of width 1) can hold together; `Unknown` soon after the patience is over.
    fn check(&mut self, pool: &Pool, conditions: &[Expr], patience: &Patience) -> Result<BackendAnswer, SolverError>;

    /// Drops everything that refers to a pool.
    fn forget(&mut self) -> Result<(), SolverError>;
}

/// What a backend finds. Functions of the C library (`fmod` too) and holes are free variables to it: `Unsat` is certain, `Sat` has to
/// be evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackendAnswer {
    /// All conditions hold with these values of input bytes.
    Sat(Vec<(u32, u8)>),
    /// No input makes all hold; these contradict each other already.
    Unsat {
        /// A subset of the conditions, small but not necessarily the smallest.
        core: Vec<Expr>,
    },
    /// Not decided, for this reason; "timeout" if the patience ended.
    Unknown(String),
}

impl BackendAnswer {
    /// The reason of `Unknown` when the patience ended.
    pub const TIMEOUT: &'static str = crate::translate::TIMEOUT;
}

/// Starts a backend.
pub fn backend(kind: BackendKind, seed: u64) -> Result<Box<dyn Backend>, SolverError> {
    Ok(match kind {
        BackendKind::Bitwuzla => Box::new(SmtBackend::<BitwuzlaContext>::new(seed)?),
        BackendKind::Z3 => Box::new(SmtBackend::<Z3Context>::new(seed)?),
    })
}

/// Terms are never freed one by one, so after this many all are, to keep memory within some hundred megabytes.
const MAX_TERMS: usize = 1 << 20;

/// Solver libraries walk terms recursively; terms nested deeper than this are given a stack of their own.
const SHALLOW: u32 = 1000;

/// Bytes of stack for each level of nesting; Z3's recursion takes about half of it.
const STACK_PER_LEVEL: usize = 4096;

/// The deepest terms that a stack is made for: it would take 8 GB of address space.
const MAX_DEPTH: u32 = 1 << 21;

/// A solver library together with what was translated for it.
struct SmtBackend<C: Context> {
    context: C,
    translator: Translator<C>,
    seed: u64,
}

impl<C: Context> SmtBackend<C> {
    fn new(seed: u64) -> Result<Self, SolverError> {
        Ok(SmtBackend { context: C::new(seed)?, translator: Translator::new(), seed })
    }

    fn decide(
        &mut self,
        conditions: &[Expr],
        bytes: &[u32],
        assumptions: &[C::Term],
        patience: &Patience,
    ) -> Result<BackendAnswer, SolverError> {
        match self.context.check(assumptions, patience)? {
            Verdict::Unknown(reason) => Ok(BackendAnswer::Unknown(reason)),
            Verdict::Unsat => {
                let failed = self.context.unsat_assumptions(assumptions, patience)?;
                let core = conditions.iter().zip(failed).filter(|(_, failed)| *failed).map(|(&condition, _)| condition);
                Ok(BackendAnswer::Unsat { core: core.collect() })
            }
            Verdict::Sat => {
                let mut model = Vec::new();
                for &byte in bytes {
                    // A byte without a variable was simplified away, so that any value will do.
                    if let Some(variable) = self.translator.input(byte) {
                        model.push((byte, self.context.value(variable)? as u8));
                    }
                }
                Ok(BackendAnswer::Sat(model))
            }
        }
    }
}

impl<C: Context> Backend for SmtBackend<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn check(&mut self, pool: &Pool, conditions: &[Expr], patience: &Patience) -> Result<BackendAnswer, SolverError> {
        if self.context.len() > MAX_TERMS {
            self.forget()?;
        }
        let mut assumptions = Vec::with_capacity(conditions.len());
        let mut depth = 0;
        for &condition in conditions {
            let translated = self.translator.condition(&mut self.context, pool, condition)?;
            depth = depth.max(translated.depth);
            assumptions.push(translated.term);
        }
        assumptions.extend(self.translator.definitions(pool, conditions));
        let bytes = bytes_of(pool, conditions);
        if depth <= SHALLOW {
            return self.decide(conditions, &bytes, &assumptions, patience);
        }
        if depth > MAX_DEPTH {
            return Ok(BackendAnswer::Unknown(format!("expressions nested {depth} deep")));
        }
        on_large_stack(depth as usize * STACK_PER_LEVEL, || self.decide(conditions, &bytes, &assumptions, patience))
    }

    fn forget(&mut self) -> Result<(), SolverError> {
        self.translator = Translator::new();
        self.context = C::new(self.seed)?;
        Ok(())
    }
}

/// Runs `work` on a thread of its own with that many bytes of stack, and waits for it.
fn on_large_stack<R: Send>(
    bytes: usize,
    work: impl FnOnce() -> Result<R, SolverError> + Send,
) -> Result<R, SolverError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| SolverError::Stack { bytes, source: error })?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
