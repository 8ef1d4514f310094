//! Runs the programs of `bench/` and prints what they cost, beside KLEE 3.2's figures for the same programs.
//!
//! KLEE's figures were measured once, on an idle machine with two cores; they vary by up to 30% between runs. Each program is run as
//! often as [`ROUNDS`] says and the quickest run counts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

/// How often each program is run.
const ROUNDS: u32 = 3;

/// A program, how it is compiled, and what KLEE needs for it.
struct Program {
    name: &'static str,
    file: &'static str,
    flags: &'static [&'static str],
    /// Paths that KLEE finds.
    paths: u64,
    /// KLEE's best wall time in seconds with a test per path, and without tests.
    klee: (Option<f64>, Option<f64>),
}

const PROGRAMS: &[Program] = &[
    Program { name: "tritype -O0", file: "tritype.c", flags: &["-O0"], paths: 12, klee: (Some(0.05), None) },
    Program {
        name: "bubble5x32",
        file: "bubble.c",
        flags: &["-O1", "-DN=5", "-DT=int"],
        paths: 120,
        klee: (Some(0.42), None),
    },
    Program { name: "bubble7x8", file: "bubble.c", flags: &["-O1", "-DN=7"], paths: 5040, klee: (Some(11.1), None) },
    Program { name: "maze", file: "maze.c", flags: &["-O1"], paths: 1229, klee: (Some(0.27), Some(0.09)) },
    Program {
        name: "regexp",
        file: "regexp.c",
        flags: &["-O1", "-DSIZE=7"],
        paths: 5317,
        klee: (Some(2.5), Some(1.6)),
    },
    Program {
        name: "regexp -O0",
        file: "regexp.c",
        flags: &["-O0", "-DSIZE=7"],
        paths: 9262,
        klee: (Some(4.9), Some(3.9)),
    },
    Program { name: "strings", file: "strings.c", flags: &["-O1", "-DN=8"], paths: 350, klee: (Some(1.0), Some(1.0)) },
    Program {
        name: "strings -O0",
        file: "strings.c",
        flags: &["-O0", "-DN=8"],
        paths: 6731,
        klee: (Some(1.4), Some(0.66)),
    },
    Program {
        name: "diamonds14",
        file: "diamonds.c",
        flags: &["-O1", "-DN=14"],
        paths: 16384,
        klee: (Some(2.6), Some(0.84)),
    },
    Program { name: "crc", file: "crc.c", flags: &["-O1"], paths: 2, klee: (Some(0.24), None) },
    Program { name: "concrete", file: "concrete.c", flags: &["-O1"], paths: 1, klee: (Some(14.0), None) },
    Program { name: "concrete -O0", file: "concrete.c", flags: &["-O0"], paths: 1, klee: (Some(43.0), None) },
];

/// Runs all programs, or those whose names begin with one of `wanted`, and prints a table; it is also written to `bench.json`.
pub fn bench(wanted: &[String]) -> Result<(), String> {
    let root = root()?;
    let secateur = root.join("bin").join("secateur");
    if !secateur.exists() {
        return Err(format!("{} is not there; run `make build` first", secateur.display()));
    }
    println!(
        "{:<14} {:>7} {:>7} {:>9} {:>9} {:>9} {:>8} {:>7} {:>6} {:>8} {:>8} {:>7}",
        "program",
        "paths",
        "KLEE",
        "tests",
        "paths/s",
        "instr/s",
        "queries",
        "in SMT",
        "solver",
        "memory",
        "seconds",
        "KLEE s"
    );
    let mut rows = Vec::new();
    for program in PROGRAMS {
        if !wanted.is_empty() && !wanted.iter().any(|name| program.name.starts_with(name.as_str())) {
            continue;
        }
        for tests in [true, false] {
            let row = measure(&root, &secateur, program, tests)?;
            println!("{}", line(program, tests, &row));
            rows.push(row);
        }
    }
    let text = serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())?;
    std::fs::write("bench.json", text + "\n").map_err(|error| format!("cannot write bench.json: {error}"))
}

pub(crate) fn root() -> Result<PathBuf, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(Path::to_path_buf).ok_or_else(|| "xtask has no parent folder".to_string())
}

/// The quickest of some runs: what it says about itself, and its wall time from outside.
fn measure(root: &Path, secateur: &Path, program: &Program, tests: bool) -> Result<Value, String> {
    let mut best: Option<Value> = None;
    for _ in 0..ROUNDS {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut command = Command::new(secateur);
        command.arg("run").arg(root.join("bench").join(program.file)).arg("-DKLEE").args(program.flags);
        command.arg(if tests { "--all-tests" } else { "--no-tests" }).arg("--json");
        command.arg("--out").arg(folder.path().join("out"));
        let started = Instant::now();
        let output = command.output().map_err(|error| format!("cannot run {}: {error}", secateur.display()))?;
        let seconds = started.elapsed().as_secs_f64();
        let mut summary: Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| format!("{}: {}", program.name, String::from_utf8_lossy(&output.stderr)))?;
        summary["seconds"] = json!(seconds);
        summary["name"] = json!(program.name);
        summary["writes_tests"] = json!(tests);
        if best.as_ref().is_none_or(|best| best["seconds"].as_f64() > Some(seconds)) {
            best = Some(summary);
        }
    }
    best.ok_or_else(|| "nothing was measured".to_string())
}

fn line(program: &Program, tests: bool, row: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let (paths, time) = (number(&row["paths"]["completed"]), number(&row["time"]).max(1e-9));
    let klee = if tests { program.klee.0 } else { program.klee.1 };
    format!(
        "{:<14} {:>7} {:>7} {:>9} {:>9.0} {:>9} {:>8} {:>7} {:>5.0}% {:>7}M {:>8.3} {:>7}",
        program.name,
        paths,
        program.paths,
        if tests { number(&row["tests"]).to_string() } else { "off".to_string() },
        paths / time,
        short(number(&row["instructions"]) / time),
        number(&row["solver"]["queries"]),
        number(&row["solver"]["answered"]["smt"]),
        100.0 * number(&row["solver"]["time"]) / time,
        (number(&row["peak_memory"]) / 1_048_576.0).round(),
        number(&row["seconds"]),
        klee.map_or_else(|| "-".to_string(), |seconds| seconds.to_string())
    )
}

/// A large number in few characters.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e3 => format!("{:.0} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}
