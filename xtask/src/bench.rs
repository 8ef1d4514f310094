//! Runs the programs of `bench/` and prints their costs beside KLEE 3.2's figures for the same programs.
//!
//! KLEE's figures were measured once, on an idle machine with two cores; they vary by up to 30% between runs. As for
//! KLEE, programs are given as bitcode. Each runs [`ROUNDS`] times, and the fastest run counts.

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::expected::Expected;
use crate::goal::Goal;
use crate::runs::secateur;
use crate::search;

/// How often each program is run.
const ROUNDS: u32 = 5;

/// A program, how it is compiled, and what KLEE needs for it.
struct Program {
    name: &'static str,
    file: &'static str,
    flags: &'static [&'static str],
    /// The expected result of exploring it in full.
    expected: Expected,
    /// Paths that KLEE finds.
    klee_paths: u64,
    /// KLEE's best wall time in seconds with a test per path, and without tests, where that was measured.
    klee: (Option<f64>, Option<f64>),
    /// Whether it counts for the mean: explored in full at -O1.
    counts: bool,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "tritype -O0",
        file: "tritype.c",
        flags: &["-O0"],
        expected: complete(14, 0),
        klee_paths: 12,
        klee: (Some(0.05), None),
        counts: false,
    },
    Program {
        name: "bubble5x32",
        file: "bubble.c",
        flags: &["-O1", "-DN=5", "-DT=int"],
        expected: complete(120, 0),
        klee_paths: 120,
        klee: (Some(0.42), None),
        counts: true,
    },
    Program {
        name: "bubble7x8",
        file: "bubble.c",
        flags: &["-O1", "-DN=7"],
        expected: complete(5040, 0),
        klee_paths: 5040,
        klee: (Some(11.1), None),
        counts: true,
    },
    Program {
        name: "maze",
        file: "maze.c",
        flags: &["-O1"],
        expected: complete(1229, 1),
        klee_paths: 1229,
        klee: (Some(0.27), Some(0.09)),
        counts: true,
    },
    Program {
        name: "regexp",
        file: "regexp.c",
        flags: &["-O1", "-DSIZE=7"],
        expected: complete(5317, 0),
        klee_paths: 5317,
        klee: (Some(2.5), Some(1.6)),
        counts: true,
    },
    Program {
        name: "regexp -O0",
        file: "regexp.c",
        flags: &["-O0", "-DSIZE=7"],
        expected: complete(9876, 0),
        klee_paths: 9262,
        klee: (Some(4.9), Some(3.9)),
        counts: false,
    },
    Program {
        name: "strings",
        file: "strings.c",
        flags: &["-O1", "-DN=8"],
        expected: complete(350, 0),
        klee_paths: 350,
        klee: (Some(1.0), Some(1.0)),
        counts: true,
    },
    Program {
        name: "strings -O0",
        file: "strings.c",
        flags: &["-O0", "-DN=8"],
        expected: complete(6731, 0),
        klee_paths: 6731,
        klee: (Some(1.4), Some(0.66)),
        counts: false,
    },
    Program {
        name: "diamonds14",
        file: "diamonds.c",
        flags: &["-O1", "-DN=14"],
        expected: complete(16384, 0),
        klee_paths: 16384,
        klee: (Some(2.6), Some(0.84)),
        counts: true,
    },
    Program {
        name: "crc",
        file: "crc.c",
        flags: &["-O1"],
        expected: complete(2, 1),
        klee_paths: 2,
        klee: (Some(0.24), None),
        counts: true,
    },
    Program {
        name: "concrete",
        file: "concrete.c",
        flags: &["-O1"],
        expected: complete(1, 0),
        klee_paths: 1,
        klee: (Some(14.0), None),
        counts: false,
    },
    Program {
        name: "concrete -O0",
        file: "concrete.c",
        flags: &["-O0"],
        expected: complete(1, 0),
        klee_paths: 1,
        klee: (Some(43.0), None),
        counts: false,
    },
];

const fn complete(paths: u64, bugs: usize) -> Expected {
    Expected::Complete { paths, bugs }
}

