//! The output folder of a run. Files are written atomically, or listed once they are complete, so that a killed run
//! leaves a usable folder.

use crate::bug::{BugReport, Native};
use crate::claim::{Claim, recover_unused};
use crate::code_map::CodeMap;
use crate::coverage::Coverage;
use crate::files::write_atomically;
use crate::lines::Lines;
use crate::prediction::{Expected, Prediction};
use crate::raw::Raw;
use crate::summary::Summary;
use crate::test_case::{Shape, TestCase};
use crate::timeline::{self, Sample};
use crate::{files, functions, given_files, ktest, lcov, raw, sarif, testcomp};
use secateur_program::BranchId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folder into which a run writes. It can be shared between threads.
#[derive(Debug)]
pub struct OutDir {
    claim: Claim,
    path: PathBuf,
    options: OutOptions,
    tests: AtomicU64,
    bugs: Mutex<Vec<BugReport>>,
    timeline: Lines,
    expected_tests: Lines,
    expected_bugs: Lines,
}

/// How tests are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOptions {
    /// The name of the program: `argv[0]` of a native run.
    pub program: String,
    /// The libraries that native replay links.
    pub libraries: Vec<String>,
    /// In which formats tests are written; the first is the one that bugs refer to.
    pub formats: Vec<Format>,
    /// For [`Format::Xml`].
    pub metadata: testcomp::Metadata,
}

impl Default for OutOptions {
    fn default() -> OutOptions {
        OutOptions {
            program: "program".into(),
            libraries: Vec::new(),
            formats: vec![Format::KTest],
            metadata: testcomp::Metadata::default(),
        }
    }
}

/// The file formats of tests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// KLEE's `.ktest`.
    KTest,
    /// Test-Comp's XML.
    Xml,
    /// Plain files.
    Raw,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Format] = &[Format::KTest, Format::Xml, Format::Raw];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::KTest => "ktest",
            Format::Xml => "xml",
            Format::Raw => "raw",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }
}

/// Why the output folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutError {
    /// The folder holds something else, which would be lost.
    #[error("{} exists and is not an output folder of Secateur; remove it or name another folder with --out", path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes into it.
    #[error("another run of Secateur is writing into {}; wait for its end or name another folder with --out", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is no longer where it was.
    #[error("{} was removed or replaced while it was written, so results are lost; run again", path.display())]
    Gone {
        /// The folder.
        path: PathBuf,
    },
    /// There is a file of that name.
    #[error("{} is not a folder", path.display())]
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("cannot {action} {}: {}", path.display(), reason(source))]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of the folder is damaged.
    #[error("cannot read {}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
}

/// A test that was read back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTest {
    /// `000001`, or `bugs/000001`.
    pub name: String,
    /// The input.
    pub test: TestCase,
    /// What it should do.
    pub prediction: Prediction,
}

/// What is kept about the program beside its bitcode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredProgram {
    /// The name of the program: `argv[0]` of a native run.
    pub program: String,
    /// The libraries that it is linked with: options of the linker.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// Its branches, blocks and lines.
    pub code: CodeMap,
}

impl OutDir {
    /// Creates the folder. An existing one is replaced if it is empty or ours; other files in it stay.
    pub fn create(path: &Path, options: OutOptions) -> Result<OutDir, OutError> {
        let out = OutDir::begin(path, options)?;
        out.claim.commit()?;
        Ok(out)
    }

    /// Like [`create`](OutDir::create), with what native replay needs, and with what is pending, if the run can be
    /// continued. An earlier run can be restored until that is written.
    pub fn create_for(
        path: &Path,
        options: OutOptions,
        bitcode: &[u8],
        code: &CodeMap,
        pending: Option<&[u8]>,
    ) -> Result<OutDir, OutError> {
        let out = OutDir::begin(path, options)?;
        out.write_program(bitcode, code)?;
        if let Some(pending) = pending {
            out.write(PENDING, pending)?;
        }
        out.claim.commit()?;
        Ok(out)
    }

