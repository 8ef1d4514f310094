//! The start of a query for distances or reachability.

use secateur_program::{BranchId, FuncId};

use crate::StackId;

/// An instruction on a call stack, and how execution continues from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// The function.
    pub function: FuncId,
    /// The instruction.
    pub pc: u32,
    /// The call stack.
    pub stack: StackId,
    /// The branch at the instruction and its outcome; `None` to start with the instruction itself.
    pub branch: Option<(BranchId, u32)>,
}
