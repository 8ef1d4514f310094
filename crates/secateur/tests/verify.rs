//! `secateur verify`: over every program of `tests/programs` the verdict is what its comments say; and small programs,
//! one for each reason why a verdict is UNKNOWN.

mod support;

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use support::expectation::{self, Expectation};
use support::{c_files, expect_exit, root, secateur};

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests").join("programs");
    let name = |file: &Path| file.strip_prefix(&folder).unwrap_or(file).with_extension("").display().to_string();
    // Those in `concrete/` have no input, and no expectations in comments.
    let files = c_files(&folder).into_iter().filter(|file| !name(file).starts_with("concrete"));
    let trials: Vec<Trial> = files.map(|file| Trial::test(name(&file), move || program(&file))).collect();
    assert!(!trials.is_empty(), "there are no programs in tests/programs");
    libtest_mimic::run(&arguments, trials).exit();
}

/// Verifies a program at its first optimisation level and compares the verdict with the expectation: with one worker,
/// and with two that share whatever they can.
fn program(file: &Path) -> Result<(), Failed> {
    let (level, expectation) = expectation::read(file)?.pop_first().ok_or("there is no level")?;
    verdict(file, &level, &expectation, &["--jobs", "1"])?;
    verdict(file, &level, &expectation, &["--jobs", "2", "--tune", "explore.unshared-paths=0"])
}

fn verdict(file: &Path, level: &str, expectation: &Expectation, workers: &[&str]) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = secateur();
    command.arg("verify").arg(file).arg(format!("-{level}")).args(["--json", "--no-report", "--max-time", "60s"]);
    command.args(workers).arg("--out").arg(folder.path().join("out")).args(&expectation.args);
    let output = expect_exit(&mut command, &[0, 10, 20])?;
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("the summary: {error}"))?;
    let (verdict, reason) = expected(expectation);
    let whys: Vec<&str> =
        summary["reasons"].as_array().into_iter().flatten().filter_map(|reason| reason["why"].as_str()).collect();
    let has_reason = reason.is_none_or(|text| whys.iter().any(|why| why.contains(text)));
    if summary["verdict"] != verdict || !has_reason {
        return Err(format!(
            "{} {whys:?} instead of {verdict} {reason:?} {workers:?}\n{}",
            summary["verdict"], summary["bugs"]
        )
        .into());
    }
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for bug in summary["bugs"].as_array().into_iter().flatten().filter(|bug| bug["confirmed"] == true) {
        let here = bug["file"].as_str().is_some_and(|file| file.ends_with(&name));
        let line = if here { bug["line"].as_u64().unwrap_or(0) as u32 } else { 0 };
        if !expectation.bugs.contains(&(line, bug["kind"].as_str().unwrap_or_default().to_string())) {
            return Err(format!("{bug} is not expected").into());
        }
    }
    Ok(())
}

/// The verdict, and a part of its reason if it is UNKNOWN.
fn expected(expectation: &Expectation) -> (&'static str, Option<&str>) {
    if !expectation.bugs.is_empty() {
        return ("BUG", None);
    }
    match expectation.unsupported.as_ref().or(expectation.given_up.as_ref()) {
        Some(reason) => ("UNKNOWN", Some(reason)),
        None => ("VERIFIED", None),
    }
}
