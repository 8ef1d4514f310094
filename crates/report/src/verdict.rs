//! What is known about one side of a branch, and why no more is known.

use secateur_suite::sides::Attempts;
use secateur_suite::summary::Summary;
use serde::Serialize;

/// What is known about a side.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    status: Status,
    /// An explanation in one sentence.
    why: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// Some path took it.
    Covered,
    /// Every path was explored, and none takes it.
    Infeasible,
    /// It was still pending.
    Pending,
    /// The solver gave no answer.
    GaveUp,
    /// A pruner dropped it, or what leads to it.
    Pruned,
    /// A limit ended what might have led to it.
    Limit,
    /// Something unsupported ended what might have led to it.
    Unsupported,
}

/// The verdict on a side, from the attempts at it and the end of the whole run.
pub(crate) fn verdict(covered: bool, attempts: Option<&Attempts>, summary: &Summary) -> Verdict {
    let nothing = Attempts::default();
    let attempts = attempts.unwrap_or(&nothing);
    let (status, mut why) = if covered {
        return Verdict { status: Status::Covered, why: "covered".into() };
    } else if summary.complete {
        let pruned = summary.paths.pruned.values().any(|paths| *paths > 0);
        let how = if pruned { "explored, or shown to add no coverage" } else { "explored" };
        (Status::Infeasible, format!("infeasible: every path was {how}, and none comes here"))
    } else if attempts.pending > 0 {
        (
            Status::Pending,
            format!("unknown: {} pending when the run stopped ({})", were(attempts.pending), summary.stopped),
        )
    } else if attempts.unknown > 0 {
        (Status::GaveUp, format!("unknown: the solver gave up on {}", tries(attempts.unknown)))
    } else if !attempts.pruned.is_empty() {
        let pruners: Vec<String> = attempts.pruned.iter().map(|(name, paths)| format!("{} ({paths})", name)).collect();
        (Status::Pruned, format!("unknown: pruned by {}", pruners.join(", ")))
    } else {
        elsewhere(attempts, summary)
    };
    if attempts.infeasible > 0 {
        why.push_str(&format!("; {} proved impossible", were(attempts.infeasible)));
    }
    Verdict { status, why }
}

/// Nothing is open here, but something open elsewhere may lead here.
fn elsewhere(attempts: &Attempts, summary: &Summary) -> (Status, String) {
    let paths = &summary.paths;
    let pruned: Vec<&str> = paths.pruned.iter().filter(|(_, count)| **count > 0).map(|(name, _)| &name[..]).collect();
    let (status, reason) = if paths.unsupported > 0 {
        (Status::Unsupported, "some paths ended at something unsupported".to_string())
    } else if summary.stopped != "finished" {
        (Status::Limit, format!("the run stopped before all was tried ({})", summary.stopped))
    } else if paths.limited > 0 {
        (Status::Limit, "some paths were stopped at a limit for single paths".to_string())
    } else if paths.unknown > 0 {
        (Status::GaveUp, "the solver gave up on sides of other branches".to_string())
    } else if !pruned.is_empty() {
        (Status::Pruned, format!("paths were pruned by {}", pruned.join(", ")))
    } else if attempts.lost > 0 {
        (Status::Limit, format!("{} lost, which is a fault of Secateur", were(attempts.lost)))
    } else {
        (Status::Limit, "some values were not tried".to_string())
    };
    (status, format!("unknown: {reason}"))
}

fn tries(number: u64) -> String {
    if number == 1 { "one try".into() } else { format!("{number} tries") }
}

fn were(number: u64) -> String {
    if number == 1 { "one try was".into() } else { format!("{number} tries were") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_suite::summary::Paths;

    fn stopped(reason: &str, paths: Paths) -> Summary {
        Summary { stopped: reason.into(), paths, ..Summary::default() }
    }

    fn complete() -> Summary {
        Summary { complete: true, ..stopped("finished", Paths::default()) }
    }

    #[track_caller]
    fn check(attempts: Attempts, summary: &Summary, expected: Status, part: &str) {
        let verdict = verdict(false, Some(&attempts), summary);
        assert_eq!(verdict.status, expected, "{}", verdict.why);
        assert!(verdict.why.contains(part), "{}", verdict.why);
    }

    #[test]
    fn a_covered_side_needs_no_reason() {
        assert_eq!(verdict(true, None, &complete()).status, Status::Covered);
    }

    #[test]
    fn only_a_complete_run_proves_infeasibility() {
        let refuted = Attempts { infeasible: 3, ..Attempts::default() };
        check(refuted.clone(), &complete(), Status::Infeasible, "3 tries were proved impossible");
        check(refuted, &stopped("time limit", Paths::default()), Status::Limit, "time limit");
        let pruned = || Paths { pruned: [("lookahead".to_string(), 1)].into(), ..Paths::default() };
        check(Attempts::default(), &stopped("finished", pruned()), Status::Pruned, "lookahead");
        // A run stays complete if what was pruned could add nothing.
        let harmless = Summary { paths: pruned(), ..complete() };
        check(Attempts::default(), &harmless, Status::Infeasible, "shown to add no coverage");
    }

    #[test]
    fn attempts_at_the_side_itself_take_precedence() {
        let summary = stopped("path limit", Paths { unsupported: 1, unknown: 1, ..Paths::default() });
        check(Attempts { pending: 1, unknown: 1, ..Attempts::default() }, &summary, Status::Pending, "one try was");
        check(Attempts { unknown: 2, ..Attempts::default() }, &summary, Status::GaveUp, "gave up on 2 tries");
        check(Attempts { pruned: [("depth", 4)].into(), ..Attempts::default() }, &summary, Status::Pruned, "depth (4)");
        check(Attempts::default(), &summary, Status::Unsupported, "unsupported");
        let limited = stopped("finished", Paths { limited: 1, ..Paths::default() });
        check(Attempts::default(), &limited, Status::Limit, "limit for single paths");
    }
}
