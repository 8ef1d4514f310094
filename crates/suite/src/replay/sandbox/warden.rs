//! The process between us and a native run. It starts the run, ends everything that the run has started, and reports
//! the run's end by ending in the same way. It also ends the run when our process ends, for whatever reason.
//!
//! All of this happens between fork and exec of a process that may have had many threads: only system calls are
//! allowed, and no memory may be allocated.
//!
//! With a process namespace, the run and all its descendants are in it and die with its first process, which does
//! nothing else. Without one, orphans become children of the warden, which ends them one by one.

use super::Cell;
use super::limits::{MEMORY, offer_memory};
use super::namespaces::{self, Namespaces};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open, openat};
use rustix::io::Errno;
use rustix::path::DecInt;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, getrlimit,
    kill_process, pidfd_open, set_child_subreaper, set_parent_process_death_signal, setrlimit, setsid, wait, waitid,
    waitpid,
};
use rustix::stdio::{dup2_stdin, dup2_stdout, stdin, stdout};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};

/// Open descriptors that are passed on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptors {
    /// A pipe whose other end we hold: it hangs up when we want the run to end, or when we end ourselves.
    pub(crate) lifeline: RawFd,
    /// What the program gets, each with the number under which it expects it.
    pub(crate) passed: [(RawFd, RawFd); 2],
}

impl Cell {
    /// Splits the process into a warden and a child that is to execute the program: only the child returns.
    pub(crate) fn split(&mut self, descriptors: &Descriptors) -> io::Result<()> {
        if self.wanted {
            offer_memory();
        }
        // There, processes have the numbers that the warden knows; the run may get a `/proc` of its own.
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let processes = open(c"/proc", flags, Mode::empty()).ok();
        let first = match &self.namespaces {
            Some(namespaces) => {
                namespaces.enter()?;
                let first = start_first(namespaces, descriptors)?;
                namespaces.make_read_only()?;
                Some(first)
            }
            None => {
                // Where it fails, orphans get away, but the run can still be judged.
                let _ = set_child_subreaper(Some(getpid()));
                None
            }
        };
        // SAFETY: the child makes system calls only, until it executes the program.
        match unsafe { fork() }? {
            None => {
                // A session of its own: the program must reach neither the warden by its group nor the terminal.
                let _ = setsid();
                pass(&descriptors.passed)?;
                self.enter()
            }
            Some(run) => watch(run, first, descriptors.lifeline, processes),
        }
    }
}

/// Creates a child that runs no exit handlers and has no threads. The child gets `None`.
///
/// # Safety
/// The child may only make system calls.
pub(super) unsafe fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: without `CLONE_VM` the child has a copy of everything, as after `fork`.
    match unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) } {
        ..0 => Err(io::Error::last_os_error()),
        child => Ok(Pid::from_raw(child as i32)),
    }
}

/// Ends the process without the exit handlers of the process that it is a copy of.
pub(super) fn exit(code: i32) -> ! {
    // SAFETY: nothing runs after it.
    unsafe { libc::_exit(code) }
}

/// The exit code of a child, or `None` if it ended otherwise.
pub(super) fn wait_for(child: Pid) -> Option<i32> {
    wait_status(child)?.exit_status()
}

fn wait_status(child: Pid) -> Option<WaitStatus> {
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Err(Errno::INTR) => {}
            waited => return waited.ok().flatten().map(|(_, status)| status),
        }
    }
}

/// The first process of the namespace: when it ends, the kernel ends all others. It must not be the program itself,
/// because the kernel spares the first process from most signals, also those that it sends to itself.
fn start_first(namespaces: &Namespaces, descriptors: &Descriptors) -> io::Result<Pid> {
    let (is_ready, ready) = pipe_with(PipeFlags::CLOEXEC)?;
    // SAFETY: the child makes system calls only, and never returns.
    match unsafe { fork() }? {
        None => {
            // If the warden is killed, or was already, everything ends.
            let _ = set_parent_process_death_signal(Some(Signal::KILL));
            if namespaces.show_processes().is_err() {
                exit(1);
            }
            namespaces::limit_processes();
            let _ = rustix::io::write(&ready, &[0]);
            // Orphans become its children; their status is ignored.
            unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
            keep_only(descriptors.lifeline, None);
            let _ = poll(&mut [readable(stdin())], None);
            exit(0)
        }
        Some(first) => {
            // It must be ready before `/proc` becomes read-only.
            drop(ready);
            match rustix::io::read(&is_ready, &mut [0_u8; 1]) {
                Ok(1) => Ok(first),
                _ => Err(Errno::PERM.into()),
            }
        }
    }
}

