//! The SMT libraries behind one small trait.

use secateur_expr::{Expr, Pool};

use crate::bitwuzla::BitwuzlaContext;
use crate::process::RemoteContext;
use crate::query::bytes_of;
use crate::size;
use crate::translate::{Context, Decider, Decision, Question, Setup, Translator};
use crate::z3::Z3Context;
use crate::{BackendKind, BackendReason, Deadline, Options, SolverError, Tuning};

/// A complete decision procedure for sets of conditions.
///
/// It caches translations by expression handle, so [`forget`](Backend::forget) must be called before another pool is
/// used.
pub trait Backend: Send {
    /// The name users know it by.
    fn name(&self) -> &'static str;

    /// Decides whether all conditions (of width 1) can hold together; `Unknown` soon after the deadline.
    fn check(&mut self, pool: &Pool, conditions: &[Expr], deadline: &Deadline) -> Result<BackendAnswer, SolverError>;

    /// Drops everything that refers to a pool.
    fn forget(&mut self) -> Result<(), SolverError>;
}

/// The answer of a backend. It treats functions of the C library, `fmod` included, and holes as free variables: `Unsat`
/// is certain, but a model has to be evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackendAnswer {
    /// All conditions hold with these values of input bytes.
    Sat(Vec<(u32, u8)>),
    /// No input satisfies all conditions.
    Unsat {
        /// Conditions that contradict each other. The core is small, but not always minimal.
        core: Vec<Expr>,
    },
    /// Not decided, for this reason.
    Unknown(BackendReason),
}

/// Starts a backend of that kind, with the seed, the solver process and the tuning of the options. Without a solver
/// process, all questions are answered in this process, where large ones cannot always be stopped in time.
pub fn backend(kind: BackendKind, options: &Options) -> Result<Box<dyn Backend>, SolverError> {
    Ok(match kind {
        BackendKind::Bitwuzla => Box::new(BySize::<BitwuzlaContext>::new(kind, options)?),
        BackendKind::Z3 => Box::new(BySize::<Z3Context>::new(kind, options)?),
    })
}

/// A library in this process for small questions, most of which it answers in less time than it takes to send them; and
/// the same library in a process that can be killed.
struct BySize<C: Context> {
    local: SmtBackend<C>,
    remote: Option<SmtBackend<RemoteContext>>,
}

impl<C: Context> BySize<C> {
    fn new(kind: BackendKind, options: &Options) -> Result<BySize<C>, SolverError> {
        let Options { seed, process, tuning, .. } = options;
        let setup = Setup { seed: *seed, core_time: tuning.z3_core_time };
        let remote = process.as_ref().map(|process| RemoteContext::new(kind, setup, process.clone(), tuning));
        Ok(BySize {
            local: SmtBackend::new(C::new(setup)?, tuning),
            remote: remote.map(|context| SmtBackend::new(context, tuning)),
        })
    }
}

impl<C: Context> Backend for BySize<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn check(&mut self, pool: &Pool, conditions: &[Expr], deadline: &Deadline) -> Result<BackendAnswer, SolverError> {
        // Building the circuit is an effort, too, and it cannot be stopped.
        let Tuning { effort_gates, most_gates, .. } = self.local.tuning;
        let affordable = deadline.effort_left().map_or(most_gates, |effort| effort.saturating_mul(effort_gates));
        let gates = size::gates(pool, conditions, affordable.min(most_gates));
        if gates.is_none() && affordable < most_gates {
            return Ok(BackendAnswer::Unknown(BackendReason::Effort));
        }
        let gates = gates.unwrap_or(most_gates);
        deadline.spend(gates / effort_gates);
        match &mut self.remote {
            Some(remote) if gates > remote.tuning.process_gates => remote.check(pool, conditions, deadline),
            _ => self.local.check(pool, conditions, deadline),
        }
    }

    fn forget(&mut self) -> Result<(), SolverError> {
        if let Some(remote) = &mut self.remote {
            remote.forget()?;
        }
        self.local.forget()
    }
}

/// A library and the translator of expressions to its terms.
struct SmtBackend<D: Decider> {
    decider: D,
    translator: Translator<D>,
    tuning: Tuning,
}

impl<D: Decider> SmtBackend<D> {
    fn new(decider: D, tuning: &Tuning) -> Self {
        SmtBackend { decider, translator: Translator::new(tuning), tuning: tuning.clone() }
    }

    fn check(&mut self, pool: &Pool, conditions: &[Expr], deadline: &Deadline) -> Result<BackendAnswer, SolverError> {
        if self.decider.len() > self.tuning.smt_kept_terms || self.decider.is_lost() {
            self.forget()?;
        }
        let mut assumptions = Vec::with_capacity(conditions.len());
        let mut depth = 0;
        for &condition in conditions {
            match self.translator.condition(&mut self.decider, pool, condition, deadline)? {
                Ok(translated) => {
                    depth = depth.max(translated.depth);
                    assumptions.push(translated.term);
                }
                Err(reason) => {
                    // There may be very many terms, and they are of no use to smaller questions.
                    self.forget()?;
                    return Ok(BackendAnswer::Unknown(reason));
                }
            }
        }
        assumptions.extend(self.translator.definitions(pool, conditions));
        // A byte without a variable was simplified away, so any value will do.
        let variable = |byte: u32| self.translator.input(byte).map(|variable| (byte, variable));
        let (bytes, wanted): (Vec<u32>, Vec<D::Term>) =
            bytes_of(pool, conditions).into_iter().filter_map(variable).unzip();
        let question = Question { assumptions: &assumptions, wanted: &wanted, depth };
        Ok(match self.decider.decide(&question, deadline)? {
            Decision::Unknown(reason) => BackendAnswer::Unknown(reason),
            Decision::Unsat(failed) => {
                let core = conditions.iter().zip(failed).filter(|(_, failed)| *failed).map(|(&condition, _)| condition);
                BackendAnswer::Unsat { core: core.collect() }
            }
            Decision::Sat(values) => {
                BackendAnswer::Sat(bytes.into_iter().zip(values.into_iter().map(|value| value as u8)).collect())
            }
        })
    }

    fn forget(&mut self) -> Result<(), SolverError> {
        self.translator = Translator::new(&self.tuning);
        self.decider = self.decider.renewed()?;
        Ok(())
    }
}
