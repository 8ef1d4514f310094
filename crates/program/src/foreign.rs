//! Reads files that did not come from our compiler.
//!
//! Malformed bitcode can take LLVM down, or leave it damaged without a sign. So a child process parses the file and writes it anew; the
//! rest of loading sees only what LLVM itself wrote. That, too, happens in the child, which sends what came of it.

use crate::error::LoadError;
use crate::guard::{self, Failure};
use crate::link::{self, Input};
use crate::llvm::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How a message from the child begins.
const CLEAN: u8 = 0;
const NOT_BITCODE: u8 = 1;
const WRONG_TARGET: u8 = 2;
const INVALID: u8 = 3;

/// Replaces foreign files by what LLVM makes of them, and does `rest` with all of them, in a child. If that comes to an error, the
/// answer is `None`: the child has survived it, so that the caller can safely do the same and see it. So it is if no file is foreign.
pub(crate) fn load<T: Serialize + DeserializeOwned>(
    inputs: &mut [Input],
    rest: impl FnOnce(&[Input]) -> Result<T, LoadError>,
) -> Result<Option<T>, LoadError> {
    if !inputs.iter().any(|input| input.foreign) {
        return Ok(None);
    }
    let size: usize = inputs.iter().map(|input| input.bitcode.len()).sum();
    let limit = Duration::from_secs(10 + size as u64 / 100_000);
    let report = guard::in_child(limit, |parent| {
        for input in inputs.iter_mut().filter(|input| input.foreign) {
            let cleaned = rewrite(input);
            parent.tell(&encode(&cleaned));
            match cleaned {
                Ok(bitcode) => input.bitcode = bitcode,
                Err(_) => return,
            }
        }
        if let Some(loaded) = rest(inputs).ok().and_then(|loaded| postcard::to_allocvec(&loaded).ok()) {
            parent.tell(&loaded);
        }
    });
    let report = report.map_err(|error| LoadError::NoChild { error })?;
    let mut told = report.messages.into_iter();
    for input in inputs.iter_mut().filter(|input| input.foreign) {
        match (told.next(), report.failure) {
            (Some(message), _) => input.bitcode = decode(message, input)?,
            (None, failure) => return Err(fatal(input, failure.unwrap_or(Failure::Crashed))),
        }
    }
    match (report.failure, inputs.iter().rfind(|input| input.foreign)) {
        (Some(failure), Some(input)) => Err(fatal(input, failure)),
        _ => Ok(told.next().and_then(|loaded| postcard::from_bytes(&loaded).ok())),
    }
}

/// Parses a file and writes it anew.
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

fn fatal(input: &Input, failure: Failure) -> LoadError {
    let reason = match failure {
        Failure::Crashed => "LLVM crashes on it",
        Failure::TimedOut => "LLVM does not get done with it",
    };
    LoadError::NotBitcode { path: input.path.clone(), reason: reason.to_string() }
}
