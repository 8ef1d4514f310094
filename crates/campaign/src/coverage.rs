//! What a machine covered, in the form that is written.

use secateur_graph::reachable_functions;
use secateur_machine::Machine;
use secateur_program::{BlockId, BranchId, FuncId, ORIGINAL_MAIN, Program};
use secateur_suite::coverage::Ratio;
use secateur_suite::{CodeMap, Coverage};

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

/// How many branch outcomes of those functions were covered that can run at all, going by the calls and the addresses
/// in the program.
pub(crate) fn reachable(program: &Program, code: &CodeMap, coverage: &Coverage) -> Ratio {
    let runs = reachable_functions(program);
    coverage.branches(code, |branch| {
        let branch = program.branches.get(branch.id as usize);
        branch.is_some_and(|branch| runs[branch.function.index()])
    })
}

/// How many branch outcomes of one function were covered.
pub(crate) fn of_function(program: &Program, code: &CodeMap, coverage: &Coverage, function: &str) -> Ratio {
    let function = if function == "main" { ORIGINAL_MAIN } else { function };
    coverage.branches(code, |branch| {
        let branch = program.branches.get(branch.id as usize);
        branch.is_some_and(|branch| *program.functions[branch.function.index()].name == *function)
    })
}
