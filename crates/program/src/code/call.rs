//! Calls.

use serde::{Deserialize, Serialize};

use super::{FuncId, Operand, Slot, SlotType};

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// The function whose address this is.
    Indirect(Operand),
}

/// One argument of a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// The first slot.
    pub value: Operand,
    /// The types of its slots, in order.
    pub slots: Box<[SlotType]>,
    /// For `byval`: the argument is a pointer to an object of this size and alignment, and the callee gets a copy.
    pub by_value: Option<(u64, u32)>,
    /// Its source type is signed, and an integer of less than 32 bits is extended accordingly (`signext`).
    pub signed: bool,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Who is called.
    pub callee: Callee,
    /// The arguments, in order.
    pub args: Box<[Argument]>,
    /// First slot of the result.
    pub dst: Slot,
    /// The slots of the result; empty for `void`.
    pub result: Box<[SlotType]>,
}
