//! What can be asked of a run on a cluster as of any run, and what happens to runs that are disturbed in unusual ways.

#[path = "support/nats.rs"]
mod nats;
#[path = "support/processes.rs"]
mod processes;
mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nats::NatsServer;
use processes::{ends, kill, leaves, start};
use workbench::{Done, ENDLESS, Workbench};

/// Tens of thousands of paths, which two seconds are not enough for.
const LONG: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char in[16];
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 16; i++)
    if (in[i] > i) sum += i;
  return sum & 1;
}
"#;

fn identities(bench: &Workbench, out: &str) -> BTreeSet<u64> {
    let text = String::from_utf8(bench.read(format!("{out}/paths.csv"))).unwrap();
    let rows: Vec<u64> = text.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap()).collect();
    let set: BTreeSet<u64> = rows.iter().copied().collect();
    assert_eq!(set.len(), rows.len(), "{out}: no path is listed twice");
    set
}

/// Waits until `cluster status` says something.
fn until_status_has(bench: &Workbench, url: &str, text: &str) {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let status = bench.secateur(&["cluster", "status", "--nats", url]);
        if status.stdout.contains(text) {
            return;
        }
        assert!(Instant::now() < until, "{text}: {status}");
    }
}

/// No solver finds the input that the seed is, and the worker has no folder of seeds.
#[test]
fn seeds_are_followed_by_workers() {
    let bench = Workbench::new();
    let elsewhere = Workbench::new();
    bench.write(
        "fuzz.c",
        r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t hash = 14695981039346656037ull;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 1099511628211ull;
  if (hash == 0xa430d84680aabd0bull) abort();
  return 0;
}
"#,
    );
    std::fs::create_dir(bench.path("corpus")).unwrap();
    bench.write("corpus/seed", "hello");
    bench.write("corpus/empty", "");
    let server = NatsServer::start();
    let url = server.url();
    let worker = start(&elsewhere, &["worker", "--nats", &url, "--jobs", "1", "--quiet"]);
    let run = ["cluster", "run", "fuzz.c", "--nats", &url, "--collect-only", "--seeds", "corpus", "--max-paths", "2"];
    let done = bench.secateur(&run);
    assert_eq!(done.code, Some(10), "{done}");
    assert!(done.stdout.contains("fuzz.c:7: abort"), "{done}");
    assert!(done.stderr.contains("corpus/empty: it is empty") || done.stderr.contains("is not used"), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!((&summary["seeds"]["given"], &summary["seeds"]["followed"]), (&1.into(), &1.into()), "{summary}");
    leaves(worker);
}

#[test]
fn what_paths_print_is_shown_by_the_collector() {
    let bench = Workbench::new();
    bench.write(
        "prog.c",
        r#"#include <klee/klee.h>
#include <stdio.h>
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  puts(x == 7 ? "seven" : "other");
  return 0;
}
"#,
    );
    let server = NatsServer::start();
    let url = server.url();
    let worker = start(&bench, &["worker", "--nats", &url, "--jobs", "1", "--quiet"]);
    let run = ["cluster", "run", "prog.c", "--nats", &url, "--collect-only", "--show-output", "--quiet"];
    let done = bench.secateur(&run);
    assert_eq!(done.code, Some(0), "{done}");
    let lines: BTreeSet<&str> = done.stdout.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    assert!(lines.contains("seven") && lines.contains("other"), "{done}");
    leaves(worker);
}

#[test]
fn what_makes_no_sense_in_a_cluster_is_refused() {
    let bench = Workbench::new();
    bench.write("prog.c", LONG);
    let refused = [
        (&["prog.c", "--learn"][..], "--learn cannot be used in a cluster: each of its rounds starts from"),
        (&["prog.c", "--each-function"], "--each-function cannot be used in a cluster: start a run for each function"),
        (
            &["prog.c", "--native-share", "20"],
            "--native-share cannot be used in a cluster: workers never run the program",
        ),
        (&["--resume", "out"], "--resume cannot be used in a cluster: use `secateur cluster resume`"),
    ];
    for (option, sentence) in refused {
        let done = bench.secateur(&[&["cluster", "run"], option].concat());
        assert_eq!((done.code, done.stderr.lines().count()), (Some(1), 1), "{done}");
        assert!(done.stderr.contains(sentence), "{done}");
    }
}