/// Runs all programs, or those whose names begin with one of `wanted`, and prints a table; it is also written to
/// `bench.json`.
pub fn bench(wanted: &[String]) -> Result<(), String> {
    let bench = Bench::new()?;
    println!("{HEADER}");
    let mut rows = Vec::new();
    for program in PROGRAMS {
        if !wanted.is_empty() && !wanted.iter().any(|name| program.name.starts_with(name.as_str())) {
            continue;
        }
        let bitcode = bench.compile(program.file, program.flags)?;
        for tests in [true, false] {
            let row = Row { program, tests, summary: bench.measure(&bitcode, &writing(tests), program.expected)? };
            println!("{row}");
            rows.push(row);
        }
    }
    let verdicts = if wanted.is_empty() { verdicts(&bench, &rows)? } else { Vec::new() };
    for verdict in &verdicts {
        println!("{verdict}");
    }
    let table: Vec<Value> = rows.iter().map(Row::to_json).collect();
    let verdicts: Vec<Value> = verdicts.iter().map(Goal::to_json).collect();
    let text = serde_json::to_string_pretty(&json!({ "programs": table, "verdicts": verdicts }));
    let text = text.map_err(|error| error.to_string())?;
    std::fs::write("bench.json", text + "\n").map_err(|error| format!("cannot write bench.json: {error}"))
}

/// Everything, depth first, by one worker. Bugs are not checked natively: KLEE does not do that.
fn writing(tests: bool) -> Vec<&'static str> {
    let tests = if tests { "--all-tests" } else { "--no-tests" };
    vec!["--jobs", "1", "--search", "dfs", "--prune", "none", "--no-report", "--no-confirm", "--no-resume", tests]
}

pub(crate) fn root() -> Result<PathBuf, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(Path::to_path_buf).ok_or_else(|| "xtask has no parent folder".to_string())
}

/// The program, and a folder for what it writes.
struct Bench {
    root: PathBuf,
    secateur: PathBuf,
    /// Removed only at the end: some file systems are slow to create files just after others were removed.
    folder: tempfile::TempDir,
    runs: Cell<u32>,
}

impl Bench {
    /// Writes into memory, if there is a file system for that, unless `TMPDIR` names another place: the time that a
    /// disk takes to create a file depends on recent deletions.
    fn new() -> Result<Bench, String> {
        let root = root()?;
        let secateur = secateur()?;
        let memory = if std::env::var_os("TMPDIR").is_none() { tempfile::tempdir_in("/dev/shm").ok() } else { None };
        let folder = memory.map_or_else(tempfile::tempdir, Ok).map_err(|error| error.to_string())?;
        Ok(Bench { root, secateur, folder, runs: Cell::new(0) })
    }

    /// A folder or file that does not exist yet.
    fn fresh(&self, ending: &str) -> PathBuf {
        self.runs.set(self.runs.get() + 1);
        self.folder.path().join(format!("{}{ending}", self.runs.get()))
    }

