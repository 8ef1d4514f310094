//! `--learn`: what it finds, that it repeats, what it claims, and what it refuses.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::path::Path;

use serde_json::Value;
use support::root;
use workbench::Workbench;

const MODE: (&str, &[&str]) = ("bench/learn/mode.c", &["--sym-stdin", "16"]);
const EVEN: (&str, &[&str]) = ("bench/learn/even.c", &["--sym-stdin", "10"]);

const COUNTED: &[&str] = &["--jobs", "1", "--learn", "--learn-by", "paths"];

/// Explores a program and returns the summary.
fn explore(bench: &Workbench, (program, input): (&str, &[&str]), more: &[&str]) -> Value {
    let mut command = bench.command(&["run", "--quiet", "--no-report"]);
    command.arg(root().join(program)).args(input).args(more);
    let done = bench.finish(command);
    assert_eq!(done.code, Some(0), "{program}: {done}");
    summary(&bench.path("secateur-out"))
}

fn summary(out: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(out.join("summary.json")).unwrap()).unwrap()
}

fn rounds(summary: &Value) -> &[Value] {
    summary["learning"]["rounds"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn covered(summary: &Value) -> u64 {
    summary["coverage"]["branches"]["covered"].as_u64().unwrap()
}

fn options<'a>(more: &[&'a str]) -> Vec<&'a str> {
    COUNTED.iter().chain(more).copied().collect()
}

/// All that is of interest is behind one byte, and most pending flips are not. The budget is that of three rounds.
#[test]
fn the_feature_that_decides_is_found_within_three_rounds() {
    let bench = Workbench::new();
    for seed in ["1", "2", "3"] {
        let summary = explore(&bench, MODE, &options(&["--max-paths", "60", "--learn-rounds", "3", "--seed", seed]));
        let first = &rounds(&summary)[..2];
        assert!(!first[0]["prunes"].as_bool().unwrap() && first[1]["prunes"].as_bool().unwrap(), "seed {seed}");
        let features = summary["learning"]["features"].as_array().unwrap();
        let deciding = features.iter().find(|feature| feature["text"] == "byte 0 of stdin is '-'");
        let weight = deciding.unwrap_or_else(|| panic!("seed {seed}: {features:?}"))["weight"].as_f64().unwrap();
        assert!(weight > 0.0, "seed {seed}: {weight}");
    }
}

/// Nothing tells which alternatives are better, so every flip that is dropped is one that is missing.
#[test]
fn where_pruning_can_only_hurt_it_is_left() {
    let bench = Workbench::new();
    let (mut pruned, mut all) = (0, 0);
    for seed in ["1", "2", "3"] {
        let budget = ["--max-paths", "700", "--seed", seed];
        let without = explore(&bench, EVEN, &["--jobs", "1", "--max-paths", "700", "--seed", seed]);
        let with = explore(&bench, EVEN, &options(&[&budget[..], &["--learn-rounds", "35"]].concat()));
        assert!(100 * covered(&with) >= 90 * covered(&without), "{} {}", covered(&with), covered(&without));
        let late = &rounds(&with)[rounds(&with).len() / 2..];
        pruned += late.iter().filter(|round| round["prunes"].as_bool().unwrap()).count();
        all += late.len();
    }
    assert!(2 * pruned < all, "{pruned} of {all} rounds prune");
}

#[test]
fn the_same_seed_writes_the_same_files() {
    let bench = Workbench::new();
    let read = |seed: &str| {
        let budget = ["--max-paths", "300", "--learn-rounds", "6", "--learn-seed", seed];
        explore(&bench, MODE, &options(&budget));
        let out = bench.path("secateur-out");
        let mut files = vec![std::fs::read(out.join("learned.json")).unwrap()];
        let mut tests: Vec<_> =
            std::fs::read_dir(out.join("tests")).unwrap().flatten().map(|entry| entry.path()).collect();
        tests.sort();
        files.extend(tests.iter().filter(|test| test.is_file()).map(|test| std::fs::read(test).unwrap()));
        files.push(std::fs::read(out.join("summary.json")).unwrap());
        files
    };
    let first = read("5");
    assert!(first.len() > 5);
    assert!(first == read("5"), "the same seed gives other files");
    assert!(first != read("6"), "another seed should give another run");
}

