//! Coverage as an lcov tracefile, which `genhtml`, editors and coverage services read.
//!
//! We know that something ran, not how often, so every count is 0 or 1.

use crate::code_map::{CodeMap, SourceLine};
use crate::coverage::{Coverage, Ratio};
use secateur_program::{BlockId, BranchId, FuncId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The content of the tracefile.
pub fn write(map: &CodeMap, coverage: &Coverage) -> String {
    let mut files: BTreeMap<u32, File> = BTreeMap::new();
    let lines = coverage.lines(map);
    let coverage = coverage.by_source(map);
    for (place, covered) in &lines {
        files.entry(place.file).or_default().lines.push((place.line, *covered));
    }
    for function in &map.functions {
        let Some(place) = function.place else { continue };
        let covered = coverage.block_covered(FuncId(function.id), BlockId(0));
        files.entry(place.file).or_default().functions.push((place.line, &function.name, covered));
    }
    for branch in map.source_branches() {
        let Some(place) = branch.place else { continue };
        let taken = (0..branch.outcomes).map(|outcome| coverage.branch_covered(BranchId(branch.id), outcome)).collect();
        files.entry(place.file).or_default().branches.push((place.line, branch.id, taken));
    }

    let mut out = String::from("TN:\n");
    for (number, file) in &mut files {
        let Some(name) = map.files.get(*number as usize) else { continue };
        file.sort();
        // Writing to a string cannot fail.
        let _ =
            file.write(&mut out, name, |line| lines.get(&SourceLine { file: *number, line }).copied().unwrap_or(false));
    }
    out
}

/// The branches and outcomes of the source that a tracefile of ours says no path took.
pub fn uncovered(tracefile: &str) -> Vec<(BranchId, u32)> {
    let record = |line: &str| {
        let mut fields = line.strip_prefix("BRDA:")?.split(',').skip(1);
        let (branch, outcome) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        (fields.next()? != "1").then_some((BranchId(branch), outcome))
    };
    tracefile.lines().filter_map(record).collect()
}

#[derive(Default)]
struct File<'a> {
    /// Line, name, whether it was entered.
    functions: Vec<(u32, &'a str, bool)>,
    /// Line, branch, whether each outcome was seen.
    branches: Vec<(u32, u32, Vec<bool>)>,
    /// Line, whether it ran.
    lines: Vec<(u32, bool)>,
}

impl File<'_> {
    fn sort(&mut self) {
        self.functions.sort_unstable();
        self.branches.sort_unstable();
        self.lines.sort_unstable();
    }

    fn write(&self, out: &mut String, name: &str, line_ran: impl Fn(u32) -> bool) -> std::fmt::Result {
        writeln!(out, "SF:{name}")?;
        let mut functions = Ratio::default();
        for (line, name, _) in &self.functions {
            writeln!(out, "FN:{line},{name}")?;
        }
        for (_, name, covered) in &self.functions {
            functions.add(*covered);
            writeln!(out, "FNDA:{},{name}", u8::from(*covered))?;
        }
        writeln!(out, "FNF:{}\nFNH:{}", functions.total, functions.covered)?;
        let mut branches = Ratio::default();
        for (line, id, taken) in &self.branches {
            for (outcome, covered) in taken.iter().enumerate() {
                branches.add(*covered);
                // A dash means that the branch was never evaluated, which differs from never taken.
                let count = match (covered, line_ran(*line)) {
                    (true, _) => "1",
                    (false, true) => "0",
                    (false, false) => "-",
                };
                writeln!(out, "BRDA:{line},{id},{outcome},{count}")?;
            }
        }
        writeln!(out, "BRF:{}\nBRH:{}", branches.total, branches.covered)?;
        let mut lines = Ratio::default();
        for (line, covered) in &self.lines {
            lines.add(*covered);
            writeln!(out, "DA:{line},{}", u8::from(*covered))?;
        }
        writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.total, lines.covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::tests::small_map;

    #[test]
    fn what_is_uncovered_is_read_back() {
        let mut coverage = Coverage::default();
        coverage.cover_block(FuncId(0), BlockId(0));
        coverage.cover_branch(BranchId(0), 0);
        // The other branch, with three outcomes, was never evaluated.
        let expected = [(0, 1), (5, 0), (5, 1), (5, 2)].map(|(branch, outcome)| (BranchId(branch), outcome));
        assert_eq!(uncovered(&write(&small_map(), &coverage)), expected);
    }

    #[test]
    fn tracefile() {
        let mut coverage = Coverage::default();
        coverage.cover_block(FuncId(0), BlockId(0));
        coverage.cover_block(FuncId(0), BlockId(2));
        coverage.cover_branch(BranchId(0), 0);
        let expected = "\
TN:
SF:a.c
FN:1,f
FNDA:1,f
FNF:1
FNH:1
BRDA:2,0,0,1
BRDA:2,0,1,0
BRF:2
BRH:1
DA:1,1
DA:2,1
DA:3,0
DA:4,1
LF:4
LH:3
end_of_record
SF:b.c
FN:7,g
FNDA:0,g
FNF:1
FNH:0
BRDA:8,5,0,-
BRDA:8,5,1,-
BRDA:8,5,2,-
BRF:3
BRH:0
DA:8,0
LF:1
LH:0
end_of_record
";
        assert_eq!(write(&small_map(), &coverage), expected);
    }
}
