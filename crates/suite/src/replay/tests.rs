//! Native runs of a program that records its branches by calls in its source, so that replay is tested without the
//! loader.

use super::*;
use crate::code_map::{BlockMap, BranchMap, FunctionMap, SourceLine};
use crate::{Expected, Object, OutDir, OutOptions, Prediction, Source, TestCase, Trace};
use std::process::Command;

/// Behaves as the number in its input says.
const PROGRAM: &str = r#"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void __secateur_branch(unsigned, unsigned);
void __secateur_block(unsigned);
void __secateur_unreachable(void);
void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(unsigned long);
void reach_error(void);

static volatile int sink;
static int *volatile escaped;

static int recurse(int n) {
  volatile char frame[64];
  frame[0] = n;
  return recurse(n + 1) + frame[0];
}

static void leave_dangling(void) {
  int local = 1;
  escaped = &local;
}

static void __attribute__((noinline)) lose_memory(void) {
  char *volatile lost = malloc(100);
  sink = lost != 0;
  lost = 0;
}

static int environment(int argc, char **argv) {
  char text[8] = "";
  FILE *file = fopen("A", "r");
  if (argc != 3 || strcmp(argv[0], "prog.c") || strcmp(argv[1], "-x") || strcmp(argv[2], "")) return 50;
  if (read(0, text, 8) != 2 || strcmp(text, "in")) return 51;
  if (!file || fread(text, 1, 8, file) != 4 || memcmp(text, "file", 4)) return 52;
  if (!getenv("HOME") || strcmp(getenv("HOME"), "/home/me")) return 53;
  if (getenv("PATH")) return 54;
  puts("hello");
  return 7;
}

int main(int argc, char **argv) {
  int x;
  int *p;
  __secateur_block(0);
  klee_make_symbolic(&x, sizeof x, "x");
  __secateur_branch(0, x > 0);
  if (x <= 0) return 0;
  __secateur_block(1);
  switch (x) {
  case 1: p = malloc(4 * sizeof *p); return p[sink + 4];
  case 2: p = 0; return *(int *volatile)p;
  case 3: return 1 / sink;
  case 4: p = malloc(4); free(p); return *p;
  case 5: p = malloc(4); free(p); free(p); return 0;
  case 6: assert(sink); return 0;
  case 7: abort();
  case 8: reach_error(); return 0;
  case 9: return recurse(0);
  case 10: p = malloc(4); if (*p) sink = 1; return 0;
  case 11: lose_memory(); return 0;
  case 12: __secateur_unreachable(); return 0;
  case 13: leave_dangling(); return *escaped;
  case 14: exit(3);
  case 15: klee_assume(0); return 0;
  case 16: for (;;) __secateur_branch(0, 1);
  case 17: return environment(argc, argv);
  case 18: for (;;) sink = 1;
  case 19: klee_make_symbolic(&x, sizeof x, "y"); return 0;
  case 20: p = malloc(4); free((char *)p + 1); return 0;
  case 21: strcpy("constant", "x"); return 0;
  case 22: memset(&x, 0, 4 + sink + 1); return 0;
  }
  return 0;
}
"#;

/// The branch is on line 51; block 0 has the lines up to it, block 1 the rest.
fn code() -> CodeMap {
    let place = |line| SourceLine { file: 1, line };
    let block = |native, places: &[u32]| BlockMap {
        native: Some(native),
        places: places.iter().map(|line| place(*line)).collect(),
    };
    CodeMap {
        files: vec!["?".into(), "prog.c".into()],
        functions: vec![FunctionMap {
            id: 3,
            name: "main".into(),
            place: Some(place(46)),
            blocks: vec![block(0, &[49, 50, 51]), block(1, &[54])],
        }],
        branches: vec![BranchMap {
            id: 9,
            native: Some(0),
            place: Some(place(51)),
            outcomes: 2,
            copy_of: None,
            by_address: false,
            sides: Vec::new(),
        }],
    }
}

/// Compiles the source that stands for the bitcode; the attributes for the sanitizer are set, but its passes are not
/// run.
pub(super) fn compile(source: &[u8], build: Build) -> Result<Vec<u8>, LoadError> {
    compile_with(source, build, &[])
}

fn compile_with(source: &[u8], build: Build, flags: &[&str]) -> Result<Vec<u8>, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("prog.c"), source).unwrap();
    let sanitizer = match build {
        Build::Address | Build::Checked => &["-fsanitize=address"][..],
        Build::Memory => &["-fsanitize=memory"],
        Build::Plain | Build::Fast => &[],
    };
    let status = Command::new("clang-19")
        .current_dir(folder.path())
        .args([
            "-c",
            "-emit-llvm",
            "-g",
            "-O0",
            "-w",
            "-fno-builtin",
            "-Xclang",
            "-disable-llvm-passes",
            "-fdebug-compilation-dir=.",
            "prog.c",
        ])
        .args(sanitizer)
        .args(flags)
        .status()
        .unwrap();
    assert!(status.success());
    Ok(std::fs::read(folder.path().join("prog.bc")).unwrap())
}

