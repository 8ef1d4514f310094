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

    /// Adds a line in one call, so that readers never see half of it. `line` includes its line ending.
    pub(crate) fn append(&self, line: &str) -> io::Result<()> {
        // A thread that panicked while it held the lock left a whole file behind.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *file {
            Some(file) => file.write_all(line.as_bytes()),
            none => {
                let file = none.insert(files::append(&self.path)?);
                file.write_all([self.header, line].concat().as_bytes())
            }
        }
    }
}
