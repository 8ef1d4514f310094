//! Whatever is in the output folder and whatever the program does: no foreign files are touched, no results are lost,
//! and nothing hangs.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use workbench::{Done, ENDLESS, Workbench};

const TWO_PATHS: &str = r#"#include <klee/klee.h>
int main(void) { return klee_int("x") > 7; }
"#;

/// Removes the file that its argument names, but only natively, where it does not behave as predicted.
/// It calls the kernel itself: the functions of the C library are those of the modelled system, in replay, too.
const REMOVES: &str = r#"#include <klee/klee.h>
#include <sys/syscall.h>
int main(int argc, char **argv) {
  if (klee_is_replay()) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_unlink), "D"(argv[1]) : "rcx", "r11", "memory");
  }
  return 0;
}
"#;

/// How long something that takes seconds may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn bench() -> Workbench {
    let bench = Workbench::new();
    for (name, text) in [("endless.c", ENDLESS), ("two.c", TWO_PATHS), ("removes.c", REMOVES)] {
        bench.write(name, text);
    }
    bench
}

/// Starts a run without end and waits until it has written some tests.
fn start_endless(bench: &Workbench) -> Child {
    let mut command = bench.command(&["run", "endless.c", "--all-tests", "--grace", "50ms"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| bench.tests("secateur-out") > 5 || child.try_wait().unwrap().is_some());
    child
}

fn wait_until(mut happened: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !happened() {
        assert!(Instant::now() < deadline, "it does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn interrupt(child: Child) -> Done {
    signal(&child, "INT");
    Done::from(child.wait_with_output().unwrap())
}

#[test]
fn a_second_run_into_the_same_folder_is_refused_and_the_first_loses_nothing() {
    let bench = bench();
    let first = start_endless(&bench);
    let second = bench.secateur(&["run", "two.c"]);
    assert_eq!(second.code, Some(1), "{second}");
    assert!(second.stderr.contains("another run of Secateur is writing into secateur-out"), "{second}");
    let replay = bench.secateur(&["replay", "--test", "000001"]);
    assert_eq!(replay.code, Some(0), "{replay}");
    let first = interrupt(first);
    assert_eq!(first.code, Some(0), "{first}");
    let replay = bench.secateur(&["replay", "--test", "000001"]);
    assert_eq!(replay.code, Some(0), "{replay}");
    assert_eq!(bench.json("secateur-out/summary.json")["tests"], bench.tests("secateur-out"));
    assert_eq!(bench.secateur(&["run", "two.c"]).code, Some(0));
}

#[test]
fn a_folder_that_vanishes_is_an_error() {
    for how in ["rm -r secateur-out", "mv secateur-out elsewhere", "mv secateur-out elsewhere; mkdir secateur-out"] {
        let bench = bench();
        let mut child = start_endless(&bench);
        // Files that are written meanwhile can make `rm` fail.
        wait_until(|| {
            let done = Command::new("sh").args(["-c", how]).current_dir(bench.path("")).stderr(Stdio::null()).status();
            done.unwrap().success() || !bench.path("secateur-out").exists()
        });
        // The next test cannot be written.
        wait_until(|| child.try_wait().unwrap().is_some());
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.code, Some(1), "{how}: {done}");
        assert!(done.stderr.contains("secateur: cannot write secateur-out/"), "{how}: {done}");
    }
}

#[test]
fn a_folder_that_vanishes_in_the_end_is_an_error_too() {
    let bench = bench();
    // Nothing is written while it goes on.
    let args = ["run", "endless.c", "--no-tests", "--no-report", "--list-paths", "0", "--grace", "0s"];
    let child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| bench.path("secateur-out/timeline.csv").exists());
    std::fs::rename(bench.path("secateur-out"), bench.path("elsewhere")).unwrap();
    std::fs::create_dir(bench.path("secateur-out")).unwrap();
    let done = interrupt(child);
    assert_eq!(done.code, Some(1), "{done}");
    assert!(done.stderr.contains("secateur-out was removed or replaced while it was written"), "{done}");
}

#[test]
fn a_killed_run_leaves_a_folder_that_can_be_replayed_and_replaced() {
    let bench = bench();
    for _ in 0..5 {
        let child = start_endless(&bench);
        signal(&child, "KILL");
        child.wait_with_output().unwrap();
        let replay = bench.secateur(&["replay", "--test", "000001"]);
        assert_eq!(replay.code, Some(0), "{replay}");
    }
    assert_eq!(bench.secateur(&["run", "two.c"]).code, Some(0));
    let names = std::fs::read_dir(bench.path("secateur-out")).unwrap().flatten();
    let left: Vec<_> =
        names.map(|entry| entry.file_name()).filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let files =
        ["tests/000001.ktest", "tests/expected.jsonl", "program.json", "program.bc", ".secateur", "summary.json"];
    for file in files {
        for make in ["mkfifo", "ln -s /dev/zero", "truncate -s 9T", "mkdir"] {
            let bench = bench();
            assert_eq!(bench.secateur(&["run", "two.c", "--no-report"]).code, Some(0));
            let script = format!("rm secateur-out/{file} && {make} secateur-out/{file}");
            let made = Command::new("sh").args(["-c", &script]).current_dir(bench.path("")).status();
            if !made.unwrap().success() {
                // Not every file system has files that large.
                continue;
            }
            let done = bench.secateur(&["replay"]);
            // Either the mark or the summary is enough.
            let wanted = if [".secateur", "summary.json"].contains(&file) { 0 } else { 1 };
            assert_eq!(done.code, Some(wanted), "{make} {file}: {done}");
            assert_eq!(done.stderr.lines().count() as i32, wanted, "{make} {file}: {done}");
        }
    }
}

#[test]
fn missing_tests_are_an_error() {
    for remove in ["tests/expected.jsonl", "bugs/expected.jsonl", "tests", "bugs"] {
        let bench = bench();
        bench
            .write("bug.c", "#include <klee/klee.h>\nint main(void) { klee_assert(klee_int(\"x\") < 7); return 0; }\n");
        assert_eq!(bench.secateur(&["run", "bug.c"]).code, Some(10));
        let path = bench.path("secateur-out").join(remove);
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap()
        } else {
            std::fs::remove_file(path).unwrap()
        }
        let done = bench.secateur(&["replay"]);
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stderr.contains("the list of tests is missing"), "{done}");
    }
}

