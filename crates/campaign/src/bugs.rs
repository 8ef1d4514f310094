//! Which bugs are the same, and how a bug is reported.

use std::collections::BTreeSet;

use secateur_machine::{Bug, BugKind};
use secateur_program::{Location, Program};
use secateur_suite::bug::Native;
use secateur_suite::{BacktraceEntry, BugReport};

use crate::place::{file_line, innermost_user};

/// What two reports of the same bug have in common: its kind, and its line of the user's code.
type Key = (BugKind, u32, u32);

/// The bugs that were seen, and whether each happens whatever the arguments are. One that needs a precondition is
/// another bug than one at the same place that does not.
#[derive(Default)]
pub(crate) struct SeenBugs(BTreeSet<(Key, bool)>);

impl SeenBugs {
    /// Notes a bug and returns whether it was not seen before. One that needs a precondition says nothing new about a
    /// place that has a bug anyway.
    pub(crate) fn is_new(&mut self, program: &Program, bug: &Bug, needs_precondition: bool) -> bool {
        !self.is_known(program, bug) && self.0.insert((key(program, bug), !needs_precondition))
    }

    /// Whether it was seen, without a precondition.
    pub(crate) fn is_known(&self, program: &Program, bug: &Bug) -> bool {
        self.0.contains(&(key(program, bug), true))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Whether two bugs are the same.
pub(crate) fn is_same(program: &Program, one: &Bug, other: &Bug) -> bool {
    key(program, one) == key(program, other)
}

fn key(program: &Program, bug: &Bug) -> Key {
    let at = program.locations.get(innermost_user(program, &bug.stack).index()).copied().unwrap_or_default();
    // Bugs at unknown lines are the same whatever their files.
    let at = if at.line == 0 { Location::default() } else { at };
    (bug.kind, at.file, at.line)
}

/// A bug as it is reported. It does not have a test yet.
pub(crate) fn bug_report(program: &Program, bug: &Bug) -> BugReport {
    let (file, line) = file_line(program, innermost_user(program, &bug.stack));
    let stack = bug.stack.iter().map(|(function, loc)| {
        let (file, line) = file_line(program, *loc);
        BacktraceEntry { function: program.functions[function.index()].name.to_string(), file, line }
    });
    BugReport {
        kind: bug.kind.name().to_string(),
        message: bug.message.clone(),
        file,
        line,
        stack: stack.collect(),
        needs: Vec::new(),
        test: String::new(),
        native: Native::default(),
    }
}

#[cfg(test)]
mod tests {
    use secateur_program::{FuncId, LocId};

    use super::*;
    use crate::place::tests::program;

    fn bug(kind: BugKind, stack: &[(u32, u32)]) -> Bug {
        let stack = stack.iter().map(|(function, loc)| (FuncId(*function), LocId(*loc))).collect();
        Bug { kind, message: "something is wrong".to_string(), stack }
    }

    #[test]
    fn a_bug_is_new_once_for_each_kind_and_line() {
        let program = program();
        let mut seen = SeenBugs::default();
        let mut is_new = |kind, stack: &[(u32, u32)]| seen.is_new(&program, &bug(kind, stack), false);
        assert!(is_new(BugKind::Assertion, &[(1, 1)]));
        assert!(!is_new(BugKind::Assertion, &[(1, 1)]));
        assert!(!is_new(BugKind::Assertion, &[(1, 2)]), "another column of the same line");
        assert!(is_new(BugKind::Abort, &[(1, 1)]), "another kind");
        assert!(is_new(BugKind::Assertion, &[(1, 3)]), "another line");
        assert!(!is_new(BugKind::Assertion, &[(0, 4), (1, 3)]), "called from that line");
        assert_eq!(seen.len(), 3);
    }

    #[test]
    fn a_bug_without_a_precondition_counts_more() {
        let program = program();
        let mut seen = SeenBugs::default();
        let mut is_new = |line, needs| seen.is_new(&program, &bug(BugKind::NullPointer, &[(1, line)]), needs);
        assert!(is_new(1, true));
        assert!(!is_new(1, true));
        assert!(is_new(1, false));
        assert!(!is_new(1, true) && !is_new(1, false));
        assert!(is_new(3, false));
        assert!(!is_new(3, true));
    }

    #[test]
    fn a_report_is_about_the_innermost_line_of_the_user() {
        let report = bug_report(&program(), &bug(BugKind::NullPointer, &[(0, 4), (1, 3)]));
        assert_eq!((report.kind.as_str(), report.file.as_str(), report.line), ("null-pointer", "a.c", 9));
        let functions: Vec<_> = report.stack.iter().map(|call| (call.function.as_str(), call.line)).collect();
        assert_eq!(functions, [("memcpy", 70), ("main", 9)]);
    }
}
