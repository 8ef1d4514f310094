//! One native run of one test.

use super::build::{Build, Builds};
use super::deadline::Deadline;
use super::evidence;
use super::root::{self, Root};
use super::sandbox::{Descriptors, Limits, Sandbox};
use super::streams::{Stream, open_process, wait_for_events};
use super::trace::{COUNT_OFFSET, NativeTrace, Wanted};
use crate::out_dir::StoredTest;
use crate::{Expected, TestCase, ktest};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, Signal, kill_process_group};
use secateur_program::GivenFile;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The settings that all runs share.
pub(super) struct Runner<'a> {
    /// `argv[0]`.
    pub(super) program: &'a str,
    /// How many branches are traced.
    pub(super) branches: u32,
    /// How many blocks are traced.
    pub(super) blocks: u32,
    /// When a run is stopped.
    pub(super) time_limit: Duration,
    /// When all runs are stopped.
    pub(super) deadline: Deadline,
    /// The sandbox of the runs.
    pub(super) sandbox: Sandbox,
    /// Where the folders of the runs are created.
    pub(super) scratch: &'a Path,
    /// The files that every test finds.
    pub(super) given: &'a [GivenFile],
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
    /// It was stopped because it had done everything that was predicted.
    Enough,
    /// Its files took more room than allowed.
    TooManyFiles,
}

impl Runner<'_> {
    /// Runs a test in a folder of its own.
    pub(super) fn run(&self, builds: &Builds, stored: &StoredTest) -> io::Result<NativeRun> {
        let folder = tempfile::tempdir_in(self.scratch)?;
        let expected = &stored.prediction.end;
        let mut started = self.start(builds, &stored.test, expected, folder.path())?;
        // Where the engine could not continue, the program can, perhaps for ever.
        let enough =
            matches!(expected, Expected::Unsupported { .. } | Expected::Ignored { .. } | Expected::Limit { .. })
                .then_some(stored.prediction.branches);
        let end = self.wait(&mut started, folder.path(), enough)?;
        let trace = NativeTrace::from_bytes(&read_all(&started.trace)?, self.branches, self.blocks)
            .ok_or_else(|| io::Error::other("the program damaged its trace"))?;
        let [stdout, stderr] = started.streams.each_mut().map(Stream::take);
        Ok(NativeRun { end, report: read_report(folder.path())?, trace, stdout, stderr })
    }

    fn start(&self, builds: &Builds, test: &TestCase, expected: &Expected, folder: &Path) -> io::Result<Started> {
        let build = evidence::build_for(expected);
        let find_leaks = evidence::wants_leaks(expected);
        let report = folder.join(REPORT);
        let wanted = Wanted { branches: self.branches, blocks: self.blocks, find_leaks, report: &report };
        let (header, len) = wanted.to_bytes().ok_or_else(|| io::Error::other("its path is too long"))?;
        let trace = in_memory(&header)?;
        trace.set_len(len)?;
        let objects =
            TestCase { objects: test.objects.clone(), unwritten: test.unwritten.clone(), ..TestCase::default() };
        let input = in_memory(&ktest::write(&objects, self.program))?;
        let root = Root::make(folder)?;
        let work = root.home();
        root.place_given(self.given)?;
        for (name, content) in &test.files {
            root.place_file(name, content)?;
        }
        root.finish(self.given)?;
        let stdin = match &test.stdin {
            Some(bytes) => {
                let path = folder.join("stdin");
                root::write_file(&path, bytes, 0o644)?;
                Stdio::from(File::open(path)?)
            }
            None => Stdio::null(),
        };
        // Sanitizers need several times the stack: deep recursion that ends must not be taken for endless recursion.
        let stack = if build == Build::Plain { PLAIN_STACK } else { SANITIZER_STACK };
        let mut cell = self.sandbox.cell(folder, &work, Limits { stack, find_leaks })?;
        let (watched, lifeline) = io::pipe()?;
        let descriptors = Descriptors {
            lifeline: watched.as_raw_fd(),
            passed: [(input.as_raw_fd(), TEST_DESCRIPTOR), (trace.as_raw_fd(), TRACE_DESCRIPTOR)],
        };

        let mut command = Command::new(builds.executable(build));
        command
            .arg0(c_str(self.program.as_bytes()))
            .args(test.args.iter().map(|arg| c_str(arg)))
            .env_clear()
            .envs(test.env.iter().map(|(name, value)| (c_str(name.as_bytes()), c_str(value))))
            .current_dir(work)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        // SAFETY: the closure makes system calls only, and all memory that it needs is in the cell.
        unsafe { command.pre_exec(move || cell.split(&descriptors)) };
        let mut child = command.spawn()?;
        let streams =
            [Stream::of(child.stdout.take().map(OwnedFd::from))?, Stream::of(child.stderr.take().map(OwnedFd::from))?];
        Ok(Started { child, streams, lifeline: Some(lifeline.into()), trace })
    }

    /// Waits for the run to end, or ends it. Afterwards, none of its processes is left.
    fn wait(&self, started: &mut Started, folder: &Path, enough: Option<u64>) -> io::Result<NativeEnd> {
        let begin = Instant::now();
        let own_deadline = begin + self.time_limit;
        let of_child = open_process(&started.child);
        let mut look_at_files = begin + FILES_INTERVAL;
        loop {
            let now = Instant::now();
            if let Some(status) = started.child.try_wait()? {
                for stream in &mut started.streams {
                    stream.read_available();
                }
                return Ok(match (status.code(), status.signal()) {
                    (Some(code), _) => NativeEnd::Exit(code),
                    (None, signal) => NativeEnd::Signal(signal.unwrap_or(0)),
                });
            }
            let end = if now >= own_deadline || self.deadline.is_over() {
                Some(NativeEnd::TimeOut)
            } else if enough.is_some_and(|count| branch_count(&started.trace).is_some_and(|seen| seen >= count)) {
                Some(NativeEnd::Enough)
            } else if now >= look_at_files {
                look_at_files = now + FILES_INTERVAL;
                (size_of_files(folder) > FILES).then_some(NativeEnd::TooManyFiles)
            } else {
                None
            };
            if let Some(end) = end {
                started.stop(of_child.as_ref())?;
                return Ok(end);
            }
            // Counting branches needs frequent polling, at first even more so.
            let often = (now - begin).clamp(Duration::from_micros(200), Duration::from_millis(5));
            let pause = if enough.is_some() || of_child.is_none() { often } else { look_at_files - now };
            let pause = self.deadline.pause(pause.min(own_deadline - now));
            wait_for_events(&mut started.streams, of_child.as_ref(), pause);
        }
    }
}

