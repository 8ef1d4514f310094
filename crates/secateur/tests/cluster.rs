//! Clusters of processes on a real NATS server: they find what one process finds, whoever is killed.

#[path = "support/explored.rs"]
mod explored;
#[path = "support/nats.rs"]
mod nats;
#[path = "support/processes.rs"]
mod processes;
mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::Child;
use std::time::Duration;

use explored::{Explored, PROGRAM};
use nats::NatsServer;
use processes::{ends, kill, leaves, signal, start};
use workbench::{Done, Workbench};

/// One bench with the program and what a single process finds in it.
fn bench() -> (Workbench, Explored) {
    bench_with(PROGRAM)
}

fn bench_with(program: &str) -> (Workbench, Explored) {
    let bench = Workbench::new();
    bench.write("prog.c", program);
    let whole = bench.secateur(&["run", "prog.c", "--quiet", "--jobs", "1", "--prune", "none", "--out", "whole"]);
    assert_eq!(whole.code, Some(10), "{whole}");
    let whole = Explored::read(&bench, "whole");
    (bench, whole)
}

fn collector<'a>(url: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let run = ["cluster", "run", "prog.c", "--quiet", "--prune", "none", "--jobs", "1", "--nats", url, "--out", out];
    [&run[..], more].concat()
}

/// The collector explores by itself, alone and with others, or leaves it to one, two and four workers.
#[test]
fn many_processes_find_what_one_finds() {
    let (bench, whole) = bench();
    let server = NatsServer::start();
    let url = server.url();
    let alone = bench.secateur(&collector(&url, "alone", &[]));
    assert_eq!(alone.code, Some(10), "{alone}");
    assert_eq!(Explored::read(&bench, "alone"), whole);
    for workers in [1, 2, 4] {
        let out = format!("out{workers}");
        let only = if workers == 2 { &[][..] } else { &["--collect-only"] };
        let run = start(&bench, &collector(&url, &out, only));
        let args = ["worker", "--nats", &url, "--jobs", if workers == 1 { "2" } else { "1" }, "--quiet"];
        let workers: Vec<Child> = (0..workers).map(|_| start(&bench, &args)).collect();
        assert_eq!(ends(run), Some(10), "{out}");
        workers.into_iter().for_each(leaves);
        assert_eq!(Explored::read(&bench, &out), whole, "{out}");
    }
    let status = bench.secateur(&["cluster", "status", "--nats", &url]);
    assert_eq!(status.stdout.matches("prog.c, finished").count(), 4, "{status}");
    let removed = bench.secateur(&["cluster", "gc", "--nats", &url]);
    assert_eq!(removed.stdout.matches("is removed").count(), 4, "{removed}");
    let status = bench.secateur(&["cluster", "status", "--nats", &url]);
    assert!(status.stdout.contains("there is no run on this server"), "{status}");
}

/// Programs of the corpus that read input in different ways, with two workers.
#[test]
fn programs_of_all_kinds_are_explored() {
    let bench = Workbench::new();
    let server = NatsServer::start();
    let url = server.url();
    let mut workers: Vec<Child> =
        (0..2).map(|_| start(&bench, &["worker", "--nats", &url, "--jobs", "1", "--quiet"])).collect();
    let programs: [(&str, &[&str]); 10] = [
        ("bench/tritype.c", &["-DKLEE"]),
        ("bench/regexp.c", &["-DKLEE"]),
        ("bench/bubble.c", &["-DKLEE", "-DN=7"]),
        ("bench/diamonds.c", &["-DKLEE", "-DN=10"]),
        ("bench/maze.c", &["-DKLEE"]),
        ("bench/seeds/merge.c", &[]),
        ("bench/seeds/triangle.c", &[]),
        ("tests/programs/bug/two_bugs.c", &[]),
        ("tests/programs/bug/ring_buffer.c", &[]),
        ("tests/programs/clean/base64.c", &[]),
    ];
    for (number, (file, flags)) in programs.into_iter().enumerate() {
        let file = support::root().join(file);
        let (one, many) = (format!("one{number}"), format!("many{number}"));
        let common = [&[file.to_str().unwrap(), "--quiet", "--prune", "none", "--jobs", "1"], flags].concat();
        let alone = bench.secateur(&[&["run", "--out", &one], &common[..]].concat());
        let args = [&["cluster", "run", "--nats", &url, "--collect-only", "--out", &many], &common[..]].concat();
        let together = bench.secateur(&args);
        assert_eq!(together.code, alone.code, "{file:?}: {together}");
        assert_eq!(Explored::read(&bench, &many), Explored::read(&bench, &one), "{file:?}");
    }
    workers.iter_mut().for_each(kill);
}

