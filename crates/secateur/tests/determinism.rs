//! The same run twice writes the same bytes, and how paths are found does not influence which there are.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use secateur_solver::Rung;
use serde_json::Value;
use support::{expectation, root};
use workbench::Workbench;

/// Programs with all kinds of input and decisions, with their options.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("bench/tritype.c", &["-DKLEE"]),
    ("bench/strings.c", &["-DKLEE", "-DN=4"]),
    ("bench/maze.c", &["-DKLEE", "-DSTEPS=8"]),
    ("bench/bubble.c", &["-DKLEE", "-DN=4"]),
    ("bench/regexp.c", &["-DKLEE", "-DSIZE=3"]),
    ("tests/programs/clean/mini_vm.c", &[]),
    ("tests/programs/bug/two_bugs.c", &[]),
    ("tests/programs/bug/ring_buffer.c", &[]),
    ("tests/programs/float/quadratic.c", &[]),
    ("tests/programs/memory/symbolic_write.c", &[]),
    ("tests/programs/memory/pointer_table.c", &[]),
    ("tests/programs/libc/strtol.c", &[]),
    ("tests/programs/input/args_option.c", &[]),
    ("tests/programs/input/stdin_fgets.c", &[]),
    ("tests/programs/input/libfuzzer.c", &["--native-share", "0"]),
];

/// The files that contain measurements.
const TIMED: &[&str] = &["timeline.csv", "report.html"];

const SUMMARY: &str = "summary.json";

/// Explores a program and returns what was written. The working directory is part of the debug information, so runs
/// that are compared share a workbench.
fn explore(bench: &Workbench, program: &str, options: &[&str], more: &[&str]) -> Folder {
    let path = root().join(program);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{program}: {error}"));
    let levels = expectation::parse(&text).unwrap_or_else(|message| panic!("{program}: {message}"));
    let mut command = bench.command(&["run", "--quiet"]);
    command.arg(&path).args(options).args(more);
    command.args(levels.get("O0").into_iter().flat_map(|expectation| &expectation.args));
    let done = bench.finish(command);
    assert!(matches!(done.code, Some(0 | 10)), "{program}: {done}");
    Folder::read(&bench.path("secateur-out"))
}

/// The files of an output folder by name.
struct Folder(BTreeMap<PathBuf, Vec<u8>>);

impl Folder {
    fn read(path: &Path) -> Folder {
        let mut files = BTreeMap::new();
        let mut folders = vec![path.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = entry.strip_prefix(path).unwrap().to_path_buf();
                if entry.is_dir() {
                    folders.push(entry);
                } else if !TIMED.iter().any(|timed| name == Path::new(timed)) {
                    files.insert(name, std::fs::read(&entry).unwrap());
                }
            }
        }
        Folder(files)
    }

    /// What was found.
    fn summary(&self) -> Value {
        serde_json::from_slice(&self.0[Path::new(SUMMARY)]).unwrap()
    }

    /// Both folders are the same byte by byte, except for the summary.
    #[track_caller]
    fn check_same(&self, other: &Folder, what: &str) {
        let names = |folder: &Folder| folder.0.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(self), names(other), "{what}");
        for (name, content) in self.0.iter().filter(|(name, _)| *name != Path::new(SUMMARY)) {
            let same = *content == other.0[name];
            assert!(same, "{what}: {} differs\n{}", name.display(), texts(content, &other.0[name]));
        }
    }

    /// The paths that were found, sorted: their branches and how they ended. Inputs are left out, as one path has many.
    fn paths(&self) -> Vec<(String, String)> {
        let lists = self.0.iter().filter(|(name, _)| name.ends_with("expected.jsonl"));
        let mut paths: Vec<_> = lists
            .flat_map(|(_, content)| content.split_inclusive(|byte| *byte == b'\n'))
            .map(|line| {
                let prediction: Value = serde_json::from_slice(line).unwrap();
                let hash = prediction["hash"].as_str().unwrap_or_else(|| panic!("{prediction}"));
                (hash.to_string(), way_to_end(&prediction["end"]))
            })
            .collect();
        paths.sort();
        paths
    }
}

fn way_to_end(end: &Value) -> String {
    match end.get("bug") {
        Some(bug) => format!("{} at line {}", bug["kind"], bug["line"]),
        // The status may depend on the input without any branch.
        None if end.get("exit").is_some() => "exit".to_string(),
        None => end.to_string(),
    }
}

fn texts(one: &[u8], other: &[u8]) -> String {
    match (std::str::from_utf8(one), std::str::from_utf8(other)) {
        (Ok(one), Ok(other)) => format!("--- one\n{one}\n--- other\n{other}"),
        _ => format!("{} bytes and {} bytes", one.len(), other.len()),
    }
}

