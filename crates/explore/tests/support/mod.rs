//! What the tests of this crate share: loading a program and exploring it.

#![allow(dead_code)] // Each test binary uses a part of it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use secateur_explore::prune::Pruner;
use secateur_explore::search::Searcher;
use secateur_explore::{Event, Keeper, Limits, PathEnd, RunResult, Settings, Subscriber};
use secateur_machine::{End, Machine, Options, shim_names};
use secateur_program::{LoadOptions, Program, Runtime, load};
use secateur_solver::Solver;

/// Loads a file, given from the root of the checkout. The programs use nothing of the C library that is not modelled.
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

/// What a run came to, and which outcomes of branches it took.
pub struct Explored {
    pub outcome: RunResult,
    pub branches: (u64, u64),
    pub bugs: Vec<String>,
}

/// Explores to the end.
pub fn explore(program: &Arc<Program>, searcher: Box<dyn Searcher>, pruners: Vec<Box<dyn Pruner>>) -> Explored {
    let mut bugs = Bugs::default();
    let (outcome, branches) = run(program, searcher, pruners, Limits::default(), &mut bugs);
    Explored { outcome, branches, bugs: bugs.messages }
}

/// How many paths it takes to come to a bug; `None` if `limit` paths are not enough.
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

/// Explores with any subscriber and any options of the machine, until `interrupted` is set; gives the outcome and the branch outcomes, covered and all.
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
    let settings = Settings {
        searcher,
        pruners,
        subsumption: None,
        limits,
        grace: Duration::ZERO,
        interrupted,
        first_input: Vec::new(),
        snapshots: true,
        max_expressions: secateur_explore::MAX_EXPRESSIONS,
        recheck: true,
        leave_memory: false,
        workers: Vec::new(),
    };
    let Ok(outcome) = secateur_explore::explore(&mut machine, &mut solver, settings, subscriber);
    let branches = machine.coverage.user_outcomes(program);
    (outcome, branches)
}

/// Remembers bugs, and stops at the first if told so.
#[derive(Default)]
struct Bugs {
    stops: bool,
    stop: Arc<AtomicBool>,
    first: Option<u64>,
    messages: Vec<String>,
}

impl Subscriber for Bugs {
    type Error = Infallible;
    type Keeper = Nothing;

    fn keeper(&self) -> Nothing {
        Nothing
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

/// Keeps bugs, so that they are reported at once, and nothing of them.
struct Nothing;

impl Keeper for Nothing {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, path: &PathEnd<'_>) -> Option<()> {
        matches!(path.end, End::Bug(_)).then_some(())
    }
}
