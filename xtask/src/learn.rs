//! `cargo xtask bench-learn`: branches covered with `--learn` against each single order, on real programs.
//!
//! Each run is a line of a file in the cache, so a benchmark that is stopped goes on where it was. Tables go to
//! standard output and into docs/learning.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use secateur_explore::search::NAMES;
use serde_json::{Value, json};

use crate::bench::root;
use crate::runs::{secateur, timeline_columns};

/// A program, the Debian package that it is from, and its symbolic input.
struct Program {
    name: &'static str,
    package: &'static str,
    file: &'static str,
    input: &'static [&'static str],
}

const TEXT: &[&str] = &["--sym-args", "1", "1", "8", "--sym-stdin", "16"];
const OPTIONS: &[&str] = &["--sym-args", "0", "2", "8", "--sym-stdin", "16"];

const PROGRAMS: &[Program] = &[
    Program { name: "grep", package: "grep", file: "src/grep", input: TEXT },
    Program { name: "gawk", package: "gawk", file: "gawk", input: TEXT },
    Program { name: "sed", package: "sed", file: "sed/sed", input: TEXT },
    Program { name: "bc", package: "bc", file: "bc/bc", input: &["--sym-stdin", "16"] },
    Program { name: "json", package: "cjson", file: "json", input: &["--sym-stdin", "32"] },
    Program { name: "ini", package: "inih", file: "ini", input: &["--sym-stdin", "32"] },
    Program { name: "expr", package: "coreutils", file: "src/expr", input: &["--sym-args", "0", "4", "4"] },
    Program { name: "cut", package: "coreutils", file: "src/cut", input: OPTIONS },
    Program { name: "tr", package: "coreutils", file: "src/tr", input: OPTIONS },
    Program { name: "od", package: "coreutils", file: "src/od", input: OPTIONS },
    Program { name: "pr", package: "coreutils", file: "src/pr", input: OPTIONS },
    Program { name: "ptx", package: "coreutils", file: "src/ptx", input: OPTIONS },
];

/// Those over which the goal takes the geometric mean.
const LARGE: [&str; 4] = ["grep", "gawk", "sed", "bc"];

/// The orders that are not compared: those that get lost in one part of a large program, or draw inputs at random.
const LEFT_OUT: [&str; 4] = ["dfs", "bfs", "urs", "hybrid"];

const LEARN: &str = "learn";

const USAGE: &str = "usage: cargo xtask bench-learn [--seconds N] [--seeds N] [--programs NAME,…] [--orders NAME,…] \
                     [--memory SIZE] [--write]";

struct Arguments {
    seconds: u64,
    seeds: u64,
    programs: Vec<String>,
    orders: Vec<String>,
    memory: String,
    /// The tables become those of docs/learning.md.
    write: bool,
}

fn orders() -> impl Iterator<Item = String> {
    NAMES.iter().filter(|name| !LEFT_OUT.contains(name)).map(|name| name.to_string())
}

impl Arguments {
    fn read(arguments: &[String]) -> Result<Arguments, String> {
        let mut read = Arguments {
            seconds: 600,
            seeds: 3,
            programs: PROGRAMS.iter().map(|program| program.name.to_string()).collect(),
            orders: orders().collect(),
            memory: "2G".to_string(),
            write: false,
        };
        let mut arguments = arguments.iter();
        while let Some(option) = arguments.next() {
            if option == "--write" {
                read.write = true;
                continue;
            }
            let value = arguments.next().ok_or(USAGE)?;
            let number = || value.parse::<u64>().ok().filter(|number| *number > 0).ok_or(USAGE);
            let list = || value.split(',').map(str::to_string).collect();
            match option.as_str() {
                "--seconds" => read.seconds = number()?,
                "--seeds" => read.seeds = number()?,
                "--programs" => read.programs = list(),
                "--orders" => read.orders = list(),
                "--memory" => read.memory = value.clone(),
                _ => return Err(USAGE.to_string()),
            }
        }
        let is_known = |name: &&String| !PROGRAMS.iter().any(|program| program.name == name.as_str());
        match read.programs.iter().find(is_known) {
            Some(name) => Err(format!("there is no program `{name}`")),
            None => Ok(read),
        }
    }
}

/// What one run has given.
struct Run {
    program: String,
    way: String,
    covered: BTreeSet<String>,
    branches: u64,
    live: f64,
    scoring: f64,
}

