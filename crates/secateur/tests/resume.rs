//! Runs that are killed or stopped at any moment and continued until they are done: they end as if nothing had
//! happened.

mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use workbench::Workbench;

/// Thousands of paths, two bugs, and decisions on values.
const PROGRAM: &str = r#"#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char in[13];
  int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 12; i++)
    if (in[i] > i) sum += i;
  if (sum == 40) return *(volatile int *)0;
  if (in[12] < 16 && sum == 66) assert(table[in[12]] != 8);
  return sum & 1;
}
"#;

/// What must not depend on whether the run was interrupted.
#[derive(PartialEq, Debug)]
struct Explored {
    identities: BTreeSet<u64>,
    ends: Vec<(String, u64)>,
    bugs: BTreeSet<String>,
    covered: (u64, u64),
    paths: u64,
    infeasible: u64,
}

fn explored(bench: &Workbench, out: &str) -> Explored {
    let text = String::from_utf8(bench.read(format!("{out}/paths.csv"))).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let identities: Vec<u64> = rows.iter().map(|row| row.last().unwrap().parse().unwrap()).collect();
    let set: BTreeSet<u64> = identities.iter().copied().collect();
    assert_eq!(set.len(), identities.len(), "no path is listed twice");
    let mut ends = std::collections::BTreeMap::new();
    for row in &rows {
        *ends.entry(row[4].to_string()).or_insert(0) += 1;
    }
    let summary = bench.json(&format!("{out}/summary.json"));
    assert_eq!(summary["stopped"], "finished");
    let bugs = summary["bugs"].as_array().unwrap().iter().map(|bug| {
        assert_eq!(bug["confirmed"], true, "{bug}");
        format!("{}:{}", bug["kind"], bug["line"])
    });
    Explored {
        identities: set,
        ends: ends.into_iter().collect(),
        bugs: bugs.collect(),
        covered: (
            summary["coverage"]["branches"]["covered"].as_u64().unwrap(),
            summary["coverage"]["lines"]["covered"].as_u64().unwrap(),
        ),
        paths: summary["paths"]["completed"].as_u64().unwrap(),
        infeasible: summary["paths"]["infeasible"].as_u64().unwrap(),
    }
}

/// Kills a run this often, after times that do not repeat, and continues it until it is done.
fn killed_runs_end_like_others(jobs: &str, search: &str, kills: u64) {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    let begin =
        ["run", "prog.c", "--quiet", "--jobs", jobs, "--search", search, "--prune", "none", "--max-memory", "1G"];
    assert_eq!(bench.secateur(&[&begin[..], &["--out", "whole"]].concat()).code, Some(10));
    assert!(!bench.path("whole/pending").exists(), "nothing is pending");
    let (mut killed, mut begun) = (0, 0);
    while killed < kills {
        let mut command = match begun {
            0 => bench.command(&[&begin[..], &["--out", "parts"]].concat()),
            _ => bench.command(&["run", "--resume", "parts"]),
        };
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300 + killed * 379 % 1100));
        run.kill().unwrap();
        run.wait().unwrap();
        killed += 1;
        begun = u32::from(bench.path("parts/pending").exists());
    }
    if begun == 1 {
        let done = bench.secateur(&["run", "--resume", "parts"]);
        assert_eq!(done.code, Some(10), "{done}");
    }
    assert_eq!(explored(&bench, "parts"), explored(&bench, "whole"), "{jobs} jobs, {search}");
    assert!(!bench.path("parts/pending").exists());
    let again = bench.secateur(&["run", "--resume", "parts"]);
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("nothing is pending there"), "{again}");
}

#[test]
fn a_killed_run_can_be_continued() {
    killed_runs_end_like_others("1", "default", 3);
    killed_runs_end_like_others("2", "dfs", 3);
}

#[test]
#[ignore = "takes minutes; for `make test-long`"]
fn a_run_that_is_killed_fifty_times_can_be_continued() {
    for (jobs, search) in [("1", "dfs"), ("2", "default"), ("1", "random-path"), ("2", "bfs")] {
        killed_runs_end_like_others(jobs, search, 50);
    }
}

/// Stopped by a limit again and again, with a little more each time.
#[test]
fn a_stopped_run_can_be_continued() {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    let whole = bench.secateur(&["run", "prog.c", "--quiet", "--prune", "none", "--jobs", "1", "--out", "whole"]);
    assert_eq!(whole.code, Some(10), "{whole}");
    let begin = ["run", "prog.c", "--prune", "none", "--jobs", "1", "--max-paths", "1500", "--out", "parts"];
    let first = bench.secateur(&begin);
    assert!(first.stdout.contains("secateur run --resume"), "{first}");
    let mut runs = 1;
    while bench.path("parts/pending").exists() {
        let next = bench.secateur(&["run", "--resume", "parts", "--quiet"]);
        assert_eq!(next.code, Some(10), "{next}");
        runs += 1;
        assert!(runs < 20, "it goes on from where it stopped");
    }
    assert!(runs > 2);
    assert_eq!(explored(&bench, "parts"), explored(&bench, "whole"));
}

#[test]
fn what_cannot_be_continued_is_said() {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    let none = bench.secateur(&["run", "--resume", "nowhere"]);
    assert_eq!(none.code, Some(1), "{none}");
    let args = ["run", "prog.c", "--quiet", "--max-paths", "10", "--out", "out"];
    assert!(matches!(bench.secateur(&[&args[..], &["--no-resume"]].concat()).code, Some(0 | 10)));
    let none = bench.secateur(&["run", "--resume", "out"]);
    assert!(none.code == Some(1) && none.stderr.contains("nothing is pending there"), "{none}");
    assert!(matches!(bench.secateur(&args).code, Some(0 | 10)));
    bench.write("prog.c", PROGRAM.replace("40", "41"));
    let changed = bench.secateur(&["run", "--resume", "out"]);
    assert!(changed.code == Some(1) && changed.stderr.contains("the program has changed"), "{changed}");
    bench.write("prog.c", PROGRAM);
    bench.write("out/pending", "secateur-pending 0\n");
    let other = bench.secateur(&["run", "--resume", "out"]);
    assert!(other.code == Some(1) && other.stderr.contains("another version"), "{other}");
}