/// What was dropped may hold anything; a tree without any dropped flip that is explored to its end holds everything.
#[test]
fn every_path_is_claimed_only_if_none_was_dropped() {
    let bench = Workbench::new();
    let limited = explore(&bench, MODE, &options(&["--max-paths", "200", "--learn-rounds", "5"]));
    assert_eq!(limited["complete"], false);
    assert!(limited["paths"]["pruned"]["learning"].as_u64().unwrap() > 0);
    // 1,024 paths, in rounds of 200: the tree that drops nothing is complete in the end.
    let all = explore(&bench, EVEN, &options(&["--max-paths", "100000", "--learn-rounds", "500", "--prune", "none"]));
    assert_eq!((&all["complete"], &all["stopped"]), (&true.into(), &"finished".into()));
    assert!(all["paths"]["pruned"].get("learning").is_none());
    let plain = explore(&bench, EVEN, &["--jobs", "1", "--prune", "none"]);
    assert_eq!((&all["paths"], &all["coverage"]), (&plain["paths"], &plain["coverage"]));
}

#[test]
fn what_was_learned_serves_another_run() {
    let bench = Workbench::new();
    explore(&bench, MODE, &options(&["--max-paths", "300", "--learn-rounds", "6"]));
    let file = bench.path("before.json");
    std::fs::copy(bench.path("secateur-out/learned.json"), &file).unwrap();
    let file = file.to_str().unwrap();
    // Another version of the program, which reads its input in another place.
    let text = std::fs::read_to_string(root().join(MODE.0)).unwrap();
    let changed =
        text.replace("case 'e': return erase", "case 'x': case 'e': return erase").replace("11 : 12", "11 : 19");
    std::fs::write(bench.path("mode2.c"), changed).unwrap();
    let mut command = bench.command(&["run", "--quiet", "--no-report", "mode2.c", "--sym-stdin", "16"]);
    command.args(options(&["--max-paths", "100", "--learn-rounds", "4", "--learned", file]));
    let done = bench.finish(command);
    assert_eq!(done.code, Some(0), "{done}");
    let summary = summary(&bench.path("secateur-out"));
    assert!(rounds(&summary)[0]["features"].as_u64().unwrap() > 0, "it prunes from the start: {summary}");
}

#[test]
fn a_file_of_another_program_is_refused_with_one_sentence() {
    let bench = Workbench::new();
    explore(&bench, MODE, &options(&["--max-paths", "100", "--learn-rounds", "3"]));
    std::fs::copy(bench.path("secateur-out/learned.json"), bench.path("mode.json")).unwrap();
    std::fs::write(bench.path("broken.json"), "{\"schema\": \"secateur-learned\", \"version\": 1}").unwrap();
    let other = root().join(EVEN.0);
    for (file, expected) in
        [("mode.json", "it was learned on"), ("broken.json", "it is no learned.json"), ("missing.json", "No such file")]
    {
        let mut command = bench.command(&["run", "--sym-stdin", "10", "--out", "other"]);
        command.arg(&other).args(options(&["--max-paths", "9", "--learned", file]));
        let done = bench.finish(command);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stderr.contains(expected) && done.stderr.contains(file), "{done}");
        assert_eq!(done.stderr.lines().count(), 1, "{done}");
        assert!(!bench.path("other").exists(), "nothing is written");
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let bench = Workbench::new();
    let program = root().join(EVEN.0);
    for (options, expected) in [
        (&["--learn", "--all-tests"][..], "--all-tests"),
        (&["--learned", "x.json"], "--learn"),
        (&["--learn", "--learn-ratio", "1.5"], "a share between 0 and 1"),
    ] {
        let mut command = bench.command(&["run"]);
        command.arg(&program).args(options);
        let done = bench.finish(command);
        assert!(done.code == Some(1) && done.stderr.contains(expected), "{done}");
    }
    let mut command = bench.command(&["verify", "--learn"]);
    command.arg(&program);
    let done = bench.finish(command);
    assert!(done.code == Some(1) && done.stderr.contains("works with `secateur run` only"), "{done}");
}

/// Several workers share the flips of a round, and those of the tree that rounds go on with.
#[test]
fn several_workers_learn_together() {
    let bench = Workbench::new();
    let budget = ["--jobs", "2", "--learn", "--learn-by", "paths", "--max-paths", "100000", "--prune", "none"];
    let all = explore(&bench, EVEN, &[&budget[..], &["--learn-rounds", "500"]].concat());
    assert_eq!((&all["complete"], &all["paths"]["completed"]), (&true.into(), &1024.into()));
}
