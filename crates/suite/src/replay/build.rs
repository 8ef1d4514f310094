//! Compiles the instrumented program, once for each sanitizer that a test needs, and keeps the result in the output
//! folder.

use super::streams::{Stream, open_process, wait_for_events};
use super::{Instrument, ReplayError, ReplayOptions};
use crate::files::{temporary_name, write_atomically};
use crate::out_dir::{OutError, PROGRAM, REPLAY};
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process_group};
use secateur_program::instrument::InstrumentOptions;
use secateur_program::{INTERPOSED, LoadError};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How the program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(super) enum Build {
    /// With AddressSanitizer: for most tests.
    Address,
    /// With MemorySanitizer: for uses of uninitialised memory.
    Memory,
    /// With none: for stack overflows, since a sanitizer's frames are several times larger than the program's own.
    Plain,
    /// Optimised and with none, to run a libFuzzer harness on many inputs.
    Fast,
    /// Optimised and with AddressSanitizer, to run it on those that do something new.
    Checked,
}

impl Build {
    fn name(self) -> &'static str {
        match self {
            Build::Address => "address",
            Build::Memory => "memory",
            Build::Plain => "plain",
            Build::Fast => "fast",
            Build::Checked => "checked",
        }
    }

    /// Whether it runs many inputs in one process.
    fn runs_many(self) -> bool {
        matches!(self, Build::Fast | Build::Checked)
    }
}

/// The executables.
#[derive(Debug)]
pub(super) struct Builds(BTreeMap<Build, PathBuf>);

impl Builds {
    /// Compiles what is needed of a program, its bitcode and the libraries that it uses, unless an earlier replay did.
    pub(super) fn make(
        out: &Path,
        options: &ReplayOptions,
        (bitcode, libraries): (&[u8], &[String]),
        instrument: &Instrument,
        needed: impl Iterator<Item = Build>,
    ) -> Result<Builds, ReplayError> {
        let mut builds = BTreeMap::new();
        for build in needed.collect::<BTreeSet<_>>() {
            let instrumented = instrument(bitcode, build).map_err(|error| damaged(out, &error))?;
            builds.insert(build, make(out, options, (&instrumented, libraries), build)?);
        }
        Ok(Builds(builds))
    }

    /// Executables that were compiled before.
    pub(super) fn of(executables: BTreeMap<Build, PathBuf>) -> Builds {
        Builds(executables)
    }

    /// The executable of a build that was needed.
    pub(super) fn executable(&self, build: Build) -> &Path {
        &self.0[&build]
    }
}

/// We wrote the bitcode ourselves, so if it cannot be read, it was changed.
fn damaged(out: &Path, error: &LoadError) -> OutError {
    let message = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    OutError::Damaged { path: out.join(PROGRAM), message }
}

/// Instruments the bitcode of the user's program for a build.
pub(super) fn instrument(bitcode: &[u8], build: Build) -> Result<Vec<u8>, LoadError> {
    let options = InstrumentOptions {
        asan: matches!(build, Build::Address | Build::Checked),
        msan: build == Build::Memory,
        trace: true,
        many_runs: build.runs_many(),
    };
    secateur_program::instrument::instrument(bitcode, &options)
}

