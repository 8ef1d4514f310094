//! Measures `secateur reach` on the programs of `bench/reach`: which targets are answered, in how many segments and how
//! much time, from both sides and forwards only. A wrong answer is an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::bench::root;
use crate::runs::secateur;

/// How long a target may take, in seconds.
const TIME: &str = "10";

/// Programs of the source document, with the numbers `N` that they are measured with; the first line of each file says
/// what it is about.
const SMALL: &[(&str, &[u32])] = &[
    ("hard-loop", &[0]),
    ("dart", &[0]),
    ("easy-loop", &[0]),
    ("narrow", &[0]),
    ("slicing", &[10, 100, 1000]),
    ("trityp", &[0]),
    ("unreach", &[10, 100, 1000]),
];

/// Programs of other benchmarks, with arguments: whether an error can be reached.
const ERRORS: &[(&str, &[&str], &str)] = &[
    ("tcp", &[], "unreachable"),
    ("tcp", &["-DBUG"], "reached"),
    ("ssh", &[], "unreachable"),
    ("ssh", &["-DBUG"], "reached"),
    ("drivers/keyboard", &["-DBUG"], "reached"),
    ("drivers/diskperf", &["-DBUG"], "reached"),
];

/// What stands for any error, as a target.
const ANY_ERROR: &str = "--error";

/// The answer for a target.
struct Answer {
    verdict: String,
    way: String,
    segments: u64,
    time: f64,
}

/// Measures and prints the tables.
pub fn reach() -> Result<(), String> {
    let folder = root()?.join("bench").join("reach");
    let mut wrong = Vec::new();
    println!("| program | target | both | | | forward | | |");
    println!("| --- | --- | --- | ---: | ---: | --- | ---: | ---: |");
    for (name, sizes) in SMALL {
        let file = folder.join(format!("{name}.c"));
        for n in *sizes {
            let define = format!("-DN={}", n.max(&10));
            let shown = if *n == 0 { (*name).to_string() } else { format!("{name}, N = {n}") };
            measure_file(&shown, &file, &[&define], &mut wrong)?;
        }
    }
    let mut larger: Vec<PathBuf> = std::fs::read_dir(folder.join("larger"))
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    larger.sort();
    for file in larger {
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        measure_file(&name, &file, &[], &mut wrong)?;
    }
    for (name, args, expected) in ERRORS {
        let file = root()?.join("bench/interpolation").join(format!("{name}.c"));
        let shown = format!("{name} {}", args.join(" "));
        measure(shown.trim(), &file, args, &[(ANY_ERROR, expected)], &mut wrong)?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

/// Measures all targets of a program: lines ` * TARGET NAME ANSWER`.
fn measure_file(shown: &str, file: &Path, args: &[&str], wrong: &mut Vec<String>) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let targets: Vec<(&str, &str)> =
        text.lines().filter_map(|line| line.trim().strip_prefix("* TARGET ")?.split_once(' ')).collect();
    if targets.is_empty() {
        return Err(format!("{} names no target", file.display()));
    }
    measure(shown, file, args, &targets, wrong)
}

/// Measures these targets of a program, given with their answers.
fn measure(
    shown: &str,
    file: &Path,
    args: &[&str],
    targets: &[(&str, &str)],
    wrong: &mut Vec<String>,
) -> Result<(), String> {
    let both = answers(file, args, targets, "both")?;
    let forward = answers(file, args, targets, "forward")?;
    for (target, expected) in targets {
        let target = *target;
        let cells = |answers: &BTreeMap<String, Answer>| {
            answers.get(target).map_or_else(
                || "| | |".to_string(),
                |answer| {
                    let Answer { verdict, way, segments, time } = answer;
                    let way = if way.is_empty() { String::new() } else { format!(" ({way})") };
                    format!("{verdict}{way} | {segments} | {time:.2} s")
                },
            )
        };
        println!("| {shown} | {target} | {} | {} |", cells(&both), cells(&forward));
        for answer in [both.get(target), forward.get(target)].into_iter().flatten() {
            if answer.verdict != "unknown" && answer.verdict != expected.trim() {
                wrong.push(format!("{shown}: {target} is {expected}, not {}", answer.verdict));
            }
        }
    }
    Ok(())
}

fn answers(
    file: &Path,
    args: &[&str],
    targets: &[(&str, &str)],
    way: &str,
) -> Result<BTreeMap<String, Answer>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = Command::new(secateur()?);
    command.arg("reach").arg(file).args(args).args(["--way", way, "--jobs", "1", "--json", "--max-time", TIME]);
    command.arg("--out").arg(folder.path().join("out"));
    for (name, _) in targets {
        match *name {
            ANY_ERROR => command.arg(ANY_ERROR),
            name => command.args(["--target", name]),
        };
    }
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let answer = |answer: &Value| {
        let text = |name: &str| answer[name].as_str().unwrap_or_default().to_string();
        let (segments, time) = (answer["segments"].as_u64().unwrap_or(0), answer["time"].as_f64().unwrap_or(0.0));
        (text("target"), Answer { verdict: text("verdict"), way: text("way"), segments, time })
    };
    Ok(report["targets"].as_array().into_iter().flatten().map(answer).collect())
}
