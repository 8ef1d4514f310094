//! Seeds: inputs that somebody else has found, read from a folder. It may be the corpus of a fuzzer, the tests of
//! another tool, or the output folder of an earlier run.
//!
//! Nothing in it is trusted: what is not a regular file of reasonable size is refused with a reason, and never waited
//! for.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::out_dir::{BUGS, OutError, Portion, StoredTest, TESTS, failed, is_ours, read_folder, read_tests};
use crate::{TestCase, files, ktest, testcomp};

/// The largest file that is read, in bytes. This and the next are constants because they only keep a folder that is no
/// corpus from using up memory.
const MAX_SIZE: u64 = 16 << 20;
/// How many folders may be nested.
const MAX_DEPTH: usize = 16;
/// Files that stand beside tests but are none.
const NOT_TESTS: [&str; 2] = ["expected.jsonl", "metadata.xml"];

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seed {
    /// The bytes of one input, as fuzzers keep them.
    Raw(Vec<u8>),
    /// A test, whose inputs have names.
    Test(TestCase),
}

/// The seeds of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seeds {
    /// Each with the name of its file, in the order of the names.
    pub seeds: Vec<(PathBuf, Seed)>,
    /// What cannot be used.
    pub refused: Refused,
}

/// Files that cannot be used as seeds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refused {
    /// By the reason: how many files there are, and the first of them.
    reasons: BTreeMap<String, (usize, PathBuf)>,
}

impl Refused {
    /// Adds a file.
    pub fn add(&mut self, path: &Path, reason: &str) {
        self.reasons.entry(reason.into()).or_insert_with(|| (0, path.into())).0 += 1;
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.reasons.values().map(|(count, _)| count).sum()
    }

    /// A sentence for each reason.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |(reason, (count, first)): (&String, &(usize, PathBuf))| match count {
            1 => format!("the seed {} is not used: {reason}", first.display()),
            _ => format!("{count} seeds are not used, {} the first: {reason}", first.display()),
        };
        self.reasons.iter().map(sentence).collect()
    }
}

/// Reads the seeds of a folder. Of a file that is no test, at most `most` bytes are kept: more than that the program
/// never reads.
pub fn read_seeds(folder: &Path, most: usize) -> Result<Seeds, OutError> {
    if let Some(tests) = of_earlier_run(folder) {
        let seeds = tests?.into_iter().map(|stored| (folder.join(stored.name), Seed::Test(stored.test)));
        return Ok(Seeds { seeds: seeds.collect(), ..Seeds::default() });
    }
    let metadata = fs::metadata(folder).map_err(|source| failed("read", folder, source))?;
    if !metadata.is_dir() {
        return Err(OutError::NotAFolder { path: folder.into() });
    }
    let mut seeds = Seeds::default();
    let entries = fs::read_dir(folder).map_err(|source| failed("read", folder, source))?;
    seeds.read_entries(entries, most, MAX_DEPTH);
    Ok(seeds)
}

/// The tests of an earlier run, if the folder is its output folder or one in there.
fn of_earlier_run(folder: &Path) -> Option<Result<Vec<StoredTest>, OutError>> {
    if is_ours(folder) {
        return Some(read_tests(folder));
    }
    let name = [TESTS, BUGS].into_iter().find(|name| folder.file_name() == Some(OsStr::new(name)))?;
    let out = folder.parent().filter(|out| is_ours(out))?;
    Some(read_folder(out, name, Portion::ALL))
}

impl Seeds {
    fn read_entries(&mut self, entries: fs::ReadDir, most: usize, depth: usize) {
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Fuzzers keep notes of their own in hidden files.
            if name.starts_with('.') || NOT_TESTS.contains(&&*name) {
                continue;
            }
            if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
                match fs::read_dir(&path) {
                    Ok(entries) if depth > 0 => self.read_entries(entries, most, depth - 1),
                    Ok(_) => self.refused.add(&path, "its folder is nested too deeply"),
                    Err(_) => self.refused.add(&path, "its folder cannot be read"),
                }
                continue;
            }
            match read_seed(&path, most) {
                Ok(seed) => self.seeds.push((path, seed)),
                Err(reason) => self.refused.add(&path, &reason),
            }
        }
    }
}