    fn begin(path: &Path, options: OutOptions) -> Result<OutDir, OutError> {
        let out = OutDir {
            claim: Claim::take(path)?,
            path: path.into(),
            options,
            tests: AtomicU64::new(0),
            bugs: Mutex::new(Vec::new()),
            timeline: Lines::new(path.join(TIMELINE), timeline::HEADER),
            expected_tests: Lines::new(path.join(TESTS).join(EXPECTED), ""),
            expected_bugs: Lines::new(path.join(BUGS).join(EXPECTED), ""),
        };
        make_folder(&path.join(TESTS))?;
        make_folder(&path.join(BUGS))?;
        if out.options.formats.contains(&Format::Xml) {
            out.write("tests/metadata.xml", testcomp::write_metadata(&out.options.metadata).as_bytes())?;
        }
        out.write("bugs/bugs.sarif", sarif::write(&[]).as_bytes())?;
        // The lists exist from the start, so that a missing list means that it was removed.
        append(&out.expected_tests, "")?;
        append(&out.expected_bugs, "")?;
        Ok(out)
    }

    /// Whether the folder is still where it was. Otherwise, whatever was written since is lost.
    pub fn check(&self) -> Result<(), OutError> {
        self.claim.check()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the next number for a test.
    pub fn reserve_test(&self) -> u64 {
        self.tests.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The file of the test of a number, relative to the folder.
    pub fn test_name(&self, number: u64) -> String {
        self.options.formats.first().map_or_else(String::new, |format| file_of(TESTS, number, *format))
    }

    /// Writes a test and its prediction; returns the name of the file, relative to the folder.
    pub fn write_test(&self, test: &TestCase, prediction: &Prediction) -> Result<String, OutError> {
        self.write_reserved(self.reserve_test(), test, prediction)
    }

    /// Like [`write_test`](OutDir::write_test), with a number that was reserved for it.
    pub fn write_reserved(&self, number: u64, test: &TestCase, prediction: &Prediction) -> Result<String, OutError> {
        let name = self.write_files(TESTS, number, test, prediction)?;
        self.list_test(number, &prediction.to_line(number, test))?;
        Ok(name)
    }

    /// Writes the files of a test. It is complete once it is listed.
    pub(crate) fn write_test_files(
        &self,
        number: u64,
        test: &TestCase,
        prediction: &Prediction,
    ) -> Result<(), OutError> {
        self.write_files(TESTS, number, test, prediction).map(drop)
    }

    /// Adds a test whose files are written to the list of tests. If there is no room for that, its files are of no use:
    /// without them there is room for the tests that follow.
    pub(crate) fn list_test(&self, number: u64, line: &str) -> Result<(), OutError> {
        append(&self.expected_tests, line).inspect_err(|_| self.remove_test_files(number))
    }

    fn remove_test_files(&self, number: u64) {
        for format in &self.options.formats {
            let path = self.path.join(file_of(TESTS, number, *format));
            // A raw test of several inputs is a folder.
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }

    /// Writes a bug and the test that shows it; returns the name of the test's file, relative to the folder.
    pub fn write_bug(&self, bug: &BugReport, test: &TestCase, prediction: &Prediction) -> Result<String, OutError> {
        let mut bugs = lock(&self.bugs);
        let number = bugs.len() as u64 + 1;
        let name = self.write_files(BUGS, number, test, prediction)?;
        append(&self.expected_bugs, &prediction.to_line(number, test))?;
        bugs.push(BugReport { test: name.clone(), ..bug.clone() });
        self.write("bugs/bugs.sarif", sarif::write(&bugs).as_bytes())?;
        Ok(name)
    }

    /// Records what the native program showed for each bug, in the order in which they were written.
    pub fn record_native(&self, natives: Vec<Native>) -> Result<(), OutError> {
        let mut bugs = lock(&self.bugs);
        for (bug, native) in bugs.iter_mut().zip(natives) {
            bug.native = native;
        }
        self.write("bugs/bugs.sarif", sarif::write(&bugs).as_bytes())
    }

    /// How many tests were written, without those of bugs.
    pub fn tests(&self) -> u64 {
        self.tests.load(Ordering::Relaxed)
    }

    /// The bugs that were written.
    pub fn bugs(&self) -> Vec<BugReport> {
        lock(&self.bugs).clone()
    }

    /// Writes what native replay needs: the bitcode of the user's program and its code map.
    pub fn write_program(&self, bitcode: &[u8], code: &CodeMap) -> Result<(), OutError> {
        let OutOptions { program, libraries, .. } = self.options.clone();
        let program = StoredProgram { program, libraries, code: code.clone() };
        let mut text = serde_json::to_string(&program).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        self.write(PROGRAM_MAP, text.as_bytes())?;
        self.write(PROGRAM, bitcode)
    }

    /// Makes a folder in it.
    pub(crate) fn make_folder(&self, name: &str) -> Result<(), OutError> {
        make_folder(&self.path.join(name))
    }

    /// Writes `summary.json`, which is the same for every run; measurements are in `timeline.csv`.
    pub fn write_summary(&self, summary: &Summary) -> Result<(), OutError> {
        self.write(SUMMARY, summary.without_measurements().to_json().as_bytes())
    }

    /// Writes `coverage.info`.
    pub fn write_coverage(&self, code: &CodeMap, coverage: &Coverage) -> Result<(), OutError> {
        self.write(COVERAGE, lcov::write(code, coverage).as_bytes())
    }

    /// Adds a line to `timeline.csv`.
    pub fn append_timeline(&self, sample: &Sample) -> Result<(), OutError> {
        append(&self.timeline, &format!("{sample}\n"))
    }

    /// Opens `run.log` for appending.
    pub fn open_log(&self) -> Result<File, OutError> {
        let path = self.path.join("run.log");
        files::append(&path).map_err(|source| failed("write", &path, source))
    }

    /// Opens what is pending for appending.
    pub fn open_pending(&self) -> Result<File, OutError> {
        let path = self.path.join(PENDING);
        files::append(&path).map_err(|source| failed("write", &path, source))
    }

    /// Nothing is pending any more.
    pub fn remove_pending(&self) -> Result<(), OutError> {
        let path = self.path.join(PENDING);
        fs::remove_file(&path).map_err(|source| failed("remove", &path, source))
    }

    /// Writes any other file of the folder, e.g. the report.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), OutError> {
        write_atomically(&self.path.join(name), content)
    }

    /// Reads a text file of the folder; `None` if it was not written.
    pub fn read_text(&self, name: &str) -> Result<Option<String>, OutError> {
        match files::read_text(&self.path.join(name), files::MAX_LIST_SIZE) {
            Ok(text) => Ok(Some(text)),
            Err(OutError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the files of a test or bug; returns the name of the first. Its prediction must follow: only a test with a
    /// prediction is complete.
    fn write_files(
        &self,
        folder: &str,
        number: u64,
        test: &TestCase,
        prediction: &Prediction,
    ) -> Result<String, OutError> {
        let covers_error = matches!(&prediction.end, Expected::Bug { kind, .. } if kind == "reach-error");
        let mut first = None;
        for format in &self.options.formats {
            let name = file_of(folder, number, *format);
            match format {
                Format::KTest => self.write_input(&name, &ktest::write(test, &self.options.program))?,
                Format::Xml => {
                    let text = testcomp::write(test, covers_error);
                    self.write_input(&name, text.as_bytes())?;
                    if folder == BUGS {
                        // A validator takes the folder of tests as the suite, so that must have the bugs, too.
                        self.write_input(&format!("{TESTS}/testcase-bug-{number}.xml"), text.as_bytes())?;
                    }
                }
                Format::Raw => match raw::write(test) {
                    Raw::File(bytes) => self.write_input(&name, &bytes)?,
                    Raw::Folder(files) => {
                        make_folder(&self.path.join(&name))?;
                        for (file, bytes) in files {
                            self.write_input(&format!("{name}/{file}"), &bytes)?;
                        }
                    }
                },
            }
            first.get_or_insert(name);
        }
        Ok(first.unwrap_or_default())
    }

    /// Writes a file that nothing reads before its test is listed as complete. Writing it elsewhere and renaming it
    /// would take twice as long, and there can be hundreds of thousands.
    fn write_input(&self, name: &str, content: &[u8]) -> Result<(), OutError> {
        let path = self.path.join(name);
        let write = || files::create(&path).and_then(|mut file| file.write_all(content));
        let written = write().or_else(|error| match (error.kind(), path.parent()) {
            // The first test of its hundred. `tests` itself exists, unless another process has removed it.
            (ErrorKind::NotFound, Some(folder)) if folder.parent() != Some(&self.path) => {
                match fs::create_dir(folder) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
                    // Here, or meanwhile in another thread.
                    _ => write(),
                }
            }
            _ => Err(error),
        });
        written.map_err(|source| {
            // On a full disk, half a file is useless.
            let _ = fs::remove_file(&path);
            failed("write", &path, source)
        })
    }
}

fn append(lines: &Lines, new: &str) -> Result<(), OutError> {
    lines.append(new).map_err(|source| failed("write", lines.path(), source))
}

/// Reads all tests of an output folder that are complete, those of bugs last, in order.
pub fn read_tests(out: &Path) -> Result<Vec<StoredTest>, OutError> {
    recover_unused(out);
    if !is_ours(out) {
        return Err(not_readable(out));
    }
    // A killed run has no summary, and an unfinished one has none yet.
    let summary = read_summary(out);
    let mut tests = read_counted(out, TESTS, summary.as_ref().map(|summary| summary.tests))?;
    tests.extend(read_counted(out, BUGS, summary.as_ref().map(|summary| summary.bugs.len() as u64))?);
    Ok(tests)
}

/// Reads the tests of a folder. It is an error if there are fewer than the run wrote; if the run wrote none, no list is
/// needed.
fn read_counted(out: &Path, folder: &str, written: Option<u64>) -> Result<Vec<StoredTest>, OutError> {
    let list = out.join(folder).join(EXPECTED);
    if written == Some(0) && fs::symlink_metadata(&list).is_err() {
        return Ok(Vec::new());
    }
    let tests = read_folder(out, folder, Portion::ALL)?;
    match written {
        Some(written) if (tests.len() as u64) < written => {
            let listed = tests.len();
            let message =
                format!("it lists {listed} of the {written} tests that {SUMMARY} counts; run the program again");
            Err(OutError::Damaged { path: list, message })
        }
        _ => Ok(tests),
    }
}

/// How much of a folder of tests is read, from its start.
#[derive(Clone, Copy)]
pub struct Portion {
    /// How many tests.
    pub tests: usize,
    /// How long their lines in the list of tests may be, all together; they grow with the inputs.
    pub list_bytes: usize,
}

impl Portion {
    /// Everything.
    pub const ALL: Portion = Portion { tests: usize::MAX, list_bytes: usize::MAX };
}

/// The first tests of `tests/` or `bugs/` that are complete.
pub fn read_folder(out: &Path, folder: &str, portion: Portion) -> Result<Vec<StoredTest>, OutError> {
    let path = out.join(folder).join(EXPECTED);
    let text = files::read_text(&path, files::MAX_LIST_SIZE).map_err(|error| match error {
        OutError::Io { source, .. } if source.kind() == ErrorKind::NotFound => OutError::Damaged {
            path: path.clone(),
            message: "the list of tests is missing, so nothing can be replayed; run the program again".into(),
        },
        error => error,
    })?;
    let prefix = if folder == BUGS { "bugs/" } else { "" };
    let mut tests = Vec::new();
    // The last line of a run that was killed may have been cut off.
    let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let mut list_bytes = 0;
    for (index, line) in lines.take(portion.tests).enumerate() {
        list_bytes += line.len();
        if list_bytes > portion.list_bytes {
            break;
        }
        let (number, prediction, shape) = Prediction::from_line(line).map_err(|error| OutError::Damaged {
            path: path.clone(),
            message: format!("line {}: {error}", index + 1),
        })?;
        let test = read_test(out, folder, number, &shape)?;
        tests.push(StoredTest { name: format!("{prefix}{number:06}"), test, prediction });
    }
    Ok(tests)
}

/// What a run can be continued from.
pub struct StoredPending {
    /// The content of `pending`.
    pub journal: Vec<u8>,
    /// The user's program as it was.
    pub bitcode: Vec<u8>,
}

/// Reads what is pending in an output folder; `None` if nothing is.
pub fn read_pending(out: &Path) -> Result<Option<StoredPending>, OutError> {
    recover_unused(out);
    if !is_ours(out) {
        return Err(not_readable(out));
    }
    match files::read(&out.join(PENDING), files::MAX_JOURNAL_SIZE) {
        Ok(journal) => {
            let bitcode = files::read(&out.join(PROGRAM), files::MAX_SIZE)?;
            Ok(Some(StoredPending { journal, bitcode }))
        }
        Err(OutError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the bitcode and the code map of the program of an output folder.
pub fn read_program(out: &Path) -> Result<(Vec<u8>, StoredProgram), OutError> {
    recover_unused(out);
    if !is_ours(out) {
        return Err(not_readable(out));
    }
    let path = out.join(PROGRAM_MAP);
    let map = serde_json::from_slice(&files::read(&path, files::MAX_SIZE)?)
        .map_err(|error| OutError::Damaged { path: path.clone(), message: error.to_string() })?;
    Ok((files::read(&out.join(PROGRAM), files::MAX_SIZE)?, map))
}

/// The branches and outcomes of the source that the run of an output folder has not covered, with the code that they
/// are numbered by.
pub fn read_uncovered(out: &Path) -> Result<(CodeMap, Vec<(BranchId, u32)>), OutError> {
    let (_, StoredProgram { code, .. }) = read_program(out)?;
    let path = out.join(COVERAGE);
    let text = files::read(&path, files::MAX_SIZE)?;
    Ok((code, lcov::uncovered(&String::from_utf8_lossy(&text))))
}

/// The coverage of the exploration.
const COVERAGE: &str = "coverage.info";
pub(crate) const MARKER: &str = ".secateur";
pub(crate) const MARKER_TEXT: &str = "This folder is written and replaced by Secateur. Version 1.\n";
/// The folder of tests.
pub const TESTS: &str = "tests";
/// The folder of tests that show bugs.
pub const BUGS: &str = "bugs";
const EXPECTED: &str = "expected.jsonl";
const SUMMARY: &str = "summary.json";
/// The user's program as bitcode.
pub(crate) const PROGRAM: &str = "program.bc";
const PROGRAM_MAP: &str = "program.json";
/// One line per path: the tree of paths.
pub const PATHS: &str = "paths.csv";
/// What a run has found and what is pending, from which it can be continued.
pub const PENDING: &str = "pending";
/// One line per sample: the course of the run.
pub const TIMELINE: &str = "timeline.csv";
/// The HTML report.
pub const REPORT: &str = "report.html";
/// Where native builds are kept.
pub(crate) const REPLAY: &str = ".replay";
/// What a run with `--learn` has learned, for other runs.
pub const LEARNED: &str = "learned.json";
/// Where an earlier run is kept until the new one can be replayed.
pub(crate) const PREVIOUS: &str = ".secateur-previous";
/// Everything that Secateur writes into the folder as part of a run, the mark first.
pub(crate) const OURS: &[&str] = &[
    MARKER,
    TESTS,
    BUGS,
    SUMMARY,
    PROGRAM,
    PROGRAM_MAP,
    REPLAY,
    "coverage.info",
    "replay.info",
    REPORT,
    PATHS,
    TIMELINE,
    PENDING,
    "run.log",
    "disagreement.smt2",
    LEARNED,
    functions::FILE,
    given_files::FOLDER,
];

/// From this number on, tests are in folders of a hundred each: `001000` is in `0010xx`. Many file systems search the
/// whole folder before they create a file, which takes ten times as long among thousands of files as among a hundred.
const FIRST_IN_FOLDER: u64 = 1000;

fn file_of(folder: &str, number: u64, format: Format) -> String {
    let hundred = if number < FIRST_IN_FOLDER { String::new() } else { format!("{:04}xx/", number / 100) };
    match format {
        Format::KTest => format!("{folder}/{hundred}{number:06}.ktest"),
        // A validator takes a single folder as the suite.
        Format::Xml => format!("{folder}/testcase-{number}.xml"),
        Format::Raw => format!("{folder}/{hundred}{number:06}.raw"),
    }
}

/// Reads a test in any of the formats.
fn read_test(out: &Path, folder: &str, number: u64, shape: &Shape) -> Result<TestCase, OutError> {
    let damaged = |path: &Path, message: String| OutError::Damaged { path: path.into(), message };
    for format in Format::ALL {
        let path = out.join(file_of(folder, number, *format));
        // Reading refuses it below if it is not a regular file.
        if fs::symlink_metadata(&path).is_err() {
            continue;
        }
        return match format {
            Format::KTest => ktest::read(&read(&path)?, shape).map_err(|error| damaged(&path, error.to_string())),
            Format::Xml => testcomp::read(&read_text(&path)?, shape).map_err(|error| damaged(&path, error.to_string())),
            Format::Raw => read_raw(&path, shape),
        };
    }
    Err(damaged(&out.join(folder), format!("the test {number:06} is missing")))
}

fn read_raw(path: &Path, shape: &Shape) -> Result<TestCase, OutError> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return raw::read_folder(shape, |name| read(&path.join(name)));
    }
    let message = || "it does not fit its prediction".into();
    raw::read_file(&read(path)?, shape).ok_or_else(|| OutError::Damaged { path: path.into(), message: message() })
}

/// A folder is ours if it has our mark or a summary of our schema.
pub(crate) fn is_ours(path: &Path) -> bool {
    let marked = files::read_text(&path.join(MARKER), 4096).is_ok_and(|text| text == MARKER_TEXT);
    marked || read_summary(path).is_some()
}

fn read_summary(path: &Path) -> Option<Summary> {
    Summary::from_json(&files::read_text(&path.join(SUMMARY), files::MAX_SIZE).ok()?).ok()
}

fn make_folder(path: &Path) -> Result<(), OutError> {
    fs::create_dir_all(path).map_err(|source| failed("create", path, source))
}

fn read(path: &Path) -> Result<Vec<u8>, OutError> {
    files::read(path, files::MAX_TEST_SIZE)
}

fn read_text(path: &Path) -> Result<String, OutError> {
    files::read_text(path, files::MAX_TEST_SIZE)
}

fn not_readable(out: &Path) -> OutError {
    match fs::metadata(out) {
        Err(source) => failed("read", out, source),
        Ok(metadata) if !metadata.is_dir() => OutError::NotAFolder { path: out.into() },
        Ok(_) => OutError::Damaged { path: out.into(), message: "it is not an output folder of Secateur".into() },
    }
}

pub(crate) fn failed(action: &'static str, path: &Path, source: io::Error) -> OutError {
    OutError::Io { action, path: path.into(), source }
}

/// The usual errors in plain words.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full".into(),
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        _ => error.to_string(),
    }
}

/// A thread that panicked while it held the lock left a whole list behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prediction::Trace;
    use crate::{Object, Source};

    fn a_test() -> TestCase {
        let object =
            |name: &str, bytes: &[u8]| Object { name: name.into(), bytes: bytes.to_vec(), source: Source::Make };
        TestCase {
            objects: vec![object("a", &[1, 2, 3]), object("b", &[])],
            stdin: Some(b"in".to_vec()),
            args: vec![b"-v".to_vec()],
            ..TestCase::default()
        }
    }

    fn a_bug() -> BugReport {
        BugReport {
            kind: "abort".into(),
            message: "abort is called".into(),
            file: "a.c".into(),
            line: 3,
            needs: vec![],
            stack: vec![],
            test: String::new(),
            native: Native::default(),
        }
    }

    fn exit(code: i32) -> Prediction {
        Trace::default().ends(Expected::Exit(code))
    }

    #[test]
    fn tests_can_be_read_back_from_every_format() {
        for format in Format::ALL {
            let temporary = tempfile::tempdir().unwrap();
            let path = temporary.path().join("deep/out");
            let options = OutOptions { formats: vec![*format], ..OutOptions::default() };
            let out = OutDir::create(&path, options).unwrap();
            let first = out.write_test(&a_test(), &exit(0)).unwrap();
            assert!(path.join(&first).exists(), "{first}");
            out.write_test(&TestCase::default(), &exit(1)).unwrap();
            let end = Expected::Bug { kind: "abort".into(), file: "a.c".into(), line: 3, message: "m".into() };
            let name = out.write_bug(&a_bug(), &a_test(), &Trace::default().ends(end)).unwrap();
            assert_eq!(out.bugs()[0].test, name);
            assert_eq!(out.tests(), 2);
            let tests = read_tests(&path).unwrap();
            let names: Vec<_> = tests.iter().map(|test| test.name.as_str()).collect();
            assert_eq!(names, ["000001", "000002", "bugs/000001"]);
            assert_eq!(tests[0].test, a_test());
            assert_eq!(tests[1].prediction, exit(1));
            assert_eq!(tests[2].test, a_test());
            assert_eq!(path.join("tests/metadata.xml").exists(), *format == Format::Xml);
            let sarif = fs::read_to_string(path.join("bugs/bugs.sarif")).unwrap();
            assert!(sarif.contains(&name));
        }
    }

    #[test]
    fn many_tests_are_in_folders() {
        let temporary = tempfile::tempdir().unwrap();
        let formats = vec![Format::KTest, Format::Raw, Format::Xml];
        let out = OutDir::create(temporary.path(), OutOptions { formats, ..OutOptions::default() }).unwrap();
        let names =
            [999, 1000, 1099, 1100, 1_234_567].map(|number| out.write_reserved(number, &a_test(), &exit(0)).unwrap());
        let expected = ["000999", "0010xx/001000", "0010xx/001099", "0011xx/001100", "12345xx/1234567"];
        assert_eq!(names, expected.map(|name| format!("tests/{name}.ktest")));
        assert!(temporary.path().join("tests/testcase-1234567.xml").exists());
        assert_eq!(read_tests(temporary.path()).unwrap().len(), 5);
    }

    #[test]
    fn program_can_be_read_back() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        let code = crate::coverage::tests::small_map();
        out.write_program(b"BC", &code).unwrap();
        let (bitcode, stored) = read_program(temporary.path()).unwrap();
        assert_eq!(bitcode, b"BC");
        assert_eq!(stored, StoredProgram { program: "program".into(), libraries: Vec::new(), code });
    }

    #[test]
    fn our_folder_is_replaced_and_foreign_files_in_it_stay() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("out");
        let out = OutDir::create(&path, OutOptions::default()).unwrap();
        out.write_test(&a_test(), &exit(0)).unwrap();
        out.write_summary(&Summary::default()).unwrap();
        fs::write(path.join("notes.txt"), "mine").unwrap();
        fs::remove_file(path.join(MARKER)).unwrap();
        drop(out);
        OutDir::create(&path, OutOptions::default()).unwrap();
        assert_eq!(read_tests(&path).unwrap(), []);
        assert!(!path.join(SUMMARY).exists());
        assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn a_link_is_removed_and_not_followed() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("out");
        OutDir::create(&path, OutOptions::default()).unwrap();
        let elsewhere = temporary.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("precious"), "").unwrap();
        fs::remove_dir_all(path.join(TESTS)).unwrap();
        std::os::unix::fs::symlink(&elsewhere, path.join(TESTS)).unwrap();
        OutDir::create(&path, OutOptions::default()).unwrap();
        assert!(elsewhere.join("precious").exists());
    }

    #[test]
    fn foreign_folders_and_files_are_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("src");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("main.c"), "int main(void) { return 0; }").unwrap();
        let error = OutDir::create(&path, OutOptions::default()).unwrap_err();
        assert!(matches!(error, OutError::NotOurs { .. }), "{error}");
        assert!(path.join("main.c").exists());
        let error = OutDir::create(&path.join("main.c"), OutOptions::default()).unwrap_err();
        assert!(error.to_string().ends_with("main.c is not a folder"), "{error}");
        let error = read_tests(&path).unwrap_err();
        assert!(error.to_string().ends_with("src: it is not an output folder of Secateur"), "{error}");
        let error = read_tests(&path.join("none")).unwrap_err();
        assert!(error.to_string().ends_with("none: there is no such file or folder"), "{error}");
    }

    #[test]
    fn an_empty_folder_is_used() {
        let temporary = tempfile::tempdir().unwrap();
        OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        assert!(temporary.path().join(TESTS).is_dir());
    }

    #[test]
    fn system_errors_are_one_sentence() {
        let error = |code| failed("write", Path::new("out/a"), io::Error::from_raw_os_error(code)).to_string();
        assert_eq!(error(libc::ENOSPC), "cannot write out/a: the disk is full");
        assert_eq!(error(libc::EROFS), "cannot write out/a: the file system is read-only");
        assert_eq!(error(libc::EACCES), "cannot write out/a: permission denied");
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("a");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("in the way"), "").unwrap();
        assert!(write_atomically(&path, b"x").is_err());
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1);
    }

    #[test]
    fn timeline_and_log_are_appended_to() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        out.append_timeline(&Sample::default()).unwrap();
        out.append_timeline(&Sample { paths: 1, ..Sample::default() }).unwrap();
        let text = fs::read_to_string(temporary.path().join("timeline.csv")).unwrap();
        assert_eq!(
            text,
            format!("{}0.000,0,0,0,0,0,0,0,0,0.000,0,0,0\n0.000,1,0,0,0,0,0,0,0,0.000,0,0,0\n", timeline::HEADER)
        );
        out.open_log().unwrap().write_all(b"one\n").unwrap();
        out.open_log().unwrap().write_all(b"two\n").unwrap();
        assert_eq!(fs::read_to_string(temporary.path().join("run.log")).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn damaged_tests_are_named() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        let name = out.write_test(&a_test(), &exit(0)).unwrap();
        out.write(&name, b"garbage").unwrap();
        let message = read_tests(temporary.path()).unwrap_err().to_string();
        assert!(message.ends_with("000001.ktest: not a .ktest file (it does not start with `KTEST`)"), "{message}");
    }

    #[test]
    fn an_incomplete_test_is_skipped() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        out.write_test(&a_test(), &exit(0)).unwrap();
        out.write_test(&a_test(), &exit(1)).unwrap();
        let list = temporary.path().join("tests/expected.jsonl");
        let text = fs::read_to_string(&list).unwrap();
        fs::write(&list, &text[..text.len() - 10]).unwrap();
        let tests = read_tests(temporary.path()).unwrap();
        assert_eq!(tests.iter().map(|test| test.name.as_str()).collect::<Vec<_>>(), ["000001"]);
    }

    #[test]
    fn tests_that_are_missing_are_an_error() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        assert_eq!(read_tests(temporary.path()).unwrap(), []);
        out.write_test(&a_test(), &exit(0)).unwrap();
        out.write_summary(&Summary { tests: 2, ..Summary::default() }).unwrap();
        let message = || read_tests(temporary.path()).unwrap_err().to_string();
        assert!(message().contains("it lists 1 of the 2 tests that summary.json counts"), "{}", message());
        fs::remove_file(temporary.path().join("tests/expected.jsonl")).unwrap();
        assert!(message().contains("expected.jsonl: the list of tests is missing"), "{}", message());
        fs::remove_dir_all(temporary.path().join(TESTS)).unwrap();
        assert!(message().contains("the list of tests is missing"), "{}", message());
        // Nothing is missing where there were no tests.
        out.write_summary(&Summary::default()).unwrap();
        assert_eq!(read_tests(temporary.path()).unwrap(), []);
        // Without a summary, the number of tests is unknown.
        fs::remove_file(temporary.path().join(SUMMARY)).unwrap();
        assert!(message().contains("the list of tests is missing"), "{}", message());
    }

    #[test]
    fn a_test_is_not_written_through_a_link() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(&temporary.path().join("out"), OutOptions::default()).unwrap();
        let precious = temporary.path().join("precious");
        fs::write(&precious, "text").unwrap();
        std::os::unix::fs::symlink(&precious, out.path().join("tests/000001.ktest")).unwrap();
        out.write_test(&a_test(), &exit(0)).unwrap();
        assert_eq!(fs::read_to_string(&precious).unwrap(), "text");
        assert_eq!(read_tests(out.path()).unwrap()[0].test, a_test());
    }
}