#[test]
fn the_same_run_twice_gives_the_same_bytes() {
    let bench = Workbench::new();
    for (program, options) in PROGRAMS {
        let more = ["--format", "ktest,xml,raw", "--seed", "7", "--jobs", "1"];
        let [one, other] = [(); 2].map(|()| explore(&bench, program, options, &more));
        // When a test was made is part of Test-Comp's format.
        let without_date = |mut folder: Folder| {
            folder.0.remove(Path::new("tests/metadata.xml")).expect("it is part of the format");
            folder
        };
        let (one, other) = (without_date(one), without_date(other));
        one.check_same(&other, program);
        assert_eq!(one.0[Path::new(SUMMARY)], other.0[Path::new(SUMMARY)], "{program}");
    }
}

#[test]
fn the_order_of_the_search_does_not_change_the_paths() {
    let bench = Workbench::new();
    for (program, options) in PROGRAMS {
        let [depth, breadth, default] = ["dfs", "bfs", "default"]
            .map(|name| explore(&bench, program, options, &["--all-tests", "--prune", "none", "--search", name]));
        let paths = depth.paths();
        assert!(!paths.is_empty(), "{program}");
        for other in [breadth, default] {
            assert_eq!(paths, other.paths(), "{program}");
            assert_eq!(depth.summary()["coverage"], other.summary()["coverage"], "{program}");
        }
    }
}

#[test]
fn no_rung_of_the_solver_changes_the_paths() {
    let bench = Workbench::new();
    for (program, options) in PROGRAMS {
        let more = ["--all-tests", "--prune", "none", "--search", "dfs"];
        let all = explore(&bench, program, options, &more).paths();
        // Without the SMT library, some questions would have no answer.
        for left_out in Rung::ALL.into_iter().filter(|rung| *rung != Rung::Smt) {
            let rest: Vec<&str> = Rung::ALL.into_iter().filter(|rung| *rung != left_out).map(Rung::name).collect();
            let rest = ["--solver-rungs", &rest.join(",")];
            let folder = explore(&bench, program, options, &[&more[..], &rest[..]].concat());
            assert_eq!(all, folder.paths(), "{program} without {left_out:?}");
        }
    }
}

/// Holds for every searcher. Other tests replay the inputs natively.
#[test]
fn the_number_of_jobs_does_not_change_the_paths() {
    let bench = Workbench::new();
    for (program, options) in PROGRAMS {
        for more in [&["--search", "dfs"][..], &["--search", "default"], &["--search", "bfs", "--no-snapshots"]] {
            let [one, two, eight] = ["1", "2", "8"]
                .map(|jobs| explore(&bench, program, options, &[more, &["--all-tests", "--jobs", jobs]].concat()));
            for other in [two, eight] {
                assert_eq!(one.paths(), other.paths(), "{program} {more:?}");
                let found = |folder: &Folder| {
                    let summary = folder.summary();
                    let bugs = summary["bugs"].as_array().unwrap().iter();
                    let mut bugs: Vec<_> = bugs.map(|bug| format!("{} {}", bug["kind"], bug["line"])).collect();
                    bugs.sort();
                    ["coverage", "complete", "stopped"]
                        .map(|name| summary[name].to_string())
                        .into_iter()
                        .chain(bugs)
                        .collect::<Vec<_>>()
                };
                assert_eq!(found(&one), found(&other), "{program} {more:?}");
            }
        }
    }
}

#[test]
fn snapshots_only_save_time() {
    let bench = Workbench::new();
    for (program, options) in PROGRAMS {
        for search in ["dfs", "bfs"] {
            let more = ["--all-tests", "--jobs", "1", "--search", search];
            let with = explore(&bench, program, options, &more);
            let without = explore(&bench, program, options, &[&more[..], &["--no-snapshots"]].concat());
            check_same_but_slower(&with, &without, program);
        }
    }
}

/// Enough flips are pending at once that memory is checked many times.
#[test]
fn snapshots_that_are_dropped_are_made_again() {
    let bench = Workbench::new();
    for (program, options) in [
        ("bench/diamonds.c", &["-DKLEE", "-DN=11", "--search", "bfs"][..]),
        ("bench/diamonds.c", &["-DKLEE", "-DN=11", "--search", "dfs"]),
        ("bench/maze.c", &["-DKLEE", "-DSTEPS=18", "--search", "bfs"]),
    ] {
        let plenty = explore(&bench, program, options, &["--all-tests", "--jobs", "1"]);
        let little = explore(&bench, program, options, &["--all-tests", "--jobs", "1", "--snapshot-memory", "1"]);
        let more = |folder: &Folder| folder.summary()["instructions"].as_u64().unwrap();
        assert!(more(&little) > more(&plenty), "{program}: nothing was dropped");
        check_same_but_slower(&plenty, &little, program);
    }
}

/// Everything is the same except for the number of instructions.
#[track_caller]
fn check_same_but_slower(with: &Folder, without: &Folder, program: &str) {
    with.check_same(without, program);
    let rest = |folder: &Folder| {
        let mut summary = folder.summary();
        summary.as_object_mut().unwrap().remove("instructions").unwrap();
        summary
    };
    assert_eq!(rest(with), rest(without), "{program}");
}
