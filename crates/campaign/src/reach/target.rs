//! What a user wants to reach.

use secateur_explore::Goal;
use secateur_graph::{TargetError, places};
use secateur_machine::{BugKind, End, error_functions};
use secateur_program::{LocId, Place, Program, TARGET};
use secateur_suite::replay::{ReplayReport, TestResult};

use crate::place::{file_and_line, file_line};

/// The checks that `--error` means.
const ERRORS: [BugKind; 3] = [BugKind::Assertion, BugKind::Abort, BugKind::ReachError];

/// A target.
#[derive(Clone, Debug)]
pub struct ReachTarget {
    /// As it was given.
    pub text: String,
    /// The places that count as the target; `None` for any error.
    pub places: Option<Vec<Place>>,
}

/// A target as part of a program whose paths end there.
pub(super) struct Armed {
    pub program: Program,
    pub goal: Goal,
    /// Where paths that reach a place end.
    pub ends: Option<Vec<LocId>>,
}

impl ReachTarget {
    /// The places of this text in a program.
    pub fn parse(program: &Program, text: &str) -> Result<ReachTarget, TargetError> {
        Ok(ReachTarget { text: text.to_string(), places: Some(places(program, text)?) })
    }

    /// Any failing assertion, call of `abort` or of an error function.
    pub fn any_error(text: &str) -> ReachTarget {
        ReachTarget { text: text.to_string(), places: None }
    }

    /// `file:line` of its places, without repetition.
    pub(super) fn describe(&self, program: &Program) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for place in self.places.iter().flatten() {
            let loc = match place {
                Place::Before { function, pc } => program.functions[function.index()]
                    .body
                    .as_ref()
                    .and_then(|body| body.locs.get(*pc as usize))
                    .copied(),
                Place::Outcome { branch, .. } => program.branches.get(branch.index()).map(|branch| branch.loc),
            };
            let (file, line) = file_line(program, loc.unwrap_or(LocId(0)));
            let text = file_and_line(&file, line);
            if !lines.contains(&text) {
                lines.push(text);
            }
        }
        lines
    }

    /// The program with paths that end at the target.
    pub(super) fn arm(&self, program: &Program) -> Armed {
        match &self.places {
            None => Armed {
                program: program.clone(),
                goal: Goal::new(error_functions(program), ERRORS.to_vec()),
                ends: None,
            },
            Some(places) => {
                let (program, ends) = program.ending_at(places);
                let goal = Goal::new(program.function(TARGET).into_iter().collect(), Vec::new());
                Armed { program, goal, ends: Some(ends) }
            }
        }
    }

    /// Whether a native run has reached it.
    pub(super) fn is_confirmed(&self, program: &Program, report: &ReplayReport, result: &TestResult) -> bool {
        let Some(places) = &self.places else { return result.verdict.is_ok() };
        places.iter().any(|place| match *place {
            Place::Before { function, pc } => {
                let body = program.functions[function.index()].body.as_ref();
                body.is_some_and(|body| report.coverage.block_covered(function, body.block_at(pc)))
            }
            Place::Outcome { branch, outcome } => report.coverage.branch_covered(branch, outcome),
        })
    }
}

/// Whether a path that ends like this has reached a target with these ends, or any error if there are none.
pub(super) fn is_reached(ends: Option<&[LocId]>, end: &End) -> bool {
    let End::Bug(bug) = end else { return false };
    match ends {
        None => ERRORS.contains(&bug.kind),
        Some(ends) => bug.stack.first().is_some_and(|(_, loc)| ends.contains(loc)),
    }
}