pub fn learn(arguments: &[String]) -> Result<(), String> {
    let arguments = Arguments::read(arguments)?;
    let programs: Vec<&Program> =
        PROGRAMS.iter().filter(|program| arguments.programs.iter().any(|name| name == program.name)).collect();
    let folder = built(&programs)?;
    let results = folder.join("results.jsonl");
    let version = version()?;
    let ways: Vec<&str> = arguments.orders.iter().map(String::as_str).chain([LEARN]).collect();
    let all = programs.len() * ways.len() * arguments.seeds as usize;
    let mut known = read(&results);
    let mut runs = Vec::new();
    for program in &programs {
        for way in &ways {
            for seed in 1..=arguments.seeds {
                let key = format!("{version} {} {way} {seed} {} {}", program.name, arguments.seconds, arguments.memory);
                let run = match known.remove(&key) {
                    Some(run) => run,
                    None => {
                        eprintln!("bench-learn: run {} of {all}: {} {way}, seed {seed}", runs.len() + 1, program.name);
                        let run = measure(&folder, program, way, seed, &arguments)?;
                        append(&results, &key, &run)?;
                        run
                    }
                };
                runs.push(Run::of(program.name, way, &run));
            }
        }
    }
    let text = tables(&programs, &ways, &runs, &arguments);
    print!("{text}");
    if arguments.write { write(&text) } else { Ok(()) }
}

/// Builds what is missing.
fn built(programs: &[&Program]) -> Result<PathBuf, String> {
    let mut packages: Vec<&str> = programs.iter().map(|program| program.package).collect();
    packages.sort_unstable();
    packages.dedup();
    let mut command = Command::new(root()?.join("scripts").join("learn-programs.sh"));
    let output = command.arg(secateur()?).args(packages).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_string());
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// What the results depend on: the program that is measured.
fn version() -> Result<String, String> {
    let output = Command::new("cksum").arg(secateur()?).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split_whitespace().next().unwrap_or_default().to_string())
}

fn read(results: &Path) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(results).unwrap_or_default();
    // A line that was cut off is measured again.
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| Some((line["key"].as_str()?.to_string(), line["run"].clone()))).collect()
}

fn append(results: &Path, key: &str, run: &Value) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", results.display());
    let mut file = fs::File::options().create(true).append(true).open(results).map_err(failed)?;
    writeln!(file, "{}", json!({ "key": key, "run": run })).map_err(failed)
}

fn measure(folder: &Path, program: &Program, way: &str, seed: u64, arguments: &Arguments) -> Result<Value, String> {
    let out = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = out.path().join("out");
    let mut command = Command::new(secateur()?);
    command.arg("run").arg(folder.join(program.package).join(program.file)).args(program.input);
    command.args(["--jobs", "1", "--quiet", "--no-report", "--no-confirm", "--list-paths", "0"]);
    command.args(["--max-time", &format!("{}s", arguments.seconds), "--max-memory", &arguments.memory]);
    command.args(["--seed", &seed.to_string()]).arg("--out").arg(&out);
    match way {
        LEARN => command.arg("--learn"),
        order => command.args(["--search", order]),
    };
    let done = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !matches!(done.status.code(), Some(0 | 10)) {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr).trim()));
    }
    let read = |name: &str| fs::read_to_string(out.join(name)).map_err(|error| format!("{name}: {error}"));
    let summary: Value = serde_json::from_str(&read("summary.json")?).map_err(|error| error.to_string())?;
    Ok(json!({
        "branches": summary["coverage"]["branches"]["covered"],
        "covered": covered(&read("coverage.info")?),
        "live": live(&out.join("timeline.csv"))?,
        "compared": summary["learning"]["compared"],
        "lookups": summary["learning"]["lookups"],
        "instructions": summary["instructions"],
    }))
}

/// The branch outcomes that were taken, as `file:line:block:branch`.
fn covered(info: &str) -> Vec<String> {
    let (mut file, mut covered) = ("", Vec::new());
    for line in info.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name.rsplit('/').next().unwrap_or(name);
        } else if let Some(fields) = line.strip_prefix("BRDA:")
            && let Some((branch, count)) = fields.rsplit_once(',')
            && count != "0"
            && count != "-"
        {
            covered.push(format!("{file}:{branch}"));
        }
    }
    covered
}

