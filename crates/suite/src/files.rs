//! Reads and writes files of an output folder without trusting what another process may have put there: a link, a pipe,
//! a device, or an endless file.

use crate::out_dir::{OutError, failed};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The largest file of a single test that is read, in bytes. These bounds are constants because they only keep files
/// that are not ours from using up memory.
pub(crate) const MAX_TEST_SIZE: u64 = 256 << 20;
/// The largest other file.
pub(crate) const MAX_SIZE: u64 = 1 << 30;
/// The largest list of tests: a line can take 16 KB, and there may be hundreds of thousands.
pub(crate) const MAX_LIST_SIZE: u64 = 8 << 30;

/// The largest file of what is pending: it has a few dozen bytes for each path.
pub(crate) const MAX_JOURNAL_SIZE: u64 = 64 << 30;

/// Reads a file if it is a regular file of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, OutError> {
    let damaged = |message: &str| OutError::Damaged { path: path.into(), message: message.into() };
    let not_regular = || damaged("it is a link, a pipe, a device or a folder where a regular file should be");
    // Opening a pipe must not block until another process writes to it.
    let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW;
    let file =
        OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| match error.raw_os_error() {
            Some(libc::ELOOP | libc::ENXIO) => not_regular(),
            _ => failed("read", path, error),
        })?;
    let metadata = file.metadata().map_err(|source| failed("read", path, source))?;
    if !metadata.is_file() {
        return Err(not_regular());
    }
    let too_large = || damaged(&format!("it is larger than {} MB, so Secateur has not written it", most >> 20));
    if metadata.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // It may grow while it is read.
    file.take(most + 1).read_to_end(&mut bytes).map_err(|source| failed("read", path, source))?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Like [`read`], for text.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, OutError> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| OutError::Damaged { path: path.into(), message: "it is not text".into() })
}

/// Creates a file. Whatever is in its place is removed and never written through.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let create = || OpenOptions::new().write(true).create_new(true).open(path);
    create().or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => fs::remove_file(path).and_then(|()| create()),
        _ => Err(error),
    })
}

/// Opens a file for appending, and creates it if it does not exist.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    OpenOptions::new().create(true).append(true).custom_flags(flags).open(path)
}

/// Writes a file atomically: it appears complete or not at all.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), OutError> {
    let temporary = temporary_name(path);
    let written = create(&temporary).and_then(|mut file| file.write_all(content));
    written.and_then(|()| fs::rename(&temporary, path)).map_err(|source| {
        // On a full disk, half a file is useless. The first error is the one to report.
        let _ = fs::remove_file(&temporary);
        failed("write", path, source)
    })
}

/// A name beside the file that no other process and no other call uses.
pub(crate) fn temporary_name(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    path.with_file_name(format!(".{name}.{process}-{count}{TEMPORARY}"))
}

/// The file to which this temporary name belongs, if it is one.
pub(crate) fn of_temporary(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('.')?.strip_suffix(TEMPORARY)?;
    let (file, numbers) = inner.rsplit_once('.')?;
    numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-').then_some(file)
}

const TEMPORARY: &str = ".tmp";

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::fs::symlink;

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "text").unwrap();
        assert_eq!(read(&path("file"), 4).unwrap(), b"text");
        let message = |name: &str, most| read(&path(name), most).unwrap_err().to_string();
        assert!(message("file", 3).ends_with("file: it is larger than 0 MB, so Secateur has not written it"));
        symlink(path("file"), path("link")).unwrap();
        symlink("/dev/zero", path("zero")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        for name in ["link", "zero", "folder", "pipe", "socket"] {
            let message = message(name, 1000);
            assert!(message.ends_with("where a regular file should be"), "{message}");
        }
        assert!(read(Path::new("/dev/zero"), 1000).is_err());
        let huge = File::create(path("huge")).unwrap();
        huge.set_len(MAX_SIZE + 1).unwrap();
        assert!(message("huge", MAX_SIZE).contains("larger than 1024 MB"));
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("precious"), "text").unwrap();
        symlink(path("precious"), path("link")).unwrap();
        create(&path("link")).unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read(path("link")).unwrap(), b"new");
        symlink(path("precious"), path("other")).unwrap();
        write_atomically(&path("other"), b"new").unwrap();
        assert_eq!(fs::read(path("other")).unwrap(), b"new");
        symlink(path("precious"), path("log")).unwrap();
        assert!(append(&path("log")).is_err());
        assert_eq!(fs::read(path("precious")).unwrap(), b"text");
    }

    #[test]
    fn temporary_files_are_recognised() {
        let temporary = temporary_name(Path::new("out/summary.json"));
        let name = temporary.file_name().unwrap().to_str().unwrap();
        assert_eq!(of_temporary(name), Some("summary.json"));
        assert_ne!(temporary, temporary_name(Path::new("out/summary.json")));
        for other in ["summary.json", ".tmp", ".a.b.tmp", "a.1-1.tmp"] {
            assert_eq!(of_temporary(other), None, "{other}");
        }
    }
}
