//! Exploration with pending flips is SCORE's Algorithm 1: every feasible path is taken, and none twice, in any order
//! and by any means. The expected numbers of paths follow from what the programs compute.

mod support;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

use secateur_explore::{
    Event, Input, InputSource, Keeper, Limits, PathEnd, RefutedSide, RunResult, Settings, StopReason, Subscriber,
    Tuning, WorkerSetup, search,
};
use secateur_machine::{Event as MachineEvent, Machine, Options, Refuted};
use secateur_path::ChoiceKey;
use secateur_program::{Inst, Operand, Program, Slot};
use secateur_solver::Solver;
use secateur_tuning::{Tuning as _, extremes};
use support::load_program;

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
struct Way {
    search: &'static str,
    snapshots: bool,
    memory: Option<u64>,
    refuted: Refuted,
    /// Whether refuted sides are wanted as events.
    reports: bool,
    max_expressions: usize,
    jobs: u64,
    /// Whether the inputs of all paths are given as seeds.
    seeded: bool,
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
            seeded: false,
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
    Way { seeded: true, ..Way::new("dfs") },
    Way { seeded: true, snapshots: false, ..Way::new("bfs") },
    Way { seeded: true, max_expressions: 10, ..Way::new("default") },
    Way { seeded: true, jobs: 2, ..Way::new("dfs") },
    Way { seeded: true, jobs: 8, ..Way::new("default") },
];

/// Seeds that come late, when the solver has been asked for all that it can answer.
struct LateSeeds {
    asked: u32,
    seeds: Seeds,
}

impl InputSource for LateSeeds {
    fn next(&mut self, found: &[Arc<[u8]>]) -> Option<Input> {
        self.asked += 1;
        if self.asked > 3 { self.seeds.next(found) } else { None }
    }
}

/// What no solver can answer, an input from outside still takes; nothing is counted as given up then.
#[test]
fn inputs_take_flips_that_the_solver_could_not_answer() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=6"]);
    let mut paths = Paths::default();
    explore(&program, &mut start_solver(), Way::new("dfs"), Limits::default(), &[], &mut paths);
    let run = |seeds: Vec<Vec<u8>>| {
        let mut machine = Machine::new(Arc::clone(&program), Options::default());
        let rungs = secateur_solver::RungSet::none();
        let options = secateur_solver::Options { rungs, ..Default::default() };
        let mut solver = Solver::new(options).expect("the solver can be started");
        let searcher = search::by_name("bfs", 0, &Tuning::default()).expect("the name is known");
        let inputs = Some(Box::new(LateSeeds { asked: 0, seeds: Seeds(seeds) }) as Box<dyn InputSource>);
        let settings = Settings { inputs, ..Settings::new(searcher) };
        let Ok(result) = secateur_explore::explore(&mut machine, &mut solver, settings, &mut ());
        (result.counters.completed, result.counters.unknown, result.counters.pending)
    };
    assert_eq!(run(Vec::new()), (1, 6, 0));
    assert_eq!(run(paths.inputs), (64, 0, 0));
}

/// Seeds, the last one first.
struct Seeds(Vec<Vec<u8>>);

impl InputSource for Seeds {
    fn next(&mut self, _found: &[Arc<[u8]>]) -> Option<Input> {
        Some(Input { bytes: self.0.pop()?.into(), from: "seed" })
    }
}

/// The paths in the order in which they ended.
#[derive(Default)]
struct Paths {
    identities: Vec<u64>,
    inputs: Vec<Vec<u8>>,
    wants_refuted: bool,
    refuted: Vec<RefutedSide>,
    /// It has seen enough after so many paths.
    enough: Option<usize>,
}

impl Subscriber for Paths {
    type Error = Infallible;
    type Keeper = KeepPath;

