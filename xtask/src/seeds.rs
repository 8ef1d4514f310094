//! Measures how many paths and how much time the heuristics of OSMOSE save on programs of our own. These were written
//! for the purpose, so the figures show how the heuristics compare with each other, and nothing about other tools.

use crate::expected::Expected;
use crate::runs::{Run, run};

/// Each with the number of its paths.
const PROGRAMS: &[(&str, u64)] = &[
    ("check-pressure", 436_976),
    ("square3x3", 146),
    ("square4x4", 296),
    ("hysteresis", 100_000),
    ("merge", 5768),
    ("triangle", 112),
];

/// A heuristic: its name and its arguments.
struct Heuristic {
    name: &'static str,
    args: &'static [&'static str],
}

const HEURISTICS: &[Heuristic] = &[
    Heuristic { name: "look-ahead", args: &["--prune", "lookahead=coverage"] },
    Heuristic { name: "max-call-depth", args: &["--prune", "max-call-depth=2"] },
    Heuristic { name: "solve-first + look-ahead", args: &["--solve-first", "--prune", "lookahead=coverage"] },
    Heuristic { name: "default + look-ahead", args: &["--search", "default", "--prune", "lookahead=coverage"] },
];

/// How often each is run; the fastest run counts.
const ROUNDS: u32 = 3;

/// The arguments of every run; a heuristic with an order of its own replaces `dfs`.
const COMMON: &[&str] = &["--search", "dfs", "--cover", "branches", "--solver-timeout", "2s", "--max-time", "120s"];

/// Measures and prints a table; fails if a heuristic covers less than full exploration.
pub fn seeds() -> Result<(), String> {
    println!("| program | heuristic | paths | | time | | branches |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut sums = vec![(0.0, 0.0); HEURISTICS.len()];
    let mut losses = Vec::new();
    for (program, all) in PROGRAMS {
        let file = format!("seeds/{program}.c");
        let explore = |args: &[&str], expected: Expected| -> Result<Run, String> {
            let mut quickest = run(&file, args, expected)?;
            for _ in 1..ROUNDS {
                let other = run(&file, args, expected)?;
                if other.seconds < quickest.seconds {
                    quickest = other;
                }
            }
            quickest.seconds = quickest.seconds.max(0.001);
            Ok(quickest)
        };
        let complete = Expected::Complete { paths: *all, bugs: 0 };
        let full =
            explore(&["--search", "dfs", "--prune", "none", "--solver-timeout", "2s", "--max-time", "120s"], complete)?;
        print_row(program, "full exploration", &full, None);
        for (heuristic, sum) in HEURISTICS.iter().zip(&mut sums) {
            let pruned = explore(&arguments(heuristic), Expected::Finished)?;
            let saved = (change(full.paths as f64, pruned.paths as f64), change(full.seconds, pruned.seconds));
            *sum = (sum.0 + saved.0, sum.1 + saved.1);
            print_row(program, heuristic.name, &pruned, Some(saved));
            if pruned.covered < full.covered {
                losses.push(format!("{} covers {} of {} in {program}", heuristic.name, pruned.covered, full.covered));
            }
        }
    }
    println!("\n| heuristic | paths, mean | time, mean |\n| --- | ---: | ---: |");
    for (heuristic, (paths, time)) in HEURISTICS.iter().zip(sums) {
        let count = PROGRAMS.len() as f64;
        println!("| {} | {:+.0}% | {:+.0}% |", heuristic.name, paths / count, time / count);
    }
    if losses.is_empty() { Ok(()) } else { Err(losses.join("; ")) }
}

/// The arguments of a heuristic: its own order replaces the common one, and only look-ahead has something to cover.
fn arguments(heuristic: &Heuristic) -> Vec<&'static str> {
    let own = |name: &str| heuristic.args.contains(&name);
    let pairs = COMMON.chunks_exact(2).filter(|pair| match pair[0] {
        "--cover" => own("lookahead=coverage"),
        name => !own(name),
    });
    pairs.flatten().chain(heuristic.args).copied().collect()
}

/// The growth in percent.
fn change(before: f64, after: f64) -> f64 {
    100.0 * (after - before) / before.max(1e-9)
}

fn print_row(program: &str, name: &str, run: &Run, saved: Option<(f64, f64)>) {
    let (paths, time) = match saved {
        Some((paths, time)) => (format!("{paths:+.0}%"), format!("{time:+.0}%")),
        None => (String::new(), String::new()),
    };
    println!(
        "| {program} | {name} | {} | {paths} | {:.3} s | {time} | {}/{} |",
        run.paths, run.seconds, run.covered, run.total
    );
}
