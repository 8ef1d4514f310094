//! The tree of paths as columns of numbers, which a page can read quickly even for 100,000 paths.

use secateur_suite::path_log::PathRow;
use serde::Serialize;
use std::collections::HashMap;

#[derive(Serialize, Default)]
pub(crate) struct Columns {
    /// 0 for sides that did not become a path.
    path: Vec<u64>,
    parent: Vec<u64>,
    depth: Vec<u32>,
    length: Vec<u32>,
    /// Index into `ends`.
    end: Vec<u32>,
    /// Index of the file in [`crate::source`]'s list of all files.
    file: Vec<u32>,
    line: Vec<u32>,
    /// The path that found the node which covers a subsumed path, and how many decisions precede it; else 0.
    cover: Vec<u64>,
    cover_depth: Vec<u32>,
    /// The distinct ends, each with its detail.
    ends: Vec<[String; 2]>,
    left_out: u64,
}

/// Paths in the order of their numbers, so that each comes after its parent; then the sides that did not become paths.
pub(crate) fn rows(text: &str) -> Vec<PathRow<'_>> {
    let mut rows: Vec<PathRow<'_>> = text.lines().filter_map(PathRow::parse).collect();
    rows.sort_by_key(|row| if row.path == 0 { u64::MAX } else { row.path });
    rows
}

pub(crate) fn columns(rows: &[PathRow<'_>], left_out: u64) -> Columns {
    let mut columns = Columns { left_out, ..Columns::default() };
    let mut known: HashMap<(&str, &str), u32> = HashMap::new();
    let (mut last, mut end) = (("", ""), 0);
    for row in rows {
        // Neighbours mostly end in the same way.
        if last != (row.end, row.detail) {
            last = (row.end, row.detail);
            let next = known.len() as u32;
            end = *known.entry(last).or_insert_with(|| {
                columns.ends.push([row.end.to_string(), row.detail.to_string()]);
                next
            });
        }
        columns.path.push(row.path);
        columns.parent.push(row.parent);
        columns.depth.push(row.depth);
        columns.length.push(row.length);
        columns.end.push(end);
        columns.file.push(row.file);
        columns.line.push(row.line);
        columns.cover.push(row.cover);
        columns.cover_depth.push(row.cover_depth);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_sides_last() {
        let text = "0,2,1,2,pending,,,1,7,0,0,0,0\n2,1,0,3,subsumed,,,1,7,9,1,2,8\n1,0,0,3,exit,0,,0,0,9,0,0,7\n\
                    3,1,2,3,bug,abort,bugs/000001.ktest,1,9,9,0,0,9\n";
        let columns = columns(&rows(text), 0);
        assert_eq!(columns.path, [1, 2, 3, 0]);
        assert_eq!(columns.end, [0, 1, 2, 3]);
        assert_eq!(columns.ends[2], ["bug", "abort"]);
        assert_eq!((columns.cover, columns.cover_depth), (vec![0, 1, 0, 0], vec![0, 2, 0, 0]));
    }
}