    fn keeper(&self) -> KeepPath {
        KeepPath
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

    fn has_bug(&self) -> bool {
        self.enough.is_some_and(|enough| self.identities.len() >= enough)
    }
}

/// Records the identity of a path and its input.
struct KeepPath;

impl Keeper for KeepPath {
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
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for way in WAYS {
        let mut paths = Paths { wants_refuted: way.reports, ..Paths::default() };
        let mut solver = start_solver();
        let outcome = explore(
            &program,
            &mut solver,
            *way,
            Limits { snapshot_memory: way.memory, ..Limits::default() },
            if way.seeded { &seeds } else { &[] },
            &mut paths,
        );
        let counters = &outcome.counters;
        assert_eq!(outcome.reason, StopReason::Finished, "{file} {way:?}");
        assert_eq!((counters.lost, counters.unknown, counters.pending), (0, 0, 0), "{file} {way:?}");
        let identities: BTreeSet<u64> = paths.identities.iter().copied().collect();
        assert_eq!(identities.len(), paths.identities.len(), "{file} {way:?}: a path was taken twice");
        assert_eq!(identities.len(), expected, "{file} {way:?}");
        // Each path but the first comes from a flip, for which there is one question, or two if a better witness was
        // asked for, or none if a random input or a seed takes it.
        let flips = counters.infeasible + expected as u64 - 1;
        let fewest = if way.search == "hybrid" || way.seeded { counters.infeasible } else { flips };
        assert!((fewest..=2 * flips).contains(&solver.statistics().queries), "{file} {way:?}");
        let reported = if way.reports { counters.refuted } else { 0 };
        assert_eq!(paths.refuted.len() as u64, reported, "{file} {way:?}");
        let is_earlier = |side: &RefutedSide| side.core.iter().all(|decision| *decision < side.departure.depth);
        assert!(paths.refuted.iter().all(is_earlier), "{file} {way:?}");
        check_inputs(&program, &paths, file);
        if way.seeded && way.jobs == 1 {
            // The seeds take every path but the first, and no question is asked for them.
            assert_eq!(
                counters.inputs_followed.get("seed").copied().unwrap_or(0),
                expected as u64 - 1,
                "{file} {way:?}"
            );
            assert_eq!(solver.statistics().queries, counters.infeasible, "{file} {way:?}");
        }
        if seeds.is_empty() {
            seeds.clone_from(&paths.inputs);
        }
        match &all {
            Some(all) => assert_eq!(*all, identities, "{file} {way:?}"),
            None => all = Some(identities),
        }
    }
}

/// An input takes the path for which it was found when it is followed from the start.
#[track_caller]
fn check_inputs(program: &Arc<Program>, paths: &Paths, file: &str) {
    // Every decision is reported, even one that could not have gone another way.
    let mut machine = Machine::new(Arc::clone(program), Options { refuted: Refuted::Reported, ..Options::default() });
    for (identity, input) in paths.identities.iter().zip(&paths.inputs) {
        let (followed, choices) = follow(&mut machine, input.clone());
        assert_eq!(followed, *identity, "{file}: {input:?}");
        // The choices alone lead there, whatever the input is.
        machine.guide.set_record(choices.iter().copied());
        assert_eq!(follow(&mut machine, Vec::new()), (*identity, choices), "{file}: {input:?}");
        machine.guide.set_record([]);
    }
}

/// Runs a path from the start to its end; returns its identity, and its choices with the numbers of their decisions.
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

fn explore(
    program: &Arc<Program>,
    solver: &mut Solver,
    way: Way,
    limits: Limits,
    seeds: &[Vec<u8>],
    paths: &mut Paths,
) -> RunResult {
    let Ok(outcome) = explore_with(program, solver, way, limits, Tuning::default(), seeds, paths);
    outcome
}

fn explore_with<E: Send>(
    program: &Arc<Program>,
    solver: &mut Solver,
    way: Way,
    limits: Limits,
    tuning: Tuning,
    seeds: &[Vec<u8>],
    subscriber: &mut impl Subscriber<Error = E>,
) -> Result<RunResult, E> {
    let mut machine = Machine::new(Arc::clone(program), Options { refuted: way.refuted, ..Options::default() });
    let tuning = Tuning { expressions: way.max_expressions.min(tuning.expressions), ..tuning };
    let searcher = |seed| search::by_name(way.search, seed, &tuning).expect("the name is known");
    let worker = |worker| WorkerSetup { solver: start_solver(), searcher: searcher(worker), pruners: Vec::new() };
    let settings = Settings {
        limits,
        snapshots: way.snapshots,
        recheck: true,
        inputs: (!seeds.is_empty()).then(|| Box::new(Seeds(seeds.to_vec())) as Box<dyn InputSource>),
        workers: (1..way.jobs).map(worker).collect(),
        tuning: tuning.clone(),
        ..Settings::new(searcher(0))
    };
    secateur_explore::explore(&mut machine, solver, settings, subscriber)
}

/// The decisions are independent.
#[test]
fn diamonds() {
    check("bench/diamonds.c", &["-DKLEE", "-DN=1"], 2);
    check("bench/diamonds.c", &["-DKLEE", "-DN=6"], 64);
}

/// More flips than are tried between two measurements of memory.
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

/// Finding the greatest of three takes two comparisons; the assertion about it always holds.
#[test]
fn infeasible_assertions() {
    check("bench/max3.c", &["-DKLEE"], 4);
}

/// An internal panic, provoked by code that no loader makes, ends one path; all others are explored.
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
        let outcome = explore(&Arc::new(program.clone()), &mut start_solver(), way, Limits::default(), &[], &mut paths);
        let counters = &outcome.counters;
        assert_eq!((counters.completed, counters.unsupported, counters.pending), (3, 1, 0), "{jobs} jobs");
        assert_eq!(counters.faults.len(), 1, "{:?}", counters.faults);
        assert!(!counters.is_complete());
    }
}

