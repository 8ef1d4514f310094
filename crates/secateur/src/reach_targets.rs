//! What `secateur reach` is asked to reach: named on the command line, left uncovered by a run, or found by an
//! analyser.

use std::collections::BTreeMap;
use std::path::Path;

use secateur_campaign::{BugKind, ReachTarget, kinds_of_rule};
use secateur_program::Program;
use secateur_suite::CodeMap;
use secateur_suite::findings::Findings;
use secateur_suite::out_dir::read_uncovered;

use crate::Failure;
use crate::args::ReachArgs;

/// The largest SARIF file that is read.
const MAX_SARIF: u64 = 256 << 20;

/// Reads the findings of an analyser.
pub(crate) fn read_findings(path: &Path) -> Result<Findings, Failure> {
    let problem = |why: String| Failure::Input(format!("--sarif {}: {why}", path.display()));
    let size = path.metadata().map_err(|error| problem(error.to_string()))?.len();
    if size > MAX_SARIF {
        return Err(problem(format!("it has more than {} MiB", MAX_SARIF >> 20)));
    }
    let text = std::fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
    Findings::parse(&text).map_err(problem)
}

/// The checks that findings are about.
pub(crate) fn kinds(findings: &Findings) -> Vec<BugKind> {
    findings.list.iter().flat_map(|finding| kinds_of_rule(&finding.rule, &finding.message)).collect()
}

/// All targets, in the order: findings, those that are named, any error, those that are uncovered.
pub(crate) fn targets(
    program: &Program,
    args: &ReachArgs,
    findings: Option<&Findings>,
) -> Result<Vec<ReachTarget>, Failure> {
    let mut targets = Vec::new();
    for finding in findings.iter().flat_map(|findings| &findings.list) {
        let named = finding.places.iter().filter(|at| !at.file.is_empty());
        let places: Vec<String> = named.map(|at| format!("{}:{}", at.file, at.line)).collect();
        let kinds = kinds_of_rule(&finding.rule, &finding.message);
        targets.push(ReachTarget::finding(program, &finding.rule, &places, &kinds));
    }
    for text in &args.target {
        let target = ReachTarget::parse(program, text)
            .map_err(|problem| Failure::Input(format!("--target {text}: {problem}")))?;
        targets.push(target);
    }
    if args.error {
        targets.push(ReachTarget::any_error("--error"));
    }
    if let Some(out) = &args.uncovered {
        targets.extend(uncovered(program, out)?);
    }
    Ok(targets)
}

/// The sides of branches that a run has not covered, called `FILE:LINE:true` and the like.
fn uncovered(program: &Program, out: &Path) -> Result<Vec<ReachTarget>, Failure> {
    let problem = |why: String| Failure::Input(format!("--uncovered {}: {why}", out.display()));
    let (code, sides) = read_uncovered(out).map_err(|error| problem(error.to_string()))?;
    if code != CodeMap::of(program) {
        return Err(problem("that run was of another program, or of another version of this one".to_string()));
    }
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut targets = Vec::new();
    for (branch, outcome) in sides {
        let Some(known) = code.branches.iter().find(|known| known.id == branch.0) else { continue };
        let side = known.sides.get(outcome as usize).map_or_else(|| outcome.to_string(), |side| side.label.clone());
        let text = format!("{}:{side}", code.describe(known.place));
        // A line may have several branches, as `a && b` has.
        let count = seen.entry(text.clone()).or_default();
        *count += 1;
        let text = if *count == 1 { text } else { format!("{text} ({count})") };
        targets.push(ReachTarget::outcome(program, &text, branch, outcome));
    }
    if targets.is_empty() {
        return Err(problem("that run has covered all sides of all branches".to_string()));
    }
    Ok(targets)
}
