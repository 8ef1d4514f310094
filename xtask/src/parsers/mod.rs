//! Measures how much of real parsers is covered by the tests of Secateur, and by those of fuzzers in the same time.
//!
//! The parsers are Debian source packages, fetched into the cache; the harnesses are in `bench/parsers`. Each tool gets
//! an empty corpus, no length, and some seconds of processor time on one core, so that a busy machine matters little.
//! What its corpus covers is then measured with one binary for all tools, in branches as llvm-cov counts them.

mod build;
mod coverage;
mod library;
mod timed;
mod tool;

use std::fmt::Write;

use build::Builds;
use library::{FORMATS, LIBRARIES, Library};
use tool::Tool;

const USAGE: &str = "usage: cargo xtask bench-parsers|bench-formats [--seconds N] [--seeds N] [--parsers NAME,…] \
  [--tools TOOL,…]
  TOOL is `libfuzzer`, `afl`, or `secateur` with any options, as in 'secateur --search icnt'; in these, {corpus} stands
  for the corpus of libFuzzer, as in 'libfuzzer,secateur --seeds {corpus}'";

/// The tool that the others are compared with.
const REFERENCE: &str = "libfuzzer";

struct Options {
    seconds: f64,
    seeds: u64,
    libraries: Vec<&'static Library>,
    tools: Vec<Tool>,
}

/// What one tool has reached on one parser, as the mean over the seeds.
#[derive(Clone, Copy, Default)]
struct Reached {
    branches: f64,
    files: f64,
}

/// Runs every tool on every parser, and prints a table as soon as a parser is done.
pub fn parsers(arguments: &[String]) -> Result<(), String> {
    let Options { seconds, seeds, libraries, tools } = Options::parse(arguments, LIBRARIES)?;
    let builds = Builds::fetch(&libraries)?;
    let mut rows = Vec::new();
    println!("{}", header("parser | branches", &tools));
    for library in libraries {
        let built = builds.build(library, &tools)?;
        let mut total = 0;
        let mut row = Vec::new();
        for tool in &tools {
            let mut mean = Reached::default();
            for seed in 1..=seeds {
                let corpus = tool.run(&built, seconds, seed)?;
                let covered = coverage::of(&built, &corpus)?;
                total = covered.total;
                mean.branches += covered.branches as f64 / seeds as f64;
                mean.files += covered.files as f64 / seeds as f64;
            }
            row.push(mean);
        }
        println!("{}", line(library.name, total, &row));
        rows.push(row);
    }
    println!("{}", means(&tools, &rows));
    Ok(())
}

/// Runs every tool on every format until it finds the bug, and prints how many seconds of processor time that took.
pub fn formats(arguments: &[String]) -> Result<(), String> {
    let Options { seconds, seeds, libraries, tools } = Options::parse(arguments, FORMATS)?;
    let builds = Builds::fetch(&libraries)?;
    println!("{}", header("format", &tools));
    for library in libraries {
        let built = builds.build(library, &tools)?;
        let mut text = format!("| {} |", library.name);
        for tool in &tools {
            let times = (1..=seeds).map(|seed| tool.find_bug(&built, seconds, seed)).collect::<Result<Vec<_>, _>>()?;
            let shown: Vec<String> =
                times.iter().map(|time| time.map_or("–".to_string(), |time| format!("{time:.1}"))).collect();
            let _ = write!(text, " {} |", shown.join(" / "));
        }
        println!("{text}");
    }
    Ok(())
}

impl Options {
    fn parse(arguments: &[String], all: &'static [Library]) -> Result<Options, String> {
        let mut options =
            Options { seconds: 60.0, seeds: 1, libraries: all.iter().collect(), tools: Tool::installed() };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(USAGE)?;
            match name.as_str() {
                "--seconds" => options.seconds = value.parse().map_err(|_| USAGE)?,
                "--seeds" => options.seeds = value.parse().map_err(|_| USAGE)?,
                "--parsers" => {
                    options.libraries =
                        value.split(',').map(|name| library::by_name(all, name)).collect::<Result<_, _>>()?
                }
                "--tools" => options.tools = value.split(',').map(Tool::parse).collect::<Result<_, _>>()?,
                _ => return Err(USAGE.to_string()),
            }
        }
        Ok(options)
    }
}

fn header(first: &str, tools: &[Tool]) -> String {
    let mut text = format!("| {first} |");
    tools.iter().for_each(|tool| text.push_str(&format!(" {tool} |")));
    text.push_str("\n| --- |");
    text.push_str(&" ---: |".repeat(first.matches('|').count() + tools.len()));
    text
}

/// The branches that each tool covers, with the number of files that it takes.
fn line(name: &str, total: u64, row: &[Reached]) -> String {
    let mut text = format!("| {name} | {total} |");
    for Reached { branches, files } in row {
        let _ = write!(text, " {branches:.0} ({files:.0}) |");
    }
    text
}

/// The geometric mean over all parsers of what each tool covers, against the reference.
fn means(tools: &[Tool], rows: &[Vec<Reached>]) -> String {
    let Some(reference) = tools.iter().position(|tool| tool.name() == REFERENCE) else { return String::new() };
    let mut text = format!("| geometric mean against {REFERENCE} | |");
    for index in 0..tools.len() {
        let logarithms = rows.iter().map(|row| (row[index].branches.max(1.0) / row[reference].branches.max(1.0)).ln());
        let _ = write!(text, " {:.2} |", (logarithms.sum::<f64>() / rows.len().max(1) as f64).exp());
    }
    text
}