/// The cases of a switch, two of them for the same target.
#[test]
fn switches() {
    check("crates/explore/tests/programs/switch.c", &[], 6);
}

/// A word of four letters differs from the secret at one of four positions, or is the secret.
#[test]
fn words() {
    check("crates/explore/tests/programs/word.c", &[], 5);
}

/// The input decides how often a loop runs.
#[test]
fn loops() {
    check("crates/explore/tests/programs/loop.c", &[], 10);
}

/// A path that ends in a bug counts like any other.
#[test]
fn bugs() {
    check("crates/explore/tests/programs/bugs.c", &[], 5);
}

/// The target of a function pointer is a decision; an assumption that always holds is not.
#[test]
fn calls_through_pointers() {
    check("crates/explore/tests/programs/pointers.c", &[], 4);
}

/// Values that must be concrete are tried one by one. Which comes first depends on the solver's inputs, so path
/// identities differ from run to run; but all values are tried, whichever worker has excluded which.
#[test]
fn all_values_are_tried() {
    let program = load_program("crates/explore/tests/programs/values.c", &[]);
    for way in WAYS {
        let mut paths = Paths::default();
        let limits = Limits { snapshot_memory: way.memory, ..Limits::default() };
        let outcome = explore(&program, &mut start_solver(), *way, limits, &[], &mut paths);
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

/// A run that stops at a limit has not taken a path twice either.
#[test]
fn limited_runs_take_no_path_twice() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=8"]);
    for way in WAYS {
        let mut paths = Paths::default();
        let mut solver = start_solver();
        let limits = Limits { paths: Some(100), snapshot_memory: way.memory, ..Limits::default() };
        let outcome = explore(&program, &mut solver, *way, limits, &[], &mut paths);
        assert_eq!(outcome.reason, StopReason::Paths);
        let identities: BTreeSet<u64> = paths.identities.iter().copied().collect();
        assert_eq!((identities.len(), paths.identities.len()), (100, 100), "{way:?}");
        assert!(outcome.counters.pending > 0, "{way:?}");
    }
}

/// A subscriber that has found what it looks for ends the run; what is left stays pending.
#[test]
fn a_bug_stops_all_workers() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=8"]);
    for way in WAYS {
        let mut paths = Paths { enough: Some(5), ..Paths::default() };
        let outcome = explore(&program, &mut start_solver(), *way, Limits::default(), &[], &mut paths);
        assert_eq!(outcome.reason, StopReason::Bug, "{way:?}");
        let most = 5 + 2 * way.jobs as usize;
        assert!((5..=most).contains(&paths.identities.len()), "{} {way:?}", paths.identities.len());
        assert!(outcome.counters.pending > 0, "{way:?}");
    }
}

/// Counts events.
#[derive(Default)]
struct EventCounts {
    ended: BTreeSet<u64>,
    kept: usize,
    closed: u64,
}

/// Records every tenth path.
#[derive(Default)]
struct EveryTenth(usize);

impl Keeper for EveryTenth {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, _: &PathEnd<'_>) -> Option<()> {
        self.0 += 1;
        self.0.is_multiple_of(10).then_some(())
    }
}

impl Subscriber for EventCounts {
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
            Event::InputRan(..) | Event::SideRefuted(_) | Event::Progress(_) => {}
        }
        Ok(())
    }
}

