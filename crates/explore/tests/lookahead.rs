//! Look-ahead covers what is covered without it, by no more paths; and the other cuts cut what they say.

mod support;

use secateur_explore::prune::{Items, Lookahead, MaxCallDepth, Pruner};
use secateur_explore::search;
use support::{Explored, explore, load_program};

const PROGRAMS: &[(&str, &[&str])] = &[
    ("bench/regexp.c", &["-DKLEE", "-DSIZE=5"]),
    ("bench/strings.c", &["-DKLEE", "-DN=6"]),
    ("bench/maze.c", &["-DKLEE", "-DSTEPS=12"]),
    ("bench/tritype.c", &["-DKLEE"]),
    ("bench/bubble.c", &["-DKLEE", "-DN=4"]),
    ("bench/diamonds.c", &["-DKLEE", "-DN=6"]),
    ("bench/seeds/check-pressure.c", &["-DKLEE", "-DREADINGS=2"]),
    ("bench/seeds/hysteresis.c", &["-DKLEE", "-DSTEPS=3"]),
    ("bench/seeds/merge.c", &["-DKLEE", "-DLENGTH=2"]),
    ("bench/seeds/triangle.c", &["-DKLEE"]),
    ("crates/explore/tests/programs/bugs.c", &[]),
    ("crates/explore/tests/programs/loop.c", &[]),
    ("crates/explore/tests/programs/pointers.c", &[]),
    ("crates/explore/tests/programs/returns.c", &[]),
    ("crates/explore/tests/programs/stages.c", &[]),
    ("crates/explore/tests/programs/switch.c", &[]),
    ("crates/explore/tests/programs/trap.c", &[]),
    ("crates/explore/tests/programs/word.c", &[]),
];

fn run(file: &str, flags: &[&str], search: &str, pruners: Vec<Box<dyn Pruner>>) -> Explored {
    explore(&load_program(file, flags), search::by_name(search, 0).expect("it is known"), pruners)
}

fn lookahead(items: Items) -> Vec<Box<dyn Pruner>> {
    vec![Box::new(Lookahead::new(items))]
}

#[test]
fn the_same_is_covered_by_no_more_paths() {
    let branches = Items { branches: true, blocks: false };
    let mut fewer = 0;
    for (file, flags) in PROGRAMS {
        let full = run(file, flags, "dfs", Vec::new());
        for (search, items) in [("dfs", Items::ALL), ("dfs", branches), ("bfs", branches), ("default", Items::ALL)] {
            let cut = run(file, flags, search, lookahead(items));
            assert_eq!(cut.branches, full.branches, "{file} {search} {items:?}");
            let (with, without) = (cut.outcome.counters.paths(), full.outcome.counters.paths());
            assert!(with <= without, "{file} {search} {items:?}: {with} paths instead of {without}");
            // Whoever cuts something does not claim to know every path.
            let pruned: u64 = cut.outcome.counters.pruned.values().sum();
            assert_eq!(cut.outcome.counters.is_complete(), pruned == 0 && full.outcome.counters.is_complete());
            assert_eq!(cut.outcome.sentence() == "every path was explored", pruned == 0, "{file} {search}");
            fewer += u32::from(with < without);
        }
    }
    assert!(fewer > 30, "look-ahead made a difference only {fewer} times");
}

/// Without anything to cover nothing is worth a path.
#[test]
fn what_is_not_to_be_covered_is_not_explored() {
    let nothing = Items { branches: false, blocks: false };
    let cut = run("bench/diamonds.c", &["-DKLEE", "-DN=6"], "dfs", lookahead(nothing));
    assert_eq!(cut.outcome.counters.paths(), 1);
}

/// A failed assertion is behind a branch, and each check that the input decides about is tried until it has failed.
#[test]
fn bugs_on_the_way_are_found() {
    let file = "crates/explore/tests/programs/bugs.c";
    for search in search::NAMES {
        let (mut full, mut cut) = (run(file, &[], search, Vec::new()), run(file, &[], search, lookahead(Items::ALL)));
        full.bugs.sort();
        cut.bugs.sort();
        assert_eq!(full.bugs, cut.bugs, "{search}");
        assert_eq!(full.bugs.len(), 3);
    }
}

/// The loop of the trap is one call deep, and so is the check; only at the start is something decided.
#[test]
fn calls_that_are_too_deep_leave_no_flips() {
    let file = "crates/explore/tests/programs/trap.c";
    let paths = |depth| run(file, &[], "dfs", vec![Box::new(MaxCallDepth(depth))]).outcome.counters;
    assert_eq!(paths(0).paths(), 1);
    assert_eq!(paths(0).pruned.get("max-call-depth"), Some(&13));
    assert_eq!(paths(1).paths(), 4097);
    assert!(paths(1).pruned.is_empty() && paths(1).is_complete());
}

/// Cuts can be used together; each flip is counted for the first that cuts it.
#[test]
fn cuts_compose() {
    let file = "crates/explore/tests/programs/trap.c";
    let cuts: Vec<Box<dyn Pruner>> = vec![Box::new(MaxCallDepth(0)), Box::new(Lookahead::new(Items::ALL))];
    let counters = run(file, &[], "dfs", cuts).outcome.counters;
    assert_eq!((counters.paths(), counters.pruned.get("max-call-depth")), (1, Some(&13)));
    assert_eq!(counters.pruned.get("lookahead"), None);
}
