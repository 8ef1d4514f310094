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
    file: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// The length of its whole lines, in bytes.
    length: u64,
}

impl Lines {
    pub(crate) fn new(path: PathBuf, header: &'static str) -> Lines {
        Lines { path, header, file: Mutex::new(None) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds lines in one call, so that readers never see half of one. `lines` includes the line endings. What cannot be
    /// added as a whole, because the disk is full, is not added: later lines would continue half of one.
    pub(crate) fn append(&self, lines: &str) -> io::Result<()> {
        // A thread that panicked while it held the lock left a whole file behind.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match &mut *file {
            Some(open) => open,
            none => {
                let file = files::append(&self.path)?;
                let length = file.metadata()?.len();
                none.insert(Open { file, length })
            }
        };
        open.append(if open.length == 0 { self.header } else { "" }, lines)
    }
}

impl Open {
    fn append(&mut self, header: &str, lines: &str) -> io::Result<()> {
        let written = if header.is_empty() {
            self.file.write_all(lines.as_bytes())
        } else {
            self.file.write_all([header, lines].concat().as_bytes())
        };
        match written {
            Ok(()) => self.length += (header.len() + lines.len()) as u64,
            // If this fails, too, readers still leave out the half line at the end.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }
}
