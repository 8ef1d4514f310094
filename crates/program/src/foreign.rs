//! Reads files that did not come from our compiler.
//!
//! Malformed bitcode can crash LLVM, or corrupt its memory unnoticed. So a child process loads such files and sends the
//! result, which the caller verifies. If there is none, a second child rewrites each file, so that everything else,
//! including the error message that users see, is based on what LLVM itself wrote.

use crate::error::LoadError;
use crate::guard::{self, Failure};
use crate::input::Input;
use crate::link;
use crate::llvm::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How a message from the child begins.
const CLEAN: u8 = 0;
const NOT_BITCODE: u8 = 1;
const WRONG_TARGET: u8 = 2;
const INVALID: u8 = 3;

/// Runs `work` on the files in a child process, if any file is foreign. If that fails, the result is `None`, and
/// foreign files are replaced by what LLVM makes of them: the caller can then safely run the same work and see the
/// error. The result is also `None` if no file is foreign.
pub(crate) fn load<T: Serialize + DeserializeOwned>(
    inputs: &mut [Input],
    timeout: Option<Duration>,
    work: impl FnOnce(&[Input]) -> Result<T, LoadError>,
) -> Result<Option<T>, LoadError> {
    let foreign: Vec<&Input> = inputs.iter().filter(|input| input.foreign).collect();
    let Some(last) = foreign.last() else { return Ok(None) };
    let limit =
        timeout.unwrap_or_else(|| guard::time_for(inputs.iter().map(|input| input.bitcode.len()).sum::<usize>()));
    let report = guard::in_child(limit, |parent| {
        if let Some(loaded) = work(inputs).ok().and_then(|loaded| postcard::to_allocvec(&loaded).ok()) {
            parent.send(&loaded);
        }
    });
    let report = report.map_err(|error| LoadError::NoChild { error })?;
    match report.failure {
        None => {
            if let Some(loaded) = report.messages.first().and_then(|loaded| postcard::from_bytes(loaded).ok()) {
                return Ok(Some(loaded));
            }
            clean(inputs, limit)?;
            Ok(None)
        }
        Some(failure) => {
            let fatal = fatal(last, failure, limit);
            // With several files, the culprit is the one on which LLVM dies alone, if there is one.
            if foreign.len() > 1 {
                clean(inputs, limit)?;
            }
            Err(fatal)
        }
    }
}

/// Replaces foreign files by what LLVM makes of them.
fn clean(inputs: &mut [Input], limit: Duration) -> Result<(), LoadError> {
    let report = guard::in_child(limit, |parent| {
        for input in inputs.iter().filter(|input| input.foreign) {
            parent.send(&encode(&rewrite(input)));
        }
    });
    let report = report.map_err(|error| LoadError::NoChild { error })?;
    let mut told = report.messages.into_iter();
    for input in inputs.iter_mut().filter(|input| input.foreign) {
        match told.next() {
            Some(message) => input.bitcode = decode(message, input)?,
            None => return Err(fatal(input, report.failure.unwrap_or(Failure::Crashed), limit)),
        }
    }
    Ok(())
}

/// Parses a file and writes it again.
fn rewrite(input: &Input) -> Result<Vec<u8>, LoadError> {
    Ok(link::parse(&Context::new(), input)?.to_bitcode())
}

fn encode(cleaned: &Result<Vec<u8>, LoadError>) -> Vec<u8> {
    let (kind, content) = match cleaned {
        Ok(bitcode) => (CLEAN, bitcode.clone()),
        Err(LoadError::Target { target, .. }) => (WRONG_TARGET, target.clone().into_bytes()),
        Err(LoadError::Invalid { reason, .. }) => (INVALID, reason.clone().into_bytes()),
        Err(LoadError::NotBitcode { reason, .. }) => (NOT_BITCODE, reason.clone().into_bytes()),
        Err(error) => (NOT_BITCODE, error.to_string().into_bytes()),
    };
    [vec![kind], content].concat()
}

fn decode(mut message: Vec<u8>, input: &Input) -> Result<Vec<u8>, LoadError> {
    let kind = message.first().copied();
    let content = message.split_off(message.len().min(1));
    let path = input.path.clone();
    let text = || String::from_utf8_lossy(&content).into_owned();
    match kind {
        Some(CLEAN) => Ok(content),
        Some(WRONG_TARGET) => Err(LoadError::Target { path, target: text() }),
        Some(INVALID) => Err(LoadError::Invalid { path, reason: text() }),
        _ => Err(LoadError::NotBitcode { path, reason: text() }),
    }
}

fn fatal(input: &Input, failure: Failure, limit: Duration) -> LoadError {
    let path = input.path.clone();
    match failure {
        Failure::TimedOut => LoadError::TooSlow { path, limit },
        Failure::Crashed => LoadError::NotBitcode { path, reason: failure.to_string() },
    }
}