/// A run in progress, with its pipes.
struct Started {
    /// The warden of the run, which ends as the run does.
    child: Child,
    /// Standard output and standard error.
    streams: [Stream; 2],
    /// When it is closed, the warden ends the run.
    lifeline: Option<OwnedFd>,
    trace: File,
}

impl Started {
    /// Asks the warden to end the run, and ends the warden if that takes too long.
    fn stop(&mut self, of_child: Option<&OwnedFd>) -> io::Result<ExitStatus> {
        self.lifeline = None;
        let deadline = Instant::now() + WARDEN_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            wait_for_events(&mut self.streams, of_child, Duration::from_millis(2));
        }
        self.kill()
    }

    fn kill(&mut self) -> io::Result<ExitStatus> {
        // The warden leads a process group that we created, so nothing else is in it. It is no error if the group no
        // longer exists.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.child.wait()
    }
}

impl Drop for Started {
    /// An error of ours must not leave processes running.
    fn drop(&mut self) {
        if self.lifeline.is_some() && matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.stop(None);
        }
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
            (None, NativeEnd::TooManyFiles) => write!(f, "stopped, because it wrote more than {} MB", FILES >> 20),
        }
    }
}

/// The numbers under which the replay library expects its files; they are those of `replay.h`.
const TEST_DESCRIPTOR: i32 = 1000;
const TRACE_DESCRIPTOR: i32 = 1001;
const REPORT: &str = "report";
const PLAIN_STACK: u64 = 8 << 20;
const SANITIZER_STACK: u64 = 256 << 20;
/// How much room the files of a run may take.
const FILES: u64 = 512 << 20;
/// How often that is checked.
const FILES_INTERVAL: Duration = Duration::from_millis(100);
/// How long a warden may take to end a run.
const WARDEN_TIMEOUT: Duration = Duration::from_secs(2);

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
        // Only MemorySanitizer reports bugs as warnings. After other warnings, such as that of a failed allocation, the
        // program continues.
        let warning = || line.split_once("WARNING: ").filter(|(_, text)| text.starts_with("MemorySanitizer: "));
        let text = line.split_once("ERROR: ").or_else(warning)?.1;
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

/// A file without a name, so that no other process can open it, and which disappears when it is closed.
fn in_memory(content: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create(c"secateur", MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    Ok(file)
}

fn read_all(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; file.metadata()?.len() as usize];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// How many branches a running program has taken so far.
fn branch_count(trace: &File) -> Option<u64> {
    let mut bytes = [0; 8];
    trace.read_exact_at(&mut bytes, COUNT_OFFSET).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// How much room the files in a folder take. Files that vanish or cannot be read count as empty.
fn size_of_files(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size_of_files(&entry.path()),
        Ok(metadata) => metadata.blocks() * 512,
        Err(_) => 0,
    });
    sizes.sum()
}

/// The C string at the start of these bytes.
fn c_str(bytes: &[u8]) -> &OsStr {
    let len = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    OsStr::from_bytes(&bytes[..len])
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "abort",
        libc::SIGSEGV => "segmentation fault",
        libc::SIGFPE => "arithmetic exception",
        libc::SIGILL => "illegal instruction",
        libc::SIGBUS => "bus error",
        libc::SIGTRAP => "trap",
        libc::SIGXFSZ => "a file that is too large",
        libc::SIGKILL => "killed, perhaps because it used too much memory",
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
        check(
            "==1==WARNING: AddressSanitizer failed to allocate 0x1000000000000000 bytes\n\
             ==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000\n",
            "AddressSanitizer: SEGV",
        );
        for none in [
            "hello",
            "==1==WARNING: AddressSanitizer failed to allocate 0x1000000000000000 bytes\n",
            "==1==WARNING: MemorySanitizer failed to allocate 0x1000000000000000 bytes\n",
        ] {
            assert_eq!(headline(none), None, "{none}");
        }
    }

    #[test]
    fn c_strings_end_at_zero() {
        assert_eq!(c_str(b"ab\0c"), "ab");
    }
}
