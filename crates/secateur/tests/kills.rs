//! Runs that are killed at any moment: what they leave behind can be used, and does not obstruct the next run.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::Stdio;
use std::time::Duration;

use workbench::Workbench;

/// How often a run is killed.
const KILLS: u32 = 200;

const PROGRAM: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char in[12];
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++)
    if (in[i] > i) sum += i;
  if (sum == 40) return *(volatile int *)0;
  return sum & 1;
}
"#;

#[test]
#[ignore = "takes minutes; for `make test-long`"]
fn what_a_killed_run_leaves_can_be_used() {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    std::fs::create_dir(bench.path("tmp")).unwrap();
    let command = |args: &[&str]| {
        let mut command = bench.command(args);
        command.env("TMPDIR", bench.path("tmp"));
        command
    };
    for kill in 0..KILLS {
        let mut run = command(&["run", "prog.c", "--all-tests", "--quiet", "--max-paths", "3000"]);
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // From the first moment up to beyond the usual end, in steps that do not repeat.
        std::thread::sleep(Duration::from_millis(u64::from(kill * 37 % 900)));
        run.kill().unwrap();
        run.wait().unwrap();
        if !bench.path("secateur-out").exists() {
            continue;
        }
        let tests = bench.tests("secateur-out");
        let name = "000001".to_string();
        if tests > 0 && kill % 10 == 0 {
            let replayed = bench.finish(command(&["replay", "--quiet", "--test", &name]));
            assert_eq!(replayed.code, Some(0), "kill {kill}: {replayed}");
        }
    }
    let done = bench.finish(command(&["run", "prog.c", "--all-tests", "--quiet"]));
    assert_eq!(done.code, Some(10), "{done}");
    let names = |folder: &str| {
        let entries = std::fs::read_dir(bench.path(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let mut left = names(".");
    left.retain(|name| !["prog.c", "secateur-out", "tmp"].contains(&name.as_str()));
    assert!(left.is_empty(), "{left:?}");
    assert!(names("tmp").is_empty(), "{:?}", names("tmp"));
}
