//! Exploration with pending flips is SCORE's Algorithm 1: every feasible path is taken, and none twice, in whichever order and by whichever
//! means. The numbers of paths come from what the programs compute.

mod support;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use secateur_explore::{
    Event, Keeper, Limits, PathEnd, RefutedSide, RunResult, Settings, StopReason, Subscriber, WorkerSetup, search,
};
use secateur_machine::{Event as MachineEvent, Machine, Options, Refuted};
use secateur_path::ChoiceKey;
use secateur_program::{Inst, Operand, Program, Slot};
use secateur_solver::Solver;
use support::load_program;

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
struct Way {
    search: &'static str,
    snapshots: bool,
    memory: Option<u64>,
    refuted: Refuted,
    /// Sides that paths refute are wanted as events.
    reports: bool,
    max_expressions: usize,
    jobs: u64,
}

impl Way {
    const fn new(search: &'static str) -> Way {
        Way {
            search,
            snapshots: true,
            memory: None,
            refuted: Refuted::Counted,
            reports: false,
            max_expressions: usize::MAX,
            jobs: 1,
        }
    }
}

const WAYS: &[Way] = &[
    Way::new("dfs"),
    Way { snapshots: false, ..Way::new("dfs") },
    Way { memory: Some(1), ..Way::new("dfs") },
    Way { refuted: Refuted::Offered, ..Way::new("dfs") },
    Way { reports: true, ..Way::new("dfs") },
    Way { reports: true, snapshots: false, ..Way::new("bfs") },
    Way { reports: true, jobs: 2, ..Way::new("default") },
    Way::new("bfs"),
    Way { snapshots: false, ..Way::new("bfs") },
    Way { memory: Some(1), ..Way::new("bfs") },
    Way { refuted: Refuted::Offered, snapshots: false, ..Way::new("bfs") },
    Way { max_expressions: 10, ..Way::new("bfs") },
    Way::new("default"),
    Way { memory: Some(1), ..Way::new("random-path") },
    Way::new("random-state"),
    Way::new("covnew"),
    Way { snapshots: false, ..Way::new("md2u") },
    Way::new("depth"),
    Way::new("icnt"),
    Way::new("cpicnt"),
    Way::new("qc"),
    Way::new("cfg"),
    Way::new("urs"),
    Way::new("generational"),
    Way { max_expressions: 10, ..Way::new("hybrid") },
    Way { jobs: 2, ..Way::new("dfs") },
    Way { jobs: 8, ..Way::new("dfs") },
    Way { jobs: 2, ..Way::new("bfs") },
    Way { jobs: 8, snapshots: false, ..Way::new("bfs") },
    Way { jobs: 3, memory: Some(1), ..Way::new("bfs") },
    Way { jobs: 2, max_expressions: 10, ..Way::new("dfs") },
    Way { jobs: 2, ..Way::new("default") },
    Way { jobs: 8, ..Way::new("default") },
    Way { jobs: 3, ..Way::new("random-path") },
    Way { jobs: 2, ..Way::new("random-state") },
    Way { jobs: 3, ..Way::new("covnew") },
    Way { jobs: 2, ..Way::new("md2u") },
    Way { jobs: 3, ..Way::new("depth") },
    Way { jobs: 2, ..Way::new("icnt") },
    Way { jobs: 3, ..Way::new("cpicnt") },
    Way { jobs: 2, ..Way::new("qc") },
    Way { jobs: 3, ..Way::new("cfg") },
    Way { jobs: 2, ..Way::new("urs") },
    Way { jobs: 3, ..Way::new("generational") },
    Way { jobs: 2, ..Way::new("hybrid") },
    Way { jobs: 8, ..Way::new("hybrid") },
];

/// What is remembered of the paths, in the order in which they ended.
#[derive(Default)]
struct Paths {
    identities: Vec<u64>,
    inputs: Vec<Vec<u8>>,
    wants_refuted: bool,
    refuted: Vec<RefutedSide>,
}

impl Subscriber for Paths {
    type Error = Infallible;
    type Keeper = Followed;

    fn keeper(&self) -> Followed {
        Followed
    }

    fn receive(&mut self, event: Event<(u64, Vec<u8>)>) -> Result<(), Infallible> {
        match event {
            Event::PathEnded(_, Some((identity, input))) => {
                self.identities.push(identity);
                self.inputs.push(input);
            }
            Event::SideRefuted(side) => self.refuted.push(side),
            _ => {}
        }
        Ok(())
    }

