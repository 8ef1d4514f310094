//! SMT libraries in a process of their own.
//!
//! No library looks at a clock or at its memory all the time: Bitwuzla rewrites and encodes a formula without asking whether it should stop,
//! which may take minutes and gigabytes. A process can be killed. So questions that are large enough for that to matter are put to a
//! child, which is this very program started again; the calls that make terms are sent to it as they are, without the expressions behind them.
//! It stays alive from question to question and keeps what it has learned; if it had to be killed, the next question starts another.

mod child;
mod context;
mod message;
mod server;

pub(crate) use context::RemoteContext;
pub use server::{SERVE, serve};

use std::path::PathBuf;

/// How solver processes are started, and what they may use.
#[derive(Clone, Debug)]
pub struct SolverProcess {
    /// The program to start: one that calls [`serve`] if its first argument is [`SERVE`].
    pub program: PathBuf,
    /// How much memory this process and its solver processes may use together, in bytes.
    pub memory: Option<u64>,
    /// How many workers, each with a solver process of its own, share that memory.
    pub workers: u64,
}
