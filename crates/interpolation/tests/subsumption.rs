//! Programs whose paths are mostly subsumed: what is explored of them, and that no bug is lost.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use secateur_explore::{
    Event, Keeper, MakeSubsumption, PathEnd, RunResult, Settings, Subscriber, Tuning, WorkerSetup, explore, search,
};
use secateur_interpolation::{Defect, maker, maker_with};
use secateur_machine::{End, Machine, Options, shim_names};
use secateur_program::{LoadOptions, OptLevel, Program, Runtime, load};
use secateur_solver::Solver;

/// Explores a program with interpolation; returns the result and the bugs.
fn run(file: &str, flags: &[&str], opt_level: OptLevel, order: &str) -> (RunResult, Vec<String>) {
    let mut bugs = Bugs::default();
    let result = explored(file, flags, (opt_level, true), settings(order, maker(Default::default(), false)), &mut bugs);
    assert!(result.counters.is_complete(), "{file} {flags:?} {order}");
    (result, bugs.0)
}

/// Explores in an order, with interpolation.
fn settings(order: &str, subsumption: MakeSubsumption) -> Settings {
    let searcher = search::by_name(order, 0, &Tuning::default()).expect("it is known");
    Settings { subsumption: Some(subsumption), ..Settings::new(searcher) }
}

/// Explores a program, compiled at a level, with or without slots for local variables.
fn explored<S: Subscriber<Error = Infallible>>(
    file: &str,
    flags: &[&str],
    (opt_level, promote_locals): (OptLevel, bool),
    settings: Settings,
    subscriber: &mut S,
) -> RunResult {
    explored_program(&loaded(file, flags, (opt_level, promote_locals)), settings, subscriber)
}

/// Explores a program.
fn explored_program<S: Subscriber<Error = Infallible>>(
    program: &Arc<Program>,
    settings: Settings,
    subscriber: &mut S,
) -> RunResult {
    let mut machine = Machine::new(Arc::clone(program), Options::default());
    let mut solver = Solver::new(secateur_solver::Options::default()).expect("the solver can be started");
    let Ok(result) = explore(&mut machine, &mut solver, settings, subscriber);
    result
}

/// A program, compiled at a level, with or without slots for local variables.
fn loaded(file: &str, flags: &[&str], (opt_level, promote_locals): (OptLevel, bool)) -> Arc<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let options = LoadOptions {
        inputs: vec![root.join("tests/programs").join(file)],
        cflags: flags.iter().map(ToString::to_string).collect(),
        opt_level,
        runtime: Runtime { include: Some(root.join("../../runtime/include")), libc: None },
        shims: shim_names(),
        promote_locals,
        ..LoadOptions::default()
    };
    Arc::new(load(&options).expect("it can be loaded").program)
}

#[test]
fn diamonds_take_two_paths_for_each_condition() {
    for (count, flags) in [(20, ["-DN=20", "-DLIMIT=20"]), (200, ["-DN=200", "-DLIMIT=200"])] {
        for opt_level in [OptLevel::O0, OptLevel::O2] {
            let (result, bugs) = run("diamonds.c", &flags, opt_level, "dfs");
            assert!(bugs.is_empty(), "{bugs:?}");
            let (completed, subsumed) = (result.counters.completed, result.counters.subsumed);
            assert!(completed <= 2 && subsumed <= 2 * count, "{completed} completed, {subsumed} subsumed");
        }
    }
}

#[test]
fn a_bound_that_is_off_by_one_is_found() {
    for order in ["dfs", "default", "cfg", "urs"] {
        let (_, bugs) = run("diamonds.c", &["-DN=12", "-DLIMIT=11"], OptLevel::O0, order);
        assert_eq!(bugs, ["assertion"], "{order}");
    }
}

#[test]
fn an_assumption_bounds_a_sum() {
    for opt_level in [OptLevel::O0, OptLevel::O1] {
        let (result, bugs) = run("walk.c", &["-DSTEP=2"], opt_level, "dfs");
        assert!(bugs.is_empty() && result.counters.subsumed > 0, "{bugs:?}");
        let (_, bugs) = run("walk.c", &["-DSTEP=3"], opt_level, "dfs");
        assert_eq!(bugs, ["assertion"]);
    }
}

