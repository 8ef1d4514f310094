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
use crate::out_dir::{BUGS, Portion, StoredTest, read_folder, read_program};
use crate::{Expected, OutDir, given_files};

/// How long a compiler may take to end once it is told to. This is a constant because it affects nothing that is found.
const STOPPING: Duration = Duration::from_millis(200);

/// The result of checking bugs natively.
#[derive(Debug)]
pub struct Confirmed<'a> {
    /// How many bugs were not checked.
    pub unchecked: usize,
    /// Why the program could not be compiled for some of them; if it is none, there was no time.
    pub error: Option<&'a ReplayError>,
    /// As in [`ReplayReport`](super::ReplayReport), for all checks until now.
    pub unconfined: Vec<&'static str>,
}

/// Compiles the program when the first bug is found, and replays the tests of bugs when it is told to.
pub struct Confirmer {
    out: PathBuf,
    options: ReplayOptions,
    /// Ends the compilers.
    give_up: Arc<AtomicBool>,
    /// Everything that is being compiled or was.
    started: Vec<Build>,
    /// What was compiled.
    finished: BTreeMap<Build, Result<PathBuf, ReplayError>>,
    results: (Sender<BuildResult>, Receiver<BuildResult>),
    unconfined: Vec<&'static str>,
}

type BuildResult = (Build, Result<PathBuf, ReplayError>);

impl Confirmer {
    /// Checks the bugs of this output folder.
    pub fn new(out: &OutDir, mut options: ReplayOptions) -> Confirmer {
        let give_up = Arc::new(AtomicBool::new(false));
        options.deadline = options.deadline.unless(Arc::clone(&give_up));
        Confirmer {
            out: out.path().into(),
            options,
            give_up,
            started: Vec::new(),
            finished: BTreeMap::new(),
            results: channel(),
            unconfined: Vec::new(),
        }
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
            let result = read_program(&out).map_err(ReplayError::from).and_then(|(bitcode, stored)| {
                let program = (bitcode.as_slice(), stored.libraries.as_slice());
                let builds = Builds::make(&out, &options, program, &build::instrument, [build].into_iter())?;
                Ok(builds.executable(build).to_path_buf())
            });
            // If nobody waits any more, nobody needs it.
            let _ = results.send((build, result));
        });
    }

    /// Replays the tests of all bugs that were not checked before and records in the output folder what they show. What
    /// is not compiled by the deadline may be by the next check, and the builds are kept for later replays.
    pub fn confirm(&mut self, out: &OutDir, deadline: Deadline) -> Result<Confirmed<'_>, ReplayError> {
        let mut natives: Vec<Native> = out.bugs().into_iter().map(|bug| bug.native).collect();
        let mut tests = Vec::new();
        for (index, test) in
            read_folder(&self.out, BUGS, Portion { tests: natives.len(), ..Portion::ALL })?.into_iter().enumerate()
        {
            if natives[index].confirmed.is_none() {
                self.bug_found(&test.prediction.end);
                tests.push((index, test));
            }
        }
        if !tests.is_empty() {
            self.wait(&deadline);
            let builds = self.executables();
            tests.retain(|(_, test)| builds.contains_key(&evidence::build_for(&test.prediction.end)));
            let (indices, tests): (Vec<usize>, Vec<StoredTest>) = tests.into_iter().unzip();
            let (_, stored) = read_program(&self.out)?;
            let options = ReplayOptions { deadline, ..self.options.clone() };
            let given = given_files::read(&self.out)?;
            let report = run_tests(&tests, &stored, &Builds::of(builds), &given, &options, &|_| ())?;
            for (index, test) in indices.into_iter().zip(&tests) {
                if let Some(result) = report.results.iter().find(|result| result.name == test.name) {
                    let (confirmed, what) = (Some(result.verdict.is_ok()), result.verdict.what_happened());
                    natives[index] = Native { confirmed, what };
                }
            }
            if !report.unconfined.is_empty() {
                self.unconfined = report.unconfined;
            }
        }
        let unchecked = natives.iter().filter(|native| native.confirmed.is_none()).count();
        out.record_native(natives)?;
        let error = self.finished.values().find_map(|result| result.as_ref().err());
        Ok(Confirmed { unchecked, error, unconfined: self.unconfined.clone() })
    }

    /// Waits until the deadline for everything that is being compiled.
    fn wait(&mut self, deadline: &Deadline) {
        while self.finished.len() < self.started.len() {
            let pause = deadline.pause(Duration::from_millis(100)).max(Duration::from_millis(1));
            match self.results.1.recv_timeout(pause) {
                Ok((build, result)) => drop(self.finished.insert(build, result)),
                Err(RecvTimeoutError::Timeout) if deadline.is_over() => return,
                Err(RecvTimeoutError::Timeout) => {}
                // It cannot happen: we have a sender ourselves.
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn executables(&self) -> BTreeMap<Build, PathBuf> {
        let compiled = |(build, result): (&Build, &Result<PathBuf, _>)| Some((*build, result.as_ref().ok()?.clone()));
        self.finished.iter().filter_map(compiled).collect()
    }
}

/// Ends the compilers that nobody waits for any more.
impl Drop for Confirmer {
    fn drop(&mut self) {
        self.give_up.store(true, Ordering::Relaxed);
        // Instrumenting cannot be interrupted, but ends by itself.
        self.wait(&Deadline::at(Instant::now() + STOPPING));
    }
}
