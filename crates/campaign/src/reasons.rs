//! Why a program is neither verified nor has a bug: everything that was left out, by place.

use std::collections::BTreeMap;

use secateur_explore::{ClosedFlip, Counters, EndedPath, FlipEnd, RunResult, StopReason};
use secateur_machine::{BugKind, End, GivenUp, Limit};
use secateur_program::{LocId, Program};
use secateur_suite::BugReport;
use secateur_suite::summary::Reason;

use crate::fault::Fault;
use crate::loop_lines::LoopLines;
use crate::place::{file_line, innermost_user};

/// What was left out at one place. The order is that of the list.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LeftOut {
    /// A flip that was not tried.
    Pending,
    /// A path that was running when the campaign stopped.
    Running,
    /// A path that hit a limit on single paths.
    Limited(&'static str),
    /// A path that reached something that is not modelled.
    Unsupported(String),
    /// A flip for which the solver had no answer.
    Unanswered,
    /// A path that ended because a disabled check failed.
    Ignored(BugKind),
    /// A flip that a pruner dropped although it might have added something.
    Pruned(&'static str),
    /// A flip whose decision was not reached again.
    Lost,
}

/// Everything that was left out, with the number of paths, counted while the campaign runs.
#[derive(Default)]
pub(crate) struct Omissions(BTreeMap<(LeftOut, LocId), u64>);

impl Omissions {
    /// Notes what a path that has ended left out.
    pub(crate) fn path_ended(&mut self, program: &Program, path: &EndedPath) {
        let (what, stack) = match &path.end {
            End::Exit(_) | End::Bug(_) | End::Assumed | End::Limit(Limit::Subsumed) => return,
            End::Limit(Limit::Run) => (LeftOut::Running, &path.cut_off_at),
            End::Limit(limit) => (LeftOut::Limited(limit_of(*limit)), &path.cut_off_at),
            End::Ignored(kind) => (LeftOut::Ignored(*kind), &path.cut_off_at),
            End::Unsupported(unsupported) => (LeftOut::Unsupported(unsupported.what.clone()), &unsupported.stack),
        };
        self.add(what, innermost_user(program, stack));
    }

    /// Notes a flip that did not become a path.
    pub(crate) fn flip_closed(&mut self, flip: &ClosedFlip) {
        let what = match flip.end {
            FlipEnd::Infeasible | FlipEnd::Pruned { lossless: true, .. } => return,
            FlipEnd::Pruned { by, lossless: false } => LeftOut::Pruned(by),
            FlipEnd::Pending => LeftOut::Pending,
            FlipEnd::Unknown => LeftOut::Unanswered,
            FlipEnd::Lost => LeftOut::Lost,
        };
        self.add(what, flip.departure.loc);
    }

    fn add(&mut self, what: LeftOut, at: LocId) {
        *self.0.entry((what, at)).or_default() += 1;
    }

    /// The reasons at the end of a campaign. Those of one line are added up; a path that left out several things counts
    /// for each.
    pub(crate) fn reasons(
        &self,
        program: &Program,
        explored: &RunResult,
        bugs: &[BugReport],
        fault: Option<&Fault>,
    ) -> Vec<Reason> {
        let mut lines = LoopLines::new(program);
        let mut reasons: Vec<Reason> = bugs.iter().filter_map(of_bug).collect();
        reasons.extend(of_stop(explored));
        for ((what, loc), paths) in &self.0 {
            reasons.push(reason(program, &mut lines, what, *loc, *paths));
        }
        for ((what, loc), paths) in &explored.counters.given_up {
            let name = if matches!(what, GivenUp::Check(_)) { "check-off" } else { "given-up" };
            reasons.push(located(program, &lines, *loc, (name, what.to_string()), *paths));
        }
        reasons.extend(of_faults(&explored.counters, fault));
        merged(reasons)
    }

    /// The limits that single paths have reached, by place.
    pub(crate) fn limits(&self, program: &Program) -> Vec<Reason> {
        let mut lines = LoopLines::new(program);
        let limited = self.0.iter().filter(|((what, _), _)| matches!(what, LeftOut::Limited(_)));
        merged(limited.map(|((what, loc), paths)| reason(program, &mut lines, what, *loc, *paths)).collect())
    }
}

fn reason(program: &Program, lines: &mut LoopLines<'_>, what: &LeftOut, loc: LocId, paths: u64) -> Reason {
    let loop_line = match what {
        LeftOut::Pending | LeftOut::Running | LeftOut::Limited(_) => lines.loop_line(loc),
        _ => None,
    };
    located(program, lines, loc, (what.name(), what.sentence(loop_line)), paths)
}

impl LeftOut {
    /// Its name in `summary.json`.
    fn name(&self) -> &'static str {
        match self {
            LeftOut::Pending => "pending",
            LeftOut::Running => "running",
            LeftOut::Limited(_) => "limit",
            LeftOut::Unsupported(_) => "unsupported",
            LeftOut::Unanswered => "solver",
            LeftOut::Ignored(_) => "check-off",
            LeftOut::Pruned(_) => "pruned",
            LeftOut::Lost => "fault",
        }
    }

    /// Its explanation for users. `loop_line` is the line of the loop that it is in.
    fn sentence(&self, loop_line: Option<u32>) -> String {
        let in_loop = loop_line.map_or_else(String::new, |line| format!(" in the loop of line {line}"));
        match (self, loop_line) {
            (LeftOut::Pending, Some(line)) => format!("not tried: the loop of line {line} was still unrolling"),
            (LeftOut::Pending, None) => "not tried".to_string(),
            (LeftOut::Running, _) => format!("a path was stopped half-way{in_loop}"),
            (LeftOut::Limited(limit), _) => format!("a path reached the limit {limit}{in_loop}"),
            (LeftOut::Unsupported(what), _) => format!("unsupported: {what}"),
            (LeftOut::Unanswered, _) => "the solver gave up (--solver-timeout gives it more time)".to_string(),
            (LeftOut::Ignored(kind), _) => {
                let name = kind.name();
                format!("the check `{name}` fails here, and is switched off (--check {name} switches it on)")
            }
            (LeftOut::Pruned(by), _) => format!("pruned by {by}, which may lose paths"),
            (LeftOut::Lost, _) => "a fault of Secateur: a decision was not reached again".to_string(),
        }
    }
}

