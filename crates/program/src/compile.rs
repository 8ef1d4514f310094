//! Compiles C to bitcode, with clang.

use crate::error::LoadError;
use crate::options::{LoadOptions, OptLevel};
use std::path::Path;
use std::process::Command;

/// Compiles one source file; gives the bitcode.
pub(crate) fn compile(source: &Path, options: &LoadOptions) -> Result<Vec<u8>, LoadError> {
    let folder = tempfile::tempdir().map_err(|error| LoadError::Read { path: std::env::temp_dir(), error })?;
    let output = folder.path().join("out.bc");
    let mut command = Command::new(&options.clang);
    command.args(["-c", "-emit-llvm", "-g", "-fno-discard-value-names", options.opt_level.flag()]);
    if options.opt_level == OptLevel::O0 {
        command.args(["-Xclang", "-disable-O0-optnone"]);
    }
    if let Some(include) = &options.runtime.include {
        command.arg("-I").arg(include);
    }
    command.args(&options.cflags).arg("-o").arg(&output).arg(source);
    let status = command.status().map_err(|error| LoadError::NoCompiler { path: options.clang.clone(), error })?;
    if !status.success() {
        return Err(LoadError::Compile { path: source.to_path_buf(), messages: String::new() });
    }
    std::fs::read(&output).map_err(|error| LoadError::Read { path: output, error })
}
