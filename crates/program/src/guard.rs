//! Tries in a child process what LLVM might not survive.
//!
//! LLVM crashes, aborts or loops on some malformed files. A file that a user hands us is therefore loaded in a child first, whose
//! memory and time are limited; only what the child survives is loaded here.

use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::panic::AssertUnwindSafe;
use std::sync::RwLock;
use std::time::{Duration, Instant};

/// How a trial can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The child died.
    Crashed,
    /// The child used up its time.
    TimedOut,
}

/// Held for reading by whoever is inside LLVM, and for writing while a child is made, so that the child never inherits a lock of
/// LLVM's that another thread holds.
static INSIDE_LLVM: RwLock<()> = RwLock::new(());

/// Does something with LLVM in this process.
pub(crate) fn inside_llvm<T>(work: impl FnOnce() -> T) -> T {
    // A panic while the lock is held leaves nothing half-done that it protects.
    let _guard = INSIDE_LLVM.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    work()
}

/// How far a trial has come.
pub(crate) struct Progress {
    pipe: OwnedFd,
}

impl Progress {
    /// Says that the next step begins.
    pub(crate) fn step(&self) {
        // If the parent is gone, nobody is interested.
        unsafe { libc::write(self.pipe.as_raw_fd(), [1u8].as_ptr().cast(), 1) };
    }
}

/// Does `work` in a child process. If the child does not survive it, the error has the number of steps that it began.
pub(crate) fn try_in_child(limit: Duration, work: impl FnOnce(&Progress)) -> Result<(), (Failure, usize)> {
    let Some((reader, writer)) = pipe() else {
        // Without a pipe there is no child either: the system is out of resources. What follows will say so.
        return Ok(());
    };
    let child = {
        let _guard = INSIDE_LLVM.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        // The child only uses memory, which is sound after a fork with this allocator, and its end of the pipe.
        unsafe { libc::fork() }
    };
    match child {
        -1 => Ok(()),
        0 => {
            drop(reader);
            limit_child(limit);
            let progress = Progress { pipe: writer };
            let survived = std::panic::catch_unwind(AssertUnwindSafe(|| work(&progress))).is_ok();
            unsafe { libc::_exit(if survived { 0 } else { 1 }) }
        }
        child => {
            drop(writer);
            let (steps, in_time) = watch(reader, limit * 2);
            if !in_time {
                unsafe { libc::kill(child, libc::SIGKILL) };
            }
            let mut status = 0;
            while unsafe { libc::waitpid(child, &mut status, 0) } == -1
                && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
            {}
            let cpu_used_up = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGXCPU;
            if !in_time || cpu_used_up {
                Err((Failure::TimedOut, steps))
            } else if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
                Ok(())
            } else {
                Err((Failure::Crashed, steps))
            }
        }
    }
}

/// Counts steps until the child closes its end; says whether that happened in time.
fn watch(reader: OwnedFd, limit: Duration) -> (usize, bool) {
    let mut file = std::fs::File::from(reader);
    let deadline = Instant::now() + limit;
    let mut steps = 0;
    let mut buffer = [0; 64];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return (steps, false);
        }
        let mut poll = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let timeout = i32::try_from(left.as_millis()).unwrap_or(i32::MAX).max(1);
        if unsafe { libc::poll(&mut poll, 1, timeout) } > 0 {
            match file.read(&mut buffer) {
                Ok(0) => return (steps, true),
                Ok(count) => steps += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return (steps, true),
            }
        }
    }
}

fn pipe() -> Option<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return None;
    }
    Some(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

/// Takes away what a runaway could use, and the ways to be heard.
fn limit_child(limit: Duration) {
    /// What the child may use beyond what the parent has.
    const MEMORY: u64 = 4 << 30;
    let set = |resource, value: u64| {
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        unsafe { libc::setrlimit(resource, &limit) };
    };
    set(libc::RLIMIT_CORE, 0);
    set(libc::RLIMIT_AS, address_space() + MEMORY);
    let seconds = limit.as_secs().max(1);
    // The soft limit comes first, as SIGXCPU, which tells time-outs from crashes.
    let cpu = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 5 };
    unsafe {
        libc::setrlimit(libc::RLIMIT_CPU, &cpu);
        libc::signal(libc::SIGXCPU, libc::SIG_DFL);
        for signal in [libc::SIGSEGV, libc::SIGABRT, libc::SIGBUS, libc::SIGILL, libc::SIGFPE] {
            libc::signal(signal, libc::SIG_DFL);
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if null >= 0 {
            libc::dup2(null, 1);
            libc::dup2(null, 2);
        }
    }
}

/// How much address space the process has now.
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

    #[test]
    fn survivors_are_told_from_the_dead() {
        assert_eq!(try_in_child(LIMIT, |progress| progress.step()), Ok(()));
        let crash = try_in_child(LIMIT, |progress| {
            progress.step();
            progress.step();
            unsafe { libc::raise(libc::SIGSEGV) };
        });
        assert_eq!(crash, Err((Failure::Crashed, 2)));
        assert_eq!(try_in_child(LIMIT, |_| unsafe { libc::abort() }), Err((Failure::Crashed, 0)));
    }

    #[test]
    fn panics_count_as_crashes() {
        assert_eq!(try_in_child(LIMIT, |_| panic!("expected")), Err((Failure::Crashed, 0)));
    }

    #[test]
    fn loops_end() {
        let busy = try_in_child(Duration::from_secs(1), |_| {
            loop {
                std::hint::black_box(0);
            }
        });
        assert_eq!(busy, Err((Failure::TimedOut, 0)));
        let idle = try_in_child(Duration::from_millis(200), |_| std::thread::sleep(Duration::from_secs(60)));
        assert_eq!(idle, Err((Failure::TimedOut, 0)));
    }

    #[test]
    fn greed_ends() {
        let greedy = try_in_child(LIMIT, |_| {
            std::hint::black_box(vec![1u8; 16 << 30]);
        });
        assert_eq!(greedy, Err((Failure::Crashed, 0)));
    }
}
