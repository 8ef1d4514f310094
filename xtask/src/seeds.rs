//! The experiment of OSMOSE on programs of our own: how many paths and how much time each heuristic saves, beside the figures that were published for
//! theirs.

use crate::runs::{Run, run};

const PROGRAMS: &[&str] = &["check-pressure", "square3x3", "square4x4", "hysteresis", "merge", "triangle"];

/// A heuristic: its name, how it is asked for, and what was published.
struct Heuristic {
    name: &'static str,
    args: &'static [&'static str],
    published: &'static str,
}

const HEURISTICS: &[Heuristic] = &[
    Heuristic { name: "look-ahead", args: &["--prune", "lookahead=coverage"], published: "-57% paths" },
    Heuristic { name: "max-call-depth", args: &["--prune", "max-call-depth=2"], published: "-72% paths, -85% time" },
    Heuristic {
        name: "solve-first + look-ahead",
        args: &["--solve-first", "--prune", "lookahead=coverage"],
        published: "-80% paths",
    },
    Heuristic {
        name: "default + look-ahead",
        args: &["--search", "default", "--prune", "lookahead=coverage"],
        published: "-",
    },
];

/// How often each is run; the quickest run counts.
const ROUNDS: u32 = 3;

/// Every order but the one that is named is compared with full exploration depth first.
const COMMON: &[&str] = &["--search", "dfs", "--cover", "branches", "--solver-timeout", "2s", "--max-time", "120s"];

/// Measures and prints a table; fails if a heuristic covers less than full exploration.
pub fn seeds() -> Result<(), String> {
    println!("| program | heuristic | paths | | time | | branches |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut sums = vec![(0.0, 0.0); HEURISTICS.len()];
    let mut losses = Vec::new();
    for program in PROGRAMS {
        let file = format!("seeds/{program}.c");
        let explore = |args: &[&str]| -> Result<Run, String> {
            let mut quickest = run(&file, args)?;
            for _ in 1..ROUNDS {
                let other = run(&file, args)?;
                if other.seconds < quickest.seconds {
                    quickest = other;
                }
            }
            quickest.seconds = quickest.seconds.max(0.001);
            Ok(quickest)
        };
        let full = explore(&["--search", "dfs", "--prune", "none", "--solver-timeout", "2s", "--max-time", "120s"])?;
        print_row(program, "full exploration", &full, None);
        for (heuristic, sum) in HEURISTICS.iter().zip(&mut sums) {
            let cut = explore(&arguments(heuristic))?;
            let saved = (change(full.paths as f64, cut.paths as f64), change(full.seconds, cut.seconds));
            *sum = (sum.0 + saved.0, sum.1 + saved.1);
            print_row(program, heuristic.name, &cut, Some(saved));
            if cut.covered < full.covered || !cut.finished {
                losses.push(format!("{} covers {} of {} in {program}", heuristic.name, cut.covered, full.covered));
            }
        }
    }
    println!("\n| heuristic | paths, mean | time, mean | published for OSMOSE |\n| --- | ---: | ---: | --- |");
    for (heuristic, (paths, time)) in HEURISTICS.iter().zip(sums) {
        let count = PROGRAMS.len() as f64;
        println!("| {} | {:+.0}% | {:+.0}% | {} |", heuristic.name, paths / count, time / count, heuristic.published);
    }
    if losses.is_empty() { Ok(()) } else { Err(losses.join("; ")) }
}

/// The arguments of a heuristic, where its own order takes the place of the common one and only look-ahead is told what to cover.
fn arguments(heuristic: &Heuristic) -> Vec<&'static str> {
    let own = |name: &str| heuristic.args.contains(&name);
    let pairs = COMMON.chunks_exact(2).filter(|pair| match pair[0] {
        "--cover" => own("lookahead=coverage"),
        name => !own(name),
    });
    pairs.flatten().chain(heuristic.args).copied().collect()
}

/// By how many percent something has grown.
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
