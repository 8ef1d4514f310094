//! Explores all paths of every program of `tests/programs` at each of its optimisation levels: the results must be what
//! its comments say, every test must behave natively as predicted, and both SMT libraries must agree with every answer
//! of the solver. Programs in `concrete/` must print what they print natively.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use support::expectation::{self, Expectation};
use support::{c_files, expect_exit, root, secateur};

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests").join("programs");
    let mut trials = Vec::new();
    for file in c_files(&folder) {
        let name = file.strip_prefix(&folder).unwrap_or(&file).with_extension("").display().to_string();
        if name.starts_with("concrete") {
            for level in ["O0", "O1", "O2"] {
                let file = file.clone();
                trials.push(Trial::test(format!("{name} -{level}"), move || concrete(&file, level)));
            }
            continue;
        }
        match expectation::read(&file) {
            Ok(levels) => trials.extend(levels.into_iter().map(|(level, expectation)| {
                let file = file.clone();
                Trial::test(format!("{name} -{level}"), move || symbolic(&file, &level, &expectation))
            })),
            Err(message) => trials.push(Trial::test(name, move || Err(Failed::from(message)))),
        }
    }
    if trials.is_empty() {
        trials.push(Trial::test("corpus", || Err(Failed::from("there are no programs in tests/programs"))));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Explores, compares with the expectation, replays.
fn symbolic(file: &Path, level: &str, expectation: &Expectation) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("out");
    let mut command = secateur();
    command.arg("run").arg(file).arg(format!("-{level}")).args(["--all-tests", "--prune", "none"]);
    // Whatever the number of workers, the same is found.
    command.args(["--json", "--cross-check", "--recheck", "--jobs", if level == "O1" { "2" } else { "1" }]);
    command.args(["--max-time", "120s", "--out"]).arg(&out).args(&expectation.args);
    let output = expect_exit(&mut command, &[0, 10])?;
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("the summary: {error}"))?;
    let mut wrong = compare(file, &summary, &out, expectation);
    if let Err(message) = expect_exit(secateur().arg("replay").arg("--quiet").arg(&out), &[0]) {
        wrong.push(message);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Everything that is not as expected.
fn compare(file: &Path, summary: &Value, out: &Path, expectation: &Expectation) -> Vec<String> {
    let mut wrong = Vec::new();
    if summary["stopped"] != "finished" {
        wrong.push(format!("the run did not finish: {}", summary["stopped"]));
    }
    let completed = summary["paths"]["completed"].as_u64();
    if expectation.paths.is_some() && expectation.paths != completed {
        wrong.push(format!("{completed:?} paths completed instead of {:?}", expectation.paths));
    }
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let bugs: BTreeSet<(u32, String)> = summary["bugs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|bug| {
            let here = bug["file"].as_str().is_some_and(|file| file.ends_with(&name));
            let line = if here { bug["line"].as_u64().unwrap_or(0) as u32 } else { 0 };
            (line, bug["kind"].as_str().unwrap_or_default().to_string())
        })
        .collect();
    if bugs != expectation.bugs {
        wrong.push(format!("the bugs are {bugs:?} instead of {:?}", expectation.bugs));
    }
    let ends = ends(out);
    let exits: BTreeSet<i32> = ends.iter().filter_map(|end| Some(end.get("exit")?.as_i64()? as i32)).collect();
    if let Some(possible) = &expectation.exits {
        let fits = if expectation.all_exits { exits == *possible } else { exits.is_subset(possible) };
        if !fits || exits.is_empty() != possible.is_empty() {
            wrong.push(format!("the exit codes are {exits:?} instead of {possible:?}"));
        }
    }
    if expectation.all_branches {
        let branches = &summary["coverage"]["branches"];
        if branches["covered"] != branches["total"] {
            wrong.push(format!("not all branches are covered: {branches}"));
        }
    }
    if expectation.complete && summary["complete"] != true {
        wrong.push(format!("the run is not complete: {}", summary["given_up"]));
    }
    if let Some(reason) = &expectation.given_up {
        let given_up = summary["given_up"].as_array().into_iter().flatten();
        if !given_up.filter_map(|entry| entry["why"].as_str()).any(|why| why.contains(reason.as_str())) {
            wrong.push(format!("nothing was given up because `{reason}`: {}", summary["given_up"]));
        }
    }
    if expectation.assumed && !ends.iter().any(|end| end == "assumed") {
        wrong.push("no path ends by an assumption".to_string());
    }
    let unsupported: BTreeSet<&str> = ends.iter().filter_map(|end| end.get("unsupported")?["what"].as_str()).collect();
    match &expectation.unsupported {
        Some(what) if !unsupported.iter().any(|found| found.contains(what.as_str())) => {
            wrong.push(format!("nothing unsupported says `{what}`, only {unsupported:?}"));
        }
        None if !unsupported.is_empty() => wrong.push(format!("unsupported: {unsupported:?}")),
        _ => {}
    }
    wrong
}

/// The predicted ends of all paths.
fn ends(out: &Path) -> Vec<Value> {
    let files = ["tests", "bugs"].map(|folder| out.join(folder).join("expected.jsonl"));
    let texts: Vec<String> = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    let predictions = texts.iter().flat_map(|text| text.lines()).filter_map(|line| serde_json::from_str(line).ok());
    predictions.map(|prediction: Value| prediction["end"].clone()).collect()
}

/// Runs natively and in the machine: output and exit code must be the same.
fn concrete(file: &Path, level: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let native: PathBuf = folder.path().join("native");
    let mut compiler = Command::new("clang-19");
    compiler.arg(format!("-{level}")).arg("-w").arg("-o").arg(&native).arg(file).arg("-lm");
    expect_exit(&mut compiler, &[0])?;
    let wanted = Command::new(&native).output().map_err(|error| error.to_string())?;
    let mut command = secateur();
    command.arg("run").arg(file).arg(format!("-{level}")).args([
        "--all-tests",
        "--prune",
        "none",
        "--quiet",
        "--cflag=-w",
        "--show-output",
        "--out",
    ]);
    let out = folder.path().join("out");
    command.arg(&out);
    let shown = expect_exit(&mut command, &[0])?.stdout;
    let ends = ends(&out);
    let exit = ends.first().and_then(|end| end.get("exit")).and_then(Value::as_i64);
    if ends.len() != 1 || exit != wanted.status.code().map(i64::from) {
        return Err(format!("it ended with {ends:?}; natively with {}", wanted.status).into());
    }
    let got = shown_lines(&shown);
    if got.strip_suffix(b"\n").unwrap_or(&got) != wanted.stdout.strip_suffix(b"\n").unwrap_or(&wanted.stdout) {
        return Err(format!(
            "the output differs\n--- native\n{}\n--- machine\n{}",
            String::from_utf8_lossy(&wanted.stdout),
            String::from_utf8_lossy(&got)
        )
        .into());
    }
    Ok(())
}

/// What `--show-output` printed, without the number of the path before each line.
fn shown_lines(shown: &[u8]) -> Vec<u8> {
    let lines = shown.split_inclusive(|byte| *byte == b'\n');
    lines.flat_map(|line| line.strip_prefix(b"[1] ").unwrap_or(line)).copied().collect()
}
