//! Loads a C program: compiles it, links it with our C library, and lowers it to the dense code that the machine runs.
//!
//! This is the only crate that knows LLVM; nothing that it returns changes after loading.

mod cfg;
pub mod code;
mod compile;
mod error;
mod link;
mod llvm;
mod lower;
mod number;
mod options;

pub use code::*;
pub use error::LoadError;
pub use options::{Entry, LoadOptions, OptLevel, Runtime};

use llvm::Context;
use rustc_hash::FxHashSet;

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
    let mut warnings = Vec::new();
    let context = Context::new();
    let module = link::user(&context, options, &mut warnings)?;
    number::mark_user(&module);
    let user_bitcode = module.to_bitcode();
    link::library(&module, options)?;
    let shims: FxHashSet<&str> = options.shims.iter().map(String::as_str).collect();
    let program = lower::lower(&module, &shims)?;
    Ok(Loaded { program, user_bitcode, warnings })
}
