//! The command `secateur reach`: its answers, its exit codes, and what it says about bad input.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use serde_json::Value;
use workbench::{Done, Workbench};

/// The ways to search.
const WAYS: [&str; 3] = ["forward", "backward", "both"];

/// Line 10 needs an overflow, line 15 contradicts itself.
const SMALL: &str = r#"int __VERIFIER_nondet_int(void);
static int hit(int x) {
  return x + 1;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > 100 && y == x * 2) {
    if (y < 50)
      return 3;
    return hit(y);
  }
  if (y > 0) {
    if (y < 0)
      return 7;
  }

  return 0;
}
static void unused(void) {
  hit(1);
}
void *keep = unused;
"#;

fn reach(bench: &Workbench, args: &[&str]) -> Done {
    bench.secateur(&[&["reach", "prog.c", "--cflag=-w", "--out", "out"], args].concat())
}

fn answers(bench: &Workbench) -> Vec<Value> {
    bench.json("out/reach.json")["targets"].as_array().cloned().unwrap_or_default()
}

#[test]
fn each_target_has_its_own_answer() {
    for way in WAYS {
        let bench = Workbench::new();
        bench.write("prog.c", SMALL);
        let targets = ["prog.c:10", "prog.c:15", "hit", "prog.c:8:true", "prog.c:8:false", "prog.c:14:true"];
        let args: Vec<&str> = targets.iter().flat_map(|target| ["--target", target]).collect();
        let done = reach(&bench, &[&args[..], &["--way", way]].concat());
        assert_eq!(done.code, Some(11), "{way}: {}{}", done.stdout, done.stderr);
        let expected = ["reached", "unreachable", "reached", "reached", "reached", "unreachable"];
        for ((target, verdict), answer) in targets.iter().zip(expected).zip(answers(&bench)) {
            assert_eq!(
                (answer["target"].as_str(), answer["verdict"].as_str()),
                (Some(*target), Some(verdict)),
                "{way}"
            );
            assert_eq!(answer["confirmed"] == true, verdict == "reached", "{way}: {answer}");
            assert!(done.stdout.contains(&format!("{target}: {verdict}")), "{}", done.stdout);
        }
        // The tests are ordinary ones.
        assert_eq!(bench.secateur(&["replay", "out"]).code, Some(0));
    }
}

#[test]
fn exit_codes_are_those_of_the_answers() {
    let bench = Workbench::new();
    bench.write("prog.c", SMALL);
    assert_eq!(reach(&bench, &["--target", "hit"]).code, Some(0));
    assert_eq!(reach(&bench, &["--target", "prog.c:15"]).code, Some(11));
    bench.write(
        "prog.c",
        "unsigned __VERIFIER_nondet_uint(void);\nvoid other(void);\nint main(void) {\n  unsigned n = __VERIFIER_nondet_uint();\n  \
         other();\n  if (n == 3)\n    return 1;\n  return 0;\n}\n",
    );
    let done = reach(&bench, &["--target", "prog.c:7"]);
    assert_eq!(done.code, Some(20), "{}", done.stdout);
    assert!(done.stdout.contains("prog.c:5 in main: unsupported: external function `other`"), "{}", done.stdout);
}

#[test]
fn an_error_is_a_target() {
    let bench = Workbench::new();
    let program = |limit: &str| {
        format!(
            "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {{\n  int n = __VERIFIER_nondet_int();\n  \
             if (n > 5)\n    assert(n > {limit});\n  return 0;\n}}\n"
        )
    };
    bench.write("prog.c", program("7"));
    assert_eq!(reach(&bench, &["--error"]).code, Some(0));
    bench.write("prog.c", program("4"));
    assert_eq!(reach(&bench, &["--error"]).code, Some(11));
}

#[test]
fn a_target_behind_a_call_that_may_not_return_is_not_the_call() {
    let bench = Workbench::new();
    bench.write(
        "prog.c",
        "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nstatic void leave(int n) {\n  if (n * 2 != 7)\n    exit(0);\n}\n\
         int main(void) {\n  leave(__VERIFIER_nondet_int());\n  return 1;\n}\n",
    );
    let done = reach(&bench, &["--target", "prog.c:9"]);
    assert_eq!(done.code, Some(11), "{}", done.stdout);
}

