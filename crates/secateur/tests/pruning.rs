//! Pruners on the programs of the corpus: the same coverage and the same bugs as without them, with no more paths;
//! where only coverage counts, the same coverage. What was pruned without loss is explored at the end, as a check.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use support::{c_files, expect_exit, expectation, root, secateur};

/// The summary of a run.
fn run(file: &Path, args: &[String], extra: &[&str]) -> Result<Value, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = secateur();
    command.arg("run").arg(file).args(args).args(extra).args([
        "--no-tests",
        "--no-report",
        "--json",
        "--max-time",
        "60s",
        "--out",
    ]);
    command.arg(folder.path().join("out"));
    let output = expect_exit(&mut command, &[0, 10])?;
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// What is wrong with these pruners on a program.
fn compare(file: &Path, args: &[String], pruners: &[&str]) -> Result<(), String> {
    let full = run(file, args, &["--prune", "none"])?;
    for pruner in pruners {
        let found = run(file, args, &["--prune", pruner, "--check-cuts"])?;
        if full["coverage"] != found["coverage"] {
            return Err(format!("{pruner} covers {} instead of {}", found["coverage"], full["coverage"]));
        }
        if paths(&found) > paths(&full) {
            return Err(format!("{pruner} takes {} paths instead of {}", paths(&found), paths(&full)));
        }
        let is_lossless = *pruner != "lookahead=coverage";
        if is_lossless && bugs(&found) != bugs(&full) {
            return Err(format!("{pruner} finds {:?} instead of {:?}", bugs(&found), bugs(&full)));
        }
        // Where a solver gave up, pruning may have avoided the question.
        if is_lossless && full["complete"] == true && found["complete"] != true {
            return Err(format!("{pruner} is not complete"));
        }
    }
    Ok(())
}

fn paths(summary: &Value) -> u64 {
    let kinds = ["completed", "assumed", "limited", "unsupported"];
    kinds.iter().filter_map(|kind| summary["paths"][kind].as_u64()).sum()
}

/// The kind and place of each bug.
fn bugs(summary: &Value) -> BTreeSet<String> {
    let bugs = summary["bugs"].as_array().into_iter().flatten();
    bugs.map(|bug| format!("{} at {}:{}", bug["kind"], bug["file"], bug["line"])).collect()
}

#[test]
fn the_corpus_is_covered_and_fails_as_without_them() {
    let folder = root().join("tests").join("programs");
    let chosen: Vec<_> = c_files(&folder)
        .into_iter()
        .filter(|file| !file.starts_with(folder.join("concrete")))
        .filter_map(|file| {
            let text = std::fs::read_to_string(&file).ok()?;
            let (_, expectation) = expectation::parse(&text).ok()?.into_iter().next()?;
            Some((file, expectation.args))
        })
        .collect();
    assert!(chosen.len() > 250, "only {} programs", chosen.len());
    let next = AtomicUsize::new(0);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let work = || {
            let claim = || {
                let index = next.fetch_add(1, Ordering::Relaxed);
                Some((index, chosen.get(index)?))
            };
            let results = std::iter::from_fn(claim).map(|(index, (file, args))| {
                // Every third program is enough to meet every construct; what counts as a check is subtler.
                let pruners = match index % 3 {
                    0 => &["lookahead", "interpolation", "lookahead=coverage"][..],
                    1 => &["lookahead", "interpolation", "lookahead,interpolation"],
                    _ => &["lookahead", "interpolation"],
                };
                (file, compare(file, args, pruners))
            });
            results.filter_map(|(file, result)| Some(format!("{}: {}", file.display(), result.err()?))).collect()
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|_| vec!["it panicked".into()]))
            .collect::<Vec<String>>()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
