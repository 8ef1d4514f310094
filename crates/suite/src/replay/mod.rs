//! Native replay: every test is run on the natively compiled program and must do what was predicted.
//!
//! The program is the bitcode that was explored, with calls inserted that record its branches and blocks, compiled
//! under a sanitizer that makes bugs visible. This is the oracle for everything else, so it shares no code with the
//! engine.

mod build;
mod compare;
mod confirm;
mod deadline;
mod evidence;
mod native;
mod report;
mod root;
mod run;
mod sandbox;
mod streams;
mod trace;

pub use confirm::{Confirmed, Confirmer};
pub use deadline::Deadline;
pub use native::{Checker, Found, Native, NativeCounts, NativeOptions};
pub use report::{ReplayReport, TestResult, Verdict};

use crate::coverage::Coverage;
use crate::files::write_atomically;
use crate::out_dir::{OutError, StoredProgram, StoredTest, read_program, read_tests};
use crate::{CodeMap, Scratch, given_files, lcov};
use build::{Build, Builds};
use run::{NativeEnd, Runner};
use sandbox::Sandbox;
use secateur_program::GivenFile;
use secateur_program::{BlockId, BranchId, FuncId, LoadError};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use trace::NativeTrace;

/// How tests are replayed.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The folder of the runtime, which holds `replay/replay.c`.
    pub runtime: PathBuf,
    /// The compiler: clang 19.
    pub clang: PathBuf,
    /// How many tests run at the same time.
    pub jobs: usize,
    /// How long one test may run.
    pub time_limit: Duration,
    /// The names of the tests to run; all if there are none.
    pub only: Vec<String>,
    /// Run the tests without a sandbox.
    pub trust: bool,
    /// When to stop; tests that have not run by then are left out.
    pub deadline: Deadline,
}

impl ReplayOptions {
    /// The usual options, with the runtime in this folder.
    pub fn new(runtime: &Path) -> ReplayOptions {
        let jobs = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        ReplayOptions {
            runtime: runtime.into(),
            clang: "clang-19".into(),
            jobs,
            time_limit: Duration::from_secs(10),
            only: Vec::new(),
            trust: false,
            deadline: Deadline::default(),
        }
    }
}

