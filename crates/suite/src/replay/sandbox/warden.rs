//! The process between us and a native run. It starts the run, ends everything that the run has started, and tells how it ended by ending
//! in the same way. It also ends the run when we are gone, whatever the reason.
//!
//! All of it happens between fork and exec of a process that may have had many threads: only system calls are allowed, and no memory may
//! be asked for.
//!
//! With a process namespace, the run and all its descendants are in it, and all die with its first process, which does nothing else. Without
//! one, orphans become children of the warden, which ends them one by one.

use super::Cell;
use super::limits::{MEMORY, offer_memory};
use super::namespaces::{self, Namespaces};
use std::io;

/// Open descriptors that are passed on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptors {
    /// A pipe that we hold the other end of: it hangs up when we want the run to end, or end ourselves.
    pub(crate) lifeline: i32,
    /// What the program gets, each with the number under which it expects it.
    pub(crate) passed: [(i32, i32); 2],
}

impl Cell {
    /// Splits the process into a warden and a child that is to execute the program: only the child returns.
    pub(crate) fn split(&mut self, descriptors: &Descriptors) -> io::Result<()> {
        if self.wanted {
            offer_memory();
        }
        // SAFETY: system calls that get no memory of ours, or memory that lives here; the descriptors belong to this process.
        unsafe {
            // There, processes have the numbers that the warden knows; the run may get a `/proc` of its own.
            let processes = libc::open(c"/proc".as_ptr(), libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC);
            let first = match &self.namespaces {
                Some(namespaces) => {
                    namespaces.enter()?;
                    let first = start_first(namespaces, descriptors)?;
                    namespaces.make_read_only()?;
                    Some(first)
                }
                None => {
                    libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
                    None
                }
            };
            match fork() {
                ..0 => Err(io::Error::last_os_error()),
                0 => {
                    // A session of its own: the program must reach neither the warden by its group nor the terminal.
                    libc::setsid();
                    pass(&descriptors.passed)?;
                    self.enter()
                }
                run => watch(run, first, descriptors.lifeline, processes),
            }
        }
    }
}

/// A child that runs nothing at exit and knows nothing of threads.
///
/// # Safety
/// The child may only make system calls.
pub(super) unsafe fn fork() -> libc::pid_t {
    // SAFETY: without `CLONE_VM` the child has a copy of everything, as after `fork`.
    unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) as libc::pid_t }
}

/// The exit code of a child, or `None` if it ended otherwise.
pub(super) fn wait_for(child: libc::pid_t) -> Option<i32> {
    let status = wait_status(child)?;
    libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status))
}

fn wait_status(child: libc::pid_t) -> Option<libc::c_int> {
    let mut status = 0;
    // SAFETY: the status lives here.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {
        if io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return None;
        }
    }
    Some(status)
}