    fn wants_refuted(&self) -> bool {
        self.wants_refuted
    }
}

/// Keeps which path it was, and the input that takes it.
struct Followed;

impl Keeper for Followed {
    type Record = (u64, Vec<u8>);

    fn keep(&mut self, machine: &mut Machine, path: &PathEnd<'_>) -> Option<(u64, Vec<u8>)> {
        Some((path.state.path.identity(), machine.guide.input().to_vec()))
    }
}

/// Every way of exploring finds exactly this many paths, all different and the same ones.
#[track_caller]
fn check(file: &str, flags: &[&str], expected: usize) {
    let program = load_program(file, flags);
    let mut all: Option<BTreeSet<u64>> = None;
    for way in WAYS {
        let mut paths = Paths { wants_refuted: way.reports, ..Paths::default() };
        let mut solver = start_solver();
        let outcome = explore(
            &program,
            &mut solver,
            *way,
            Limits { snapshot_memory: way.memory, ..Limits::default() },
            &mut paths,
        );
        let counters = &outcome.counters;
        assert_eq!(outcome.reason, StopReason::Finished, "{file} {way:?}");
        assert_eq!((counters.lost, counters.unknown, counters.pending), (0, 0, 0), "{file} {way:?}");
        let identities: BTreeSet<u64> = paths.identities.iter().copied().collect();
        assert_eq!(identities.len(), paths.identities.len(), "{file} {way:?}: a path was taken twice");
        assert_eq!(identities.len(), expected, "{file} {way:?}");
        // All paths but the first come from a flip, for which there is one question, or two if a better witness was asked for, or none if a random input takes it.
        let flips = counters.infeasible + expected as u64 - 1;
        let fewest = if way.search == "hybrid" { counters.infeasible } else { flips };
        assert!((fewest..=2 * flips).contains(&solver.statistics().queries), "{file} {way:?}");
        let reported = if way.reports { counters.refuted } else { 0 };
        assert_eq!(paths.refuted.len() as u64, reported, "{file} {way:?}");
        let is_earlier = |side: &RefutedSide| side.core.iter().all(|decision| *decision < side.origin.depth);
        assert!(paths.refuted.iter().all(is_earlier), "{file} {way:?}");
        check_inputs(&program, &paths, file);
        match &all {
            Some(all) => assert_eq!(*all, identities, "{file} {way:?}"),
            None => all = Some(identities),
        }
    }
}

/// An input leads to the path that it was found with when it is followed from the start.
#[track_caller]
fn check_inputs(program: &Arc<Program>, paths: &Paths, file: &str) {
    // Every decision is wanted, even one that could not have gone another way.
    let mut machine = Machine::new(Arc::clone(program), Options { refuted: Refuted::Reported, ..Options::default() });
    for (identity, input) in paths.identities.iter().zip(&paths.inputs) {
        let (followed, choices) = follow(&mut machine, input.clone());
        assert_eq!(followed, *identity, "{file}: {input:?}");
        // The choices alone lead there, too, whatever the input says.
        machine.guide.set_record(choices.iter().copied());
        assert_eq!(follow(&mut machine, Vec::new()), (*identity, choices), "{file}: {input:?}");
        machine.guide.set_record([]);
    }
}

/// Runs from the start to the end of a path; returns which path it is, and its choices by the numbers of their decisions.
fn follow(machine: &mut Machine, input: Vec<u8>) -> (u64, Vec<(u32, ChoiceKey)>) {
    let mut choices = Vec::new();
    let mut state = machine.start(input);
    loop {
        match machine.run(&mut state, u64::MAX) {
            MachineEvent::Decision(decision) => {
                choices.push((state.path.len() as u32, decision.chosen.key));
                machine.take(&mut state, &decision.chosen);
            }
            MachineEvent::End(_) => return (state.path.identity(), choices),
            MachineEvent::Pause => {}
        }
    }
}

fn start_solver() -> Solver {
    Solver::new(secateur_solver::Options::default()).expect("the solver can be started")
}

fn explore(program: &Arc<Program>, solver: &mut Solver, way: Way, limits: Limits, paths: &mut Paths) -> RunResult {
    let Ok(outcome) = explore_with(program, solver, way, limits, paths);
    outcome
}

