//! `timeline.csv`: the course of a run, one line per sample. It is the only data file with measurements of time and
//! memory, which the report draws; all others are the same for every run.

use std::fmt;

/// The state of a run at one moment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    /// Seconds since the start.
    pub time: f64,
    /// Paths that ended.
    pub paths: u64,
    /// Pending flips.
    pub pending: u64,
    /// Tests written.
    pub tests: u64,
    /// Bugs found.
    pub bugs: u64,
    /// Branch outcomes covered.
    pub branches_covered: u64,
    /// All branch outcomes.
    pub branches_total: u64,
    /// Bytes of memory in use.
    pub memory: u64,
    /// The highest memory use so far, in bytes.
    pub peak_memory: u64,
    /// Seconds that the solvers of all workers took so far.
    pub solver_time: f64,
    /// Paths that ended because others account for all that could follow; they are not among `paths`.
    pub subsumed: u64,
    /// Flips that were dropped because they seemed less promising than others.
    pub dropped: u64,
    /// The round of a run that learns; 0 if there are none.
    pub round: u32,
}

/// The first line of the file.
pub const HEADER: &str = "time,paths,pending,tests,bugs,branches_covered,branches_total,memory,peak_memory,solver_time,subsumed,dropped,round\n";

impl fmt::Display for Sample {
    /// One line of the file, without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { time, paths, pending, tests, bugs, branches_covered, branches_total, .. } = self;
        let Sample { memory, peak_memory, solver_time, subsumed, dropped, round, .. } = self;
        write!(f, "{time:.3},{paths},{pending},{tests},{bugs},{branches_covered},{branches_total},")?;
        write!(f, "{memory},{peak_memory},{solver_time:.3},{subsumed},{dropped},{round}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_as_many_fields_as_the_header() {
        let line = Sample { time: 1.5, paths: 2, ..Sample::default() }.to_string();
        assert_eq!(line, "1.500,2,0,0,0,0,0,0,0,0.000,0,0,0");
        assert_eq!(line.split(',').count(), HEADER.split(',').count());
    }
}
