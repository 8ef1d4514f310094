//! Implements what the graph asks about the machine: what was executed, and what may fail.

use secateur_graph::{CheckSet, Hazard};
use secateur_machine::{BugKind, CoverageMap, Inspection, Options};
use secateur_program::{BlockId, BranchId, FuncId, Program};

/// What the machines of a run have executed.
pub(crate) struct Covered<'a>(pub(crate) &'a CoverageMap);

impl secateur_graph::Executed for Covered<'_> {
    fn entered(&self, function: FuncId, block: BlockId) -> bool {
        self.0.entered(function, block)
    }

    fn taken(&self, branch: BranchId, outcome: u32) -> bool {
        self.0.taken(branch, outcome)
    }
}

/// Which instructions may fail when a machine with some options runs the program.
pub(crate) struct MachineHazards<'a>(Inspection<'a>);

impl<'a> MachineHazards<'a> {
    pub(crate) fn new(program: &'a Program, options: &'a Options) -> MachineHazards<'a> {
        MachineHazards(Inspection::new(program, options))
    }
}

impl secateur_graph::Hazards for MachineHazards<'_> {
    fn of(&self, function: FuncId) -> Vec<Hazard> {
        let hazards = self.0.function(function).into_iter().enumerate();
        let some = hazards.filter(|(_, hazards)| !hazards.is_empty()).map(|(pc, hazards)| Hazard {
            pc: pc as u32,
            checks: hazards.kinds().fold(CheckSet::default(), |all, kind| all | check(kind)),
            // A leak is reported where the object was allocated, and what is unsupported is not a check.
            is_reported_here: !hazards.has(BugKind::Leak) && !hazards.has_unsupported(),
        });
        some.collect()
    }

    fn safe_depth(&self) -> usize {
        self.0.safe_depth()
    }
}

/// A check as the graph represents it.
pub(crate) fn check(kind: BugKind) -> CheckSet {
    CheckSet::of(kind as u32)
}
