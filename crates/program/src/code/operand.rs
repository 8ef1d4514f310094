//! What an instruction reads.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Slot;

/// Where an instruction reads from: a slot, or an entry in the constants of the body.
///
/// The operand of a value of several slots is that of its first; the others follow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

impl Operand {
    const CONST: u32 = 1 << 31;

    /// Reads a slot.
    #[inline(always)]
    pub fn slot(slot: Slot) -> Operand {
        debug_assert!(slot.0 < Self::CONST);
        Operand(slot.0)
    }

    /// Reads entry `index` of [`Body::consts`].
    #[inline(always)]
    pub fn constant(index: u32) -> Operand {
        debug_assert!(index < Self::CONST);
        Operand(index | Self::CONST)
    }

    /// The slot or constant that is read.
    #[inline(always)]
    pub fn kind(self) -> OperandKind {
        if self.0 & Self::CONST == 0 {
            OperandKind::Slot(Slot(self.0))
        } else {
            OperandKind::Const(self.0 & !Self::CONST)
        }
    }

    /// The operand of the `n`th slot after this one.
    #[inline(always)]
    pub fn offset(self, n: u32) -> Operand {
        Operand(self.0 + n)
    }
}

/// An [`Operand`], taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// A register.
    Slot(Slot),
    /// An index into [`Body::consts`].
    Const(u32),
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            OperandKind::Slot(slot) => write!(f, "{slot}"),
            OperandKind::Const(index) => write!(f, "c{index}"),
        }
    }
}
