//! What a native run must show for a predicted bug, and how the program must be compiled for it to show.
//!
//! A sanitizer detects a bug differently from the engine, so several reports may denote the same bug: a read far beyond
//! an object can land in the red zone of its neighbour, in freed memory, or on no page at all. The direction of an
//! access is not compared: a copy whose source and destination are both too short is reported for either.

use super::build::Build;
use super::run::{NativeEnd, NativeRun};
use crate::Expected;

/// How the program must be compiled for a test with this end.
pub(super) fn build_for(expected: &Expected) -> Build {
    match expected {
        Expected::Bug { kind, .. } if kind == "uninitialised" => Build::Memory,
        Expected::Bug { kind, .. } if kind == "stack-overflow" => Build::Plain,
        _ => Build::Address,
    }
}

/// Whether the leak check must run at exit. It is off otherwise, because not every leak is predicted.
pub(super) fn wants_leaks(expected: &Expected) -> bool {
    matches!(expected, Expected::Bug { kind, .. } if kind == "leak")
}

/// Whether the run shows a bug of this kind.
pub(super) fn shows(kind: &str, run: &NativeRun) -> bool {
    let Some(accepted) = ACCEPTED.iter().find(|accepted| accepted.kind == kind) else { return false };
    if let Some(report) = &run.report {
        return accepted.reports.iter().any(|text| report.contains(text));
    }
    let NativeEnd::Signal(signal) = run.end else { return accepted.silent };
    let said = |text: &&str| run.stderr.windows(text.len()).any(|window| window == text.as_bytes());
    accepted.signals.contains(&signal) && (accepted.says.is_empty() || accepted.says.iter().any(said))
}

struct Accepted {
    kind: &'static str,
    /// Parts of sanitizer reports, one of which must occur if there is a report.
    reports: &'static [&'static str],
    /// Signals, one of which must end the run if there is no report.
    signals: &'static [i32],
    /// What the program must print to standard error beside the signal; empty if nothing.
    says: &'static [&'static str],
    /// The run may also continue without any sign.
    silent: bool,
}

const CRASH: &[i32] = &[libc::SIGSEGV, libc::SIGBUS];
const STOP: &[i32] = &[libc::SIGABRT, libc::SIGILL, libc::SIGTRAP];
const FREE: &[&str] = &[
    "attempting double-free",
    "attempting free on address which was not malloc()-ed",
    "heap-use-after-free",
    "bad-malloc_usable_size",
    "SEGV",
];
const BOUNDS: &[&str] = &[
    "buffer-overflow",
    "buffer-underflow",
    "container-overflow",
    "use-after-free",
    "use-after-poison",
    "use-after-return",
    "use-after-scope",
    "negative-size-param",
    "unknown-crash",
    "SEGV",
    "BUS",
];

const fn accepted(kind: &'static str, reports: &'static [&'static str], signals: &'static [i32]) -> Accepted {
    Accepted { kind, reports, signals, says: &[], silent: false }
}

const ACCEPTED: &[Accepted] = &[
    Accepted { says: &["Assertion", "assertion"], ..accepted("assertion", &[], &[libc::SIGABRT]) },
    accepted("abort", &[], STOP),
    Accepted {
        says: &["secateur: reach_error", "secateur: report_error", "Assertion", "assertion"],
        ..accepted("reach-error", &[], &[libc::SIGABRT])
    },
    accepted("out-of-bounds-read", BOUNDS, CRASH),
    accepted("out-of-bounds-write", BOUNDS, CRASH),
    accepted("read-only-write", &["SEGV", "BUS"], CRASH),
    accepted("null-pointer", &["SEGV", "null pointer", "negative-size-param"], CRASH),
    accepted("use-after-free", &["heap-use-after-free", "attempting double-free", "SEGV"], CRASH),
    accepted("double-free", FREE, &[libc::SIGABRT, libc::SIGSEGV]),
    accepted("invalid-free", FREE, &[libc::SIGABRT, libc::SIGSEGV]),
    accepted("dead-stack", BOUNDS, CRASH),
    // A call with another type than the function's works on many machines, this one included.
    Accepted {
        silent: true,
        ..accepted(
            "bad-call",
            &["SEGV", "BUS", "ILL", "incorrect function type"],
            &[libc::SIGSEGV, libc::SIGBUS, libc::SIGILL],
        )
    },
    accepted("division-by-zero", &["FPE", "division by zero"], &[libc::SIGFPE]),
    accepted("division-overflow", &["FPE", "runtime error: division of"], &[libc::SIGFPE]),
    accepted(
        "signed-overflow",
        &["runtime error: signed integer overflow", "runtime error: negation of", "runtime error: division of"],
        &[],
    ),
    accepted("shift-out-of-range", &["runtime error: shift exponent", "runtime error: left shift"], &[]),
    accepted("undefined-behaviour", &["runtime error: "], &[]),
    Accepted {
        says: &["secateur: unreachable code reached"],
        ..accepted("unreachable", &["runtime error: execution reached"], &[libc::SIGABRT])
    },
    accepted("uninitialised", &["MemorySanitizer: use-of-uninitialized-value"], &[]),
    accepted("leak", &["LeakSanitizer: detected memory leaks"], &[]),
    accepted("stack-overflow", &["stack-overflow"], &[libc::SIGSEGV]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bug::KINDS;
    use crate::replay::trace::NativeTrace;

    fn run(end: NativeEnd, report: Option<&str>, stderr: &str) -> NativeRun {
        let (trace, stdout) = (NativeTrace::default(), Vec::new());
        NativeRun { end, report: report.map(Into::into), trace, stdout, stderr: stderr.into() }
    }

    #[test]
    fn every_kind_has_evidence() {
        let kinds: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
        let accepted: Vec<_> = ACCEPTED.iter().map(|accepted| accepted.kind).collect();
        assert_eq!(kinds, accepted);
    }

    #[test]
    fn a_normal_exit_shows_nothing() {
        for kind in KINDS.iter().filter(|kind| kind.name != "bad-call") {
            assert!(!shows(kind.name, &run(NativeEnd::Exit(0), None, "Assertion")), "{}", kind.name);
            assert!(!shows(kind.name, &run(NativeEnd::TimeOut, None, "")), "{}", kind.name);
        }
        assert!(!shows("no such kind", &run(NativeEnd::Signal(libc::SIGSEGV), None, "")));
    }

    #[test]
    fn some_evidence() {
        let abort = NativeEnd::Signal(libc::SIGABRT);
        assert!(shows("assertion", &run(abort, None, "a.c:3: main: Assertion `0' failed.")));
        assert!(!shows("assertion", &run(abort, None, "")));
        assert!(shows("abort", &run(abort, None, "")));
        let overflow = run(NativeEnd::Exit(86), Some("AddressSanitizer: stack-buffer-overflow"), "");
        assert!(shows("out-of-bounds-read", &overflow));
        assert!(!shows("null-pointer", &overflow));
        assert!(shows("division-by-zero", &run(NativeEnd::Exit(86), Some("AddressSanitizer: FPE"), "")));
        assert!(shows("stack-overflow", &run(NativeEnd::Signal(libc::SIGSEGV), None, "")));
    }
}
