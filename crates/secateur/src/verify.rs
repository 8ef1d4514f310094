//! `secateur verify`: explores everything and gives a verdict.

use secateur_campaign::Verify;
use secateur_machine::{BugKind, Uninit};
use secateur_suite::summary::Verdict;

use crate::args::{RunArgs, VerifyArgs};
use crate::prune::Pruning;
use crate::{BUG_FOUND, DONE, Failure, UNKNOWN, run};

pub(crate) fn verify(args: VerifyArgs) -> Result<u8, Failure> {
    run::run(options_of_run(args))
}

/// `verify` as `run` with other defaults.
pub(crate) fn options_of_run(args: VerifyArgs) -> RunArgs {
    let VerifyArgs { keep_going, tests, mut run } = args;
    if run.exploration.prune.is_empty() && !run.output.all_tests {
        run.exploration.prune = vec![Pruning::Lookahead { bugs: true }, Pruning::Interpolation];
        // Tests cover what paths cover, and a proof leaves paths out.
        if !tests {
            run.exploration.prune.push(Pruning::Invariants);
        }
    }
    run.output.no_tests = !tests && !run.output.all_tests;
    run.verify = Some(VerifyChoice { keep_going });
    run
}

/// What the user chose for `verify` alone.
#[derive(Clone, Copy)]
pub(crate) struct VerifyChoice {
    pub keep_going: bool,
}

/// The exit code of a verdict.
pub(crate) fn exit_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Verified => DONE,
        Verdict::Bug => BUG_FOUND,
        Verdict::Unknown => UNKNOWN,
    }
}

/// How the campaign verifies, if it does.
pub(crate) fn options(args: &RunArgs, max_len: Option<u32>, checks: &[BugKind]) -> Option<Verify> {
    let VerifyChoice { keep_going } = args.verify?;
    Some(Verify { keep_going, scope: scope(args, max_len, checks) })
}

/// What the verdict is restricted to by the arguments, a sentence each.
pub(crate) fn scope(args: &RunArgs, max_len: Option<u32>, checks: &[BugKind]) -> Vec<String> {
    let mut scope = Vec::new();
    scope.extend(check_scope(checks));
    if args.exploration.uninit == Uninit::Zero && !checks.contains(&BugKind::Uninitialised) {
        scope.push("memory that was never written is zero (--uninit zero)".to_string());
    }
    if args.input.entry.is_some() {
        scope.push(unit_scope(args));
    } else if let Some(max_len) = max_len {
        scope.push(format!("data of at most {max_len} bytes (--max-len)"));
    }
    scope.push(environment(args));
    scope
}

/// Which checks are on, unless all are.
fn check_scope(checks: &[BugKind]) -> Option<String> {
    let names = |on: bool| {
        let kinds = BugKind::ALL.iter().filter(move |kind| checks.contains(kind) == on);
        kinds.map(|kind| kind.name()).collect::<Vec<_>>()
    };
    let (on, off) = (names(true), names(false));
    match (on.len(), off.len()) {
        (_, 0) => None,
        (0, _) => Some("nothing is checked".to_string()),
        (few, many) if few < many => Some(format!("checked: only {}", on.join(", "))),
        _ => Some(format!("not checked: {}", off.join(", "))),
    }
}

/// The bounds of what a single function is given.
fn unit_scope(args: &RunArgs) -> String {
    let unit = args.input.unit.options("");
    let pointers = if unit.non_null { "pointers that are not NULL, to" } else { "pointers to" };
    let globals = match &args.input.unit.sym_globals {
        None => "global variables at their initial values".to_string(),
        Some(names) if names.is_empty() => "any values of global variables".to_string(),
        Some(names) => format!("any values of {}, other global variables at their initial values", names.join(", ")),
    };
    format!(
        "{pointers} {} elements (--array-len), strings of at most {} characters (--str-len), chains of at most {} \
         pointers (--pointer-depth), {globals}",
        unit.array_len, unit.str_len, unit.pointer_depth
    )
}

/// What the program gets from outside.
fn environment(args: &RunArgs) -> String {
    let input = &args.input;
    let mut parts: Vec<String> = input.args.iter().map(|text| format!("the argument `{text}`")).collect();
    for group in input.sym_args.chunks_exact(3) {
        parts.push(format!("{} to {} arguments of at most {} characters", group[0], group[1], group[2]));
    }
    if parts.is_empty() {
        parts.push("no arguments".to_string());
    }
    parts.push(match input.sym_stdin {
        Some(size) => format!("standard input of {size} bytes"),
        None => "an empty standard input".to_string(),
    });
    for file in input.sym_file.chunks_exact(2) {
        parts.push(format!("the file `{}` of {} bytes", file[0], file[1]));
    }
    for file in &input.files {
        parts.push(format!("the content of `{file}`"));
    }
    for variable in input.sym_env.chunks_exact(2) {
        parts.push(format!("the variable `{}` of at most {} characters", variable[0], variable[1]));
    }
    if input.fail_calls > 0 {
        parts.push(format!("at most {} failing calls", input.fail_calls));
    }
    if input.sym_time {
        parts.push("any time".to_string());
    }
    if input.sym_ids {
        parts.push("any process, user and host".to_string());
    }
    parts.join(", ")
}
