//! The answers of `secateur reach`, as they are printed for people.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use secateur_suite::reach::{ReachReport, ReachVerdict, TargetAnswer};

use crate::text;
use crate::verify_text::ReasonText;

/// How many reasons are listed for a target; `reach.json` has all of them.
const MOST_LISTED: usize = 6;

/// Prints a line for each target, and what is known about it.
pub(crate) struct ReachText<'a>(pub &'a ReachReport, pub &'a Path);

impl Display for ReachText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ReachText(report, out) = self;
        for answer in &report.targets {
            writeln!(f, "{}: {}{}", answer.target, answer.verdict, Details(answer))?;
            for sentence in &answer.because {
                writeln!(f, "  because   {sentence}")?;
            }
            for reason in answer.reasons.iter().take(MOST_LISTED) {
                writeln!(f, "  unknown   {}", ReasonText(reason))?;
            }
            if let Some(rest) = answer.reasons.len().checked_sub(MOST_LISTED + 1) {
                let more = text::count(rest as u64 + 1, "more reason");
                writeln!(f, "  unknown   {more}, which reach.json lists")?;
            }
        }
        if !report.all(&[ReachVerdict::Reached]) {
            for restriction in &report.scope {
                writeln!(f, "  scope     {restriction}")?;
            }
        }
        writeln!(f, "  written   {}", out.display())
    }
}

/// What follows the verdict on its line.
struct Details<'a>(&'a TargetAnswer);

impl Display for Details<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TargetAnswer { test, confirmed, segments, way, time, .. } = self.0;
        if let Some(test) = test {
            let native = match confirmed {
                Some(true) => ", confirmed natively",
                Some(false) => ", refuted natively",
                None => ", not run natively",
            };
            write!(f, " by {test}{native}")?;
        }
        write!(f, " ({}", text::count(*segments, "segment"))?;
        if !way.is_empty() {
            write!(f, ", {way}")?;
        }
        write!(f, ", {time:.2} s)")
    }
}
