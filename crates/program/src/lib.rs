//! Loads a C program: compiles it, links it with our C library, and lowers it to the dense code that the machine runs.
//!
//! This is the only crate that knows LLVM; nothing that it returns changes after loading.

mod access;
mod cfg;
pub mod code;
mod compile;
mod dump;
mod error;
mod guard;
mod harness;
pub mod instrument;
mod link;
mod llvm;
mod lower;
mod number;
mod options;
mod verify;

pub use code::*;
pub use error::LoadError;
pub use options::{Entry, LoadOptions, OptLevel, Runtime};
pub use verify::verify;

use guard::Failure;
use link::Input;
use llvm::{Context, Module};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::time::Duration;

/// A program, ready to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// What the machine runs.
    pub program: Program,
    /// The user's part of it, as bitcode with numbered branches: what native replay compiles.
    pub user_bitcode: Vec<u8>,
    /// What the user should know, though loading succeeded.
    pub warnings: Vec<String>,
}

/// Loads a program.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    let mut inputs = Vec::new();
    let mut foreign = false;
    for path in &options.inputs {
        let (bitcode, compiled) = read(path, options)?;
        foreign |= !compiled;
        inputs.push(Input { path: path.clone(), bitcode });
    }
    let shims: FxHashSet<&str> = options.shims.iter().map(String::as_str).collect();
    if foreign {
        try_foreign(&inputs, options, &shims)?;
    }
    let mut warnings = Vec::new();
    let (user_bitcode, program) = guard::inside_llvm(|| {
        let context = Context::new();
        let module = user_module(&context, &inputs, options, &mut warnings, || {})?;
        let user_bitcode = module.to_bitcode();
        link::library(&module, options)?;
        Ok((user_bitcode, lower::lower(&module, &shims)?))
    })?;
    if cfg!(debug_assertions) {
        verify(&program).map_err(|faults| LoadError::Malformed {
            reason: faults.into_iter().take(3).collect::<Vec<_>>().join("; "),
        })?;
    }
    Ok(Loaded { program, user_bitcode, warnings })
}

/// How bitcode begins: plain, and in a wrapper.
const BITCODE_MAGIC: [[u8; 4]; 2] = [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]];

/// The bitcode (or textual IR) of a file, and whether we compiled it ourselves.
fn read(path: &Path, options: &LoadOptions) -> Result<(Vec<u8>, bool), LoadError> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("c" | "i") => Ok((compile::compile(path, options)?, true)),
        Some(ending @ ("bc" | "ll")) => {
            let bytes = std::fs::read(path).map_err(|error| LoadError::Read { path: path.to_path_buf(), error })?;
            // LLVM takes whatever does not look like bitcode for text, and even an empty file for a program.
            if ending == "bc" && !BITCODE_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
                let reason = "it does not begin like bitcode".to_string();
                return Err(LoadError::NotBitcode { path: path.to_path_buf(), reason });
            }
            Ok((bytes, false))
        }
        _ => Err(LoadError::UnknownKind { path: path.to_path_buf() }),
    }
}

/// The user's files as one module, with `main`, marked and numbered.
fn user_module<'c>(
    context: &'c Context,
    inputs: &[Input],
    options: &LoadOptions,
    warnings: &mut Vec<String>,
    before_each: impl Fn(),
) -> Result<Module<'c>, LoadError> {
    let module = link::user(context, inputs, warnings, before_each)?;
    harness::add(&module, &options.entry)?;
    number::mark_user(&module);
    Ok(module)
}

/// Loads files that did not come from our compiler in a child process first, because LLVM may not survive them.
fn try_foreign(inputs: &[Input], options: &LoadOptions, shims: &FxHashSet<&str>) -> Result<(), LoadError> {
    let size: usize = inputs.iter().map(|input| input.bitcode.len()).sum();
    let limit = Duration::from_secs(10 + size as u64 / 100_000);
    let outcome = guard::try_in_child(limit, |progress| {
        let context = Context::new();
        // Errors are not interesting here: the same ones come up again outside, where they can be returned.
        if let Ok(module) = user_module(&context, inputs, options, &mut Vec::new(), || progress.step()) {
            module.to_bitcode();
            let _ = lower::lower(&module, shims);
        }
    });
    outcome.map_err(|(failure, steps)| LoadError::NotBitcode {
        path: inputs.get(steps.saturating_sub(1)).map(|input| input.path.clone()).unwrap_or_default(),
        reason: match failure {
            Failure::Crashed => "LLVM crashes on it".to_string(),
            Failure::TimedOut => "LLVM does not get done with it".to_string(),
        },
    })
}
