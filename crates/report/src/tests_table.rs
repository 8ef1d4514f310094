//! The tests that were written, as columns of a table.

use crate::input;
use secateur_suite::out_dir::{OutDir, Portion, TESTS, read_folder};
use secateur_suite::path_log::PathRow;
use serde::Serialize;

/// The tests that are shown with their inputs: reading them back takes time, and the files have the rest.
const SHOWN: Portion = Portion { tests: 1000, list_bytes: 1 << 20 };

#[derive(Serialize, Default)]
pub(crate) struct Table {
    /// The files, relative to the output folder.
    test: Vec<String>,
    path: Vec<u64>,
    end: Vec<String>,
    decisions: Vec<u32>,
    instructions: Vec<u64>,
    /// The input of the test on one line; for the first tests only.
    input: Vec<String>,
}

pub(crate) fn list(out: &OutDir, rows: &[PathRow<'_>]) -> Table {
    let mut table = Table::default();
    // Tests that cannot be read are still listed. They are numbered in the order in which their paths ended.
    let mut stored = read_folder(out.path(), TESTS, SHOWN).unwrap_or_default().into_iter();
    for row in rows.iter().filter(|row| row.test.starts_with(TESTS)) {
        if let Some(stored) = stored.next() {
            table.input.push(input::on_one_line(&stored.test));
        }
        table.test.push(row.test.to_string());
        table.path.push(row.path);
        table.end.push(format!("{} {}", row.end, row.detail).trim_end().to_string());
        table.decisions.push(row.length);
        table.instructions.push(row.instructions);
    }
    table
}
