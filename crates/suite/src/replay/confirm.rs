//! Checks the bugs of a run on the native program.
//!
//! The program is compiled in the background as soon as the first bug is found, while it is still being explored: when
//! the run ends, little is left to be done.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::build::{self, Build, Builds};
use super::{Deadline, ReplayError, ReplayOptions, evidence, run_tests};
use crate::bug::Native;
use crate::out_dir::{BUGS, StoredTest, read_folder, read_program};
use crate::{Expected, OutDir};

/// How long a compiler may take to end once it is told to.
const STOPPING: Duration = Duration::from_millis(200);

/// The result of checking bugs natively.
#[derive(Debug)]
pub struct Confirmed {
    /// How many bugs were not checked.
    pub unchecked: usize,
    /// Why the program could not be compiled for some of them.
    pub error: Option<ReplayError>,
    /// As in [`ReplayReport`](super::ReplayReport).
    pub unconfined: Vec<&'static str>,
}

/// Compiles the program when the first bug is found, and replays the tests of all bugs at the end.
pub struct Confirmer {
    out: PathBuf,
    options: ReplayOptions,
    /// Ends the compilers.
    give_up: Arc<AtomicBool>,
    /// Everything that is being compiled or was.
    started: Vec<Build>,
    results: (Sender<BuildResult>, Receiver<BuildResult>),
}

type BuildResult = (Build, Result<PathBuf, ReplayError>);

impl Confirmer {
    /// Checks the bugs of this output folder.
    pub fn new(out: &OutDir, mut options: ReplayOptions) -> Confirmer {
        let give_up = Arc::new(AtomicBool::new(false));
        options.deadline = options.deadline.unless(Arc::clone(&give_up));
        Confirmer { out: out.path().into(), options, give_up, started: Vec::new(), results: channel() }
    }

    /// A bug was found and will have to be checked.
    pub fn bug_found(&mut self, bug: &Expected) {
        let build = evidence::build_for(bug);
        if self.started.contains(&build) {
            return;
        }
        self.started.push(build);
        let (out, options, results) = (self.out.clone(), self.options.clone(), self.results.0.clone());
        std::thread::spawn(move || {
            let result = read_program(&out).map_err(ReplayError::from).and_then(|(bitcode, _)| {
                let builds = Builds::make(&out, &options, &bitcode, &build::instrument, [build].into_iter())?;
                Ok(builds.executable(build).to_path_buf())
            });
            // If nobody waits any more, nobody needs it.
            let _ = results.send((build, result));
        });
    }

    /// Replays the tests of all bugs and records in the output folder what they show. The builds are kept for later
    /// replays.
    pub fn confirm(mut self, out: &OutDir, deadline: Deadline) -> Result<Confirmed, ReplayError> {
        let tests = read_folder(&self.out, BUGS, usize::MAX)?;
        for test in &tests {
            self.bug_found(&test.prediction.end);
        }
        let (builds, error) = self.wait(&deadline);
        let has_build = |test: &StoredTest| builds.contains_key(&evidence::build_for(&test.prediction.end));
        let ready: Vec<StoredTest> = tests.iter().filter(|test| has_build(test)).cloned().collect();
        let (_, stored) = read_program(&self.out)?;
        let options = ReplayOptions { deadline, ..self.options.clone() };
        let report = run_tests(&ready, &stored, &Builds::of(builds), &options, &|_| ())?;
        let native_of = |name: &str| {
            let result = report.results.iter().find(|result| result.name == name);
            result.map_or_else(Native::default, |result| Native {
                confirmed: Some(result.verdict.is_ok()),
                what: result.verdict.what_happened(),
            })
        };
        let natives: Vec<Native> = tests.iter().map(|test| native_of(&test.name)).collect();
        let unchecked = natives.iter().filter(|native| native.confirmed.is_none()).count();
        out.record_native(natives)?;
        Ok(Confirmed { unchecked, error, unconfined: report.unconfined })
    }

    /// The executables that are ready by the deadline, and why others are not.
    fn wait(&self, deadline: &Deadline) -> (BTreeMap<Build, PathBuf>, Option<ReplayError>) {
        let (mut builds, mut error) = (BTreeMap::new(), None);
        let mut missing = self.started.len();
        let mut stop_waiting = None;
        while missing > 0 {
            match self.results.1.recv_timeout(deadline.pause(Duration::from_millis(100)).max(Duration::from_millis(1)))
            {
                Ok((build, result)) => {
                    missing -= 1;
                    match result {
                        Ok(executable) => drop(builds.insert(build, executable)),
                        Err(reason) => error = error.or(Some(reason)),
                    }
                }
                Err(RecvTimeoutError::Timeout) if deadline.is_over() => {
                    self.give_up.store(true, Ordering::Relaxed);
                    // Instrumenting cannot be interrupted, but ends by itself.
                    if Instant::now() >= *stop_waiting.get_or_insert_with(|| Instant::now() + STOPPING) {
                        return (builds, error.or(Some(ReplayError::TooLong)));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // It cannot happen: we have a sender ourselves.
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        (builds, error)
    }
}

impl Drop for Confirmer {
    fn drop(&mut self) {
        self.give_up.store(true, Ordering::Relaxed);
    }
}
