//! `paths.csv`: the tree of paths, one line for each path and for each side that was left open.
//!
//! It grows with the run and is never held in memory: a path is written when it ends.

use crate::files;
use crate::out_dir::{OutDir, OutError, PATHS, failed};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// A line of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathRow<'a> {
    /// The number of the path, from 1; 0 for a side that did not become a path.
    pub path: u64,
    /// The path that it left; 0 for the first one.
    pub parent: u64,
    /// How many decisions it shares with that path.
    pub depth: u32,
    /// The number of its decisions.
    pub length: u32,
    /// How it ended.
    pub end: &'a str,
    /// More about the end: the exit code, the kind of the bug, the name of the limit or of the pruner.
    pub detail: &'a str,
    /// The file of the test that was written for it; empty if there is none.
    pub test: &'a str,
    /// The place of the decision by which it differs from its parent: the index of the file in `program.json`.
    pub file: u32,
    /// The line in this file; 0 if unknown.
    pub line: u32,
    /// How many instructions it executed.
    pub instructions: u64,
    /// The path that found the node which covers it, if it was subsumed; else 0.
    pub cover: u64,
    /// How many decisions precede that node.
    pub cover_depth: u32,
    /// The identity of the path: a hash of its decisions, the same in every run; 0 for a side.
    pub identity: u64,
}

/// The first line of the file.
pub const HEADER: &str = "path,parent,depth,length,end,detail,test,file,line,instructions,cover,cover_depth,identity\n";

impl PathRow<'_> {
    /// Reads a line; `None` if it is not whole, as the last one of a killed run may be.
    pub fn parse(line: &str) -> Option<PathRow<'_>> {
        let mut fields = line.split(',');
        let row = PathRow {
            path: fields.next()?.parse().ok()?,
            parent: fields.next()?.parse().ok()?,
            depth: fields.next()?.parse().ok()?,
            length: fields.next()?.parse().ok()?,
            end: fields.next()?,
            detail: fields.next()?,
            test: fields.next()?,
            file: fields.next()?.parse().ok()?,
            line: fields.next()?.parse().ok()?,
            instructions: fields.next()?.parse().ok()?,
            cover: fields.next()?.parse().ok()?,
            cover_depth: fields.next()?.parse().ok()?,
            identity: fields.next()?.parse().ok()?,
        };
        fields.next().is_none().then_some(row)
    }

    /// No field contains a comma: all texts are names that we chose.
    fn append_to(&self, text: &mut Vec<u8>) {
        for number in [self.path, self.parent, self.depth.into(), self.length.into()] {
            append_number(number, text);
            text.push(b',');
        }
        for name in [self.end, self.detail, self.test] {
            text.extend_from_slice(name.as_bytes());
            text.push(b',');
        }
        for number in [self.file.into(), self.line.into(), self.instructions, self.cover] {
            append_number(number, text);
            text.push(b',');
        }
        append_number(self.cover_depth.into(), text);
        text.push(b',');
        append_number(self.identity, text);
        text.push(b'\n');
    }
}

/// Most numbers are small; for those, this is several times as fast as the formatter. A run can have 100,000 paths a
/// second.
#[inline]
fn append_number(number: u64, text: &mut Vec<u8>) {
    match number {
        0..10 => text.push(b'0' + number as u8),
        10..100 => text.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]),
        _ => text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

/// How many bytes are buffered before they are written, to save system calls.
const FLUSH_SIZE: usize = 1 << 16;

/// Lines that are not in the file yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathRows {
    text: Vec<u8>,
    count: u64,
}

impl PathRows {
    /// Adds a line.
    pub fn add(&mut self, row: &PathRow<'_>) {
        row.append_to(&mut self.text);
        self.count += 1;
    }

    /// Moves the lines of another buffer into this one.
    pub fn absorb(&mut self, other: &mut PathRows) {
        self.text.append(&mut other.text);
        self.count += std::mem::take(&mut other.count);
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether there are enough lines to write them.
    pub fn should_flush(&self) -> bool {
        self.text.len() >= FLUSH_SIZE
    }

    /// Drops all lines after the first ones.
    fn truncate(&mut self, count: u64) {
        if count < self.count {
            let ends = self.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
            let end = usize::try_from(count).ok().and_then(|count| [0].into_iter().chain(ends).nth(count));
            self.text.truncate(end.unwrap_or(self.text.len()));
            self.count = count;
        }
    }
}

/// Writes the file, up to a number of lines.
#[derive(Debug)]
pub struct PathLog {
    file: File,
    path: PathBuf,
    room: u64,
    left_out: u64,
}

impl PathLog {
    /// Starts the file. After `limit` lines, further ones are only counted.
    pub fn create(out: &OutDir, limit: u64) -> Result<PathLog, OutError> {
        let path = out.path().join(PATHS);
        let file = files::append(&path).map_err(|source| failed("write", &path, source))?;
        let mut log = PathLog { file, path, room: limit, left_out: 0 };
        log.write(HEADER.as_bytes())?;
        Ok(log)
    }

    /// Writes the buffered lines to the file, so that others can read them.
    pub fn append(&mut self, rows: &mut PathRows) -> Result<(), OutError> {
        if rows.is_empty() {
            return Ok(());
        }
        let fitting = rows.count.min(self.room);
        self.left_out += rows.count - fitting;
        self.room -= fitting;
        rows.truncate(fitting);
        let written = self.write(&rows.text);
        rows.text.clear();
        rows.count = 0;
        written
    }

    fn write(&mut self, text: &[u8]) -> Result<(), OutError> {
        self.file.write_all(text).map_err(|source| failed("write", &self.path, source))
    }

    /// How many lines the limit kept out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OutOptions;

    const ROW: PathRow<'static> = PathRow {
        path: 12,
        parent: 3,
        depth: 4,
        length: 9,
        end: "bug",
        detail: "assertion",
        test: "bugs/000001.ktest",
        file: 1,
        line: 33,
        instructions: 1_000_000_000_000,
        cover: 7,
        cover_depth: 3,
        identity: u64::MAX,
    };

    #[test]
    fn rows_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let out = OutDir::create(folder.path(), OutOptions::default()).unwrap();
        let mut log = PathLog::create(&out, 3).unwrap();
        for lines in [vec![ROW], vec![], vec![PathRow::default(), ROW, ROW, ROW], vec![ROW]] {
            let mut rows = PathRows::default();
            lines.iter().for_each(|row| rows.add(row));
            log.append(&mut rows).unwrap();
            assert!(rows.is_empty() && rows == PathRows::default());
        }
        let text = std::fs::read_to_string(folder.path().join(PATHS)).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next().map(|line| format!("{line}\n")).as_deref(), Some(HEADER));
        let expected = [Some(ROW), Some(PathRow::default()), Some(ROW)];
        assert_eq!(lines.clone().map(PathRow::parse).collect::<Vec<_>>(), expected);
        assert_eq!(lines.next().unwrap().split(',').count(), HEADER.split(',').count());
        assert_eq!(log.left_out(), 3);
    }

    #[test]
    fn half_a_line_is_not_a_row() {
        assert_eq!(PathRow::parse(HEADER.trim_end()), None);
        assert_eq!(PathRow::parse("1,2,3,4,exit,0,,1"), None);
        assert_eq!(PathRow::parse("1,2,3,4,exit,0,,1,2,3,4,5,6,7"), None);
    }
}
