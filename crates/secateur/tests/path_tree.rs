//! `paths.csv` is a tree: every path but the first left another one, at a decision which that one had.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::collections::BTreeMap;

use secateur_suite::PathRow;
use support::root;
use workbench::Workbench;

/// Explores all paths of a program; gives the summary and the text of `paths.csv`.
fn explore(program: &str, options: &[&str]) -> (serde_json::Value, String) {
    let bench = Workbench::new();
    let path = root().join(program).display().to_string();
    let done = bench.secateur(&[&["run", "--quiet", "--prune", "none", &path][..], options].concat());
    assert!(matches!(done.code, Some(0 | 10)), "{program}: {done}");
    let text = String::from_utf8(bench.read("secateur-out/paths.csv")).unwrap();
    (bench.json("secateur-out/summary.json"), text)
}

fn rows(text: &str) -> Vec<PathRow<'_>> {
    text.lines().skip(1).map(|line| PathRow::parse(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn every_path_left_another_one_at_a_decision_of_its() {
    for search in ["dfs", "bfs"] {
        for (program, options) in [
            ("bench/tritype.c", &["-DKLEE"][..]),
            ("bench/strings.c", &["-DKLEE", "-DN=4"]),
            ("examples/records.c", &["--sym-stdin", "6"]),
            ("tests/programs/bug/two_bugs.c", &[]),
            ("tests/programs/memory/pointer_table.c", &[]),
        ] {
            let (summary, text) = explore(program, &[options, &["--search", search]].concat());
            let rows = rows(&text);
            let lengths: BTreeMap<u64, u32> = rows.iter().map(|row| (row.path, row.length)).collect();
            assert!(lengths.keys().copied().eq(1..=rows.len() as u64), "{program}: paths are numbered without gaps");
            let ended: u64 = ["completed", "assumed", "limited", "unsupported"]
                .iter()
                .filter_map(|end| summary["paths"][end].as_u64())
                .sum();
            assert_eq!(rows.len() as u64, ended, "{program}");
            for row in &rows {
                match lengths.get(&row.parent) {
                    Some(length) => assert!(row.parent < row.path && row.depth < *length, "{program}: {row:?}"),
                    None => assert_eq!((row.path, row.parent, row.depth), (1, 0, 0), "{program}: {row:?}"),
                }
                assert!(row.path == 1 || row.depth < row.length, "{program}: {row:?}");
            }
            let tests = rows.iter().filter(|row| row.test.starts_with("tests/")).count() as u64;
            assert_eq!(Some(tests), summary["tests"].as_u64(), "{program}");
        }
    }
}

#[test]
fn sides_that_were_not_tried_are_listed() {
    let (summary, text) = explore("bench/diamonds.c", &["-DKLEE", "--max-paths", "20", "--grace", "0s"]);
    let pending = rows(&text).iter().filter(|row| row.end == "pending" && row.path == 0).count() as u64;
    assert!(pending > 0);
    assert_eq!(Some(pending), summary["paths"]["pending"].as_u64());
}

#[test]
fn no_more_are_listed_than_wanted() {
    for (limit, expected) in [("0", 0), ("7", 7), ("1000", 64)] {
        let (_, text) = explore("bench/diamonds.c", &["-DKLEE", "-DN=6", "--list-paths", limit]);
        assert_eq!(rows(&text).len(), expected);
    }
}
