//! Errors of users and of systems: each is reported in one clear sentence with the documented exit code, and no earlier
//! results are lost.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use workbench::{Done, ENDLESS, Workbench};

const TWO_PATHS: &str = r#"#include <klee/klee.h>
int main(void) {
  if (klee_int("x") > 7)
    return 1;
  return 0;
}
"#;

/// Eight paths, four of which cover everything, and nothing in it can fail.
const THREE_BRANCHES: &str = r#"#include <klee/klee.h>
int main(void) {
  int sum = 0;
  if (klee_int("x") > 7) sum += 1;
  if (klee_int("y") > 7) sum += 2;
  if (klee_int("z") > 7) sum += 4;
  return sum;
}
"#;

/// Asks for the factors of a large number, which no solver finds in reasonable time.
const FACTORS: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned long long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  unsigned __int128 product = (unsigned __int128)a * b;
  if ((unsigned long long)(product >> 64) == 0x7fd3a4be1c96e2b5 && (unsigned long long)product == 0x2d1e6b8f90a3c457)
    return 1;
  return 0;
}
"#;

const NO_MAIN: &str = "int parse(int a) { return a > 3; }\nint print(int a) { return a; }\n";

/// How long something that takes seconds may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Bad input ends with code 1 and one sentence that has all the parts; nothing else is printed.
#[track_caller]
fn check_refused(done: &Done, parts: &[&str]) {
    assert_eq!(done.code, Some(1), "{done}");
    assert_eq!(done.stdout, "", "{done}");
    check_sentence(done, parts);
}

/// What is printed on standard error is one sentence of ours that has all the parts.
#[track_caller]
fn check_sentence(done: &Done, parts: &[&str]) {
    assert_eq!(done.stderr.lines().count(), 1, "not one line: {done}");
    assert!(done.stderr.starts_with("secateur: "), "not ours: {done}");
    for part in parts {
        assert!(done.stderr.contains(part), "nothing is said about {part}: {done}");
    }
}

/// Every test in the folder behaves as predicted; returns their number.
#[track_caller]
fn check_replay(bench: &Workbench, out: &str) -> usize {
    let done = bench.secateur(&["replay", "--quiet", out]);
    assert_eq!(done.code, Some(0), "{done}");
    let (passed, rest) = done.stdout.split_once(" of ").unwrap_or_else(|| panic!("{done}"));
    let all = rest.split(' ').next().unwrap_or_default();
    assert_eq!(passed, all, "{done}");
    passed.parse().unwrap_or_else(|_| panic!("{done}"))
}

/// Opens two given files, one of them by its argument.
const GIVEN_FILES: &str = r#"#include <stdio.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
  struct stat status;
  if (stat("/etc/tree/sub/b", &status) != 0 || status.st_size != 3) return 9;
  FILE *named = fopen(argv[1], "r");
  if (named == NULL) return 1;
  if (fgetc(named) == 'x') return 2;
  return 8;
}
"#;

#[test]
fn given_files_are_found_by_the_program_and_in_replay() {
    let bench = Workbench::new();
    bench.write("given.c", GIVEN_FILES);
    std::fs::create_dir_all(bench.path("tree/sub")).unwrap();
    bench.write("tree/sub/b", "xyz");
    let files = ["--file", "tree=/etc/tree", "--file", "tree/sub/b"];
    let done = bench.secateur(&[&["run", "given.c", "--sym-args", "1", "1", "1"][..], &files].concat());
    assert_eq!(done.code, Some(0), "{done}");
    // What is given is kept with the tests.
    std::fs::remove_dir_all(bench.path("tree")).unwrap();
    assert!(check_replay(&bench, "secateur-out") >= 2);
    check_refused(&bench.secateur(&["run", "given.c", "--file", "tree"]), &["--file tree", "cannot read tree"]);
}

#[test]
fn tuned_numbers_are_listed_without_a_program() {
    let bench = Workbench::new();
    for args in [&["run", "--tune", "help"][..], &["run", "lib.c", "--each-function", "--tune=help"]] {
        let done = bench.secateur(args);
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done}");
        for number in [
            "expr.rule-depth=48",
            "machine.few-elements=4",
            "explore.fair-turn=16",
            "solver.cases-limit=64",
            "interpolation.compared=64",
            "suite.mutants=64",
            "campaign.native-turn=20ms",
        ] {
            assert!(done.stdout.contains(&format!("\n{number}\n    ")), "{number}: {done}");
        }
    }
    check_refused(&bench.secateur(&["run", "--tune", "explore.fair-turn=3"]), &["<PROGRAM>"]);
}

mod programs_that_cannot_be_loaded {
    use super::*;

    #[test]
    fn missing_file() {
        let bench = Workbench::new();
        check_refused(&bench.secateur(&["run", "absent.c"]), &["absent.c", "o such file"]);
        check_refused(&bench.secateur(&["run", "absent.bc"]), &["absent.bc", "o such file"]);
        bench.write("two.c", TWO_PATHS);
        check_refused(&bench.secateur(&["run", "two.c", "absent.c"]), &["absent.c", "o such file"]);
        assert!(!bench.path("secateur-out").exists());
    }

