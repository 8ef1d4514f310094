//! Namespaces: processes, mounts, network and shared memory that are the run's own. No privilege is needed where the system lets everybody
//! make user namespaces.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What a run does to be in namespaces of its own; everything that needs memory is made before the fork.
pub(super) struct Namespaces {
    kinds: libc::c_int,
    users: Vec<u8>,
    groups: Vec<u8>,
    /// The only folder that is not mounted read-only.
    folder: CString,
    mounts: bool,
    processes: bool,
}

/// What of the file system is the run's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mounts {
    /// Everything is read-only but for its folder.
    pub(super) read_only: bool,
    /// `/proc` shows its own processes, and these only.
    pub(super) processes: bool,
}

impl Namespaces {
    /// The folder is the one that stays writable. With `network`, network and shared memory are cut off; each namespace costs time, so that
    /// is done only if nothing else does it.
    pub(super) fn new(folder: &Path, mounts: Mounts, network: bool) -> io::Result<Namespaces> {
        // SAFETY: neither can fail.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let mut kinds = libc::CLONE_NEWUSER | libc::CLONE_NEWPID;
        if mounts.read_only || mounts.processes {
            kinds |= libc::CLONE_NEWNS;
        }
        if network {
            kinds |= libc::CLONE_NEWNET | libc::CLONE_NEWIPC;
        }
        Ok(Namespaces {
            kinds,
            // The program must see the users that it sees elsewhere.
            users: format!("{user} {user} 1").into_bytes(),
            groups: format!("{group} {group} 1").into_bytes(),
            folder: CString::new(folder.as_os_str().as_bytes())?,
            mounts: mounts.read_only,
            processes: mounts.processes,
        })
    }

    /// Moves the calling process into them; only its children get new process numbers. May be called between fork and exec.
    pub(super) fn enter(&self) -> io::Result<()> {
        // SAFETY: no memory is passed.
        checked(unsafe { libc::unshare(self.kinds) }.into())?;
        // Without it, ordinary users may not map their group.
        write_file(c"/proc/self/setgroups", b"deny")?;
        write_file(c"/proc/self/uid_map", &self.users)?;
        write_file(c"/proc/self/gid_map", &self.groups)
    }

    /// Shows in `/proc` the processes of the namespace that the caller is in. Leak detection looks for its own threads there.
    pub(super) fn show_processes(&self) -> io::Result<()> {
        if !self.processes {
            return Ok(());
        }
        let (name, place) = (c"proc".as_ptr(), c"/proc".as_ptr());
        let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        // SAFETY: all pointers are to strings that end with 0, or null where the kernel takes none.
        checked(unsafe { libc::mount(name, place, name, flags, std::ptr::null()) }.into()).map(|_| ())
    }

    /// Makes all mounts read-only but for the folder, which becomes a mount of its own. After it, `/proc` cannot be written, either.
    pub(super) fn make_read_only(&self) -> io::Result<()> {
        if !self.mounts {
            return Ok(());
        }
        let folder = self.folder.as_ptr();
        // SAFETY: all pointers are to strings that end with 0, or null where the kernel takes none.
        unsafe {
            let none = std::ptr::null();
            checked(libc::mount(folder, folder, none, libc::MS_BIND, std::ptr::null()).into())?;
            set_mount(c"/".as_ptr(), libc::AT_RECURSIVE, READ_ONLY, 0)?;
            set_mount(folder, 0, 0, READ_ONLY)
        }
    }
}

/// Limits how many processes there may be in the process namespace of the caller. Old kernels cannot; there other limits must do.
pub(super) fn limit_processes() {
    let _ = write_file(c"/proc/sys/kernel/pid_max", b"512");
}

/// Gives up everything that the superuser of a user namespace may do, for all programs that the process will start.
pub(super) fn drop_capabilities() {
    for capability in 0..64 {
        // SAFETY: no memory is passed. The kernel has fewer; the rest fail.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Writes a file of `/proc` in one call. May be called between fork and exec.
pub(super) fn write_file(path: &std::ffi::CStr, content: &[u8]) -> io::Result<()> {
    // SAFETY: the path ends with 0, and the content is as long as is said; the descriptor is closed once.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        checked(file.into())?;
        let written = checked(libc::write(file, content.as_ptr().cast(), content.len()) as libc::c_long);
        libc::close(file);
        written.map(|_| ())
    }
}

/// `MOUNT_ATTR_RDONLY`.
const READ_ONLY: u64 = 1;

/// `struct mount_attr`.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// # Safety
/// The path must be a string that ends with 0.
unsafe fn set_mount(path: *const libc::c_char, flags: libc::c_int, set: u64, clear: u64) -> io::Result<()> {
    let attributes = MountAttributes { set, clear, propagation: 0, user_namespace: 0 };
    let size = size_of::<MountAttributes>();
    // SAFETY: the structure is as long as is said and lives until the call returns.
    let done =
        unsafe { libc::syscall(libc::SYS_mount_setattr, libc::AT_FDCWD, path, flags, &raw const attributes, size) };
    checked(done).map(|_| ())
}

fn checked(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
