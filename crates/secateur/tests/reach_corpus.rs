//! `secateur reach --error` and `secateur verify` never contradict each other, over all of `tests/programs`, whichever
//! way the search goes.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{c_files, expect_exit, expectation, root, secateur};

/// What `--error` looks for.
const ERRORS: [&str; 3] = ["assertion", "abort", "reach-error"];

/// Long, so for `make test-long`.
#[test]
#[ignore = "runs all programs of the corpus four times"]
fn errors_are_reached_where_verify_finds_them() {
    let folder = root().join("tests").join("programs");
    let mut counts = [0; 3];
    for file in c_files(&folder) {
        let Ok(mut levels) = expectation::read(&file) else { continue };
        let Some((level, expectation)) = levels.pop_first() else { continue };
        let verify = summary("verify", &file, &level, &expectation.args, &["--keep-going", "--max-time", "10s"]);
        let is_error = |bug: &&Value| bug["confirmed"] == true && ERRORS.iter().any(|kind| bug["kind"] == *kind);
        let has_error = verify["bugs"].as_array().is_some_and(|bugs| bugs.iter().find(is_error).is_some());
        for way in ["forward", "backward", "both"] {
            let args = ["--error", "--way", way, "--max-time", "3s", "--max-steps", "500", "--search-budget", "2000"];
            let reach = summary("reach", &file, &level, &expectation.args, &args);
            let verdict = reach["targets"][0]["verdict"].as_str().unwrap_or_default();
            match verdict {
                "reached" => assert_ne!(verify["verdict"], "VERIFIED", "{}: {way} reaches an error", file.display()),
                "unreachable" => assert!(!has_error, "{}: {way} reaches no error", file.display()),
                _ => {}
            }
            let index = ["reached", "unreachable"].iter().position(|known| *known == verdict).unwrap_or(2);
            counts[index] += 1;
        }
    }
    println!("{} reached, {} unreachable, {} unknown", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 0 && counts[1] > 0);
}

/// What a command prints about a program; nothing if it refuses the program or its options.
fn summary(command: &str, file: &Path, level: &impl std::fmt::Display, of_file: &[String], args: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command_line = secateur();
    command_line.arg(command).arg(file).arg(format!("-{level}")).args(["--json", "--jobs", "1"]).args(args);
    command_line.arg("--out").arg(folder.path().join("out")).args(of_file);
    let output = expect_exit(&mut command_line, &[0, 1, 10, 11, 20]).expect("it ends with an answer");
    serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
}
