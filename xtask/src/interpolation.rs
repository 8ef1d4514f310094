//! Measures interpolation on the programs of `bench/interpolation`, beside the figures of the document that describes
//! it (CREST with TRACER's interpolants, on four drivers).
//!
//! Ratios are of two runs in one sitting. Every run must have the exit code of its verdict, and no verdict may be
//! wrong; one that is missing (UNKNOWN) is shown and misses its goal.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::bench::root;
use crate::goal::Goal;
use crate::header::Header;
use crate::runs::{secateur, timeline_columns};

/// How often a short run is repeated; the fastest counts.
const ROUNDS: u32 = 3;

/// How long a run may take before it is stopped, in seconds.
const LIMIT: &str = "45";

/// How long a planted bug is looked for, in seconds.
const FOUND_WITHIN: &str = "20";

/// How long the share of subsumed paths is observed, in seconds.
const OBSERVED: &str = "10";

/// The orders of the document.
const ORDERS: &[&str] = &["dfs", "cfg", "urs"];

/// Measures all, or those parts that are named, and prints tables and goals.
pub fn interpolation(wanted: &[String]) -> Result<(), String> {
    let programs = Header::all(&root()?.join("bench").join("interpolation"))?;
    let parts: [(&str, Part); 6] = [
        ("diamonds", diamonds),
        ("programs", verified),
        ("bugs", planted_bugs),
        ("drivers", drivers),
        ("share", share_over_time),
        ("overhead", overhead),
    ];
    if let Some(name) = wanted.iter().find(|name| parts.iter().all(|(part, _)| part != name)) {
        let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no part `{name}`, only {}", names.join(", ")));
    }
    let mut goals = Vec::new();
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            goals.extend(part(&programs)?);
            println!();
        }
    }
    for goal in goals {
        println!("{goal}");
    }
    Ok(())
}

type Part = fn(&[Header]) -> Result<Vec<Goal>, String>;

// --- runs ---

/// What a run showed.
struct Outcome {
    /// `VERIFIED`, `BUG` or `UNKNOWN`.
    verdict: String,
    /// From start to end.
    wall: f64,
    /// Without compiling and loading.
    seconds: f64,
    /// When the first bug was found.
    first_bug: Option<f64>,
    /// Kind and line of each bug.
    bugs: Vec<(String, u64)>,
    paths: u64,
    subsumed: u64,
    /// Seconds, paths and subsumed paths; the last is missing if the timeline has no such column.
    timeline: Vec<(f64, f64, Option<f64>)>,
}

/// Runs `secateur verify` or `secateur run`. The exit code must be that of the verdict.
fn explore(subcommand: &str, file: &Path, args: &[&str]) -> Result<Outcome, String> {
    explore_for(LIMIT, subcommand, file, args)
}

