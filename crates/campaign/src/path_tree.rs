//! Writes the path tree while it grows, and counts what became of the sides that no path took.

use secateur_explore::{ClosedFlip, Departure, EndedPath, FlipEnd};
use secateur_machine::{End, Limit};
use secateur_program::Program;
use secateur_suite::{OutDir, OutError, PathLog, PathRow, PathRows, Sides};

/// The path tree as it is written to `paths.csv`.
pub(crate) struct PathTree {
    log: PathLog,
    /// What is not written yet: every write is a system call, so many rows are written at once.
    rows: PathRows,
    /// What became of the attempts to take each side.
    pub sides: Sides,
}

impl PathTree {
    /// `limit` is the number of paths and open sides that are written.
    pub(crate) fn new(out: &OutDir, limit: u64) -> Result<PathTree, OutError> {
        Ok(PathTree { log: PathLog::create(out, limit)?, rows: PathRows::default(), sides: Sides::default() })
    }

    /// Writes all rows so far, which can be read from now on.
    pub(crate) fn flush(&mut self) -> Result<(), OutError> {
        self.log.append(&mut self.rows)
    }

    /// How many paths and sides were beyond the limit.
    pub(crate) fn left_out(&self) -> u64 {
        self.log.left_out()
    }

    /// A path has ended; `test` is the file that was written for it, or empty.
    pub(crate) fn path_ended(&mut self, program: &Program, path: &EndedPath, test: &str) -> Result<(), OutError> {
        let digits;
        let (end, detail) = match &path.end {
            End::Exit(0) => ("exit", "0"),
            End::Exit(status) => {
                digits = (status & 0xff).to_string();
                ("exit", digits.as_str())
            }
            End::Bug(bug) => ("bug", bug.kind.name()),
            End::Assumed => ("assumed", ""),
            End::Ignored(kind) => ("ignored", kind.name()),
            End::Unsupported(_) => ("unsupported", ""),
            End::Limit(Limit::Run) => ("stopped", ""),
            End::Limit(Limit::Subsumed) => ("subsumed", ""),
            End::Limit(limit) => ("limit", limit.name()),
        };
        self.add(&PathRow {
            path: path.number,
            length: path.decisions,
            end,
            detail,
            test,
            instructions: path.instructions,
            cover: path.cover.as_ref().map_or(0, |cover| cover.path),
            cover_depth: path.cover.as_ref().map_or(0, |cover| cover.depth),
            identity: path.identity,
            ..departed(program, path.departure)
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
                FlipEnd::Pruned { by, .. } => attempts.pruned.entry(by).or_default(),
                FlipEnd::Pending => &mut attempts.pending,
            };
            *count += 1;
        }
        let (end, detail) = match flip.end {
            // A side that no input can take is not part of the tree.
            FlipEnd::Infeasible => return Ok(()),
            FlipEnd::Unknown => ("unknown", ""),
            FlipEnd::Lost => ("lost", ""),
            FlipEnd::Pruned { by, .. } => ("pruned", by),
            FlipEnd::Pending => ("pending", ""),
        };
        self.add(&PathRow { end, detail, length: flip.departure.depth + 1, ..departed(program, flip.departure) })
    }

    fn add(&mut self, row: &PathRow<'_>) -> Result<(), OutError> {
        self.rows.add(row);
        if self.rows.should_flush() { self.flush() } else { Ok(()) }
    }
}

fn departed(program: &Program, from: Departure) -> PathRow<'static> {
    let (file, line) = program.locations.get(from.loc.index()).map_or((0, 0), |at| (at.file, at.line));
    PathRow { parent: from.parent, depth: from.depth, file, line, ..PathRow::default() }
}

#[cfg(test)]
mod tests {
    use secateur_machine::{Bug, BugKind};
    use secateur_program::{BranchId, LocId};
    use secateur_suite::OutOptions;
    use secateur_suite::out_dir::PATHS;

    use super::*;
    use crate::place::tests::program;

    /// What `paths.csv` has after its header once `grow` has happened, and the tree.
    fn written(limit: u64, grow: impl FnOnce(&mut PathTree) -> Result<(), OutError>) -> (Vec<String>, PathTree) {
        let folder = tempfile::tempdir().unwrap();
        let out = OutDir::create(folder.path(), OutOptions::default()).unwrap();
        let mut tree = PathTree::new(&out, limit).unwrap();
        grow(&mut tree).unwrap();
        tree.flush().unwrap();
        let text = out.read_text(PATHS).unwrap().unwrap();
        (text.lines().skip(1).map(str::to_string).collect(), tree)
    }

    const DEPARTURE: Departure = Departure { parent: 1, depth: 2, loc: LocId(3) };

    fn path(end: End) -> EndedPath {
        let (cut_off_at, cover) = (Vec::new(), None);
        EndedPath {
            number: 4,
            departure: DEPARTURE,
            end,
            decisions: 6,
            instructions: 100,
            has_input: true,
            cut_off_at,
            cover,
            identity: 7,
            covered: Vec::new(),
        }
    }

    #[test]
    fn each_end_of_a_path_has_its_row() {
        let bug = Bug { kind: BugKind::Abort, message: String::new(), stack: Vec::new() };
        let ends = [
            (End::Exit(0), "exit,0"),
            (End::Exit(-1), "exit,255"),
            (End::Bug(Box::new(bug)), "bug,abort"),
            (End::Assumed, "assumed,"),
            (End::Ignored(BugKind::Leak), "ignored,leak"),
            (End::Limit(Limit::Run), "stopped,"),
            (End::Limit(Limit::Subsumed), "subsumed,"),
            (End::Limit(Limit::Instructions), "limit,instructions"),
        ];
        let expected: Vec<_> =
            ends.iter().map(|(_, row)| format!("4,1,2,6,{row},tests/000001.ktest,1,9,100,0,0,7")).collect();
        let (rows, _) = written(99, |tree| {
            let mut ends = ends.into_iter().map(|(end, _)| path(end));
            ends.try_for_each(|path| tree.path_ended(&program(), &path, "tests/000001.ktest"))
        });
        assert_eq!(rows, expected);
    }

    #[test]
    fn flips_are_counted_by_side_and_listed_unless_infeasible() {
        let pruned = FlipEnd::Pruned { by: "lookahead", lossless: true };
        let ends = [FlipEnd::Infeasible, FlipEnd::Unknown, pruned, FlipEnd::Pending];
        let (rows, tree) = written(99, |tree| {
            let mut flips =
                ends.iter().map(|end| ClosedFlip { departure: DEPARTURE, branch: Some((BranchId(7), 1)), end: *end });
            flips.try_for_each(|flip| tree.flip_closed(&program(), &flip))
        });
        assert_eq!(rows, ["unknown,", "pruned,lookahead", "pending,"].map(|end| format!("0,1,2,3,{end},,1,9,0,0,0,0")));
        let attempts = tree.sides.get(BranchId(7), 1).unwrap();
        assert_eq!((attempts.infeasible, attempts.unknown, attempts.lost, attempts.pending), (1, 1, 0, 1));
        assert_eq!(attempts.pruned["lookahead"], 1);
    }

    #[test]
    fn rows_beyond_the_limit_are_counted() {
        let (rows, tree) =
            written(1, |tree| (0..3).try_for_each(|_| tree.path_ended(&program(), &path(End::Assumed), "")));
        assert_eq!((rows.len(), tree.left_out()), (1, 2));
    }
}
