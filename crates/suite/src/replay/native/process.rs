//! The process that runs inputs natively, one batch after the other. Its side is `runtime/replay/native.c`.
//!
//! It is confined like any native run. What it shares with us is a file in memory, of which nothing is believed but
//! numbers: inputs are never read back.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, Signal, kill_process_group};

use super::super::sandbox::{Descriptors, Limits, Sandbox};
use crate::Scratch;

// The numbers are those of `native.h`.
const CONTROL_DESCRIPTOR: i32 = 1000;
const MEMORY_DESCRIPTOR: i32 = 1001;
const EXIT_HANG: i32 = 123;
const EXIT_SANITIZER: i32 = 86;
const OUTCOMES: u64 = 64;
const MAX_INPUTS: usize = 1024;
const MAX_DATA: usize = 1 << 20;
const HEADER: u64 = 32;
const FIRST_OFFSET: u64 = 4;
const ENTRY: usize = 24;
const DATA_OFFSET: u64 = HEADER + (MAX_INPUTS * ENTRY) as u64;

/// The stack of a run, as for replay under a sanitizer.
const STACK: u64 = 256 << 20;
/// How long the process may take to be ready. This and the next are constants because a process that takes longer is
/// broken.
const START_TIME: Duration = Duration::from_secs(10);
/// How long it may take to answer after the time for a batch: it ends inputs that take too long by itself.
const EXTRA_TIME: Duration = Duration::from_secs(5);

/// What an input was the first to have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum NewlyCovered {
    Nothing,
    /// Another number of times that a branch had an outcome.
    Count,
    /// An outcome of a branch.
    Outcome,
}

/// What an input did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Observed {
    pub newly_covered: NewlyCovered,
    /// Identifies the set of outcomes that it had.
    pub signature: u64,
    pub end: End,
}

/// How an input ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The harness returned, or ended the process in an orderly way.
    Returned,
    /// A signal or a sanitizer ended it.
    Crashed,
    /// It took too long, or too much memory.
    Hung,
}

/// A process that runs inputs.
pub(super) struct Process {
    executable: PathBuf,
    program: String,
    sandbox: Sandbox,
    scratch: Scratch,
    memory: File,
    running: Option<Running>,
}

/// The process itself.
struct Running {
    /// The warden, which ends as the process does.
    child: Child,
    control: UnixStream,
    /// When it is closed, the warden ends everything.
    lifeline: Option<io::PipeWriter>,
    /// Its folder.
    _folder: tempfile::TempDir,
}

impl Process {
    /// Prepares a process for a program with so many branches; it starts with the first batch.
    pub(super) fn new(executable: &Path, program: &str, branches: u32, trust: bool) -> io::Result<Process> {
        let scratch = Scratch::new()?;
        let sandbox = if trust { Sandbox::NONE } else { Sandbox::probe(scratch.path()) };
        let memory = File::from(memfd_create(c"secateur", MemfdFlags::CLOEXEC)?);
        let tables = u64::from(branches) * OUTCOMES * 6;
        memory.set_len(DATA_OFFSET + MAX_DATA as u64 + tables)?;
        memory.write_all_at(&branches.to_le_bytes(), 0)?;
        Ok(Process { executable: executable.into(), program: program.into(), sandbox, scratch, memory, running: None })
    }

