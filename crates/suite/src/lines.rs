//! Files to which whole lines are appended.

use crate::files;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A file that is created with its header when the first line is added.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    header: &'static str,
    file: Mutex<Option<File>>,
}

impl Lines {
    pub(crate) fn new(path: PathBuf, header: &'static str) -> Lines {
        Lines { path, header, file: Mutex::new(None) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds lines in one call, so that readers never see half of one. `lines` includes the line endings.
    pub(crate) fn append(&self, lines: &str) -> io::Result<()> {
        // A thread that panicked while it held the lock left a whole file behind.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *file {
            Some(file) => file.write_all(lines.as_bytes()),
            none => {
                let file = none.insert(files::append(&self.path)?);
                file.write_all([self.header, lines].concat().as_bytes())
            }
        }
    }
}