pub(super) fn options() -> ReplayOptions {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    ReplayOptions { time_limit: Duration::from_secs(20), jobs: 2, ..ReplayOptions::new(&runtime) }
}

pub(super) fn input(x: i32) -> TestCase {
    let object = Object { name: "x".into(), bytes: x.to_le_bytes().to_vec(), source: Source::Make };
    TestCase { objects: vec![object], ..TestCase::default() }
}

pub(super) fn path(x: i32, end: Expected) -> Prediction {
    let mut trace = Trace::default();
    trace.record(0, u32::from(x > 0));
    trace.ends(end)
}

pub(super) fn bug(kind: &str) -> Expected {
    Expected::Bug { kind: kind.into(), file: "prog.c".into(), line: 60, message: "m".into() }
}

pub(super) fn new_out(folder: &Path) -> OutDir {
    let out = OutDir::create(folder, OutOptions { program: "prog.c".into(), ..OutOptions::default() }).unwrap();
    out.write_program(PROGRAM.as_bytes(), &code()).unwrap();
    out
}

#[test]
fn every_end_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let out = new_out(folder.path());
    let cases = [
        (0, Expected::Exit(0), "ok exit 0"),
        (1, bug("out-of-bounds-read"), "(AddressSanitizer: heap-buffer-overflow)"),
        (2, bug("null-pointer"), "(AddressSanitizer: SEGV)"),
        (3, bug("division-by-zero"), "(AddressSanitizer: FPE)"),
        (4, bug("use-after-free"), "(AddressSanitizer: heap-use-after-free)"),
        (5, bug("double-free"), "(AddressSanitizer: attempting double-free)"),
        (6, bug("assertion"), "(abort)"),
        (7, bug("abort"), "(abort)"),
        (8, bug("reach-error"), "(abort)"),
        (9, bug("stack-overflow"), "(segmentation fault)"),
        (10, bug("uninitialised"), "(MemorySanitizer: use-of-uninitialized-value)"),
        (11, bug("leak"), "(LeakSanitizer: detected memory leaks)"),
        (12, bug("unreachable"), "(abort)"),
        (13, bug("dead-stack"), "(AddressSanitizer: stack-use-after-return)"),
        (14, Expected::Exit(3), "ok exit 3"),
        (15, Expected::Assumed, "ok ended by an assumption"),
        (16, Expected::Limit { what: "instructions".into() }, "ok limit (instructions)"),
        (20, bug("invalid-free"), "(AddressSanitizer: attempting free on address which was not malloc()-ed)"),
        (21, bug("read-only-write"), "(AddressSanitizer: SEGV)"),
        (22, bug("out-of-bounds-write"), "(AddressSanitizer: stack-buffer-overflow)"),
    ];
    for (x, end, _) in &cases {
        out.write_test(&input(*x), &path(*x, end.clone())).unwrap();
    }
    let report = replay_instrumented(folder.path(), &options(), &compile, &|_| ()).unwrap();
    assert_eq!(report.results.len(), cases.len());
    for (result, (x, _, expected)) in report.results.iter().zip(&cases) {
        assert!(result.verdict.is_ok() && result.verdict.to_string().ends_with(expected), "case {x}: {result}");
    }
    assert_eq!((report.counts.branches.covered, report.counts.branches.total), (2, 2));
    assert_eq!((report.counts.lines.covered, report.counts.lines.total), (4, 4));
    let lcov = std::fs::read_to_string(folder.path().join("replay.info")).unwrap();
    assert!(lcov.contains("BRDA:51,9,0,1\nBRDA:51,9,1,1\n"), "{lcov}");
}

#[test]
fn arguments_input_files_and_environment_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let out = new_out(folder.path());
    let test = TestCase {
        args: vec![b"-x".to_vec(), b"".to_vec()],
        stdin: Some(b"in".to_vec()),
        files: vec![("A".into(), b"file".to_vec())],
        env: vec![("HOME".into(), b"/home/me".to_vec())],
        ..input(17)
    };
    out.write_test(&test, &path(17, Expected::Exit(7))).unwrap();
    let report = replay_instrumented(folder.path(), &options(), &compile, &|_| ()).unwrap();
    assert!(report.all_passed(), "{report}");
    assert_eq!(report.results[0].output, b"hello\n");
}

