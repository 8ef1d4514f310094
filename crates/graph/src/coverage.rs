//! What was executed of the program.

use secateur_program::{BlockId, BranchId, FuncId};

/// The blocks and branch outcomes that were executed on any path. What was executed once must stay so.
pub trait Executed {
    /// A block has been entered.
    fn entered(&self, function: FuncId, block: BlockId) -> bool;

    /// A branch has taken this outcome.
    fn taken(&self, branch: BranchId, outcome: u32) -> bool;
}
