//! The tree of files that a native run sees: a folder plays its root.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use secateur_program::{GivenContent, GivenFile};

/// The folder that plays the root.
pub(super) struct Root {
    path: PathBuf,
}

/// The working directory at the start; `runtime/replay/world/world.h` has the same.
const HOME: &str = "home/user";

/// What `/dev` contains; `runtime/replay/world/paths.c` has the same.
const DEVICES: [&str; 6] = ["full", "null", "random", "tty", "urandom", "zero"];
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

impl Root {
    /// Makes it, with what every program finds there.
    pub(super) fn make(folder: &Path) -> io::Result<Root> {
        let root = Root { path: folder.join("root") };
        for (path, mode) in [("tmp", 0o1777), ("dev", 0o755), (HOME, 0o755)] {
            let path = root.path.join(path);
            fs::create_dir_all(&path)?;
            fs::set_permissions(path, Permissions::from_mode(mode))?;
        }
        // What is listed there stands for what the system has.
        for device in DEVICES {
            write_file(&root.path.join("dev").join(device), b"", 0o666)?;
        }
        for (number, stream) in STREAMS.iter().enumerate() {
            let link = root.path.join("dev").join(stream);
            // The folder may be there from a test before.
            if fs::symlink_metadata(&link).is_err() {
                symlink(format!("/proc/self/fd/{number}"), link)?;
            }
        }
        Ok(root)
    }

    /// The working directory.
    pub(super) fn home(&self) -> PathBuf {
        self.path.join(HOME)
    }

    /// Writes a file of the test.
    pub(super) fn place_file(&self, name: &str, content: &[u8]) -> io::Result<()> {
        write_file(&self.inside(name)?, content, 0o644)
    }

    /// Writes the files and folders that every test finds. Folders get their permissions last, since they may not be
    /// writable.
    pub(super) fn place_given(&self, given: &[GivenFile]) -> io::Result<()> {
        for file in given {
            let path = self.inside(&file.path)?;
            match &file.content {
                GivenContent::File(bytes) => write_file(&path, bytes, file.permissions)?,
                GivenContent::Folder => fs::create_dir_all(path)?,
                GivenContent::Link(_) => {}
            }
        }
        Ok(())
    }

    /// Makes the links that every test finds and gives folders their permissions. Nothing must be written afterwards:
    /// it could end up elsewhere.
    pub(super) fn finish(&self, given: &[GivenFile]) -> io::Result<()> {
        for file in given.iter().rev() {
            let path = self.inside(&file.path)?;
            match &file.content {
                GivenContent::Folder => fs::set_permissions(path, Permissions::from_mode(file.permissions))?,
                // A link to an absolute path leads to a place in the tree.
                GivenContent::Link(target) => match target.strip_prefix('/') {
                    Some(target) => symlink(self.path.join(target), path)?,
                    None => symlink(target, path)?,
                },
                GivenContent::File(_) => {}
            }
        }
        Ok(())
    }

    /// Where a file is, in a folder that exists. It must stay in the tree.
    fn inside(&self, name: &str) -> io::Result<PathBuf> {
        let (from, relative) = match name.strip_prefix('/') {
            Some(relative) => (self.path.clone(), Path::new(relative)),
            None => (self.home(), Path::new(name)),
        };
        let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if relative.as_os_str().is_empty() || !relative.components().all(stays) {
            let message = format!("its file `{name}` would lie outside of its folder");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let path = from.join(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(path)
    }
}

/// Writes a file with these permissions, whatever those of our own files are.
pub(super) fn write_file(path: &Path, content: &[u8], permissions: u32) -> io::Result<()> {
    fs::write(path, content)?;
    fs::set_permissions(path, Permissions::from_mode(permissions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stay_in_the_tree() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::make(folder.path()).unwrap();
        root.place_file("a/b.txt", b"x").unwrap();
        root.place_file("/etc/c", b"y").unwrap();
        assert_eq!(fs::read(root.home().join("a/b.txt")).unwrap(), b"x");
        assert_eq!(fs::read(folder.path().join("root/etc/c")).unwrap(), b"y");
        for name in ["../c", "", "/", "//etc/d", "a/../../d", "/tmp/../../d"] {
            assert!(root.place_file(name, b"").is_err(), "{name}");
        }
    }

    #[test]
    fn links_come_after_everything_that_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::make(folder.path()).unwrap();
        let given = |path: &str, content| GivenFile { path: path.into(), permissions: 0o700, content };
        let all = [
            given("way", GivenContent::Link("../../../outside".into())),
            given("folder", GivenContent::Folder),
            given("folder/file", GivenContent::File(b"z"[..].into())),
            given("absolute", GivenContent::Link("/home/user/folder/file".into())),
        ];
        root.place_given(&all).unwrap();
        root.finish(&all).unwrap();
        assert_eq!(fs::read(root.home().join("absolute")).unwrap(), b"z");
        assert!(!folder.path().join("outside").exists());
    }
}
