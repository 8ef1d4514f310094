//! Landlock: which files a process may change, whichever user it runs as. Reading is not restricted.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;

/// The version of the interface that the kernel has; 0 if it has none.
pub(super) fn version() -> u32 {
    const VERSION_ONLY: u32 = 1;
    // SAFETY: with this flag the kernel reads no memory of ours.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<Attributes>(), 0, VERSION_ONLY) };
    u32::try_from(version).unwrap_or(0)
}

/// Whether signals and abstract sockets are confined, too.
pub(super) fn confines_signals(version: u32) -> bool {
    version >= 6
}

/// A set of rules under which files may be changed beneath this folder only. A process enters it by [`enter`].
pub(super) fn rules(version: u32, folder: &Path) -> io::Result<OwnedFd> {
    // Each version knows more kinds of access; the kernel refuses those that it does not know.
    let files = match version {
        0 | 1 => CHANGE,
        2 => CHANGE | REFER,
        3 | 4 => CHANGE | REFER | TRUNCATE,
        _ => CHANGE | REFER | TRUNCATE | DEVICE_CONTROL,
    };
    let attributes = Attributes {
        files,
        network: if version >= 4 { BIND_TCP | CONNECT_TCP } else { 0 },
        scoped: if confines_signals(version) { ABSTRACT_SOCKETS | SIGNALS } else { 0 },
    };
    let size = match version {
        0..=3 => 8,
        4 | 5 => 16,
        _ => 24,
    };
    // SAFETY: the structure is at least `size` bytes long and lives until the call returns; the result is a descriptor
    // that nobody else owns.
    let rules = unsafe {
        let rules = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0);
        OwnedFd::from_raw_fd(checked(rules)? as i32)
    };
    allow(&rules, folder, files)?;
    for device in HARMLESS_DEVICES {
        // Not every container has all of these devices.
        let _ = allow(&rules, Path::new(device), files & (WRITE | TRUNCATE | DEVICE_CONTROL));
    }
    Ok(rules)
}

/// Restricts the calling process, for good. May be called between fork and exec.
pub(super) fn enter(rules: i32) -> io::Result<()> {
    // SAFETY: the kernel reads no memory of ours.
    checked(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules, 0) }).map(|_| ())
}

const HARMLESS_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

const WRITE: u64 = 1 << 1;
/// The rights to remove folders and files (bits 4 and 5), and to create each kind of them (6 to 12).
const CHANGE: u64 = WRITE | 0b1_1111_1111 << 4;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const DEVICE_CONTROL: u64 = 1 << 15;
const BIND_TCP: u64 = 1;
const CONNECT_TCP: u64 = 1 << 1;
const ABSTRACT_SOCKETS: u64 = 1;
const SIGNALS: u64 = 1 << 1;

/// `struct landlock_ruleset_attr`.
#[repr(C)]
struct Attributes {
    files: u64,
    network: u64,
    scoped: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct Beneath {
    allowed: u64,
    parent: i32,
}

fn allow(rules: &OwnedFd, path: &Path, allowed: u64) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    const PATH_BENEATH: i32 = 1;
    let parent = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path)?;
    let rule = Beneath { allowed, parent: parent.as_raw_fd() };
    // SAFETY: the structure has the layout that this kind of rule needs and lives until the call returns.
    let added =
        unsafe { libc::syscall(libc::SYS_landlock_add_rule, rules.as_raw_fd(), PATH_BENEATH, &raw const rule, 0) };
    checked(added).map(|_| ())
}

fn checked(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