#[test]
fn bad_targets_are_one_sentence_and_write_nothing() {
    let bench = Workbench::new();
    bench.write("prog.c", SMALL);
    for (target, expected) in [
        ("prog.c:17", "--target prog.c:17: prog.c:17 has no code; the nearest lines with code are 16 and 18"),
        ("prg.c:10", "--target prg.c:10: no source file is called `prg.c`; did you mean `prog.c`?"),
        ("hitt", "--target hitt: no function is called `hitt`; did you mean `hit`?"),
        ("__VERIFIER_nondet_int", "`__VERIFIER_nondet_int` has no code here"),
        ("prog.c:x", "--target prog.c:x: write FILE:LINE, FILE:LINE:true, FILE:LINE:false or the name of a function"),
        (":3", "--target :3: write FILE:LINE"),
        ("prog.c:6:true", "prog.c:6 has no branch with two sides"),
    ] {
        let done = reach(&bench, &["--target", target]);
        assert_eq!(done.code, Some(1), "{target}: {}", done.stdout);
        assert!(done.stderr.contains(expected), "{target}: {}", done.stderr);
        assert!(!bench.path("out").exists());
    }
    let done = reach(&bench, &[]);
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (Some(1), "secateur: name what to reach with --target, --error, --uncovered or --sarif\n")
    );
}

#[test]
fn the_candidates_of_an_ambiguous_file_are_listed() {
    let bench = Workbench::new();
    for folder in ["a", "b"] {
        std::fs::create_dir(bench.path(folder)).expect("a folder can be made");
        bench.write(&format!("{folder}/part.c"), format!("int {folder}(int x) {{\n  return x + 1;\n}}\n"));
    }
    bench.write("prog.c", "int a(int), b(int);\nint main(void) {\n  return a(1) + b(2);\n}\n");
    let done = bench.secateur(&["reach", "prog.c", "a/part.c", "b/part.c", "--target", "part.c:2"]);
    assert_eq!(done.code, Some(1), "{}", done.stdout);
    assert!(done.stderr.contains("`part.c` may be any of") && done.stderr.contains("a/part.c"), "{}", done.stderr);
    let done = bench.secateur(&["reach", "prog.c", "a/part.c", "b/part.c", "--target", "b/part.c:2"]);
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
}

/// The programs of `bench/reach`: whether each target is reached or unreachable.
#[test]
fn the_bundled_programs_have_their_answers() {
    for (file, define, expected) in [
        ("easy-loop.c", "-DN=10", "r"),
        ("hard-loop.c", "-DN=10", "r"),
        ("narrow.c", "-DN=10", "r"),
        ("dart.c", "-DN=10", "rr"),
        ("trityp.c", "-DN=10", "rrr"),
        ("slicing.c", "-DN=100", "r"),
        ("unreach.c", "-DN=10", "u"),
        ("unreach.c", "-DN=1000", "u"),
    ] {
        let bench = Workbench::new();
        let path = support::root().join("bench/reach").join(file);
        let path = path.to_str().expect("the path is text");
        let mut args = vec!["reach", path, define, "--way", "backward", "--out", "out", "-q"];
        for target in ["target", "target2", "target3"].iter().take(expected.len()) {
            args.extend(["--target", target]);
        }
        let done = bench.secateur(&args);
        assert!(done.stderr.is_empty(), "{file}: {}", done.stderr);
        let answers = answers(&bench);
        let verdicts: String = answers.iter().filter_map(|answer| answer["verdict"].as_str()?.chars().next()).collect();
        assert_eq!(verdicts, expected, "{file}: {}", done.stdout);
        // However many branches come before, those that do not matter are skipped; loops are lifted out.
        let most = 8;
        for answer in answers {
            assert!(answer["segments"].as_u64() <= Some(most), "{file}: {answer}");
        }
    }
}

