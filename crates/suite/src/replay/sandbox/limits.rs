//! The limits on a run's resources.

use super::namespaces::write_file;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What differs between runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Limits {
    /// The largest stack, in bytes.
    pub(crate) stack: u64,
    /// Whether leaks are looked for, which needs an additional privilege.
    pub(crate) find_leaks: bool,
}

/// The most memory that the program may have in use, in bytes. Address space cannot be limited: a sanitizer reserves
/// most of it.
pub(super) const MEMORY: u64 = 4 << 30;
/// The largest file.
const FILE: u64 = 64 << 20;
const DESCRIPTORS: u64 = 256;
/// Counted in the user namespace of the run, so that processes of others do not count.
const PROCESSES: u64 = 128;

impl Limits {
    /// Limits the calling process and its children. May be called between fork and exec.
    pub(super) fn enter(&self, confined: bool, in_namespace: bool) {
        set(Resource::Core, 0);
        set(Resource::Stack, self.stack);
        if confined {
            set(Resource::Fsize, FILE);
            set(Resource::Nofile, DESCRIPTORS);
            if in_namespace {
                set(Resource::Nproc, PROCESSES);
            }
        }
    }
}

/// If memory runs out, the kernel shall end this process or its children, not another one.
pub(super) fn offer_memory() {
    let _ = write_file(c"/proc/self/oom_score_adj", b"1000");
}

/// Lowers a limit as far as the system permits. A run with another limit is better than none, so failure is not an
/// error.
fn set(resource: Resource, wanted: u64) {
    let limits = getrlimit(resource);
    let current = Some(limits.maximum.map_or(wanted, |maximum| wanted.min(maximum)));
    // The hard limit of the stack decides where memory is mapped: it stays.
    let maximum = if resource == Resource::Stack { limits.maximum } else { current };
    let _ = setrlimit(resource, Rlimit { current, maximum });
}
