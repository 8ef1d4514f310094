//! A term builder that answers whole questions: a library in this process or in a solver process.

use crate::translate::{Context, Terms, Verdict};
use crate::{BackendReason, Deadline, SolverError};

/// A term builder that answers questions about its terms.
pub(crate) trait Decider: Terms + Sized {
    /// One without terms, made like this one.
    fn renewed(&self) -> Result<Self, SolverError>;
    /// How many terms were made, as a measure of their memory.
    fn len(&self) -> usize;
    /// Its terms are gone, so it must be renewed before it is used again.
    fn is_lost(&self) -> bool;
    /// Answers a question; unknown after the deadline.
    fn decide(&mut self, question: &Question<Self::Term>, deadline: &Deadline) -> Result<Decision, SolverError>;
}

/// Can these assumptions hold together, and with which values?
pub(crate) struct Question<'a, T> {
    /// Terms of sort Bool.
    pub(crate) assumptions: &'a [T],
    /// The bit-vector terms whose values are wanted.
    pub(crate) wanted: &'a [T],
    /// How deeply the terms are nested.
    pub(crate) depth: u32,
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// Yes, with these values of the wanted terms.
    Sat(Vec<u128>),
    /// No; for each assumption, whether it is in the core.
    Unsat(Vec<bool>),
    /// It was not decided.
    Unknown(BackendReason),
}

/// Solver libraries walk terms recursively. Terms nested deeper than this get a stack of their own, lest that of a
/// thread overflow.
const SHALLOW: u32 = 1000;

/// Bytes of stack per level of nesting. Z3's recursion uses about half of it.
const STACK_PER_LEVEL: usize = 4096;

/// The deepest terms that get a stack, which then takes 8 GB of address space. These bounds are constants because they
/// follow from how the libraries use their stack.
const MAX_DEPTH: u32 = 1 << 21;

impl<C: Context> Decider for C {
    fn renewed(&self) -> Result<Self, SolverError> {
        Context::renewed(self)
    }

    fn len(&self) -> usize {
        Context::len(self)
    }

    fn is_lost(&self) -> bool {
        false
    }

    fn decide(&mut self, question: &Question<C::Term>, deadline: &Deadline) -> Result<Decision, SolverError> {
        decide_with(self, question, deadline, || {})
    }
}

/// Answers a question with a library in this process. `on_unsat` is called as soon as a contradiction is found, since
/// computing the core may take long, too.
pub(crate) fn decide_with<C: Context>(
    context: &mut C,
    question: &Question<C::Term>,
    deadline: &Deadline,
    on_unsat: impl FnOnce() + Send,
) -> Result<Decision, SolverError> {
    let depth = question.depth;
    let Question { assumptions, wanted, .. } = *question;
    let decide = move || match context.check(assumptions, deadline)? {
        Verdict::Unknown(reason) => Ok(Decision::Unknown(reason)),
        Verdict::Unsat => {
            on_unsat();
            Ok(Decision::Unsat(context.unsat_assumptions(assumptions, deadline)?))
        }
        Verdict::Sat => {
            let mut values = Vec::with_capacity(wanted.len());
            for &term in wanted {
                if deadline.is_over() {
                    return Ok(Decision::Unknown(deadline.reason()));
                }
                values.push(context.value(term)?);
            }
            Ok(Decision::Sat(values))
        }
    };
    if depth <= SHALLOW {
        return decide();
    }
    if depth > MAX_DEPTH {
        return Ok(Decision::Unknown(BackendReason::Depth(depth)));
    }
    on_large_stack(depth as usize * STACK_PER_LEVEL, decide)
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
