//! Whether a native run did what was predicted.

use super::evidence;
use super::report::Verdict;
use super::run::{NativeEnd, NativeRun};
use crate::code_map::CodeMap;
use crate::prediction::{Expected, Prediction, Trace};
use std::collections::HashSet;

/// Compares the branches first: the end of a run that left the predicted path means nothing.
///
/// A path that ends in a bug may continue natively, since the behaviour is undefined, and the program continues where
/// the engine gave up. Then the predicted branches must be a prefix of the native ones.
pub(super) fn compare(prediction: &Prediction, run: &NativeRun, code: &CodeMap) -> Verdict {
    if let Some(verdict) = compare_branches(prediction, run, code) {
        return verdict;
    }
    if run.trace.count < prediction.branches && !is_stack_overflow(&prediction.end) {
        return match misfit(run) {
            Some(message) => Verdict::Misfit(message),
            None => Verdict::Short {
                branches: run.trace.count,
                predicted: prediction.branches,
                end: run.to_string(),
                expected: prediction.end.to_string(),
            },
        };
    }
    compare_ends(prediction, run)
}

/// What is said of a test that did not do what was predicted, after it was run once more: if that run took other
/// branches than the first one, no prediction could have been right.
pub(super) fn compare_again(verdict: Verdict, first: &NativeRun, second: &NativeRun, code: &CodeMap) -> Verdict {
    let (one, two) = (&first.trace, &second.trace);
    if matches!(first.end, NativeEnd::TimeOut) || matches!(second.end, NativeEnd::TimeOut) {
        return verdict;
    }
    if (one.count, one.hash) == (two.count, two.hash) {
        return verdict;
    }
    let index = (0..one.count.max(two.count)).find(|index| one.branch(*index) != two.branch(*index));
    let branch = index.and_then(|index| one.branch(index).or(two.branch(index)));
    let branch = branch.and_then(|(number, _)| code.native_branch(number));
    Verdict::Unsteady { place: code.describe(branch.and_then(|branch| branch.place)) }
}

/// The first branch that is not as predicted, if there is one.
fn compare_branches(prediction: &Prediction, run: &NativeRun, code: &CodeMap) -> Option<Verdict> {
    let trace = &run.trace;
    let diverged = |index: u64, predicted: &str, took: &str| {
        let branch = trace.branch(index).and_then(|(number, _)| code.native_branch(number));
        let place = code.describe(branch.and_then(|branch| branch.place));
        Some(Verdict::Diverged { index, place, predicted: predicted.into(), took: took.into() })
    };
    let both = trace.count.min(prediction.branches);
    for index in 0..both {
        // Both logs have the same limit.
        let (Some(predicted), Some((number, took))) = (prediction.bit(index), trace.branch(index)) else { break };
        if predicted != took {
            let branch = code.native_branch(number);
            if let Some(branch) = branch.filter(|branch| branch.by_address) {
                return Some(Verdict::OrderOfAddresses { place: code.describe(branch.place) });
            }
            let outcomes = branch.map_or(2, |branch| branch.outcomes);
            let word = |bit| match (outcomes, bit) {
                (3.., _) => "another case",
                (_, true) => "true",
                (_, false) => "false",
            };
            return diverged(index, word(predicted), word(took));
        }
    }
    let whole = matches!(prediction.end, Expected::Exit(_) | Expected::Assumed);
    if whole && trace.count > prediction.branches {
        return diverged(prediction.branches, &prediction.end.to_string(), "a further branch");
    }
    (hash_after(run, prediction.branches, code)? != prediction.hash).then_some(Verdict::OtherBranches)
}

/// The hash of the first branches of the run. If the run took more, the hash is known only if all of them are logged
/// and have two sides: the log does not distinguish the cases of a switch.
fn hash_after(run: &NativeRun, branches: u64, code: &CodeMap) -> Option<u64> {
    if run.trace.count == branches {
        return Some(run.trace.hash);
    }
    let two_sided: HashSet<u32> =
        code.branches.iter().filter(|branch| branch.outcomes <= 2).filter_map(|branch| branch.native).collect();
    let mut trace = Trace::default();
    for index in 0..branches {
        let (number, side) = run.trace.branch(index).filter(|(number, _)| two_sided.contains(number))?;
        trace.record(number, u32::from(side));
    }
    Some(trace.hash())
}

