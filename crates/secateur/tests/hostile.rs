//! Programs of `tests/hostile`, which need more time or memory than there is, in the machine or in the solver: the
//! limits of time and memory hold nevertheless, and Ctrl-C works.
//!
//! These tests measure time, so they do not run by default: use `cargo test --release --test hostile -- --ignored
//! --test-threads 1` on an idle machine.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{c_files, root, secateur};

/// How soon a limit takes effect, the grace period and the writing of all results included.
const SOON: Duration = Duration::from_secs(1);

const MEGABYTE: u64 = 1 << 20;

fn programs() -> Vec<PathBuf> {
    let programs = c_files(&root().join("tests").join("hostile"));
    assert!(!programs.is_empty());
    programs
}

/// A run that does not print anything, with its output folder below `folder`.
fn start(program: &Path, folder: &Path, arguments: &[&str]) -> Child {
    let mut command = secateur();
    command.arg("run").arg(program).arg("--out").arg(folder.join("out")).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The memory that a process and its children have in use, in bytes.
fn memory(process: u32) -> u64 {
    let read = |path: String| std::fs::read_to_string(path).unwrap_or_default();
    let pages = |process: &str| {
        let text = read(format!("/proc/{process}/statm"));
        text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0)
    };
    let command = |process: &str| read(format!("/proc/{process}/cmdline"));
    let (process, children) = (process.to_string(), read(format!("/proc/{process}/task/{process}/children")));
    // A child that has not yet become another program shares all its memory with its parent.
    let children = children.split_whitespace().filter(|child| command(child) != command(&process));
    let all = children.map(pages).sum::<u64>() + pages(&process);
    all * 4096
}

/// Waits for a run to end; returns its time and its peak memory.
fn wait(mut run: Child) -> (Duration, u64) {
    let start = Instant::now();
    let mut most = 0;
    while run.try_wait().unwrap().is_none() {
        most = most.max(memory(run.id()));
        std::thread::sleep(Duration::from_millis(10));
    }
    (start.elapsed(), most)
}

#[test]
#[ignore = "looks at the clock"]
fn the_time_limit_of_a_run_holds() {
    let mut late = Vec::new();
    for program in programs() {
        for solver in ["bitwuzla", "z3"] {
            let folder = tempfile::tempdir().unwrap();
            let arguments = ["--max-time", "4s", "--solver", solver, "--jobs", "1", "--solver-timeout", "60s"];
            let (time, _) = wait(start(&program, folder.path(), &arguments));
            if time >= Duration::from_secs(4) + SOON {
                late.push(format!("{} with {solver}: {time:?}", program.display()));
            }
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

#[test]
#[ignore = "looks at the clock"]
fn the_memory_limit_holds() {
    let mut large = Vec::new();
    for program in programs() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["--max-time", "8s", "--max-memory", "1G", "--jobs", "2", "--solver-timeout", "60s"];
        let (_, most) = wait(start(&program, folder.path(), &arguments));
        if most >= 1127 * MEGABYTE {
            large.push(format!("{}: {} MB", program.display(), most / MEGABYTE));
        }
    }
    assert!(large.is_empty(), "{large:#?}");
}

#[test]
#[ignore = "looks at the clock"]
fn the_first_interruption_takes_effect_at_once() {
    let mut late = Vec::new();
    for program in programs() {
        let folder = tempfile::tempdir().unwrap();
        let run = start(&program, folder.path(), &["--jobs", "1", "--solver-timeout", "60s"]);
        std::thread::sleep(Duration::from_secs(4));
        let process = run.id();
        let interrupted = Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap();
        assert!(interrupted.success());
        let (time, _) = wait(run);
        if time >= SOON {
            late.push(format!("{}: {time:?}", program.display()));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

#[test]
#[ignore = "looks at the clock"]
fn no_solver_process_outlives_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = root().join("tests").join("hostile").join("chain_of_doubles.c");
    let mut run = start(&program, folder.path(), &["--jobs", "1", "--solver-timeout", "60s"]);
    let children = format!("/proc/{0}/task/{0}/children", run.id());
    let child = (0..100).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        let text = std::fs::read_to_string(&children).unwrap_or_default();
        text.split_whitespace().next().map(str::to_owned)
    });
    let child = child.expect("a question this large is put to a process of its own");
    std::thread::sleep(Duration::from_millis(500));
    // A killed run cannot tell its children to end.
    run.kill().unwrap();
    run.wait().unwrap();
    let is_gone = || {
        let status = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        status.is_empty() || status.contains(") Z ")
    };
    let gone = (0..20).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        is_gone()
    });
    assert!(gone, "process {child} is still there");
}
