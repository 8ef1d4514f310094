//! SMT libraries in child processes.
//!
//! No library checks the time or its memory continuously: Bitwuzla rewrites and bit-blasts a formula without calling
//! its termination callback, which may take minutes and gigabytes. A process can be killed. So questions that are large
//! enough for that to matter go to a child, which is this program started again. It is sent the calls that make terms,
//! not expressions. It stays alive between questions and keeps what it has learned; if it had to be killed, the next
//! question starts another.

mod child;
mod context;
mod message;
mod server;

pub(crate) use context::RemoteContext;
pub use server::{SERVE, serve};

use std::path::PathBuf;

/// How solver processes are started, and how much memory they may use.
#[derive(Clone, Debug)]
pub struct SolverProcess {
    /// The program to start: one that calls [`serve`] if its first argument is [`SERVE`].
    pub program: PathBuf,
    /// How much memory this process and its solver processes may use together, in bytes.
    pub memory: Option<u64>,
    /// How many workers, each with a solver process of its own, share that memory.
    pub workers: u64,
}
