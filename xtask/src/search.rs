//! How much each order of search covers, on programs with more paths than anybody can explore; the table goes to `docs/search.md`.
//!
//! Two figures for each: after a hundred paths, which is the same in every run, and after two seconds, which is what people wait for.

use std::fmt::Write;

use crate::bench::root;
use crate::runs::{Run, run};

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

const ORDERS: &[&str] = &[
    "default",
    "dfs",
    "bfs",
    "random-path",
    "random-state",
    "covnew",
    "md2u",
    "depth",
    "icnt",
    "cpicnt",
    "qc",
    "cfg",
    "urs",
    "generational",
    "hybrid",
    "random-path,covnew",
];

const PATHS: &str = "100";
const TIME: &str = "2s";
const BEGIN: &str = "<!-- The table is written by `make bench-search`. -->\n";
const END: &str = "<!-- End of the table. -->\n";

/// Measures all orders, or those that are named, prints a table, and writes it to the documentation if it is complete.
pub fn search(wanted: &[String]) -> Result<(), String> {
    let chosen = |order: &str| wanted.is_empty() || wanted.iter().any(|name| name == order);
    let mut table = String::from("| order |");
    PROGRAMS.iter().for_each(|(name, ..)| table.push_str(&format!(" {name} |")));
    table.push_str(" mean |\n| --- |");
    table.push_str(&" --- |".repeat(PROGRAMS.len() + 1));
    table.push('\n');
    print!("{table}");
    for order in ORDERS.iter().filter(|order| chosen(order)) {
        let row = row(order)?;
        print!("{row}");
        table.push_str(&row);
    }
    if wanted.is_empty() { write(&table) } else { Ok(()) }
}

fn row(order: &str) -> Result<String, String> {
    let mut row = format!("| `{order}` |");
    let mut sums = (0.0, 0.0);
    let share = |run: &Run| 100.0 * run.covered as f64 / run.total.max(1) as f64 / PROGRAMS.len() as f64;
    let mut total = String::new();
    for (_, file, flags) in PROGRAMS {
        let limited = |limits: &[&str]| {
            let mut args = flags.to_vec();
            args.extend(["--search", order, "--prune", "none"]);
            args.extend(limits);
            run(file, &args)
        };
        let by_paths = limited(&["--max-paths", PATHS, "--max-time", "30s"])?;
        let by_time = limited(&["--max-time", TIME])?;
        sums = (sums.0 + share(&by_paths), sums.1 + share(&by_time));
        let _ = write!(total, " {} / {} of {} |", by_paths.covered, by_time.covered, by_time.total);
    }
    let _ = writeln!(row, "{total} {:.0}% / {:.0}% |", sums.0, sums.1);
    Ok(row)
}

/// Puts the table between the marks in the documentation.
fn write(table: &str) -> Result<(), String> {
    let path = root()?.join("docs").join("search.md");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let marked = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marked.ok_or_else(|| format!("{} has no place for the table", path.display()))?;
    std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}"))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
