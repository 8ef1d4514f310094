//! The summary of a run, as it is printed for people.

use std::fmt::{self, Display, Formatter};

use secateur_campaign::{CampaignResult, Unsupported, file_and_line};
use secateur_suite::Summary;
use secateur_suite::summary::LearningSummary;

use crate::text;

/// How many bugs and unsupported constructs are listed, so that the end of a run fits a screen.
const MOST_LISTED: usize = 8;

/// How many features are listed.
const MOST_FEATURES: usize = 3;

/// Prints the result of a campaign.
pub(crate) struct SummaryText<'a>(pub &'a CampaignResult);

impl Display for SummaryText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SummaryText(CampaignResult { summary, explored, unsupported, limits, out, .. }) = self;
        let counters = &explored.counters;
        writeln!(
            f,
            "{} in {:.2} s: {}",
            summary.program.join(" "),
            summary.time.unwrap_or_default(),
            explored.sentence()
        )?;
        // A path that ends early may not have come to its input.
        if !self.0.has_input && counters.completed > 0 {
            writeln!(
                f,
                "  input     none: nothing in this program is symbolic, so it ran once (see `secateur run --help`)"
            )?;
        }
        write!(f, "  paths     {} completed", text::grouped(counters.completed))?;
        let others = [
            (counters.assumed, "ended by an assumption"),
            (counters.subsumed, "subsumed"),
            (counters.ignored, "ended where a check fails that is switched off"),
            (counters.ignored_sides, "not tried because a check that is switched off fails there"),
            (counters.stopped, "stopped half-way"),
            (counters.limited, "stopped at a limit for single paths"),
            (counters.unsupported, "ended at something unsupported"),
            (counters.unknown, "given up by the solver"),
            (counters.lost, "lost"),
            (counters.pending, "not tried"),
        ];
        for (number, what) in others.iter().filter(|(number, _)| *number > 0) {
            write!(f, ", {} {what}", text::grouped(*number))?;
        }
        for (name, number) in &counters.pruned {
            write!(f, ", {} pruned by {name}", text::grouped(*number))?;
        }
        writeln!(f)?;
        match (counters.cuts_checked, counters.cuts_left) {
            (0, 0) => {}
            (checked, 0) => writeln!(f, "  cuts      {} checked", text::grouped(checked))?,
            (checked, left) => {
                let (checked, all) = (text::grouped(checked), text::grouped(checked + left));
                writeln!(f, "  cuts      {checked} of {all} checked")?;
            }
        }
        if let Some(seeds) = summary.seeds {
            write!(f, "  seeds     {}", text::count(seeds.given, "seed"))?;
            if seeds.kept < seeds.given {
                write!(f, ", {} cover natively what all do", text::grouped(seeds.kept))?;
            }
            writeln!(f, ", {} on paths of their own", text::grouped(seeds.followed))?;
        }
        if let Some(native) = &summary.native {
            write!(f, "  native    {}, ", text::count(native.runs, "run"))?;
            write!(f, "{} followed, {} crashed", text::grouped(native.followed), text::grouped(native.crashes))?;
            match &native.problem {
                Some(problem) => writeln!(f, "; stopped: {problem}")?,
                None => writeln!(f)?,
            }
        }
        if let Some(learning) = &summary.learning {
            write_learning(f, learning)?;
        }
        writeln!(f, "  tests     {} in {}", text::grouped(summary.tests), out.join("tests").display())?;
        if let (Some(entry), Some(name)) = (summary.coverage.entry, summary.options.get("entry")) {
            let name = name.as_str().unwrap_or_default();
            writeln!(f, "  function  {} of `{name}`", entry.of("branches"))?;
        }
        let (branches, lines) = (summary.coverage.branches, summary.coverage.lines);
        writeln!(f, "  coverage  {}, {}", branches.of("branches"), lines.of("lines"))?;
        // Libraries have functions that this program never calls.
        if let Some(reachable) = summary.coverage.reachable.filter(|reachable| reachable.total < branches.total) {
            writeln!(f, "            {}", reachable.of("branches in functions that can be called"))?;
        }
        let smt = summary.solver.answered.get("smt").copied().unwrap_or(0);
        write!(
            f,
            "  solver    {}, {} answered by the SMT solver, {:.2} s",
            text::count(summary.solver.queries, "question"),
            text::grouped(smt),
            summary.solver.time.unwrap_or_default()
        )?;
        if summary.solver.refuted_by_path > 0 {
            write!(f, "; {} refuted without a question", text::count(summary.solver.refuted_by_path, "side"))?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "  machine   {}, {} of memory",
            text::count(summary.instructions, "instruction"),
            text::size(summary.peak_memory.unwrap_or_default())
        )?;
        for Unsupported { what, at, paths } in unsupported.iter().take(MOST_LISTED) {
            writeln!(f, "  unsupported at {at}: {what} ({})", text::count(*paths, "path"))?;
        }
        write_rest(f, "  unsupported at", unsupported.len(), "place")?;
        // With a verdict, they are among its reasons.
        let limits = if summary.verdict.is_some() { &[] } else { limits.as_slice() };
        for limit in limits.iter().take(MOST_LISTED) {
            let (at, paths) = (file_and_line(&limit.file, limit.line), text::count(limit.paths, "path"));
            writeln!(f, "  limit at {at}: {} ({paths})", limit.why)?;
        }
        write_rest(f, "  limit at", limits.len(), "place")?;
        for given_up in summary.given_up.iter().take(MOST_LISTED) {
            let (at, paths) = (file_and_line(&given_up.file, given_up.line), text::count(given_up.paths, "path"));
            writeln!(f, "  given up at {at}: {} ({paths})", given_up.why)?;
        }
        write_rest(f, "  given up at", summary.given_up.len(), "place")?;
        if summary.bugs.is_empty() {
            writeln!(f, "  bugs      none")?;
        } else {
            writeln!(f, "  bugs      {}{}", summary.bugs.len(), native_remark(summary))?;
            for bug in summary.bugs.iter().take(MOST_LISTED) {
                let (at, remark) = (file_and_line(&bug.file, bug.line), bug.remark());
                writeln!(f, "    {at}: {}: {} ({}, {remark})", bug.kind, bug.message, bug.test)?;
            }
            write_rest(f, "   ", summary.bugs.len(), "bug")?;
        }
        if let Some(report) = &self.0.report {
            writeln!(f, "  report    {}", report.display())?;
        }
        if let Some(tests) = &self.0.c_tests {
            writeln!(f, "  in C      {}", tests.display())?;
        }
        if self.0.can_continue {
            writeln!(f, "  continue  secateur run --resume {}", out.display())?;
        }
        writeln!(f, "  replay    secateur replay {}", out.display())
    }
}