    /// What the sandbox cannot prevent.
    pub(super) fn unconfined(&self) -> Vec<&'static str> {
        self.sandbox.missing()
    }

    /// How many inputs, from the first on, fit into one batch.
    pub(super) fn fitting(inputs: &[Vec<u8>]) -> usize {
        let mut room = MAX_DATA;
        inputs
            .iter()
            .take(MAX_INPUTS)
            .take_while(|input| {
                let fits = input.len() <= room;
                room = room.saturating_sub(input.len());
                fits
            })
            .count()
    }

    /// Runs inputs for at most this time; returns what each did that was run. It is at least one.
    pub(super) fn run(&mut self, inputs: &[Vec<u8>], time: Duration) -> io::Result<Vec<Observed>> {
        let count = Process::fitting(inputs).max(1).min(inputs.len());
        let mut table = Vec::with_capacity(count * ENTRY);
        let mut data = Vec::new();
        for input in &inputs[..count] {
            // One that is too long for a batch is cut.
            let input = &input[..input.len().min(MAX_DATA)];
            table.extend((data.len() as u32).to_le_bytes());
            table.extend((input.len() as u32).to_le_bytes());
            table.extend([0; 16]);
            data.extend(input);
        }
        let microseconds = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        // From `first` to `time`.
        let header = [0, count as u32, 0, 0, 0, 0, microseconds];
        let header: Vec<u8> = header.iter().flat_map(|number: &u32| number.to_le_bytes()).collect();
        self.memory.write_all_at(&table, HEADER)?;
        self.memory.write_all_at(&data, DATA_OFFSET)?;
        self.memory.write_all_at(&header, FIRST_OFFSET)?;
        let mut ends = vec![End::Returned; count];
        let mut first = 0;
        let begin = Instant::now();
        let ran = loop {
            let answered = self.send_batch(time)?;
            let [.., current, done, status, _, _] = self.read_header()?;
            let current = (current as usize).clamp(first, count - 1);
            if answered && done == 1 {
                break current + 1;
            }
            ends[current] = if answered { end_of(status) } else { End::Hung };
            first = current + 1;
            // A program on which every input crashes must not keep us.
            if first == count || !answered || begin.elapsed() >= time {
                break first;
            }
            self.memory.write_all_at(&(first as u32).to_le_bytes(), FIRST_OFFSET)?;
        };
        let mut table = vec![0; ran * ENTRY];
        self.memory.read_exact_at(&mut table, HEADER)?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let observed = table.chunks_exact(ENTRY).zip(&ends).map(|(entry, end)| Observed {
            signature: number(&entry[8..16]),
            newly_covered: match entry[16] {
                0 => NewlyCovered::Nothing,
                1 => NewlyCovered::Count,
                _ => NewlyCovered::Outcome,
            },
            end: *end,
        });
        Ok(observed.collect())
    }

    fn read_header(&self) -> io::Result<[u32; 8]> {
        let mut bytes = [0; HEADER as usize];
        self.memory.read_exact_at(&mut bytes, 0)?;
        let mut numbers = [0; 8];
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
            *number = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Ok(numbers)
    }

    /// Lets the process run the batch; returns false if it does not answer, and ends it then.
    fn send_batch(&mut self, time: Duration) -> io::Result<bool> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let Some(running) = &mut self.running else { return Ok(false) };
        running.control.set_read_timeout(Some(time + EXTRA_TIME))?;
        let answered = running.control.write_all(&[1]).is_ok() && running.control.read_exact(&mut [0]).is_ok();
        if !answered {
            self.running = None;
        }
        Ok(answered)
    }

    fn start(&self) -> io::Result<Running> {
        let folder = tempfile::tempdir_in(self.scratch.path())?;
        let work = folder.path().join("work");
        fs::create_dir(&work)?;
        let mut cell = self.sandbox.cell(folder.path(), &work, Limits { stack: STACK, find_leaks: false })?;
        let (watched, lifeline) = io::pipe()?;
        let (control, theirs) = UnixStream::pair()?;
        let descriptors = Descriptors {
            lifeline: watched.as_raw_fd(),
            passed: [(theirs.as_raw_fd(), CONTROL_DESCRIPTOR), (self.memory.as_raw_fd(), MEMORY_DESCRIPTOR)],
        };
        let mut command = Command::new(&self.executable);
        command
            .arg0(OsStr::from_bytes(self.program.as_bytes()))
            .env_clear()
            .current_dir(work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        // SAFETY: the closure makes system calls only, and all memory that it needs is in the cell.
        unsafe { command.pre_exec(move || cell.split(&descriptors)) };
        let child = command.spawn()?;
        drop((watched, theirs));
        let mut running = Running { child, control, lifeline: Some(lifeline), _folder: folder };
        running.control.set_read_timeout(Some(START_TIME))?;
        running.control.read_exact(&mut [0]).map_err(|_| io::Error::other("the harness does not start"))?;
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.lifeline = None;
        // The warden leads a process group that we created. It ends everything else; we do not wait for that.
        let deadline = Instant::now() + Duration::from_secs(2);
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() >= deadline {
                let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
                let _ = self.child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// How an input ended that ended the process that ran it.
fn end_of(status: u32) -> End {
    let status = ExitStatus::from_raw(status as i32);
    match (status.code(), status.signal()) {
        (Some(EXIT_HANG), _) => End::Hung,
        (Some(EXIT_SANITIZER), _) | (None, _) => End::Crashed,
        (Some(_), _) => End::Returned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(end_of(0), End::Returned);
        assert_eq!(end_of(3 << 8), End::Returned);
        assert_eq!(end_of(86 << 8), End::Crashed);
        assert_eq!(end_of(123 << 8), End::Hung);
        assert_eq!(end_of(libc::SIGSEGV as u32), End::Crashed);
    }

    #[test]
    fn a_batch_has_limits() {
        assert_eq!(Process::fitting(&vec![vec![0; 10]; 2000]), MAX_INPUTS);
        assert_eq!(Process::fitting(&vec![vec![0; 1 << 19]; 3]), 2);
        assert_eq!(Process::fitting(&[vec![0; MAX_DATA + 1]]), 0);
    }
}
