//! What the engine predicts for a test: the branches taken and the end. It is a line of `expected.jsonl` beside the
//! tests.

use crate::test_case::{Shape, TestCase};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many branches are logged one by one; the hash covers the rest.
pub const LOG_BRANCHES: u64 = 65536;

/// What a test should do on the natively compiled program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Prediction {
    /// How the run ends.
    pub end: Expected,
    /// How many branches of the user's code it takes.
    pub branches: u64,
    /// Hash of the branches and their outcomes, see [`Trace`].
    pub hash: u64,
    /// The lowest bit of the outcome of each of the first [`LOG_BRANCHES`] branches; bit `i % 8` of byte `i / 8`.
    pub log: Vec<u8>,
}

/// How a run should end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// `main` returns or the program calls `exit`.
    Exit(i32),
    /// A check fails.
    Bug {
        /// The name of the check, e.g. "out-of-bounds-read".
        kind: String,
        /// The source file of the innermost frame in the user's code; empty if unknown.
        file: String,
        /// Its line; 0 if unknown.
        line: u32,
        /// One sentence for the user.
        message: String,
    },
    /// An assumption of the harness does not hold.
    Assumed,
    /// A check of this kind fails here but was switched off, so that the rest of the run is unknown.
    Ignored {
        /// The kind of bug.
        what: String,
    },
    /// The engine could not continue here, but the program can.
    Unsupported {
        /// The construct.
        what: String,
    },
    /// The engine stopped here because of a limit on the path.
    Limit {
        /// The limit.
        what: String,
    },
}

/// The record of branches of one run; the replay library keeps the same.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    branches: u64,
    hash: u64,
    log: Vec<u8>,
}

impl Trace {
    /// Records that the branch with this native number had this outcome.
    #[inline]
    pub fn record(&mut self, native: u32, outcome: u32) {
        if self.branches < LOG_BRANCHES {
            let bit = (self.branches % 8) as u32;
            if bit == 0 {
                self.log.push(0);
            }
            if let Some(last) = self.log.last_mut() {
                *last |= ((outcome & 1) as u8) << bit;
            }
        }
        let x = (u64::from(native) << 32 | u64::from(outcome)).wrapping_add(1);
        let hash = (self.hash ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.hash = hash ^ (hash >> 32);
        self.branches += 1;
    }

    /// Hash of the branches recorded so far, in order.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The prediction for a run with these branches that ends like this.
    pub fn ends(self, end: Expected) -> Prediction {
        Prediction { end, branches: self.branches, hash: self.hash, log: self.log }
    }
}

impl Prediction {
    /// The logged bit of branch number `index` of the run, if it was logged.
    pub fn bit(&self, index: u64) -> Option<bool> {
        if index >= self.branches.min(LOG_BRANCHES) {
            return None;
        }
        let byte = self.log.get((index / 8) as usize)?;
        Some(byte >> (index % 8) & 1 == 1)
    }

    /// The line for a test of this number.
    pub fn to_line(&self, number: u64, test: &TestCase) -> String {
        let line = ExpectLine {
            version: VERSION,
            test: number,
            end: self.end.clone(),
            branches: self.branches,
            hash: format!("{:016x}", self.hash),
            log: to_hex(&self.log),
            inputs: test.shape(),
        };
        let mut text = serde_json::to_string(&line).expect("strings and numbers can always be written as JSON");
        text.push('\n');
        text
    }

    /// Reads a line: the number of the test, the prediction and the shape of the test.
    pub fn from_line(text: &str) -> Result<(u64, Prediction, Shape), ExpectError> {
        let line: ExpectLine = serde_json::from_str(text).map_err(|error| ExpectError::Json(error.to_string()))?;
        if line.version != VERSION {
            return Err(ExpectError::Version(line.version));
        }
        let hash = u64::from_str_radix(&line.hash, 16).map_err(|_| ExpectError::Field("hash"))?;
        let log = from_hex(&line.log).ok_or(ExpectError::Field("log"))?;
        if (log.len() as u64) < line.branches.min(LOG_BRANCHES).div_ceil(8) {
            return Err(ExpectError::Field("log"));
        }
        Ok((line.test, Prediction { end: line.end, branches: line.branches, hash, log }, line.inputs))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Exit(code) => write!(f, "exit {}", code & 0xff),
            Expected::Bug { kind, file, line, .. } if *line > 0 => write!(f, "{kind} at {file}:{line}"),
            Expected::Bug { kind, .. } => write!(f, "{kind}"),
            Expected::Assumed => write!(f, "ended by an assumption"),
            Expected::Ignored { what } => write!(f, "ignored ({what})"),
            Expected::Unsupported { what } => write!(f, "unsupported ({what})"),
            Expected::Limit { what } => write!(f, "limit ({what})"),
        }
    }
}