#[test]
fn a_test_cannot_change_files_elsewhere_unless_it_is_trusted() {
    let bench = bench();
    bench.write("precious", "text");
    let precious = bench.path("precious");
    let name = precious.to_str().unwrap();
    assert_eq!(bench.secateur(&["run", "removes.c", "--arg", name]).code, Some(0));
    let done = bench.secateur(&["replay"]);
    assert_eq!(done.code, Some(1), "{done}");
    assert!(precious.exists());
    let done = bench.secateur(&["replay", "--trust"]);
    assert_eq!(done.code, Some(1), "{done}");
    assert!(!precious.exists());
}

#[test]
fn a_killed_replay_leaves_nothing() {
    let bench = Workbench::new();
    std::fs::create_dir(bench.path("temporary")).unwrap();
    // It hangs natively only: the variables of the explored program are far from each other.
    bench.write(
        "hangs.c",
        "#include <stdlib.h>\n#include <unistd.h>\nstatic char one[8], two[8];\nint main(void) {\n  if (labs((long)one - (long)two) < 1000000) for (;;) pause();\n  return 0;\n}\n",
    );
    assert_eq!(bench.secateur(&["run", "hangs.c"]).code, Some(0));
    let running = || {
        let out = bench.path("secateur-out");
        let is_test = |entry: &std::fs::DirEntry| {
            std::fs::read_link(entry.path().join("exe")).is_ok_and(|program| program.starts_with(&out))
        };
        std::fs::read_dir("/proc").unwrap().flatten().filter(is_test).count()
    };
    let mut command = bench.command(&["replay", "--test-timeout", "100s"]);
    let child = command.env("TMPDIR", bench.path("temporary")).stdout(Stdio::null()).spawn().unwrap();
    wait_until(|| running() == 1);
    signal(&child, "KILL");
    child.wait_with_output().unwrap();
    wait_until(|| running() == 0);
    // The next one removes what it left behind.
    let mut command = bench.command(&["replay", "--test-timeout", "100ms"]);
    command.env("TMPDIR", bench.path("temporary"));
    bench.finish(command);
    assert_eq!(std::fs::read_dir(bench.path("temporary")).unwrap().count(), 0);
}
