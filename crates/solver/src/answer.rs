//! The answers of the solver.

use secateur_expr::Expr;
use serde::{Deserialize, Serialize};

/// The answer to "is there an input on which all of this holds?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Yes: this one. All conditions were evaluated on it.
    Sat(Vec<u8>),
    /// No: these conditions already contradict each other. The core is small, but not always minimal.
    Unsat(Vec<Expr>),
    /// It was not decided, for this reason.
    Unknown(UnknownReason),
}

/// Why a question was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The solver was stopped, or the time for all questions is over.
    Stopped,
    /// The answer depends on the named function of the C library, which is opaque to SMT solvers.
    Native(&'static str),
    /// The answer depends on a hole, which has no value yet.
    Hole,
    /// The backend found a model that does not hold.
    WrongModel,
    /// The question needs more memory than the run has left, so it was not asked.
    NoMemory,
    /// The backend did not decide it.
    Backend(BackendReason),
    /// A panic in this program ended the question.
    Fault,
    /// No enabled rung decided it.
    Undecided,
}

/// Why a backend did not decide a question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BackendReason {
    /// The time limit of a question passed.
    Timeout,
    /// The effort that the question was worth is spent; see [`Solver::set_effort`](crate::Solver::set_effort).
    Effort,
    /// The question needs more memory than its limit.
    Memory,
    /// Expressions are nested too deeply, to this depth, for any stack.
    Depth(u32),
    /// The solver process died.
    ProcessDied,
    /// The library gave up without a message.
    GaveUp,
    /// The library gave up or failed with this message.
    Message(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Stopped => write!(f, "the solver was stopped"),
            UnknownReason::Native(name) => write!(f, "it depends on what {name} computes"),
            UnknownReason::Hole => write!(f, "it depends on a placeholder"),
            UnknownReason::WrongModel => write!(f, "the solver's model does not hold"),
            UnknownReason::NoMemory => write!(f, "there is no memory left for the question"),
            UnknownReason::Backend(reason) => reason.fmt(f),
            UnknownReason::Fault => write!(f, "a fault of Secateur ended the question"),
            UnknownReason::Undecided => write!(f, "no rung of the solver decides it"),
        }
    }
}

impl std::fmt::Display for BackendReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BackendReason::Timeout => write!(f, "the solver's time limit passed"),
            BackendReason::Effort => write!(f, "the question was not worth more effort"),
            BackendReason::Memory => write!(f, "the solver's memory limit was reached"),
            BackendReason::Depth(depth) => write!(f, "expressions are nested {depth} deep"),
            BackendReason::ProcessDied => write!(f, "the solver process died"),
            BackendReason::GaveUp => write!(f, "the solver gave up"),
            BackendReason::Message(message) => write!(f, "the solver gave up: {message}"),
        }
    }
}