fn make(
    out: &Path,
    options: &ReplayOptions,
    (bitcode, libraries): (&[u8], &[String]),
    build: Build,
) -> Result<PathBuf, ReplayError> {
    let library = options.runtime.join(if build.runs_many() { "replay/native.c" } else { "replay/replay.c" });
    let before = options.runtime.join("replay/before.c");
    let text = |path: &Path| fs::read(path).map_err(|_| ReplayError::NoRuntime { path: path.into() });
    let world = uses_world(bitcode).then(|| options.runtime.join("replay/world"));
    let world_text = world.as_deref().map_or(Ok(Vec::new()), texts)?;
    let flags = flags(build, bitcode);
    let libraries = link_options(libraries);
    let key = key(&(&options.clang, text(&library)?, text(&before)?, world_text, &flags, bitcode, &libraries));

    // The test may run elsewhere, so the name of the executable must not depend on the working directory.
    let folder = std::path::absolute(out.join(REPLAY)).map_err(|source| io_error("find", out, source))?;
    let _lock = lock(&folder)?;
    let executable = folder.join(format!("{}-{key}", build.name()));
    if fs::symlink_metadata(&executable).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(executable);
    }
    // Removes builds of other programs, and incomplete ones.
    remove_all_of(&folder, build.name())?;
    let input = format!("{}.bc", build.name());
    write_atomically(&folder.join(&input), bitcode)?;
    let unfinished = temporary_name(&executable);
    let compile = |more: &[&Path], libraries: &[String]| {
        let mut command = Command::new(&options.clang);
        command
            // The linker's messages are read below.
            .env("LC_ALL", "C")
            // The executable contains the name of the bitcode, which must not depend on where the folder is.
            .current_dir(&folder)
            .args(&flags)
            // Its place in memory is that on the command line.
            .args((build == Build::Address).then_some(["-x", "c"]).into_iter().flatten())
            .args((build == Build::Address).then_some(&before))
            .args(["-x", "ir"])
            .arg(&input)
            .args(["-x", "c"])
            .arg(&library)
            .args(world.as_ref().map(|folder| folder.join("world.c")))
            .args(more)
            .args(["-x", "none"])
            .args(libraries)
            .args(["-lm", "-o"])
            .arg(&unfinished);
        output_until(&mut command, options).inspect_err(|_| {
            let _ = fs::remove_file(&unfinished);
        })
    };
    let mut linked = libraries.as_slice();
    let mut output = compile(&[], linked)?;
    let mut missing = undefined(&output.messages);
    if !output.succeeded && missing.is_empty() && !linked.is_empty() {
        // A library may have been removed since the program was built: what it has is missing then.
        linked = &[];
        output = compile(&[], linked)?;
        missing = undefined(&output.messages);
    }
    if !output.succeeded && !missing.is_empty() {
        let stubs = folder.join(format!("{}.missing.c", build.name()));
        write_atomically(&stubs, stubs_for(&missing).as_bytes())?;
        output = compile(&[&stubs], linked)?;
    }
    if !output.succeeded {
        let _ = fs::remove_file(&unfinished);
        return Err(ReplayError::Compile { messages: output.messages.trim_end().into() });
    }
    // It is renamed when it is complete, so that an interrupted build is never used.
    fs::rename(&unfinished, &executable).map_err(|source| io_error("write", &executable, source))?;
    Ok(executable)
}

/// Whether the program calls a function that shows it the outside world. Then it needs replay's own.
fn uses_world(bitcode: &[u8]) -> bool {
    let prefix = b"__secateur_";
    let mut calls = bitcode.windows(prefix.len()).enumerate().filter(|(_, window)| window == prefix);
    calls.any(|(at, _)| {
        let rest = &bitcode[at + prefix.len()..];
        let substitutes = ["failing_", "any_"];
        INTERPOSED.iter().chain(&substitutes).any(|name| rest.starts_with(name.as_bytes()))
    })
}

/// The content of all files of a folder, in the order of their names.
fn texts(folder: &Path) -> Result<Vec<Vec<u8>>, ReplayError> {
    let missing = |_| ReplayError::NoRuntime { path: folder.into() };
    let mut files: Vec<PathBuf> = fs::read_dir(folder).map_err(missing)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).map_err(missing)).collect()
}

/// What the compiler says.
struct Output {
    succeeded: bool,
    messages: String,
}

/// Runs the compiler, until the deadline at most.
fn output_until(command: &mut Command, options: &ReplayOptions) -> Result<Output, ReplayError> {
    let failed = |source| ReplayError::NoCompiler { path: options.clang.clone(), source };
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let mut streams = [Stream::of(child.stderr.take().map(Into::into)).map_err(failed)?, Stream::default()];
    let of_child = open_process(&child);
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            streams[0].read_available();
            let messages = String::from_utf8_lossy(&streams[0].take()).into_owned();
            return Ok(Output { succeeded: status.success(), messages });
        }
        if options.deadline.is_over() {
            // The compiler starts other processes, which are in the group that we created for it.
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            child.wait().map_err(failed)?;
            return Err(ReplayError::TooLong);
        }
        let pause = Duration::from_millis(if of_child.is_some() { 100 } else { 2 });
        wait_for_events(&mut streams, of_child.as_ref(), options.deadline.pause(pause));
    }
}

/// Creates the folder of the builds and locks it until the file is closed, so that no other process builds in it. It
/// must not be a link: builds would be written elsewhere.
fn lock(folder: &Path) -> Result<File, OutError> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(io_error("create", folder, error)),
        _ => {}
    }
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(folder);
    let file = file.map_err(|source| io_error("use", folder, source))?;
    // Some file systems have no locks; there we do without.
    let _ = flock(&file, FlockOperation::LockExclusive);
    Ok(file)
}