/// Nobody works for a run that cannot be written.
#[test]
fn a_run_is_not_resumed_into_a_folder_that_is_in_use() {
    let bench = Workbench::new();
    bench.write("prog.c", LONG);
    bench.write("endless.c", ENDLESS);
    let server = NatsServer::start();
    let url = server.url();
    let run =
        ["cluster", "run", "prog.c", "--nats", &url, "--run", "parts", "--quiet", "--jobs", "1", "--prune", "none"];
    bench.secateur(&[&run[..], &["--max-paths", "100"]].concat());
    until_status_has(&bench, &url, "parts: prog.c, stopped");
    let mut other = start(&bench, &["run", "endless.c", "--quiet", "--out", "taken"]);
    while !bench.path("taken/paths.csv").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let resume = ["cluster", "resume", "--nats", &url, "--quiet", "--jobs", "1", "--out"];
    let refused = bench.secateur(&[&resume[..], &["taken"]].concat());
    assert_eq!(refused.code, Some(1), "{refused}");
    assert!(refused.stderr.contains("another run of Secateur is writing into"), "{refused}");
    until_status_has(&bench, &url, "parts: prog.c, stopped");
    kill(&mut other);
    let done = bench.secateur(&[&resume[..], &["out"]].concat());
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(bench.json("out/summary.json")["paths"]["completed"], 65_536);
    let finished = bench.secateur(&["cluster", "stop", "--nats", &url]);
    assert!(finished.code == Some(1) && finished.stderr.contains("has finished"), "{finished}");
}

/// What is in the queue and is not ours costs nothing but a warning.
#[test]
fn foreign_messages_are_counted_and_left_out() {
    let bench = Workbench::new();
    bench.write("prog.c", LONG.replace("16", "10"));
    let server = NatsServer::start();
    let url = server.url();
    let run = ["cluster", "run", "prog.c", "--nats", &url, "--run", "mixed", "--prune", "none", "--collect-only"];
    let mut collector = bench.command(&run);
    let collector = collector.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until_status_has(&bench, &url, "1 waiting");
    server.publish("secateur.mixed.work", "hello");
    server.publish("secateur.mixed.work", "SCT\u{1}of another version");
    let worker = start(&bench, &["worker", "--nats", &url, "--jobs", "1", "--quiet"]);
    let done = Done::from(collector.wait_with_output().unwrap());
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stderr.contains("a message in the work queue cannot be read: it is no message of Secateur"), "{done}");
    assert!(done.stderr.contains("it is of another version of Secateur (format 1)"), "{done}");
    let summary = bench.json("secateur-out/summary.json");
    assert_eq!((&summary["complete"], &summary["paths"]["completed"]), (&true.into(), &1024.into()), "{summary}");
    leaves(worker);
}

/// A server may lose what waits in its queue, for example because its disk did. The logs are enough to go on.
#[test]
fn a_queue_that_is_lost_is_filled_again() {
    let bench = Workbench::new();
    bench.write("prog.c", LONG);
    let whole = bench.secateur(&["run", "prog.c", "--quiet", "--prune", "none", "--jobs", "1", "--out", "whole"]);
    assert_eq!(whole.code, Some(0), "{whole}");
    let server = NatsServer::start();
    let url = server.url();
    let run = ["cluster", "run", "prog.c", "--nats", &url, "--run", "lost", "--quiet", "--prune", "none"];
    let collector = start(&bench, &[&run[..], &["--collect-only", "--out", "out"]].concat());
    let worker = ["worker", "--nats", &url, "--jobs", "1", "--quiet"];
    let mut first = start(&bench, &worker);
    until_status_has(&bench, &url, "1 in work");
    kill(&mut first);
    server.publish("$JS.API.STREAM.PURGE.SECATEUR_WORK_lost", "");
    until_status_has(&bench, &url, "0 in work, 0 waiting");
    let second = start(&bench, &worker);
    assert_eq!(ends(collector), Some(0));
    leaves(second);
    assert_eq!(identities(&bench, "out"), identities(&bench, "whole"));
}