/// What backward execution defers is found by running inputs: long loops, calls that it does not enter, memory that it
/// does not know, functions like `sin`; and what lies behind several of these.
#[test]
fn what_is_deferred_is_searched_for() {
    for (what, body) in [
        (
            "a long loop",
            "unsigned short n = in();\n  unsigned s = 0;\n  for (unsigned i = 0; i < n; i++) s += i & 3;\n  if (s == 3000)",
        ),
        (
            "two loops",
            "unsigned char n = in(), m = in();\n  unsigned s = 1, t = 0;\n  for (int i = 0; i < n; i++) s += 3;\n  \
             for (int i = 0; i < m; i++) t += s;\n  if (t == 5000)",
        ),
        ("recursion", "unsigned char n = in();\n  if (deep(n) == 171)"),
        ("a call through a pointer", "int (*f)(int) = in() & 1 ? twice : thrice;\n  if (f(in() & 0xffff) == 3333)"),
        (
            "memory",
            "int *p = malloc(40);\n  if (!p) return 0;\n  for (int i = 0; i < 10; i++) p[i] = in() & 0xff;\n  if (p[3] == 77 && p[8] == p[3] + 1)",
        ),
        ("sines", "double x = __VERIFIER_nondet_double();\n  if (sin(x) > 0.9 && sin(x) < 0.91 && cos(x) < 0)"),
    ] {
        let bench = Workbench::new();
        bench.write(
            "prog.c",
            format!(
                "#include <math.h>\n#include <stdlib.h>\nunsigned __VERIFIER_nondet_uint(void);\ndouble __VERIFIER_nondet_double(void);\n\
                 static unsigned in(void) {{ return __VERIFIER_nondet_uint(); }}\nstatic int twice(int x) {{ return 2 * x; }}\n\
                 static int thrice(int x) {{ return 3 * x; }}\nstatic int deep(int n) {{ return n ? n % 3 + deep(n - 1) : 0; }}\n\
                 void goal(void) {{}}\nint main(void) {{\n  {body}\n    goal();\n  return 0;\n}}\n"
            ),
        );
        let done = reach(&bench, &["--target", "goal", "--way", "backward", "--jobs", "1"]);
        assert_eq!(done.code, Some(0), "{what}: {}{}", done.stdout, done.stderr);
        assert_eq!(answers(&bench)[0]["confirmed"], true, "{what}");
        if what == "a long loop" {
            let first = answers(&bench)[0]["evaluations"].clone();
            assert!(first.as_u64() > Some(0));
            reach(&bench, &["--target", "goal", "--way", "backward", "--jobs", "1"]);
            assert_eq!(answers(&bench)[0]["evaluations"], first, "the same in every run");
            let done = reach(&bench, &["--target", "goal", "--way", "backward", "--search-budget", "0"]);
            assert_eq!(done.code, Some(20), "{}", done.stdout);
        }
    }
}

/// What a native run may well do, although no path of ours does: none of it is unreachable.
#[test]
fn what_is_not_known_is_no_proof() {
    let asm = r#"__asm__ volatile("rdrand %0" : "=r"(b) : : "cc")"#;
    for (what, program) in [
        ("inline assembly", format!("int main(void) {{ unsigned b; {asm}; goal(); return 0; }}")),
        (
            "the result of inline assembly",
            format!("int main(void) {{ unsigned b; {asm}; if (b == 77) goal(); return 0; }}"),
        ),
        (
            "a callback of a function that is not linked",
            "void other(void (*)(void)); static void back(void) { goal(); } int main(void) { other(back); return 0; }".into(),
        ),
        (
            "a function that such a one may call by its name",
            "void other(void); void back(void) { goal(); } int main(void) { other(); return 0; }".into(),
        ),
        (
            "a handler of signals",
            "#include <signal.h>\nstatic void back(int s) { (void)s; goal(); } int main(void) { signal(SIGALRM, back); return 0; }".into(),
        ),
        (
            "the order of local variables",
            "static int f(int *x) { int y = 1; if ((long)x < (long)&y) goal(); return y; } int main(void) { int x = 0; return f(&x); }".into(),
        ),
        (
            "the alignment of a local variable",
            "static int read(int *x) { return *x; } int main(void) { int x = 0; if ((long)&x % 4096) goal(); return read(&x); }".into(),
        ),
    ] {
        let bench = Workbench::new();
        bench.write("prog.c", format!("void goal(void) {{}}\n{program}\n"));
        let done = reach(&bench, &["--target", "goal", "--way", "backward", "--max-time", "5s"]);
        assert_ne!(done.code, Some(11), "{what}: {}", done.stdout);
        assert!(matches!(done.code, Some(0 | 20)), "{what}: {}", done.stderr);
    }
}

