//! The command `secateur verify`: its output, its exit codes, and each reason why a verdict is UNKNOWN.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use serde_json::Value;
use workbench::{Done, ENDLESS, Workbench};

/// No input fails the assertion.
const HOLDS: &str = r#"#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), count = 0;
  if (n > 3)
    count++;
  if (n > 5)
    count++;
  assert(count <= 2);
  return 0;
}
"#;

/// Requests come for ever, in far more than a million states. What holds in all of them is simple.
const POOLS: &str = r#"#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);

struct pool {
  int used, left;
};

static struct pool first = {0, 100}, second = {0, 100}, third = {0, 100};

static void step(struct pool *pool, int take) {
  if (take && pool->left > 0) {
    pool->left--;
    pool->used++;
  } else if (!take && pool->used > 0) {
    pool->used--;
#ifdef BUG
    if (pool->used != 2)
#endif
      pool->left++;
  }
  assert(pool->used >= 0 && pool->used + pool->left == 100);
}

int main(void) {
  for (;;) {
    int take = __VERIFIER_nondet_uchar() & 1;
    switch (__VERIFIER_nondet_uchar()) {
    case 0:
      step(&first, take);
      break;
    case 1:
      step(&second, take);
      break;
    default:
      step(&third, take);
    }
  }
}
"#;

/// Two assertions, each of which fails for one input.
const TWO_BUGS: &str = r#"#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n != 77);
  assert(n != 99);
  return 0;
}
"#;

/// Depends on addresses: in the native program, the two variables are close to each other. The second bug is real.
const FALSE_BUG: &str = r#"#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static char one[8], two[8];
int main(void) {
#ifdef REAL
  if (__VERIFIER_nondet_int() == 5)
    __builtin_trap();
#endif
  if (labs((long)one - (long)two) > 1000000 && __VERIFIER_nondet_int() == 4)
    abort();
  return 0;
}
"#;

/// Verifies a program; returns what was printed and the summary.
fn verify(text: &str, args: &[&str]) -> (Done, Value) {
    let bench = Workbench::new();
    bench.write("prog.c", text);
    let done = bench.secateur(&[&["verify", "prog.c"], args].concat());
    assert!(done.code.is_some_and(|code| [0, 10, 20].contains(&code)), "{done}");
    (done, bench.json("secateur-out/summary.json"))
}

/// Verifies a program of which nothing is known in the end, for this reason, at this line.
fn check_unknown(text: &str, args: &[&str], (what, why, line): (&str, &str, u64)) {
    let (done, summary) = verify(text, args);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(20), Some("UNKNOWN")), "{done}");
    assert_eq!((&summary["verdict"], &summary["complete"]), (&"UNKNOWN".into(), &(what == "unconfirmed").into()));
    let reasons = summary["reasons"].as_array().expect("a list of reasons");
    let is_it = |reason: &&Value| {
        reason["what"] == what
            && reason["why"].as_str().is_some_and(|text| text.contains(why))
            && reason["line"] == line
    };
    let reason = reasons.iter().find(is_it).unwrap_or_else(|| panic!("no reason {what}: {why}: {reasons:?}"));
    assert!(reason["paths"].as_u64().is_some_and(|paths| paths > 0), "{reason}");
    let (file, function) = if line > 0 { ("prog.c", "main") } else { ("", "") };
    assert_eq!((&reason["file"], &reason["function"]), (&file.into(), &function.into()), "{reason}");
    assert!(done.stdout.contains(&format!("{} (", reason["why"].as_str().unwrap_or_default())), "{done}");
}

#[test]
fn a_program_without_a_bug_is_verified() {
    let (done, summary) = verify(HOLDS, &[]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(0), Some("VERIFIED")), "{done}");
    assert_eq!(summary["verdict"], "VERIFIED");
    assert!(summary.get("reasons").is_none(), "{summary}");
    assert_eq!(summary["options"]["search"], serde_json::json!(["dfs"]));
    assert_eq!(summary["options"]["prune"], serde_json::json!(["lookahead", "interpolation", "invariants"]));
    assert_eq!(summary["options"]["uninit"], "any");
    assert_eq!(summary["tests"], 0, "tests are written on request");
    let (done, summary) = verify(HOLDS, &["--tests", "--prune", "none"]);
    assert_eq!((done.code, &summary["options"]["prune"]), (Some(0), &serde_json::json!(["none"])), "{done}");
    assert!(summary["tests"].as_u64() > Some(0));
}

