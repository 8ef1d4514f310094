//! `summary.json`: the result of a run, machine-readable. The schema is versioned; fields are only ever added.

use crate::bug::{Native, precondition};
use crate::coverage::Ratio;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The version of the schema.
    pub version: u32,
    /// The files that were given.
    pub program: Vec<String>,
    /// The options that were in force, by name.
    pub options: BTreeMap<String, serde_json::Value>,
    /// Why the run stopped: "finished", "time limit", "path limit", "memory limit", "interrupted" or "bug found".
    pub stopped: String,
    /// Every path was explored to its end: nothing is pending, and nothing was given up, pruned or stopped early.
    #[serde(default)]
    pub complete: bool,
    /// What paths gave up, so that they do not stand for everything that the program can do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<GivenUp>,
    /// What became of the seeds, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedSummary>,
    /// What native runs of mutated inputs have done, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeSummary>,
    /// What was learned with `--learn`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning: Option<LearningSummary>,
    /// Paths, by how they ended.
    pub paths: Paths,
    /// The answer of `secateur verify`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why the verdict is UNKNOWN, or why a run without one is not complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// What the verdict is restricted to, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scope: Vec<String>,
    /// How many tests were written.
    pub tests: u64,
    /// The bugs that were found, in the order in which they were found.
    pub bugs: Vec<BugEntry>,
    /// Why bugs could not be checked natively, if that was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_checked: Option<String>,
    /// How much of the user's code was covered.
    pub coverage: CoverageSummary,
    /// What the solver did.
    pub solver: SolverSummary,
    /// How long the run took, in seconds. Not in the file, which is the same for every run: `timeline.csv` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The most memory that was in use, in bytes. Not in the file, either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// How many instructions of the program were executed.
    pub instructions: u64,
    /// How many different expressions over the input were created.
    #[serde(default)]
    pub expressions: u64,
    /// The most nodes that the path trees of the workers have had, added up.
    #[serde(default)]
    pub tree_nodes: u64,
}

/// The answer of `secateur verify`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// No check that is on can fail.
    Verified,
    /// A check fails, on the native program, too.
    Bug,
    /// Neither could be shown.
    Unknown,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verdict::Verified => "VERIFIED",
            Verdict::Bug => "BUG",
            Verdict::Unknown => "UNKNOWN",
        })
    }
}

/// One reason why a verdict is UNKNOWN or a run is not complete.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reason {
    /// What kind of reason it is; docs/output.md lists them.
    pub what: String,
    /// An explanation for people.
    pub why: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The function; empty if unknown.
    pub function: String,
    /// How many paths it concerns.
    pub paths: u64,
}

/// Something that paths gave up at one place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GivenUp {
    /// What was given up, in a few words.
    pub why: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// How many paths did so.
    pub paths: u64,
}

/// What native runs of mutated inputs have done.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NativeSummary {
    /// How many inputs were run.
    pub runs: u64,
    /// How many crashed.
    pub crashes: u64,
    /// How many took too long or too much memory.
    pub hangs: u64,
    /// How many covered something new, or crashed, and became paths of their own.
    pub followed: u64,
    /// Why there was no native help, or not until the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The rounds of a run with `--learn`, and what it has learned.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LearningSummary {
    /// The rounds, in order.
    pub rounds: Vec<RoundSummary>,
    /// The features of which a weight is known, those with the highest weight first.
    pub features: Vec<LearnedFeatureSummary>,
    /// How often flips were compared and some of them dropped.
    pub passes: u64,
    /// How many flips were compared in all of these passes together.
    pub compared: u64,
    /// How many conditions were looked up to know the features of flips.
    pub lookups: u64,
    /// How long comparing took, in seconds. Not in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparing_time: Option<f64>,
}