    #[test]
    fn not_a_program() {
        let bench = Workbench::new();
        bench.write("notes.txt", "hello");
        check_refused(&bench.secateur(&["run", "notes.txt"]), &["notes.txt", ".bc"]);
        std::fs::create_dir(bench.path("folder.c")).unwrap();
        let done = bench.secateur(&["run", "folder.c"]);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(
            done.stderr.lines().last().is_some_and(|line| line.contains("cannot") && line.contains("folder.c")),
            "{done}"
        );
        std::fs::create_dir(bench.path("folder.bc")).unwrap();
        check_refused(&bench.secateur(&["run", "folder.bc"]), &["folder.bc"]);
    }

    #[test]
    fn the_message_of_the_compiler_passes_through_and_earlier_results_stay() {
        let bench = Workbench::new();
        bench.write("good.c", TWO_PATHS);
        bench.write("bad.c", "int main(void) {\n  return missing + 1;\n}\n");
        assert_eq!(bench.secateur(&["run", "good.c"]).code, Some(0));
        let done = bench.secateur(&["run", "bad.c"]);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stderr.contains("bad.c:2:10: error: use of undeclared identifier 'missing'"), "{done}");
        let last = done.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("secateur: ") && last.contains("bad.c"), "{done}");
        assert_eq!(check_replay(&bench, "secateur-out"), 2);
    }

    #[test]
    fn warnings_of_the_compiler_are_counted_or_shown() {
        let bench = Workbench::new();
        bench.write("odd.c", "int main(void) {\n  return 1 / 0 * 0;\n}\n");
        let done = bench.secateur(&["run", "odd.c", "--check", "none"]);
        assert_eq!(done.stderr, "secateur: the compiler gave 1 warning; -v shows it\n", "{done}");
        let done = bench.secateur(&["run", "odd.c", "--check", "none", "-v"]);
        assert!(done.stderr.contains("odd.c:2:12: warning: division by zero"), "{done}");
    }

    #[test]
    fn alone_it_prints_how_it_is_used() {
        let done = Workbench::new().secateur(&[]);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stderr.contains("Usage: secateur <COMMAND>") && done.stderr.contains("Examples:"), "{done}");
    }

    #[test]
    fn manual_pages_and_completions() {
        let bench = Workbench::new();
        let done = bench.secateur(&["manual", "share"]);
        assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (Some(0), "", ""), "{done}");
        let has = |file: &str, part: &str| String::from_utf8_lossy(&bench.read(file)).contains(part);
        assert!(has("share/man/man1/secateur.1", "secateur\\-run"));
        assert!(has("share/man/man1/secateur-run.1", "sym\\-stdin"));
        assert!(has("share/man/man1/secateur-verify.1", "keep\\-going"));
        assert!(has("share/bash-completion/completions/secateur", "--sym-stdin"));
        assert!(has("share/zsh/site-functions/_secateur", "--sym-stdin"));
        assert!(has("share/fish/vendor_completions.d/secateur.fish", "sym-stdin"));
    }

    #[test]
    fn old_c_is_refused_only_if_asked_to() {
        let bench = Workbench::new();
        bench.write("old.c", "main() {\n  return later() - 2;\n}\nlater() {\n  int *p = 2;\n  return p;\n}\n");
        let done = bench.secateur(&["run", "old.c"]);
        assert_eq!(done.code, Some(0), "{done}");
        let done = bench.secateur(&["run", "old.c", "--strict"]);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stderr.contains("old.c:1:1: error: type specifier missing"), "{done}");
    }

    #[test]
    fn not_bitcode() {
        let bench = Workbench::new();
        let noise: Vec<u8> = (0u32..4000).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        bench.write("noise.bc", &noise);
        check_refused(&bench.secateur(&["run", "noise.bc"]), &["noise.bc", "not LLVM 19 bitcode"]);
        bench.write("magic.bc", [&b"BC\xc0\xde"[..], &noise].concat());
        check_refused(&bench.secateur(&["run", "magic.bc"]), &["magic.bc", "not LLVM 19 bitcode"]);
        bench.write("wrapped.bc", [&b"\xde\xc0\x17\x0b"[..], &noise].concat());
        check_refused(&bench.secateur(&["run", "wrapped.bc"]), &["wrapped.bc", "not LLVM 19 bitcode"]);
        bench.write("empty.bc", "");
        check_refused(&bench.secateur(&["run", "empty.bc"]), &["empty.bc", "not LLVM 19 bitcode"]);
        bench.write("text.ll", "define i32 @main( {\n  ret i32 0\n}\n");
        check_refused(&bench.secateur(&["run", "text.ll"]), &["text.ll:2", "not LLVM 19 bitcode"]);
        let invalid = "define i32 @main() {\n  br label %x\nx:\n  %a = phi i32 [1, %x]\n  ret i32 %a\n}\n";
        bench.write("invalid.ll", invalid);
        check_refused(&bench.secateur(&["run", "invalid.ll"]), &["invalid.ll", "not valid LLVM 19"]);
    }

    #[test]
    fn truncated_bitcode() {
        let bench = Workbench::new();
        let bitcode = super::bitcode(&bench, TWO_PATHS);
        for length in [100, bitcode.len() / 2, bitcode.len() - 4] {
            bench.write("truncated.bc", &bitcode[..length]);
            check_refused(&bench.secateur(&["run", "truncated.bc"]), &["truncated.bc", "not LLVM 19 bitcode"]);
        }
        bench.write("whole.bc", &bitcode);
        assert_eq!(bench.secateur(&["run", "whole.bc"]).code, Some(0));
    }

    #[test]
    fn nowhere_to_start() {
        let bench = Workbench::new();
        bench.write("lib.c", NO_MAIN);
        check_refused(&bench.secateur(&["run", "lib.c"]), &["lib.c", "`main`", "--entry"]);
        check_refused(&bench.secateur(&["run", "lib.c", "--entry", "prase"]), &["`prase`", "did you mean `parse`?"]);
        check_refused(&bench.secateur(&["run", "lib.c", "--entry", "zzzzzzzz"]), &["no function `zzzzzzzz`"]);
        assert!(!bench.path("secateur-out").exists());
    }

    #[test]
    fn a_parameter_that_cannot_be_symbolic() {
        let bench = Workbench::new();
        bench.write("lib.c", "int call(int (*f)(void)) { return f(); }\n");
        check_refused(&bench.secateur(&["run", "lib.c", "--entry", "call"]), &["`call`", "`f`"]);
    }

    #[test]
    fn files_that_do_not_fit_together() {
        let bench = Workbench::new();
        bench.write("a.c", TWO_PATHS);
        bench.write("b.c", TWO_PATHS);
        check_refused(&bench.secateur(&["run", "a.c", "b.c"]), &["b.c", "`main`"]);
    }

    #[test]
    fn tools_that_are_missing() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        let mut command = bench.command(&["run", "two.c"]);
        command.env("PATH", "/nonexistent");
        check_refused(&bench.finish(command), &["clang-19"]);
        let mut command = bench.command(&["run", "two.c"]);
        command.env("SECATEUR_RUNTIME", "/nonexistent");
        check_refused(&bench.finish(command), &["SECATEUR_RUNTIME", "/nonexistent"]);
    }
}

