//! Runs that are killed or stopped at any moment and continued until they are done: they end as if nothing had
//! happened.

#[path = "support/explored.rs"]
mod explored;
mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::Stdio;
use std::time::Duration;

use explored::{Explored, PROGRAM};
use workbench::Workbench;

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
    assert_eq!(Explored::read(&bench, "parts"), Explored::read(&bench, "whole"), "{jobs} jobs, {search}");
    let infeasible = |out: &str| bench.json(&format!("{out}/summary.json"))["paths"]["infeasible"].clone();
    assert_eq!(infeasible("parts"), infeasible("whole"), "{jobs} jobs, {search}");
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
    assert_eq!(Explored::read(&bench, "parts"), Explored::read(&bench, "whole"));
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
