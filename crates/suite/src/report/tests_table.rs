//! The tests that were written, as columns of a table.

use super::input;
use crate::out_dir::{OutDir, TESTS, read_test};
use crate::path_log::PathRow;
use serde::Serialize;

/// The input of this many tests is shown; reading it again takes time, and the files have the rest.
const SHOWN_INPUTS: usize = 5000;

#[derive(Serialize, Default)]
pub(super) struct Table {
    /// The files, relative to the output folder.
    test: Vec<String>,
    path: Vec<u64>,
    end: Vec<String>,
    decisions: Vec<u32>,
    instructions: Vec<u64>,
    /// What the test feeds to the program, on one line; for the first tests only.
    input: Vec<String>,
}

pub(super) fn list(out: &OutDir, rows: &[PathRow<'_>]) -> Table {
    let mut table = Table::default();
    for row in rows.iter().filter(|row| row.test.starts_with(TESTS)) {
        if table.input.len() < SHOWN_INPUTS {
            // A test that cannot be read is listed all the same.
            let stored = number(row.test).and_then(|number| read_test(out.path(), TESTS, number, String::new()).ok());
            table.input.push(stored.map_or_else(String::new, |stored| input::on_one_line(&stored.test)));
        }
        table.test.push(row.test.to_string());
        table.path.push(row.path);
        table.end.push(format!("{} {}", row.end, row.detail).trim_end().to_string());
        table.decisions.push(row.length);
        table.instructions.push(row.instructions);
    }
    table
}

/// The number in the name of a test's file, in any format.
fn number(test: &str) -> Option<u64> {
    let digits: String = test.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_numbered_in_every_format() {
        assert_eq!(number("tests/000012.ktest"), Some(12));
        assert_eq!(number("tests/testcase-12.xml"), Some(12));
        assert_eq!(number("tests/000012.raw"), Some(12));
    }
}