fn explore_with<E: Send>(
    program: &Arc<Program>,
    solver: &mut Solver,
    way: Way,
    limits: Limits,
    subscriber: &mut impl Subscriber<Error = E>,
) -> Result<RunResult, E> {
    let mut machine = Machine::new(Arc::clone(program), Options { refuted: way.refuted, ..Options::default() });
    let searcher = |seed| search::by_name(way.search, seed).expect("it is one of ours");
    let worker = |worker| WorkerSetup { solver: start_solver(), searcher: searcher(worker), pruners: Vec::new() };
    let settings = Settings {
        searcher: searcher(0),
        pruners: Vec::new(),
        subsumption: None,
        limits,
        grace: Duration::ZERO,
        interrupted: Arc::new(AtomicBool::new(false)),
        first_input: Vec::new(),
        snapshots: way.snapshots,
        max_expressions: way.max_expressions,
        recheck: true,
        leave_memory: false,
        workers: (1..way.jobs).map(worker).collect(),
    };
    secateur_explore::explore(&mut machine, solver, settings, subscriber)
}

/// Each of the decisions is free.
#[test]
fn diamonds() {
    check("bench/diamonds.c", &["-DKLEE", "-DN=1"], 2);
    check("bench/diamonds.c", &["-DKLEE", "-DN=6"], 64);
}

/// More flips than pass between two looks at the memory.
#[test]
fn many_diamonds() {
    check("bench/diamonds.c", &["-DKLEE", "-DN=11"], 2048);
}

/// One path for each order of the elements; most combinations of comparisons are infeasible.
#[test]
fn permutations() {
    check("bench/bubble.c", &["-DKLEE", "-DN=3"], 6);
    check("bench/bubble.c", &["-DKLEE", "-DN=5"], 120);
}

/// Which of three is the greatest takes two comparisons; that it is the greatest is always true.
#[test]
fn infeasible_assertions() {
    check("bench/max3.c", &["-DKLEE"], 4);
}

/// A panic of ours, here by code that no loader makes, ends one path; all others are explored.
#[test]
fn a_panic_ends_one_path() {
    let mut program = Program::clone(&load_program("crates/explore/tests/programs/pointers.c", &[]));
    let function = program.function("three").expect("it is there");
    let body = program.functions[function.index()].body.as_mut().expect("it is defined");
    let nowhere = Slot(1 << 20);
    body.code[0] = Inst::Move { dst: nowhere, src: Operand::slot(nowhere) };
    for jobs in [1, 2] {
        let way = Way { jobs, ..Way::new("dfs") };
        let mut paths = Paths::default();
        let outcome = explore(&Arc::new(program.clone()), &mut start_solver(), way, Limits::default(), &mut paths);
        let counters = &outcome.counters;
        assert_eq!((counters.completed, counters.unsupported, counters.pending), (3, 1, 0), "{jobs} jobs");
        assert_eq!(counters.faults.len(), 1, "{:?}", counters.faults);
        assert!(!counters.is_complete());
    }
}

/// The cases of a switch, with two values for one of them.
#[test]
fn switches() {
    check("crates/explore/tests/programs/switch.c", &[], 6);
}

/// A word of four letters differs from the secret at one of four places or not at all.
#[test]
fn words() {
    check("crates/explore/tests/programs/word.c", &[], 5);
}

/// A loop runs as often as the input says.
#[test]
fn loops() {
    check("crates/explore/tests/programs/loop.c", &[], 10);
}

/// A bug ends a path as any other end does.
#[test]
fn bugs() {
    check("crates/explore/tests/programs/bugs.c", &[], 5);
}

/// What a pointer points to is a decision; an assumption that holds is none.
#[test]
fn calls_through_pointers() {
    check("crates/explore/tests/programs/pointers.c", &[], 4);
}

/// Values that must be concrete are tried one by one. Which comes first depends on the inputs that the solver finds, so that paths have other names each time; but
/// all values are tried, whichever worker has excluded which.
#[test]
fn values_one_by_one() {
    let program = load_program("crates/explore/tests/programs/values.c", &[]);
    for way in WAYS {
        let mut paths = Paths::default();
        let limits = Limits { snapshot_memory: way.memory, ..Limits::default() };
        let outcome = explore(&program, &mut start_solver(), *way, limits, &mut paths);
        let counters = &outcome.counters;
        assert_eq!((counters.lost, counters.unknown, counters.pending), (0, 0, 0), "{way:?}");
        // Bytes beyond the end of an input are 0.
        let byte = |input: &Vec<u8>, index: usize| input.get(index).copied().unwrap_or(0);
        let ends: BTreeSet<_> =
            paths.inputs.iter().map(|input| (byte(input, 0), byte(input, 1), byte(input, 2) == b'x')).collect();
        let ends = ends.iter().filter(|(n, m, _)| (3..7).contains(n) && (10..13).contains(m)).count();
        assert_eq!((ends, counters.completed), (24, 24), "{way:?}");
    }
}

