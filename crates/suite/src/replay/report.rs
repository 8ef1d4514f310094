//! The result of a replay, test by test.

use crate::coverage::{Counts, Coverage};
use std::fmt;

/// The result of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayReport {
    /// By test, in order.
    pub results: Vec<TestResult>,
    /// What the native runs covered.
    pub coverage: Coverage,
    /// How much of the user's code that is.
    pub counts: Counts,
    /// What a test could do because the kernel cannot prevent it, one clause each; empty if the sandbox is complete or
    /// not wanted.
    pub unconfined: Vec<&'static str>,
}

/// The result of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestResult {
    /// `000001`, or `bugs/000001`.
    pub name: String,
    /// Whether it did what was predicted.
    pub verdict: Verdict,
    /// How many branches it took natively.
    pub branches: u64,
    /// What it wrote to standard output; very long output is truncated.
    pub output: Vec<u8>,
    /// The same for standard error.
    pub errors: Vec<u8>,
}

/// Whether a test did what was predicted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It did.
    Ok {
        /// How it ended.
        end: String,
        /// What showed the bug, if there is one.
        evidence: Option<String>,
    },
    /// It took another side.
    Diverged {
        /// At which branch of the run, from 0.
        index: u64,
        /// The place of that branch.
        place: String,
        /// The predicted side.
        predicted: String,
        /// The side that was taken.
        took: String,
    },
    /// It took the same sides, but of other branches, or other cases of a switch that are alike in the log.
    OtherBranches,
    /// It ended before it had taken all branches that were predicted.
    Short {
        /// How many it took.
        branches: u64,
        /// How many were predicted.
        predicted: u64,
        /// How it ended.
        end: String,
        /// How it should have ended.
        expected: String,
    },
    /// It took the predicted branches but ended in another way.
    WrongEnd {
        /// How it should have ended.
        predicted: String,
        /// How it did.
        got: String,
    },
    /// The program asked for other input than the test has.
    Misfit(String),
    /// It takes other branches each time it is run, because the program depends on what no test can hold: usually, on
    /// where its memory is.
    Unsteady {
        /// The first branch that is not always the same.
        place: String,
    },
    /// It left the predicted path where the program compares the addresses of two objects, whose order is not that of
    /// the machine.
    OrderOfAddresses {
        /// The branch.
        place: String,
    },
}

impl Verdict {
    /// Whether the test did what was predicted.
    pub fn is_ok(&self) -> bool {
        matches!(self, Verdict::Ok { .. })
    }

    /// What happened, or what showed the bug, in a few words.
    pub fn what_happened(&self) -> String {
        match self {
            Verdict::Ok { end, evidence } => evidence.as_ref().unwrap_or(end).clone(),
            Verdict::Diverged { place, .. } => format!("it left the predicted path at {place}"),
            Verdict::OtherBranches => "it left the predicted path".into(),
            Verdict::Short { end, .. } => format!("{end}, before it got there"),
            Verdict::WrongEnd { got, .. } => got.clone(),
            Verdict::Misfit(message) => message.clone(),
            Verdict::Unsteady { place } => format!("it is not always the same at {place}"),
            Verdict::OrderOfAddresses { place } => format!("the order of addresses decides at {place}"),
        }
    }
}

impl ReplayReport {
    /// How many tests did what was predicted.
    pub fn passed(&self) -> usize {
        self.results.iter().filter(|result| result.verdict.is_ok()).count()
    }

    /// How many tests take other branches each time they are run.
    pub fn unsteady(&self) -> usize {
        self.results.iter().filter(|result| matches!(result.verdict, Verdict::Unsteady { .. })).count()
    }

    /// How many tests left the predicted path where two addresses were compared.
    pub fn by_address(&self) -> usize {
        self.results.iter().filter(|result| matches!(result.verdict, Verdict::OrderOfAddresses { .. })).count()
    }

    /// Whether all tests did what was predicted.
    pub fn all_passed(&self) -> bool {
        self.passed() == self.results.len()
    }
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for result in &self.results {
            writeln!(f, "{result}")?;
        }
        let (passed, all) = (self.passed(), self.results.len());
        write!(f, "{all} {}: ", if all == 1 { "test" } else { "tests" })?;
        match all - passed {
            0 => writeln!(f, "all as predicted")?,
            failed => writeln!(f, "{passed} as predicted, {failed} not")?,
        }
        let Counts { branches, lines, .. } = self.counts;
        write!(f, "native coverage: {}, {}", branches.of("branches"), lines.of("lines"))
    }
}

impl fmt::Display for TestResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.verdict)?;
        match (&self.verdict, self.branches) {
            (Verdict::Ok { .. }, 1) => write!(f, ", 1 branch"),
            (Verdict::Ok { .. }, branches) => write!(f, ", {branches} branches"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Ok { end, evidence: None } => write!(f, "ok {end}"),
            Verdict::Ok { end, evidence: Some(evidence) } => write!(f, "ok {end} ({evidence})"),
            Verdict::Diverged { index, place, predicted, took } => {
                write!(f, "DIVERGED at {place}: predicted {predicted}, took {took} (branch {})", index + 1)
            }
            Verdict::OtherBranches => {
                write!(f, "DIVERGED: the sides are as predicted, but of other branches or cases")
            }
            Verdict::Short { branches, predicted, end, expected } => {
                write!(f, "WRONG END: predicted {expected} after {predicted} branches, got {end} after {branches}")
            }
            Verdict::WrongEnd { predicted, got } => write!(f, "WRONG END: predicted {predicted}, got {got}"),
            Verdict::Misfit(message) => write!(f, "MISFIT: {message}"),
            Verdict::Unsteady { place } => write!(f, "UNSTEADY at {place}: each run takes other branches"),
            Verdict::OrderOfAddresses { place } => {
                write!(f, "ADDRESSES at {place}: which of two objects comes first in memory decides")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Ratio;

    #[test]
    fn text() {
        let result = |name: &str, verdict, branches| TestResult {
            name: name.into(),
            verdict,
            branches,
            output: vec![],
            errors: vec![],
        };
        let ok = |end: &str| Verdict::Ok { end: end.into(), evidence: None };
        let mut report = ReplayReport {
            results: vec![result("000001", ok("exit 0"), 17), result("000002", ok("exit 1"), 1)],
            coverage: Coverage::default(),
            counts: Counts { branches: Ratio { covered: 1, total: 3 }, ..Counts::default() },
            unconfined: Vec::new(),
        };
        let expected = "000001 ok exit 0, 17 branches\n000002 ok exit 1, 1 branch\n2 tests: all as predicted\n\
                        native coverage: 1/3 branches (33.3%), 0/0 lines (100.0%)";
        assert_eq!(report.to_string(), expected);
        assert!(report.all_passed());
        report.results.push(result("bugs/000001", Verdict::Misfit("no object is left".into()), 2));
        assert!(report.to_string().contains("bugs/000001 MISFIT: no object is left\n3 tests: 2 as predicted, 1 not\n"));
    }
}
