//! Programs whose paths are mostly subsumed: what is explored of them, and that no bug is lost.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use secateur_explore::{Event, Keeper, PathEnd, RunResult, Settings, Subscriber, Tuning, explore, search};
use secateur_machine::{End, Machine, Options, shim_names};
use secateur_program::{LoadOptions, OptLevel, Runtime, load};
use secateur_solver::Solver;

/// Explores a program with interpolation; returns the result and the bugs.
fn run(file: &str, flags: &[&str], opt_level: OptLevel, order: &str) -> (RunResult, Vec<String>) {
    let mut bugs = Bugs::default();
    let result = explored(file, flags, (opt_level, true), order, &mut bugs);
    (result, bugs.0)
}

/// Explores a program, compiled at a level, with or without slots for local variables.
fn explored<S: Subscriber<Error = Infallible>>(
    file: &str,
    flags: &[&str],
    (opt_level, promote_locals): (OptLevel, bool),
    order: &str,
    subscriber: &mut S,
) -> RunResult {
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
    let program = Arc::new(load(&options).expect("it can be loaded").program);
    let mut machine = Machine::new(program, Options::default());
    let mut solver = Solver::new(secateur_solver::Options::default()).expect("the solver can be started");
    let searcher = search::by_name(order, 0, &Tuning::default()).expect("it is known");
    let settings = Settings {
        subsumption: Some(secateur_interpolation::maker(Default::default(), false)),
        ..Settings::new(searcher)
    };
    let Ok(result) = explore(&mut machine, &mut solver, settings, subscriber);
    assert!(result.counters.is_complete(), "{file} {flags:?} {order}");
    result
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
        let result =
            explored("diamonds.c", &["-DN=4", "-DLIMIT=4"], (OptLevel::O0, promote_locals), "dfs", &mut covers);
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
