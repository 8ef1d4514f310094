//! Loads a C program: compiles it, links it with our C library, and lowers it to the dense code that the machine runs.
//!
//! This is the only crate that uses LLVM; nothing that it returns changes after loading.

mod access;
mod cfg;
pub mod code;
mod compile;
pub mod compiler;
mod dump;
mod embedded;
mod error;
mod foreign;
mod fresh;
mod given_file;
mod goal;
mod guard;
mod harness;
mod index;
mod input;
pub mod instrument;
mod interposed;
mod jumps;
mod link;
mod llvm;
mod lower;
mod names;
mod nearest;
mod number;
mod options;
mod printable;
mod renames;
mod substitutes;
mod tuning;
pub mod unit;
mod verify;
mod widths;

pub use code::*;
pub use error::LoadError;
pub use given_file::{GivenContent, GivenFile};
pub use goal::{GoalPoint, TARGET};
pub use harness::{DEFAULT_MAX_LEN, ORIGINAL_MAIN};
pub use interposed::INTERPOSED;
pub use names::{LocalName, Names, Part};
pub use nearest::{nearest, similar};
pub use options::{Entry, LoadOptions, OptLevel, Runtime, SymbolicGlobals, UnitOptions};
pub use printable::printable;
pub use tuning::Tuning;
pub use unit::Unit;
pub use verify::verify;

use input::{Input, Inputs};
use llvm::Context;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// A program, ready to run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// What the machine runs.
    pub program: Program,
    /// The user's part of it, as bitcode with numbered branches: what native replay compiles.
    pub user_bitcode: Vec<u8>,
    /// The function under test, if a single one is tested and its types are known.
    pub unit: Option<Unit>,
    /// The libraries that native replay links: options of the linker.
    pub libraries: Vec<String>,
    /// The most bytes that it is given, if it is run as a libFuzzer harness.
    pub max_len: Option<u32>,
    /// Warnings: what the user should know although loading succeeded.
    pub warnings: Vec<String>,
}

/// The files of a program, compiled and read: they can be loaded several times, with different entries.
pub struct Files(Inputs);

/// Compiles and reads the files of a program.
pub fn read(options: &LoadOptions) -> Result<Files, LoadError> {
    Inputs::read(options).map(Files)
}

/// Loads a program.
pub fn load(options: &LoadOptions) -> Result<Loaded, LoadError> {
    load_files(&mut read(options)?, options)
}

/// Loads a program whose files were read before.
pub fn load_files(files: &mut Files, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let Inputs { files, libraries, warnings, .. } = &mut files.0;
    let of_foreign = foreign::load(files, options.timeout, |cleaned| link_and_lower(cleaned, options))?;
    // The output of a child that has read a foreign file is not trusted.
    let is_doubtful = of_foreign.is_some() || cfg!(debug_assertions);
    let mut loaded = match of_foreign {
        Some(loaded) => loaded,
        None => guard::inside_llvm(|| link_and_lower(files, options))?,
    };
    loaded.libraries = libraries.clone();
    // They are the same each time.
    loaded.warnings.splice(0..0, warnings.drain(..));
    if is_doubtful {
        verify(&loaded.program).map_err(|faults| LoadError::Malformed {
            reason: faults.into_iter().take(3).collect::<Vec<_>>().join("; "),
        })?;
    }
    Ok(loaded)
}

/// The names of the functions that the user's source files define, static ones included, without `main`.
pub fn functions(files: &mut Files, options: &LoadOptions) -> Result<Vec<String>, LoadError> {
    let files = &mut files.0.files;
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
    match foreign::load(files, options.timeout, list)? {
        Some(names) => Ok(names),
        None => guard::inside_llvm(|| list(files)),
    }
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
    let unit = harness::add(&module, options)?;
    number::mark_user(&module);
    substitutes::apply(&module, options);
    let user_bitcode = module.to_bitcode();
    if options.runtime.libc.is_some() {
        jumps::save_signals(&module);
    }
    link::library(&module, options)?;
    let shims: FxHashSet<&str> = options.shims.iter().map(String::as_str).collect();
    let program = lower::lower(&module, &shims, options)?;
    Ok(Loaded { program, user_bitcode, unit, libraries: Vec::new(), max_len, warnings })
}
