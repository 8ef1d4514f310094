//! What the integration tests share: where things are and how the program is run.

#![allow(dead_code)] // Each test binary uses a part of it.

pub mod expectation;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the checkout.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("the crate lies two folders below the root").to_path_buf()
}

/// The program under test, with the runtime that `make build` installed.
pub fn secateur() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateur"));
    if std::env::var_os("SECATEUR_RUNTIME").is_none() {
        command.env("SECATEUR_RUNTIME", root().join("lib").join("secateur"));
    }
    command
}

/// Runs a command; the error is what it printed on both streams, if its exit code is not one of `codes`.
pub fn expect_exit(command: &mut Command, codes: &[i32]) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    match output.status.code() {
        Some(code) if codes.contains(&code) => Ok(output),
        code => Err(format!(
            "{command:?} ended with {code:?} instead of {codes:?}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// All C files below a folder, in a fixed order.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
