//! Claims an output folder: one run at a time writes into it, and the results of an earlier run are replaced
//! atomically.
//!
//! An old run is first moved into [`PREVIOUS`], beginning with its mark, and removed once the mark of the new run is
//! written. So a folder that contains [`PREVIOUS`] but no mark was left by a process that was killed in between: the
//! old run is then restored.

use crate::files::{of_temporary, write_atomically};
use crate::functions;
use crate::out_dir::{MARKER, MARKER_TEXT, OURS, OutError, PREVIOUS, failed, is_ours};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::{self, File, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long a run that was killed may still hold its folder: its child processes end a moment after it.
const ENDING: Duration = Duration::from_secs(1);

/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(10);

/// An output folder that belongs to this process until the claim is dropped or the process ends, in whatever way.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    folder: File,
}

impl Claim {
    /// Claims a folder, which is created if it does not exist. It must be empty or ours; our files in it are set aside
    /// until [`commit`](Claim::commit).
    pub(crate) fn take(path: &Path) -> Result<Claim, OutError> {
        let claim = lock(path, ENDING)?;
        recover(path)?;
        if is_ours(path) {
            remove_leftovers(path)?;
            set_aside(path, &path.join(PREVIOUS))?;
        } else {
            let mut entries = fs::read_dir(path).map_err(|source| failed("read", path, source))?;
            if entries.next().is_some() {
                return Err(OutError::NotOurs { path: path.into() });
            }
        }
        Ok(claim)
    }

    /// Marks the folder as ours and removes what was set aside.
    pub(crate) fn commit(&self) -> Result<(), OutError> {
        write_atomically(&self.path.join(MARKER), MARKER_TEXT.as_bytes())?;
        remove(&self.path.join(PREVIOUS))
    }

    /// Whether the folder is still where it was.
    pub fn check(&self) -> Result<(), OutError> {
        let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
        let (open, named) = (self.folder.metadata().map(identity), fs::metadata(&self.path).map(identity));
        match (open, named) {
            (Ok(open), Ok(named)) if open == named => Ok(()),
            _ => Err(OutError::Gone { path: self.path.clone() }),
        }
    }
}

/// Restores an old run if the process that was replacing it was killed. A folder that another process is writing to is
/// left alone.
pub(crate) fn recover_unused(path: &Path) {
    if path.join(PREVIOUS).exists()
        && let Ok(_claim) = lock(path, Duration::ZERO)
    {
        // A failure is not reported here: whoever reads the missing file reports that.
        let _ = recover(path);
    }
}

/// Locks a folder, which is created if it does not exist. Whoever holds it may take this long to end.
fn lock(path: &Path, patience: Duration) -> Result<Claim, OutError> {
    let started = Instant::now();
    loop {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => return Err(OutError::NotAFolder { path: path.into() }),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed("read", path, error)),
            _ => {}
        }
        fs::create_dir_all(path).map_err(|source| failed("create", path, source))?;
        let folder = fs::OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_DIRECTORY)
            .open(path)
            .map_err(|source| failed("read", path, source))?;
        // Some file systems have no locks; there we do without.
        if flock(&folder, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            if started.elapsed() >= patience {
                return Err(OutError::InUse { path: path.into() });
            }
            thread::sleep(PAUSE);
            continue;
        }
        let claim = Claim { path: path.into(), folder };
        // Another process may have removed or replaced it in the meantime.
        if claim.check().is_ok() {
            return Ok(claim);
        }
    }
}

fn recover(path: &Path) -> Result<(), OutError> {
    let previous = path.join(PREVIOUS);
    match fs::symlink_metadata(&previous) {
        Ok(metadata) if metadata.is_dir() && !path.join(MARKER).exists() => {
            put_back(&previous, path)?;
            remove(&previous)
        }
        Ok(_) => remove(&previous),
        Err(_) => Ok(()),
    }
}

/// Moves our files out of a folder, and those of functions out of their folders. Other files stay.
fn set_aside(path: &Path, aside: &Path) -> Result<(), OutError> {
    let functions = functions::folders(path);
    fs::create_dir(aside).map_err(|source| failed("create", aside, source))?;
    for name in OURS {
        rename(&path.join(name), &aside.join(name))?;
    }
    for folder in functions.into_iter().filter(|folder| is_ours(folder)) {
        let Some(name) = folder.file_name() else { continue };
        set_aside(&folder, &aside.join(name))?;
        // It stays if it holds files that are not ours.
        let _ = fs::remove_dir(&folder);
    }
    Ok(())
}

/// The reverse of [`set_aside`]. Files in the way belong to a new run that had only begun. The mark comes last, because
/// it ends the recovery.
fn put_back(aside: &Path, path: &Path) -> Result<(), OutError> {
    fs::create_dir_all(path).map_err(|source| failed("create", path, source))?;
    let entries = fs::read_dir(aside).map_err(|source| failed("read", aside, source))?;
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    for name in names.iter().filter(|name| *name != MARKER) {
        let (from, to) = (aside.join(name), path.join(name));
        if OURS.iter().any(|ours| *name == **ours) {
            remove(&to)?;
            rename(&from, &to)?;
        } else {
            put_back(&from, &to)?;
        }
    }
    rename(&aside.join(MARKER), &path.join(MARKER))
}