/// One round.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RoundSummary {
    /// The order in which flips were tried.
    pub order: String,
    /// It had a tree of its own and dropped flips, or went on with the tree from which none is dropped.
    pub prunes: bool,
    /// Which share of the flips was dropped at a time.
    pub ratio: f64,
    /// Its length as part of the average length.
    pub length: f64,
    /// How many paths it had.
    pub paths: u64,
    /// How many branch outcomes it was the first to take.
    pub branches: u64,
    /// The same with the blocks.
    pub newly_covered: u64,
    /// How many features flips were compared by.
    pub features: u64,
    /// How many flips were dropped, those included that were left at its end.
    pub dropped: u64,
    /// Which share of the compared flips was kept.
    pub kept: f64,
    /// How many tests were enough to cover all that was covered by its end.
    pub useful_tests: u64,
}

/// A feature: a condition on the input.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LearnedFeatureSummary {
    /// The condition in words.
    pub text: String,
    /// The mean of the weights with which it has led to useful tests, from -1 to 1.
    pub weight: f64,
    /// Their deviation.
    pub deviation: f64,
    /// How many weights there were.
    pub uses: u64,
}

/// What became of the seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeedSummary {
    /// How many could be used.
    pub given: u64,
    /// How many were left after those that cover nothing more natively were left out.
    pub kept: u64,
    /// How many of them became paths; the others are on paths of other inputs.
    pub followed: u64,
}

/// Paths, by how they ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Paths {
    /// Ran to an end.
    pub completed: u64,
    /// Pruned, by pruner.
    pub pruned: BTreeMap<String, u64>,
    /// Found to be infeasible.
    pub infeasible: u64,
    /// Ended at something unsupported.
    pub unsupported: u64,
    /// Ended by an assumption of the harness.
    #[serde(default)]
    pub assumed: u64,
    /// Paths that ended because other paths account for everything that could follow.
    #[serde(default)]
    pub subsumed: u64,
    /// Ended where a check fails that is switched off.
    #[serde(default)]
    pub ignored: u64,
    /// Sides that were not tried because a check that is switched off fails there.
    #[serde(default)]
    pub ignored_sides: u64,
    /// Stopped at a limit for single paths.
    #[serde(default)]
    pub limited: u64,
    /// Not followed because the solver gave no answer.
    #[serde(default)]
    pub unknown: u64,
    /// Not tried when the run stopped.
    #[serde(default)]
    pub pending: u64,
}

/// A bug.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BugEntry {
    /// The name of the check.
    pub kind: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// One sentence.
    pub message: String,
    /// The pointers that only have to be other than null for it not to happen, if a function is tested by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// The test that shows it, relative to the output folder.
    pub test: String,
    /// Whether the native program confirms it.
    #[serde(flatten)]
    pub native: Native,
}

impl BugEntry {
    /// What is added to the message for users: what it needs, and whether the native program confirms it.
    pub fn remark(&self) -> String {
        let needs = precondition(&self.needs);
        if needs.is_empty() { self.native.to_string() } else { format!("{needs}; {}", self.native) }
    }
}

/// How much of the user's code was covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoverageSummary {
    /// Branch outcomes.
    pub branches: Ratio,
    /// Branch outcomes of the functions that can run at all, going by the calls and the addresses in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reachable: Option<Ratio>,
    /// Source lines.
    pub lines: Ratio,
    /// Branch outcomes of the function that `--entry` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Ratio>,
}

/// What the solver did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SolverSummary {
    /// How many questions were asked.
    pub queries: u64,
    /// How many each rung of the ladder answered.
    pub answered: BTreeMap<String, u64>,
    /// How many sides the conditions of their path refute without a question.
    #[serde(default)]
    pub refuted_by_path: u64,
    /// Models that were found wrong when they were evaluated, although the rung was certain of them. Each is a fault of
    /// ours that did no harm: the question climbed on.
    #[serde(default)]
    pub wrong_models: u64,
    /// How long answering took, in seconds. Not in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// What each rung did, in the order of the ladder.
    #[serde(default)]
    pub rungs: Vec<RungSummary>,
}

