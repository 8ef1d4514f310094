//! Namespaces: the run has its own processes, mounts, network and shared memory. No privilege is needed where the
//! system lets every user create user namespaces.

use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, mount, mount_bind};
use rustix::process::{getegid, geteuid};
use rustix::thread::{CapabilitySet, UnshareFlags, remove_capability_from_bounding_set, unshare_unsafe};
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How a run enters its own namespaces; everything that needs memory is prepared before the fork.
pub(super) struct Namespaces {
    kinds: UnshareFlags,
    users: Vec<u8>,
    groups: Vec<u8>,
    /// The only folder that is not mounted read-only.
    folder: CString,
    mounts: bool,
    processes: bool,
}

/// How the run's view of the file system differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mounts {
    /// Everything is read-only but for its folder.
    pub(super) read_only: bool,
    /// `/proc` shows its own processes, and these only.
    pub(super) processes: bool,
}

impl Namespaces {
    /// The folder is the one that stays writable. With `network`, network and shared memory are separated; each
    /// namespace costs time, so this is done only if nothing else does it.
    pub(super) fn new(folder: &Path, mounts: Mounts, network: bool) -> io::Result<Namespaces> {
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        let mut kinds = UnshareFlags::NEWUSER | UnshareFlags::NEWPID;
        if mounts.read_only || mounts.processes {
            kinds |= UnshareFlags::NEWNS;
        }
        if network {
            kinds |= UnshareFlags::NEWNET | UnshareFlags::NEWIPC;
        }
        Ok(Namespaces {
            kinds,
            // The program must see the same users as outside.
            users: format!("{user} {user} 1").into_bytes(),
            groups: format!("{group} {group} 1").into_bytes(),
            folder: CString::new(folder.as_os_str().as_bytes())?,
            mounts: mounts.read_only,
            processes: mounts.processes,
        })
    }

    /// Moves the calling process into them; only its children get new process numbers. May be called between fork and
    /// exec.
    pub(super) fn enter(&self) -> io::Result<()> {
        // SAFETY: descriptors and memory stay shared.
        unsafe { unshare_unsafe(self.kinds) }?;
        // Without it, ordinary users may not map their group.
        write_file(c"/proc/self/setgroups", b"deny")?;
        write_file(c"/proc/self/uid_map", &self.users)?;
        write_file(c"/proc/self/gid_map", &self.groups)
    }

    /// Shows in `/proc` the processes of the namespace that the caller is in. Leak detection looks for its own threads
    /// there.
    pub(super) fn show_processes(&self) -> io::Result<()> {
        if !self.processes {
            return Ok(());
        }
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        Ok(mount(c"proc", c"/proc", c"proc", flags, None)?)
    }

    /// Makes all mounts read-only but for the folder, which becomes a mount of its own. After it, `/proc` cannot be
    /// written, either.
    pub(super) fn make_read_only(&self) -> io::Result<()> {
        if !self.mounts {
            return Ok(());
        }
        mount_bind(&*self.folder, &*self.folder)?;
        set_mount(c"/", libc::AT_RECURSIVE, READ_ONLY, 0)?;
        set_mount(&self.folder, 0, 0, READ_ONLY)
    }
}

/// Limits the number of processes in the process namespace of the caller. Old kernels lack this; other limits apply
/// there.
pub(super) fn limit_processes() {
    let _ = write_file(c"/proc/sys/kernel/pid_max", b"512");
}

/// Gives up all capabilities of the superuser of a user namespace, for all programs that the process will start.
pub(super) fn drop_capabilities() {
    for capability in 0..64 {
        // The kernel has fewer; the rest fail.
        let _ = remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << capability));
    }
}

/// Writes a file of `/proc` in one call. May be called between fork and exec.
pub(super) fn write_file(path: &CStr, content: &[u8]) -> io::Result<()> {
    let file = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(&file, content)?;
    Ok(())
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

fn set_mount(path: &CStr, flags: libc::c_int, set: u64, clear: u64) -> io::Result<()> {
    let attributes = MountAttributes { set, clear, propagation: 0, user_namespace: 0 };
    let (path, size) = (path.as_ptr(), size_of::<MountAttributes>());
    // SAFETY: the path ends with 0; the structure is as long as is said and lives until the call returns.
    let done =
        unsafe { libc::syscall(libc::SYS_mount_setattr, libc::AT_FDCWD, path, flags, &raw const attributes, size) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