mod command_lines {
    use super::*;

    #[track_caller]
    fn check_suggestion(args: &[&str], wrong: &str, nearest: &str) {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        check_refused(&bench.secateur(args), &[wrong, nearest]);
        assert!(!bench.path("secateur-out").exists());
    }

    #[test]
    fn searchers_and_pruners_that_cannot_be_combined_are_refused() {
        check_suggestion(&["run", "two.c", "--search", "dfs,bfs,dfs"], "dfs,bfs,dfs", "`dfs` is named twice");
        check_suggestion(&["run", "two.c", "--prune", "none,lookahead"], "none,lookahead", "`none` cannot be combined");
        check_suggestion(&["run", "two.c", "--prune", "max-call-depth"], "max-call-depth", "max-call-depth=2");
        check_suggestion(&["run", "two.c", "--prune", "max-call-depth=-1"], "max-call-depth=-1", "number of calls");
        let twice = ["run", "two.c", "--prune", "max-call-depth=1,max-call-depth=2"];
        check_suggestion(&twice, "max-call-depth=1,max-call-depth=2", "one too many");
        let nothing = ["run", "two.c", "--cover", "blocks", "--prune", "none"];
        check_suggestion(&nothing, "--cover", "--prune lookahead");
        check_suggestion(&["run", "two.c", "--prune", "lookahead=all"], "lookahead=all", "lookahead=coverage");
        let both = ["run", "two.c", "--prune", "lookahead,lookahead=coverage"];
        check_suggestion(&both, "lookahead,lookahead=coverage", "one too many");
    }

    #[test]
    fn what_is_pruned_is_counted_and_reported() {
        let bench = Workbench::new();
        bench.write("endless.c", ENDLESS);
        let done = bench.secateur(&["run", "endless.c", "--prune", "lookahead=coverage"]);
        assert_eq!(done.code, Some(0), "{done}");
        assert!(done.stdout.contains("every path was tried but those that were pruned"), "{done}");
        assert!(done.stdout.contains(" pruned by lookahead=coverage"), "{done}");
        let summary = bench.json("secateur-out/summary.json");
        assert!(summary["paths"]["pruned"]["lookahead=coverage"].as_u64() > Some(0), "{summary}");
        assert_eq!(summary["options"]["prune"], serde_json::json!(["lookahead=coverage"]));
        assert_eq!(summary["coverage"]["branches"]["covered"], summary["coverage"]["branches"]["total"]);
        assert_eq!(summary["complete"], false);
    }

