//! Runs Secateur on a program of `bench/` and reads its results.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::bench::root;
use crate::expected::Expected;

/// The program that `make build` left, or the one that `SECATEUR` names.
pub fn secateur() -> Result<PathBuf, String> {
    let path = match std::env::var_os("SECATEUR") {
        Some(path) => PathBuf::from(path),
        None => root()?.join("bin").join("secateur"),
    };
    if path.exists() { Ok(path) } else { Err(format!("{} is not there; run `make build` first", path.display())) }
}

/// The figures of a run that are compared.
pub struct Run {
    pub paths: u64,
    pub covered: u64,
    pub total: u64,
    /// How long it explored, without compiling and loading.
    pub seconds: f64,
    /// What the solver did, as the summary has it.
    pub solver: Value,
    /// The branch outcomes that were covered at some moments, in seconds.
    timeline: Vec<(f64, u64)>,
    /// How long it took to compile and load the program, in seconds.
    loading: f64,
}

impl Run {
    /// How many branch outcomes were covered by then.
    pub fn covered_at(&self, moment: f64) -> u64 {
        self.timeline
            .iter()
            .take_while(|(time, _)| *time - self.loading <= moment)
            .last()
            .map_or(0, |(_, covered)| *covered)
    }
}

/// Runs a program of `bench/` without writing tests; it must have the expected result.
pub fn run(file: &str, args: &[&str], expected: Expected) -> Result<Run, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = Command::new(secateur()?);
    command.arg("run").arg(root()?.join("bench").join(file)).arg("-DKLEE").args(args);
    command.args(["--jobs", "1", "--no-tests", "--json", "--grace", "0s", "--out"]).arg(folder.path().join("out"));
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let summary = expected.check(&output).map_err(|deviation| format!("{command:?}: {deviation}"))?;
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let branches = &summary["coverage"]["branches"];
    let timeline = timeline(&folder.path().join("out").join("timeline.csv"))?;
    // The first line is written when the program is loaded.
    let loading = timeline.first().map_or(0.0, |(time, _)| *time);
    Ok(Run {
        paths: number(&summary["paths"]["completed"]),
        covered: number(&branches["covered"]),
        total: number(&branches["total"]),
        seconds: timeline.last().map_or(0.0, |(time, _)| time - loading),
        solver: summary["solver"].clone(),
        timeline,
        loading,
    })
}

fn timeline(path: &Path) -> Result<Vec<(f64, u64)>, String> {
    let rows = timeline_columns(path, &["time", "branches_covered"])?;
    let read = |row: &Vec<Option<f64>>| match row[..] {
        [Some(time), Some(covered)] => Ok((time, covered as u64)),
        _ => Err(format!("{} lacks a time or the branches that are covered", path.display())),
    };
    rows.iter().map(read).collect()
}

/// The given columns of a timeline; a column that it does not have is empty.
pub fn timeline_columns(path: &Path, columns: &[&str]) -> Result<Vec<Vec<Option<f64>>>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let places: Vec<Option<usize>> =
        columns.iter().map(|wanted| names.iter().position(|name| name == wanted)).collect();
    let read = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        places.iter().map(|place| fields.get((*place)?)?.parse().ok()).collect()
    };
    Ok(lines.map(read).collect())
}
