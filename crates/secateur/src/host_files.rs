//! `--file`: files of this system that the program finds, read once at the start.

use std::fs::{self, Metadata};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use secateur_program::{GivenContent, GivenFile};

use crate::Failure;

/// How much all files together may have.
const MOST_BYTES: u64 = 64 << 20;
/// How many there may be.
const MOST_FILES: usize = 10_000;

/// Reads what the options name.
pub(crate) fn read(options: &[String]) -> Result<Vec<GivenFile>, Failure> {
    let mut reader = Reader { given: Vec::new(), bytes: 0 };
    for option in options {
        let (host, name) = match option.split_once('=') {
            Some((host, name)) => (host, name.to_string()),
            None => (option.as_str(), last_part(option)),
        };
        let refuse = |reason: String| Failure::Input(format!("--file {option}: {reason}"));
        let is_plain =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir | Component::RootDir);
        if name.trim_matches(['/', '.']).is_empty() || !Path::new(&name).components().all(is_plain) {
            return Err(refuse("give the name under which the program finds it, as in HOST=NAME".to_string()));
        }
        reader.add(Path::new(host), name).map_err(refuse)?;
    }
    Ok(reader.given)
}

fn last_part(host: &str) -> String {
    Path::new(host).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

struct Reader {
    given: Vec<GivenFile>,
    bytes: u64,
}

impl Reader {
    /// Adds a file, or a folder with everything in it. A symbolic link that is named is followed; those in folders
    /// stay.
    fn add(&mut self, host: &Path, name: String) -> Result<(), String> {
        let metadata = fs::metadata(host).map_err(|error| cannot_read(host, &error))?;
        let mut waiting = vec![(host.to_path_buf(), name, metadata)];
        while let Some((host, path, metadata)) = waiting.pop() {
            let failed = |error: std::io::Error| cannot_read(&host, &error);
            let content = if metadata.is_dir() {
                waiting.extend(entries(&host, &path)?);
                GivenContent::Folder
            } else if metadata.is_symlink() {
                GivenContent::Link(text(&fs::read_link(&host).map_err(failed)?)?)
            } else if metadata.is_file() {
                self.bytes += metadata.len();
                if self.bytes > MOST_BYTES {
                    return Err(format!("all files together have more than {} MB", MOST_BYTES >> 20));
                }
                GivenContent::File(fs::read(&host).map_err(failed)?.into())
            } else {
                return Err(format!("{} is neither a file nor a folder", host.display()));
            };
            self.given.push(GivenFile { path, permissions: metadata.permissions().mode() & 0o7777, content });
            if self.given.len() > MOST_FILES {
                return Err(format!("there are more than {MOST_FILES} files"));
            }
        }
        Ok(())
    }
}

/// What is in a folder, in the reverse order of names.
fn entries(host: &Path, path: &str) -> Result<Vec<(PathBuf, String, Metadata)>, String> {
    let failed = |error: std::io::Error| cannot_read(host, &error);
    let mut entries = Vec::new();
    for entry in fs::read_dir(host).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = text(Path::new(&entry.file_name()))?;
        let metadata = entry.path().symlink_metadata().map_err(|error| cannot_read(&entry.path(), &error))?;
        entries.push((entry.path(), format!("{path}/{name}"), metadata));
    }
    entries.sort_by(|a, b| b.1.cmp(&a.1));
    Ok(entries)
}

fn text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_string).ok_or_else(|| format!("the name {} is not UTF-8", path.display()))
}

fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read_in_the_order_of_names() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        fs::write(folder.path().join("b/c"), "text").unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("d")).unwrap();
        let Ok(given) = read(&[format!("{}=t", folder.path().display())]) else { panic!("the folder is refused") };
        let paths: Vec<&str> = given.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["t", "t/a", "t/b", "t/b/c", "t/d"]);
        assert_eq!(given[3].content, GivenContent::File(b"text"[..].into()));
        assert_eq!(given[4].content, GivenContent::Link("a".to_string()));
    }

    #[test]
    fn what_cannot_be_given_is_refused() {
        for (option, expected) in [
            ("/nonexistent", "cannot read /nonexistent"),
            ("/dev/null", "neither a file nor a folder"),
            ("/=..", "HOST=NAME"),
            ("Cargo.toml=a/../b", "HOST=NAME"),
        ] {
            match read(&[option.to_string()]) {
                Err(Failure::Input(message)) => assert!(message.contains(expected), "{message}"),
                _ => panic!("{option} is accepted"),
            }
        }
    }
}
