//! `functions.json`: the result for each function when all functions of a program are tested one by one.

use crate::claim::Claim;
use crate::coverage::Ratio;
use crate::files;
use crate::out_dir::OutError;
use crate::summary::{BugEntry, Verdict};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "functions.json";
/// The name of the schema.
pub const SCHEMA: &str = "secateur-functions";
/// Its version.
pub const VERSION: u32 = 1;

/// All functions. `Display` prints the table that users see.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Functions {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The version of the schema.
    pub version: u32,
    /// The files that were given.
    pub program: Vec<String>,
    /// "finished" or "interrupted".
    pub stopped: String,
    /// The functions, in the order of the program.
    #[serde(rename = "functions")]
    pub rows: Vec<FunctionRow>,
    /// The functions that were not tried because the run was interrupted.
    pub untested: Vec<String>,
}

/// The result for one function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FunctionRow {
    /// Its name, and that of the folder with its results.
    pub function: String,
    /// How long it took, in seconds. Not in the file, which is the same for every run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The result.
    #[serde(flatten)]
    pub outcome: FunctionResult,
}

/// The result for one function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum FunctionResult {
    /// It was explored.
    Tested {
        /// Why the run stopped, as in `summary.json`.
        stopped: String,
        /// How many paths ran to an end.
        paths: u64,
        /// How many tests were written.
        tests: u64,
        /// The outcomes of the branches of this function.
        branches: Ratio,
        /// The bugs that were found.
        bugs: Vec<BugEntry>,
        /// The answer of `secateur verify`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
    },
    /// It cannot be tested by itself.
    Unsupported {
        /// Which parameter, and why.
        reason: String,
    },
}

/// Whether a folder holds an output folder per function, and no tests of its own.
pub fn is_outer(folder: &Path) -> bool {
    folder.join(FILE).exists()
}

/// The functions of a folder that have tests, each with its output folder.
pub fn tested(folder: &Path) -> Result<Vec<(String, PathBuf)>, OutError> {
    let path = folder.join(FILE);
    let text = files::read_text(&path, files::MAX_SIZE)?;
    let functions: Functions =
        serde_json::from_str(&text).map_err(|error| OutError::Damaged { path, message: error.to_string() })?;
    let rows = functions.rows.into_iter();
    let tested = rows.filter(|row| matches!(row.outcome, FunctionResult::Tested { .. }) && is_name(&row.function));
    Ok(tested.map(|row| (row.function.clone(), folder.join(row.function))).collect())
}

/// The output folders of the functions of an earlier run in this folder.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    tested(folder).unwrap_or_default().into_iter().map(|(_, folder)| folder).collect()
}

/// Names must be single path components, since the file may have been tampered with.
fn is_name(function: &str) -> bool {
    !function.is_empty() && !function.contains('/') && function != ".."
}

impl Functions {
    /// Creates the folder that will hold one output folder per function; it belongs to the holder of the claim.
    pub fn create(folder: &Path, program: Vec<String>) -> Result<(Functions, Claim), OutError> {
        let claim = Claim::take(folder)?;
        claim.commit()?;
        let functions = Functions {
            schema: SCHEMA.into(),
            version: VERSION,
            program,
            stopped: "finished".into(),
            rows: Vec::new(),
            untested: Vec::new(),
        };
        Ok((functions, claim))
    }

    /// Writes the file into the folder.
    pub fn write(&self, folder: &Path) -> Result<(), OutError> {
        let mut functions = self.clone();
        functions.rows.iter_mut().for_each(|row| row.time = None);
        files::write_atomically(&folder.join(FILE), functions.to_json().as_bytes())
    }

    /// All functions as JSON, with the times that are known.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        text
    }

    /// The verdict on all functions together: one that cannot be tested by itself, or was not tried, is not verified.
    pub fn verdict(&self) -> Verdict {
        let verdict_of = |row: &FunctionRow| match &row.outcome {
            FunctionResult::Tested { verdict, .. } => verdict.unwrap_or(Verdict::Unknown),
            FunctionResult::Unsupported { .. } => Verdict::Unknown,
        };
        let verdicts: Vec<Verdict> = self.rows.iter().map(verdict_of).collect();
        if verdicts.contains(&Verdict::Bug) {
            Verdict::Bug
        } else if verdicts.contains(&Verdict::Unknown) || !self.untested.is_empty() {
            Verdict::Unknown
        } else {
            Verdict::Verified
        }
    }

    /// Whether any function has a bug that needs no precondition.
    pub fn has_bug(&self) -> bool {
        self.rows.iter().any(|row| match &row.outcome {
            FunctionResult::Tested { bugs, .. } => bugs.iter().any(|bug| bug.needs.is_empty()),
            FunctionResult::Unsupported { .. } => false,
        })
    }
}