    /// Look-ahead prunes only what can add neither coverage nor a bug, and `--all-tests` switches it off.
    #[test]
    fn look_ahead_is_the_default_and_leaves_a_run_complete() {
        let bench = Workbench::new();
        bench.write("three.c", THREE_BRANCHES);
        let run = |args: &[&str]| {
            let done = bench.secateur(&[&["run", "three.c", "--jobs", "1"], args].concat());
            assert_eq!(done.code, Some(0), "{done}");
            let summary = bench.json("secateur-out/summary.json");
            assert_eq!(summary["complete"], true, "{summary}");
            (done, summary["paths"]["completed"].clone(), summary["options"]["prune"][0].clone())
        };
        let (done, paths, prune) = run(&[]);
        assert_eq!((paths, prune), (4.into(), "lookahead".into()));
        assert!(done.stdout.contains("explored, or shown to add neither coverage nor a bug"), "{done}");
        let (done, paths, prune) = run(&["--prune", "none"]);
        assert_eq!((paths, prune), (8.into(), "none".into()));
        assert!(done.stdout.contains("every path was explored\n"), "{done}");
        let (_, paths, prune) = run(&["--all-tests"]);
        assert_eq!((paths, prune), (8.into(), "none".into()));
        let (_, paths, prune) = run(&["--all-tests", "--prune", "lookahead"]);
        assert_eq!((paths, prune), (4.into(), "lookahead".into()));
        // Lines may be lost if only branches are to be covered.
        let done = bench.secateur(&["run", "three.c", "--cover", "branches"]);
        assert!(done.stdout.contains("every path was tried but those that were pruned"), "{done}");
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        check_suggestion(&["run", "two.c", "--serch", "dfs"], "--serch", "`--search`");
        check_suggestion(&["run", "two.c", "--search", "dsf"], "`dsf`", "`dfs`");
        check_suggestion(&["run", "two.c", "--search", "bfs,random-pth"], "`random-pth`", "`random-path`");
        check_suggestion(&["run", "two.c", "--prune", "lokahead"], "`lokahead`", "did you mean `lookahead`?");
        check_suggestion(&["run", "two.c", "--cover", "branch", "--prune", "lookahead"], "`branch`", "`branches`");
        check_suggestion(&["run", "two.c", "--check", "overflw"], "`overflw`", "`overflow`");
        check_suggestion(&["run", "two.c", "--check", "leak,dubble-free"], "`dubble-free`", "`double-free`");
        check_suggestion(&["run", "two.c", "--solver", "z4"], "`z4`", "`z3`");
        check_suggestion(&["run", "two.c", "--solver-rungs", "smtt"], "`smtt`", "`smt`");
        check_suggestion(&["run", "two.c", "--format", "kest"], "`kest`", "`ktest`");
        check_suggestion(&["rnu", "two.c"], "`rnu`", "`run`");
        check_suggestion(&["replya", "two.c"], "`replya`", "`replay`");
    }

    #[test]
    fn wrong_values_are_named() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        let check = |args: &[&str], parts: &[&str]| {
            check_refused(&bench.secateur(&[&["run", "two.c"], args].concat()), parts);
        };
        check(&["--max-time", "soon"], &["--max-time", "soon", "30s"]);
        check(&["--max-memory", "4X"], &["--max-memory", "4X", "4G"]);
        check(&["--max-paths", "many"], &["--max-paths", "many"]);
        check(&["--sym-args", "3", "1", "8"], &["--sym-args 3 1 8", "MIN"]);
        check(&["--sym-args", "3", "4"], &["--sym-args", "LEN"]);
        check(&["--sym-file", "A", "x"], &["--sym-file", "`x`"]);
        check(&["--all-tests", "--no-tests"], &["--all-tests", "--no-tests"]);
        check(&["-O7"], &["-O", "7"]);
        check_refused(&bench.secateur(&["run"]), &["PROGRAM"]);
    }

    #[test]
    fn help_is_no_error() {
        let bench = Workbench::new();
        for args in [&["--help"][..], &["run", "--help"], &["replay", "--help"], &["--version"]] {
            let done = bench.secateur(args);
            assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done}");
            assert!(done.stdout.contains("secateur"), "{done}");
        }
        let help = bench.secateur(&["--help"]).stdout;
        for code in ["0 done", "1 bad", "2 a fault", "10 a bug"] {
            assert!(help.contains(code), "exit code {code} is not documented:\n{help}");
        }
    }
}

mod output_folders {
    use super::*;

