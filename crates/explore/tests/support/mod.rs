//! What the tests of this crate share: loading a program and exploring it.

#![allow(dead_code)] // Each test binary uses a part of it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use secateur_explore::prune::Pruner;
use secateur_explore::search::Searcher;
use secateur_explore::{Event, Keeper, Limits, PathEnd, RunResult, Settings, Subscriber};
use secateur_machine::{End, Machine, Options, shim_names};
use secateur_program::{LoadOptions, Program, Runtime, load};
use secateur_solver::Solver;

/// Loads a file, given relative to the root of the checkout. The programs use only modelled functions of the C library.
pub fn load_program(file: &str, flags: &[&str]) -> Arc<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let options = LoadOptions {
        inputs: vec![root.join(file)],
        cflags: flags.iter().map(ToString::to_string).collect(),
        runtime: Runtime { include: Some(root.join("runtime/include")), libc: None },
        shims: shim_names(),
        ..LoadOptions::default()
    };
    Arc::new(load(&options).unwrap_or_else(|error| panic!("{error}")).program)
}

/// The result of a run, how many branch outcomes it took and how many there are, and its bugs.
pub struct Explored {
    pub outcome: RunResult,
    pub branches: (u64, u64),
    pub bugs: Vec<String>,
}

/// Explores every path.
pub fn explore(program: &Arc<Program>, searcher: Box<dyn Searcher>, pruners: Vec<Box<dyn Pruner>>) -> Explored {
    let mut bugs = Bugs::default();
    let (outcome, branches) = run(program, searcher, pruners, Limits::default(), &mut bugs);
    Explored { outcome, branches, bugs: bugs.messages }
}

/// How many paths it takes to find a bug; `None` if `limit` paths are not enough.
pub fn explore_until_bug(
    program: &Arc<Program>,
    searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    limit: u64,
) -> Option<u64> {
    let mut bugs = Bugs { stops: true, ..Bugs::default() };
    run(program, searcher, pruners, Limits { paths: Some(limit), ..Limits::default() }, &mut bugs);
    bugs.first
}

fn run(
    program: &Arc<Program>,
    searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    limits: Limits,
    bugs: &mut Bugs,
) -> (RunResult, (u64, u64)) {
    let stop = Arc::clone(&bugs.stop);
    run_with(program, Options::default(), searcher, pruners, limits, stop, bugs)
}

/// Explores with any subscriber and any options of the machine, until `interrupted` is set; returns the result and how
/// many branch outcomes were covered, and how many there are.
pub fn run_with<S: Subscriber<Error = Infallible>>(
    program: &Arc<Program>,
    options: Options,
    searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    limits: Limits,
    interrupted: Arc<AtomicBool>,
    subscriber: &mut S,
) -> (RunResult, (u64, u64)) {
    let mut machine = Machine::new(Arc::clone(program), options);
    let mut solver = Solver::new(secateur_solver::Options::default()).expect("the solver can be started");
    let settings = Settings { pruners, limits, interrupted, recheck: true, ..Settings::new(searcher) };
    let Ok(outcome) = secateur_explore::explore(&mut machine, &mut solver, settings, subscriber);
    let branches = machine.coverage.user_outcomes(program);
    (outcome, branches)
}

/// Collects bugs, and stops at the first if `stops` is set.
#[derive(Default)]
struct Bugs {
    stops: bool,
    stop: Arc<AtomicBool>,
    first: Option<u64>,
    messages: Vec<String>,
}

impl Subscriber for Bugs {
    type Error = Infallible;
    type Keeper = KeepNothing;

    fn keeper(&self) -> KeepNothing {
        KeepNothing
    }

    fn receive(&mut self, event: Event<()>) -> Result<(), Infallible> {
        if let Event::PathEnded(path, _) = event
            && let End::Bug(bug) = path.end
        {
            self.first.get_or_insert(path.number);
            self.messages.push(bug.message);
            self.stop.store(self.stops, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Makes empty records of bugs, so that they are reported at once.
struct KeepNothing;

impl Keeper for KeepNothing {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, path: &PathEnd<'_>) -> Option<()> {
        matches!(path.end, End::Bug(_)).then_some(())
    }
}
