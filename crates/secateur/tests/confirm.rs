//! A run checks its bugs on the natively compiled program and reports the result wherever bugs are listed.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use workbench::Workbench;

/// Overflows its table for a single input.
const TRUE_BUG: &str = r#"#include <klee/klee.h>
int table[4];
int main(void) {
  int i = klee_range(0, 5, "i");
  table[i] = 1;
  return 0;
}
"#;

/// Depends on addresses: in the native program, the two variables are close to each other.
const FALSE_BUG: &str = r#"#include <stdlib.h>
static char one[8], two[8];
int main(void) {
  if (labs((long)one - (long)two) > 1000000)
    abort();
  return 0;
}
"#;

/// Has a bug on its first path, and then more paths than can ever be explored.
const BUG_IN_ENDLESS: &str = r#"#include <klee/klee.h>
int table[4];
int main(void) {
  unsigned char bytes[64];
  int large = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  if (bytes[0] == 0)
    table[bytes[0] + 4] = 1;
  for (int i = 0; i < 64; i++)
    if (bytes[i] > 100)
      large++;
  return large;
}
"#;

/// For runs that should end at once, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A compiler for native code that never finishes.
fn add_endless_compiler(bench: &Workbench) {
    std::fs::create_dir(bench.path("bin")).unwrap();
    bench.write("bin/clang-19", "#!/bin/sh\nexec sleep 1000\n");
    let mut permissions = std::fs::metadata(bench.path("bin/clang-19")).unwrap().permissions();
    permissions.set_mode(0o755);
    std::fs::set_permissions(bench.path("bin/clang-19"), permissions).unwrap();
}

/// A command on bitcode with that compiler.
fn with_endless_compiler(bench: &Workbench, args: &[&str]) -> Command {
    let mut command = bench.command(&[args, &["prog.bc", "--jobs", "1"]].concat());
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", bench.path("bin").display()));
    command
}

fn compile_to_bitcode(bench: &Workbench, source: &str, bitcode: &str) {
    let runtime = std::path::PathBuf::from(std::env::var_os("SECATEUR_RUNTIME").unwrap_or_default());
    let include = if runtime.is_dir() { runtime.join("include") } else { "../../runtime/include".into() };
    let compiled = Command::new("clang-19")
        .args(["-c", "-g", "-emit-llvm", "-o"])
        .arg(bench.path(bitcode))
        .arg(bench.path(source))
        .arg(format!("-I{}", include.canonicalize().unwrap().display()))
        .status();
    assert!(compiled.unwrap().success());
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("true.c", TRUE_BUG);
    bench.write("false.c", FALSE_BUG);
    bench
}

