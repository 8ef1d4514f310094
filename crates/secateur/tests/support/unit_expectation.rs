//! What the comments of a file in `tests/units` say; its README is the format.

use std::collections::BTreeSet;

/// A function that is tested by itself, and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitExpectation {
    pub function: String,
    /// The branch outcomes of the function: those that can be reached, and all.
    pub branches: (u64, u64),
    /// More options for `secateur run`.
    pub args: Vec<String>,
    /// Line and kind of each bug.
    pub bugs: BTreeSet<(u32, String)>,
}

/// All functions that a file wants to be tested.
pub fn parse(text: &str) -> Result<Vec<UnitExpectation>, String> {
    let bugs = bugs(text)?;
    let mut units = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(rest) = line.strip_prefix("//! unit:") else { continue };
        let bad = || format!("line {}: not `//! unit: FUNCTION COVERED/TOTAL [OPTION…]`", index + 1);
        let mut words = rest.split_whitespace();
        let function = words.next().ok_or_else(bad)?.to_string();
        let (covered, total) = words.next().and_then(|ratio| ratio.split_once('/')).ok_or_else(bad)?;
        let branches = (covered.parse().map_err(|_| bad())?, total.parse().map_err(|_| bad())?);
        let expected = bugs.iter().filter(|(_, functions, _)| functions.contains(&function));
        units.push(UnitExpectation {
            bugs: expected.map(|(line, _, kind)| (*line, kind.clone())).collect(),
            function,
            branches,
            args: words.map(str::to_string).collect(),
        });
    }
    if units.is_empty() { Err("there is no line `//! unit:`".to_string()) } else { Ok(units) }
}

/// Comments `//~[f g] BUG kind`: the line, the functions whose tests show the bug, and its kind.
fn bugs(text: &str) -> Result<Vec<(u32, Vec<String>, String)>, String> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for note in line.split("//~").skip(1) {
            let parts = note.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let parts = parts.and_then(|(functions, kind)| Some((functions, kind.trim().strip_prefix("BUG ")?)));
            let (functions, kind) =
                parts.ok_or_else(|| format!("line {}: not `//~[FUNCTION…] BUG KIND`", index + 1))?;
            let functions = functions.split_whitespace().map(str::to_string).collect();
            found.push((index as u32 + 1, functions, kind.trim().to_string()));
        }
    }
    Ok(found)
}
