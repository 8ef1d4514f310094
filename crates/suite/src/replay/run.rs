//! One native run of one test.

use super::build::{Build, Builds};
use super::evidence;
use super::trace::{COUNT_OFFSET, NativeTrace};
use crate::out_dir::StoredTest;
use crate::{Expected, TestCase, ktest};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Component, Path};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What is the same for all runs.
pub(super) struct Runner<'a> {
    /// `argv[0]`.
    pub(super) program: &'a str,
    /// How many branches are traced.
    pub(super) branches: u32,
    /// How many blocks are traced.
    pub(super) blocks: u32,
    /// When a run is stopped.
    pub(super) time_limit: Duration,
}

/// What a native run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NativeRun {
    pub(super) end: NativeEnd,
    /// What a sanitizer reported, in one line.
    pub(super) report: Option<String>,
    pub(super) trace: NativeTrace,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// How a native run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NativeEnd {
    Exit(i32),
    Signal(i32),
    /// It ran for longer than allowed.
    TimeOut,
    /// It was stopped because all that was predicted had been seen.
    Enough,
}

impl Runner<'_> {
    /// Runs a test in a folder of its own.
    pub(super) fn run(&self, builds: &Builds, stored: &StoredTest) -> io::Result<NativeRun> {
        let folder = tempfile::tempdir()?;
        let expected = &stored.prediction.end;
        let build = evidence::build_for(expected);
        let mut child = self.start(builds, build, &stored.test, expected, folder.path())?;
        let stdout = capture(child.stdout.take());
        let stderr = capture(child.stderr.take());
        // Where the engine could not go on, the program can, perhaps for ever.
        let enough = matches!(expected, Expected::Unsupported { .. } | Expected::Limit { .. })
            .then_some(stored.prediction.branches);
        let end = self.wait(&mut child, &folder.path().join(TRACE), enough)?;
        let trace = match fs::read(folder.path().join(TRACE)) {
            Ok(bytes) => NativeTrace::from_bytes(&bytes, self.branches, self.blocks)
                .ok_or_else(|| io::Error::other("the program damaged its trace"))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => NativeTrace::default(),
            Err(error) => return Err(error),
        };
        Ok(NativeRun { end, report: read_report(folder.path())?, trace, stdout: stdout(), stderr: stderr() })
    }

    fn start(
        &self,
        builds: &Builds,
        build: Build,
        test: &TestCase,
        expected: &Expected,
        folder: &Path,
    ) -> io::Result<Child> {
        let objects =
            TestCase { objects: test.objects.clone(), unwritten: test.unwritten.clone(), ..TestCase::default() };
        fs::write(folder.join("test.ktest"), ktest::write(&objects, self.program))?;
        let work = folder.join("work");
        fs::create_dir(&work)?;
        for (name, content) in &test.files {
            place_file(&work, name, content)?;
        }
        let stdin = match &test.stdin {
            Some(bytes) => {
                let path = folder.join("stdin");
                fs::write(&path, bytes)?;
                Stdio::from(File::open(path)?)
            }
            None => Stdio::null(),
        };

        let mut command = Command::new(builds.executable(build));
        command
            .arg0(c_str(self.program.as_bytes()))
            .args(test.args.iter().map(|arg| c_str(arg)))
            .env_clear()
            .envs(test.env.iter().map(|(name, value)| (c_str(name.as_bytes()), c_str(value))))
            .envs(sanitizer_options(folder, evidence::wants_leaks(expected)))
            .env("SECATEUR_TEST", folder.join("test.ktest"))
            .env("SECATEUR_TRACE", folder.join(TRACE))
            .env("SECATEUR_BRANCHES", self.branches.to_string())
            .env("SECATEUR_BLOCKS", self.blocks.to_string())
            .current_dir(work)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        // Sanitizers need several times the stack: a deep recursion that ends must not be taken for one that does not.
        let stack = if build == Build::Plain { PLAIN_STACK } else { SANITIZER_STACK };
        // SAFETY: only `getrlimit` and `setrlimit` are called between fork and exec; both are async-signal-safe.
        unsafe {
            command.pre_exec(move || {
                limit(libc::RLIMIT_CORE, 0);
                limit(libc::RLIMIT_STACK, stack);
                Ok(())
            });
        }
        command.spawn()
    }

    /// Waits for the end, or makes one; then nothing of the run is left running.
    fn wait(&self, child: &mut Child, trace: &Path, enough: Option<u64>) -> io::Result<NativeEnd> {
        let deadline = Instant::now() + self.time_limit;
        let mut pause = Duration::from_micros(200);
        let end = loop {
            if let Some(status) = child.try_wait()? {
                break match (status.code(), status.signal()) {
                    (Some(code), _) => NativeEnd::Exit(code),
                    (None, signal) => NativeEnd::Signal(signal.unwrap_or(0)),
                };
            }
            if Instant::now() >= deadline {
                break NativeEnd::TimeOut;
            }
            if enough.is_some_and(|count| branch_count(trace).is_some_and(|seen| seen >= count)) {
                break NativeEnd::Enough;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        };
        // The run is the leader of a process group that we made: nobody else is in it.
        // SAFETY: `kill` has no memory effects; a group that is gone is not an error worth telling.
        unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
        child.wait()?;
        Ok(end)
    }
}

impl fmt::Display for NativeRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.report, self.end) {
            (Some(report), _) => write!(f, "{report}"),
            (None, NativeEnd::Exit(code)) => write!(f, "exit {code}"),
            (None, NativeEnd::Signal(signal)) => write!(f, "{}", signal_name(signal)),
            (None, NativeEnd::TimeOut) => write!(f, "still running when time was up"),
            (None, NativeEnd::Enough) => write!(f, "still running"),
        }
    }
}