fn remove_all_of(folder: &Path, name: &str) -> Result<(), OutError> {
    let entries = fs::read_dir(folder).map_err(|source| io_error("read", folder, source))?;
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().trim_start_matches('.').starts_with(name) {
            // It may be in use, or be a folder; then it merely takes space.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Nothing is optimised: the bitcode must run as it is, bugs included. Only where inputs are looked for, not judged,
/// speed counts more.
fn flags(build: Build, bitcode: &[u8]) -> Vec<&'static str> {
    let mut sanitizers = match build {
        Build::Address => vec!["-fsanitize=address", "-fno-omit-frame-pointer"],
        Build::Memory => vec!["-fsanitize=memory", "-fno-omit-frame-pointer"],
        Build::Plain => vec![],
        Build::Fast => vec!["-O1"],
        Build::Checked => vec!["-fsanitize=address", "-O1"],
    };
    // Checks of undefined behaviour were compiled in as calls; here they only need functions to call.
    let handler = b"__ubsan_handle_";
    if bitcode.windows(handler.len()).any(|window| window == handler) {
        sanitizers.push("-fsanitize=undefined");
    }
    [&["-O0", "-g", "-w", "-fdebug-compilation-dir=."][..], &sanitizers].concat()
}

/// The options that link these libraries, and find them again when the program runs. The output folder may be another
/// user's, so anything that is not a library is left out.
fn link_options(libraries: &[String]) -> Vec<String> {
    let mut options = Vec::new();
    for library in libraries {
        let name = Path::new(library).file_name().unwrap_or_default().to_string_lossy();
        let is_file = library.starts_with('/') && (name.ends_with(".a") || name.contains(".so"));
        if let Some(folder) = library.strip_prefix("-L").filter(|folder| folder.starts_with('/')) {
            options.extend([library.clone(), "-Xlinker".into(), "-rpath".into(), "-Xlinker".into(), folder.into()]);
        } else if is_file || library == "-pthread" || library.len() > 2 && library.starts_with("-l") {
            options.push(library.clone());
        }
    }
    options
}

/// The symbols that the linker did not find.
fn undefined(messages: &str) -> BTreeSet<String> {
    let names = messages.lines().filter_map(|line| line.split_once("undefined reference to `")?.1.strip_suffix('\''));
    names
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\%".contains(&byte)))
        .map(Into::into)
        .collect()
}

/// Definitions of functions that exist nowhere. The engine ends a path where it would call one, so a replay may end
/// there, too. All other paths of the program can be replayed as usual.
fn stubs_for(missing: &BTreeSet<String>) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n");
    for (number, name) in missing.iter().enumerate() {
        text.push_str(&format!(
            "void missing_{number}(void) __asm__(\"{name}\");\n\
             void missing_{number}(void) {{ fputs(\"secateur: {name} is not defined\\n\", stderr); abort(); }}\n"
        ));
    }
    text
}

fn key(inputs: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    inputs.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn io_error(action: &'static str, path: &Path, source: std::io::Error) -> OutError {
    OutError::Io { action, path: path.into(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each function that replay puts before one of the C library is defined, and calls go there.
    #[test]
    fn the_world_defines_what_is_interposed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/replay/world");
        let text = texts(Path::new(folder)).unwrap().concat();
        let text = String::from_utf8(text).unwrap();
        let names = text.match_indices("__secateur_").filter_map(|(at, prefix)| {
            let rest = &text[at + prefix.len()..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            rest[end..].starts_with('(').then(|| &rest[..end])
        });
        let is_substitute = |name: &&str| name.starts_with("failing_") || name.starts_with("any_");
        let defined: BTreeSet<&str> = names.filter(|name| !is_substitute(name)).collect();
        assert_eq!(defined, INTERPOSED.iter().copied().collect());
        assert!(uses_world(b"xx__secateur_openx") && !uses_world(b"__secateur_branch__secateur_block"));
    }

    #[test]
    fn only_libraries_are_linked() {
        let given = ["-lm", "-L/x y", "-pthread", "/y/libz.so.1", "/y/liba.a", "-fplugin=x", "-l", "-Lx", "@x", "/x"];
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        let expected =
            ["-lm", "-L/x y", "-Xlinker", "-rpath", "-Xlinker", "/x y", "-pthread", "/y/libz.so.1", "/y/liba.a"];
        assert_eq!(link_options(&given), expected);
    }

    #[test]
    fn missing_functions_are_read_from_the_messages_of_the_linker() {
        let messages = "/usr/bin/ld: /tmp/a.o: in function `main':\n\
                        /home/a.c:5: undefined reference to `launch'\n\
                        /usr/bin/ld: a.c:(.text+0x5): undefined reference to `launch'\n\
                        /usr/bin/ld: /home/b.c:7: undefined reference to `land.1'\n\
                        clang: error: linker command failed with exit code 1 (use -v to see invocation)\n";
        assert_eq!(undefined(messages).into_iter().collect::<Vec<_>>(), ["land.1", "launch"]);
        assert_eq!(undefined("error: expected ';'").len(), 0);
        assert_eq!(undefined("undefined reference to `odd\"name'").len(), 0);
    }
}