/// The first process of the namespace: when it ends, the kernel ends all others. It must not be the program itself, because the
/// kernel spares the first process from most signals, also those that it sends to itself.
unsafe fn start_first(namespaces: &Namespaces, descriptors: &Descriptors) -> io::Result<libc::pid_t> {
    let mut ready = [0; 2];
    // SAFETY: as for `Cell::split`.
    unsafe {
        if libc::pipe2(ready.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        match fork() {
            ..0 => Err(io::Error::last_os_error()),
            0 => {
                // If the warden is killed, or has been already, all ends.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
                if namespaces.show_processes().is_err() {
                    libc::_exit(1);
                }
                namespaces::limit_processes();
                libc::write(ready[1], [0_u8; 1].as_ptr().cast(), 1);
                // Orphans become its children; nobody asks how they end.
                libc::signal(libc::SIGCHLD, libc::SIG_IGN);
                keep_only(descriptors.lifeline, -1);
                wait_for_end(&mut [readable(0)], -1);
                libc::_exit(0)
            }
            first => {
                // It must be ready before `/proc` becomes read-only.
                libc::close(ready[1]);
                let is_ready = libc::read(ready[0], [0_u8; 1].as_mut_ptr().cast(), 1) == 1;
                libc::close(ready[0]);
                if is_ready { Ok(first) } else { Err(io::Error::from_raw_os_error(libc::EPERM)) }
            }
        }
    }
}

/// Gives descriptors the numbers under which the program expects them. Whatever else is open and was not meant for others, the program
/// does not get: whoever started us may have left open more than they know.
unsafe fn pass(passed: &[(i32, i32)]) -> io::Result<()> {
    // SAFETY: as for `Cell::split`.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    for (from, to) in passed {
        let limit = libc::rlimit { rlim_cur: 1024, rlim_max: 0 };
        let mut now = limit;
        // SAFETY: the limits live here; descriptors are numbers.
        unsafe {
            if libc::getrlimit(libc::RLIMIT_NOFILE, &mut now) == 0 && now.rlim_cur < limit.rlim_cur {
                now.rlim_cur = limit.rlim_cur.min(now.rlim_max);
                libc::setrlimit(libc::RLIMIT_NOFILE, &now);
            }
            if libc::dup2(*from, *to) < 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    Ok(())
}

/// Waits for the end of the run, or of us; then ends everything and itself.
unsafe fn watch(run: libc::pid_t, first: Option<libc::pid_t>, lifeline: i32, processes: i32) -> ! {
    // SAFETY: as for `Cell::split`.
    unsafe {
        // Above all, the pipes of the run: they must be closed when the run has closed them.
        keep_only(lifeline, processes);
        let of_run = libc::syscall(libc::SYS_pidfd_open, run, 0) as i32;
        let mut events = [readable(0), readable(of_run)];
        let mut ended = false;
        while !ended {
            // It must look at the use of memory from time to time, and without a descriptor of the process also for its end.
            let pause = if of_run < 0 { 2 } else { 50 };
            wait_for_end(&mut events, pause);
            ended = is_zombie(run);
            if !ended && (events[0].revents != 0 || memory_of(run) > MEMORY) {
                libc::kill(run, libc::SIGKILL);
                ended = true;
            }
        }
        let status = wait_status(run).unwrap_or(libc::SIGKILL);
        match first {
            // The wait is over when all processes of the namespace are.
            Some(first) => {
                libc::kill(first, libc::SIGKILL);
                wait_status(first);
            }
            None => end_children(),
        }
        end_like(status)
    }
}

/// Whether the child has ended; it is not waited for.
unsafe fn is_zombie(child: libc::pid_t) -> bool {
    // SAFETY: all zeros is a valid value of the structure, which the call fills.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, child as libc::id_t, &mut info, flags) != 0 || info.si_pid() == child
    }
}

/// Ends all that were started and have not ended. Those of a child become ours when it ends, so this is repeated until there are none.
unsafe fn end_children() {
    /// A program that starts processes faster than they can be ended is left to the other limits.
    const ROUNDS: usize = 10_000;
    // SAFETY: as for `Cell::split`.
    unsafe {
        for _ in 0..ROUNDS {
            let mut buffer = [0_u8; 4096];
            let length = read_file(c"thread-self/children", &mut buffer);
            let mut number = 0;
            for byte in &buffer[..length] {
                match byte {
                    b'0'..=b'9' => number = number * 10 + libc::pid_t::from(byte - b'0'),
                    _ => {
                        libc::kill(number, libc::SIGKILL);
                        number = 0;
                    }
                }
            }
            // Without that list nothing can be done but not to wait for ever.
            let flags = if length == 0 { libc::WNOHANG } else { 0 };
            match libc::waitpid(-1, std::ptr::null_mut(), flags) {
                0 => return,
                ..0 if io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD) => return,
                _ => {}
            }
        }
    }
}

/// Ends the process as another one did.
unsafe fn end_like(status: libc::c_int) -> ! {
    // SAFETY: as for `Cell::split`.
    unsafe {
        if libc::WIFSIGNALED(status) {
            let signal = libc::WTERMSIG(status);
            // No second core; and the handlers of the process that this is a copy of are not meant for this.
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &none);
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
        libc::_exit(libc::WEXITSTATUS(status))
    }
}

/// The number of the descriptor of `/proc`.
const PROCESSES: i32 = 1;

/// Closes all descriptors but the lifeline, which becomes number 0, and `/proc`.
unsafe fn keep_only(lifeline: i32, processes: i32) {
    // SAFETY: descriptors are numbers; no other is used afterwards.
    unsafe {
        libc::dup2(lifeline, 0);
        libc::dup2(processes, PROCESSES);
        libc::syscall(libc::SYS_close_range, PROCESSES + 1, u32::MAX, 0);
    }
}

fn readable(descriptor: i32) -> libc::pollfd {
    libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 }
}

unsafe fn wait_for_end(events: &mut [libc::pollfd], milliseconds: libc::c_int) {
    // SAFETY: the list is as long as is said.
    unsafe { libc::poll(events.as_mut_ptr(), events.len() as libc::nfds_t, milliseconds) };
}

/// How much memory a process has in use, in bytes; 0 if that is unknown.
unsafe fn memory_of(process: libc::pid_t) -> u64 {
    let mut path = *b"0000000000/statm\0";
    let mut rest = process;
    for digit in path[..10].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    // The kernel wants the number without zeros before it.
    let zeros = path[..9].iter().take_while(|digit| **digit == b'0').count();
    path.copy_within(zeros.., 0);
    let Ok(path) = std::ffi::CStr::from_bytes_until_nul(&path) else { return 0 };
    let mut buffer = [0_u8; 128];
    // SAFETY: as for `Cell::split`.
    let length = unsafe { read_file(path, &mut buffer) };
    // The second number is what is resident, in pages.
    let mut numbers = buffer[..length].split(|byte| *byte == b' ');
    let pages = numbers.nth(1).unwrap_or_default().iter().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit & 15));
    pages * 4096
}

/// Reads the start of a file in `/proc`; none of it if that fails.
unsafe fn read_file(path: &std::ffi::CStr, buffer: &mut [u8]) -> usize {
    // SAFETY: the path ends with 0, and the buffer is as long as is said; the descriptor is closed once.
    unsafe {
        let file = libc::openat(PROCESSES, path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        let length = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
        libc::close(file);
        usize::try_from(length).unwrap_or(0)
    }
}