/// What is wrong with a prediction.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExpectError {
    /// It is not JSON of the right form.
    #[error("not a prediction ({0})")]
    Json(String),
    /// It was written by another version of Secateur.
    #[error("unknown version {0}")]
    Version(u32),
    /// A field has a value that makes no sense.
    #[error("bad value of `{0}`")]
    Field(&'static str),
}

const VERSION: u32 = 3;

/// The hash is text because a JSON number cannot hold 64 bits everywhere; the log is hexadecimal to stay on one line.
#[derive(Serialize, Deserialize)]
struct ExpectLine {
    test: u64,
    version: u32,
    end: Expected,
    branches: u64,
    hash: String,
    log: String,
    inputs: Shape,
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn trace_follows_the_definition_of_the_replay_library() {
        let mut trace = Trace::default();
        trace.record(3, 1);
        let x: u64 = (3 << 32 | 1) + 1;
        let h = x.wrapping_mul(0x9E3779B97F4A7C15);
        assert_eq!(trace.hash, h ^ h >> 32);
        trace.record(4, 0);
        trace.record(4, 3);
        let prediction = trace.ends(Expected::Exit(0));
        assert_eq!((prediction.branches, &prediction.log[..]), (3, &[0b101][..]));
        assert_eq!([0, 1, 2, 3].map(|i| prediction.bit(i)), [Some(true), Some(false), Some(true), None]);
    }

    #[test]
    fn log_is_bounded() {
        let mut trace = Trace::default();
        for _ in 0..LOG_BRANCHES + 100 {
            trace.record(1, 1);
        }
        let prediction = trace.ends(Expected::Assumed);
        assert_eq!(prediction.log.len(), 8192);
        assert_eq!(prediction.branches, LOG_BRANCHES + 100);
        assert_eq!(prediction.bit(LOG_BRANCHES), None);
    }

    fn any_end() -> impl Strategy<Value = Expected> {
        prop_oneof![
            any::<i32>().prop_map(Expected::Exit),
            Just(Expected::Assumed),
            ".*".prop_map(|what| Expected::Unsupported { what }),
            ".*".prop_map(|what| Expected::Limit { what }),
            ".*".prop_map(|what| Expected::Ignored { what }),
            (".*", ".*", any::<u32>(), ".*").prop_map(|(kind, file, line, message)| Expected::Bug {
                kind,
                file,
                line,
                message
            }),
        ]
    }

    proptest! {
        #[test]
        fn json_round_trip(end in any_end(), branches in proptest::collection::vec((any::<u32>(), 0..4u32), 0..200),
                           test in crate::test_case::tests::any_test_case()) {
            let mut trace = Trace::default();
            for (number, outcome) in branches {
                trace.record(number, outcome);
            }
            let prediction = trace.ends(end);
            let line = prediction.to_line(7, &test);
            prop_assert!(line.ends_with('\n') && line.lines().count() == 1);
            let (number, read, shape) = Prediction::from_line(&line).unwrap();
            prop_assert_eq!(number, 7);
            prop_assert_eq!(read, prediction);
            prop_assert_eq!(shape, test.shape());
        }

        #[test]
        fn garbage_is_an_error(text in ".*") {
            prop_assert!(Prediction::from_line(&text).is_err());
        }

        #[test]
        fn mutations_never_panic(end in any_end(), test in crate::test_case::tests::any_test_case(),
                                 at in any::<prop::sample::Index>(), piece in "[ -~]{0,3}", cut in any::<prop::sample::Index>()) {
            let mut trace = Trace::default();
            (0..20).for_each(|number| trace.record(number, number % 3));
            let text: Vec<char> = trace.ends(end).to_line(1, &test).chars().collect();
            let (at, cut) = (at.index(text.len()), cut.index(text.len() - 1));
            let mutant: String = text[..at].iter().copied().chain(piece.chars()).chain(text[at + 1..].iter().copied()).collect();
            if let Ok((_, prediction, _)) = Prediction::from_line(&mutant) {
                // Whatever can be read can also be used.
                let _ = (prediction.bit(0), prediction.bit(u64::MAX), prediction.end.to_string());
            }
            prop_assert!(Prediction::from_line(&text[..cut].iter().collect::<String>()).is_err());
        }
    }

    #[test]
    fn short_log_and_foreign_version_are_refused() {
        let good =
            Trace { branches: 1, hash: 1, log: vec![1] }.ends(Expected::Exit(0)).to_line(1, &TestCase::default());
        assert!(Prediction::from_line(&good).is_ok());
        let short = good.replace("\"branches\":1", "\"branches\":9");
        assert_eq!(Prediction::from_line(&short), Err(ExpectError::Field("log")));
        let foreign = good.replace("\"version\":3", "\"version\":9");
        assert_eq!(Prediction::from_line(&foreign), Err(ExpectError::Version(9)));
    }
}
