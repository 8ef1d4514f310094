//! What a machine covered, in the form that is written.

use secateur_machine::Machine;
use secateur_program::{BlockId, BranchId, FuncId, ORIGINAL_MAIN};
use secateur_suite::Coverage;
use secateur_suite::coverage::Ratio;

/// The branch outcomes and blocks that were executed on any path.
pub(crate) fn coverage(machine: &Machine) -> Coverage {
    let mut coverage = Coverage::default();
    for (index, branch) in machine.program.branches.iter().enumerate() {
        let id = BranchId(index as u32);
        for outcome in (0..branch.outcomes).filter(|outcome| machine.coverage.taken(id, *outcome)) {
            coverage.cover_branch(id, outcome);
        }
    }
    for (index, function) in machine.program.functions.iter().enumerate() {
        let id = FuncId(index as u32);
        let blocks = function.body.as_ref().map_or(0, |body| body.blocks.len() as u32);
        for block in (0..blocks).map(BlockId).filter(|block| machine.coverage.entered(id, *block)) {
            coverage.cover_block(id, block);
        }
    }
    coverage
}

/// How many branch outcomes of one function were covered.
pub(crate) fn of_function(machine: &Machine, function: &str) -> Ratio {
    let function = if function == "main" { ORIGINAL_MAIN } else { function };
    let mut ratio = Ratio::default();
    for (index, branch) in machine.program.branches.iter().enumerate() {
        if *machine.program.functions[branch.function.index()].name != *function {
            continue;
        }
        ratio.total += u64::from(branch.outcomes);
        let covered = (0..branch.outcomes).filter(|outcome| machine.coverage.taken(BranchId(index as u32), *outcome));
        ratio.covered += covered.count() as u64;
    }
    ratio
}
