//! A C program is loaded, tests and predictions are made by hand, and replay must agree with all of them.

use secateur_program::{BranchId, Entry, LoadOptions, Loaded, OptLevel, Program, Runtime, load};
use secateur_suite::replay::{ReplayOptions, replay};
use secateur_suite::{CodeMap, Expected, Object, OutDir, OutOptions, Prediction, Source, TestCase, Trace};
use std::path::{Path, PathBuf};

const PROGRAM: &str = r#"#include <klee/klee.h>
#include <stdlib.h>

static int table[4] = {1, 2, 3, 4};

static int classify(int x) {
  switch (x) {
  case 10:
    return 20;
  case 11:
  case 12:
    return 30;
  default:
    return 40;
  }
}

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 0)
    return 1;
  if (x >= 10)
    return classify(x);
  return table[x];
}
"#;
const NEGATIVE: u32 = 21;
const LARGE: u32 = 23;
const SWITCH: u32 = 7;

#[test]
fn tests_do_what_was_predicted_at_every_level() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2] {
        let folder = tempfile::tempdir().unwrap();
        let loaded = load_program(folder.path(), level);
        if level == OptLevel::O0 {
            check_by_hand(folder.path(), &loaded);
        }
        // Optimised code has other branches than the source, so only the ends are predicted.
        check_ends(folder.path(), &loaded);
    }
}

/// Every path of the unoptimised program, with its branches.
fn check_by_hand(folder: &Path, loaded: &Loaded) {
    let program = &loaded.program;
    let path = |x: i32| {
        let mut trace = Trace::default();
        trace.record(native(program, branch_on(program, NEGATIVE)), u32::from(x < 0));
        if x >= 0 {
            trace.record(native(program, branch_on(program, LARGE)), u32::from(x >= 10));
        }
        if x >= 10 {
            let branch = branch_on(program, SWITCH);
            trace.record(native(program, branch), switch_outcome(program, branch, x as u64));
        }
        trace
    };
    let overflow = Expected::Bug {
        kind: "out-of-bounds-read".into(),
        file: "prog.c".into(),
        line: 25,
        message: "read of 4 bytes at offset 16 of `table` (16 bytes)".into(),
    };
    let exits = [(-1, 1), (10, 20), (11, 30), (12, 30), (13, 40), (2, 3)].map(|(x, code)| (x, Expected::Exit(code)));
    let out = new_out(folder, loaded);
    for (x, end) in exits.into_iter().chain([(4, overflow)]) {
        out.write_test(&input(x), &path(x).ends(end)).unwrap();
    }
    // Wrong on purpose: the side, and the case.
    out.write_test(&input(-1), &path(1).ends(Expected::Exit(1))).unwrap();
    out.write_test(&input(10), &path(13).ends(Expected::Exit(40))).unwrap();

    let report = replay(out.path(), &options()).unwrap();
    let (good, wrong) = report.results.split_at(7);
    assert!(good.iter().all(|result| result.verdict.is_ok()), "{report}");
    assert!(wrong[0].to_string().ends_with("prog.c:21: predicted false, took true (branch 1)"), "{report}");
    assert!(wrong[1].to_string().contains("DIVERGED"), "{report}");
    assert_eq!(report.counts.branches.covered, report.counts.branches.total, "{report}");
    assert_eq!(report.counts.lines.covered, report.counts.lines.total, "{report}");
    let lcov = std::fs::read_to_string(out.path().join("replay.info")).unwrap();
    for line in [NEGATIVE, LARGE, SWITCH, 25] {
        assert!(lcov.contains(&format!("\nDA:{line},1\n")), "line {line} is not covered:\n{lcov}");
    }
    assert!(lcov.contains("\nFNDA:1,classify\n"), "{lcov}");
}

/// Paths that may continue after what is predicted, so that their branches are not predicted.
fn check_ends(folder: &Path, loaded: &Loaded) {
    let out = new_out(folder, loaded);
    let nothing = |end| -> Prediction { Trace::default().ends(end) };
    let overflow =
        Expected::Bug { kind: "out-of-bounds-read".into(), file: "prog.c".into(), line: 25, message: "m".into() };
    out.write_test(&input(-1), &nothing(Expected::Limit { what: "depth".into() })).unwrap();
    out.write_test(&input(4), &nothing(overflow)).unwrap();
    let report = replay(out.path(), &options()).unwrap();
    assert!(report.all_passed(), "{report}");
}

fn load_program(folder: &Path, level: OptLevel) -> Loaded {
    let source = folder.join("prog.c");
    std::fs::write(&source, PROGRAM).unwrap();
    let options = LoadOptions {
        inputs: vec![source],
        opt_level: level,
        runtime: Runtime { include: Some(runtime().join("include")), ..Runtime::default() },
        entry: Entry::Main,
        ..LoadOptions::default()
    };
    load(&options).unwrap()
}

fn new_out(folder: &Path, loaded: &Loaded) -> OutDir {
    let options = OutOptions { program: "prog.c".into(), ..OutOptions::default() };
    let out = OutDir::create(&folder.join("out"), options).unwrap();
    out.write_program(&loaded.user_bitcode, &CodeMap::of(&loaded.program)).unwrap();
    out
}

fn options() -> ReplayOptions {
    ReplayOptions::new(&runtime())
}

fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime")
}

fn input(x: i32) -> TestCase {
    let object = Object { name: "x".into(), bytes: x.to_le_bytes().to_vec(), source: Source::Make };
    TestCase { objects: vec![object], ..TestCase::default() }
}

/// The only branch on a line.
fn branch_on(program: &Program, line: u32) -> BranchId {
    let on_line = |branch: &secateur_program::Branch| program.locations[branch.loc.index()].line == line;
    let found = program.branches.iter().position(on_line).expect("the line has a branch");
    BranchId(found as u32)
}

fn native(program: &Program, branch: BranchId) -> u32 {
    program.branches[branch.index()].native.expect("it is in the user's code")
}

fn switch_outcome(program: &Program, branch: BranchId, value: u64) -> u32 {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let switch = bodies.flat_map(|body| &body.switches).find(|switch| switch.branch == branch).expect("it is a switch");
    switch.cases.iter().find(|case| case.0 == value).map_or(0, |case| case.1)
}