/// What the proofs must see although it is far away or set elsewhere.
#[test]
fn what_holds_is_seen() {
    for (what, program) in [
        ("the environment", "extern char **environ; int main(void) { if (environ) goal(); return 0; }"),
        (
            "a large global",
            "static char g[5 << 20]; int main(void) { unsigned i = in(); if (i >= sizeof g) return 0; g[4500000] = 7;\n\
             if (i > 100 && g[i] == 7) goal(); return 0; }",
        ),
        (
            "a computed goto",
            "int main(void) { static void *t[] = { &&a, &&b }; unsigned n = in(); if (n > 1) return 0; goto *t[n];\n\
             a: return 1; b: goal(); return 2; }",
        ),
        (
            "a local variable beside another",
            "static void set(int *p, int v) { *p = v; } int main(void) { int a, b; set(&a, in()); set(&b, in());\n\
             if (a == 3 && b == a + 4) goal(); return 0; }",
        ),
    ] {
        let bench = Workbench::new();
        bench.write(
            "prog.c",
            format!(
                "unsigned __VERIFIER_nondet_uint(void);\nstatic unsigned in(void) {{ return __VERIFIER_nondet_uint(); }}\n\
                 void *keep = in;\nvoid goal(void) {{}}\n{program}\n"
            ),
        );
        let done = reach(&bench, &["--target", "goal", "--way", "backward", "--max-time", "20s"]);
        assert_eq!(done.code, Some(0), "{what}: {}{}", done.stdout, done.stderr);
    }
}

/// No bound on rounds is enough, so only induction proves it.
#[test]
fn rounds_of_a_loop_are_proved_by_induction() {
    let bench = Workbench::new();
    // A state machine in memory: keys are counted only once greeted.
    bench.write(
        "prog.c",
        "unsigned char __VERIFIER_nondet_uchar(void);\nstruct machine { int state, keys; };\nvoid goal(void) {}\n\
         static void step(struct machine *m, int kind) {\n  if (kind == 0 && m->state == 0) m->state = 1;\n  \
         if (kind == 1 && m->state == 1) { m->keys++; if (m->keys > 1) goal(); m->state = 2; }\n}\n\
         int main(void) {\n  struct machine m = { 0, 0 };\n  for (int i = 0; i < 1000; i++)\n    \
         step(&m, __VERIFIER_nondet_uchar());\n  return m.keys;\n}\n",
    );
    let done = reach(&bench, &["--target", "goal", "--way", "backward", "--max-time", "20s"]);
    assert_eq!(done.code, Some(11), "{}", done.stdout);
}

#[test]
fn a_loop_that_does_not_matter_for_a_proof_is_not_unrolled() {
    let bench = Workbench::new();
    bench.write(
        "prog.c",
        "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), s = 0, k = __VERIFIER_nondet_int();\n  \
         if (k > 3)\n    return 0;\n  for (int i = 0; i < n; i++)\n    s = s * 7 + i;\n  if (s % 5 == 2 && k > 4)\n    return 1;\n  return 0;\n}\n",
    );
    let done = reach(&bench, &["--target", "prog.c:9", "--way", "backward"]);
    assert_eq!(done.code, Some(11), "{}", done.stdout);
    assert!(answers(&bench)[0]["segments"].as_u64() <= Some(8), "{}", done.stdout);
}