/// A run that is stopped has taken no path twice either, and what is pending after it is still used.
#[test]
fn limited_runs_take_no_path_twice() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=8"]);
    for way in WAYS {
        let mut paths = Paths::default();
        let mut solver = start_solver();
        let limits = Limits { paths: Some(100), snapshot_memory: way.memory, ..Limits::default() };
        let outcome = explore(&program, &mut solver, *way, limits, &mut paths);
        assert_eq!(outcome.reason, StopReason::Paths);
        let identities: BTreeSet<u64> = paths.identities.iter().copied().collect();
        assert_eq!((identities.len(), paths.identities.len()), (100, 100), "{way:?}");
        assert!(outcome.counters.pending > 0, "{way:?}");
    }
}

/// Counts what it is told, and keeps every tenth path.
#[derive(Default)]
struct Reader {
    ended: BTreeSet<u64>,
    kept: usize,
    closed: u64,
}

/// Keeps every tenth path.
#[derive(Default)]
struct EveryTenth(usize);

impl Keeper for EveryTenth {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, _: &PathEnd<'_>) -> Option<()> {
        self.0 += 1;
        self.0.is_multiple_of(10).then_some(())
    }
}

impl Subscriber for Reader {
    type Error = Infallible;
    type Keeper = EveryTenth;

    fn keeper(&self) -> EveryTenth {
        EveryTenth::default()
    }

    fn receive(&mut self, event: Event<()>) -> Result<(), Infallible> {
        match event {
            Event::PathEnded(path, kept) => {
                assert!(self.ended.insert(path.number), "path {} ends twice", path.number);
                self.kept += usize::from(kept.is_some());
            }
            Event::FlipClosed(_) => self.closed += 1,
            Event::SideRefuted(_) | Event::Progress(_) => {}
        }
        Ok(())
    }
}

/// However many workers there are, each path is reported once, and so is each flip that became none.
#[test]
fn every_path_and_every_closed_flip_is_reported() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=8"]);
    for jobs in [1, 2, 8] {
        for limit in [None, Some(100)] {
            let mut reader = Reader::default();
            let limits = Limits { paths: limit, ..Limits::default() };
            let way = Way { jobs, ..Way::new("dfs") };
            let Ok(outcome) = explore_with(&program, &mut start_solver(), way, limits, &mut reader);
            let paths = limit.unwrap_or(256) as usize;
            assert_eq!(reader.ended.len(), paths, "{jobs} jobs");
            // Each worker counts to ten by itself.
            assert!((paths / 10 + 1).saturating_sub(jobs as usize) <= reader.kept && reader.kept <= paths / 10);
            let counters = &outcome.counters;
            assert_eq!(reader.closed, counters.pending + counters.infeasible, "{jobs} jobs");
        }
    }
}

/// Fails after some paths.
struct Failing {
    heard: usize,
    patience: usize,
}

impl Subscriber for Failing {
    type Error = &'static str;
    type Keeper = Followed;

    fn keeper(&self) -> Followed {
        Followed
    }

    fn receive(&mut self, event: Event<(u64, Vec<u8>)>) -> Result<(), &'static str> {
        self.heard += usize::from(matches!(event, Event::PathEnded(..)));
        if self.heard < self.patience { Ok(()) } else { Err("enough") }
    }
}

/// If the subscriber fails, the run ends for all workers, and with its error.
#[test]
fn failures_stop_all_workers() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=14"]);
    for (jobs, patience) in [(1, 1), (1, 10), (2, 1), (2, 100), (8, 300)] {
        let mut failing = Failing { heard: 0, patience };
        let way = Way { jobs, ..Way::new("dfs") };
        let result = explore_with(&program, &mut start_solver(), way, Limits::default(), &mut failing);
        assert_eq!(result.err(), Some("enough"));
        // Each worker may end the path that it is on.
        assert!(failing.heard < patience + jobs as usize, "{jobs} jobs: {} paths", failing.heard);
    }
}
