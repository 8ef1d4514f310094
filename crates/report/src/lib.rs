//! `report.html`: the whole result of a run as one page that needs nothing else, neither files nor a network.
//!
//! Rust collects the data and embeds it as JSON; the scripts in `page/` draw it. They set text only as text, so that no
//! source line, message or input can become markup.

mod bugs;
mod input;
mod page;
mod reach;
mod source;
mod tests_table;
mod timeline;
mod tree;
mod verdict;

pub use reach::{REACH_REPORT, write_reach};
pub use secateur_suite::out_dir::REPORT;

use secateur_suite::code_map::CodeMap;
use secateur_suite::coverage::Coverage;
use secateur_suite::out_dir::{OutDir, OutError, PATHS};
use secateur_suite::sides::Sides;
use secateur_suite::summary::Summary;
use serde::Serialize;

/// What is known at the end of a run. The rest is read from the output folder.
pub struct Findings<'a> {
    /// The result.
    pub summary: &'a Summary,
    /// Why the run stopped, as a sentence.
    pub sentence: &'a str,
    /// Where lines and branches are.
    pub code: &'a CodeMap,
    /// What was covered of them.
    pub coverage: &'a Coverage,
    /// The attempts at sides that were not covered.
    pub sides: &'a Sides,
    /// What could not be modelled.
    pub unsupported: &'a [Unsupported],
    /// The interpolants that ended paths.
    pub interpolants: &'a [Interpolant],
    /// How many paths and sides exceeded the limit of `paths.csv`.
    pub left_out: u64,
}

/// Something that could not be modelled.
#[derive(Serialize)]
pub struct Unsupported {
    /// The construct.
    pub what: String,
    /// `file:line`
    pub at: String,
    /// How many paths ended there.
    pub paths: u64,
}

/// An interpolant that ended paths: a condition on states that need not be explored.
#[derive(Serialize)]
pub struct Interpolant {
    /// The place of the states: the index of the file in the debug information.
    pub file: u32,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The condition, in terms of the program's variables.
    pub text: String,
    /// The node of the path tree that accounts for the states: the path that found it.
    pub path: u64,
    /// How many decisions precede it.
    pub depth: u32,
    /// How many paths ended because of it.
    pub covers: u64,
}

/// Writes the page into the output folder.
pub fn write(out: &OutDir, findings: &Findings<'_>) -> Result<(), OutError> {
    let paths = out.read_text(PATHS)?.unwrap_or_default();
    let rows = tree::rows(&paths);
    let data = Data {
        version: env!("CARGO_PKG_VERSION"),
        summary: findings.summary,
        sentence: findings.sentence,
        replay: replay_command(out, None),
        files: source::files(findings),
        bugs: bugs::list(out),
        unsupported: findings.unsupported,
        interpolants: findings.interpolants,
        timeline: timeline::read(out)?,
        tests: tests_table::list(out, &rows),
        tree: tree::columns(&rows, findings.left_out),
    };
    let json = serde_json::to_string(&data).expect("strings and numbers can always be written as JSON");
    let title = findings.summary.program.join(" ");
    out.write(REPORT, page::assemble(&title, &json).as_bytes())
}

/// What the scripts of the page read.
#[derive(Serialize)]
struct Data<'a> {
    version: &'static str,
    summary: &'a Summary,
    sentence: &'a str,
    replay: String,
    files: Vec<source::File>,
    bugs: Vec<bugs::Bug>,
    unsupported: &'a [Unsupported],
    interpolants: &'a [Interpolant],
    timeline: timeline::Columns,
    tests: tests_table::Table,
    tree: tree::Columns,
}

/// The command that runs all tests natively, or one of them.
fn replay_command(out: &OutDir, test: Option<&str>) -> String {
    let folder = shell_word(&out.path().display().to_string());
    match test {
        Some(test) => format!("secateur replay {folder} --test {}", shell_word(test)),
        None => format!("secateur replay {folder}"),
    }
}

/// A word of a shell command, quoted if necessary.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_the_shell_are_quoted_where_needed() {
        assert_eq!(shell_word("secateur-out/a.c"), "secateur-out/a.c");
        assert_eq!(shell_word("my out"), "'my out'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
