//! Writes down the tree of paths while it grows, and counts what became of the sides that no path took.

use secateur_explore::{Fate, Flip, Origin, PathEnd};
use secateur_machine::End;
use secateur_program::Program;
use secateur_suite::{OutDir, OutError, PathLog, PathRow, Sides};

/// Listens on behalf of the recorder.
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

    /// A path has ended; `test` is the file that was written for it, or empty.
    pub(crate) fn path_ended(&mut self, program: &Program, path: &PathEnd<'_>, test: &str) -> Result<(), OutError> {
        let mut digits = String::new();
        let (end, detail) = match path.end {
            End::Exit(0) => ("exit", "0"),
            End::Exit(status) => {
                digits.push_str(&(status & 0xff).to_string());
                ("exit", &digits[..])
            }
            End::Bug(bug) => ("bug", bug.kind.name()),
            End::Cut => ("cut", ""),
            End::Unsupported(_) => ("unsupported", ""),
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
        self.log.add(&row)
    }

    /// A path was stopped half-way.
    pub(crate) fn path_stopped(
        &mut self,
        program: &Program,
        number: u64,
        from: Origin,
        length: u32,
    ) -> Result<(), OutError> {
        self.log.add(&PathRow { path: number, length, end: "stopped", ..origin(program, from) })
    }

    /// A flip did not become a path.
    pub(crate) fn flip_closed(&mut self, program: &Program, flip: &Flip, fate: Fate) -> Result<(), OutError> {
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
            Fate::Infeasible => return Ok(()),
            Fate::Unknown => ("unknown", ""),
            Fate::Lost => ("lost", ""),
            Fate::Pruned(name) => ("pruned", name),
            Fate::Pending => ("pending", ""),
        };
        let row = PathRow { end, detail, length: flip.summary.depth + 1, ..origin(program, Origin::of(flip)) };
        self.log.add(&row)
    }

    /// What was written can be read from now on.
    pub(crate) fn flush(&mut self) -> Result<(), OutError> {
        self.log.flush()
    }

    /// How many paths and sides there was no room for.
    pub(crate) fn left_out(&self) -> u64 {
        self.log.left_out()
    }
}

fn origin(program: &Program, from: Origin) -> PathRow<'static> {
    let (file, line) = program.locations.get(from.loc.index()).map_or((0, 0), |at| (at.file, at.line));
    PathRow { parent: from.parent, depth: from.depth, file, line, ..PathRow::default() }
}