#[test]
fn a_proof_names_the_variables() {
    let bench = Workbench::new();
    bench.write("prog.c", SMALL);
    let done = reach(&bench, &["--target", "prog.c:15", "--way", "backward"]);
    assert_eq!(done.code, Some(11), "{}", done.stdout);
    assert!(done.stdout.contains("it would need: ") && done.stdout.contains('y'), "{}", done.stdout);
}

#[test]
fn sides_that_a_run_left_uncovered_are_targets() {
    let bench = Workbench::new();
    bench.write("prog.c", SMALL);
    assert_eq!(bench.secateur(&["run", "prog.c", "--cflag=-w", "--out", "first", "--max-paths", "1"]).code, Some(0));
    let done = reach(&bench, &["--uncovered", "first"]);
    let answers = answers(&bench);
    let verdict =
        |target: &str| answers.iter().find(|answer| answer["target"] == target).map(|answer| answer["verdict"].clone());
    assert_eq!(done.code, Some(11), "{}{}", done.stdout, done.stderr);
    assert_eq!(verdict("prog.c:8:true"), Some("reached".into()), "{}", done.stdout);
    assert_eq!(verdict("prog.c:14:true"), Some("unreachable".into()), "{}", done.stdout);
    // The folder of that run is not replaced, even if it has the usual name.
    let done = bench.secateur(&["reach", "prog.c", "--cflag=-w", "--uncovered", "first", "--out", "first"]);
    assert!(done.stdout.contains("written   first-reach"), "{}", done.stdout);
    assert!(bench.path("first/summary.json").exists());
    bench.write("prog.c", SMALL.replace("x > 100", "x > 100 && x < 900"));
    let done = reach(&bench, &["--uncovered", "first"]);
    assert_eq!(done.code, Some(1), "{}", done.stdout);
    assert!(done.stderr.contains("another version of this one"), "{}", done.stderr);
    assert_eq!(reach(&bench, &["--uncovered", "nothing"]).code, Some(1));
}

/// Line 5 divides by zero, line 9 cannot, line 13 is unreachable.
const FINDINGS: &str = r#"int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n > 10)
    return 100 / (n - 77);
  if (m == 0)
    return 3;
  if (n > 5)
    return 100 / m;
  if (n > 3) {
    if (n < 3) {
      int *p = 0;
      return *p;
    }
  }
  return 0;
}
"#;

#[test]
fn findings_of_an_analyser_are_judged() {
    let bench = Workbench::new();
    bench.write("prog.c", FINDINGS);
    let finding = |rule: &str, line: u32| {
        serde_json::json!({
            "ruleId": rule,
            "message": { "text": "something" },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": "file:///somewhere/else/prog.c" }, "region": { "startLine": line },
            } }],
        })
    };
    let results = [
        finding("core.DivideZero", 5),
        finding("zerodiv", 9),
        finding("core.NullDereference", 13),
        finding("variableScope", 3),
        finding("nullPointer", 99),
    ];
    let log = serde_json::json!({ "version": "2.1.0", "runs": [{ "tool": {}, "results": results }] });
    bench.write("found.sarif", log.to_string());
    let done = reach(&bench, &["--sarif", "found.sarif", "--jobs", "1"]);
    assert_eq!(done.code, Some(20), "{}{}", done.stdout, done.stderr);
    let log = bench.json("out/findings.sarif");
    let verdicts: Vec<&str> = (0..results.len())
        .filter_map(|index| log["runs"][0]["results"][index]["properties"]["secateur"]["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, ["confirmed", "cannot happen", "cannot happen", "unknown", "unknown"], "{}", done.stdout);
    for (content, expected) in [("{", "it is not JSON"), ("{}", "it is not SARIF: it has no list `runs`")] {
        bench.write("bad.sarif", content);
        let done = reach(&bench, &["--sarif", "bad.sarif"]);
        assert_eq!(done.code, Some(1), "{}", done.stdout);
        assert!(done.stderr.contains(expected) && done.stderr.lines().count() == 1, "{}", done.stderr);
    }
}