fn compare_ends(prediction: &Prediction, run: &NativeRun) -> Verdict {
    let wrong = || Verdict::WrongEnd { predicted: prediction.end.to_string(), got: run.to_string() };
    match &prediction.end {
        // Where the engine gave up, there is no end to compare.
        Expected::Unsupported { .. } | Expected::Ignored { .. } | Expected::Limit { .. } => {
            Verdict::Ok { end: prediction.end.to_string(), evidence: None }
        }
        Expected::Exit(code) => match run.end {
            NativeEnd::Exit(status) if run.report.is_none() && status == code & 0xff => ok(prediction, None),
            _ => misfit(run).map_or_else(wrong, Verdict::Misfit),
        },
        Expected::Assumed => match run.end {
            NativeEnd::Exit(EXIT_ASSUMED) if run.report.is_none() => ok(prediction, None),
            _ => misfit(run).map_or_else(wrong, Verdict::Misfit),
        },
        Expected::Bug { kind, .. } if evidence::shows(kind, run) => ok(prediction, Some(run.to_string())),
        Expected::Bug { .. } => misfit(run).map_or_else(wrong, Verdict::Misfit),
    }
}

/// The statuses with which the replay library ends a run; they are those of `replay.h`.
const EXIT_MISFIT: i32 = 120;
const EXIT_ASSUMED: i32 = 121;

fn ok(prediction: &Prediction, evidence: Option<String>) -> Verdict {
    Verdict::Ok { end: prediction.end.to_string(), evidence }
}

/// The message of the replay library if the program asked for other input than the test has.
fn misfit(run: &NativeRun) -> Option<String> {
    if run.end != NativeEnd::Exit(EXIT_MISFIT) {
        return None;
    }
    let text = String::from_utf8_lossy(&run.stderr);
    text.lines().rev().find_map(|line| line.strip_prefix("secateur: the test does not fit: ")).map(Into::into)
}

