//! `secateur cc`: a C compiler that also keeps bitcode.
//!
//! Everything is passed on to clang, so it can stand wherever `cc` can. Besides, each C file is compiled to bitcode,
//! which goes into a section of its object ([`secateur_embed`]). Whatever fails in that costs the bitcode, never the
//! build: the section then says why there is none.

mod bitcode;
mod command;
mod language;
mod libraries;
mod native;
mod options;
mod response;

use command::{Invocation, Mode};
use native::Native;
use secateur_embed::{Kind, Record};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

/// The option that makes errors of what clang refuses by default, even though it is common in old C. It is ours; all
/// others are clang's.
pub const STRICT: &str = "--strict";

/// Runs the compiler on these arguments, those after `secateur cc`, and returns its exit code. An error means that it
/// could not be run.
pub fn cc(clang: &Path, arguments: Vec<OsString>) -> io::Result<i32> {
    let strict = arguments.iter().any(|argument| argument == STRICT);
    let arguments: Vec<OsString> = arguments.into_iter().filter(|argument| argument != STRICT).collect();
    let folder = tempfile::tempdir()?;
    let invocation = Invocation::parse(&response::expand(&arguments)?);
    let native = Native::new(clang, folder.path(), strict, arguments, &invocation)?;
    match invocation.mode {
        Mode::Other => native.run(),
        Mode::Compile => compile(&invocation, &native, clang),
        Mode::Link => link(&invocation, &native, clang),
    }
}

/// `-c`: the bitcode of each file goes into its object.
fn compile(invocation: &Invocation, native: &Native<'_>, clang: &Path) -> io::Result<i32> {
    let running = native.start()?;
    let records: Vec<Vec<u8>> =
        invocation.sources().map(|source| bitcode::record_of(clang, invocation, source, native).encode()).collect();
    let code = running.wait()?;
    if code != 0 {
        return Ok(code);
    }
    for (source, record) in invocation.sources().zip(records) {
        let object = native.object_of(source);
        // Output to a device, or with an option that is not known here, is left alone.
        if fs::metadata(&object).is_ok_and(|metadata| metadata.is_file()) {
            native::replace(&object, |content| secateur_embed::attach(content, &record).is_ok())?;
        }
    }
    native.finish()
}

/// Linking: an additional object has the bitcode of the C files on the command line, and the libraries.
fn link(invocation: &Invocation, native: &Native<'_>, clang: &Path) -> io::Result<i32> {
    if invocation.is_for_another_machine() {
        return native.run();
    }
    let mut names = invocation.options().map(|(name, _)| name.to_string_lossy());
    if let Some(option) = names.find(|name| options::is_lto(name)) {
        // Once, and not for every file.
        eprintln!("secateur cc: {option} is left out, since it would leave no objects to keep bitcode in");
    }
    let mut section = Vec::new();
    for source in invocation.sources() {
        section.extend(bitcode::record_of(clang, invocation, source, native).encode());
    }
    if !invocation.is_partial() {
        let content = libraries::of(invocation).concat();
        let name = invocation.output.clone().unwrap_or_else(|| "a.out".into());
        section.extend(record(Kind::Link, &name, content).encode());
    }
    match secateur_embed::carrier(&section) {
        Ok(object) => native.run_with(&object),
        Err(_) => native.run(),
    }
}

/// A record about a file.
fn record(kind: Kind, name: &std::ffi::OsStr, content: Vec<u8>) -> Record {
    let directory = std::env::current_dir().unwrap_or_default().into_os_string();
    Record { kind, directory: directory.into_encoded_bytes(), name: name.as_encoded_bytes().to_vec(), content }
}
