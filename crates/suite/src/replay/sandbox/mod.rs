//! The sandbox of native runs: a test can change files only in its own folder, has no network, reaches no other
//! process, and has limits.
//!
//! It uses three mechanisms of the kernel, as far as they are available: namespaces, Landlock and seccomp. None needs
//! privileges. Each compensates for others that are missing; [`Sandbox::missing`] lists the remaining gaps.

mod landlock;
mod limits;
mod namespaces;
mod seccomp;
mod warden;

use namespaces::{Mounts, Namespaces};
use rustix::process::chdir;
use rustix::thread::set_no_new_privs;
use seccomp::Filter;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(super) use limits::Limits;
pub(super) use warden::Descriptors;

/// What the kernel offers, found by trying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sandbox {
    /// Whether there is a sandbox at all.
    wanted: bool,
    users_and_processes: bool,
    mounts: Mounts,
    /// The version of Landlock, 0 for none.
    landlock: u32,
    seccomp: bool,
}

impl Sandbox {
    /// No sandbox: the user trusts the program.
    pub(super) const NONE: Sandbox = Sandbox {
        wanted: false,
        users_and_processes: false,
        mounts: Mounts { read_only: false, processes: false },
        landlock: 0,
        seccomp: false,
    };

    /// Tries, in short-lived processes, what the kernel permits in a folder.
    pub(super) fn probe(folder: &Path) -> Sandbox {
        let works = |sandbox: Sandbox| {
            let cell = sandbox.cell(folder, folder, Limits::default());
            cell.is_ok_and(succeeds_in_child)
        };
        let mut sandbox = Sandbox { wanted: true, ..Sandbox::NONE };
        let candidates: [fn(&mut Sandbox); 5] = [
            |sandbox| sandbox.seccomp = true,
            |sandbox| sandbox.landlock = landlock::version(),
            |sandbox| sandbox.users_and_processes = true,
            |sandbox| sandbox.mounts.read_only = sandbox.users_and_processes,
            |sandbox| sandbox.mounts.processes = sandbox.users_and_processes,
        ];
        for add in candidates {
            let mut more = sandbox;
            add(&mut more);
            if more != sandbox && works(more) {
                sandbox = more;
            }
        }
        sandbox
    }

    /// As if the system permitted no namespaces, as in many containers.
    #[cfg(test)]
    pub(super) fn without_namespaces(self) -> Sandbox {
        Sandbox { users_and_processes: false, mounts: Mounts::default(), ..self }
    }

    /// As if the kernel had no Landlock.
    #[cfg(test)]
    pub(super) fn without_landlock(self) -> Sandbox {
        Sandbox { landlock: 0, ..self }
    }

    /// The remaining gaps: what a test could do, one clause each.
    pub(super) fn missing(&self) -> Vec<&'static str> {
        let confines_files = self.landlock > 0 || self.mounts.read_only;
        let open = [
            (!confines_files, "change files outside of its folder (no Landlock, no user namespaces)"),
            (!self.seccomp && !self.users_and_processes, "use the network (no seccomp, no user namespaces)"),
            (
                !self.users_and_processes && !self.seccomp,
                "signal your other processes (no seccomp, no user namespaces)",
            ),
            (!self.users_and_processes, "start processes without limit until its time is up (no user namespaces)"),
        ];
        open.into_iter().filter(|(is_open, _)| self.wanted && *is_open).map(|(_, what)| what).collect()
    }

    /// Prepares the run of one test in its folder; it starts in `work`, a folder in there.
    pub(super) fn cell(&self, folder: &Path, work: &Path, limits: Limits) -> io::Result<Cell> {
        // Leak detection finds its threads by their numbers in `/proc`, which must be those of the namespace.
        let namespaces = self.users_and_processes && (self.mounts.processes || !limits.find_leaks);
        let read_only = namespaces && self.mounts.read_only;
        let namespaces_of_run = namespaces.then(|| Namespaces::new(folder, self.mounts, !self.seccomp));
        let landlock = (self.landlock > 0).then(|| landlock::rules(self.landlock, folder));
        let filter = self.seccomp.then(|| {
            Filter::new(seccomp::Wanted {
                ptrace: limits.find_leaks,
                attributes: !read_only,
                signals: !namespaces && !landlock::confines_signals(self.landlock),
            })
        });
        Ok(Cell {
            wanted: self.wanted,
            namespaces: namespaces_of_run.transpose()?,
            landlock: landlock.transpose()?,
            filter,
            work: CString::new(work.as_os_str().as_bytes())?,
            limits,
        })
    }
}

/// Everything that one run needs. It is prepared before the fork, since memory cannot be allocated between fork and
/// exec.
pub(super) struct Cell {
    wanted: bool,
    namespaces: Option<Namespaces>,
    landlock: Option<OwnedFd>,
    filter: Option<Filter>,
    work: CString,
    limits: Limits,
}

impl Cell {
    /// To be called by the process that will execute the program, last.
    fn enter(&mut self) -> io::Result<()> {
        self.limits.enter(self.wanted, self.namespaces.is_some());
        if !self.wanted {
            return Ok(());
        }
        if self.namespaces.is_some() {
            namespaces::drop_capabilities();
        }
        // Without it, the filter is refused below.
        let _ = set_no_new_privs(true);
        // The folder may have become a mount of its own: it must be entered through that.
        chdir(&*self.work)?;
        if let Some(rules) = &self.landlock {
            landlock::enter(rules.as_raw_fd())?;
        }
        self.filter.as_mut().map_or(Ok(()), Filter::enter)
    }
}

/// Whether a process can be confined in this way.
fn succeeds_in_child(mut cell: Cell) -> bool {
    let Ok((watched, _lifeline)) = io::pipe() else { return false };
    let descriptors = Descriptors { lifeline: watched.as_raw_fd(), passed: [(watched.as_raw_fd(), 1000); 2] };
    // SAFETY: the child makes system calls only and never returns.
    match unsafe { warden::fork() } {
        Ok(None) => warden::exit(i32::from(cell.split(&descriptors).is_err())),
        Ok(Some(child)) => warden::wait_for(child) == Some(0),
        Err(_) => false,
    }
}