/// Workers, the collector and the server are killed again and again.
fn whoever_is_killed(kills: u32, pause: u64) {
    let (bench, whole) = bench();
    let mut server = NatsServer::start();
    let url = server.url();
    let worker = ["worker", "--nats", &url, "--jobs", "1", "--quiet"];
    let mut run = start(&bench, &collector(&url, "out", &["--collect-only", "--lease", "1s", "--run", "killed"]));
    let mut workers: Vec<Child> = (0..2).map(|_| start(&bench, &worker)).collect();
    let resume = ["cluster", "resume", "--nats", &url, "--run", "killed", "--out", "out", "--collect-only", "--quiet"];
    for number in 0..kills {
        std::thread::sleep(Duration::from_millis(pause + u64::from(number) * 379 % pause));
        match number % 4 {
            0 | 2 => {
                let worker_process = &mut workers[number as usize / 2 % 2];
                kill(worker_process);
                *worker_process = start(&bench, &worker);
            }
            1 => {
                // It may not have begun the run, or may be done.
                if bench.secateur(&["cluster", "status", "--nats", &url]).stdout.contains("killed") {
                    kill(&mut run);
                    run = start(&bench, &resume);
                }
            }
            _ => server.restart(Duration::from_millis(200)),
        }
    }
    assert_eq!(ends(run), Some(10));
    workers.iter_mut().for_each(kill);
    assert_eq!(Explored::read(&bench, "out"), whole);
}

#[test]
fn nothing_is_lost_or_found_twice_when_processes_are_killed() {
    whoever_is_killed(6, 400);
}

#[test]
#[ignore = "takes minutes; for `make test-cluster`"]
fn nothing_is_lost_or_found_twice_in_many_kills() {
    for pause in [150, 250, 400, 700, 1100] {
        whoever_is_killed(40, pause);
    }
}

/// A worker that is stopped for longer than its lease finds its task in other hands when it goes on.
#[test]
fn a_slow_worker_loses_its_task() {
    let (bench, whole) = bench();
    let server = NatsServer::start();
    let url = server.url();
    let run = start(&bench, &collector(&url, "out", &["--collect-only", "--lease", "1s"]));
    let args = ["worker", "--nats", &url, "--jobs", "1", "--quiet"];
    let slow = start(&bench, &args);
    std::thread::sleep(Duration::from_millis(900));
    signal(&slow, libc::SIGSTOP);
    let quick = start(&bench, &args);
    std::thread::sleep(Duration::from_millis(2500));
    signal(&slow, libc::SIGCONT);
    assert_eq!(ends(run), Some(10));
    leaves(slow);
    leaves(quick);
    assert_eq!(Explored::read(&bench, "out"), whole);
}

