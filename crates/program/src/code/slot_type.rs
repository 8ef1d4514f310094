//! The types of slots.

use serde::{Deserialize, Serialize};

/// What one slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SlotType {
    /// An integer of 1 to 64 bits, zero-extended.
    Int(u8),
    /// A pointer.
    Ptr,
    /// The bits of a `float`.
    F32,
    /// The bits of a `double`.
    F64,
    /// The low 64 bits of an integer of 65 to 128 bits; the next slot is [`SlotType::WideHigh`].
    WideLow,
    /// The bits from 64 up of an integer of `64 + n` bits.
    WideHigh(u8),
    /// The low 64 bits of an x86 `long double`; the next slot is [`SlotType::F80High`].
    F80Low,
    /// The sign and exponent of an x86 `long double`.
    F80High,
}

impl SlotType {
    /// How many bits of the slot are used.
    pub fn width(self) -> u8 {
        match self {
            SlotType::Int(width) | SlotType::WideHigh(width) => width,
            SlotType::Ptr | SlotType::F64 | SlotType::WideLow | SlotType::F80Low => 64,
            SlotType::F32 => 32,
            SlotType::F80High => 16,
        }
    }
}
