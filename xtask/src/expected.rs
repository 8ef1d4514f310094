//! The result that a run must have for its figures to count: anything else is an error of the benchmark.

use std::process::Output;

use serde_json::Value;

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Every path is explored.
    Complete { paths: u64, bugs: usize },
    /// It stops after this number of paths.
    PathLimit { paths: u64 },
    /// Every path is explored if there are at most this many; otherwise it stops after that number.
    AtMost { paths: u64 },
    /// It stops when time is up, or when every path is explored.
    TimeLimit,
    /// It ends by itself, but may have pruned paths.
    Finished,
}

impl Expected {
    /// Parses the summary that a run printed; the error says how it deviates.
    pub fn check(self, output: &Output) -> Result<Value, String> {
        let summary: Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| format!("no summary, but: {}", String::from_utf8_lossy(&output.stderr)))?;
        let paths = summary["paths"]["completed"].as_u64().unwrap_or(0);
        let bugs = summary["bugs"].as_array().map_or(0, Vec::len);
        let stopped = summary["stopped"].as_str().unwrap_or_default();
        let exit = if bugs == 0 { 0 } else { 10 };
        if output.status.code() != Some(exit) {
            return Err(format!("{} instead of exit code {exit}", output.status));
        }
        let complete = summary["complete"] == true;
        let holds = match self {
            Expected::Complete { paths: all, bugs: known } => complete && paths == all && bugs == known,
            Expected::PathLimit { paths: most } => stopped == "path limit" && paths == most,
            Expected::AtMost { paths: most } => paths == most || (paths < most && stopped == "finished"),
            Expected::TimeLimit => ["time limit", "finished"].contains(&stopped),
            Expected::Finished => stopped == "finished",
        };
        if holds {
            Ok(summary)
        } else {
            Err(format!("{self:?} expected, but: {stopped}, complete: {complete}, {paths} paths, {bugs} bugs"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn output(exit: i32, stopped: &str, paths: u64, bugs: usize) -> Output {
        let summary = json!({
            "stopped": stopped,
            "complete": stopped == "finished",
            "paths": { "completed": paths },
            "bugs": vec![json!({}); bugs],
        });
        Output { status: ExitStatus::from_raw(exit << 8), stdout: summary.to_string().into_bytes(), stderr: Vec::new() }
    }

    #[test]
    fn every_deviation_is_an_error() {
        let complete = Expected::Complete { paths: 7, bugs: 1 };
        assert!(complete.check(&output(10, "finished", 7, 1)).is_ok());
        assert!(complete.check(&output(0, "finished", 7, 1)).is_err());
        assert!(complete.check(&output(2, "finished", 7, 1)).is_err());
        assert!(complete.check(&output(10, "finished", 8, 1)).is_err());
        assert!(complete.check(&output(0, "finished", 7, 0)).is_err());
        assert!(complete.check(&output(10, "time limit", 7, 1)).is_err());
        let limit = Expected::PathLimit { paths: 7 };
        assert!(limit.check(&output(0, "path limit", 7, 0)).is_ok());
        assert!(limit.check(&output(0, "finished", 7, 0)).is_err());
        assert!(limit.check(&output(0, "path limit", 6, 0)).is_err());
        let most = Expected::AtMost { paths: 7 };
        assert!(most.check(&output(0, "finished", 5, 0)).is_ok());
        assert!(most.check(&output(0, "memory limit", 5, 0)).is_err());
        assert!(Expected::TimeLimit.check(&output(0, "memory limit", 5, 0)).is_err());
        assert!(Expected::Finished.check(&output(0, "path limit", 5, 0)).is_err());
    }
}
