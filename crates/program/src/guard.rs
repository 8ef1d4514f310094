//! Runs work in a child process that LLVM might not survive.
//!
//! LLVM crashes, aborts or loops on some malformed files. So a child process with limited memory and time reads the
//! files that a user supplies, and sends its result through a pipe.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::panic::AssertUnwindSafe;
use std::sync::RwLock;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, kill_process, set_parent_process_death_signal, setrlimit,
    waitpid,
};
use rustix::stdio::{dup2_stderr, dup2_stdout};

/// Why a child has not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The child died.
    #[error("LLVM crashes on it")]
    Crashed,
    /// The child used up its time.
    #[error("LLVM does not finish in time")]
    TimedOut,
}

/// Held for reading by threads that are inside LLVM, and for writing while a child is forked, so that the child never
/// inherits a lock of LLVM that another thread holds.
static INSIDE_LLVM: RwLock<()> = RwLock::new(());

/// Runs LLVM code in this process.
pub(crate) fn inside_llvm<T>(work: impl FnOnce() -> T) -> T {
    // The lock protects no data that a panic could leave inconsistent.
    let _guard = INSIDE_LLVM.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    work()
}

/// How long a child may take for that many bytes of bitcode, unless the user says otherwise: many times what it should
/// need.
pub(crate) fn time_for(bytes: usize) -> Duration {
    Duration::from_secs(30 + bytes as u64 / 50_000)
}

/// The child's end of the pipe.
pub(crate) struct Parent {
    pipe: File,
}

impl Parent {
    /// Sends a message.
    pub(crate) fn send(&mut self, message: &[u8]) {
        let length = (message.len() as u64).to_le_bytes();
        // If the parent no longer exists, the message is not needed.
        let _ = self.pipe.write_all(&length).and_then(|()| self.pipe.write_all(message));
    }
}

/// The result of work in a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    /// The messages of the child, in order.
    pub(crate) messages: Vec<Vec<u8>>,
    /// Why it did not finish.
    pub(crate) failure: Option<Failure>,
}

/// Runs `work` in a child process. An error means that no child could be started.
pub(crate) fn in_child(limit: Duration, work: impl FnOnce(&mut Parent)) -> io::Result<Report> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    let child = {
        let _guard = INSIDE_LLVM.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        // SAFETY: the child only uses memory, which is sound after a fork with this allocator, and its end of the pipe.
        unsafe { libc::fork() }
    };
    match Pid::from_raw(child) {
        _ if child < 0 => Err(io::Error::last_os_error()),
        None => {
            drop(reader);
            limit_child(limit);
            let mut parent = Parent { pipe: File::from(writer) };
            let survived = std::panic::catch_unwind(AssertUnwindSafe(|| work(&mut parent))).is_ok();
            // SAFETY: nothing of this copy of the process is needed any more.
            unsafe { libc::_exit(if survived { 0 } else { 1 }) }
        }
        Some(child) => {
            drop(writer);
            let (told, in_time) = listen(reader, limit * 2);
            if !in_time {
                let _ = kill_process(child, Signal::KILL);
            }
            let status = wait_for(child)?;
            let failure = if !in_time || status.terminating_signal() == Some(libc::SIGXCPU) {
                Some(Failure::TimedOut)
            } else if status.exit_status() == Some(0) {
                None
            } else {
                Some(Failure::Crashed)
            };
            Ok(Report { messages: messages(&told), failure })
        }
    }
}

/// How a child ended, once it has.
fn wait_for(child: Pid) -> io::Result<WaitStatus> {
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(status),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The complete messages in this data; a child that dies may leave half of one.
fn messages(mut told: &[u8]) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    while let Some((length, rest)) = told.split_first_chunk() {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((message, rest)) = rest.split_at_checked(length) else { break };
        messages.push(message.to_vec());
        told = rest;
    }
    messages
}