/// A limit on single paths, as the option that changes it.
fn limit_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Instructions => "--max-instructions",
        Limit::Depth => "--max-depth",
        Limit::Expressions => "of expressions",
        Limit::Memory => "--max-memory",
        Limit::Allocation => "--max-alloc",
        Limit::Input => "--max-input",
        Limit::Run => "of the run",
        Limit::Subsumed => "of subsumption",
    }
}

/// A bug that the native program did not show.
fn of_bug(bug: &BugReport) -> Option<Reason> {
    let (what, why) = match bug.native.confirmed {
        Some(true) => return None,
        Some(false) => ("unconfirmed", format!("{} is {}", bug.kind, bug.native)),
        None => ("unchecked", format!("{} was not checked on the native program", bug.kind)),
    };
    let function = bug.stack.iter().find(|call| (&call.file, call.line) == (&bug.file, bug.line));
    Some(Reason {
        what: what.to_string(),
        why,
        file: bug.file.clone(),
        line: bug.line,
        function: function.map(|call| call.function.clone()).unwrap_or_default(),
        paths: 1,
    })
}

/// The limit that stopped the campaign.
fn of_stop(explored: &RunResult) -> Option<Reason> {
    let limit = match explored.reason {
        // With a bug, the places that were left out say nothing new.
        StopReason::Finished | StopReason::Bug => return None,
        StopReason::Time => "the time limit (--max-time)",
        StopReason::Paths => "the limit of paths (--max-paths)",
        StopReason::Memory => "the memory limit (--max-memory)",
        StopReason::Interrupted => "the user's request",
        StopReason::Round => "the end of a round",
    };
    let paths = explored.counters.left;
    Some(Reason { what: "stopped".into(), why: format!("stopped at {limit}"), paths, ..Reason::default() })
}

/// Faults of ours. Solvers that disagree are not among those of the exploration.
fn of_faults(counters: &Counters, fault: Option<&Fault>) -> Vec<Reason> {
    let disagreement = fault.filter(|fault| matches!(fault, Fault::Disagreement { .. })).map(ToString::to_string);
    let faults = counters.faults.iter().cloned().chain(disagreement);
    let reason = |fault| Reason {
        what: "fault".into(),
        why: format!("a fault of Secateur: {fault}"),
        paths: 1,
        ..Reason::default()
    };
    faults.map(reason).collect()
}

fn located(program: &Program, lines: &LoopLines<'_>, loc: LocId, (what, why): (&str, String), paths: u64) -> Reason {
    let (file, line) = file_line(program, loc);
    Reason { what: what.to_string(), why, file, line, function: lines.function(loc), paths }
}

/// Adds up what differs only in the column. Of the same kind, what concerns the most paths comes first.
fn merged(reasons: Vec<Reason>) -> Vec<Reason> {
    let mut merged: Vec<Reason> = Vec::new();
    let mut known: BTreeMap<(String, String, String, u32), usize> = BTreeMap::new();
    for reason in reasons {
        let key = (reason.what.clone(), reason.why.clone(), reason.file.clone(), reason.line);
        match known.get(&key) {
            Some(index) => merged[*index].paths += reason.paths,
            None => {
                known.insert(key, merged.len());
                merged.push(reason);
            }
        }
    }
    let mut kinds: Vec<String> = Vec::new();
    for reason in &merged {
        if !kinds.contains(&reason.what) {
            kinds.push(reason.what.clone());
        }
    }
    merged.sort_by_key(|reason| {
        let kind = kinds.iter().position(|kind| *kind == reason.what);
        (kind, std::cmp::Reverse(reason.paths))
    });
    merged
}

