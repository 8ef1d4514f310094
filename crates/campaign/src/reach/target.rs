//! What a user wants to reach.

use secateur_explore::Goal;
use secateur_graph::{TargetError, places};
use secateur_machine::{BugKind, End, error_functions};
use secateur_program::{BranchId, GoalPoint, LocId, Program, TARGET};
use secateur_suite::replay::{ReplayReport, TestResult};

use crate::place::{file_and_line, file_line, innermost_user};

/// The checks that `--error` means.
const ERRORS: [BugKind; 3] = [BugKind::Assertion, BugKind::Abort, BugKind::ReachError];

/// A target.
#[derive(Clone, Debug)]
pub struct ReachTarget {
    /// As it was given.
    pub text: String,
    /// What counts as reaching it.
    pub what: What,
}

/// What counts as reaching a target.
#[derive(Clone, Debug)]
pub enum What {
    /// Any of these places.
    Places(Vec<GoalPoint>),
    /// Any failing assertion, call of `abort` or of an error function.
    AnyError,
    /// A finding of a static analyser: a check of one of these kinds fails at one of these places.
    Failure(Vec<GoalPoint>, Vec<BugKind>),
    /// It has no place in the program, for this reason.
    Nowhere(String),
}

/// A target as part of a program whose paths end there.
pub(super) struct Armed {
    pub program: Program,
    /// What to search for; `None` if the way there is not directed.
    pub goal: Option<Goal>,
    pub ends: Ends,
}

/// How paths end that have reached a target.
#[derive(Clone, Debug)]
pub(super) enum Ends {
    /// At any of these locations, which only such paths have.
    At(Vec<LocId>),
    /// With any error.
    AnyError,
    /// With a failing check of one of these kinds on one of these lines of files.
    Failing(Vec<(u32, u32)>, Vec<BugKind>),
}

impl ReachTarget {
    /// The places of this text in a program.
    pub fn parse(program: &Program, text: &str) -> Result<ReachTarget, TargetError> {
        Ok(ReachTarget { text: text.to_string(), what: What::Places(places(program, text)?) })
    }

    /// Any failing assertion, call of `abort` or of an error function.
    pub fn any_error(text: &str) -> ReachTarget {
        ReachTarget { text: text.to_string(), what: What::AnyError }
    }

    /// An outcome of a branch of the source, in all of its copies.
    pub fn outcome(program: &Program, text: &str, branch: BranchId, outcome: u32) -> ReachTarget {
        let copies = (0..program.branches.len() as u32).map(BranchId).flat_map(|copy| {
            let source = program.source_of(copy);
            let outcomes = program.branches[copy.index()].outcomes;
            (0..outcomes).filter_map(move |of_copy| {
                let is_meant = source.first == branch && source.outcome(of_copy) == outcome;
                is_meant.then_some(GoalPoint::Outcome { branch: copy, outcome: of_copy })
            })
        });
        ReachTarget { text: text.to_string(), what: What::Places(copies.collect()) }
    }

    /// A finding of a rule on some lines: it is real if a check of one of these kinds fails on one of them. The last
    /// one names it.
    pub fn finding(program: &Program, rule: &str, lines: &[String], kinds: &[BugKind]) -> ReachTarget {
        let (mut found, mut named) = (Vec::new(), None);
        let mut problem = "the finding has no place".to_string();
        for line in lines {
            match places_of_file(program, line) {
                Ok(places) => {
                    let (file, line) = file_line(program, places.first().map_or(LocId(0), |at| location(program, at)));
                    named = Some(file_and_line(&file, line));
                    found.extend(places);
                }
                Err(why) => problem = why.to_string(),
            }
        }
        let name = named.as_ref().or(lines.last()).map_or("?", String::as_str);
        let text = format!("{name}: {rule}");
        let what = if found.is_empty() { What::Nowhere(problem) } else { What::Failure(found, kinds.to_vec()) };
        ReachTarget { text, what }
    }