/// Why nothing can be replayed. That a test does not do what was predicted is not an error but a [`Verdict`].
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The output folder cannot be used.
    #[error(transparent)]
    Out(#[from] OutError),
    /// There is no test of that name.
    #[error("there is no test {name} in {}", out.display())]
    NoTest {
        /// The name.
        name: String,
        /// The output folder.
        out: PathBuf,
    },
    /// The runtime is not where it should be.
    #[error("cannot read {}: the runtime is not installed there", path.display())]
    NoRuntime {
        /// The file that is missing.
        path: PathBuf,
    },
    /// The compiler cannot be started.
    #[error("cannot run {}: {source}", path.display())]
    NoCompiler {
        /// The compiler.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The compiler refuses the program.
    #[error("cannot compile the program for replay:\n{messages}")]
    Compile {
        /// What the compiler says.
        messages: String,
    },
    /// Compiling the program took longer than allowed.
    #[error("no time was left to compile the program")]
    TooLong,
    /// There is no room for temporary files.
    #[error("cannot create a folder for the tests in {}: {source}; set TMPDIR to another folder", std::env::temp_dir().display())]
    NoScratch {
        /// What the system says.
        source: io::Error,
    },
    /// A test cannot be started.
    #[error("cannot run test {name}: {source}")]
    Run {
        /// The test.
        name: String,
        /// What the system says.
        source: io::Error,
    },
}

/// Replays all tests of an output folder and writes `replay.info` into it.
pub fn replay(out: &Path, options: &ReplayOptions) -> Result<ReplayReport, ReplayError> {
    replay_each(out, options, &|_| ())
}

/// Like [`replay`], and reports each result as soon as it and all before it are known.
pub fn replay_each(
    out: &Path,
    options: &ReplayOptions,
    observe: &(dyn Fn(&TestResult) + Sync),
) -> Result<ReplayReport, ReplayError> {
    replay_instrumented(out, options, &build::instrument, observe)
}

/// Inserts the calls that record branches and blocks, and the attributes that the sanitizer of the build needs.
type Instrument = dyn Fn(&[u8], Build) -> Result<Vec<u8>, LoadError>;

fn replay_instrumented(
    out: &Path,
    options: &ReplayOptions,
    instrument: &Instrument,
    observe: &(dyn Fn(&TestResult) + Sync),
) -> Result<ReplayReport, ReplayError> {
    let tests = chosen(read_tests(out)?, out, &options.only)?;
    let (report, code) = replay_tests(out, &tests, options, instrument, observe)?;
    if options.only.is_empty() {
        write_atomically(&out.join("replay.info"), lcov::write(&code, &report.coverage).as_bytes())?;
    }
    Ok(report)
}

/// Replays these tests of an output folder.
fn replay_tests(
    out: &Path,
    tests: &[StoredTest],
    options: &ReplayOptions,
    instrument: &Instrument,
    observe: &(dyn Fn(&TestResult) + Sync),
) -> Result<(ReplayReport, CodeMap), ReplayError> {
    let (bitcode, stored) = read_program(out)?;
    let needed = tests.iter().map(|test| evidence::build_for(&test.prediction.end));
    let builds = Builds::make(out, options, (&bitcode, &stored.libraries), instrument, needed)?;
    let given = given_files::read(out)?;
    let report = run_tests(tests, &stored, &builds, &given, options, observe)?;
    Ok((report, stored.code))
}

/// Runs these tests on the compiled program.
fn run_tests(
    tests: &[StoredTest],
    stored: &StoredProgram,
    builds: &Builds,
    given: &[GivenFile],
    options: &ReplayOptions,
    observe: &(dyn Fn(&TestResult) + Sync),
) -> Result<ReplayReport, ReplayError> {
    let scratch = Scratch::new().map_err(|source| ReplayError::NoScratch { source })?;
    let sandbox = if options.trust { Sandbox::NONE } else { Sandbox::probe(scratch.path()) };
    let runner = Runner {
        program: &stored.program,
        branches: stored.code.native_branches(),
        blocks: stored.code.native_blocks(),
        time_limit: options.time_limit,
        deadline: options.deadline.clone(),
        sandbox,
        scratch: scratch.path(),
        given,
    };
    let (results, coverage) = run_all(tests, &stored.code, builds, &runner, options.jobs, observe)?;
    let counts = coverage.counts(&stored.code);
    Ok(ReplayReport { results, coverage, counts, unconfined: sandbox.missing() })
}

/// The tests of these names, or all of them.
fn chosen(tests: Vec<StoredTest>, out: &Path, only: &[String]) -> Result<Vec<StoredTest>, ReplayError> {
    if let Some(name) = only.iter().find(|name| tests.iter().all(|test| test.name != **name)) {
        return Err(ReplayError::NoTest { name: name.clone(), out: out.into() });
    }
    Ok(tests.into_iter().filter(|test| only.is_empty() || only.contains(&test.name)).collect())
}

/// Each worker takes the next test that no other has taken. The first error stops them all.
fn run_all(
    tests: &[StoredTest],
    code: &CodeMap,
    builds: &Builds,
    runner: &Runner<'_>,
    jobs: usize,
    observe: &(dyn Fn(&TestResult) + Sync),
) -> Result<(Vec<TestResult>, Coverage), ReplayError> {
    let native = NativeMap::of(code);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Progress {
        results: tests.iter().map(|_| None).collect(),
        reported: 0,
        coverage: Coverage::default(),
    });
    let work = || -> Result<(), ReplayError> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(index).filter(|_| !runner.deadline.is_over()) else { return Ok(()) };
            let run_once = || {
                runner.run(builds, test).map_err(|source| {
                    next.store(tests.len(), Ordering::Relaxed);
                    ReplayError::Run { name: test.name.clone(), source }
                })
            };
            let run = run_once()?;
            if run.end == NativeEnd::TimeOut && runner.deadline.is_over() {
                return Ok(());
            }
            let mut verdict = compare::compare(&test.prediction, &run, code);
            if !verdict.is_ok() && !runner.deadline.is_over() {
                verdict = compare::compare_again(verdict, &run, &run_once()?, code);
            }
            let result = TestResult {
                name: test.name.clone(),
                verdict,
                branches: run.trace.count,
                output: run.stdout,
                errors: run.stderr,
            };
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            native.cover(&run.trace, &mut done.coverage);
            done.add(index, result, observe);
        }
    };
    let workers = jobs.clamp(1, tests.len().max(1));
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().try_for_each(|handle| match handle.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((done.results.into_iter().flatten().collect(), done.coverage))
}

/// What the workers have found so far.
struct Progress {
    /// By the number of the test.
    results: Vec<Option<TestResult>>,
    /// How many of them were reported to the observer, from the first on.
    reported: usize,
    coverage: Coverage,
}

impl Progress {
    /// Adds a result, and reports all that are next in order.
    fn add(&mut self, index: usize, result: TestResult, observe: &(dyn Fn(&TestResult) + Sync)) {
        self.results[index] = Some(result);
        while let Some(Some(result)) = self.results.get(self.reported) {
            observe(result);
            self.reported += 1;
        }
    }
}

/// From the numbers of the natively compiled program to those of the loaded one.
struct NativeMap {
    branches: HashMap<u32, (BranchId, u32)>,
    blocks: HashMap<u32, (FuncId, BlockId)>,
}

impl NativeMap {
    fn of(code: &CodeMap) -> NativeMap {
        let branches =
            code.branches.iter().filter_map(|branch| Some((branch.native?, (BranchId(branch.id), branch.outcomes))));
        let mut blocks = HashMap::new();
        for function in &code.functions {
            for (index, block) in function.blocks.iter().enumerate() {
                if let Some(native) = block.native {
                    blocks.insert(native, (FuncId(function.id), BlockId(index as u32)));
                }
            }
        }
        NativeMap { branches: branches.collect(), blocks }
    }

    fn cover(&self, trace: &NativeTrace, coverage: &mut Coverage) {
        for (number, outcomes) in trace.outcomes.iter().enumerate() {
            let Some((branch, count)) = self.branches.get(&(number as u32)) else { continue };
            // The last bit stands for all outcomes from 63 on: in a switch with more, only the first of them is
            // counted.
            for outcome in (0..(*count).min(64)).filter(|outcome| outcomes >> outcome & 1 == 1) {
                coverage.cover_branch(*branch, outcome);
            }
        }
        for (number, ran) in trace.blocks.iter().enumerate() {
            if let Some((function, block)) = self.blocks.get(&(number as u32)).filter(|_| *ran) {
                coverage.cover_block(*function, *block);
            }
        }
    }
}

#[cfg(test)]
mod containment_tests;
#[cfg(test)]
mod tests;
