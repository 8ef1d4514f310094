//! From where distances and reachability are asked for.

use secateur_program::{BranchId, FuncId};

use crate::StackId;

/// An instruction of a call stack, and how execution goes on from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// The function.
    pub function: FuncId,
    /// The instruction.
    pub pc: u32,
    /// The calls that are active.
    pub stack: StackId,
    /// The branch that the instruction is and the outcome that is taken, or `None` to begin with the instruction itself.
    pub branch: Option<(BranchId, u32)>,
}