fn read_seed(path: &Path, most: usize) -> Result<Seed, String> {
    let mut bytes = files::read(path, MAX_SIZE).map_err(|error| match error {
        OutError::Damaged { .. } if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) => {
            format!("it is larger than {} MB", MAX_SIZE >> 20)
        }
        OutError::Damaged { .. } => "it is a link, a pipe or a device, not a regular file".into(),
        OutError::Io { .. } => "it cannot be read".into(),
        error => error.to_string(),
    })?;
    if bytes.is_empty() {
        return Err("it is empty".into());
    }
    // An input of a fuzzer may look like anything, also like the start of a test.
    if let Ok(test) = ktest::read_foreign(&bytes) {
        return Ok(Seed::Test(test));
    }
    if path.extension() == Some(OsStr::new("xml"))
        && let Ok(text) = std::str::from_utf8(&bytes)
        && let Ok(test) = testcomp::read_foreign(text)
    {
        return Ok(Seed::Test(test));
    }
    bytes.truncate(most);
    Ok(Seed::Raw(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Object, Source};
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::fs::symlink;

    fn a_test() -> TestCase {
        let object = Object { name: "x".into(), bytes: vec![1, 2], source: Source::Make };
        TestCase { objects: vec![object], ..TestCase::default() }
    }

    #[test]
    fn files_of_all_kinds_are_read_or_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), b"hello, world").unwrap();
        fs::write(path("b.ktest"), ktest::write(&a_test(), "program")).unwrap();
        fs::write(path("c.xml"), testcomp::write(&a_test(), false)).unwrap();
        fs::write(path("d.xml"), b"<not-a-test/>").unwrap();
        fs::write(path(".hidden"), b"x").unwrap();
        fs::create_dir(path("queue")).unwrap();
        fs::write(path("queue/id:000000"), b"KTEST").unwrap();
        fs::write(path("empty-1"), b"").unwrap();
        fs::write(path("empty-2"), b"").unwrap();
        fs::File::create(path("huge")).unwrap().set_len(MAX_SIZE + 1).unwrap();
        symlink("/dev/zero", path("zero")).unwrap();
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let Seeds { seeds, refused } = read_seeds(folder.path(), 5).unwrap();
        let read: Vec<_> =
            seeds.iter().map(|(path, seed)| (path.file_name().unwrap().to_str().unwrap(), seed.clone())).collect();
        let expected = [
            ("a", Seed::Raw(b"hello".to_vec())),
            ("b.ktest", Seed::Test(a_test())),
            ("c.xml", Seed::Test(a_test())),
            ("d.xml", Seed::Raw(b"<not-".to_vec())),
            ("id:000000", Seed::Raw(b"KTEST".to_vec())),
        ];
        assert_eq!(read, expected);
        let place = folder.path().display();
        let expected = [
            format!(
                "2 seeds are not used, {place}/pipe the first: it is a link, a pipe or a device, not a regular file"
            ),
            format!("2 seeds are not used, {place}/empty-1 the first: it is empty"),
            format!("the seed {place}/huge is not used: it is larger than 16 MB"),
        ];
        assert_eq!((refused.count(), refused.sentences()), (5, expected.to_vec()));
    }

    #[test]
    fn only_a_folder_has_seeds() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), b"x").unwrap();
        let message = |path: &Path| read_seeds(path, 1).unwrap_err().to_string();
        assert!(message(&folder.path().join("a")).ends_with("a is not a folder"));
        assert!(message(&folder.path().join("b")).ends_with("there is no such file or folder"));
    }
}