/// With any number of workers, each path is reported once, and so is each flip that did not become one.
#[test]
fn every_path_and_every_closed_flip_is_reported() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=8"]);
    for jobs in [1, 2, 8] {
        for limit in [None, Some(100)] {
            let mut events = EventCounts::default();
            let limits = Limits { paths: limit, ..Limits::default() };
            let way = Way { jobs, ..Way::new("dfs") };
            let Ok(outcome) =
                explore_with(&program, &mut start_solver(), way, limits, Tuning::default(), &[], &mut events);
            let paths = limit.unwrap_or(256) as usize;
            assert_eq!(events.ended.len(), paths, "{jobs} jobs");
            // Each worker counts to ten by itself.
            assert!((paths / 10 + 1).saturating_sub(jobs as usize) <= events.kept && events.kept <= paths / 10);
            let counters = &outcome.counters;
            assert_eq!(events.closed, counters.pending + counters.infeasible, "{jobs} jobs");
        }
    }
}

/// Fails after this many paths.
struct Failing {
    received: usize,
    limit: usize,
}

impl Subscriber for Failing {
    type Error = &'static str;
    type Keeper = KeepPath;

    fn keeper(&self) -> KeepPath {
        KeepPath
    }

    fn receive(&mut self, event: Event<(u64, Vec<u8>)>) -> Result<(), &'static str> {
        self.received += usize::from(matches!(event, Event::PathEnded(..)));
        if self.received < self.limit { Ok(()) } else { Err("enough") }
    }
}

/// If the subscriber fails, the run ends for all workers with its error.
#[test]
fn failures_stop_all_workers() {
    let program = load_program("bench/diamonds.c", &["-DKLEE", "-DN=14"]);
    for (jobs, limit) in [(1, 1), (1, 10), (2, 1), (2, 100), (8, 300)] {
        let mut failing = Failing { received: 0, limit };
        let way = Way { jobs, ..Way::new("dfs") };
        let result =
            explore_with(&program, &mut start_solver(), way, Limits::default(), Tuning::default(), &[], &mut failing);
        assert_eq!(result.err(), Some("enough"));
        // Each worker may finish its running path.
        assert!(failing.received < limit + jobs as usize, "{jobs} jobs: {} paths", failing.received);
    }
}

/// Each tuned number with its least and its largest value.
const EXTREMES: &[(&str, &str, &str)] = &[
    ("explore.slice", "1", "524288"),
    ("explore.grace-flips", "0", MAX),
    ("explore.grace-instructions", "0", MAX),
    ("explore.dropped-part", "1", MAX),
    ("explore.expressions", "0", MAX),
    ("explore.path-expressions", "65536", "201326592"),
    ("explore.packed-slots", "0", MAX),
    ("explore.few-expressions", "0", MAX),
    ("explore.large-question", "0", MAX),
    ("explore.question-bytes", "0", "65536"),
    ("explore.memory-attempts", "1", "4294967295"),
    ("explore.memory-growth", "1", MAX),
    ("explore.exchange-batch", "1", MAX),
    ("explore.exchange-remote-batch", "1", MAX),
    ("explore.exchange-remote-least", "2", MAX),
    ("explore.exchange-looked-at", "1", MAX),
    ("explore.exchange-pause", "0", "4294967295"),
    ("explore.exchange-least", "2", MAX),
    ("explore.exchange-most", "2", MAX),
    ("explore.unshared-paths", "0", MAX),
    ("explore.resume-flips", "0", "4294967295"),
    ("explore.checked-cuts", "0", MAX),
    ("explore.checked-paths", "1", MAX),
    ("explore.checked-instructions", "1", MAX),
    ("explore.distance-refresh", "1", MAX),
    ("explore.check-distance", "0", "4294967295"),
    ("explore.far", "1", "65536"),
    ("explore.weight-refresh", "1", MAX),
    ("explore.fair-turn", "1", "4294967295"),
    ("explore.frontier-head-start", "0", "65536"),
    ("explore.strategy-attempts", "1", "4294967295"),
    ("explore.share-period", "1", MAX),
    ("explore.share-equal", "0.01", "1"),
    ("explore.share-memory", "0", "1"),
    ("explore.expensive-work", "1", MAX),
    ("explore.longest-wait", "0", "62"),
    ("explore.longest-chain", "0", "4294967295"),
    ("explore.chain-work", "0", MAX),
    ("explore.chain-part", "1", MAX),
    ("explore.chain-attempts", "0", "4294967295"),
    ("explore.work-instructions", "1", MAX),
    ("explore.work-expressions", "1", MAX),
    ("explore.work-evaluated", "1", MAX),
    ("explore.effort-work", "0", MAX),
    ("explore.flip-work", "0", MAX),
    ("explore.smt-work", "0", MAX),
    ("explore.first-effort", "1", MAX),
    ("explore.effort-growth", "1", MAX),
    ("explore.effort-attempts", "0", "4294967295"),
    ("explore.hard-part", "1", MAX),
    ("explore.cfg-share", "1", "4294967295"),
    ("explore.cfg-attempts", "1", "64"),
    ("explore.hybrid-patience", "0", "4096"),
    ("explore.input-instructions", "0", MAX),
    ("explore.first-length", "1", "4294967295"),
    ("explore.length-patience", "0", "4294967295"),
    ("explore.length-work", "0", MAX),
    ("explore.snapshot-share", "0", "1"),
    ("explore.memory-share", "0.5", "1"),
];
const MAX: &str = "18446744073709551615";

