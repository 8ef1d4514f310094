//! Look-ahead covers what is covered without it and finds the same bugs with no more paths; the other pruners drop what
//! they should.

mod support;

use std::collections::BTreeSet;

use secateur_explore::prune::{Items, Lookahead, MaxCallDepth, Pruner};
use secateur_explore::{Tuning, search};
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
    explore(
        &load_program(file, flags),
        search::by_name(search, 0, &Tuning::default()).expect("the name is known"),
        pruners,
    )
}

fn lookahead(items: Items) -> Vec<Box<dyn Pruner>> {
    vec![Box::new(Lookahead::new(items))]
}

#[test]
fn coverage_is_the_same_with_no_more_paths() {
    let branches = Items { blocks: false, ..Items::COVERAGE };
    let mut fewer = 0;
    for (file, flags) in PROGRAMS {
        let full = run(file, flags, "dfs", Vec::new());
        for (search, items) in [("dfs", Items::COVERAGE), ("dfs", branches), ("bfs", branches), ("default", Items::ALL)]
        {
            let pruned = run(file, flags, search, lookahead(items));
            assert_eq!(pruned.branches, full.branches, "{file} {search} {items:?}");
            let (with, without) = (pruned.outcome.counters.paths(), full.outcome.counters.paths());
            assert!(with <= without, "{file} {search} {items:?}: {with} paths instead of {without}");
            // A run that dropped what may have mattered does not claim to be complete.
            let counters = &pruned.outcome.counters;
            let loses = counters.pruned.contains_key("lookahead=coverage");
            assert_eq!(counters.is_complete(), !loses && full.outcome.counters.is_complete(), "{file} {search}");
            let everything = pruned.outcome.sentence() == "every path was explored";
            assert_eq!(
                everything,
                counters.pruned.is_empty() && full.outcome.counters.is_complete(),
                "{file} {search}"
            );
            fewer += u32::from(with < without);
        }
    }
    assert!(fewer > 30, "look-ahead made a difference only {fewer} times");
}

/// If nothing is to be covered, no flip is of interest.
#[test]
fn without_goals_only_the_first_path_is_explored() {
    let nothing = Items { branches: false, blocks: false, bugs: false };
    let pruned = run("bench/diamonds.c", &["-DKLEE", "-DN=6"], "dfs", lookahead(nothing));
    assert_eq!(pruned.outcome.counters.paths(), 1);
}

/// In every order.
#[test]
fn the_same_bugs_are_found() {
    for file in ["crates/explore/tests/programs/bugs.c", "crates/explore/tests/programs/covered.c"] {
        for search in search::NAMES {
            let full = run(file, &[], search, Vec::new());
            let pruned = run(file, &[], search, lookahead(Items::ALL));
            assert_eq!(distinct(full.bugs), distinct(pruned.bugs), "{file} {search}");
        }
    }
}

fn distinct(bugs: Vec<String>) -> BTreeSet<String> {
    bugs.into_iter().collect()
}

/// A failed assertion is behind a branch, and each check that the input decides is tried until it has failed; a check
/// that fails on a path whose branches are all covered is lost.
#[test]
fn coverage_alone_loses_some_bugs() {
    let bugs = |file: &str, items| {
        distinct(run(&format!("crates/explore/tests/programs/{file}"), &[], "dfs", lookahead(items)).bugs).len()
    };
    assert_eq!((bugs("bugs.c", Items::COVERAGE), bugs("bugs.c", Items::ALL)), (3, 3));
    assert_eq!((bugs("covered.c", Items::COVERAGE), bugs("covered.c", Items::ALL)), (0, 1));
}

/// Explores `tail.c` with this code after its branches, and returns the number of paths.
fn paths_before(tail: &str) -> u64 {
    let flag = format!("-DTAIL={tail}");
    let explore = |pruners| run("crates/explore/tests/programs/tail.c", &[&flag], "dfs", pruners);
    let (full, pruned) = (explore(Vec::new()), explore(lookahead(Items::ALL)));
    assert_eq!(full.branches, pruned.branches, "{tail}");
    assert_eq!(distinct(full.bugs), distinct(pruned.bugs), "{tail}");
    assert_eq!(full.outcome.counters.is_complete(), pruned.outcome.counters.is_complete(), "{tail}");
    pruned.outcome.counters.paths()
}

/// Three branches make eight paths, and three inputs cover both sides of each.
#[test]
fn flips_before_safe_code_are_dropped() {
    let harmless = [
        "",
        "sum+=x*3",
        "sum=x/7+x%3",
        "sum=x>>3",
        "numbers[2]=x",
        "sum=numbers[x&3]",
        "sum=letters[(unsigned_char)x]",
        "sum=twice(x)",
        "local[1]=x;sum=local[0]",
        "klee_assume(x!=9)",
        "sum=__VERIFIER_nondet_int()",
        "malloc(8)",
    ];
    for tail in harmless {
        assert_eq!(paths_before(tail), 4, "{tail}");
    }
}

#[test]
fn flips_before_hazards_are_kept() {
    let hazards = [
        "sum=5/x",
        "sum=x%sum",
        "sum=numbers[x&7]",
        "sum=*pointer",
        "*pointer=x",
        "function(x)",
        "sum=endless(x)",
        "free(pointer)",
        "unknown(x)",
        "copy(x)",
    ];
    for tail in hazards {
        assert!(paths_before(tail) >= 8, "{tail}: {} paths", paths_before(tail));
    }
}

/// Once it has failed at that location, the same check is no longer of interest. Only the first path exits normally.
#[test]
fn failed_checks_are_not_tried_again() {
    for tail in ["if(x>3)abort()", "if(x>3)__assert_fail(text,text,1,text)"] {
        assert!(paths_before(tail) < 8, "{tail}: {} paths", paths_before(tail));
    }
}

/// In `trap.c` the loop and the check are one call deep; only the first decision is in `main`.
#[test]
fn calls_that_are_too_deep_leave_no_flips() {
    let file = "crates/explore/tests/programs/trap.c";
    let paths = |depth| run(file, &[], "dfs", vec![Box::new(MaxCallDepth(depth))]).outcome.counters;
    assert_eq!(paths(0).paths(), 1);
    assert_eq!(paths(0).pruned.get("max-call-depth"), Some(&13));
    assert_eq!(paths(1).paths(), 4097);
    assert!(paths(1).pruned.is_empty() && paths(1).is_complete());
}

/// Pruners can be combined; each flip counts for the first one that drops it.
#[test]
fn pruners_compose() {
    let file = "crates/explore/tests/programs/trap.c";
    let pruners: Vec<Box<dyn Pruner>> = vec![Box::new(MaxCallDepth(0)), Box::new(Lookahead::new(Items::ALL))];
    let counters = run(file, &[], "dfs", pruners).outcome.counters;
    assert_eq!((counters.paths(), counters.pruned.get("max-call-depth")), (1, Some(&13)));
    assert_eq!(counters.pruned.get("lookahead"), None);
}
