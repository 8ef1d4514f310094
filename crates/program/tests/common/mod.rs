//! What the tests share: loading a piece of C.

#![allow(dead_code)]

use secateur_program::{LoadError, LoadOptions, Loaded, OptLevel, load, verify};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The levels at which everything must work.
pub const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// A folder of our own with one source file in it.
pub struct Source {
    folder: tempfile::TempDir,
    name: String,
}

impl Source {
    pub fn new(name: &str, text: &str) -> Source {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join(name), text).expect("room for a small file");
        Source { folder, name: name.to_string() }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// What `clang-19` makes of it with these options.
    pub fn clang(&self, args: &[&str], output: &str) -> PathBuf {
        let output = self.folder.path().join(output);
        let done = Command::new("clang-19").args(args).arg(self.path()).arg("-o").arg(&output).output();
        let done = done.expect("clang-19 is installed");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        output
    }

    pub fn options(&self) -> LoadOptions {
        LoadOptions { inputs: vec![self.path()], ..LoadOptions::default() }
    }
}

/// Loads and checks the result with the verifier.
pub fn load_verified(options: &LoadOptions) -> Result<Loaded, LoadError> {
    let loaded = load(options)?;
    verify(&loaded.program).unwrap_or_else(|faults| panic!("{}", faults.join("\n")));
    Ok(loaded)
}

/// Loads a piece of C.
pub fn load_c(text: &str, opt_level: OptLevel) -> Loaded {
    let source = Source::new("test.c", text);
    load_verified(&LoadOptions { opt_level, ..source.options() }).unwrap_or_else(|error| panic!("{error}"))
}

/// Loads textual IR.
pub fn load_ll(text: &str) -> Result<Loaded, LoadError> {
    let source = Source::new("test.ll", text);
    load_verified(&source.options())
}

/// A function of a program as text.
pub fn dump(loaded: &Loaded, name: &str) -> String {
    let id = loaded.program.function(name).unwrap_or_else(|| panic!("no function {name}"));
    loaded.program.dump(id).to_string()
}

/// Everything that cannot be run, of the user's functions.
pub fn unsupported(loaded: &Loaded) -> Vec<String> {
    let bodies = loaded.program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.unsupported.clone()).collect()
}