/// Removes the temporary files of a process that was killed.
fn remove_leftovers(path: &Path) -> Result<(), OutError> {
    for entry in fs::read_dir(path).map_err(|source| failed("read", path, source))?.flatten() {
        let name = entry.file_name();
        let of = name.to_str().and_then(of_temporary);
        if of.is_some_and(|of| OURS.contains(&of)) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<(), OutError> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("replace", from, error)),
        _ => Ok(()),
    }
}

fn remove(path: &Path) -> Result<(), OutError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => return Ok(()),
    };
    removed.map_err(|source| failed("remove", path, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old_run(path: &Path) {
        let claim = Claim::take(path).unwrap();
        claim.commit().unwrap();
        fs::create_dir(path.join("tests")).unwrap();
        fs::write(path.join("tests/000001.ktest"), "old").unwrap();
        fs::write(path.join("program.bc"), "old").unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
    }

    fn content(path: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_run_that_ends_soon_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let first = Claim::take(&path).unwrap();
        let second = thread::scope(|scope| {
            let second = scope.spawn(|| Claim::take(&path).is_ok());
            thread::sleep(5 * PAUSE);
            drop(first);
            second.join()
        });
        assert!(second.unwrap());
    }

    #[test]
    fn a_second_run_is_refused_until_the_first_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let first = Claim::take(&path).unwrap();
        let error = Claim::take(&path).unwrap_err();
        assert!(matches!(error, OutError::InUse { .. }), "{error}");
        drop(first);
        Claim::take(&path).unwrap();
    }

    #[test]
    fn a_vanished_folder_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let claim = Claim::take(&path).unwrap();
        claim.check().unwrap();
        fs::rename(&path, folder.path().join("moved")).unwrap();
        assert!(claim.check().unwrap_err().to_string().contains("was removed or replaced while it was written"));
        fs::create_dir(&path).unwrap();
        assert!(claim.check().is_err());
    }

    #[test]
    fn the_old_run_can_be_restored_until_the_new_one_is_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        old_run(&path);
        let before = content(&path);
        // As if killed before the new mark was written, with part of the new run there.
        let claim = Claim::take(&path).unwrap();
        fs::create_dir(path.join("tests")).unwrap();
        fs::write(path.join("tests/000001.ktest"), "new").unwrap();
        drop(claim);
        assert!(path.join(PREVIOUS).exists());
        recover_unused(&path);
        assert_eq!(content(&path), before);
        assert_eq!(fs::read_to_string(path.join("tests/000001.ktest")).unwrap(), "old");
        assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn a_kill_while_the_old_run_is_moved_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        old_run(&path);
        let before = content(&path);
        // As if killed after the mark and one file were moved.
        fs::create_dir(path.join(PREVIOUS)).unwrap();
        for name in [MARKER, "program.bc"] {
            fs::rename(path.join(name), path.join(PREVIOUS).join(name)).unwrap();
        }
        recover_unused(&path);
        assert_eq!(content(&path), before);
    }

    #[test]
    fn what_was_set_aside_is_removed_on_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        old_run(&path);
        fs::write(path.join(".summary.json.123-4.tmp"), "half").unwrap();
        let claim = Claim::take(&path).unwrap();
        claim.commit().unwrap();
        assert_eq!(content(&path), [MARKER, "notes.txt"]);
        // As if killed while it was being removed.
        fs::create_dir(path.join(PREVIOUS)).unwrap();
        drop(claim);
        Claim::take(&path).unwrap().commit().unwrap();
        assert_eq!(content(&path), [MARKER, "notes.txt"]);
    }

    #[test]
    fn folders_of_functions_are_replaced_with_the_outer_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (functions, claim) = functions::Functions::create(&path, vec![]).unwrap();
        let tested = functions::FunctionResult::Tested {
            stopped: "finished".into(),
            paths: 0,
            tests: 0,
            branches: Default::default(),
            bugs: vec![],
            verdict: None,
        };
        let row =
            |name: &str| functions::FunctionRow { function: name.into(), time: Some(0.0), outcome: tested.clone() };
        let functions = functions::Functions { rows: vec![row("f"), row("g")], ..functions };
        for name in ["f", "g"] {
            old_run(&path.join(name));
        }
        fs::remove_file(path.join("f/notes.txt")).unwrap();
        functions.write(&path).unwrap();
        drop(claim);
        let before = [content(&path), content(&path.join("f")), content(&path.join("g"))];
        drop(Claim::take(&path).unwrap());
        assert_eq!(content(&path), [PREVIOUS, "g"]);
        recover_unused(&path);
        assert_eq!([content(&path), content(&path.join("f")), content(&path.join("g"))], before);
        Claim::take(&path).unwrap().commit().unwrap();
        assert_eq!(content(&path), [MARKER, "g"]);
        assert_eq!(content(&path.join("g")), ["notes.txt"]);
    }
}