/// What covers a path is told once, in terms of the program's variables, whether these are on the stack or in slots.
#[test]
fn interpolants_are_described_by_variables() {
    for promote_locals in [false, true] {
        let mut covers = Covers::default();
        let (flags, how) = (["-DN=4", "-DLIMIT=4"], (OptLevel::O0, promote_locals));
        let settings = settings("dfs", maker(Default::default(), false));
        let result = explored("diamonds.c", &flags, how, settings, &mut covers);
        assert_eq!(covers.nodes.len() as u64, result.counters.subsumed);
        for bound in ["count <= 1", "count <= 2", "count <= 3"] {
            let is_told = |text: &&String| text.contains(bound) && text.contains('i') && !text.contains('%');
            assert_eq!(covers.texts.iter().filter(is_told).count(), 1, "{bound}: {:?}", covers.texts);
        }
        assert_eq!(covers.texts.len(), 3, "{:?}", covers.texts);
        // All of them are nodes of the first paths.
        assert!(covers.nodes.iter().all(|(path, depth)| *path <= 2 && (1..4).contains(depth)), "{:?}", covers.nodes);
    }
}

/// Several workers, which hand over flips as soon as they can, prove what one proves, and find the same bugs.
#[test]
fn several_workers_prove_what_one_proves() {
    let programs: [(&str, &[&str], &[&str]); 6] = [
        ("diamonds.c", &["-DN=12", "-DLIMIT=12"], &[]),
        ("diamonds.c", &["-DN=12", "-DLIMIT=11"], &["assertion"]),
        ("walk.c", &["-DSTEP=2"], &[]),
        ("walk.c", &["-DSTEP=3"], &["assertion"]),
        ("machine.c", &["-DCLOSED=1"], &[]),
        ("bounds.c", &["-DOTHERWISE=0"], &[]),
    ];
    // What may be covered by a node above it is not handed over, so that some programs share nothing.
    let mut sharing = 0;
    for (file, flags, expected) in programs {
        let mut handed_over = 0;
        for (workers, batch) in [(2, 1), (2, 64), (4, 2)] {
            let tuning = Tuning { unshared_paths: 0, exchange_batch: batch, ..Tuning::default() };
            let settings = Settings {
                tuning,
                check_cuts: true,
                workers: (1..workers).map(|_| further_worker("dfs")).collect(),
                ..settings("dfs", maker(Default::default(), false))
            };
            let mut bugs = Bugs::default();
            let result = explored(file, flags, (OptLevel::O0, true), settings, &mut bugs);
            assert!(result.counters.is_complete(), "{file} {flags:?} {workers} {:?}", result.counters);
            assert_eq!(bugs.0, expected, "{file} {flags:?} {workers}");
            handed_over += result.counters.replayed;
        }
        println!("{file} {flags:?}: {handed_over} flips are handed over");
        sharing += usize::from(handed_over > 0);
    }
    assert!(sharing > 2, "only {sharing} programs share anything");
}

/// Tuned numbers change how much is pruned, never which bugs there are.
#[test]
fn tuned_numbers_lose_no_bug() {
    let programs: [(&str, &[&str], &[&str]); 4] = [
        ("diamonds.c", &["-DN=6", "-DLIMIT=6"], &[]),
        ("diamonds.c", &["-DN=6", "-DLIMIT=5"], &["assertion"]),
        ("walk.c", &["-DSTEP=3"], &["assertion"]),
        ("bounds.c", &["-DOTHERWISE=0"], &[]),
    ];
    let all = secateur_tuning::extremes::<secateur_interpolation::Tuning>();
    for (file, flags, expected) in programs {
        let program = loaded(file, flags, (OptLevel::O0, true));
        // The first of each two is the least; the largest may let interpolants grow for ever.
        for (setting, tuning) in all.iter().step_by(2) {
            let settings = Settings { check_cuts: true, ..settings("dfs", maker(tuning.clone(), false)) };
            let mut bugs = Bugs::default();
            let result = explored_program(&program, settings, &mut bugs);
            assert!(result.counters.is_complete(), "{file} {flags:?} {setting}");
            assert_eq!(bugs.0, expected, "{file} {flags:?} {setting}");
        }
    }
}