    #[test]
    fn what_is_not_ours_stays() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        std::fs::create_dir(bench.path("thesis")).unwrap();
        bench.write("thesis/chapter", "years of work");
        check_refused(&bench.secateur(&["run", "two.c", "--out", "thesis"]), &["thesis", "--out"]);
        assert_eq!(bench.read("thesis/chapter"), b"years of work");
        assert_eq!(std::fs::read_dir(bench.path("thesis")).unwrap().count(), 1);
        check_refused(&bench.secateur(&["run", "two.c", "--out", "two.c"]), &["two.c"]);
        check_refused(&bench.secateur(&["run", "two.c", "--out", "two.c/out"]), &["two.c/out"]);
        assert_eq!(bench.read("two.c"), TWO_PATHS.as_bytes());
    }

    #[test]
    fn ours_is_replaced_and_foreign_files_in_it_stay() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        assert_eq!(bench.secateur(&["run", "two.c", "--all-tests"]).code, Some(0));
        assert_eq!(bench.tests("secateur-out"), 2);
        bench.write("secateur-out/notes", "mine");
        bench.write("one.c", "int main(void) { return 0; }\n");
        assert_eq!(bench.secateur(&["run", "one.c", "--all-tests"]).code, Some(0));
        assert_eq!(bench.tests("secateur-out"), 1);
        assert_eq!(bench.read("secateur-out/notes"), b"mine");
    }

    #[test]
    fn everything_is_there() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        assert_eq!(bench.secateur(&["run", "two.c", "--out", "deep/er/out"]).code, Some(0));
        check_complete(&bench, "deep/er/out");
    }

    #[test]
    fn a_folder_that_cannot_be_made() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        check_refused(&bench.secateur(&["run", "two.c", "--out", "/proc/secateur"]), &["/proc/secateur"]);
    }

    /// Mounts something on `disk` that only the script sees; `None` if the system does not allow it.
    fn with_disk(bench: &Workbench, options: &str, script: &str, args: &[&str]) -> Option<Done> {
        std::fs::create_dir(bench.path("disk")).unwrap();
        let unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"];
        let script = format!("mount -t tmpfs -o {options} none disk || exit 99\n{script}");
        let command = bench.wrapped(&[&unshare[..], &[&script, "sh"]].concat(), args);
        let done = bench.finish(command);
        let allowed = done.code != Some(99) && !done.stderr.starts_with("unshare: ");
        if !allowed {
            eprintln!("skipped: this system does not let us mount a file system: {}", done.stderr);
        }
        allowed.then_some(done)
    }

    #[test]
    fn a_disk_that_is_read_only() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        let args = ["run", "two.c", "--out", "disk/out"];
        if let Some(done) = with_disk(&bench, "ro", "\"$@\"", &args) {
            check_refused(&done, &["disk/out", "read-only"]);
        }
    }

    #[test]
    fn a_disk_that_is_full() {
        let bench = Workbench::new();
        bench.write("endless.c", ENDLESS);
        let args = ["run", "endless.c", "--all-tests", "--max-time", "60s", "--out", "disk/out"];
        let script = "\"$@\"; code=$?; cp -r disk/out saved; exit $code";
        if let Some(done) = with_disk(&bench, "size=200k", script, &args) {
            check_refused(&done, &["disk/out/", "the disk is full"]);
            assert!(check_replay(&bench, "saved") > 0);
        }
    }

    /// Like a full disk, but needs no right to mount one.
    #[test]
    fn a_file_that_is_too_large() {
        let bench = Workbench::new();
        let program = r#"#include <klee/klee.h>
int main(void) {
  static char large[200000];
  if (klee_int("x") == 7)
    klee_make_symbolic(large, sizeof large, "large");
  return 0;
}
"#;
        bench.write("large.c", program);
        let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
        let done = bench.script(script, &["run", "large.c", "--all-tests", "--jobs", "1"]);
        check_refused(&done, &["secateur-out/tests/000002.ktest"]);
        assert_eq!(check_replay(&bench, "secateur-out"), 1);
    }

    #[test]
    fn standard_output_that_is_closed() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        for args in [&["run", "two.c", "--all-tests"][..], &["run", "two.c", "--all-tests", "--json"], &["replay"]] {
            let mut command = bench.command(args);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let done = Done::from(child.wait_with_output().unwrap());
            assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{args:?}: {done}");
        }
        assert_eq!(check_replay(&bench, "secateur-out"), 2);
    }

    #[test]
    fn standard_output_that_is_full() {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        for args in [&["run", "two.c", "--all-tests"][..], &["run", "two.c", "--all-tests", "--json"], &["replay"]] {
            check_refused(&bench.script("exec \"$@\" >/dev/full", args), &["standard output"]);
        }
        assert_eq!(check_replay(&bench, "secateur-out"), 2);
    }
}

mod programs_that_are_hard {
    use super::*;

    #[test]
    fn nothing_is_symbolic() {
        let bench = Workbench::new();
        bench.write("plain.c", "int main(void) { return 3; }\n");
        let done = bench.secateur(&["run", "plain.c"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""), "{done}");
        assert!(done.stdout.contains("nothing in this program is symbolic, so it ran once"), "{done}");
        assert_eq!(check_replay(&bench, "secateur-out"), 1);
    }