/// Stopped by a limit, by Ctrl-C and by `cluster stop`, and continued each time; a worker leaves in between.
#[test]
fn a_stopped_run_goes_on() {
    // More paths than are explored before a limit is noticed.
    let (bench, whole) = bench_with(&PROGRAM.replace("in[13]", "in[17]").replace("i < 12", "i < 16"));
    let server = NatsServer::start();
    let url = server.url();
    let stopped = bench.secateur(&collector(&url, "out", &["--run", "parts", "--max-paths", "500"]));
    assert_eq!(bench.json("out/summary.json")["stopped"], "path limit", "{stopped}");
    let resume = ["cluster", "resume", "--nats", &url, "--out", "out", "--quiet", "--jobs", "1"];
    let mut run = start(&bench, &resume);
    let leaving = start(&bench, &["worker", "--nats", &url, "--jobs", "1", "--quiet"]);
    std::thread::sleep(Duration::from_millis(700));
    leaves(leaving);
    signal(&run, libc::SIGINT);
    ends(run);
    run = start(&bench, &resume);
    std::thread::sleep(Duration::from_millis(300));
    let stop = bench.secateur(&["cluster", "stop", "--nats", &url]);
    assert!(matches!(stop.code, Some(0 | 1)), "{stop}");
    ends(run);
    let status = bench.secateur(&["cluster", "status", "--nats", &url]);
    assert!(status.stdout.contains("parts: prog.c, "), "{status}");
    if status.stdout.contains("stopped") {
        let done = bench.secateur(&resume);
        assert_eq!(done.code, Some(10), "{done}");
    }
    assert_eq!(Explored::read(&bench, "out"), whole);
}

/// A verdict is that of one process, and a bug ends the run.
#[test]
fn verdicts_are_those_of_one_process() {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    bench.write("good.c", PROGRAM.replace("sum == 40", "sum == 400").replace("!= 8", "!= 80"));
    let server = NatsServer::start();
    let url = server.url();
    let mut worker = start(&bench, &["worker", "--nats", &url, "--jobs", "1", "--quiet"]);
    for (file, code) in [("good.c", 0), ("prog.c", 10)] {
        for prune in ["none", "interpolation"] {
            let args = ["cluster", "verify", file, "--nats", &url, "--prune", prune, "--jobs", "1", "--out", "out"];
            let verified = bench.secateur(&args);
            assert_eq!(verified.code, Some(code), "{file} {prune}: {verified}");
        }
    }
    kill(&mut worker);
}

fn refused(done: &Done, sentence: &str) {
    assert_eq!(done.code, Some(1), "{done}");
    assert!(done.stderr.contains(sentence), "{done}");
    assert_eq!(done.stderr.lines().count(), 1, "one sentence: {done}");
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    let nobody = nats::nowhere();
    refused(&bench.secateur(&collector(&nobody, "out", &[])), "start one with: nats-server -js");
    refused(&bench.secateur(&["worker", "--nats", &nobody]), "start one with: nats-server -js");
    refused(&bench.secateur(&["cluster", "status", "--nats", "nats://:::"]), "this is no address of a NATS server");
    let plain = NatsServer::with(&[]);
    refused(&bench.secateur(&collector(&plain.url(), "out", &[])), "runs without JetStream");
    let closed = NatsServer::with(&["-js", "--auth", "secret"]);
    refused(&bench.secateur(&collector(&closed.url(), "out", &[])), "refuses these credentials");
    let wrong = ["cluster", "status", "--nats", &closed.url(), "--token", "wrong"];
    refused(&bench.secateur(&wrong), "refuses these credentials");
    let status = bench.secateur(&["cluster", "status", "--nats", &closed.url(), "--token", "secret"]);
    assert_eq!(status.code, Some(0), "{status}");
    let creds = bench.secateur(&["cluster", "status", "--nats", &closed.url(), "--creds", "nowhere.creds"]);
    refused(&creds, "nowhere.creds: No such file");
    let server = NatsServer::start();
    let url = server.url();
    refused(&bench.secateur(&["worker", "--nats", &url, "--run", "none"]), "there is no run `none`");
    refused(&bench.secateur(&["cluster", "resume", "--nats", &url]), "there is no run on this server");
    refused(&bench.secateur(&collector(&url, "out", &["--run", "a.b"])), "cannot be the name of a run");
    assert!(!bench.path("out").exists(), "nothing is written");
}

/// A log that may not grow any more ends the run with a sentence, and what was found until then is written.
#[test]
fn a_full_server_ends_the_run() {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    let server = NatsServer::start();
    let url = server.url();
    let done = bench.secateur(&collector(&url, "out", &["--max-stream", "20K"]));
    assert!(done.stderr.contains("the server has no room left for the run"), "{done}");
    let summary = bench.json("out/summary.json");
    assert!(summary["complete"] == false && summary["stopped"] == "interrupted", "{summary}");
}