/// Everything that arrives until the child closes its end, and whether that happened in time.
fn listen(reader: OwnedFd, limit: Duration) -> (Vec<u8>, bool) {
    let mut file = File::from(reader);
    let deadline = Instant::now() + limit;
    let mut told = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return (told, false);
        }
        // A limit that has no such form is longer than anybody waits.
        let timeout = Timespec::try_from(left).ok();
        let ready = poll(&mut [PollFd::new(&file, PollFlags::IN)], timeout.as_ref());
        if ready.is_ok_and(|ends| ends > 0) {
            match file.read(&mut buffer) {
                Ok(0) => return (told, true),
                Ok(count) => told.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return (told, true),
            }
        }
    }
}

/// Limits the resources of a runaway child, and closes its output.
fn limit_child(limit: Duration) {
    // If the parent is killed, nobody wants the child's answer.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    /// How much memory the child may use in addition to the parent's.
    const MEMORY: u64 = 4 << 30;
    // A limit that cannot be set only makes a runaway child more expensive.
    let set = |resource, soft: u64, hard: u64| {
        let _ = setrlimit(resource, Rlimit { current: Some(soft), maximum: Some(hard) });
    };
    let memory = address_space() + MEMORY;
    set(Resource::Core, 0, 0);
    set(Resource::As, memory, memory);
    let seconds = limit.as_secs().max(1);
    // The soft limit is hit first and raises SIGXCPU, which distinguishes time-outs from crashes.
    set(Resource::Cpu, seconds, seconds + 5);
    for signal in [libc::SIGXCPU, libc::SIGSEGV, libc::SIGABRT, libc::SIGBUS, libc::SIGILL, libc::SIGFPE] {
        // SAFETY: no handler is installed.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
        let _ = dup2_stdout(&null).and_then(|()| dup2_stderr(&null));
    }
}

/// The current size of the address space.
fn address_space() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split(' ').next().and_then(|pages| pages.parse::<u64>().ok()))
        .unwrap_or(0);
    pages * 4096
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);

    fn failure(limit: Duration, work: impl FnOnce(&mut Parent)) -> Option<Failure> {
        in_child(limit, work).unwrap().failure
    }

    #[test]
    fn messages_arrive() {
        let large = vec![7; 1 << 20];
        let report = in_child(LIMIT, |parent| {
            parent.send(b"one");
            parent.send(b"");
            parent.send(&large);
        });
        assert_eq!(report.unwrap(), Report { messages: vec![b"one".to_vec(), Vec::new(), large], failure: None });
    }

    #[test]
    fn crashes_are_detected() {
        assert_eq!(failure(LIMIT, |_| {}), None);
        let crash = in_child(LIMIT, |parent| {
            parent.send(b"before");
            unsafe { libc::raise(libc::SIGSEGV) };
            parent.send(b"after");
        });
        let expected = Report { messages: vec![b"before".to_vec()], failure: Some(Failure::Crashed) };
        assert_eq!(crash.unwrap(), expected);
        assert_eq!(failure(LIMIT, |_| unsafe { libc::abort() }), Some(Failure::Crashed));
    }

    #[test]
    fn half_a_message_is_dropped() {
        let mut told = 3u64.to_le_bytes().to_vec();
        told.extend(b"one");
        told.extend(u64::MAX.to_le_bytes());
        told.extend(b"half");
        assert_eq!(messages(&told), [b"one"]);
        assert_eq!(messages(&told[..5]), [[]; 0]);
    }

    #[test]
    fn panics_count_as_crashes() {
        assert_eq!(failure(LIMIT, |_| panic!("expected")), Some(Failure::Crashed));
    }

    #[test]
    fn endless_loops_are_ended() {
        let busy = failure(Duration::from_secs(1), |_| {
            loop {
                std::hint::black_box(0);
            }
        });
        assert_eq!(busy, Some(Failure::TimedOut));
        let idle = failure(Duration::from_millis(200), |_| std::thread::sleep(Duration::from_secs(60)));
        assert_eq!(idle, Some(Failure::TimedOut));
    }

    #[test]
    fn excessive_memory_use_is_ended() {
        let greedy = failure(LIMIT, |_| {
            std::hint::black_box(vec![1u8; 16 << 30]);
        });
        assert_eq!(greedy, Some(Failure::Crashed));
    }
}