#[test]
fn wrong_predictions_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = new_out(folder.path());
    let exit = |code| Expected::Exit(code);
    let mut longer = Trace::default();
    longer.record(0, 1);
    longer.record(0, 1);
    let cases = [
        (0, path(1, exit(0)), "DIVERGED at prog.c:51: predicted true, took false (branch 1)"),
        (
            0,
            Trace::default().ends(exit(0)),
            "DIVERGED at prog.c:51: predicted exit 0, took a further branch (branch 1)",
        ),
        (14, path(1, exit(0)), "WRONG END: predicted exit 0, got exit 3"),
        (14, longer.ends(exit(3)), "WRONG END: predicted exit 3 after 2 branches, got exit 3 after 1"),
        (1, path(1, exit(0)), "WRONG END: predicted exit 0, got AddressSanitizer: heap-buffer-overflow"),
        (0, path(0, bug("assertion")), "WRONG END: predicted assertion at prog.c:60, got exit 0"),
        (6, path(6, bug("null-pointer")), "WRONG END: predicted null-pointer at prog.c:60, got abort"),
        (19, path(19, exit(0)), "MISFIT: the program asks for `y`, but no object is left"),
    ];
    for (x, prediction, _) in &cases {
        out.write_test(&input(*x), prediction).unwrap();
    }
    let seen = Mutex::new(0);
    let report = replay_instrumented(folder.path(), &options(), &compile, &|_| *seen.lock().unwrap() += 1).unwrap();
    for (result, (_, _, expected)) in report.results.iter().zip(&cases) {
        assert_eq!(result.verdict.to_string(), *expected);
    }
    assert_eq!(*seen.lock().unwrap(), cases.len());
    assert_eq!(report.passed(), 0);
}

#[test]
fn a_run_that_does_not_end_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let out = new_out(folder.path());
    out.write_test(&input(18), &path(18, Expected::Exit(0))).unwrap();
    let options = ReplayOptions { time_limit: Duration::from_secs(1), ..options() };
    let report = replay_instrumented(folder.path(), &options, &compile, &|_| ()).unwrap();
    let verdict = report.results[0].verdict.to_string();
    assert_eq!(verdict, "WRONG END: predicted exit 0, got still running when time was up");
}

#[test]
fn checks_of_undefined_behaviour_are_answered() {
    let source = r#"
void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  return x > 9 ? 1 << x : x + 0x7fffffff > 0;
}
"#;
    let folder = tempfile::tempdir().unwrap();
    let out = new_out(folder.path());
    out.write_program(source.as_bytes(), &CodeMap::default()).unwrap();
    let cases = [
        (0, Expected::Exit(1), "ok exit 1"),
        (1, bug("signed-overflow"), "signed integer overflow: 1 + 2147483647 cannot be represented in type 'int')"),
        (32, bug("shift-out-of-range"), "shift exponent 32 is too large for 32-bit type 'int')"),
    ];
    for (x, end, _) in &cases {
        out.write_test(&input(*x), &Trace::default().ends(end.clone())).unwrap();
    }
    let checked =
        |source: &[u8], build: Build| compile_with(source, build, &["-fsanitize=signed-integer-overflow,shift"]);
    let report = replay_instrumented(folder.path(), &options(), &checked, &|_| ()).unwrap();
    for (result, (_, _, expected)) in report.results.iter().zip(&cases) {
        assert!(result.verdict.is_ok() && result.verdict.to_string().ends_with(expected), "{result}");
    }
}

#[test]
fn builds_are_kept_until_the_program_changes() {
    let folder = tempfile::tempdir().unwrap();
    let out = new_out(folder.path());
    out.write_test(&input(14), &path(14, Expected::Exit(3))).unwrap();
    let executables = || {
        let entries = std::fs::read_dir(folder.path().join(".replay")).unwrap().flatten();
        let built = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("address-"));
        built.map(|entry| (entry.file_name(), entry.metadata().unwrap().modified().unwrap())).collect::<Vec<_>>()
    };
    let replay = || replay_instrumented(folder.path(), &options(), &compile, &|_| ()).unwrap();
    assert!(replay().all_passed());
    let first = executables();
    assert_eq!(first.len(), 1);
    assert!(replay().all_passed());
    assert_eq!(executables(), first);
    out.write_program(PROGRAM.replace("exit(3)", "exit(4)").as_bytes(), &code()).unwrap();
    assert!(!replay().all_passed());
    assert_eq!(executables().len(), 1);
    assert_ne!(executables(), first);
}

#[test]
fn no_test_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    new_out(folder.path());
    let report = replay_instrumented(folder.path(), &options(), &compile, &|_| ()).unwrap();
    assert!(report.to_string().starts_with("0 tests: all as predicted\n"), "{report}");
}

#[test]
fn errors_are_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let error = replay(&folder.path().join("none"), &options()).unwrap_err();
    assert!(error.to_string().ends_with("none: there is no such file or folder"), "{error}");
    let out = new_out(folder.path());
    out.write_test(&input(0), &path(0, Expected::Exit(0))).unwrap();
    let nowhere = ReplayOptions::new(&folder.path().join("none"));
    let error = replay_instrumented(folder.path(), &nowhere, &compile, &|_| ()).unwrap_err();
    assert!(error.to_string().ends_with("replay.c: the runtime is not installed there"), "{error}");
    let no_compiler = ReplayOptions { clang: folder.path().join("clang"), ..options() };
    let error = replay_instrumented(folder.path(), &no_compiler, &compile, &|_| ()).unwrap_err();
    assert!(matches!(error, ReplayError::NoCompiler { .. }), "{error}");
    let garbage = |_: &[u8], _: Build| Ok(b"garbage".to_vec());
    let error = replay_instrumented(folder.path(), &options(), &garbage, &|_| ()).unwrap_err();
    assert!(matches!(error, ReplayError::Compile { .. }), "{error}");
}