fn explore_for(limit: &str, subcommand: &str, file: &Path, args: &[&str]) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = Command::new(secateur()?);
    command.arg(subcommand).arg(file).args(args);
    command.args(["--jobs", "1", "--no-tests", "--no-report", "--max-time", limit, "--json"]);
    command.arg("--out").arg(folder.path().join("out"));
    let started = Instant::now();
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let wall = started.elapsed().as_secs_f64();
    let summary: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{command:?}: no summary, but: {}", String::from_utf8_lossy(&output.stderr)))?;
    let bugs = summary["bugs"].as_array().into_iter().flatten();
    let bugs: Vec<(String, u64)> = bugs
        .map(|bug| (bug["kind"].as_str().unwrap_or_default().to_string(), bug["line"].as_u64().unwrap_or(0)))
        .collect();
    let verdict = match (subcommand, bugs.is_empty()) {
        ("verify", _) => summary["verdict"].as_str().unwrap_or_default().to_string(),
        (_, false) => "BUG".to_string(),
        (_, true) if summary["complete"] == true => "VERIFIED".to_string(),
        (_, true) => "UNKNOWN".to_string(),
    };
    let exit = match (verdict.as_str(), subcommand) {
        ("BUG", _) => 10,
        ("UNKNOWN", "verify") => 20,
        ("VERIFIED" | "UNKNOWN", _) => 0,
        _ => return Err(format!("{command:?}: `{verdict}` is no verdict")),
    };
    if output.status.code() != Some(exit) {
        return Err(format!("{command:?}: {} instead of exit code {exit}", output.status));
    }
    let columns = ["time", "paths", "bugs", "subsumed"];
    let rows = timeline_columns(&folder.path().join("out").join("timeline.csv"), &columns)?;
    let time = |row: &[Option<f64>]| row[0].unwrap_or(0.0);
    let loading = rows.first().map_or(0.0, |row| time(row));
    let number = |name: &str| summary["paths"][name].as_u64().unwrap_or(0);
    Ok(Outcome {
        verdict,
        wall,
        seconds: rows.last().map_or(0.0, |row| time(row) - loading).max(0.001),
        first_bug: rows.iter().find(|row| row[2] > Some(0.0)).map(|row| (time(row) - loading).max(0.001)),
        bugs,
        paths: number("completed"),
        subsumed: number("subsumed"),
        timeline: rows.iter().map(|row| (time(row) - loading, row[1].unwrap_or(0.0), row[3])).collect(),
    })
}

/// The fastest of several runs of a correct program.
fn verify(program: &Header, flags: &[&str], rounds: u32) -> Result<Outcome, String> {
    let mut best: Option<Outcome> = None;
    for _ in 0..rounds {
        let outcome = explore("verify", &program.file, flags)?;
        refuse_wrong(program, &outcome, "VERIFIED")?;
        if best.as_ref().is_none_or(|best| outcome.wall < best.wall) {
            best = Some(outcome);
        }
    }
    best.ok_or_else(|| "nothing was measured".to_string())
}

/// A verdict may be missing, but not wrong, and only the planted bug may be found.
fn refuse_wrong(program: &Header, outcome: &Outcome, expected: &str) -> Result<(), String> {
    let is_planted = |(kind, line): &(String, u64)| *kind == program.bug && program.bug_lines.contains(line);
    if let Some((kind, line)) = outcome.bugs.iter().find(|bug| !is_planted(bug)) {
        return Err(format!("there is a bug in {} that was not planted: {kind} at line {line}", program.name));
    }
    if [expected, "UNKNOWN"].contains(&outcome.verdict.as_str()) {
        return Ok(());
    }
    Err(format!("the verdict on {} is {} instead of {expected}", program.name, outcome.verdict))
}

fn find<'a>(programs: &'a [Header], name: &str) -> Result<&'a Header, String> {
    programs.iter().find(|program| program.name == name).ok_or_else(|| format!("there is no program `{name}`"))
}

// --- the parts ---

/// How the cost of `verify` grows with the number of ifs.
fn diamonds(programs: &[Header]) -> Result<Vec<Goal>, String> {
    let program = find(programs, "diamonds")?;
    println!(
        "| diamonds | verdict | paths | subsumed | time | exploring |\n| ---: | --- | ---: | ---: | ---: | ---: |"
    );
    let mut outcomes = Vec::new();
    for count in ["100", "200", "500", "1000"] {
        let outcome = verify(program, &[&format!("-DN={count}")], ROUNDS)?;
        println!(
            "| {count} | {} | {} | {} | {:.2} s | {:.3} s |",
            outcome.verdict, outcome.paths, outcome.subsumed, outcome.wall, outcome.seconds
        );
        outcomes.push(outcome);
    }
    let (Some(few), Some(many)) = (outcomes.first(), outcomes.last()) else { return Ok(Vec::new()) };
    let growth = many.seconds / few.seconds;
    let is_proved = outcomes.iter().all(|outcome| outcome.verdict == "VERIFIED");
    Ok(vec![
        Goal {
            what: "diamonds, N = 1,000: `verify` from start to end".to_string(),
            reached: format!("{:.2} s, {}", many.wall, many.verdict),
            goal: "verified in under 2 s",
            holds: many.verdict == "VERIFIED" && many.wall < 2.0,
        },
        Goal {
            what: "diamonds: exploring N = 1,000 against N = 100".to_string(),
            reached: format!("{growth:.1} times"),
            goal: "roughly linear: at most 15 times",
            holds: is_proved && growth <= 15.0,
        },
    ])
}

