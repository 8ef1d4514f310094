//! Branches.

use serde::{Deserialize, Serialize};

use super::{BlockId, FuncId, LocId};

/// A conditional branch or switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The function it is in.
    pub function: FuncId,
    /// The block it ends.
    pub block: BlockId,
    /// Where it is in the source.
    pub loc: LocId,
    /// How many outcomes it has: 2 for a branch (0 is false, 1 is true), the number of distinct targets for a switch.
    pub outcomes: u32,
    /// Number in the user's module as instrumented for native replay; `None` outside the user's code.
    pub native: Option<u32>,
    /// It compares which of two addresses is higher. Those of different objects are in another order natively.
    pub by_address: bool,
}