#[test]
fn a_true_bug_is_confirmed() {
    let bench = bench();
    let done = bench.secateur(&["run", "true.c"]);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("\n  bugs      1, confirmed natively\n"), "{done}");
    assert!(done.stdout.contains("(bugs/000001.ktest, confirmed)\n"), "{done}");
    let bug = &bench.json("secateur-out/summary.json")["bugs"][0];
    assert_eq!(bug["confirmed"], true);
    assert_eq!(bug["native"], "AddressSanitizer: global-buffer-overflow");
    let result = &bench.json("secateur-out/bugs/bugs.sarif")["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["properties"]["confirmed"]), (&"error".into(), &true.into()));
    let page = String::from_utf8(bench.read("secateur-out/report.html")).unwrap();
    assert!(page.contains(r#""confirmed":true,"native":"AddressSanitizer: global-buffer-overflow""#));
    // Replay uses the same build.
    let builds = || std::fs::read_dir(bench.path("secateur-out/.replay")).unwrap().count();
    let before = builds();
    let done = bench.secateur(&["replay"]);
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(builds(), before);
}

#[test]
fn a_false_bug_is_not() {
    let bench = bench();
    let done = bench.secateur(&["run", "false.c"]);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("\n  bugs      1, NONE confirmed natively\n"), "{done}");
    assert!(done.stdout.contains("(bugs/000001.ktest, not confirmed natively: "), "{done}");
    assert_eq!(bench.json("secateur-out/summary.json")["bugs"][0]["confirmed"], false);
    let result = &bench.json("secateur-out/bugs/bugs.sarif")["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["properties"]["confirmed"]), (&"warning".into(), &false.into()));
}

#[test]
fn nothing_is_compiled_without_a_bug_or_if_nobody_wants_it() {
    let bench = bench();
    bench.write("clean.c", "int main(void) { return 0; }\n");
    assert_eq!(bench.secateur(&["run", "clean.c"]).code, Some(0));
    assert!(!bench.path("secateur-out/.replay").exists());
    let done = bench.secateur(&["run", "true.c", "--no-confirm"]);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("\n  bugs      1\n"), "{done}");
    assert!(done.stdout.contains("(bugs/000001.ktest, not checked natively)\n"), "{done}");
    assert!(bench.json("secateur-out/summary.json")["bugs"][0]["confirmed"].is_null());
    assert!(!bench.path("secateur-out/.replay").exists());
}

#[test]
fn without_a_compiler_bugs_stay_unchecked_and_the_reason_is_reported() {
    let bench = bench();
    compile_to_bitcode(&bench, "true.c", "true.bc");
    let mut command = bench.command(&["run", "true.bc"]);
    command.env("PATH", bench.path("nothing"));
    let done = bench.finish(command);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("  bugs      1, not checked natively: cannot run clang-19"), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert!(summary["bugs"][0]["confirmed"].is_null());
    assert!(summary["not_checked"].as_str().unwrap().starts_with("cannot run clang-19"));
}

#[test]
fn each_function_is_checked_and_json_says_so() {
    let bench = Workbench::new();
    bench.write("lib.c", "int table[4];\nint get(unsigned i) { return table[i % 5]; }\nint add(int a) { return a; }\n");
    let done = bench.secateur(&["run", "lib.c", "--each-function", "--json"]);
    assert_eq!(done.code, Some(10), "{done}");
    let functions: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(functions["functions"][0]["bugs"][0]["confirmed"], true, "{done}");
    let done = bench.secateur(&["run", "lib.c", "--each-function"]);
    assert!(done.stdout.contains("(get/bugs/000001.ktest, confirmed)\n"), "{done}");
}

#[test]
fn the_time_limit_includes_the_check() {
    let bench = Workbench::new();
    bench.write("prog.c", BUG_IN_ENDLESS);
    compile_to_bitcode(&bench, "prog.c", "prog.bc");
    add_endless_compiler(&bench);
    let started = Instant::now();
    let done = bench.finish(with_endless_compiler(&bench, &["run", "--max-time", "1s"]));
    assert!(started.elapsed() < PATIENCE);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("stopped at the time limit"), "{done}");
    assert!(done.stdout.contains("  bugs      1, not checked natively: no time was left for 1 bug"), "{done}");
    assert!(done.stdout.contains("(bugs/000001.ktest, not checked natively)\n"), "{done}");
    // What the compiler had begun is gone, and replay can still check the bug.
    let left: Vec<_> = std::fs::read_dir(bench.path("secateur-out/.replay")).unwrap().flatten().collect();
    assert!(left.iter().all(|entry| entry.file_name() == "address.bc"), "{left:?}");
    let done = bench.secateur(&["replay"]);
    assert_eq!(done.code, Some(0), "{done}");
}

/// The bug is checked while the program is explored; it is the time limit that ends both.
#[test]
fn the_time_limit_includes_the_check_of_the_first_bug() {
    let bench = Workbench::new();
    bench.write("prog.c", BUG_IN_ENDLESS);
    compile_to_bitcode(&bench, "prog.c", "prog.bc");
    add_endless_compiler(&bench);
    let started = Instant::now();
    let done = bench.finish(with_endless_compiler(&bench, &["verify", "--max-time", "1s", "--prune", "none"]));
    assert!(started.elapsed() < PATIENCE);
    assert_eq!((done.code, done.stdout.lines().last()), (Some(20), Some("UNKNOWN")), "{done}");
    assert!(done.stdout.contains("stopped at the time limit"), "{done}");
    assert!(done.stdout.contains("  bugs      1, not checked natively: no time was left for 1 bug"), "{done}");
}

#[test]
fn an_interruption_ends_the_check() {
    let bench = Workbench::new();
    bench.write("prog.c", TRUE_BUG);
    compile_to_bitcode(&bench, "prog.c", "prog.bc");
    add_endless_compiler(&bench);
    let started = Instant::now();
    let mut command = with_endless_compiler(&bench, &["run"]);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // Then the exploration, which takes milliseconds, is over or about to be, and only the check is left.
    while !bench.path("secateur-out/.replay").exists() {
        assert!(started.elapsed() < PATIENCE, "nothing is compiled");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let mut printed = String::new();
    std::io::Read::read_to_string(&mut run.stdout.take().unwrap(), &mut printed).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(10), "{printed}");
    assert!(printed.contains("not checked natively: no time was left for 1 bug"), "{printed}");
}