/// Every program as it is.
fn verified(programs: &[Header]) -> Result<Vec<Goal>, String> {
    println!("| program | endless | verdict | paths | subsumed | time |\n| --- | --- | --- | ---: | ---: | ---: |");
    let (mut slow, mut open) = (Vec::new(), Vec::new());
    for program in programs {
        let outcome = verify(program, &[], 1)?;
        println!(
            "| {} | {} | {} | {} | {} | {:.2} s |",
            program.name,
            if program.is_endless { "yes" } else { "" },
            outcome.verdict,
            outcome.paths,
            outcome.subsumed,
            outcome.wall
        );
        if outcome.verdict != "VERIFIED" {
            open.push(program.name.as_str());
        }
        let is_machine = program.is_endless && !program.is_driver();
        if is_machine && (outcome.verdict != "VERIFIED" || outcome.wall >= 10.0) {
            slow.push(program.name.as_str());
        }
    }
    let drivers: Vec<&str> = open.iter().copied().filter(|name| name.starts_with("drivers/")).collect();
    let list = |names: &[&str]| if names.is_empty() { "all".to_string() } else { format!("not {}", names.join(", ")) };
    Ok(vec![
        Goal {
            what: "endless state machines, locks and loops".to_string(),
            reached: list(&slow),
            goal: "each verified without a bound in under 10 s",
            holds: slow.is_empty(),
        },
        Goal {
            what: "drivers without a bug".to_string(),
            reached: list(&drivers),
            goal: "each verified (document: one small driver)",
            holds: drivers.is_empty(),
        },
        Goal { what: "all programs".to_string(), reached: list(&open), goal: "verified", holds: open.is_empty() },
    ])
}

/// When each planted bug is found, with and without interpolation.
fn planted_bugs(programs: &[Header]) -> Result<Vec<Goal>, String> {
    println!("| program | `verify` | found after | plain exploration after | |\n| --- | --- | ---: | ---: | ---: |");
    let (mut missed, mut worst) = (Vec::new(), 0.0_f64);
    for program in programs {
        let proved = explore_for(FOUND_WITHIN, "verify", &program.file, &["-DBUG"])?;
        refuse_wrong(program, &proved, "BUG")?;
        let plain = explore_for(FOUND_WITHIN, "verify", &program.file, &["-DBUG", "--prune", "none"])?;
        refuse_wrong(program, &plain, "BUG")?;
        let text = |seconds: Option<f64>| seconds.map_or("-".to_string(), |seconds| format!("{seconds:.2} s"));
        let ratio = proved.first_bug.zip(plain.first_bug).map(|(with, without)| with / without);
        println!(
            "| {} | {} | {} | {} | {} |",
            program.name,
            proved.verdict,
            text(proved.first_bug),
            text(plain.first_bug),
            ratio.map_or(String::new(), |ratio| format!("{ratio:.1}"))
        );
        if proved.verdict != "BUG" {
            missed.push(program.name.as_str());
        }
        // Below a tenth of a second, the clock decides.
        if proved.first_bug.is_some_and(|seconds| seconds > 0.1) {
            worst = worst.max(ratio.unwrap_or(0.0));
        }
    }
    Ok(vec![
        Goal {
            what: format!("planted bugs found, of {}", programs.len()),
            reached: if missed.is_empty() { "all".to_string() } else { format!("not {}", missed.join(", ")) },
            goal: "all",
            holds: missed.is_empty(),
        },
        Goal {
            what: "planted bugs: time to the bug against plain exploration, worst ratio".to_string(),
            reached: format!("{worst:.1} times"),
            goal: "at most 2 times",
            holds: worst <= 2.0,
        },
    ])
}

