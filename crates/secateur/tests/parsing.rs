//! What parsers need of a search: keywords, tables, lengths and hashes.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use serde_json::Value;
use support::root;
use workbench::Workbench;

/// Explores a libFuzzer harness without native help; returns whether it finds the bug, and the summary.
fn explore(file: &str, options: &[&str]) -> (bool, Value) {
    let bench = Workbench::new();
    let file = root().join("bench/formats").join(file);
    let run = ["run", file.to_str().expect("the path is text"), "--jobs", "1", "--native-share", "0", "--no-confirm"];
    let done = bench.secateur(&[&run[..], &["--no-report", "--grace", "0s"], options].concat());
    assert!(matches!(done.code, Some(0 | 10)), "{done}");
    (done.code == Some(10), bench.json("secateur-out/summary.json"))
}

fn answered(summary: &Value, rung: &str) -> u64 {
    summary["solver"]["answered"][rung].as_u64().unwrap_or_else(|| panic!("there is no rung {rung}: {summary}"))
}

/// Four nested keywords, of up to fourteen letters. That single keywords are followed letter by letter is tested in
/// `explore/tests/search.rs`.
#[test]
fn nested_keywords_are_read() {
    let (found, summary) = explore("keywords.c", &["--max-paths", "400"]);
    assert!(found, "{summary}");
    assert_eq!(answered(&summary, "smt"), 0, "{summary}");
}

/// A hash of the data by multiplication: the rung `search` sets the bytes that must equal it. Without that, most paths
/// cost a hard question to the SMT solver.
#[test]
fn hashes_are_made_right() {
    let (_, summary) = explore("records.c", &["--max-paths", "60"]);
    assert!(answered(&summary, "smt") < 10, "{summary}");
    assert!(summary["coverage"]["branches"]["covered"].as_u64() >= Some(12), "{summary}");
}

/// A scanner of tables, as flex makes them.
#[test]
fn tables_are_looked_up() {
    let (found, summary) = explore("scanner.c", &["--max-paths", "2000"]);
    assert!(found, "{summary}");
    assert_eq!(answered(&summary, "smt"), 0, "{summary}");
}

/// Nothing is found in short inputs, which have more paths than can be explored.
#[test]
fn a_length_that_matters_is_reached() {
    for length in ["size_t", "unsigned", "int"] {
        let defined = format!("LENGTH={length}");
        let limits = ["-D", &defined, "--max-paths", "4000", "--tune"];
        let (found, summary) = explore("long.c", &[&limits[..], &["explore.length-patience=200"]].concat());
        assert!(found, "{length}: {summary}");
        let never = ["explore.length-patience=1000000", "--tune", "explore.length-work=1000000000"];
        let (found, summary) = explore("long.c", &[&limits[..], &never].concat());
        assert!(!found, "{length}: it is as good with short inputs: {summary}");
    }
}
