//! Limits, and what a run claims when it has not followed every path to its end.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use workbench::{Done, Workbench};

const DIVIDES: &str = r#"#include <klee/klee.h>
int main(void) {
  int x = klee_int("x");
  return 100 / x > 7;
}
"#;

fn run(program: &str, args: &[&str]) -> (Done, Workbench) {
    let bench = Workbench::new();
    bench.write("prog.c", program);
    let done = bench.secateur(&[&["run", "prog.c"], args].concat());
    (done, bench)
}

#[track_caller]
fn check_refused(args: &[&str], words: &[&str]) {
    let (done, bench) = run(DIVIDES, args);
    assert_eq!(done.code, Some(1), "{done}");
    assert_eq!(done.stderr.trim_end().lines().count(), 1, "{done}");
    assert!(words.iter().all(|word| done.stderr.contains(word)), "{done}");
    assert!(!bench.path("secateur-out").exists(), "{done}");
}

#[test]
fn the_limit_of_a_path_is_named_with_its_place() {
    let program = r#"#include <klee/klee.h>
static char all[1 << 16];
int main(void) {
  klee_make_symbolic(all, sizeof all, "all");
  return all[0];
}
"#;
    let (done, _) = run(program, &["--max-input", "1000"]);
    assert!(done.stdout.contains("  limit at prog.c:4: a path reached the limit --max-input (1 path)\n"), "{done}");
    assert!(!done.stdout.contains("nothing in this program is symbolic"), "{done}");
}

/// Programs can read why a run is not complete, as people can.
#[test]
fn the_summary_has_the_reasons_with_their_places() {
    let program = r#"#include <klee/klee.h>
#include <sys/socket.h>
int main(void) {
  if (klee_int("x") == 7)
    return socket(AF_INET, SOCK_STREAM, 0);
  return 0;
}
"#;
    let (_, bench) = run(program, &[]);
    let summary = bench.json("secateur-out/summary.json");
    let reason = &summary["reasons"][0];
    assert_eq!((&reason["what"], &reason["file"]), (&"unsupported".into(), &"prog.c".into()), "{summary}");
    assert_eq!((&reason["line"], &reason["paths"]), (&5.into(), &1.into()), "{summary}");
    let (_, bench) = run(DIVIDES, &[]);
    let summary = bench.json("secateur-out/summary.json");
    assert!(summary["complete"] == true && summary.get("reasons").is_none(), "{summary}");
}

#[test]
fn compiling_for_longer_than_the_time_limit_is_said() {
    let (done, _) = run(DIVIDES, &["--max-time", "1ms", "--no-confirm"]);
    assert!(done.stderr.contains("secateur: compiling and loading took"), "{done}");
    let (done, _) = run(DIVIDES, &["--max-time", "1h", "--no-confirm"]);
    assert!(!done.stderr.contains("compiling"), "{done}");
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    check_refused(&["--max-paths", "0"], &["--max-paths", "0"]);
    check_refused(&["--max-frames", "0"], &["--max-frames", "0"]);
    check_refused(&["--jobs", "10000"], &["--jobs", "10000", "1024"]);
    check_refused(&["--max-memory", "1"], &["--max-memory", "64M"]);
    check_refused(&["--max-alloc", "8G"], &["--max-alloc", "1G"]);
    check_refused(&["--sym-stdin", "999999999"], &["999999999", "--max-input"]);
}

/// Where a check fails that is off, nobody knows how the program goes on: the run does not claim to be complete.
#[test]
fn what_is_ignored_is_said() {
    let (done, bench) = run(DIVIDES, &["--check", "none"]);
    assert_eq!(done.code, Some(0), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!(summary["complete"], false, "{summary}");
    assert_eq!(
        (summary["paths"]["ignored"].as_u64(), summary["paths"]["assumed"].as_u64()),
        (Some(1), Some(0)),
        "{summary}"
    );
    assert!(done.stdout.contains("a check fails that is switched off"), "{done}");
    let (done, bench) = run(DIVIDES, &[]);
    assert_eq!(done.code, Some(10), "{done}");
    assert_eq!(bench.json("secateur-out/summary.json")["complete"], true);
}

/// A path that asks for more than it may ends there, and says at which limit.
#[test]
fn single_paths_have_limits() {
    let (done, bench) = run(
        r#"#include <klee/klee.h>
#include <stdlib.h>
static char large[3 << 20];
int main(void) {
  switch (klee_int("which")) {
  case 1: klee_make_symbolic(large, sizeof large, "large"); return large[7] == 'x';
  case 2: return malloc(2ul << 30) == 0;
  case 3: return malloc(-1ul) == 0 ? 3 : 4;
  default: return 0;
  }
}
"#,
        &["--all-tests"],
    );
    assert_eq!(done.code, Some(0), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!((summary["paths"]["completed"].as_u64(), summary["paths"]["limited"].as_u64()), (Some(2), Some(2)));
    let ends = String::from_utf8(bench.read("secateur-out/tests/expected.jsonl")).unwrap();
    for end in [r#""what":"input""#, r#""what":"allocation""#, r#""exit":3"#] {
        assert!(ends.contains(end), "{end}: {ends}");
    }
}

/// A run that depends on memory that was never written says where; with any value for it, all paths are there.
#[test]
fn unwritten_memory_is_said_or_tried() {
    let program = "int main(void) {\n  int x;\n  if (x > 5)\n    return 1;\n  return 0;\n}\n";
    let (done, bench) = run(program, &["--cflag=-w"]);
    assert!(done.stdout.contains("given up at prog.c:3"), "{done}");
    assert_eq!(bench.json("secateur-out/summary.json")["complete"], false);
    let (done, bench) = run(program, &["--cflag=-w", "--uninit", "any", "--recheck"]);
    assert_eq!(done.code, Some(0), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!((summary["complete"].as_bool(), summary["paths"]["completed"].as_u64()), (Some(true), Some(2)));
    let replayed = bench.secateur(&["replay"]);
    assert_eq!(replayed.code, Some(0), "{replayed}");
}