fn further_worker(order: &str) -> WorkerSetup {
    WorkerSetup {
        solver: Solver::new(secateur_solver::Options::default()).expect("the solver can be started"),
        searcher: search::by_name(order, 0, &Tuning::default()).expect("it is known"),
        pruners: Vec::new(),
    }
}

/// A program, a way to compile it so that it has a bug, and a rule without which that is lost.
const SPOILT: [(&str, &[&str], Defect); 3] = [
    ("stores.c", &["-DFIRST=0"], Defect::StoreAddress),
    ("diamonds.c", &["-DN=6", "-DLIMIT=5"], Defect::CertainDecision),
    ("bounds.c", &["-DOTHERWISE=2 * value"], Defect::InfeasibleSide),
];

/// The bugs that are found with a rule broken, and the faults that the check of cuts finds.
fn with_defect(file: &str, flags: &[&str], defect: Defect) -> (Vec<String>, Vec<String>) {
    let mut bugs = Bugs::default();
    let settings = Settings { check_cuts: true, ..settings("dfs", maker_with(Default::default(), false, defect)) };
    let result = explored(file, flags, (OptLevel::O0, true), settings, &mut bugs);
    assert_eq!((result.counters.cuts_checked, result.counters.cuts_left), (result.counters.subsumed, 0), "{file}");
    (bugs.0, result.counters.faults)
}

/// A test of the tests: a broken rule loses a bug, and the check of cuts notices.
#[test]
fn a_broken_rule_loses_bugs_and_is_noticed() {
    for (file, flags, defect) in SPOILT {
        let (bugs, faults) = with_defect(file, flags, defect);
        assert!(bugs.is_empty(), "{defect:?}: {bugs:?}");
        let parts =
            ["was ended at", file, "as covered by the node after decision", "a bug that no path has, assertion"];
        let is_told = |fault: &String| parts.iter().all(|part| fault.contains(part));
        assert!(faults.iter().any(is_told), "{defect:?}: {faults:?}");
        let (bugs, faults) = with_defect(file, flags, Defect::None);
        assert_eq!((bugs, faults), (vec!["assertion".to_string()], Vec::new()), "{file}");
    }
}

/// A core that lacks a condition makes an interpolant require more than it must, so nothing is lost.
#[test]
fn a_core_that_is_too_small_loses_no_bug() {
    for (file, flags, _) in SPOILT {
        let (bugs, faults) = with_defect(file, flags, Defect::CoreCondition);
        assert_eq!((bugs, faults), (vec!["assertion".to_string()], Vec::new()), "{file}");
    }
}

/// The nodes that cover paths, and what is told of them.
#[derive(Default)]
struct Covers {
    nodes: Vec<(u64, u32)>,
    texts: Vec<String>,
}

impl Subscriber for Covers {
    type Error = Infallible;
    type Keeper = Nothing;

    fn keeper(&self) -> Nothing {
        Nothing
    }

    fn receive(&mut self, event: Event<()>) -> Result<(), Infallible> {
        if let Event::PathEnded(path, _) = event
            && let Some(cover) = path.cover
        {
            self.nodes.push((cover.path, cover.depth));
            self.texts.extend(cover.text);
            self.texts.sort();
        }
        Ok(())
    }
}

/// The kinds of bugs that were found, each once.
#[derive(Default)]
struct Bugs(Vec<String>);

impl Subscriber for Bugs {
    type Error = Infallible;
    type Keeper = Nothing;

    fn keeper(&self) -> Nothing {
        Nothing
    }

    fn receive(&mut self, event: Event<()>) -> Result<(), Infallible> {
        if let Event::PathEnded(path, _) = event
            && let End::Bug(bug) = path.end
            && !self.0.contains(&bug.kind.name().to_string())
        {
            self.0.push(bug.kind.name().to_string());
        }
        Ok(())
    }
}

struct Nothing;

impl Keeper for Nothing {
    type Record = ();

    fn keep(&mut self, _: &mut Machine, _: &PathEnd<'_>) -> Option<()> {
        None
    }
}
