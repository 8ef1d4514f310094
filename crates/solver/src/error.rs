//! Errors of the solver that are not answers: failures of a backend library or of the system.

use std::path::PathBuf;

/// A failure of a solver library or of its environment; never the answer to a question.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// A call into the named solver library failed with the message.
    #[error("{backend}: {message}")]
    Backend {
        /// Which library.
        backend: &'static str,
        /// Its message.
        message: String,
    },
    /// Z3 was requested, but its library, which is loaded on demand, cannot be loaded.
    #[error(
        "cannot load Z3 ({reason}): install the package libz3-4, or use `--solver bitwuzla` without `--cross-check`"
    )]
    NoZ3 {
        /// The file, and the message of the system.
        reason: String,
    },
    /// The folder for dumped queries cannot be created.
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
