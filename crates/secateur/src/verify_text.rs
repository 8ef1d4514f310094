//! The verdict and its reasons, as they are printed for people.

use std::fmt::{self, Display, Formatter};

use secateur_campaign::file_and_line;
use secateur_suite::Summary;
use secateur_suite::summary::{Reason, Verdict};

use crate::text;

/// How many reasons are listed; `summary.json` has all of them.
const MOST_LISTED: usize = 24;

/// Prints the end of the summary of a program that was to be verified. The last line is the verdict.
pub(crate) struct VerdictText<'a>(pub &'a Summary);

impl Display for VerdictText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Summary { verdict, reasons, scope, .. } = self.0;
        for restriction in scope {
            writeln!(f, "  scope     {restriction}")?;
        }
        for reason in reasons.iter().take(MOST_LISTED) {
            writeln!(f, "  unknown   {}", ReasonText(reason))?;
        }
        if let Some(rest) = reasons.len().checked_sub(MOST_LISTED + 1) {
            let more = text::count(rest as u64 + 1, "more reason");
            writeln!(f, "  unknown   {more}, which summary.json lists")?;
        }
        writeln!(f, "{}", verdict.unwrap_or(Verdict::Unknown))
    }
}

/// A reason on one line.
pub(crate) struct ReasonText<'a>(pub &'a Reason);

impl Display for ReasonText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Reason { why, file, line, function, paths, .. } = self.0;
        if *line > 0 {
            write!(f, "{}", file_and_line(file, *line))?;
            if !function.is_empty() {
                write!(f, " in {function}")?;
            }
            write!(f, ": ")?;
        }
        match paths {
            0 => f.write_str(why),
            paths => write!(f, "{why} ({})", text::count(*paths, "path")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(line: u32) -> Reason {
        let (file, function) = ("a.c".to_string(), "main".to_string());
        Reason { what: "pending".into(), why: "not tried".into(), file, line, function, paths: 2 }
    }

    #[test]
    fn the_verdict_is_alone_on_the_last_line() {
        let summary = Summary {
            verdict: Some(Verdict::Unknown),
            reasons: vec![reason(3), Reason { why: "stopped".into(), paths: 1, ..Reason::default() }],
            scope: vec!["empty standard input".to_string()],
            ..Summary::default()
        };
        assert_eq!(
            VerdictText(&summary).to_string(),
            "  scope     empty standard input\n  unknown   a.c:3 in main: not tried (2 paths)\n  \
             unknown   stopped (1 path)\nUNKNOWN\n"
        );
    }

    #[test]
    fn long_lists_are_cut() {
        let of = |number: u32| {
            let reasons = (1..=number).map(reason).collect();
            VerdictText(&Summary { verdict: Some(Verdict::Unknown), reasons, ..Summary::default() }).to_string()
        };
        let most = MOST_LISTED as u32;
        assert_eq!(of(most).lines().count(), MOST_LISTED + 1);
        assert!(of(most + 1).contains("1 more reason, which summary.json lists"));
        assert_eq!(of(most + 9).lines().last(), Some("UNKNOWN"));
    }
}
