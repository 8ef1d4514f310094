//! What can go wrong in the solver that is not an answer: a fault of a backend library or of the disk.

use std::path::PathBuf;

/// A fault of a solver library or of its environment; never the verdict on a query.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// A call into the named solver library failed with the message.
    #[error("{backend}: {message}")]
    Backend {
        /// Which library.
        backend: &'static str,
        /// What it said.
        message: String,
    },
    /// Z3 was asked for, but its library, which is loaded only then, cannot be.
    #[error(
        "cannot load Z3 ({reason}): install the package libz3-4, or use `--solver bitwuzla` without `--cross-check`"
    )]
    NoZ3 {
        /// What the system says of which file.
        reason: String,
    },
    /// The folder for dumped queries cannot be made.
    #[error("cannot create the query folder {}: {source}", path.display())]
    DumpFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A solver process cannot be started.
    #[error("cannot start {} for the solver: {source}", program.display())]
    Process {
        /// The program that was to be started.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no memory for the stack that deeply nested expressions need.
    #[error("cannot make a stack of {bytes} bytes for deeply nested expressions: {source}")]
    Stack {
        /// Its size.
        bytes: usize,
        /// Why.
        source: std::io::Error,
    },
}
