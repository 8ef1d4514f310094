//! `reach.json`: the answers of `secateur reach`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::summary::Reason;

/// The name of the file in the output folder.
pub const REACH: &str = "reach.json";

const SCHEMA: &str = "secateur-reach";
const VERSION: u32 = 1;

/// The content of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReachReport {
    /// Always "secateur-reach".
    pub schema: String,
    /// The version of the schema.
    pub version: u32,
    /// The files of the program.
    pub program: Vec<String>,
    /// The options that influence the answers.
    pub options: BTreeMap<String, serde_json::Value>,
    /// What the answers are restricted to by the arguments, a sentence each.
    pub scope: Vec<String>,
    /// The answers, in the order in which the targets were given.
    pub targets: Vec<TargetAnswer>,
    /// Seconds, with compiling and loading.
    pub time: f64,
}

/// The answer for one target.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TargetAnswer {
    /// As it was given.
    pub target: String,
    /// Where it is in the source, `file:line` each.
    pub places: Vec<String>,
    /// The answer.
    pub verdict: ReachVerdict,
    /// What found it: "graph", "forward" or "backward"; empty if nothing did.
    pub way: String,
    /// The test that reaches it, such as "tests/000001.ktest".
    pub test: Option<String>,
    /// Whether the native program confirms that; `None` if it was not run.
    pub confirmed: Option<bool>,
    /// How many stretches of code between decisions were executed, forwards or backwards.
    pub segments: u64,
    /// How many backward steps were taken.
    pub steps: u64,
    /// How many conditions of the backward path that answered were deferred.
    pub deferred: u64,
    /// How many inputs were run to find values that were deferred.
    #[serde(default)]
    pub evaluations: u64,
    /// How many paths ended in the forward search.
    pub paths: u64,
    /// For what is unreachable: the conditions that contradict each other, and what the proof assumes.
    pub because: Vec<String>,
    /// For what is unknown: the obstacles.
    pub reasons: Vec<Reason>,
    /// For what was reached backwards: the path, from the target on.
    #[serde(default)]
    pub path: Vec<PathStep>,
    /// Seconds.
    pub time: f64,
}

/// A point of a backward path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathStep {
    /// `file:line`.
    pub place: String,
    /// What must hold there for the path to go on to the target, as far as it can be said in terms of variables.
    pub conditions: Vec<String>,
}

/// Whether a target can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReachVerdict {
    /// A test reaches it.
    Reached,
    /// No input does.
    Unreachable,
    /// Neither could be shown.
    Unknown,
}

impl fmt::Display for ReachVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReachVerdict::Reached => "reached",
            ReachVerdict::Unreachable => "unreachable",
            ReachVerdict::Unknown => "unknown",
        })
    }
}

impl Default for ReachReport {
    fn default() -> ReachReport {
        ReachReport {
            schema: SCHEMA.to_string(),
            version: VERSION,
            program: Vec::new(),
            options: BTreeMap::new(),
            scope: Vec::new(),
            targets: Vec::new(),
            time: 0.0,
        }
    }
}

impl TargetAnswer {
    /// Nothing is known about a target yet.
    pub fn unknown(target: &str, places: Vec<String>) -> TargetAnswer {
        TargetAnswer {
            target: target.to_string(),
            places,
            verdict: ReachVerdict::Unknown,
            way: String::new(),
            test: None,
            confirmed: None,
            segments: 0,
            steps: 0,
            deferred: 0,
            evaluations: 0,
            paths: 0,
            because: Vec::new(),
            reasons: Vec::new(),
            path: Vec::new(),
            time: 0.0,
        }
    }
}

impl ReachReport {
    /// All targets have this answer or one of the others.
    pub fn all(&self, verdicts: &[ReachVerdict]) -> bool {
        self.targets.iter().all(|target| verdicts.contains(&target.verdict))
    }

    /// The content of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        text
    }
}
