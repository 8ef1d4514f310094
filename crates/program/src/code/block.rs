//! Basic blocks and the edges between them.

use serde::{Deserialize, Serialize};

use super::{BlockId, Operand, Slot};

/// Where a jump goes, and what its phis move. The moves happen in parallel: all sources are read first, unless
/// `sequential` says that doing them in order gives the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The block that is entered.
    pub to: BlockId,
    /// Index in `Body::code` of the first instruction of `to`.
    pub pc: u32,
    /// `dst = src`, one slot each.
    pub moves: Box<[(Slot, Operand)]>,
    /// No source is the destination of an earlier move.
    pub sequential: bool,
}

/// A basic block: a range of `Body::code`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// Index of the first instruction.
    pub start: u32,
    /// One past the terminator.
    pub end: u32,
    /// Blocks that the terminator may enter, without repetition.
    pub successors: Box<[BlockId]>,
    /// Number in the user's module as instrumented for native replay; `None` outside the user's code.
    pub native: Option<u32>,
}
