//! Identifies the choices of one decision.

use serde::{Deserialize, Serialize};

/// Which choice a decision took. Keys do not depend on the input that is followed, the run or the machine, so a
/// sequence of keys names a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ChoiceKey {
    /// A condition holds, or does not.
    Side(bool),
    /// The target of a switch, by its index.
    Target(u32),
    /// A pointer is in bounds of the object at this address.
    Object(u64),
    /// A pointer is the address of this function or label.
    Code(u64),
    /// A pointer is none of those that the other choices name.
    Elsewhere,
    /// An expression has this value.
    Value(u64),
    /// An expression does not have this value; which one it has is decided later.
    OtherThan(u64),
}

impl ChoiceKey {
    /// The index of the target, if it is one.
    pub fn target(self) -> Option<u32> {
        if let ChoiceKey::Target(index) = self { Some(index) } else { None }
    }

    /// The value that an expression has, if this says which.
    pub fn value(self) -> Option<u64> {
        if let ChoiceKey::Value(bits) = self { Some(bits) } else { None }
    }

    /// The identity of a path after one more decision.
    ///
    /// Which values a path excludes before its own depends on the order of exploration, but the value that it takes
    /// does not. So exclusions do not change the identity.
    #[inline]
    pub(crate) fn extend(self, identity: u64) -> u64 {
        let (tag, payload) = match self {
            ChoiceKey::OtherThan(_) => return identity,
            ChoiceKey::Side(holds) => (1, u64::from(holds)),
            ChoiceKey::Target(index) => (2, u64::from(index)),
            ChoiceKey::Object(address) => (3, address),
            ChoiceKey::Code(address) => (4, address),
            ChoiceKey::Elsewhere => (5, 0),
            ChoiceKey::Value(bits) => (6, bits),
        };
        mix(mix(identity ^ tag).wrapping_add(payload))
    }
}

/// A bijection in which every bit of the result depends on every bit of the argument.
#[inline]
fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ word >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(keys: &[ChoiceKey]) -> u64 {
        keys.iter().fold(0, |identity, key| key.extend(identity))
    }

    #[test]
    fn values_that_share_their_low_or_folded_bits_differ() {
        let values = [0, 1, u64::from(u32::MAX), u64::MAX, 1 << 32, 1 << 32 | 1, u64::MAX << 32];
        for (index, a) in values.iter().enumerate() {
            for b in &values[index + 1..] {
                assert_ne!(identity(&[ChoiceKey::Value(*a)]), identity(&[ChoiceKey::Value(*b)]), "{a:#x} {b:#x}");
            }
        }
    }

    #[test]
    fn kinds_of_choices_differ() {
        let keys = [
            ChoiceKey::Side(true),
            ChoiceKey::Target(1),
            ChoiceKey::Object(1),
            ChoiceKey::Code(1),
            ChoiceKey::Value(1),
            ChoiceKey::Elsewhere,
        ];
        for (index, a) in keys.iter().enumerate() {
            for b in &keys[index + 1..] {
                assert_ne!(identity(&[*a]), identity(&[*b]), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn excluded_values_do_not_change_the_identity() {
        let direct = identity(&[ChoiceKey::Side(true), ChoiceKey::Value(7)]);
        let after = identity(&[ChoiceKey::Side(true), ChoiceKey::OtherThan(1), ChoiceKey::Value(7)]);
        assert_eq!(direct, after);
        assert_ne!(direct, identity(&[ChoiceKey::Value(7), ChoiceKey::Side(true)]));
    }
}
