//! Measures how much faster several worker processes are than one, and checks what the theorems of the document on
//! SCORE say: the paths are the same for any number of nodes, and none is taken twice. The document itself proves this
//! and measures nothing, so there is no speed-up of its own to print beside ours.

use std::collections::BTreeSet;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench::root;
use crate::runs::secateur;

/// Each with its arguments.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("regexp, size 12", "regexp.c", &["-DKLEE", "-DSIZE=12", "-O1"]),
    ("bubble7x8", "bubble.c", &["-DKLEE", "-DN=7"]),
    ("bubble of 8", "bubble.c", &["-DKLEE", "-DN=8"]),
];

const WORKERS: &[usize] = &[1, 2, 4];

/// How often each is run; the fastest run counts.
const ROUNDS: u32 = 3;

/// Measures and prints a table; fails if any number of workers does not find the paths of one process.
pub fn cluster() -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{cores} cores, which the server and the collector share with the workers\n");
    println!("| program | paths | workers | time | times as fast as one | log | SCORE |");
    println!("| --- | ---: | ---: | ---: | ---: | --- | --- |");
    for (name, file, args) in PROGRAMS {
        let file = root()?.join("bench").join(file);
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let out = folder.path().join("whole");
        let mut command = Command::new(secateur()?);
        command.arg("run").arg(&file).args(*args).args(COMMON).arg("--out").arg(&out);
        finish(&mut command)?;
        let whole = identities(&out)?;
        let mut one = None;
        for workers in WORKERS {
            let mut best: Option<Measured> = None;
            for _ in 0..ROUNDS {
                let measured = measure(&file, args, *workers)?;
                if measured.identities != whole {
                    return Err(format!("{name}: {workers} workers do not find the paths that one process finds"));
                }
                if best.as_ref().is_none_or(|best| measured.seconds < best.seconds) {
                    best = Some(measured);
                }
            }
            let Some(Measured { seconds, log, .. }) = best else { continue };
            let ratio = *one.get_or_insert(seconds) / seconds;
            let paths = whole.len();
            println!(
                "| {name} | {paths} | {workers} | {seconds:.2} s | {ratio:.2} | {log} | the same paths, no figure |"
            );
        }
    }
    Ok(())
}

/// The arguments of all runs. Every path is listed, to be compared.
const COMMON: &[&str] =
    &["--jobs", "1", "--prune", "none", "--quiet", "--no-report", "--no-tests", "--list-paths", "10000000"];

struct Measured {
    seconds: f64,
    identities: BTreeSet<u64>,
    log: String,
}

fn measure(file: &Path, args: &[&str], workers: usize) -> Result<Measured, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (_server, url) = start_server(folder.path())?;
    let mut processes = Vec::new();
    for _ in 0..workers {
        let mut worker = Command::new(secateur()?);
        worker.args(["worker", "--jobs", "1", "--quiet", "--nats", &url]).stdout(Stdio::null()).stderr(Stdio::null());
        processes.push(Ended(worker.spawn().map_err(|error| format!("cannot run {worker:?}: {error}"))?));
    }
    // They connect meanwhile.
    std::thread::sleep(Duration::from_millis(500));
    let out = folder.path().join("out");
    let mut command = Command::new(secateur()?);
    command.args(["cluster", "run", "--collect-only", "--nats", &url]).arg(file).args(args).args(COMMON);
    command.arg("--out").arg(&out);
    let started = Instant::now();
    finish(&mut command)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut status = Command::new(secateur()?);
    let status = finish(status.args(["cluster", "status", "--nats", &url]))?;
    let log = status.lines().find_map(|line| line.trim().strip_prefix("log")).unwrap_or_default().trim().to_string();
    Ok(Measured { seconds, identities: identities(&out)?, log })
}

/// A process that is ended with the measurement.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_server(folder: &Path) -> Result<(Ended, String), String> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = port.map_err(|error| error.to_string())?.port().to_string();
    let mut command = Command::new("nats-server");
    command.args(["-js", "-a", "127.0.0.1", "-p", &port, "-sd"]).arg(folder.join("server"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let server = command.spawn().map_err(|error| format!("nats-server: {error}; run `scripts/setup.sh tests`"))?;
    let server = Ended(server);
    let until = Instant::now() + Duration::from_secs(10);
    while Instant::now() < until {
        if TcpStream::connect(format!("127.0.0.1:{port}")).is_ok() {
            return Ok((server, format!("nats://127.0.0.1:{port}")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(format!("nats-server does not listen on port {port}"))
}

/// Runs a command, which may find bugs; returns what it printed.
fn finish(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if matches!(output.status.code(), Some(0 | 10)) {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The identities of the paths of a run, none of which may be listed twice.
fn identities(out: &Path) -> Result<BTreeSet<u64>, String> {
    let file = out.join("paths.csv");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let rows = text.lines().skip(1).map(|row| row.rsplit(',').next().and_then(|last| last.parse().ok()));
    let rows: Vec<u64> = rows.collect::<Option<_>>().ok_or(format!("{} has no identities", file.display()))?;
    let set: BTreeSet<u64> = rows.iter().copied().collect();
    if set.len() == rows.len() { Ok(set) } else { Err(format!("{} lists a path twice", file.display())) }
}