#[cfg(test)]
mod tests {
    use secateur_explore::Departure;
    use secateur_machine::Unsupported;
    use secateur_program::FuncId;
    use secateur_suite::BacktraceEntry;
    use secateur_suite::bug::Native;

    use super::*;
    use crate::place::tests::program;

    fn flip(loc: u32, end: FlipEnd) -> ClosedFlip {
        ClosedFlip { departure: Departure { parent: 1, depth: 2, loc: LocId(loc) }, branch: None, end }
    }

    fn path(end: End) -> EndedPath {
        EndedPath {
            number: 4,
            departure: Departure::START,
            end,
            decisions: 6,
            instructions: 100,
            has_input: true,
            cut_off_at: vec![(FuncId(0), LocId(4)), (FuncId(1), LocId(3))],
            cover: None,
            identity: 7,
            covered: Vec::new(),
        }
    }

    fn finished(counters: Counters) -> RunResult {
        RunResult { reason: StopReason::Finished, counters, expressions: 0 }
    }

    fn lines(omissions: &Omissions, explored: &RunResult, bugs: &[BugReport]) -> Vec<(String, String, u32, u64)> {
        let reasons = omissions.reasons(&program(), explored, bugs, None).into_iter();
        reasons.map(|reason| (reason.what, reason.why, reason.line, reason.paths)).collect()
    }

    #[test]
    fn what_is_settled_is_no_reason() {
        let mut omissions = Omissions::default();
        for end in [End::Exit(0), End::Assumed, End::Limit(Limit::Subsumed)] {
            omissions.path_ended(&program(), &path(end));
        }
        omissions.flip_closed(&flip(1, FlipEnd::Infeasible));
        omissions.flip_closed(&flip(1, FlipEnd::Pruned { by: "lookahead", lossless: true }));
        assert_eq!(lines(&omissions, &finished(Counters::default()), &[]), []);
    }

    #[test]
    fn every_way_of_leaving_something_out_is_a_reason() {
        let mut omissions = Omissions::default();
        let unsupported = Unsupported { what: "fork".to_string(), stack: vec![(FuncId(1), LocId(1))] };
        let ends = [
            End::Limit(Limit::Run),
            End::Limit(Limit::Instructions),
            End::Ignored(BugKind::Leak),
            End::Unsupported(Box::new(unsupported)),
        ];
        for end in ends {
            omissions.path_ended(&program(), &path(end));
        }
        let lossy = FlipEnd::Pruned { by: "max-call-depth", lossless: false };
        for end in [FlipEnd::Pending, FlipEnd::Unknown, FlipEnd::Lost, lossy] {
            omissions.flip_closed(&flip(3, end));
        }
        let counters = Counters {
            given_up: [((GivenUp::Value, LocId(1)), 7)].into(),
            faults: vec!["path 3 panicked".to_string()],
            left: 5,
            ..Counters::default()
        };
        let explored = RunResult { reason: StopReason::Time, counters, expressions: 0 };
        let found: Vec<_> =
            lines(&omissions, &explored, &[]).into_iter().map(|(what, _, line, paths)| (what, line, paths)).collect();
        let expected = [
            ("stopped", 0, 5),
            ("pending", 9, 1),
            ("running", 9, 1),
            ("limit", 9, 1),
            ("unsupported", 5, 1),
            ("solver", 9, 1),
            ("check-off", 9, 1),
            ("pruned", 9, 1),
            ("fault", 9, 1),
            ("fault", 0, 1),
            ("given-up", 5, 7),
        ];
        assert_eq!(found, expected.map(|(what, line, paths)| (what.to_string(), line, paths)));
    }

    #[test]
    fn places_of_a_line_are_added_up_and_the_most_paths_come_first() {
        let mut omissions = Omissions::default();
        for loc in [3, 1, 2, 2] {
            omissions.flip_closed(&flip(loc, FlipEnd::Pending));
        }
        let explored = finished(Counters::default());
        let found: Vec<_> = lines(&omissions, &explored, &[]).iter().map(|reason| (reason.2, reason.3)).collect();
        assert_eq!(found, [(5, 3), (9, 1)]);
    }

    #[test]
    fn bugs_that_are_not_confirmed_are_reasons() {
        let bug = |confirmed| BugReport {
            kind: "abort".to_string(),
            message: String::new(),
            file: "a.c".to_string(),
            line: 9,
            needs: vec![],
            stack: vec![BacktraceEntry { function: "main".to_string(), file: "a.c".to_string(), line: 9 }],
            test: String::new(),
            native: Native { confirmed, what: "exit 0".to_string() },
        };
        let reasons = Omissions::default().reasons(
            &program(),
            &finished(Counters::default()),
            &[bug(Some(true)), bug(Some(false)), bug(None)],
            None,
        );
        let found: Vec<_> = reasons.iter().map(|reason| (reason.why.as_str(), reason.function.as_str())).collect();
        assert_eq!(
            found,
            [
                ("abort is not confirmed natively: exit 0", "main"),
                ("abort was not checked on the native program", "main"),
            ]
        );
    }
}
