//! The code of a function, with the tables that its instructions refer to.

use serde::{Deserialize, Serialize};

use super::{Argument, Block, BranchId, Call, Edge, EdgeId, Inst, LocId, Operand, Slot, SlotType};

/// The code of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Body {
    /// All instructions, block after block; entry is 0.
    pub code: Vec<Inst>,
    /// The location of each instruction.
    pub locs: Vec<LocId>,
    /// The blocks, in order of `code`.
    pub blocks: Vec<Block>,
    /// How many slots a frame needs. Parameters come first.
    pub slots: u32,
    /// Constants, one slot each.
    pub consts: Vec<u64>,
    /// Side tables.
    pub edges: Vec<Edge>,
    /// For [`Inst::Alloca`].
    pub allocas: Vec<Alloca>,
    /// For [`Inst::Call`].
    pub calls: Vec<Call>,
    /// For [`Inst::Switch`].
    pub switches: Vec<Switch>,
    /// For [`Inst::IndirectJump`]: address and edge.
    pub gotos: Vec<Box<[(u64, EdgeId)]>>,
    /// For [`Inst::Return`]: the value and its slots.
    pub returns: Vec<Option<Argument>>,
    /// For [`Inst::Unsupported`]: what it is, e.g. "inline assembly `rdrand $0`".
    pub unsupported: Vec<String>,
    /// Slots that stand for locals (allocas whose address is not taken): they are uninitialised on entry.
    pub locals: Vec<(Slot, SlotType)>,
}

/// A stack allocation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Alloca {
    /// Size of one element in bytes.
    pub element_size: u64,
    /// How many elements (64 bits); `None` for one.
    pub count: Option<Operand>,
    /// Alignment in bytes.
    pub align: u32,
    /// The variable's name, if known.
    pub name: Box<str>,
}

/// A switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Switch {
    /// Width of the value.
    pub width: u8,
    /// Value and the index into `targets`; sorted by value.
    pub cases: Box<[(u64, u32)]>,
    /// The distinct edges; entry 0 is the default. Cases that enter the same block with the same moves share an entry.
    pub targets: Box<[EdgeId]>,
    /// Which branch it is; its outcome `n` is `targets[n]`.
    pub branch: BranchId,
}

impl Switch {
    /// The index into `targets` of where a value goes.
    #[inline]
    pub fn target(&self, value: u64) -> u32 {
        match self.cases.binary_search_by_key(&value, |case| case.0) {
            Ok(index) => self.cases[index].1,
            Err(_) => 0,
        }
    }
}
