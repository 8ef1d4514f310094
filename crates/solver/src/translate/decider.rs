//! A term builder that answers whole questions: a library in this process, or one in a process of its own.

use crate::translate::{Context, Terms, Verdict};
use crate::{BackendReason, Deadline, SolverError};

/// A builder of terms that decides about them.
pub(crate) trait Decider: Terms + Sized {
    /// One without terms, made like this one.
    fn renewed(&self) -> Result<Self, SolverError>;
    /// How many terms were made; a measure of the memory they take.
    fn len(&self) -> usize;
    /// The terms that were made are gone: it must be renewed before it can be used again.
    fn is_lost(&self) -> bool;
    /// Answers a question; unknown when the deadline ends.
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
    /// Yes, with these values of what was wanted.
    Sat(Vec<u128>),
    /// No; for each assumption, whether it is part of the contradiction.
    Unsat(Vec<bool>),
    /// It did not find out.
    Unknown(BackendReason),
}

/// Solver libraries walk terms recursively. Terms nested deeper than this get a stack of their own, lest that of a thread overflow.
const SHALLOW: u32 = 1000;

/// Bytes of stack for each level of nesting; Z3's recursion takes about half of it.
const STACK_PER_LEVEL: usize = 4096;

/// The deepest terms that a stack is made for: it would take 8 GB of address space.
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
        decide_step_by_step(self, question, deadline, |_| Ok(()))
    }
}

/// Answers a question with a library of this process. `tell_unsat` is called as soon as there is known to be a contradiction: to find out
/// which assumptions make it may take long, too.
pub(crate) fn decide_step_by_step<C: Context>(
    context: &mut C,
    question: &Question<C::Term>,
    deadline: &Deadline,
    tell_unsat: impl FnOnce(&Decision) -> Result<(), SolverError> + Send,
) -> Result<Decision, SolverError> {
    let depth = question.depth;
    let Question { assumptions, wanted, .. } = *question;
    let decide = move || match context.check(assumptions, deadline)? {
        Verdict::Unknown(reason) => Ok(Decision::Unknown(reason)),
        Verdict::Unsat => {
            // All of them together are a contradiction in any case.
            tell_unsat(&Decision::Unsat(vec![true; assumptions.len()]))?;
            Ok(Decision::Unsat(context.unsat_assumptions(assumptions, deadline)?))
        }
        Verdict::Sat => {
            let mut values = Vec::with_capacity(wanted.len());
            for &term in wanted {
                if deadline.is_over() {
                    return Ok(Decision::Unknown(BackendReason::Timeout));
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
