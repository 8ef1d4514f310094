//! The source files with what is known about their lines and branches.

use crate::Findings;
use crate::verdict::{Verdict, verdict};
use secateur_program::{BlockId, BranchId, FuncId};
use secateur_suite::code_map::BranchMap;
use secateur_suite::coverage::Ratio;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Larger files are generated, and nobody reads them on a page.
const MAX_BYTES: u64 = 4 << 20;

/// A file that has code of the user's.
#[derive(Serialize, Default)]
pub(crate) struct File {
    /// Its index in the debug information, by which the tree refers to it.
    number: u32,
    name: String,
    /// The text; `None` if it cannot be shown.
    text: Option<String>,
    /// Why the text cannot be shown.
    problem: Option<String>,
    /// Every line with code, and whether it ran.
    lines: Vec<(u32, bool)>,
    branches: Vec<Branch>,
    functions: Vec<Function>,
    line_count: Ratio,
    branch_count: Ratio,
}

#[derive(Serialize)]
struct Branch {
    line: u32,
    sides: Vec<Side>,
}

#[derive(Serialize)]
struct Side {
    label: String,
    /// The first line that runs on this side; 0 if unknown.
    leads_to: u32,
    #[serde(flatten)]
    verdict: Verdict,
}

#[derive(Serialize)]
struct Function {
    name: String,
    line: u32,
    covered: bool,
}

/// All files with lines or branches of the user's code, in the order of the debug information.
pub(crate) fn files(findings: &Findings<'_>) -> Vec<File> {
    let code = findings.code;
    // Copies that the compiler made are one branch to people.
    let (coverage, sides) = (findings.coverage.by_source(code), findings.sides.by_source(code));
    let findings = &Findings { coverage: &coverage, sides: &sides, ..*findings };
    let mut files: BTreeMap<u32, File> = BTreeMap::new();
    for (place, covered) in findings.coverage.lines(code) {
        let file = files.entry(place.file).or_default();
        file.lines.push((place.line, covered));
        file.line_count.add(covered);
    }
    for branch in code.source_branches() {
        // A branch without a source line counts for the totals, but cannot be shown.
        let Some(place) = branch.place else { continue };
        let file = files.entry(place.file).or_default();
        let sides: Vec<Side> = (0..branch.outcomes).map(|outcome| side(findings, branch, outcome)).collect();
        for outcome in 0..branch.outcomes {
            file.branch_count.add(findings.coverage.branch_covered(BranchId(branch.id), outcome));
        }
        file.branches.push(Branch { line: place.line, sides });
    }
    for function in &code.functions {
        let Some(place) = function.place else { continue };
        let covered = findings.coverage.block_covered(FuncId(function.id), BlockId(0));
        let function = Function { name: function.name.clone(), line: place.line, covered };
        files.entry(place.file).or_default().functions.push(function);
    }
    files.into_iter().map(|(number, file)| complete(number, file, &code.files)).collect()
}

fn complete(number: u32, mut file: File, names: &[String]) -> File {
    file.number = number;
    file.name = names.get(number as usize).cloned().unwrap_or_else(|| "?".into());
    // Branches of one line stay in the order of the program: `a` before `b` in `a && b`.
    file.branches.sort_by_key(|branch| branch.line);
    file.functions.sort_by_key(|function| function.line);
    match read(Path::new(&file.name)) {
        Ok(text) => file.text = Some(text),
        Err(problem) => file.problem = Some(problem),
    }
    file
}

/// Conditions list true first, as they are read.
fn side(findings: &Findings<'_>, branch: &BranchMap, outcome: u32) -> Side {
    let is_condition = branch.outcomes == 2 && branch.sides.first().is_none_or(|side| side.label == "false");
    let outcome = if is_condition { 1 - outcome } else { outcome };
    let id = BranchId(branch.id);
    let (label, leads_to) = match branch.sides.get(outcome as usize) {
        Some(side) => (side.label.clone(), side.leads_to),
        None if is_condition => (if outcome == 1 { "true" } else { "false" }.to_string(), 0),
        None => (format!("side {outcome}"), 0),
    };
    let covered = findings.coverage.branch_covered(id, outcome);
    Side { label, leads_to, verdict: verdict(covered, findings.sides.get(id, outcome), findings.summary) }
}

/// The text of a file, or why it cannot be shown.
fn read(path: &Path) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_BYTES {
        return Err(format!("it has {} MiB, which is too much for a page", size >> 20));
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_suite::code_map::{BlockMap, CodeMap, FunctionMap, SourceLine};
    use secateur_suite::coverage::Coverage;
    use secateur_suite::sides::Sides;
    use secateur_suite::summary::Summary;

    /// `f` in `a.c` with a branch, and `g` in `b.c` with a switch of three outcomes.
    fn two_files() -> CodeMap {
        let function = |id: u32, name: &str, lines: &[u32]| {
            let place = |line| SourceLine { file: id + 1, line };
            let blocks = lines.iter().map(|line| BlockMap { native: None, places: vec![place(*line)] });
            FunctionMap { id, name: name.into(), place: Some(place(1)), blocks: blocks.collect() }
        };
        let branch = |id, file, outcomes| BranchMap {
            id,
            native: None,
            place: Some(SourceLine { file, line: 2 }),
            outcomes,
            copy_of: None,
            by_address: false,
            sides: Vec::new(),
        };
        CodeMap {
            files: vec!["?".into(), "a.c".into(), "b.c".into()],
            functions: vec![function(0, "f", &[2, 3, 4]), function(1, "g", &[2])],
            branches: vec![branch(0, 1, 2), branch(1, 2, 3)],
        }
    }

    #[test]
    fn the_counts_of_all_files_add_up_to_the_whole() {
        let (code, mut coverage) = (two_files(), Coverage::default());
        coverage.cover_block(FuncId(0), BlockId(0));
        coverage.cover_branch(BranchId(0), 1);
        let findings = Findings {
            summary: &Summary::default(),
            sentence: "",
            code: &code,
            coverage: &coverage,
            sides: &Sides::default(),
            unsupported: &[],
            interpolants: &[],
            left_out: 0,
        };
        let files = files(&findings);
        assert_eq!(files.iter().map(|file| &file.name[..]).collect::<Vec<_>>(), ["a.c", "b.c"]);
        let counts = coverage.counts(&code);
        assert_eq!(files.iter().map(|file| file.branch_count.covered).sum::<u64>(), counts.branches.covered);
        assert_eq!(files.iter().map(|file| file.branch_count.total).sum::<u64>(), counts.branches.total);
        assert_eq!(files.iter().map(|file| file.line_count.total).sum::<u64>(), counts.lines.total);
        assert!(files.iter().all(|file| file.text.is_none() && file.problem.is_some()));
        assert_eq!(files[0].branches[0].sides[0].label, "true");
    }
}
