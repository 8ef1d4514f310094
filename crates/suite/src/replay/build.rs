//! Compiles the instrumented program, once for each sanitizer that a test needs, and keeps the result in the output folder.

use super::{Instrument, ReplayError, ReplayOptions};
use crate::out_dir::{OutError, REPLAY, write_atomically};
use secateur_program::LoadError;
use secateur_program::instrument::InstrumentOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) enum Build {
    /// With AddressSanitizer: for most tests.
    Address,
    /// With MemorySanitizer: for uses of uninitialised memory.
    Memory,
    /// With none: for stack overflows, since a sanitizer's frames are several times larger than the program's own.
    Plain,
}

impl Build {
    fn name(self) -> &'static str {
        match self {
            Build::Address => "address",
            Build::Memory => "memory",
            Build::Plain => "plain",
        }
    }
}

/// The executables.
#[derive(Debug)]
pub(super) struct Builds(BTreeMap<Build, PathBuf>);

impl Builds {
    /// Compiles what is needed and not there from an earlier replay.
    pub(super) fn make(
        out: &Path,
        options: &ReplayOptions,
        bitcode: &[u8],
        instrument: &Instrument,
        needed: impl Iterator<Item = Build>,
    ) -> Result<Builds, ReplayError> {
        let mut builds = BTreeMap::new();
        for build in needed.collect::<BTreeSet<_>>() {
            builds.insert(build, make(out, options, &instrument(bitcode, build)?, build)?);
        }
        Ok(Builds(builds))
    }

    /// The executable of a build that was needed.
    pub(super) fn executable(&self, build: Build) -> &Path {
        &self.0[&build]
    }
}

/// Instruments the bitcode of the user's program for a build.
pub(super) fn instrument(bitcode: &[u8], build: Build) -> Result<Vec<u8>, LoadError> {
    let options = InstrumentOptions { asan: build == Build::Address, msan: build == Build::Memory, trace: true };
    secateur_program::instrument::instrument(bitcode, &options)
}

fn make(out: &Path, options: &ReplayOptions, bitcode: &[u8], build: Build) -> Result<PathBuf, ReplayError> {
    let library = options.runtime.join("replay/replay.c");
    let library_text = fs::read(&library).map_err(|_| ReplayError::NoRuntime { path: library.clone() })?;
    let flags = flags(build, bitcode);
    let key = key(&(&options.clang, &library_text, &flags, bitcode));

    // The test may run elsewhere, so the name of the executable must not depend on the working directory.
    let folder = std::path::absolute(out.join(REPLAY)).map_err(|source| io_error("find", out, source))?;
    fs::create_dir_all(&folder).map_err(|source| io_error("create", &folder, source))?;
    let executable = folder.join(build.name());
    let stamp = folder.join(format!("{}.key", build.name()));
    if executable.exists() && fs::read_to_string(&stamp).is_ok_and(|text| text == key) {
        return Ok(executable);
    }

    // The stamp is removed first and written last: what was interrupted is not believed.
    let _ = fs::remove_file(&stamp);
    let input = folder.join(format!("{}.bc", build.name()));
    write_atomically(&input, bitcode)?;
    let output = Command::new(&options.clang)
        .args(&flags)
        .args(["-x", "ir"])
        .arg(&input)
        .args(["-x", "c"])
        .arg(&library)
        .args(["-x", "none", "-lm", "-o"])
        .arg(&executable)
        .output()
        .map_err(|source| ReplayError::NoCompiler { path: options.clang.clone(), source })?;
    if !output.status.success() {
        return Err(ReplayError::Compile { messages: String::from_utf8_lossy(&output.stderr).trim_end().into() });
    }
    write_atomically(&stamp, key.as_bytes())?;
    Ok(executable)
}

/// Nothing is optimised: what the bitcode does, bugs included, is what is to be run.
fn flags(build: Build, bitcode: &[u8]) -> Vec<&'static str> {
    let mut sanitizers = match build {
        Build::Address => vec!["-fsanitize=address", "-fno-omit-frame-pointer"],
        Build::Memory => vec!["-fsanitize=memory", "-fno-omit-frame-pointer"],
        Build::Plain => vec![],
    };
    // Checks of undefined behaviour were compiled in as calls; here they only need somebody to answer.
    let handler = b"__ubsan_handle_";
    if bitcode.windows(handler.len()).any(|window| window == handler) {
        sanitizers.push("-fsanitize=undefined");
    }
    [&["-O0", "-g", "-w"][..], &sanitizers].concat()
}

fn key(inputs: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    inputs.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn io_error(action: &'static str, path: &Path, source: std::io::Error) -> OutError {
    OutError::Io { action, path: path.into(), source }
}
