//! What the native program must do with the test of a path.

use secateur_machine::{End, State};
use secateur_program::Program;
use secateur_suite::{Expected, Prediction};

use crate::place::{file_line, innermost_user};

/// The prediction for a path that ended in this state.
pub(crate) fn prediction(program: &Program, state: &State, end: &End) -> Prediction {
    let trace = &state.trace;
    Prediction { end: expected(program, end), branches: trace.count(), hash: trace.hash(), log: trace.log() }
}

/// How the native program must end.
fn expected(program: &Program, end: &End) -> Expected {
    match end {
        End::Exit(status) => Expected::Exit(*status),
        End::Assumed => Expected::Assumed,
        End::Ignored(kind) => Expected::Ignored { what: kind.name().to_string() },
        End::Limit(limit) => Expected::Limit { what: limit.name().to_string() },
        End::Unsupported(what) => Expected::Unsupported { what: what.what.clone() },
        End::Bug(bug) => {
            let (file, line) = file_line(program, innermost_user(program, &bug.stack));
            Expected::Bug { kind: bug.kind.name().to_string(), file, line, message: bug.message.clone() }
        }
    }
}

#[cfg(test)]
mod tests {
    use secateur_machine::{Bug, BugKind};
    use secateur_program::{FuncId, LocId};

    use super::*;
    use crate::place::tests::program;

    #[test]
    fn a_bug_is_expected_where_it_is_reported() {
        let stack = vec![(FuncId(0), LocId(4)), (FuncId(1), LocId(3))];
        let bug = Bug { kind: BugKind::NullPointer, message: "read of 1 byte".to_string(), stack };
        let expected = expected(&program(), &End::Bug(Box::new(bug)));
        let (kind, message) = ("null-pointer".to_string(), "read of 1 byte".to_string());
        assert_eq!(expected, Expected::Bug { kind, file: "a.c".to_string(), line: 9, message });
    }
}
