//! What a question to the solver can come back as.

use secateur_expr::Expr;

/// The answer to "is there an input on which all of this holds?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Yes: this one. It was evaluated, so it is certain.
    Sat(Vec<u8>),
    /// No: these of the conditions already contradict each other. Few, but not always the fewest.
    Unsat(Vec<Expr>),
    /// Not found out.
    Unknown(UnknownReason),
}

/// Why the solver did not find out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The time limit of a query passed.
    Timeout,
    /// The question takes more memory than there is for it.
    Memory,
    /// The solver was told to stop, or the time for all questions is over.
    Stopped,
    /// The answer hangs on the named function of the C library, of which a solver knows nothing.
    Native(&'static str),
    /// The backend gave up or failed, and said this.
    Backend(String),
    /// Every rung that is switched on passed the question on.
    Undecided,
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Timeout => write!(f, "the solver's time limit passed"),
            UnknownReason::Memory => write!(f, "the solver's memory limit was reached"),
            UnknownReason::Stopped => write!(f, "the solver was stopped"),
            UnknownReason::Native(name) => write!(f, "it depends on what {name} computes"),
            UnknownReason::Backend(message) => write!(f, "the solver gave up: {message}"),
            UnknownReason::Undecided => write!(f, "no rung of the solver decides it"),
        }
    }
}
