//! What of the program was executed.

use secateur_program::{BlockId, BranchId, FuncId};

/// The blocks and branch outcomes that were executed on any path. Nothing that was executed may be forgotten.
pub trait Executed {
    /// A block has been entered.
    fn entered(&self, function: FuncId, block: BlockId) -> bool;

    /// A branch has taken this outcome.
    fn taken(&self, branch: BranchId, outcome: u32) -> bool;
}
