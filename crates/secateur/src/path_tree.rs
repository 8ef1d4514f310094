//! Writes down the tree of paths while it grows, and counts what became of the sides that no path took.

use secateur_explore::{Fate, Flip, Origin, PathEnd};
use secateur_machine::{End, Limit};
use secateur_program::Program;
use secateur_suite::{OutDir, OutError, PathLog, PathRow, PathRows, Sides};

/// What was learned of the tree since it was last written down.
#[derive(Default)]
pub(crate) struct Growth {
    rows: PathRows,
    /// What became of the attempts to take each side.
    sides: Sides,
}

/// The tree as far as it is written down.
pub(crate) struct PathTree {
    log: PathLog,
    /// What became of the attempts to take each side.
    pub sides: Sides,
}

impl PathTree {
    /// `limit` is how many paths and open sides are written down.
    pub(crate) fn new(out: &OutDir, limit: u64) -> Result<PathTree, OutError> {
        Ok(PathTree { log: PathLog::create(out, limit)?, sides: Sides::default() })
    }

    /// Writes down what was learned. It can be read from now on.
    pub(crate) fn grow(&mut self, growth: &mut Growth) -> Result<(), OutError> {
        self.sides.absorb(&mut growth.sides);
        self.log.append(&mut growth.rows)
    }

    /// How many paths and sides there was no room for.
    pub(crate) fn left_out(&self) -> u64 {
        self.log.left_out()
    }
}

impl Growth {
    /// There is so much that it should be written down.
    pub(crate) fn is_much(&self) -> bool {
        self.rows.are_many()
    }

    /// Adds what another worker has learned, and leaves it nothing.
    pub(crate) fn absorb(&mut self, other: &mut Growth) {
        self.rows.absorb(&mut other.rows);
        self.sides.absorb(&mut other.sides);
    }

    /// A path has ended; `test` is the file that was written for it, or empty.
    pub(crate) fn path_ended(&mut self, program: &Program, path: &PathEnd<'_>, test: &str) {
        let mut digits = String::new();
        let (end, detail) = match path.end {
            End::Exit(0) => ("exit", "0"),
            End::Exit(status) => {
                digits.push_str(&(status & 0xff).to_string());
                ("exit", &digits[..])
            }
            End::Bug(bug) => ("bug", bug.kind.name()),
            End::Assumed => ("cut", ""),
            End::Ignored(kind) => ("ignored", kind.name()),
            End::Unsupported(_) => ("unsupported", ""),
            End::Limit(Limit::Run) => ("stopped", ""),
            End::Limit(limit) => ("limit", limit.name()),
        };
        let row = PathRow {
            path: path.number,
            length: path.state.path.len() as u32,
            end,
            detail,
            test,
            instructions: path.state.instructions,
            ..origin(program, path.origin)
        };
        self.rows.add(&row);
    }

    /// A flip did not become a path.
    pub(crate) fn flip_closed(&mut self, program: &Program, flip: &Flip, fate: Fate) {
        if let Some((branch, outcome)) = flip.summary.branch {
            let attempts = self.sides.entry(branch, outcome);
            let count = match fate {
                Fate::Infeasible => &mut attempts.infeasible,
                Fate::Unknown => &mut attempts.unknown,
                Fate::Lost => &mut attempts.lost,
                Fate::Pruned(name) => attempts.pruned.entry(name).or_default(),
                Fate::Pending => &mut attempts.pending,
            };
            *count += 1;
        }
        let (end, detail) = match fate {
            // What cannot happen is no part of the tree.
            Fate::Infeasible => return,
            Fate::Unknown => ("unknown", ""),
            Fate::Lost => ("lost", ""),
            Fate::Pruned(name) => ("pruned", name),
            Fate::Pending => ("pending", ""),
        };
        self.rows.add(&PathRow { end, detail, length: flip.summary.depth + 1, ..origin(program, Origin::of(flip)) });
    }
}

fn origin(program: &Program, from: Origin) -> PathRow<'static> {
    let (file, line) = program.locations.get(from.loc.index()).map_or((0, 0), |at| (at.file, at.line));
    PathRow { parent: from.parent, depth: from.depth, file, line, ..PathRow::default() }
}