/// How fast the paths of a driver are accounted for. All runs explore it at a size that ends without pruning, too, so
/// that the number of its paths is known.
fn drivers(programs: &[Header]) -> Result<Vec<Goal>, String> {
    println!("| driver | order | pruning | verdict | run | subsumed | time | of all paths per s | |");
    println!("| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut least: Vec<(&str, &str, f64)> = Vec::new();
    for program in programs.iter().filter(|program| program.is_driver()) {
        let mut all = None;
        for order in ORDERS {
            let run = |pruning: &[&str]| {
                let mut args: Vec<&str> = program.measured.iter().map(String::as_str).collect();
                args.extend(["--search", order, "--uninit", "any", "--prune"]);
                args.extend(pruning);
                let outcome = explore("run", &program.file, &args)?;
                refuse_wrong(program, &outcome, "VERIFIED")?;
                Ok::<Outcome, String>(outcome)
            };
            let plain = run(&["none"])?;
            if plain.verdict == "VERIFIED" {
                all = all.or(Some(plain.paths));
            }
            let rate = |outcome: &Outcome| match (outcome.verdict.as_str(), all) {
                ("VERIFIED", Some(all)) => all as f64 / outcome.seconds,
                _ => (outcome.paths + outcome.subsumed) as f64 / outcome.seconds,
            };
            print_driver(program, order, "none", &plain, rate(&plain), None);
            let mut ways = vec![("interpolation", vec!["interpolation"])];
            if *order != "dfs" {
                ways.push(("without greedy", vec!["interpolation", "--no-greedy"]));
            }
            for (name, pruning) in ways {
                let pruned = run(&pruning)?;
                let ratio = rate(&pruned) / rate(&plain);
                print_driver(program, order, name, &pruned, rate(&pruned), Some(ratio));
                least.push((order, name, if pruned.verdict == "VERIFIED" { ratio } else { 0.0 }));
            }
        }
    }
    let worst = |order: &str, name: &str| {
        let ratios = least.iter().filter(|entry| entry.0 == order && entry.1 == name).map(|entry| entry.2);
        ratios.fold(f64::INFINITY, f64::min)
    };
    let mut goals = vec![Goal {
        what: "drivers, dfs: paths accounted for per second against plain, least".to_string(),
        reached: format!("{:.1} times", worst("dfs", "interpolation")),
        goal: "20 times (document: more than 10; 1,700 s become 50 s on diskperf)",
        holds: worst("dfs", "interpolation") >= 20.0,
    }];
    for order in ["cfg", "urs"] {
        let (greedy, without) = (worst(order, "interpolation"), worst(order, "without greedy"));
        goals.push(Goal {
            what: format!("drivers, {order}: the same; without greedy confirmation {without:.1}"),
            reached: format!("{greedy:.1} times"),
            goal: "3 times (document: 2 to 3; 1,700 s become 600 s)",
            holds: greedy >= 3.0,
        });
    }
    Ok(goals)
}

fn print_driver(program: &Header, order: &str, pruning: &str, outcome: &Outcome, rate: f64, ratio: Option<f64>) {
    println!(
        "| {} | {order} | {pruning} | {} | {} | {} | {:.2} s | {rate:.0} | {} |",
        program.name,
        outcome.verdict,
        outcome.paths,
        outcome.subsumed,
        outcome.seconds,
        ratio.map_or(String::new(), |ratio| format!("{ratio:.1}"))
    );
}

/// Which share of the paths is subsumed, at ten moments of a run at full size.
fn share_over_time(programs: &[Header]) -> Result<Vec<Goal>, String> {
    const MOMENTS: usize = 10;
    println!("| driver | order | share of paths subsumed after a tenth, two tenths, … of the run | |");
    println!("| --- | --- | --- | ---: |");
    let mut least = f64::INFINITY;
    for program in programs.iter().filter(|program| program.is_driver()) {
        for order in ORDERS {
            let args = ["--search", order, "--uninit", "any", "--prune", "interpolation", "--grace", "0s"];
            let outcome = explore_for(OBSERVED, "run", &program.file, &args)?;
            refuse_wrong(program, &outcome, "VERIFIED")?;
            let end = outcome.timeline.last().map_or(0.0, |row| row.0);
            let share_at = |moment: f64| {
                let row = outcome.timeline.iter().take_while(|row| row.0 <= moment).last()?;
                let (paths, subsumed) = (row.1, row.2?);
                (paths + subsumed > 0.0).then(|| subsumed / (paths + subsumed))
            };
            let shares: Vec<Option<f64>> =
                (1..=MOMENTS).map(|tenth| share_at(end * tenth as f64 / MOMENTS as f64)).collect();
            let last = outcome.subsumed as f64 / (outcome.paths + outcome.subsumed).max(1) as f64;
            println!("| {} | {order} | {} | {:.0}% |", program.name, bars(&shares), 100.0 * last);
            if *order == "dfs" {
                least = least.min(last);
            }
        }
    }
    Ok(vec![Goal {
        what: "drivers, dfs: share of paths subsumed at the end, least".to_string(),
        reached: format!("{:.0}%", 100.0 * least),
        goal: "near 100% (document: at once): 90%",
        holds: least >= 0.9,
    }])
}

/// A bar for each share, from none to all.
fn bars(shares: &[Option<f64>]) -> String {
    const BARS: &[char] = &['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bar = |share: &Option<f64>| match share {
        Some(share) => BARS[((share * BARS.len() as f64) as usize).min(BARS.len() - 1)],
        None => ' ',
    };
    format!("`{}`", shares.iter().map(bar).collect::<String>())
}

/// What interpolation costs where nothing can be subsumed.
fn overhead(_: &[Header]) -> Result<Vec<Goal>, String> {
    const PROGRAMS: &[(&str, &str, &[&str])] = &[
        ("regexp", "regexp.c", &["-DSIZE=7"]),
        ("bubble7x8", "bubble.c", &["-DN=7"]),
        ("strings", "strings.c", &["-DN=8"]),
    ];
    println!("| program | plain, dfs | `verify` | | `run` with look-ahead | `run` by default | |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let (mut worst_verify, mut worst_run) = (0.0_f64, 0.0_f64);
    for (name, file, flags) in PROGRAMS {
        let file = root()?.join("bench").join(file);
        let best = |subcommand: &str, args: &[&str]| {
            let mut best = f64::INFINITY;
            for _ in 0..ROUNDS {
                let all: Vec<&str> = [&["-O1", "-DKLEE"], *flags, args].concat();
                let outcome = explore(subcommand, &file, &all)?;
                if outcome.verdict != "VERIFIED" {
                    return Err(format!("the verdict on {name} is {} instead of VERIFIED", outcome.verdict));
                }
                best = best.min(outcome.seconds);
            }
            Ok::<f64, String>(best)
        };
        let plain = best("run", &["--search", "dfs", "--prune", "none", "--uninit", "any"])?;
        let verify = best("verify", &[])?;
        let lookahead = best("run", &["--prune", "lookahead", "--uninit", "any"])?;
        let default = best("run", &["--uninit", "any"])?;
        let ratios = (verify / plain, default / lookahead);
        println!(
            "| {name} | {plain:.3} s | {verify:.3} s | {:.2} | {lookahead:.3} s | {default:.3} s | {:.2} |",
            ratios.0, ratios.1
        );
        worst_verify = worst_verify.max(ratios.0);
        worst_run = worst_run.max(ratios.1);
    }
    Ok(vec![
        Goal {
            what: "overhead of `verify` where nothing is subsumed, worst".to_string(),
            reached: format!("{worst_verify:.2} times"),
            goal: "at most 1.5 times",
            holds: worst_verify <= 1.5,
        },
        Goal {
            what: "overhead in `run` by default, worst".to_string(),
            reached: format!("{worst_run:.2} times"),
            goal: "at most 1.05 times",
            holds: worst_run <= 1.05,
        },
    ])
}