    fn compile(&self, file: &str, flags: &[&str]) -> Result<PathBuf, String> {
        let bitcode = self.fresh(".bc");
        let mut clang = Command::new("clang-19");
        clang.args(["-g", "-w", "-emit-llvm", "-c", "-DKLEE", "-I"]).arg(self.root.join("runtime").join("include"));
        clang.args(flags).arg(self.root.join("bench").join(file)).arg("-o").arg(&bitcode);
        let output = clang.output().map_err(|error| format!("cannot run clang-19: {error}"))?;
        if output.status.success() { Ok(bitcode) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    /// The fastest of several runs: its summary, with its wall time from outside as `seconds`.
    fn measure(&self, bitcode: &Path, options: &[&str], expected: Expected) -> Result<Value, String> {
        let mut best: Option<Value> = None;
        for _ in 0..ROUNDS {
            let summary = self.run(bitcode, options, expected)?;
            if best.as_ref().is_none_or(|best| number(&best["seconds"]) > number(&summary["seconds"])) {
                best = Some(summary);
            }
        }
        best.ok_or_else(|| "nothing was measured".to_string())
    }

    fn command(&self, bitcode: &Path, options: &[&str]) -> Command {
        let mut command = Command::new(&self.secateur);
        command.arg("run").arg(bitcode).args(options).arg("--json").arg("--out").arg(self.fresh(""));
        command
    }

    /// One run, which must have the expected result.
    fn run(&self, bitcode: &Path, options: &[&str], expected: Expected) -> Result<Value, String> {
        let mut command = self.command(bitcode, options);
        let started = Instant::now();
        let output = command.output().map_err(|error| format!("cannot run {}: {error}", self.secateur.display()))?;
        let seconds = started.elapsed().as_secs_f64();
        let mut summary = expected.check(&output).map_err(|deviation| format!("{command:?}: {deviation}"))?;
        summary["seconds"] = json!(seconds);
        Ok(summary)
    }
}

const HEADER: &str = "\
program          paths    KLEE    tests   paths/s   instr/s  queries  refuted  in SMT  solver  memory  seconds  KLEE s  ratio";

/// A program, run in one way.
struct Row {
    program: &'static Program,
    tests: bool,
    summary: Value,
}

impl Row {
    fn seconds(&self) -> f64 {
        number(&self.summary["seconds"])
    }

    /// KLEE's time for the same, if it was measured.
    fn klee(&self) -> Option<f64> {
        if self.tests { self.program.klee.0 } else { self.program.klee.1 }
    }

    fn ratio(&self) -> Option<f64> {
        self.klee().map(|klee| klee / self.seconds())
    }

    fn to_json(&self) -> Value {
        let mut row = self.summary.clone();
        row["name"] = json!(self.program.name);
        row["writes_tests"] = json!(self.tests);
        row["klee_seconds"] = json!(self.klee());
        row
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let summary = &self.summary;
        let (paths, time) = (number(&summary["paths"]["completed"]), number(&summary["time"]).max(1e-9));
        let figure =
            |value: Option<f64>, digits: usize| value.map_or("-".to_string(), |value| format!("{value:.digits$}"));
        write!(
            f,
            "{:<14} {:>7} {:>7} {:>8} {:>9.0} {:>9} {:>8} {:>8} {:>7} {:>6.0}% {:>6}M {:>8.3} {:>7} {:>6}",
            self.program.name,
            paths,
            self.program.klee_paths,
            if self.tests { number(&summary["tests"]).to_string() } else { "off".to_string() },
            paths / time,
            short(number(&summary["instructions"]) / time),
            number(&summary["solver"]["queries"]),
            number(&summary["solver"]["refuted_by_path"]),
            number(&summary["solver"]["answered"]["smt"]),
            100.0 * number(&summary["solver"]["time"]) / time,
            (number(&summary["peak_memory"]) / 1_048_576.0).round(),
            self.seconds(),
            figure(self.klee(), 2),
            figure(self.ratio(), 1),
        )
    }
}

/// The goals.
fn verdicts(bench: &Bench, rows: &[Row]) -> Result<Vec<Goal>, String> {
    let mut verdicts = Vec::new();
    for (tests, mode) in [(true, "a test per path"), (false, "no tests")] {
        let ratios: Vec<f64> =
            rows.iter().filter(|row| row.program.counts && row.tests == tests).filter_map(Row::ratio).collect();
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        verdicts.push(Goal {
            what: format!(
                "full exploration, {mode}: geometric mean of KLEE's time over ours, {} programs",
                ratios.len()
            ),
            reached: format!("{mean:.1}"),
            goal: "10",
            holds: mean >= 10.0,
        });
        verdicts.push(Goal {
            what: format!("full exploration, {mode}: the least of the ratios"),
            reached: format!("{least:.1}"),
            goal: "2",
            holds: least >= 2.0,
        });
    }
    if let Some(row) = rows.iter().find(|row| row.program.name == "concrete" && !row.tests) {
        let rate = number(&row.summary["instructions"]) / number(&row.summary["time"]).max(1e-9);
        verdicts.push(Goal {
            what: "concrete instructions per second".to_string(),
            reached: short(rate),
            goal: "74 M, ten times KLEE's",
            holds: rate >= 74e6,
        });
    }
    let solvers = rows.iter().filter(|row| !row.tests).map(|row| &row.summary["solver"]);
    verdicts.push(share_in_smt("the programs above", solvers));
    let searched = search::questions()?;
    verdicts.push(share_in_smt("the programs of bench-search, 100 paths each", searched.iter()));
    let start = bench.measure(&bench.compile("max3.c", &["-O1"])?, &[], complete(1, 0))?;
    let milliseconds = 1000.0 * number(&start["seconds"]);
    verdicts.push(Goal {
        what: "max3.c as bitcode, from start to end".to_string(),
        reached: format!("{milliseconds:.0} ms"),
        goal: "under 50 ms",
        holds: milliseconds < 50.0,
    });
    verdicts.push(memory_per_flip(bench)?);
    verdicts.push(a_million_flips(bench)?);
    for program in PROGRAMS.iter().filter(|program| ["regexp", "bubble7x8"].contains(&program.name)) {
        verdicts.push(two_jobs(bench, program)?);
    }
    Ok(verdicts)
}

/// How many questions reach the SMT solver. Sides that a path refutes by itself do not count as questions.
fn share_in_smt<'a>(programs: &str, solvers: impl Iterator<Item = &'a Value>) -> Goal {
    let (smt, asked) = solvers.fold((0.0, 0.0), |(smt, asked), solver| {
        (smt + number(&solver["answered"]["smt"]), asked + number(&solver["queries"]))
    });
    Goal {
        what: format!("share of questions that reach the SMT solver: {programs}"),
        reached: format!("{:.2}% ({smt} of {asked})", 100.0 * smt / f64::max(asked, 1.0)),
        goal: "under 10%",
        holds: smt < 0.1 * asked,
    }
}

/// Whether a million pending flips fit into memory, with all their snapshots.
fn a_million_flips(bench: &Bench) -> Result<Goal, String> {
    let bitcode = bench.compile("regexp.c", &["-O1", "-DSIZE=18"])?;
    let options = ["--jobs", "1", "--no-tests", "--no-report", "--search", "bfs", "--prune", "none", "--grace", "0s"];
    let limits = ["--max-paths", "300000", "--max-memory", "64G"];
    let summary = bench.run(&bitcode, &[&options[..], &limits].concat(), Expected::PathLimit { paths: 300_000 })?;
    let (flips, memory) = (number(&summary["paths"]["pending"]), number(&summary["peak_memory"]));
    Ok(Goal {
        what: format!("memory for {flips} pending flips of regexp"),
        reached: format!("{:.2} GB", memory / 1e9),
        goal: "a million in 4 GB",
        holds: flips >= 1e6 && memory <= 4e9,
    })
}

/// How often one and two jobs are compared, in turn, at least and at most: such short runs vary by a tenth, and on a
/// busy machine by far more.
const TURNS: (u32, u32) = (60, 240);

/// The gain of two separate runs side by side where two cores are free.
const TWO_CORES: f64 = 1.9;

/// The gain of a second worker, beside what the machine allows: two cores seldom do twice the work of one, as they
/// share caches and memory and, in the cloud, more than that. The fastest run of each kind counts. The measurement is
/// repeated as long as two separate runs show that no two cores are free.
fn two_jobs(bench: &Bench, program: &Program) -> Result<Goal, String> {
    let bitcode = bench.compile(program.file, program.flags)?;
    let options =
        |jobs| ["--jobs", jobs, "--search", "dfs", "--prune", "none", "--no-report", "--no-tests", "--no-resume"];
    let mut best = [f64::INFINITY; 3];
    let mut turns = 0;
    while turns < TURNS.0 || (turns < TURNS.1 && 2.0 * best[0] / best[2] < TWO_CORES) {
        turns += 1;
        let run = |jobs| bench.run(&bitcode, &options(jobs), program.expected);
        let (one, two) = (run("1")?, run("2")?);
        let started = Instant::now();
        let outputs = std::thread::scope(|scope| {
            let runs = [(); 2]
                .map(|()| bench.command(&bitcode, &options("1")))
                .map(|mut run| scope.spawn(move || run.output()));
            runs.map(|run| run.join().ok().and_then(Result::ok))
        });
        let side_by_side = started.elapsed().as_secs_f64();
        for output in outputs {
            program.expected.check(&output.ok_or("one of two runs side by side could not be started")?)?;
        }
        let seconds = [number(&one["seconds"]), number(&two["seconds"]), side_by_side];
        best.iter_mut().zip(seconds).for_each(|(best, seconds)| *best = best.min(seconds));
        if one["paths"] != two["paths"] {
            return Err(format!("{}: one job finds {}, two find {}", program.name, one["paths"], two["paths"]));
        }
    }
    let [one, two, side_by_side] = best;
    Ok(Goal {
        what: format!("{}: how many times as fast with two jobs as with one", program.name),
        reached: format!("{:.2} (two separate runs side by side: {:.2})", one / two, 2.0 * one / side_by_side),
        goal: "1.7, where two cores are free",
        holds: one / two >= 1.7,
    })
}

/// The memory of a pending flip: the difference between a run with many and a run with few.
fn memory_per_flip(bench: &Bench) -> Result<Goal, String> {
    let bitcode = bench.compile("regexp.c", &["-O1", "-DSIZE=12"])?;
    let run = |paths: u64| {
        let options = ["--jobs", "1", "--no-tests", "--search", "bfs", "--prune", "none", "--grace", "0s"];
        let limit = ["--max-paths", &paths.to_string()];
        bench.measure(&bitcode, &[&options[..], &limit].concat(), Expected::PathLimit { paths })
    };
    let (few, many) = (run(10)?, run(20_000)?);
    let difference = |field: &dyn Fn(&Value) -> f64| field(&many) - field(&few);
    let bytes = difference(&|summary| number(&summary["peak_memory"]))
        / difference(&|summary| number(&summary["paths"]["pending"])).max(1.0);
    Ok(Goal {
        what: format!("memory per pending flip, over {} of regexp", number(&many["paths"]["pending"])),
        reached: format!("{bytes:.0} B"),
        goal: "under 4096 B",
        holds: bytes < 4096.0,
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

/// A large number in a few characters.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e3 => format!("{:.0} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}
