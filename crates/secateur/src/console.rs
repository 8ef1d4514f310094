//! Results on standard output.

use std::fmt::Display;
use std::io::{ErrorKind, Write};

use crate::Failure;

/// Prints a result. A reader that closes the pipe early is not an error; a full disk is.
pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Input(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