impl std::fmt::Display for Functions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = self.rows.iter().map(|row| row.function.len()).max().unwrap_or(0).max("function".len());
        writeln!(
            f,
            "{:<width$}  {:>7}  {:>6}  {:>14}  {:>5}  {:>8}",
            "function", "paths", "tests", "branches", "bugs", "time"
        )?;
        for row in &self.rows {
            write!(f, "{:<width$}  ", row.function)?;
            match &row.outcome {
                FunctionResult::Tested { stopped, paths, tests, branches, bugs, verdict } => {
                    let covered = format!("{}/{} {:>4.0}%", branches.covered, branches.total, branches.percent());
                    let mut note = verdict.map_or_else(String::new, |verdict| format!("  {verdict}"));
                    if stopped != "finished" {
                        note.push_str(&format!("  {stopped}"));
                    }
                    let in_any_case = bugs.iter().filter(|bug| bug.needs.is_empty()).count();
                    match bugs.len() - in_any_case {
                        0 => {}
                        1 => note.push_str("  1 needs a precondition"),
                        more => note.push_str(&format!("  {more} need a precondition")),
                    }
                    writeln!(
                        f,
                        "{paths:>7}  {tests:>6}  {covered:>14}  {:>5}  {:>6.2} s{note}",
                        in_any_case,
                        row.time.unwrap_or_default()
                    )?;
                }
                FunctionResult::Unsupported { reason } => writeln!(f, "not tested: {reason}")?,
            }
        }
        if !self.untested.is_empty() {
            writeln!(f, "{}: {} not tried: {}", self.stopped, self.untested.len(), self.untested.join(", "))?;
        }
        for row in &self.rows {
            let FunctionResult::Tested { bugs, .. } = &row.outcome else { continue };
            for bug in bugs {
                let name = &row.function;
                let (test, remark) = (&bug.test, bug.remark());
                writeln!(f, "{}:{}: {}: {} ({name}/{test}, {remark})", bug.file, bug.line, bug.kind, bug.message)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_function() {
        let tested = FunctionResult::Tested {
            stopped: "time limit".into(),
            paths: 12,
            tests: 3,
            branches: Ratio { covered: 7, total: 8 },
            bugs: Vec::new(),
            verdict: None,
        };
        let refused = FunctionResult::Unsupported { reason: "it takes variable arguments".into() };
        let row = |function: &str, outcome| FunctionRow { function: function.into(), time: Some(0.25), outcome };
        let functions = Functions {
            schema: SCHEMA.into(),
            version: VERSION,
            program: vec!["a.c".into()],
            stopped: "finished".into(),
            rows: vec![row("parse", tested), row("log", refused)],
            untested: Vec::new(),
        };
        let expected = "function    paths   tests        branches   bugs      time\n\
                        parse          12       3       7/8   88%      0    0.25 s  time limit\n\
                        log       not tested: it takes variable arguments\n";
        assert_eq!(functions.to_string(), expected);
        assert_eq!(serde_json::from_str::<Functions>(&functions.to_json()).unwrap(), functions);
        assert!(!functions.has_bug());
    }

    #[test]
    fn the_worst_verdict_counts() {
        let tested = |verdict| FunctionResult::Tested {
            stopped: "finished".into(),
            paths: 1,
            tests: 0,
            branches: Ratio::default(),
            bugs: Vec::new(),
            verdict: Some(verdict),
        };
        let refused = FunctionResult::Unsupported { reason: "it takes variable arguments".into() };
        let of = |outcomes: &[FunctionResult], untested: &[&str]| {
            let row =
                |outcome: &FunctionResult| FunctionRow { function: "f".into(), time: None, outcome: outcome.clone() };
            let functions = Functions {
                schema: SCHEMA.into(),
                version: VERSION,
                program: Vec::new(),
                stopped: "finished".into(),
                rows: outcomes.iter().map(row).collect(),
                untested: untested.iter().map(ToString::to_string).collect(),
            };
            functions.verdict()
        };
        let (verified, unknown, bug) = (tested(Verdict::Verified), tested(Verdict::Unknown), tested(Verdict::Bug));
        assert_eq!(of(&[verified.clone(), verified.clone()], &[]), Verdict::Verified);
        assert_eq!(of(std::slice::from_ref(&verified), &["g"]), Verdict::Unknown);
        assert_eq!(of(&[verified.clone(), unknown.clone()], &[]), Verdict::Unknown);
        assert_eq!(of(&[verified, refused.clone()], &[]), Verdict::Unknown);
        assert_eq!(of(&[unknown, bug, refused], &["g"]), Verdict::Bug);
    }
}