    #[test]
    fn the_solver_gives_up() {
        let bench = Workbench::new();
        bench.write("factors.c", FACTORS);
        let done = bench.secateur(&["run", "factors.c", "--solver-rungs", "smt", "--solver-timeout", "1ms"]);
        assert_eq!(done.code, Some(0), "{done}");
        assert!(done.stdout.contains("given up by the solver"), "{done}");
        assert!(!done.stdout.contains("every path was explored"), "not so: {done}");
        let unknown = bench.json("secateur-out/summary.json")["paths"]["unknown"].as_u64();
        assert!(unknown.is_some_and(|paths| paths > 0), "{done}");
        assert!(check_replay(&bench, "secateur-out") > 0);
    }

    #[test]
    fn a_function_that_is_not_modelled() {
        let bench = Workbench::new();
        let program = r#"#include <klee/klee.h>
int launch(int);
int main(void) {
  int x = klee_int("x");
  if (x > 3)
    return launch(x);
  return 0;
}
"#;
        bench.write("rocket.c", program);
        let done = bench.secateur(&["run", "rocket.c"]);
        assert_eq!(done.code, Some(0), "{done}");
        let named = |line: &str| line.contains("rocket.c:6") && line.contains("external function `launch`");
        assert!(done.stdout.lines().any(named), "{done}");
        assert!(!done.stdout.contains("every path was explored"), "not to its end: {done}");
        assert_eq!(bench.json("secateur-out/summary.json")["paths"]["unsupported"], 1);
        assert_eq!(check_replay(&bench, "secateur-out"), 2);
    }

    #[test]
    fn a_bug_is_an_exit_code() {
        let bench = Workbench::new();
        bench.write("bug.c", "#include <klee/klee.h>\nint main(void) {\n  return 7 / klee_int(\"x\");\n}\n");
        let done = bench.secateur(&["run", "bug.c"]);
        assert_eq!(done.code, Some(10), "{done}");
        assert!(done.stderr.contains("bug.c:3: division-by-zero"), "{done}");
        assert!(done.stdout.contains("bug.c:3: division-by-zero"), "{done}");
        let quiet = bench.secateur(&["run", "bug.c", "--quiet"]);
        assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (Some(10), "", ""), "{quiet}");
    }
}

mod interruptions {
    use super::*;

