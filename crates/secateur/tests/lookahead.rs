//! Look-ahead on the programs of the corpus: the same coverage as without it, by no more paths. Every third program is enough to meet every construct.

mod support;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use support::{c_files, expect_exit, expectation, root, secateur};

/// The summary of a run.
fn run(file: &Path, args: &[String], extra: &[&str]) -> Result<Value, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = secateur();
    command.arg("run").arg(file).args(args).args(extra).args(["--no-tests", "--json", "--max-time", "60s", "--out"]);
    command.arg(folder.path().join("out"));
    let output = expect_exit(&mut command, &[0, 10])?;
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// What is wrong with look-ahead on a program.
fn compare(file: &Path, args: &[String]) -> Result<(), String> {
    let full = run(file, args, &[])?;
    let cut = run(file, args, &["--prune", "lookahead"])?;
    if full["coverage"] != cut["coverage"] {
        return Err(format!("{} is covered instead of {}", cut["coverage"], full["coverage"]));
    }
    let paths = |summary: &Value| {
        let kinds = ["completed", "cut", "limited", "unsupported"];
        kinds.iter().filter_map(|kind| summary["paths"][kind].as_u64()).sum::<u64>()
    };
    if paths(&cut) > paths(&full) {
        return Err(format!("{} paths instead of {}", paths(&cut), paths(&full)));
    }
    Ok(())
}

#[test]
fn the_corpus_is_covered_as_without_it() {
    let folder = root().join("tests").join("programs");
    let chosen: Vec<_> = c_files(&folder)
        .into_iter()
        .filter(|file| !file.starts_with(folder.join("concrete")))
        .step_by(3)
        .filter_map(|file| {
            let text = std::fs::read_to_string(&file).ok()?;
            let (_, expectation) = expectation::parse(&text).ok()?.into_iter().next()?;
            Some((file, expectation.args))
        })
        .collect();
    assert!(chosen.len() > 50, "only {} programs", chosen.len());
    let next = AtomicUsize::new(0);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let work = || {
            let claim = || chosen.get(next.fetch_add(1, Ordering::Relaxed));
            let results = std::iter::from_fn(claim).map(|(file, args)| (file, compare(file, args)));
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
