//! What each strategy is good at: it finds a bug with fewer paths than depth first, and every strategy finds every bug
//! eventually.
//!
//! The numbers of paths are those of one seed; they never depend on time.

mod support;

use secateur_explore::Tuning;
use secateur_explore::search::{self, Searcher, SolveFirst};
use support::{explore_until_bug, load_program};

fn paths(file: &str, searcher: Box<dyn Searcher>, limit: u64) -> Option<u64> {
    explore_until_bug(&load_program(file, &[]), searcher, Vec::new(), limit)
}

fn by_name(name: &str) -> Box<dyn Searcher> {
    search::by_name(name, 0, &Tuning::default()).unwrap_or_else(|| panic!("{name} is not known"))
}

/// A strategy finds the bug of a program with at most this many paths, and depth first does not.
#[track_caller]
fn check(name: &str, program: &str, most: u64) {
    let file = format!("crates/explore/tests/programs/{program}.c");
    let taken = paths(&file, by_name(name), 100_000);
    assert!(taken.is_some_and(|taken| taken <= most), "{name} on {program}: {taken:?} paths, wanted {most}");
    assert_eq!(paths(&file, by_name("dfs"), most), None, "dfs on {program} is as good");
}

#[test]
fn breadth_first_tries_the_first_decision_first() {
    check("bfs", "trap", 3);
}

#[test]
fn random_path_prefers_what_is_near_the_root() {
    check("random-path", "trap", 10);
}

#[test]
fn random_state_leaves_a_loop() {
    check("random-state", "trap", 40);
}

#[test]
fn coverage_new_goes_to_what_is_uncovered() {
    check("covnew", "stages", 60);
}

#[test]
fn minimal_distance_goes_to_what_is_uncovered() {
    check("md2u", "stages", 20);
}

#[test]
fn depth_leaves_a_loop() {
    check("depth", "trap", 200);
}

#[test]
fn instruction_count_prefers_what_was_executed_once() {
    check("icnt", "trap", 10);
}

#[test]
fn call_path_count_prefers_other_calls() {
    check("cpicnt", "trap", 10);
}

#[test]
fn query_cost_leaves_a_loop() {
    check("qc", "trap", 60);
}

#[test]
fn control_flow_goes_straight_to_a_branch() {
    check("cfg", "stages", 40);
}

#[test]
fn uniform_random_changes_any_decision() {
    check("urs", "trap", 100);
}

#[test]
fn generational_tries_all_decisions_of_a_path() {
    check("generational", "stages", 100);
}

#[test]
fn hybrid_finds_by_chance_what_most_inputs_do() {
    check("hybrid", "majority", 20);
}

#[test]
fn the_default_goes_to_what_is_uncovered() {
    check("default", "stages", 20);
}

/// Nothing new is covered before the last letter, so only who follows the chain of letters finds the keyword soon.
#[test]
fn the_default_finds_a_whole_keyword() {
    const MOST: u64 = 40;
    check("default", "keyword", MOST);
    let file = "crates/explore/tests/programs/keyword.c";
    let letter_by_letter = Tuning { longest_chain: 0, ..Tuning::default() };
    let without = search::by_name("default", 0, &letter_by_letter).expect("the name is known");
    assert_eq!(paths(file, without, MOST), None, "it is as good without chains");
}

#[test]
fn the_frontier_gives_each_place_its_turn() {
    check("frontier", "stages", 50);
}

/// In an infinite tree, every strategy but depth first finds the bug outside of the growing part.
#[test]
fn all_but_depth_first_are_fair() {
    let file = "crates/explore/tests/programs/endless.c";
    for name in search::NAMES {
        let taken = paths(file, by_name(name), 500);
        assert_eq!(taken.is_none(), *name == "dfs", "{name}: {taken:?}");
    }
}

/// Combined strategies take turns, so that breadth first finds the bug that depth first does not.
#[test]
fn strategies_take_turns() {
    let file = "crates/explore/tests/programs/trap.c";
    let both = search::by_names(&["dfs", "bfs"], 0, &Tuning::default()).expect("both are known");
    assert!(paths(file, both, 10).is_some());
    assert!(search::by_names(&["dfs", "nonsense"], 0, &Tuning::default()).is_none());
    assert!(search::by_names(&[""; 0], 0, &Tuning::default()).is_none());
}

/// All flips of a path are tried before depth first goes deeper.
#[test]
fn solve_first_tries_the_shortest_prefix_first() {
    let file = "crates/explore/tests/programs/trap.c";
    assert_eq!(paths(file, Box::new(SolveFirst::new(by_name("dfs"))), 100), Some(2));
}

/// The same seed gives the same paths; other seeds give others.
#[test]
fn seeds_repeat() {
    let file = "crates/explore/tests/programs/trap.c";
    let run = |seed| {
        paths(file, search::by_name("random-state", seed, &Tuning::default()).expect("the name is known"), 10_000)
    };
    assert_eq!(run(1), run(1));
    assert!((1..10).any(|seed| run(seed) != run(0)));
}