/// The numbers of the machine and of its expressions choose between ways to run a program that all are correct.
#[test]
fn tuned_numbers_of_the_machine_do_not_change_the_paths() {
    let of_machine =
        extremes().into_iter().map(|(setting, tuning)| (setting, Options { tuning, ..Options::default() }));
    let of_expressions =
        extremes().into_iter().map(|(setting, expressions)| (setting, Options { expressions, ..Options::default() }));
    let all: Vec<(String, Options)> = of_machine.chain(of_expressions).collect();
    assert!(all.iter().any(|(setting, _)| setting == "expr.rule-depth=0"), "{all:?}");
    for (file, flags) in [
        ("bench/bubble.c", &["-DKLEE", "-DN=3"][..]),
        ("bench/strings.c", &["-DKLEE", "-DN=3"]),
        ("crates/explore/tests/programs/bugs.c", &[]),
    ] {
        let program = load_program(file, flags);
        let paths = |options: &Options| {
            let mut machine = Machine::new(Arc::clone(&program), options.clone());
            let searcher = search::by_name("dfs", 0, &Tuning::default()).expect("the name is known");
            let mut paths = Paths::default();
            let Ok(result) =
                secateur_explore::explore(&mut machine, &mut start_solver(), Settings::new(searcher), &mut paths);
            assert_eq!(result.reason, StopReason::Finished, "{file}");
            // Where fewer expressions become constants, a path may have more decisions, and so another identity.
            (paths.identities.into_iter().collect::<BTreeSet<u64>>().len(), result.counters.bugs)
        };
        let untuned = paths(&Options::default());
        for (setting, options) in &all {
            assert_eq!(paths(options), untuned, "{file} {setting}");
        }
    }
}

/// Tuned numbers change the order of paths and the use of memory, never which paths there are.
#[test]
fn tuned_numbers_do_not_change_the_paths() {
    let names: Vec<String> = Tuning::default().entries().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, EXTREMES.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    let ways = [Way { jobs: 2, ..Way::new("default") }, Way::new("covnew"), Way::new("cfg"), Way::new("hybrid")];
    for (file, flags, expected) in
        [("bench/bubble.c", &["-DKLEE", "-DN=3"][..], 6), ("crates/explore/tests/programs/bugs.c", &[], 5)]
    {
        let program = load_program(file, flags);
        let paths = |way, tuning: Tuning| {
            let mut paths = Paths::default();
            let limits = Limits::of_memory(16 << 30, &tuning);
            let Ok(result) = explore_with(&program, &mut start_solver(), way, limits, tuning, &[], &mut paths);
            assert_eq!((paths.identities.len(), result.reason), (expected, StopReason::Finished), "{file} {way:?}");
            paths.identities.into_iter().collect::<BTreeSet<u64>>()
        };
        let untuned = paths(Way::new("dfs"), Tuning::default());
        for (name, least, largest) in EXTREMES {
            for value in [least, largest] {
                let mut tuning = Tuning::default();
                tuning.set(name, value).unwrap();
                for way in ways {
                    assert_eq!(paths(way, tuning.clone()), untuned, "{file} {way:?} {name}={value}");
                }
            }
        }
    }
}
