//! How much a run may use.

use super::namespaces::write_file;

/// What differs between runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Limits {
    /// The largest stack, in bytes.
    pub(crate) stack: u64,
    /// Whether leaks are looked for, which needs one privilege more.
    pub(crate) find_leaks: bool,
}

/// The most memory that the program may have in use, in bytes. Address space cannot be limited: a sanitizer reserves most of it.
pub(super) const MEMORY: u64 = 4 << 30;
/// The largest file.
const FILE: u64 = 64 << 20;
const DESCRIPTORS: u64 = 256;
/// Counted in the user namespace of the run, so those of others do not matter.
const PROCESSES: u64 = 128;

impl Limits {
    /// Limits the calling process and its children. May be called between fork and exec.
    pub(super) fn enter(&self, confined: bool, in_namespace: bool) {
        set(libc::RLIMIT_CORE, 0);
        set(libc::RLIMIT_STACK, self.stack);
        if confined {
            set(libc::RLIMIT_FSIZE, FILE);
            set(libc::RLIMIT_NOFILE, DESCRIPTORS);
            if in_namespace {
                set(libc::RLIMIT_NPROC, PROCESSES);
            }
        }
    }
}

/// If memory runs out, it shall be this process that ends, or its children, and not one that somebody needs.
pub(super) fn offer_memory() {
    let _ = write_file(c"/proc/self/oom_score_adj", b"1000");
}

/// Lowers a limit as far as the system lets us. A run with another limit is better than none, so failure is not an error.
fn set(resource: libc::__rlimit_resource_t, wanted: libc::rlim_t) {
    let mut limits = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls get a valid pointer to a structure of our own.
    unsafe {
        if libc::getrlimit(resource, &mut limits) == 0 {
            limits.rlim_cur = wanted.min(limits.rlim_max);
            // The hard limit of the stack decides where memory is mapped: it stays.
            if resource != libc::RLIMIT_STACK {
                limits.rlim_max = limits.rlim_cur;
            }
            libc::setrlimit(resource, &limits);
        }
    }
}
