//! Tests each function of `tests/units` by itself: its reachable branches must be covered, its bugs found, every test
//! must behave natively as predicted, and its tests in C must compile without a warning and pass.

mod support;
#[path = "support/unit_expectation.rs"]
mod unit_expectation;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use support::{c_files, expect_exit, root, secateur};
use unit_expectation::UnitExpectation;

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests").join("units");
    let mut trials = Vec::new();
    for file in c_files(&folder) {
        let name = file.strip_prefix(&folder).unwrap_or(&file).with_extension("").display().to_string();
        let units = std::fs::read_to_string(&file)
            .map_err(|error| error.to_string())
            .and_then(|text| unit_expectation::parse(&text));
        match units {
            Ok(units) => trials.extend(units.into_iter().map(|unit| {
                let file = file.clone();
                Trial::test(format!("{name} {}", unit.function), move || check(&file, &unit))
            })),
            Err(message) => trials.push(Trial::test(name, move || Err(Failed::from(message)))),
        }
    }
    if trials.is_empty() {
        trials.push(Trial::test("corpus", || Err(Failed::from("there are no files in tests/units"))));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Explores, compares with the expectation, replays, and runs the tests in C.
fn check(file: &Path, unit: &UnitExpectation) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("out");
    let mut command = secateur();
    command.arg("run").arg(file).args(["--entry", &unit.function, "--json", "--max-time", "60s", "--out"]);
    let output = expect_exit(command.arg(&out).args(&unit.args), &[0, 10])?;
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("the summary: {error}"))?;
    let mut wrong = compare(&summary, unit);
    if let Err(message) = expect_exit(secateur().arg("replay").arg("--quiet").arg(&out), &[0]) {
        wrong.push(message);
    }
    if let Err(message) = run_in_c(&out, folder.path(), unit, &summary) {
        wrong.push(message);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Everything that is not as expected.
fn compare(summary: &Value, unit: &UnitExpectation) -> Vec<String> {
    let mut wrong = Vec::new();
    if summary["stopped"] != "finished" {
        wrong.push(format!("the run did not finish: {}", summary["stopped"]));
    }
    if summary["paths"]["unsupported"] != 0 {
        wrong.push(format!("unsupported: {}", summary["paths"]));
    }
    let covered = &summary["coverage"]["entry"];
    let branches = (covered["covered"].as_u64().unwrap_or(0), covered["total"].as_u64().unwrap_or(0));
    if branches != unit.branches {
        wrong.push(format!("the covered branches are {branches:?} instead of {:?}", unit.branches));
    }
    let bugs = summary["bugs"].as_array().into_iter().flatten();
    let bugs: BTreeSet<(u32, String)> = bugs
        .map(|bug| (bug["line"].as_u64().unwrap_or(0) as u32, bug["kind"].as_str().unwrap_or_default().to_string()))
        .collect();
    if bugs != unit.bugs {
        wrong.push(format!("the bugs are {bugs:?} instead of {:?}", unit.bugs));
    }
    wrong
}

/// The compiler needs nothing but the file and what it includes; every test passes, except those with a bug.
fn run_in_c(out: &Path, folder: &Path, unit: &UnitExpectation, summary: &Value) -> Result<(), String> {
    let source = out.join("tests").join(format!("{}_test.c", unit.function));
    let executable = folder.join("unit");
    let compiler = || {
        let mut command = Command::new("cc");
        // Static functions of the file may be unused except by their own tests.
        command.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]).arg(&source);
        command
    };
    expect_exit(compiler().arg("-lm").arg("-o").arg(&executable), &[0])?;
    let output = expect_exit(&mut Command::new(&executable), &[0])?;
    let tests = &summary["tests"];
    let wanted = format!("{tests} of {tests} tests passed\n");
    let said = String::from_utf8_lossy(&output.stdout);
    if !said.ends_with(&wanted) {
        return Err(format!("the tests in C say `{said}` instead of `{wanted}`"));
    }
    expect_exit(compiler().args(["-DRUN_FAILING", "-fsyntax-only"]), &[0])?;
    Ok(())
}
