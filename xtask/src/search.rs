//! Measures how much each search order covers, on programs with too many paths to explore; the tables go to
//! `docs/search.md`.
//!
//! Coverage is measured after a hundred paths, which is the same in every run, and over time, which is what users wait
//! for.

use std::fmt::Write;

use secateur_explore::search::NAMES;
use serde_json::Value;

use crate::bench::root;
use crate::expected::Expected;
use crate::runs::run;

const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("calculator", "search/calculator.c", &[]),
    ("stack machine", "search/stack-machine.c", &[]),
    ("settings", "search/settings.c", &[]),
    ("messages", "search/messages.c", &[]),
    ("loop first", "search/loop-first.c", &[]),
    ("regexp", "regexp.c", &["-DSIZE=12"]),
    ("strings", "strings.c", &["-DN=16"]),
    ("maze", "maze.c", &[]),
];

/// Orders that take turns, measured beside the single ones.
const TURNS: &str = "random-path,covnew";

const PATHS: u64 = 100;
/// The moments at which coverage is measured, in seconds; the last is the duration of each run.
const MOMENTS: [f64; 5] = [0.02, 0.05, 0.1, 0.3, 1.0];
/// The seeds over which results are averaged.
const SEEDS: [&str; 3] = ["1", "2", "3"];
const BEGIN: &str = "<!-- The tables are written by `make bench-search`. -->\n";
const END: &str = "<!-- End of the tables. -->\n";

/// Measures all orders, or the named ones (`a,b` for two that take turns), prints tables, and writes them to the
/// documentation if they are complete.
pub fn search(wanted: &[String]) -> Result<(), String> {
    let orders: Vec<&str> = if wanted.is_empty() {
        NAMES.iter().copied().chain([TURNS]).collect()
    } else {
        wanted.iter().map(String::as_str).collect()
    };
    let mut measured = Vec::new();
    for order in orders {
        let results = PROGRAMS.iter().map(|(_, file, flags)| measure(order, file, flags));
        measured.push((order, results.collect::<Result<Vec<_>, _>>()?));
        eprintln!("{order} is measured");
    }
    let tables = format!("{}\n{}", over_time(&measured), by_program(&measured));
    print!("{tables}");
    if wanted.is_empty() { write(&tables) } else { Ok(()) }
}

/// The solver's work in the first paths of each program, in the default order.
pub fn questions() -> Result<Vec<Value>, String> {
    let most = PATHS.to_string();
    let runs = PROGRAMS.iter().map(|(_, file, flags)| {
        let args = [*flags, &["--prune", "none", "--max-paths", &most]].concat();
        run(file, &args, Expected::AtMost { paths: PATHS })
    });
    runs.map(|run| Ok(run?.solver)).collect()
}

/// The coverage of one order on one program: branch outcomes, as the mean over the seeds.
#[derive(Default)]
struct Covered {
    after_paths: f64,
    at: [f64; MOMENTS.len()],
    total: f64,
}

fn measure(order: &str, file: &str, flags: &[&str]) -> Result<Covered, String> {
    let mut covered = Covered::default();
    let weight = 1.0 / SEEDS.len() as f64;
    for seed in SEEDS {
        let limited = |limit: &str, value: &str, expected| {
            let args = [flags, &["--search", order, "--prune", "none", "--seed", seed, limit, value]].concat();
            run(file, &args, expected)
        };
        let after_paths = limited("--max-paths", &PATHS.to_string(), Expected::AtMost { paths: PATHS })?;
        covered.after_paths += weight * after_paths.covered as f64;
        let run = limited("--max-time", &format!("{}s", MOMENTS[MOMENTS.len() - 1]), Expected::TimeLimit)?;
        for (sum, moment) in covered.at.iter_mut().zip(MOMENTS) {
            *sum += weight * run.covered_at(moment) as f64;
        }
        covered.total = run.total as f64;
    }
    Ok(covered)
}

/// The share of all branch outcomes, as the mean over the programs.
fn over_time(measured: &[(&str, Vec<Covered>)]) -> String {
    let mut table = format!("| order | {PATHS} paths |");
    MOMENTS.iter().for_each(|moment| table.push_str(&format!(" {moment} s |")));
    table.push_str("\n| --- | ---: |");
    table.push_str(&" ---: |".repeat(MOMENTS.len()));
    table.push('\n');
    for (order, programs) in measured {
        let mean = |figure: &dyn Fn(&Covered) -> f64| {
            let shares: f64 = programs.iter().map(|covered| figure(covered) / covered.total.max(1.0)).sum();
            100.0 * shares / programs.len().max(1) as f64
        };
        let _ = write!(table, "| `{order}` | {:.0}% |", mean(&|covered| covered.after_paths));
        for index in 0..MOMENTS.len() {
            let _ = write!(table, " {:.0}% |", mean(&|covered| covered.at[index]));
        }
        table.push('\n');
    }
    table
}

/// Branch outcomes of each program after some paths, and at the end.
fn by_program(measured: &[(&str, Vec<Covered>)]) -> String {
    let mut table = String::from("| order |");
    PROGRAMS.iter().for_each(|(name, ..)| table.push_str(&format!(" {name} |")));
    table.push_str("\n| --- |");
    table.push_str(&" --- |".repeat(PROGRAMS.len()));
    table.push('\n');
    for (order, programs) in measured {
        let _ = write!(table, "| `{order}` |");
        for Covered { after_paths, at, total } in programs {
            let _ = write!(table, " {after_paths:.0} / {:.0} of {total} |", at[MOMENTS.len() - 1]);
        }
        table.push('\n');
    }
    table
}

/// Puts the tables between the marks in the documentation.
fn write(tables: &str) -> Result<(), String> {
    let path = root()?.join("docs").join("search.md");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let marked = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marked.ok_or_else(|| format!("{} has no place for the tables", path.display()))?;
    std::fs::write(&path, format!("{before}{BEGIN}{tables}{END}{after}"))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