    /// Starts a run and waits until it has written some tests.
    fn start(bench: &Workbench, args: &[&str], tests: usize) -> Child {
        let mut command = bench.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + PATIENCE;
        while bench.tests("secateur-out") < tests {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < deadline, "ended: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }

    fn signal(child: &Child, name: &str) {
        let sent = std::process::Command::new("sh")
            .args(["-c", "kill -s \"$0\" \"$1\"", name, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    /// The child ends by itself, and soon.
    fn wait(mut child: Child) -> Done {
        let deadline = Instant::now() + PATIENCE;
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                child.kill().unwrap();
                panic!("it does not stop");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Done::from(child.wait_with_output().unwrap())
    }

    #[test]
    fn one_signal_stops_and_writes_everything() {
        for name in ["INT", "TERM"] {
            let bench = Workbench::new();
            bench.write("endless.c", ENDLESS);
            let child = start(&bench, &["run", "endless.c", "--all-tests", "--grace", "50ms"], 10);
            signal(&child, name);
            let done = wait(child);
            assert_eq!(done.code, Some(0), "{done}");
            check_sentence(&done, &["stopping", "Ctrl-C"]);
            assert!(done.stdout.contains("stopped on request"), "{done}");
            check_complete(&bench, "secateur-out");
            let summary = bench.json("secateur-out/summary.json");
            assert_eq!(summary["stopped"], "interrupted");
            assert_eq!(summary["tests"].as_u64(), Some(bench.tests("secateur-out") as u64));
            assert_eq!(check_replay(&bench, "secateur-out"), bench.tests("secateur-out"));
        }
    }

    #[test]
    fn a_path_without_end_is_left_and_what_is_pending_becomes_tests() {
        let bench = Workbench::new();
        let program = r#"#include <klee/klee.h>
volatile int ticks;
int main(void) {
  if (klee_int("x") == 1234)
    return 1;
  for (;;)
    ticks++;
}
"#;
        bench.write("loop.c", program);
        let child = start(&bench, &["run", "loop.c", "--max-instructions", "1000000000000"], 0);
        std::thread::sleep(Duration::from_secs(2));
        signal(&child, "INT");
        let done = wait(child);
        assert_eq!(done.code, Some(0), "{done}");
        // The other side, and the path itself as far as it came.
        assert_eq!(check_replay(&bench, "secateur-out"), 2);
    }

    #[test]
    fn a_question_that_takes_too_long_is_left() {
        for solver in ["bitwuzla", "z3"] {
            let bench = Workbench::new();
            bench.write("factors.c", FACTORS);
            let child = start(&bench, &["run", "factors.c", "--solver", solver, "--solver-timeout", "90s"], 1);
            // Time to come to the hard question.
            std::thread::sleep(Duration::from_secs(2));
            let signalled = Instant::now();
            signal(&child, "INT");
            let done = wait(child);
            assert_eq!(done.code, Some(0), "{solver}: {done}");
            assert!(signalled.elapsed() < Duration::from_secs(30), "{solver}: stops after {:?}", signalled.elapsed());
            assert_eq!(bench.json("secateur-out/summary.json")["stopped"], "interrupted", "{solver}: {done}");
        }
    }

    #[test]
    fn the_time_limit_holds_for_questions_too() {
        let bench = Workbench::new();
        bench.write("factors.c", FACTORS);
        let started = Instant::now();
        let done = bench.secateur(&["run", "factors.c", "--max-time", "1s", "--solver-timeout", "90s"]);
        assert_eq!(done.code, Some(0), "{done}");
        assert!(started.elapsed() < Duration::from_secs(30), "stops after {:?}", started.elapsed());
        assert_eq!(bench.json("secateur-out/summary.json")["stopped"], "time limit", "{done}");
    }

    #[test]
    fn a_second_signal_gives_up_at_once() {
        let bench = Workbench::new();
        bench.write("endless.c", ENDLESS);
        // Breadth-first search leaves so much pending that work is left when the first signal arrives.
        let args = ["run", "endless.c", "--all-tests", "--search", "bfs", "--grace", "1h"];
        let mut child = start(&bench, &args, 1500);
        signal(&child, "INT");
        // Two signals that arrive before the first is handled count as one.
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        // Lines about the progress may come first.
        assert!(lines.any(|line| line.contains("press Ctrl-C again")));
        signal(&child, "INT");
        let done = wait(child);
        assert_eq!(done.code, Some(130), "{done}");
        assert!(bench.tests("secateur-out") >= 1500);
    }

    #[test]
    fn a_killed_run_leaves_a_folder_that_can_be_used() {
        let bench = Workbench::new();
        bench.write("endless.c", ENDLESS);
        bench.write("two.c", TWO_PATHS);
        let mut child = start(&bench, &["run", "endless.c", "--all-tests"], 10);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(check_replay(&bench, "secateur-out"), bench.tests("secateur-out"));
        assert_eq!(bench.secateur(&["run", "two.c"]).code, Some(0));
        assert_eq!(check_replay(&bench, "secateur-out"), 2);
    }
}

mod replays {
    use super::*;

    fn explored() -> Workbench {
        let bench = Workbench::new();
        bench.write("two.c", TWO_PATHS);
        assert_eq!(bench.secateur(&["run", "two.c"]).code, Some(0));
        bench
    }

    #[test]
    fn folders_that_are_not_ours() {
        let bench = Workbench::new();
        check_refused(&bench.secateur(&["replay", "absent"]), &["absent"]);
        check_refused(&bench.secateur(&["replay"]), &["secateur-out"]);
        std::fs::create_dir(bench.path("thesis")).unwrap();
        check_refused(&bench.secateur(&["replay", "thesis"]), &["thesis", "not an output folder"]);
    }

    #[test]
    fn files_that_are_damaged() {
        for (file, content) in [
            ("secateur-out/tests/000001.ktest", &b"KTESTgarbage"[..]),
            ("secateur-out/tests/expected.jsonl", b"{}\n"),
            ("secateur-out/program.json", b"{"),
            ("secateur-out/program.bc", b"BC\xc0\xdegarbage"),
        ] {
            let bench = explored();
            bench.write(file, content);
            check_refused(&bench.secateur(&["replay"]), &[file]);
            std::fs::remove_file(bench.path(file)).unwrap();
            if !file.ends_with("expected.jsonl") {
                check_refused(&bench.secateur(&["replay"]), &["secateur-out/"]);
            }
        }
    }

    #[test]
    fn single_tests_are_named() {
        let bench = explored();
        let done = bench.secateur(&["replay", "--test", "000002"]);
        assert_eq!(done.code, Some(0), "{done}");
        assert!(done.stdout.starts_with("000002 ok") && done.stdout.contains("1 of 1 tests"), "{done}");
        assert!(!bench.path("secateur-out/replay.info").exists(), "it would be the coverage of one test");
        check_refused(&bench.secateur(&["replay", "--test", "000009"]), &["no test 000009", "secateur-out"]);
    }

    #[test]
    fn a_test_without_its_prediction_is_not_complete() {
        let bench = explored();
        let list = "secateur-out/tests/expected.jsonl";
        let text = String::from_utf8(bench.read(list)).unwrap();
        bench.write(list, &text[..text.len() - 20]);
        // A killed run has no summary; a run that ended has written all tests.
        check_refused(&bench.secateur(&["replay"]), &["it lists 1 of the 2 tests", "run the program again"]);
        std::fs::remove_file(bench.path("secateur-out/summary.json")).unwrap();
        assert_eq!(check_replay(&bench, "secateur-out"), 1);
    }

    #[test]
    fn a_test_that_does_something_else_is_named() {
        let bench = explored();
        let list = "secateur-out/tests/expected.jsonl";
        let text = String::from_utf8(bench.read(list)).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        let mut prediction: serde_json::Value = serde_json::from_str(first).unwrap();
        prediction["end"]["exit"] = 77.into();
        bench.write(list, format!("{prediction}\n{rest}"));
        let done = bench.secateur(&["replay", "--quiet"]);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stdout.lines().any(|line| line.contains("000001") && line.contains("exit 77")), "{done}");
        assert!(!done.stdout.contains("000002") && done.stdout.contains("1 of 2 tests"), "{done}");
    }
}

mod mutants {
    use super::*;
    use std::sync::Mutex;

    const PROGRAM: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; short value; char name[6]; };
static struct node last = {0, 7, "last"}, first = {&last, 3, "first"};
static int find(const char *name) {
  for (struct node *n = &first; n; n = n->next)
    if (!strncmp(n->name, name, 5))
      return n->value;
  return -1;
}
static double mean(const float *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum / n;
}
int main(void) {
  char name[6];
  float numbers[3] = {1, 2.5f, 4};
  klee_make_symbolic(name, sizeof name, "name");
  name[5] = 0;
  unsigned *copy = malloc(name[0] & 1 ? 16 : 8);
  copy[name[1] & 1] = name[2];
  switch (find(name)) {
  case 3: return (int)mean(numbers, 3);
  case 7: return __builtin_popcount(copy[0]);
  default: free(copy); return name[4] % 3;
  }
}
"#;

    /// LLVM reads uninitialised memory when it parses these, so whether it crashes varies from run to run. It must not
    /// be this process that crashes.
    const TREACHEROUS: &[u64] = &[5483];

    /// Explores damaged programs: each is refused or runs, and none makes Secateur crash or hang.
    fn explore(numbers: impl Iterator<Item = u64> + Send) {
        let bitcode = bitcode(&Workbench::new(), PROGRAM);
        let numbers = Mutex::new(numbers);
        let wrong = Mutex::new(Vec::new());
        let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let bench = Workbench::new();
                    loop {
                        let Some(number) = numbers.lock().unwrap().next() else { break };
                        bench.write("mutant.bc", mutate(&bitcode, number));
                        let limits = ["--max-time", "2s", "--grace", "0s", "--max-instructions", "1000000"];
                        let done = bench.secateur(&[&["run", "mutant.bc", "--max-alloc", "16M"], &limits[..]].concat());
                        if !matches!(done.code, Some(0 | 1 | 10)) || done.stderr.contains("panicked") {
                            wrong.lock().unwrap().push(format!("mutant {number}: {done}"));
                        }
                    }
                });
            }
        });
        let wrong = wrong.into_inner().unwrap();
        assert!(wrong.is_empty(), "{} mutants take us down\n{}", wrong.len(), wrong.join("\n"));
    }

    /// Flips some bits or removes some bytes, depending on the number.
    fn mutate(bitcode: &[u8], number: u64) -> Vec<u8> {
        let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % limit.max(1) as u64) as usize
        };
        let mut mutant = bitcode.to_vec();
        if below(8) == 0 {
            let from = below(mutant.len());
            let to = (from + 1 + below(8)).min(mutant.len());
            mutant.drain(from..to);
        } else {
            for _ in 0..1 + below(3) {
                let at = below(mutant.len());
                mutant[at] ^= 1 << below(8);
            }
        }
        mutant
    }

    #[test]
    fn some() {
        explore((0..100).chain(TREACHEROUS.iter().copied()));
    }

    #[test]
    #[ignore = "takes minutes; for `make test-long`"]
    fn ten_thousand() {
        explore(0..10_000);
    }
}

/// All files that a run writes are there, and no half-written ones.
#[track_caller]
fn check_complete(bench: &Workbench, out: &str) {
    for name in ["summary.json", "coverage.info", "timeline.csv", "run.log", "program.bc", "bugs/bugs.sarif", "tests"] {
        assert!(bench.path(out).join(name).exists(), "{name} is missing");
    }
    for folder in ["", "tests", "bugs"] {
        for entry in std::fs::read_dir(bench.path(out).join(folder)).unwrap().flatten() {
            assert!(!entry.file_name().to_string_lossy().ends_with(".tmp"), "{:?} is left", entry.path());
        }
    }
}

/// A program as bitcode: the same on every machine.
fn bitcode(bench: &Workbench, program: &str) -> Vec<u8> {
    bench.write("program.c", program);
    let mut compiler = std::process::Command::new("clang-19");
    compiler.current_dir(bench.path("")).args(["-c", "-emit-llvm", "-g", "-w", "-fdebug-compilation-dir=."]);
    compiler.arg("-I").arg(support::root().join("runtime").join("include")).args(["-o", "program.bc", "program.c"]);
    let done = bench.finish(compiler);
    assert_eq!(done.code, Some(0), "{done}");
    bench.read("program.bc")
}