/// The mean number of pending flips over the time of the run.
fn live(timeline: &Path) -> Result<f64, String> {
    let rows = timeline_columns(timeline, &["time", "pending"])?;
    let samples: Vec<(f64, f64)> = rows.iter().filter_map(|row| Some(((*row.first()?)?, (*row.get(1)?)?))).collect();
    let weighted: f64 = samples.windows(2).map(|pair| (pair[1].0 - pair[0].0) * pair[0].1).sum();
    let time = samples.last().map_or(0.0, |last| last.0) - samples.first().map_or(0.0, |first| first.0);
    Ok(if time > 0.0 { weighted / time } else { 0.0 })
}

impl Run {
    fn of(program: &str, way: &str, run: &Value) -> Run {
        let covered = run["covered"].as_array().map(Vec::as_slice).unwrap_or_default();
        Run {
            program: program.to_string(),
            way: way.to_string(),
            covered: covered.iter().filter_map(|branch| branch.as_str().map(str::to_string)).collect(),
            branches: run["branches"].as_u64().unwrap_or(0),
            live: run["live"].as_f64().unwrap_or(0.0),
            scoring: run["compared"].as_f64().unwrap_or(0.0) + run["lookups"].as_f64().unwrap_or(0.0),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn tables(programs: &[&Program], ways: &[&str], runs: &[Run], arguments: &Arguments) -> String {
    let mut text = format!(
        "{} s each, one worker, {} of memory, mean of {} seeds:\n\n",
        arguments.seconds, arguments.memory, arguments.seeds
    );
    text +=
        "| program | best single order | branches | `--learn` | | live flips | `--learn` | only `--learn` | missed |\n";
    text += "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    let (mut large, mut all_only, mut all_missed, mut fewer) = (Vec::new(), 0, 0, Vec::new());
    for program in programs {
        let of =
            |way: &str| runs.iter().filter(|run| run.program == program.name && run.way == way).collect::<Vec<_>>();
        let branches = |way: &str| mean(of(way).iter().map(|run| run.branches as f64));
        let live = |way: &str| mean(of(way).iter().map(|run| run.live));
        let union = |way: &str| of(way).iter().flat_map(|run| run.covered.iter().cloned()).collect::<BTreeSet<_>>();
        let orders: Vec<&str> = ways.iter().copied().filter(|way| *way != LEARN).collect();
        let Some(best) = orders.iter().copied().max_by(|a, b| branches(a).total_cmp(&branches(b))) else { continue };
        let others: BTreeSet<String> = orders.iter().flat_map(|way| union(way)).collect();
        let learned = union(LEARN);
        let (only, missed) = (learned.difference(&others).count(), others.difference(&learned).count());
        let ratio = branches(LEARN) / branches(best).max(1.0);
        if LARGE.contains(&program.name) {
            large.push(ratio.ln());
        }
        all_only += only;
        all_missed += missed;
        fewer.push(live(best) / live(LEARN).max(1.0));
        text += &format!(
            "| {} | `{best}` | {:.0} | {:.0} | {:+.1}% | {:.0} | {:.0} | {only} | {missed} |\n",
            program.name,
            branches(best),
            branches(LEARN),
            100.0 * (ratio - 1.0),
            live(best),
            live(LEARN),
        );
    }
    if !large.is_empty() {
        let gain = 100.0 * (mean(large.into_iter()).exp() - 1.0);
        text += &format!("\nGeometric mean over {}: {gain:+.1}%.", LARGE.join(", "));
    }
    text += &format!(" Only `--learn`: {all_only}; only some order: {all_missed}.");
    text += &format!(" Live flips: {:.1} times fewer (mean of the programs).\n", mean(fewer.into_iter()));
    let scoring = mean(runs.iter().filter(|run| run.way == LEARN).map(|run| run.scoring));
    text += &format!("A run with `--learn` looks up and compares {scoring:.0} times.\n");
    text
}

const START: &str = "<!-- The table is written by `make bench-learn ARGS=--write`. -->\n";
const END: &str = "<!-- End of the table. -->";

fn write(text: &str) -> Result<(), String> {
    let path = root()?.join("docs").join("learning.md");
    let old = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let parts = old.split_once(START).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or(format!("{} has no place for the table", path.display()))?;
    fs::write(&path, format!("{before}{START}{text}{END}{after}")).map_err(|error| error.to_string())
}
