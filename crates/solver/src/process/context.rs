//! Terms in a solver process. Here they are only numbers; the requests that make them are buffered and sent with the
//! next question.

use crate::process::SolverProcess;
use crate::process::child::{Child, Failure, Limits};
use crate::process::message::{Reply, Request, append};
use crate::translate::{Decider, Decision, Op, Question, Setup, Sort, Terms};
use crate::{BackendKind, BackendReason, Deadline, SolverError, Tuning};

/// A library in a solver process, which is started at the first question.
pub(crate) struct RemoteContext {
    kind: BackendKind,
    setup: Setup,
    process: SolverProcess,
    tuning: Tuning,
    child: Option<Child>,
    /// The requests to be sent.
    requests: Vec<u8>,
    /// How many terms were made.
    terms: u32,
    is_lost: bool,
}

impl RemoteContext {
    pub(crate) fn new(kind: BackendKind, setup: Setup, process: SolverProcess, tuning: &Tuning) -> RemoteContext {
        let mut requests = Vec::new();
        append(&mut requests, &Request::Start { kind, setup });
        let tuning = tuning.clone();
        RemoteContext { kind, setup, process, tuning, child: None, requests, terms: 0, is_lost: false }
    }

    fn make(&mut self, request: &Request) -> Result<u32, SolverError> {
        append(&mut self.requests, request);
        let number = self.terms;
        self.terms = number.checked_add(1).ok_or_else(|| self.error("too many terms"))?;
        Ok(number)
    }

    /// Sends the buffered requests and waits for the answer.
    fn ask(&mut self, deadline: &Deadline) -> Result<Result<Decision, Failure>, SolverError> {
        let child = match &mut self.child {
            Some(child) => child,
            None => self.child.insert(Child::start(&self.process)?),
        };
        let requests = std::mem::take(&mut self.requests);
        let limits = Limits { deadline, setup: &self.process, tuning: &self.tuning };
        if let Err(failure) = child.send(&requests, &limits) {
            return Ok(Err(failure));
        }
        let reply = match child.receive(&limits) {
            Ok(reply) => reply,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(Ok(match reply {
            Reply::Sat(values) => Decision::Sat(values),
            Reply::Unsat(failed) => Decision::Unsat(failed),
            Reply::Unknown(reason) => Decision::Unknown(reason),
            Reply::Error(message) => return Err(self.error(&message)),
            // The question is answered, even if the core does not arrive in time.
            Reply::Contradiction => match child.receive(&limits) {
                Ok(Reply::Unsat(failed)) => Decision::Unsat(failed),
                _ => {
                    self.is_lost = true;
                    Decision::Unsat(Vec::new())
                }
            },
        }))
    }

    fn error(&self, message: &str) -> SolverError {
        SolverError::Backend { backend: self.kind.name(), message: message.to_owned() }
    }
}

impl Decider for RemoteContext {
    fn renewed(&self) -> Result<Self, SolverError> {
        Ok(RemoteContext::new(self.kind, self.setup, self.process.clone(), &self.tuning))
    }

    fn len(&self) -> usize {
        self.terms as usize
    }

    fn is_lost(&self) -> bool {
        self.is_lost
    }

    fn decide(&mut self, question: &Question<u32>, deadline: &Deadline) -> Result<Decision, SolverError> {
        let milliseconds = deadline.left().map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        let (assumptions, wanted) = (question.assumptions.to_vec(), question.wanted.to_vec());
        let (depth, effort) = (question.depth, deadline.effort_left());
        append(&mut self.requests, &Request::Decide { assumptions, wanted, depth, milliseconds, effort });
        // After any failure, the terms cannot be used any more.
        let decision = self.ask(deadline).inspect_err(|_| self.is_lost = true)?;
        let Tuning { process_idle_memory, process_idle_part, .. } = self.tuning;
        let of_limit = self.process.memory.map_or(u64::MAX, |limit| limit / process_idle_part);
        let idle_memory = process_idle_memory.min(of_limit);
        let is_large = self.child.as_ref().is_some_and(|child| child.memory() > idle_memory);
        self.is_lost |= decision.is_err() || is_large;
        if self.is_lost {
            self.child = None;
        }
        Ok(match decision {
            // All assumptions together are a core in any case.
            Ok(Decision::Unsat(failed)) if failed.len() != question.assumptions.len() => {
                Decision::Unsat(vec![true; question.assumptions.len()])
            }
            Ok(Decision::Sat(values)) if values.len() != question.wanted.len() => {
                return Err(self.error("some values are missing"));
            }
            Ok(decision) => {
                // What it has cost is not known, but a process is only asked what is large.
                let is_spent = decision == Decision::Unknown(BackendReason::Effort);
                deadline.spend(if is_spent { u64::MAX } else { self.tuning.process_effort });
                decision
            }
            Err(Failure::TimedOut) => Decision::Unknown(BackendReason::Timeout),
            Err(Failure::OutOfMemory) => Decision::Unknown(BackendReason::Memory),
            Err(Failure::Died) => Decision::Unknown(BackendReason::ProcessDied),
        })
    }
}

impl Terms for RemoteContext {
    type Term = u32;

    fn boolean(&mut self, value: bool) -> Result<u32, SolverError> {
        self.make(&Request::Boolean(value))
    }

    fn bits(&mut self, width: u32, value: u128) -> Result<u32, SolverError> {
        self.make(&Request::Bits(width, value))
    }

    fn variable(&mut self, sort: Sort, _name: &str) -> Result<u32, SolverError> {
        self.make(&Request::Variable(sort))
    }

    fn apply(&mut self, op: Op, args: &[u32]) -> Result<u32, SolverError> {
        self.make(&Request::Apply(op, args.to_vec()))
    }
}
