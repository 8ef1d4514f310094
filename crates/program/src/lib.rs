//! Loads a C program: compiles it, links it with our C library, and lowers it to the dense code that the machine runs.
//!
//! This is the only crate that uses LLVM; nothing that it returns changes after loading.

mod access;
mod cfg;
pub mod code;
mod compile;
mod dump;
mod error;
mod foreign;
mod fresh;
mod guard;
mod harness;
mod index;
pub mod instrument;
mod interposed;
mod link;
mod llvm;
mod lower;
mod names;
mod nearest;
mod number;
mod options;
mod printable;
pub mod unit;
mod verify;
mod widths;

pub use code::*;
pub use error::LoadError;
pub use harness::{DEFAULT_MAX_LEN, ORIGINAL_MAIN};
pub use interposed::INTERPOSED;
pub use names::{LocalName, Names, Part};
pub use nearest::{nearest, similar};
pub use options::{Entry, LoadOptions, OptLevel, Runtime, SymbolicGlobals, UnitOptions};
pub use printable::printable;
pub use unit::Unit;
pub use verify::verify;

use link::Input;
use llvm::Context;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A program, ready to run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// What the machine runs.
    pub program: Program,
    /// The user's part of it, as bitcode with numbered branches: what native replay compiles.
    pub user_bitcode: Vec<u8>,
    /// The function under test, if a single one is tested and its types are known.
    pub unit: Option<Unit>,
    /// The most bytes that it is given, if it is run as a libFuzzer harness.
    pub max_len: Option<u32>,
    /// Warnings: what the user should know although loading succeeded.
    pub warnings: Vec<String>,
}

/// Loads a program.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    let mut inputs = Vec::new();
    for path in &options.inputs {
        inputs.push(read(path, options)?);
    }
    let of_foreign = foreign::load(&mut inputs, options.timeout, |cleaned| link_and_lower(cleaned, options))?;
    // The output of a child that has read a foreign file is not trusted.
    let is_doubtful = of_foreign.is_some() || cfg!(debug_assertions);
    let loaded = match of_foreign {
        Some(loaded) => loaded,
        None => guard::inside_llvm(|| link_and_lower(&inputs, options))?,
    };
    if is_doubtful {
        verify(&loaded.program).map_err(|faults| LoadError::Malformed {
            reason: faults.into_iter().take(3).collect::<Vec<_>>().join("; "),
        })?;
    }
    Ok(loaded)
}

/// The names of the functions that the user's source files define, static ones included, without `main`.
pub fn functions(options: &LoadOptions) -> Result<Vec<String>, LoadError> {
    let mut inputs = Vec::new();
    for path in &options.inputs {
        inputs.push(read(path, options)?);
    }
    let list = |inputs: &[Input]| {
        let context = Context::new();
        let mut names: Vec<String> = Vec::new();
        let mut seen = FxHashSet::default();
        for input in inputs {
            // One file at a time, since linking drops static functions.
            for name in harness::functions(&link::parse(&context, input)?) {
                if seen.insert(name.clone()) {
                    names.push(name);
                }
            }
        }
        Ok(names)
    };
    match foreign::load(&mut inputs, options.timeout, list)? {
        Some(names) => Ok(names),
        None => guard::inside_llvm(|| list(&inputs)),
    }
}

/// How bitcode begins: plain, and in a wrapper.
const BITCODE_MAGIC: [[u8; 4]; 2] = [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]];

/// The bitcode (or textual IR) of a file.
fn read(path: &Path, options: &LoadOptions) -> Result<Input, LoadError> {
    let (bitcode, foreign) = match path.extension().and_then(|ending| ending.to_str()) {
        Some("c" | "i") => (compile::compile(path, options)?, false),
        Some(ending @ ("bc" | "ll")) => {
            let bytes = std::fs::read(path).map_err(|error| LoadError::Read { path: path.to_path_buf(), error })?;
            // LLVM parses anything that does not look like bitcode as text, and accepts even an empty file.
            if ending == "bc" && !BITCODE_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
                let reason = "it does not begin like bitcode".to_string();
                return Err(LoadError::NotBitcode { path: path.to_path_buf(), reason });
            }
            (bytes, true)
        }
        _ => return Err(LoadError::UnknownKind { path: path.to_path_buf() }),
    };
    Ok(Input { path: path.to_path_buf(), bitcode, foreign })
}

/// Links the user's files, gives them a `main`, marks and numbers them, adds what they need of the C library, and
/// lowers everything.
fn link_and_lower(inputs: &[Input], options: &LoadOptions) -> Result<Loaded, LoadError> {
    let context = Context::new();
    let mut warnings = Vec::new();
    let tested = match &options.entry {
        Entry::Function(unit) => Some(unit.function.as_str()),
        _ => None,
    };
    let module = link::user(&context, inputs, tested, &mut warnings)?;
    let max_len = harness::fuzzer_max_len(&module, &options.entry);
    let unit = harness::add(&module, &options.entry, options.pin_size)?;
    number::mark_user(&module);
    let user_bitcode = module.to_bitcode();
    link::library(&module, options)?;
    let shims: FxHashSet<&str> = options.shims.iter().map(String::as_str).collect();
    let program = lower::lower(&module, &shims, options.promote_locals)?;
    Ok(Loaded { program, user_bitcode, unit, max_len, warnings })
}
