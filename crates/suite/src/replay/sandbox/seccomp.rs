//! Seccomp: refuses system calls that a test does not need and that reach beyond its folder and its own processes.
//!
//! The filter lists what is refused, not what is allowed: C libraries and sanitizers may change which calls they make.

use std::io;

/// What the filter must refuse in addition, because no other mechanism of the kernel does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    /// Leak detection looks at the program's own threads by `ptrace`.
    pub(super) ptrace: bool,
    /// Changing who owns a file, who may use it, and when it was changed: nothing but a read-only mount stops that
    /// elsewhere.
    pub(super) attributes: bool,
    /// Signals to any process but itself.
    pub(super) signals: bool,
}

/// The filter in the kernel's format. Where `signals` are refused, one instruction has a placeholder for the process
/// id.
pub(super) struct Filter {
    code: Vec<libc::sock_filter>,
    own_process: Vec<usize>,
}

impl Filter {
    pub(super) fn new(wanted: Wanted) -> Filter {
        let mut filter = Filter { code: Vec::new(), own_process: Vec::new() };
        filter.load(ARCHITECTURE);
        filter.unless_equal(X86_64, REFUSE);
        filter.load(NUMBER);
        filter.if_at_least(X32, REFUSE);
        // The flags of this call are in memory, which a filter cannot read. C libraries fall back on `clone` if it does
        // not exist.
        filter.if_equal(libc::SYS_clone3 as u32, NOT_IMPLEMENTED);
        for call in REFUSED {
            filter.if_equal(*call as u32, REFUSE);
        }
        if !wanted.ptrace {
            filter.if_equal(libc::SYS_ptrace as u32, REFUSE);
        }
        if wanted.attributes {
            for call in ATTRIBUTES {
                filter.if_equal(*call as u32, REFUSE);
            }
        }
        filter.for_call(libc::SYS_clone, |filter| {
            filter.load(FIRST_ARGUMENT);
            filter.if_any_bit(NEW_NAMESPACES, REFUSE);
        });
        if wanted.signals {
            for call in SIGNALS {
                filter.for_call(*call, |filter| {
                    filter.load(FIRST_ARGUMENT);
                    filter.own_process.push(filter.code.len());
                    filter.unless_equal(0, REFUSE);
                });
            }
        }
        filter.answer(libc::SECCOMP_RET_ALLOW);
        filter
    }

    /// Filters the calls of the calling process and its children, for good. May be called between fork and exec.
    pub(super) fn enter(&mut self) -> io::Result<()> {
        let process = rustix::process::getpid().as_raw_nonzero().get() as u32;
        for index in &self.own_process {
            self.code[*index].k = process;
        }
        let program = libc::sock_fprog { len: self.code.len() as u16, filter: self.code.as_mut_ptr() };
        // SAFETY: the program and its code live until the call returns; the kernel copies them.
        let done = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    fn push(&mut self, code: u32, if_true: u8, if_false: u8, k: u32) {
        self.code.push(libc::sock_filter { code: code as u16, jt: if_true, jf: if_false, k });
    }

    fn load(&mut self, offset: u32) {
        self.push(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset);
    }

    fn answer(&mut self, answer: u32) {
        self.push(libc::BPF_RET | libc::BPF_K, 0, 0, answer);
    }

    fn if_equal(&mut self, value: u32, answer: u32) {
        self.push(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, value);
        self.answer(answer);
    }

    fn unless_equal(&mut self, value: u32, answer: u32) {
        self.push(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, 0, value);
        self.answer(answer);
    }

    fn if_at_least(&mut self, value: u32, answer: u32) {
        self.push(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, value);
        self.answer(answer);
    }

    fn if_any_bit(&mut self, bits: u32, answer: u32) {
        self.push(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, 0, 1, bits);
        self.answer(answer);
    }

    /// Code for one call only; afterwards the number of the call is loaded again.
    fn for_call(&mut self, call: libc::c_long, code: impl FnOnce(&mut Filter)) {
        let jump = self.code.len();
        self.push(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 0, call as u32);
        code(self);
        self.load(NUMBER);
        self.code[jump].jf = (self.code.len() - jump - 1) as u8;
    }
}

/// Offsets into `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;

/// `AUDIT_ARCH_X86_64`.
const X86_64: u32 = 0xC000_003E;
/// Calls of the other ABI of this processor have other numbers.
const X32: u32 = 0x4000_0000;

const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const NOT_IMPLEMENTED: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

const NEW_NAMESPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

const SIGNALS: &[libc::c_long] =
    &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];

const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

const REFUSED: &[libc::c_long] = &[
    // The network, and services of this machine behind sockets. What could open one by other means, too.
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory and descriptors of other processes; shared memory and queues that outlive the run.
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_tkill,
    libc::SYS_pidfd_send_signal,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Ways out of the mounts and namespaces of the run.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // The system itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_iopl,
    libc::SYS_ioperm,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_stay_in_the_filter() {
        for bits in 0..8 {
            let wanted = Wanted { ptrace: bits & 1 != 0, attributes: bits & 2 != 0, signals: bits & 4 != 0 };
            let filter = Filter::new(wanted);
            for (index, instruction) in filter.code.iter().enumerate() {
                let furthest = index + 1 + usize::from(instruction.jt.max(instruction.jf));
                assert!(furthest < filter.code.len() || instruction.code as u32 & 7 == libc::BPF_RET, "{index}");
            }
            assert_eq!(filter.own_process.len(), if wanted.signals { SIGNALS.len() } else { 0 });
        }
    }
}
