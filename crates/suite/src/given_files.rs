//! Concrete files that the program finds when it starts, beside those of a test: they are the same for all tests of an
//! output folder, which keeps them in `files/`.

use std::path::Path;

use secateur_program::{GivenContent, GivenFile};
use serde::{Deserialize, Serialize};

use crate::files;
use crate::out_dir::{OutDir, OutError};

/// An entry of the list of given files. The bytes of the file number N are in the file N.
#[derive(Serialize, Deserialize)]
struct Entry {
    path: String,
    permissions: u32,
    #[serde(flatten)]
    kind: EntryKind,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum EntryKind {
    File,
    Folder,
    Link { target: String },
}

/// The folder with the given files.
pub(crate) const FOLDER: &str = "files";
const LIST: &str = "list.json";

impl OutDir {
    /// Writes the given files; nothing if there are none.
    pub fn write_given_files(&self, given: &[GivenFile]) -> Result<(), OutError> {
        if given.is_empty() {
            return Ok(());
        }
        self.make_folder(FOLDER)?;
        let mut list = Vec::new();
        for (number, file) in given.iter().enumerate() {
            let kind = match &file.content {
                GivenContent::File(bytes) => {
                    self.write(&format!("{FOLDER}/{number}"), bytes)?;
                    EntryKind::File
                }
                GivenContent::Folder => EntryKind::Folder,
                GivenContent::Link(target) => EntryKind::Link { target: target.clone() },
            };
            list.push(Entry { path: file.path.clone(), permissions: file.permissions, kind });
        }
        let mut text = serde_json::to_string(&list).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        // The list comes last, so that it is there only if everything is.
        self.write(&format!("{FOLDER}/{LIST}"), text.as_bytes())
    }
}

/// Reads the given files of an output folder.
pub(crate) fn read(out: &Path) -> Result<Vec<GivenFile>, OutError> {
    let folder = out.join(FOLDER);
    let path = folder.join(LIST);
    if std::fs::symlink_metadata(&path).is_err() {
        return Ok(Vec::new());
    }
    let list: Vec<Entry> = serde_json::from_slice(&files::read(&path, files::MAX_SIZE)?)
        .map_err(|error| OutError::Damaged { path, message: error.to_string() })?;
    let read_entry = |(number, entry): (usize, Entry)| {
        let content = match entry.kind {
            EntryKind::File => {
                GivenContent::File(files::read(&folder.join(number.to_string()), files::MAX_SIZE)?.into())
            }
            EntryKind::Folder => GivenContent::Folder,
            EntryKind::Link { target } => GivenContent::Link(target),
        };
        Ok(GivenFile { path: entry.path, permissions: entry.permissions, content })
    };
    list.into_iter().enumerate().map(read_entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OutOptions;

    #[test]
    fn given_files_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let out = OutDir::create(&path, OutOptions::default()).unwrap();
        assert_eq!(read(&path).unwrap(), []);
        let file = |path: &str, content| GivenFile { path: path.into(), permissions: 0o600, content };
        let given = [
            file("a", GivenContent::Folder),
            file("a/b", GivenContent::File([0, 255].into())),
            file("/tmp/c", GivenContent::Link("/home/user/a".into())),
        ];
        out.write_given_files(&given).unwrap();
        assert_eq!(read(&path).unwrap(), given);
    }
}