    /// The line of a finding, or the target itself.
    pub(super) fn as_place(&self) -> ReachTarget {
        let what = match &self.what {
            What::Failure(places, _) => What::Places(places.clone()),
            what => what.clone(),
        };
        ReachTarget { text: self.text.clone(), what }
    }

    fn places(&self) -> &[GoalPoint] {
        match &self.what {
            What::Places(places) | What::Failure(places, _) => places,
            What::AnyError | What::Nowhere(_) => &[],
        }
    }

    /// `file:line` of its places, without repetition.
    pub(super) fn describe(&self, program: &Program) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for place in self.places() {
            let (file, line) = file_line(program, location(program, place));
            let text = file_and_line(&file, line);
            if !lines.contains(&text) {
                lines.push(text);
            }
        }
        lines
    }

    /// The program with paths that end at the target.
    pub(super) fn arm(&self, program: &Program) -> Armed {
        let of_program = |goal, ends| Armed { program: program.clone(), goal, ends };
        match &self.what {
            What::AnyError => of_program(Some(Goal::new(error_functions(program), ERRORS.to_vec())), Ends::AnyError),
            What::Places(places) => {
                let (program, ends) = program.ending_at(places);
                let goal = Goal::new(program.function(TARGET).into_iter().collect(), Vec::new());
                Armed { program, goal: Some(goal), ends: Ends::At(ends) }
            }
            What::Failure(places, kinds) => {
                let lines = places.iter().map(|place| program.locations[location(program, place).index()]);
                let lines = lines.map(|at| (at.file, at.line)).collect();
                of_program(None, Ends::Failing(lines, kinds.clone()))
            }
            What::Nowhere(_) => of_program(None, Ends::At(Vec::new())),
        }
    }

    /// Whether a native run has reached it.
    pub(super) fn is_confirmed(&self, program: &Program, report: &ReplayReport, result: &TestResult) -> bool {
        let What::Places(places) = &self.what else { return result.verdict.is_ok() };
        places.iter().any(|place| match *place {
            GoalPoint::Before { function, pc } => {
                let body = program.functions[function.index()].body.as_ref();
                body.is_some_and(|body| report.coverage.block_covered(function, body.block_at(pc)))
            }
            GoalPoint::Outcome { branch, outcome } => report.coverage.branch_covered(branch, outcome),
        })
    }
}

impl Ends {
    /// Whether a path that ends like this has reached the target.
    pub(super) fn are_reached(&self, program: &Program, end: &End) -> bool {
        let End::Bug(bug) = end else { return false };
        match self {
            Ends::AnyError => ERRORS.contains(&bug.kind),
            Ends::At(ends) => bug.stack.first().is_some_and(|(_, loc)| ends.contains(loc)),
            Ends::Failing(lines, kinds) => {
                let at = program.locations[innermost_user(program, &bug.stack).index()];
                kinds.contains(&bug.kind) && lines.contains(&(at.file, at.line))
            }
        }
    }
}

fn location(program: &Program, place: &GoalPoint) -> LocId {
    let loc = match place {
        GoalPoint::Before { function, pc } => {
            let body = program.functions[function.index()].body.as_ref();
            body.and_then(|body| body.locs.get(*pc as usize)).copied()
        }
        GoalPoint::Outcome { branch, .. } => program.branches.get(branch.index()).map(|branch| branch.loc),
    };
    loc.unwrap_or(LocId(0))
}

/// The places of a line of a file. An analyser may have written the whole path of a file that the debug information
/// names by its last parts.
fn places_of_file(program: &Program, place: &str) -> Result<Vec<GoalPoint>, TargetError> {
    let mut rest = place;
    loop {
        match places(program, rest) {
            Err(TargetError::NoFile { .. }) if rest.contains('/') => {
                rest = rest.split_once('/').map_or(rest, |(_, rest)| rest);
            }
            Err(TargetError::NoFile { .. }) => return places(program, place),
            found => return found,
        }
    }
}