/// Gives descriptors the numbers under which the program expects them. The program gets no other open descriptors: our
/// own parent may have left some open by accident.
fn pass(passed: &[(RawFd, RawFd)]) -> io::Result<()> {
    /// More than the numbers that the program expects.
    const NEEDED: u64 = 1024;
    close_from(3, libc::CLOSE_RANGE_CLOEXEC);
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < NEEDED) {
        let current = Some(limit.maximum.map_or(NEEDED, |maximum| maximum.min(NEEDED)));
        let _ = setrlimit(Resource::Nofile, Rlimit { current, ..limit });
    }
    for (from, to) in passed {
        // SAFETY: descriptors are numbers, and nobody owns the new ones.
        if unsafe { libc::dup2(*from, *to) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Waits for the end of the run, or of us; then ends everything and itself.
fn watch(run: Pid, first: Option<Pid>, lifeline: RawFd, processes: Option<OwnedFd>) -> ! {
    // The pipes of the run above all: they must be closed as soon as the run has closed them.
    keep_only(lifeline, processes);
    let of_run = pidfd_open(run, PidfdFlags::empty()).ok();
    let mut ended = false;
    while !ended {
        // It polls the memory use, and without a process descriptor also the end of the run.
        let (watched, milliseconds) = match &of_run {
            Some(of_run) => (of_run.as_fd(), 50),
            None => (stdin(), 2),
        };
        let pause = Timespec { tv_sec: 0, tv_nsec: milliseconds * 1_000_000 };
        let mut events = [readable(stdin()), readable(watched)];
        let _ = poll(&mut events, Some(&pause));
        ended = is_zombie(run);
        if !ended && (!events[0].revents().is_empty() || memory_of(run) > MEMORY) {
            let _ = kill_process(run, Signal::KILL);
            ended = true;
        }
    }
    let status = wait_status(run);
    match first {
        // The wait is over when all processes of the namespace have ended.
        Some(first) => {
            let _ = kill_process(first, Signal::KILL);
            wait_status(first);
        }
        None => end_children(),
    }
    end_like(status)
}

/// Whether the child has ended; it is not waited for.
fn is_zombie(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), options), Ok(None))
}

/// Ends all remaining descendants. The children of a process become ours when it ends, so this is repeated until there
/// are none.
fn end_children() {
    /// A program that starts processes faster than they can be ended is left to the other limits.
    const ROUNDS: usize = 10_000;
    for _ in 0..ROUNDS {
        let mut buffer = [0_u8; 4096];
        let length = read_file(stdout(), c"thread-self/children", &mut buffer);
        let mut number = 0;
        for byte in &buffer[..length] {
            match byte {
                b'0'..=b'9' => number = number * 10 + i32::from(byte - b'0'),
                _ => {
                    if let Some(child) = Pid::from_raw(number) {
                        let _ = kill_process(child, Signal::KILL);
                    }
                    number = 0;
                }
            }
        }
        // Without that list, we can only avoid waiting for ever.
        let options = if length == 0 { WaitOptions::NOHANG } else { WaitOptions::empty() };
        if matches!(wait(options), Ok(None) | Err(Errno::CHILD)) {
            return;
        }
    }
}

/// Ends the process in the same way as another one; if that is unknown, as if killed.
fn end_like(status: Option<WaitStatus>) -> ! {
    let signal = status.map_or(Some(libc::SIGKILL), WaitStatus::terminating_signal);
    if let Some(signal) = signal {
        // No second core dump; and the signal handlers of the process that this is a copy of do not apply here.
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        // SAFETY: no handler is installed, and no memory is passed.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
    }
    exit(status.and_then(WaitStatus::exit_status).unwrap_or_default())
}

/// Closes all descriptors but the lifeline, which becomes standard input, and `/proc`, which becomes standard output.
fn keep_only(lifeline: RawFd, processes: Option<OwnedFd>) {
    // SAFETY: the descriptor is open, since it was when the process was split.
    let _ = dup2_stdin(unsafe { BorrowedFd::borrow_raw(lifeline) });
    let kept = processes.is_some_and(|processes| dup2_stdout(processes).is_ok());
    close_from(if kept { 2 } else { 1 }, 0);
}

/// Closes all descriptors from this number on; with a flag, does so when a program is executed. Old kernels cannot.
fn close_from(first: u32, flags: libc::c_uint) {
    // SAFETY: descriptors are numbers, and the callers use none of these afterwards.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, flags) };
}

fn readable(descriptor: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(descriptor, PollFlags::IN)
}

/// How much memory a process has in use, in bytes; 0 if that is unknown.
fn memory_of(process: Pid) -> u64 {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let number = DecInt::new(process.as_raw_nonzero().get());
    let Ok(folder) = openat(stdout(), number, flags, Mode::empty()) else { return 0 };
    let mut buffer = [0_u8; 128];
    let length = read_file(folder.as_fd(), c"statm", &mut buffer);
    // The second number is what is resident, in pages.
    let mut numbers = buffer[..length].split(|byte| *byte == b' ');
    let pages = numbers.nth(1).unwrap_or_default().iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit & 15));
    pages * 4096
}

/// Reads the start of a file in a folder of `/proc`; returns nothing if that fails.
fn read_file(folder: BorrowedFd<'_>, path: &CStr, buffer: &mut [u8]) -> usize {
    let file = openat(folder, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    file.and_then(|file| rustix::io::read(&file, buffer)).unwrap_or(0)
}
