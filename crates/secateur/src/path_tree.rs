//! Writes down the tree of paths while it grows, and counts what became of the sides that no path took.

use secateur_explore::{ClosedFlip, Departure, EndedPath, FlipEnd};
use secateur_machine::{End, Limit};
use secateur_program::Program;
use secateur_suite::{OutDir, OutError, PathLog, PathRow, PathRows, Sides};

/// The tree as it is written down.
pub(crate) struct PathTree {
    log: PathLog,
    /// What is not written yet: system calls are what costs, so the tree is not written piece by piece.
    rows: PathRows,
    /// What became of the attempts to take each side.
    pub sides: Sides,
}

impl PathTree {
    /// `limit` is how many paths and open sides are written down.
    pub(crate) fn new(out: &OutDir, limit: u64) -> Result<PathTree, OutError> {
        Ok(PathTree { log: PathLog::create(out, limit)?, rows: PathRows::default(), sides: Sides::default() })
    }

    /// Writes down what was learned. It can be read from now on.
    pub(crate) fn flush(&mut self) -> Result<(), OutError> {
        self.log.append(&mut self.rows)
    }

    /// How many paths and sides there was no room for.
    pub(crate) fn left_out(&self) -> u64 {
        self.log.left_out()
    }

    /// A path has ended; `test` is the file that was written for it, or empty.
    pub(crate) fn path_ended(&mut self, program: &Program, path: &EndedPath, test: &str) -> Result<(), OutError> {
        let mut digits = String::new();
        let (end, detail) = match &path.end {
            End::Exit(0) => ("exit", "0"),
            End::Exit(status) => {
                digits.push_str(&(status & 0xff).to_string());
                ("exit", &digits[..])
            }
            End::Bug(bug) => ("bug", bug.kind.name()),
            End::Assumed => ("assumed", ""),
            End::Ignored(kind) => ("ignored", kind.name()),
            End::Unsupported(_) => ("unsupported", ""),
            End::Limit(Limit::Run) => ("stopped", ""),
            End::Limit(limit) => ("limit", limit.name()),
        };
        self.add(&PathRow {
            path: path.number,
            length: path.decisions,
            end,
            detail,
            test,
            instructions: path.instructions,
            ..origin(program, path.origin)
        })
    }

    /// A flip did not become a path.
    pub(crate) fn flip_closed(&mut self, program: &Program, flip: &ClosedFlip) -> Result<(), OutError> {
        if let Some((branch, outcome)) = flip.branch {
            let attempts = self.sides.entry(branch, outcome);
            let count = match flip.end {
                FlipEnd::Infeasible => &mut attempts.infeasible,
                FlipEnd::Unknown => &mut attempts.unknown,
                FlipEnd::Lost => &mut attempts.lost,
                FlipEnd::Pruned(name) => attempts.pruned.entry(name).or_default(),
                FlipEnd::Pending => &mut attempts.pending,
            };
            *count += 1;
        }
        let (end, detail) = match flip.end {
            // What cannot happen is no part of the tree.
            FlipEnd::Infeasible => return Ok(()),
            FlipEnd::Unknown => ("unknown", ""),
            FlipEnd::Lost => ("lost", ""),
            FlipEnd::Pruned(name) => ("pruned", name),
            FlipEnd::Pending => ("pending", ""),
        };
        self.add(&PathRow { end, detail, length: flip.origin.depth + 1, ..origin(program, flip.origin) })
    }

    fn add(&mut self, row: &PathRow<'_>) -> Result<(), OutError> {
        self.rows.add(row);
        if self.rows.should_flush() { self.flush() } else { Ok(()) }
    }
}

fn origin(program: &Program, from: Departure) -> PathRow<'static> {
    let (file, line) = program.locations.get(from.loc.index()).map_or((0, 0), |at| (at.file, at.line));
    PathRow { parent: from.parent, depth: from.depth, file, line, ..PathRow::default() }
}
