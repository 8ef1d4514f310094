//! A running solver process, as its parent sees it: requests are sent, replies awaited, and it is killed if it exceeds
//! a limit.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};

use crate::process::SolverProcess;
use crate::process::message::{Reply, first_frame, header};
use crate::process::server::SERVE;
use crate::{Deadline, SolverError, Tuning};

/// How often limits are checked while the process works. This is a constant because it affects only when limits are
/// noticed.
const PERIOD: Duration = Duration::from_millis(20);

/// Why there is no reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    TimedOut,
    OutOfMemory,
    /// The process ended, or sent what is not a reply.
    Died,
}

/// A solver process, which is killed when this value is dropped.
pub(super) struct Child {
    process: std::process::Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Bytes that arrived and were not parsed yet.
    received: Vec<u8>,
}

impl Child {
    pub(super) fn start(setup: &SolverProcess) -> Result<Child, SolverError> {
        let failed = |source: io::Error| SolverError::Process { program: setup.program.clone(), source };
        let mut process = Command::new(&setup.program)
            .arg(SERVE)
            .arg(std::process::id().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C in the terminal signals the process group of the parent, which stops its children itself.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        for end in [input.as_fd(), output.as_fd()] {
            // A blocking pipe would prevent us from checking limits.
            fcntl_setfl(end, OFlags::NONBLOCK).map_err(|error| failed(error.into()))?;
        }
        Ok(Child { process, input, output, received: Vec::new() })
    }

    /// Sends a frame.
    pub(super) fn send(&mut self, frame: &[u8], limits: &Limits) -> Result<(), Failure> {
        let mut watch = Watch::new(self.process.id(), limits);
        for mut part in [&header(frame)[..], frame] {
            while !part.is_empty() {
                match self.input.write(part) {
                    Ok(0) => return Err(Failure::Died),
                    Ok(count) => part = &part[count..],
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        wait(self.input.as_fd(), PollFlags::OUT);
                        watch.check()?;
                    }
                    Err(_) => return Err(Failure::Died),
                }
            }
        }
        Ok(())
    }

    /// Waits for the next reply.
    pub(super) fn receive(&mut self, limits: &Limits) -> Result<Reply, Failure> {
        let mut watch = Watch::new(self.process.id(), limits);
        let mut buffer = [0; 1 << 12];
        loop {
            if let Some((frame, length)) = first_frame(&self.received) {
                let reply = postcard::from_bytes(frame).map_err(|_| Failure::Died);
                self.received.drain(..length);
                return reply;
            }
            match self.output.read(&mut buffer) {
                Ok(0) => return Err(Failure::Died),
                Ok(count) => self.received.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.output.as_fd(), PollFlags::IN);
                    watch.check()?;
                }
                Err(_) => return Err(Failure::Died),
            }
        }
    }

    /// How much memory it uses, in bytes.
    pub(super) fn memory(&self) -> u64 {
        memory_of(&self.process.id().to_string())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have exited by itself. Then killing fails, but it still has to be reaped.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a process may use for a question.
pub(super) struct Limits<'a> {
    pub(super) deadline: &'a Deadline,
    pub(super) setup: &'a SolverProcess,
    pub(super) tuning: &'a Tuning,
}

impl Limits<'_> {
    /// How much memory one solver process may use, if that is limited.
    fn memory(&self) -> Option<u64> {
        let limit = self.setup.memory?;
        let least = (limit as f64 * self.tuning.process_memory_share) as u64;
        Some(limit.saturating_sub(memory_of("self")).max(least) / self.setup.workers.max(1))
    }
}

/// Checks from time to time that a process keeps its limits.
struct Watch<'a> {
    process: u32,
    limits: &'a Limits<'a>,
    next_check: Instant,
}

impl<'a> Watch<'a> {
    fn new(process: u32, limits: &'a Limits<'a>) -> Watch<'a> {
        Watch { process, limits, next_check: Instant::now() + PERIOD }
    }

    /// Fails if a limit is exceeded. Does nothing if it was called less than a period ago.
    fn check(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        if now < self.next_check {
            return Ok(());
        }
        self.next_check = now + PERIOD;
        let Limits { deadline, tuning, .. } = self.limits;
        if deadline.is_interrupted() || deadline.is_over_since(tuning.process_grace) {
            return Err(Failure::TimedOut);
        }
        if self.limits.memory().is_some_and(|limit| memory_of(&self.process.to_string()) > limit) {
            return Err(Failure::OutOfMemory);
        }
        Ok(())
    }
}

/// How much memory a process uses, in bytes; 0 if it is gone.
fn memory_of(process: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Waits until a pipe is ready, for at most one period.
fn wait(end: BorrowedFd<'_>, events: PollFlags) {
    let period = Timespec { tv_sec: 0, tv_nsec: PERIOD.subsec_nanos().into() };
    // The result does not matter, since the caller tries the pipe again.
    let _ = poll(&mut [PollFd::from_borrowed_fd(end, events)], Some(&period));
}
