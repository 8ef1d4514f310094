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
        ("prog.c:6:true", "prog.c:6 has no branch with two sides"),
    ] {
        let done = reach(&bench, &["--target", target]);
        assert_eq!(done.code, Some(1), "{target}: {}", done.stdout);
        assert!(done.stderr.contains(expected), "{target}: {}", done.stderr);
        assert!(!bench.path("out").exists());
    }
    let done = reach(&bench, &[]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(1), "secateur: name what to reach with --target or --error\n"));
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
        let mut args = vec!["reach", path, define, "--way", "backward", "--out", "out"];
        for target in ["target", "target2", "target3"].iter().take(expected.len()) {
            args.extend(["--target", target]);
        }
        let done = bench.secateur(&args);
        assert!(done.stderr.is_empty(), "{file}: {}", done.stderr);
        let answers = answers(&bench);
        let verdicts: String = answers.iter().filter_map(|answer| answer["verdict"].as_str()?.chars().next()).collect();
        assert_eq!(verdicts, expected, "{file}: {}", done.stdout);
        // However many branches come before, those that do not matter are skipped.
        let most = if file == "easy-loop.c" { 20 } else { 8 };
        for answer in answers {
            assert!(answer["segments"].as_u64() <= Some(most), "{file}: {answer}");
        }
    }
}
