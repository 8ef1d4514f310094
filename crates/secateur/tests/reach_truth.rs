//! The programs of `tests/reach`: natively, the target of each is reached with the input of its first line, often in
//! ways that are easily overlooked. So no answer may say that it is unreachable, whichever way the search goes.

mod support;

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{c_files, expect_exit, root, secateur};

/// Programs whose target is only reached by a call that C does not define, which is a failing check of ours: the
/// scope of every answer says that a path ends there.
const FAILING: [&str; 2] = ["proto", "kr_proto"];

#[test]
fn no_reached_target_is_unreachable() {
    try_all(&["both"], "2s");
}

/// Long, so for `make test-long`.
#[test]
#[ignore = "searches each program in three ways, for some seconds each"]
fn no_reached_target_is_unreachable_whichever_way() {
    try_all(&["both", "backward", "forward"], "10s");
}

fn try_all(ways: &[&str], time: &str) {
    let folder = root().join("tests").join("reach");
    let mut reached = 0;
    let mut wrong = Vec::new();
    let files: Vec<_> = c_files(&folder).into_iter().filter(|file| !file.ends_with("native.c")).collect();
    for file in &files {
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let text = std::fs::read_to_string(file).expect("the program can be read");
        let first = text.lines().next().unwrap_or_default();
        let input = first.strip_prefix("// INPUT").expect("the first line is an input").trim();
        assert!(is_reached(&folder, file, input), "{name}: {input} does not reach the target natively");
        for way in ways {
            let verdict = verdict(file, way, time);
            reached += usize::from(verdict == "reached");
            if verdict == "unreachable" && !FAILING.contains(&name) {
                wrong.push(format!("{name} ({way})"));
            }
        }
    }
    assert!(wrong.is_empty(), "wrongly unreachable: {}", wrong.join(", "));
    println!("{reached} of {} answers: reached", files.len() * ways.len());
    // Otherwise all of them might be unknown.
    assert!(reached * 2 > files.len() * ways.len(), "only {reached} are reached");
}

/// The native program gets to the target with an input.
fn is_reached(folder: &Path, file: &Path, input: &str) -> bool {
    let bench = tempfile::tempdir().expect("there is room for a folder");
    let program = bench.path().join("program");
    let mut compiler = Command::new("clang-19");
    compiler.args(["-w", "-DNATIVE", "-o"]).arg(&program).arg(file).arg(folder.join("native.c")).arg("-lm");
    expect_exit(&mut compiler, &[0]).expect("the program compiles");
    let output = Command::new(&program).env("INPUT", input).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).contains("target")
}

fn verdict(file: &Path, way: &str, time: &str) -> String {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command = secateur();
    command.arg("reach").arg(file).args(["--target", "target", "--way", way, "--jobs", "1", "--json", "-q"]);
    command.args(["--no-confirm", "--max-time", time]).arg("--out").arg(folder.path().join("out"));
    let output = expect_exit(&mut command, &[0, 11, 20]).expect("it ends with an answer");
    let report: Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    report["targets"][0]["verdict"].as_str().expect("there is a verdict").to_string()
}