/// The engine and the system have different stack limits, so either may stop first.
fn is_stack_overflow(end: &Expected) -> bool {
    matches!(end, Expected::Bug { kind, .. } if kind == "stack-overflow")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::tests::small_map;
    use crate::replay::trace::NativeTrace;

    fn predict(branches: &[(u32, u32)], end: Expected) -> Prediction {
        let mut trace = Trace::default();
        for (number, outcome) in branches {
            trace.record(*number, *outcome);
        }
        trace.ends(end)
    }

    fn native(branches: &[(u32, u32)], end: NativeEnd) -> NativeRun {
        NativeRun { end, report: None, trace: NativeTrace::of(branches), stdout: vec![], stderr: vec![] }
    }

    fn bug(kind: &str) -> Expected {
        Expected::Bug { kind: kind.into(), file: "a.c".into(), line: 2, message: "m".into() }
    }

    #[track_caller]
    fn check(prediction: &Prediction, run: &NativeRun, expected: &str) {
        assert_eq!(compare(prediction, run, &small_map()).to_string(), expected);
    }

    #[test]
    fn exits() {
        let path = [(0, 1), (1, 2)];
        let exit = |code| predict(&path, Expected::Exit(code));
        check(&exit(3), &native(&path, NativeEnd::Exit(3)), "ok exit 3");
        check(&exit(259), &native(&path, NativeEnd::Exit(3)), "ok exit 3");
        check(&exit(3), &native(&path, NativeEnd::Exit(0)), "WRONG END: predicted exit 3, got exit 0");
        check(&exit(3), &native(&path, NativeEnd::Signal(6)), "WRONG END: predicted exit 3, got abort");
        let reported = NativeRun { report: Some("X".into()), ..native(&path, NativeEnd::Exit(3)) };
        check(&exit(3), &reported, "WRONG END: predicted exit 3, got X");
    }

    #[test]
    fn branches() {
        let exit = |path: &[(u32, u32)]| predict(path, Expected::Exit(0));
        let end = NativeEnd::Exit(0);
        check(&exit(&[(0, 1)]), &native(&[(0, 0)], end), "DIVERGED at a.c:2: predicted true, took false (branch 1)");
        check(
            &exit(&[(0, 1), (1, 1)]),
            &native(&[(0, 1), (1, 2)], end),
            "DIVERGED at b.c:8: predicted another case, took another case (branch 2)",
        );
        check(
            &exit(&[(1, 0)]),
            &native(&[(1, 2)], end),
            "DIVERGED: the sides are as predicted, but of other branches or cases",
        );
        check(
            &exit(&[]),
            &native(&[(0, 1)], end),
            "DIVERGED at a.c:2: predicted exit 0, took a further branch (branch 1)",
        );
        check(
            &exit(&[(0, 1), (1, 1)]),
            &native(&[(0, 1)], end),
            "WRONG END: predicted exit 0 after 2 branches, got exit 0 after 1",
        );
    }

    #[test]
    fn the_order_of_addresses_is_not_predicted() {
        let mut map = small_map();
        map.branches.iter_mut().for_each(|branch| branch.by_address = true);
        let exit = predict(&[(0, 1)], Expected::Exit(0));
        let verdict = compare(&exit, &native(&[(0, 0)], NativeEnd::Exit(0)), &map);
        assert_eq!(verdict.to_string(), "ADDRESSES at a.c:2: which of two objects comes first in memory decides");
    }

    #[test]
    fn runs_that_differ() {
        let again = |first: &[(u32, u32)], second: &[(u32, u32)]| {
            let end = NativeEnd::Exit(0);
            let verdict = Verdict::OtherBranches;
            compare_again(verdict, &native(first, end), &native(second, end), &small_map()).to_string()
        };
        assert_eq!(again(&[(0, 1), (1, 0)], &[(0, 0)]), "UNSTEADY at a.c:2: each run takes other branches");
        assert_eq!(again(&[(0, 1)], &[(0, 1), (1, 0)]), "UNSTEADY at b.c:8: each run takes other branches");
        assert_eq!(again(&[(0, 1)], &[(0, 1)]), Verdict::OtherBranches.to_string());
    }

    #[test]
    fn misfits() {
        let run = NativeRun {
            stderr: b"noise\nsecateur: the test does not fit: no object is left\n".to_vec(),
            ..native(&[], NativeEnd::Exit(EXIT_MISFIT))
        };
        check(&predict(&[], Expected::Exit(0)), &run, "MISFIT: no object is left");
        check(&predict(&[(0, 1)], bug("abort")), &run, "MISFIT: no object is left");
        check(&predict(&[], Expected::Exit(EXIT_MISFIT)), &run, "ok exit 120");
    }

    #[test]
    fn bugs_need_evidence_and_may_continue() {
        let path = [(0, 1)];
        let longer = [(0, 1), (0, 0)];
        let abort = predict(&path, bug("abort"));
        check(&abort, &native(&path, NativeEnd::Signal(libc::SIGABRT)), "ok abort at a.c:2 (abort)");
        check(&abort, &native(&longer, NativeEnd::Signal(libc::SIGABRT)), "ok abort at a.c:2 (abort)");
        check(&abort, &native(&path, NativeEnd::Exit(0)), "WRONG END: predicted abort at a.c:2, got exit 0");
        let other = native(&[(7, 1), (0, 0)], NativeEnd::Signal(libc::SIGABRT));
        check(&abort, &other, "ok abort at a.c:2 (abort)");
        let elsewhere = predict(&[(3, 1)], bug("abort"));
        let run = native(&longer, NativeEnd::Signal(libc::SIGABRT));
        check(&elsewhere, &run, "DIVERGED: the sides are as predicted, but of other branches or cases");
        let deep = predict(&longer, bug("stack-overflow"));
        check(
            &deep,
            &native(&path, NativeEnd::Signal(libc::SIGSEGV)),
            "ok stack-overflow at a.c:2 (segmentation fault)",
        );
    }

    #[test]
    fn assumptions_and_unfinished_paths() {
        let path = [(0, 1)];
        check(
            &predict(&path, Expected::Assumed),
            &native(&path, NativeEnd::Exit(EXIT_ASSUMED)),
            "ok ended by an assumption",
        );
        check(
            &predict(&path, Expected::Assumed),
            &native(&path, NativeEnd::Exit(0)),
            "WRONG END: predicted ended by an assumption, got exit 0",
        );
        let unsupported = predict(&path, Expected::Unsupported { what: "fork".into() });
        check(&unsupported, &native(&[(0, 1), (1, 1)], NativeEnd::Enough), "ok unsupported (fork)");
        check(
            &unsupported,
            &native(&[], NativeEnd::Exit(1)),
            "WRONG END: predicted unsupported (fork) after 1 branches, got exit 1 after 0",
        );
    }
}
