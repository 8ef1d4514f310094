//! The verdict on a program.

use secateur_suite::BugReport;
use secateur_suite::summary::{Reason, Verdict};

/// What a campaign that verifies is told.
#[derive(Clone, Debug, Default)]
pub struct Verify {
    /// Look for all bugs instead of stopping at the first that is confirmed.
    pub keep_going: bool,
    /// What the verdict is restricted to by the user's choice, a sentence each.
    pub scope: Vec<String>,
}

/// The verdict, and why it is `Unknown` if it is.
///
/// A bug counts only if the native program shows it. A program is verified only if every path was explored or shown to
/// add nothing, and there is no reason for doubt.
pub(crate) fn verdict(complete: bool, bugs: &[BugReport], reasons: Vec<Reason>) -> (Verdict, Vec<Reason>) {
    if bugs.iter().any(|bug| bug.native.confirmed == Some(true)) {
        return (Verdict::Bug, Vec::new());
    }
    if complete && bugs.is_empty() && reasons.is_empty() {
        return (Verdict::Verified, Vec::new());
    }
    let unexplained = || Reason {
        what: "incomplete".to_string(),
        why: "not every path was explored".to_string(),
        ..Reason::default()
    };
    (Verdict::Unknown, if reasons.is_empty() { vec![unexplained()] } else { reasons })
}

#[cfg(test)]
mod tests {
    use secateur_suite::bug::Native;

    use super::*;

    fn bug(confirmed: Option<bool>) -> BugReport {
        BugReport {
            kind: "abort".to_string(),
            message: String::new(),
            file: String::new(),
            line: 0,
            needs: vec![],
            stack: Vec::new(),
            test: String::new(),
            native: Native { confirmed, what: String::new() },
        }
    }

    fn reason() -> Reason {
        Reason { what: "pending".to_string(), ..Reason::default() }
    }

    #[test]
    fn all_paths_without_doubt_verify() {
        assert_eq!(verdict(true, &[], Vec::new()), (Verdict::Verified, Vec::new()));
    }

    #[test]
    fn any_doubt_is_unknown_and_has_a_reason() {
        let (unknown, reasons) = verdict(false, &[], Vec::new());
        assert_eq!((unknown, reasons.len()), (Verdict::Unknown, 1));
        assert_eq!(verdict(true, &[], vec![reason()]), (Verdict::Unknown, vec![reason()]));
        for confirmed in [None, Some(false)] {
            let (unknown, reasons) = verdict(true, &[bug(confirmed)], Vec::new());
            assert_eq!((unknown, reasons.len()), (Verdict::Unknown, 1), "{confirmed:?}");
        }
    }

    #[test]
    fn one_confirmed_bug_decides() {
        for complete in [false, true] {
            let bugs = [bug(None), bug(Some(false)), bug(Some(true))];
            assert_eq!(verdict(complete, &bugs, vec![reason()]), (Verdict::Bug, Vec::new()));
        }
    }
}