#[test]
fn an_endless_loop_is_proved_by_an_invariant() {
    let (done, summary) = verify(POOLS, &["--jobs", "1"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(0), Some("VERIFIED")), "{done}");
    assert!(done.stdout.contains("every path was explored, or shown to have no bug"), "{done}");
    assert_eq!(summary["complete"], true);
    let without = ["--jobs", "1", "--prune", "lookahead,interpolation", "--max-paths", "300"];
    let (done, _) = verify(POOLS, &without);
    assert_eq!(done.code, Some(20), "too many states for any other way: {done}");
    let (done, _) = verify(POOLS, &["--jobs", "1", "-DBUG"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(10), Some("BUG")), "{done}");
}

#[test]
fn invariants_belong_to_verify() {
    let bench = Workbench::new();
    bench.write("prog.c", HOLDS);
    let done = bench.secateur(&["run", "prog.c", "--prune", "interpolation,invariants"]);
    assert!(done.code == Some(1) && done.stderr.contains("works with `secateur verify` only"), "{done}");
    let done = bench.secateur(&["verify", "prog.c", "--prune", "invariants"]);
    assert!(done.code == Some(1) && done.stderr.contains("`invariants` needs `interpolation`"), "{done}");
}

#[test]
fn the_first_bug_ends_it() {
    // Two workers may find both at once.
    let (done, summary) = verify(TWO_BUGS, &["--jobs", "1"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(10), Some("BUG")), "{done}");
    assert_eq!((&summary["verdict"], &summary["stopped"]), (&"BUG".into(), &"bug found".into()));
    let bugs = summary["bugs"].as_array().unwrap();
    assert_eq!((bugs.len(), &bugs[0]["confirmed"]), (1, &true.into()), "{bugs:?}");
    let (done, summary) = verify(TWO_BUGS, &["--keep-going"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(10), Some("BUG")), "{done}");
    assert_eq!((summary["bugs"].as_array().map(Vec::len), &summary["stopped"]), (Some(2), &"finished".into()));
}

/// A bug that the native program does not show ends nothing, and alone it is not a verdict.
#[test]
fn an_unconfirmed_bug_is_unknown_unless_another_is_confirmed() {
    check_unknown(FALSE_BUG, &[], ("unconfirmed", "abort is not confirmed natively: ", 10));
    let (done, summary) = verify(FALSE_BUG, &["-DREAL", "--jobs", "1"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(10), Some("BUG")), "{done}");
    assert!(summary["bugs"].as_array().is_some_and(|bugs| bugs.iter().any(|bug| bug["confirmed"] == true)));
}

#[test]
fn a_bug_that_is_not_checked_is_unknown() {
    let (done, summary) = verify(TWO_BUGS, &["--no-confirm", "--jobs", "1"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(20), Some("UNKNOWN")), "{done}");
    let reason = &summary["reasons"][0];
    assert!(reason["what"] == "unchecked" && (reason["line"] == 5 || reason["line"] == 6), "{reason}");
}

#[test]
fn a_loop_that_was_still_unrolling_is_named() {
    // Every byte is tried by itself; nothing is pruned, so the loop is not done after a few paths.
    let args = ["--prune", "none", "--max-paths", "10"];
    check_unknown(ENDLESS, &args, ("pending", "not tried: the loop of line 6 was still unrolling", 7));
    check_unknown(ENDLESS, &args, ("stopped", "stopped at the limit of paths (--max-paths)", 0));
}

#[test]
fn a_path_that_never_ends_reaches_a_limit() {
    let text = "int main(void) {\n  volatile int i = 0;\n  while (i == 0)\n    ;\n  return 0;\n}\n";
    let reason = ("limit", "a path reached the limit --max-instructions in the loop of line 3", 3);
    check_unknown(text, &["--max-instructions", "10000"], reason);
    check_unknown(text, &["--max-time", "200ms"], ("running", "a path was stopped half-way in the loop of line 3", 3));
    check_unknown(text, &["--max-time", "200ms"], ("stopped", "stopped at the time limit (--max-time)", 0));
}

#[test]
fn what_is_unsupported_is_named() {
    let text = "int outside(int);\nint main(void) {\n  return outside(1);\n}\n";
    check_unknown(text, &[], ("unsupported", "unsupported: external function `outside`", 3));
}

#[test]
fn what_the_solver_gives_up_is_named() {
    let text = "unsigned long __VERIFIER_nondet_ulong(void);\nint main(void) {\n  \
                unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n  \
                if (a > 1 && b > 1 && a < 1ul << 32 && b < 1ul << 32 && a * b == 18446744030759878681ul)\n    \
                return 1;\n  return 0;\n}\n";
    let args = ["--solver-rungs", "smt", "--solver-timeout", "1ms"];
    check_unknown(text, &args, ("solver", "the solver gave up (--solver-timeout gives it more time)", 4));
}

