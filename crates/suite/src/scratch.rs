//! A folder for temporary files. If the process is killed, the next one removes the folder.

use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A folder that is removed when this is dropped. It is locked while in use; the system unlocks it when the process
/// ends.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _lock: File,
}

const PREFIX: &str = "secateur-tmp-";

impl Scratch {
    /// Creates one in the system's folder for temporary files, and removes those of processes that no longer exist.
    pub fn new() -> io::Result<Scratch> {
        Scratch::new_in(&std::path::absolute(std::env::temp_dir())?)
    }

    fn new_in(parent: &Path) -> io::Result<Scratch> {
        remove_abandoned(parent);
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).make_in(parent, |path| {
                // No other user may read or change what is tested.
                fs::DirBuilder::new().mode(0o700).create(path)
            })?;
            let (_, path) = folder.into_parts();
            let path = path.keep().map_err(|error| error.error)?;
            // Before it was locked, another process may have taken it for abandoned.
            if let Some(lock) = lock(&path).filter(|lock| is_same(lock, &path)) {
                return Ok(Scratch { path, _lock: lock });
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next process removes what cannot be removed now.
        let _ = fs::remove_dir_all(&self.path);
        // The compiler that a killed process had started may have kept its folder from being removed until now.
        if let Some(parent) = self.path.parent() {
            remove_abandoned(parent);
        }
    }
}

/// Locks a folder unless another process has locked it.
fn lock(path: &Path) -> Option<File> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let folder = fs::OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(folder)
}

fn is_same(folder: &File, path: &Path) -> bool {
    let numbers = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, named) = (folder.metadata().map(numbers), fs::symlink_metadata(path).map(numbers));
    matches!((open, named), (Ok(open), Ok(named)) if open == named)
}

fn remove_abandoned(parent: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let ours = entry.metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == user);
        if ours && let Some(_lock) = lock(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_folders_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let abandoned = parent.path().join("secateur-tmp-old");
        fs::create_dir_all(abandoned.join("1/work")).unwrap();
        fs::write(parent.path().join("secateur-tmp-file"), "").unwrap();
        let first = Scratch::new_in(parent.path()).unwrap();
        assert!(!abandoned.exists());
        let second = Scratch::new_in(parent.path()).unwrap();
        assert!(first.path().exists() && second.path().exists());
        fs::create_dir_all(abandoned.join("1/work")).unwrap();
        drop((first, second));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
