//! What a program in `tests/programs` says about itself in its comments; tests/programs/README.md describes the form.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is expected of a program at one optimisation level.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Options for `secateur run`.
    pub args: Vec<String>,
    /// How many paths complete.
    pub paths: Option<u64>,
    /// The exit codes that are possible.
    pub exits: Option<BTreeSet<i32>>,
    /// Some path ends with each of them. An optimiser may merge several paths and compute the exit code instead.
    pub all_exits: bool,
    /// All branch outcomes are covered.
    pub all_branches: bool,
    /// Part of what is unsupported on some path.
    pub unsupported: Option<String>,
    /// Nothing was given up on any path.
    pub complete: bool,
    /// Part of the reason why something was given up on some path.
    pub given_up: Option<String>,
    /// Some path ends by an assumption.
    pub assumed: bool,
    /// Line and kind of each bug.
    pub bugs: BTreeSet<(u32, String)>,
}

/// The expectations of the program in a file.
pub fn read(file: &Path) -> Result<BTreeMap<String, Expectation>, String> {
    parse(&std::fs::read_to_string(file).map_err(|error| error.to_string())?)
}

/// The expectations of a program for each level at which it is run.
pub fn parse(text: &str) -> Result<BTreeMap<String, Expectation>, String> {
    let levels = header(text)
        .find(|line| line.key == "levels")
        .map_or_else(|| vec!["O0", "O1", "O2"], |line| line.value.split_whitespace().collect());
    levels.into_iter().map(|level| Ok((level.to_string(), parse_level(text, level)?))).collect()
}

fn parse_level(text: &str, level: &str) -> Result<Expectation, String> {
    let mut expectation = Expectation::default();
    for line in header(text).filter(|line| line.level.is_none_or(|only| only == level)) {
        let bad = || format!("line {}: bad value `{}` of `{}`", line.number, line.value, line.key);
        match line.key {
            "args" => expectation.args = line.value.split_whitespace().map(str::to_string).collect(),
            "levels" => {}
            "paths" => expectation.paths = Some(line.value.parse().map_err(|_| bad())?),
            "exits" | "exits-some" => {
                expectation.all_exits = line.key == "exits" && level == "O0";
                let codes: Result<_, _> = line.value.split_whitespace().map(str::parse).collect();
                expectation.exits = Some(codes.map_err(|_| bad())?);
            }
            "branches" if line.value == "all" => expectation.all_branches = true,
            "complete" if line.value == "yes" => expectation.complete = true,
            "assumed" if line.value == "yes" => expectation.assumed = true,
            "given-up" => expectation.given_up = Some(line.value.to_string()),
            "unsupported" => expectation.unsupported = Some(line.value.to_string()),
            _ => return Err(format!("line {}: `{}: {}` is not known", line.number, line.key, line.value)),
        }
    }
    for (index, line) in text.lines().enumerate() {
        for note in line.split("//~").skip(1) {
            let (only, note) = match note.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((only, note)) => (Some(only), note),
                None => (None, note),
            };
            let Some(kind) = note.trim().strip_prefix("BUG ") else {
                return Err(format!("line {}: `{}` is not a note on a bug", index + 1, note.trim()));
            };
            if only.is_none_or(|only| only.split_whitespace().any(|name| name == level)) {
                expectation.bugs.insert((index as u32 + 1, kind.trim().to_string()));
            }
        }
    }
    Ok(expectation)
}

struct HeaderLine<'a> {
    number: usize,
    key: &'a str,
    level: Option<&'a str>,
    value: &'a str,
}

/// Lines `//! key: value` or `//! key[level]: value`.
fn header(text: &str) -> impl Iterator<Item = HeaderLine<'_>> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let (key, value) = line.strip_prefix("//!")?.split_once(':')?;
        let (key, level) = match key.trim().split_once('[') {
            Some((key, level)) => (key, Some(level.trim_end_matches(']'))),
            None => (key.trim(), None),
        };
        Some(HeaderLine { number: index + 1, key, level, value: value.trim() })
    })
}