/// What one rung of the solver's ladder did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RungSummary {
    /// Its name.
    pub name: String,
    /// How many questions reached it.
    pub asked: u64,
    /// How many of them it answered.
    pub answered: u64,
    /// How long it took for all questions, in seconds. Not in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
}

/// The name of the schema.
pub const SCHEMA: &str = "secateur-summary";
/// Its version.
pub const VERSION: u32 = 1;

impl Default for Summary {
    fn default() -> Summary {
        Summary {
            schema: SCHEMA.into(),
            version: VERSION,
            program: Vec::new(),
            options: BTreeMap::new(),
            stopped: String::new(),
            complete: false,
            given_up: Vec::new(),
            seeds: None,
            native: None,
            learning: None,
            paths: Paths::default(),
            verdict: None,
            reasons: Vec::new(),
            scope: Vec::new(),
            tests: 0,
            bugs: Vec::new(),
            not_checked: None,
            coverage: CoverageSummary::default(),
            solver: SolverSummary::default(),
            time: None,
            peak_memory: None,
            instructions: 0,
            expressions: 0,
            tree_nodes: 0,
        }
    }
}

impl Summary {
    /// The summary without measurements, which differ from run to run.
    pub(crate) fn without_measurements(&self) -> Summary {
        let mut summary = Summary { time: None, peak_memory: None, ..self.clone() };
        summary.solver.time = None;
        summary.solver.rungs.iter_mut().for_each(|rung| rung.time = None);
        summary.learning.iter_mut().for_each(|learning| learning.comparing_time = None);
        summary
    }

    /// The summary as JSON, with the measurements if it has them.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        text
    }

    /// Parses the content of the file, or says why it is not one of ours.
    pub fn from_json(text: &str) -> Result<Summary, String> {
        let summary: Summary = serde_json::from_str(text).map_err(|error| format!("not a summary ({error})"))?;
        if summary.schema != SCHEMA || summary.version != VERSION {
            return Err(format!("unknown schema `{}` version {}", summary.schema, summary.version));
        }
        Ok(summary)
    }
}

impl From<&crate::BugReport> for BugEntry {
    fn from(bug: &crate::BugReport) -> BugEntry {
        BugEntry {
            kind: bug.kind.clone(),
            file: bug.file.clone(),
            line: bug.line,
            message: bug.message.clone(),
            needs: bug.needs.clone(),
            test: bug.test.clone(),
            native: bug.native.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_documented_fields() {
        let summary = Summary::default();
        let json: serde_json::Value = serde_json::from_str(&summary.to_json()).unwrap();
        let mut fields: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        let documented = [
            "bugs",
            "complete",
            "coverage",
            "expressions",
            "instructions",
            "options",
            "paths",
            "program",
            "schema",
            "solver",
            "stopped",
            "tests",
            "tree_nodes",
            "version",
        ];
        assert_eq!(fields, documented);
        assert_eq!(Summary::from_json(&summary.to_json()), Ok(summary));
    }

    #[test]
    fn measurements_can_be_left_out() {
        let rungs = vec![RungSummary { time: Some(1.0), ..RungSummary::default() }];
        let solver = SolverSummary { time: Some(1.0), rungs, ..SolverSummary::default() };
        let measured = Summary { time: Some(2.0), peak_memory: Some(3), solver, ..Summary::default() };
        assert!(measured.to_json().contains("\"time\": 2.0"));
        let without = measured.without_measurements().to_json();
        assert!(!without.contains("time") && !without.contains("peak_memory"), "{without}");
    }

    #[test]
    fn foreign_files_are_refused() {
        assert!(Summary::from_json("{}").is_err());
        let other = Summary { schema: "x".into(), ..Summary::default() };
        assert!(Summary::from_json(&other.to_json()).unwrap_err().contains("`x` version 1"));
    }
}