#[test]
fn what_was_given_up_is_named() {
    let fixed = "#include <klee/klee.h>\nint main(void) {\n  int x = klee_int(\"x\");\n  \
                 return klee_get_value_i32(x) & 1;\n}\n";
    check_unknown(fixed, &[], ("given-up", "klee_get_value fixed one of several values", 4));
    let unwritten = "int main(void) {\n  volatile int x;\n  if (x)\n    return 1;\n  return 0;\n}\n";
    check_unknown(unwritten, &["--uninit", "zero"], ("given-up", "read as zero", 3));
    let (done, summary) = verify(unwritten, &[]);
    assert_eq!(
        (done.code, &summary["verdict"], &summary["paths"]["completed"]),
        (Some(0), &"VERIFIED".into(), &2.into())
    );
    let (done, summary) = verify(unwritten, &["--check", "uninit", "--uninit", "any"]);
    assert_eq!((done.code, &summary["bugs"][0]["kind"]), (Some(10), &"uninitialised".into()), "{done}");
}

#[test]
fn checks_that_are_off_and_fail_are_named() {
    let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int d = __VERIFIER_nondet_int();\n  \
                return 12 / d;\n}\n";
    check_unknown(
        text,
        &["--check", "none,abort"],
        ("check-off", "`division-by-zero` fails here, and is switched off", 4),
    );
    // The input of zeros does not fail; another would.
    let other = text.replace("12 / d", "12 / (d - 3)");
    check_unknown(&other, &["--check", "none,abort"], ("check-off", "`division-by-zero` may fail here", 4));
    let (done, _) = verify(HOLDS, &["--check", "none,assertion"]);
    assert!(done.stdout.contains("\n  scope     checked: only assertion\n"), "{done}");
}

#[test]
fn what_a_pruner_loses_is_named() {
    let text = "int __VERIFIER_nondet_int(void);\nint f(int x) { return x > 2; }\nint main(void) {\n  \
                return f(__VERIFIER_nondet_int());\n}\n";
    let text = text.replace("return x > 2;", "if (x > 2) return 1; return 0;");
    let bench = Workbench::new();
    bench.write("prog.c", text);
    let done = bench.secateur(&["verify", "prog.c", "--prune", "max-call-depth=0"]);
    assert_eq!(done.code, Some(20), "{done}");
    let reason = &bench.json("secateur-out/summary.json")["reasons"][0];
    assert_eq!((&reason["what"], &reason["line"], &reason["function"]), (&"pruned".into(), &2.into(), &"f".into()));
}

#[test]
fn the_scope_states_the_bounds() {
    let (done, summary) = verify(HOLDS, &["--sym-stdin", "4", "--sym-args", "0", "2", "3"]);
    assert_eq!(done.code, Some(0), "{done}");
    let scope = summary["scope"].as_array().unwrap();
    assert_eq!(scope.last().unwrap(), "0 to 2 arguments of at most 3 characters, standard input of 4 bytes");
    let text = "int f(int *p) {\n  return p ? *p : 0;\n}\n";
    let (done, _) = verify(text, &["--entry", "f", "--array-len", "3"]);
    assert!(done.stdout.contains("scope     pointers to 3 elements (--array-len)"), "{done}");
}

#[test]
fn nothing_symbolic_is_one_path() {
    let (done, _) = verify("int main(void) {\n  return 3;\n}\n", &[]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(0), Some("VERIFIED")), "{done}");
    assert!(done.stdout.contains("nothing in this program is symbolic"), "{done}");
}

#[test]
fn each_function_has_a_verdict() {
    let bench = Workbench::new();
    bench.write("lib.c", "int half(int x) {\n  return x / 2;\n}\nint ratio(int x, int y) {\n  return x / y;\n}\n");
    let done = bench.secateur(&["verify", "lib.c", "--each-function"]);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(10), Some("BUG")), "{done}");
    let functions = &bench.json("secateur-out/functions.json")["functions"];
    assert_eq!(
        (&functions[0]["verdict"], &functions[1]["verdict"]),
        (&"VERIFIED".into(), &"BUG".into()),
        "{functions}"
    );
}

/// Machines read the summary, scripts the exit code.
#[test]
fn the_verdict_is_in_the_json_and_in_the_exit_code() {
    let bench = Workbench::new();
    bench.write("prog.c", HOLDS);
    let done = bench.secateur(&["verify", "prog.c", "--json"]);
    let summary: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((done.code, &summary["verdict"]), (Some(0), &"VERIFIED".into()), "{done}");
    let done = bench.secateur(&["verify", "prog.c", "--quiet"]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), ""), "{done}");
    let done = bench.secateur(&["run", "prog.c", "--json"]);
    let summary: Value = serde_json::from_str(&done.stdout).unwrap();
    assert!(summary.get("verdict").is_none(), "{summary}");
}