const TRACE: &str = "trace";
const REPORT: &str = "report";
const PLAIN_STACK: libc::rlim_t = 8 << 20;
const SANITIZER_STACK: libc::rlim_t = 256 << 20;
/// As much output as is kept of each stream.
const OUTPUT_LIMIT: usize = 1 << 20;

/// Reports go to a file, so that the program's own output cannot be taken for one. Abort and illegal instructions are ends that a
/// program brings about on purpose, so they are left to the system. Fresh heap memory is zero, as it is for the engine.
fn sanitizer_options(folder: &Path, leaks: bool) -> [(&'static str, String); 4] {
    let report = folder.join(REPORT).display().to_string();
    let quote = if report.contains('\'') { '"' } else { '\'' };
    let common = format!("log_path={quote}{report}{quote}:symbolize=0:exitcode=86:halt_on_error=1");
    let leaks = u8::from(leaks);
    let address = format!(
        "{common}:detect_leaks={leaks}:handle_abort=0:handle_sigill=0:allocator_may_return_null=1:\
         detect_stack_use_after_return=1:detect_odr_violation=0:redzone=256:max_malloc_fill_size=1073741824:malloc_fill_byte=0"
    );
    [
        ("ASAN_OPTIONS", address),
        ("LSAN_OPTIONS", common.clone()),
        ("MSAN_OPTIONS", format!("{common}:handle_abort=0:handle_sigill=0:allocator_may_return_null=1")),
        ("UBSAN_OPTIONS", common),
    ]
}

/// The line of a sanitizer's report that says what is wrong, without process number and addresses.
fn read_report(folder: &Path) -> io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(REPORT)
            && let Some(headline) = headline(&String::from_utf8_lossy(&fs::read(entry.path())?))
        {
            return Ok(Some(headline));
        }
    }
    Ok(None)
}

fn headline(report: &str) -> Option<String> {
    report.lines().find_map(|line| {
        if line.contains("runtime error: ") {
            return Some(secateur_program::printable(line.trim().to_string()));
        }
        let text = line.split_once("ERROR: ").or_else(|| line.split_once("WARNING: "))?.1;
        let text = text.split(" 0x").next().unwrap_or(text).trim_end_matches(':');
        Some(
            [" on address", " on unknown address", " on"]
                .iter()
                .find_map(|end| text.strip_suffix(end))
                .unwrap_or(text)
                .into(),
        )
    })
}

/// Reads a stream to its end on a thread of its own; what is beyond the limit is dropped, but never blocks the writer.
fn capture(stream: Option<impl Read + Send + 'static>) -> impl FnOnce() -> Vec<u8> {
    let reader = stream.map(|mut stream| {
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            let mut buffer = [0; 8192];
            // An error ends the stream as its end does.
            while let Ok(len @ 1..) = stream.read(&mut buffer) {
                let room = OUTPUT_LIMIT.saturating_sub(kept.len());
                kept.extend(&buffer[..len.min(room)]);
            }
            kept
        })
    });
    move || reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
}

/// How many branches a running program has taken so far.
fn branch_count(trace: &Path) -> Option<u64> {
    let mut bytes = [0; 8];
    File::open(trace).ok()?.read_exact_at(&mut bytes, COUNT_OFFSET).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// A file of the test must stay in the folder of the run.
fn place_file(work: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let relative = Path::new(name);
    if name.is_empty() || !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        let message = format!("its file `{name}` would lie outside of the working directory");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let path = work.join(relative);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, content)
}

/// What C sees of these bytes.
fn c_str(bytes: &[u8]) -> &OsStr {
    let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    OsStr::from_bytes(&bytes[..len])
}

/// Sets a limit as far as the system lets us. A run with another limit is better than none, so failure is not an error.
fn limit(resource: libc::__rlimit_resource_t, wanted: libc::rlim_t) {
    let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls get a valid pointer to a structure of our own.
    unsafe {
        if libc::getrlimit(resource, &mut limits) == 0 {
            limits.rlim_cur = wanted.min(limits.rlim_max);
            libc::setrlimit(resource, &limits);
        }
    }
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "abort",
        libc::SIGSEGV => "segmentation fault",
        libc::SIGFPE => "arithmetic exception",
        libc::SIGILL => "illegal instruction",
        libc::SIGBUS => "bus error",
        libc::SIGTRAP => "trap",
        _ => return format!("signal {signal}"),
    };
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headlines() {
        let check = |report: &str, expected: &str| assert_eq!(headline(report).as_deref(), Some(expected));
        check(
            "=====\n==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x1\nREAD of size 4",
            "AddressSanitizer: heap-buffer-overflow",
        );
        check("==12==ERROR: AddressSanitizer: SEGV on unknown address 0x000 (pc 0x5)\n", "AddressSanitizer: SEGV");
        check(
            "==12==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread",
            "AddressSanitizer: attempting double-free",
        );
        check(
            "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n",
            "MemorySanitizer: use-of-uninitialized-value",
        );
        check(
            "a.c:3:5: runtime error: signed integer overflow: 1 + 2",
            "a.c:3:5: runtime error: signed integer overflow: 1 + 2",
        );
        assert_eq!(headline("hello"), None);
    }

    #[test]
    fn files_stay_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        place_file(folder.path(), "a/b.txt", b"x").unwrap();
        assert_eq!(fs::read(folder.path().join("a/b.txt")).unwrap(), b"x");
        for name in ["", "../a", "/etc/a", "a/../../b"] {
            assert!(place_file(folder.path(), name, b"").is_err(), "{name}");
        }
    }

    #[test]
    fn c_strings_end_at_zero() {
        assert_eq!(c_str(b"ab\0c"), "ab");
    }
}