/// Prints the rounds, and what weighs the most.
fn write_learning(f: &mut Formatter<'_>, learning: &LearningSummary) -> fmt::Result {
    let pruned = learning.rounds.iter().filter(|round| round.prunes).count() as u64;
    let gained =
        |prunes| learning.rounds.iter().filter(move |round| round.prunes == prunes).map(|round| round.branches);
    writeln!(
        f,
        "  rounds    {}, {} pruned, which gained {} of {} branches",
        learning.rounds.len(),
        text::grouped(pruned),
        text::grouped(gained(true).sum()),
        text::grouped(gained(true).chain(gained(false)).sum()),
    )?;
    let known = learning.features.iter().filter(|feature| feature.uses > 0);
    for feature in known.take(MOST_FEATURES) {
        writeln!(f, "    {:+.2} {}", feature.weight, feature.text)?;
    }
    Ok(())
}

/// Prints how many entries were not listed.
fn write_rest(f: &mut Formatter<'_>, before: &str, all: usize, what: &str) -> fmt::Result {
    match all.saturating_sub(MOST_LISTED) {
        0 => Ok(()),
        rest => writeln!(f, "{before} {}", text::count(rest as u64, &format!("more {what}"))),
    }
}

/// The remark about native checks that follows the number of bugs.
fn native_remark(summary: &Summary) -> String {
    let all = summary.bugs.len();
    let with = |answer| summary.bugs.iter().filter(|bug| bug.native.confirmed == answer).count();
    let confirmed = match (with(Some(true)), with(None)) {
        (0, unchecked) if unchecked == all => String::new(),
        (0, _) => ", NONE confirmed natively".to_string(),
        (confirmed, _) if confirmed == all => ", confirmed natively".to_string(),
        (confirmed, _) => format!(", {confirmed} confirmed natively"),
    };
    match &summary.not_checked {
        Some(reason) => format!("{confirmed}, not checked natively: {reason}"),
        None => confirmed,
    }
}
