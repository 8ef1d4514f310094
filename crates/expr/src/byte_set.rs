//! Sets of byte values, as 256 bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitXor, Not};

/// A set of byte values. Sets are combined with `&`, `|`, `^` and `!`.
///
/// ```
/// use secateur_expr::ByteSet;
///
/// let digits = ByteSet::range(b'0', b'9');
/// assert!(digits.contains(b'7') && !digits.contains(b'x'));
/// assert_eq!((!digits).len(), 246);
/// assert_eq!((digits & ByteSet::range(0, b'2')).iter().collect::<Vec<u8>>(), b"012");
/// assert_eq!(digits.nearest(b'a'), Some(b'9'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByteSet {
    /// Bit `v % 64` of word `v / 64` stands for the value `v`.
    words: [u64; 4],
}

impl ByteSet {
    /// No value.
    pub const EMPTY: ByteSet = ByteSet { words: [0; 4] };
    /// All values.
    pub const ALL: ByteSet = ByteSet { words: [u64::MAX; 4] };

    /// One value.
    #[inline]
    pub fn only(value: u8) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        set.insert(value);
        set
    }

    /// The values from the first to the last, both included; none if the first is greater.
    #[inline]
    pub fn range(first: u8, last: u8) -> ByteSet {
        let below = |end: u32, word: u32| match end.saturating_sub(64 * word) {
            bits @ 0..64 => (1u64 << bits) - 1,
            _ => u64::MAX,
        };
        let word = |word: u32| below(u32::from(last) + 1, word) & !below(first.into(), word);
        ByteSet { words: [word(0), word(1), word(2), word(3)] }
    }

    /// The values for which `contains` holds.
    #[inline]
    pub fn from_fn(mut contains: impl FnMut(u8) -> bool) -> ByteSet {
        let mut word = |first: u8| (0..64).fold(0, |word, bit| word | u64::from(contains(first + bit)) << bit);
        ByteSet { words: [word(0), word(64), word(128), word(192)] }
    }

    /// The value is a member.
    #[inline]
    pub fn contains(&self, value: u8) -> bool {
        self.words[usize::from(value / 64)] >> (value % 64) & 1 == 1
    }

    /// Adds a value.
    #[inline]
    pub fn insert(&mut self, value: u8) {
        self.words[usize::from(value / 64)] |= 1 << (value % 64);
    }

    /// Removes a value.
    #[inline]
    pub fn remove(&mut self, value: u8) {
        self.words[usize::from(value / 64)] &= !(1 << (value % 64));
    }

    /// There is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words == [0; 4]
    }

    /// How many members there are.
    #[inline]
    pub fn len(&self) -> u16 {
        self.words.iter().map(|word| word.count_ones() as u16).sum()
    }

    /// The least member.
    #[inline]
    pub fn first(&self) -> Option<u8> {
        let at = self.words.iter().position(|word| *word != 0)?;
        Some(64 * at as u8 + self.words[at].trailing_zeros() as u8)
    }

    /// The greatest member.
    #[inline]
    pub fn last(&self) -> Option<u8> {
        let at = self.words.iter().rposition(|word| *word != 0)?;
        Some(64 * at as u8 + 63 - self.words[at].leading_zeros() as u8)
    }

    /// The member nearest to a value, the smaller one if there are two: inputs that change little stay readable.
    pub fn nearest(&self, to: u8) -> Option<u8> {
        let below = (*self & ByteSet::range(0, to)).last();
        let above = (*self & ByteSet::range(to, u8::MAX)).first();
        match (below, above) {
            (Some(below), Some(above)) => Some(if to - below <= above - to { below } else { above }),
            (below, above) => below.or(above),
        }
    }

    /// The members, from the least to the greatest.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        (0..).zip(self.words).flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
                word &= word - 1;
                Some(64 * at + bit)
            })
        })
    }

    #[inline]
    fn combine(self, other: ByteSet, combine: impl Fn(u64, u64) -> u64) -> ByteSet {
        ByteSet { words: std::array::from_fn(|i| combine(self.words[i], other.words[i])) }
    }
}

impl BitAnd for ByteSet {
    type Output = ByteSet;

    #[inline]
    fn bitand(self, other: ByteSet) -> ByteSet {
        self.combine(other, |a, b| a & b)
    }
}

impl BitAndAssign for ByteSet {
    #[inline]
    fn bitand_assign(&mut self, other: ByteSet) {
        *self = *self & other;
    }
}

impl BitOr for ByteSet {
    type Output = ByteSet;

    #[inline]
    fn bitor(self, other: ByteSet) -> ByteSet {
        self.combine(other, |a, b| a | b)
    }
}

impl BitXor for ByteSet {
    type Output = ByteSet;

    #[inline]
    fn bitxor(self, other: ByteSet) -> ByteSet {
        self.combine(other, |a, b| a ^ b)
    }
}

impl Not for ByteSet {
    type Output = ByteSet;

    #[inline]
    fn not(self) -> ByteSet {
        ByteSet { words: self.words.map(|word| !word) }
    }
}

impl std::fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        values.into_iter().for_each(|value| set.insert(value));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(members: &BTreeSet<u8>) -> ByteSet {
        members.iter().copied().collect()
    }

    proptest! {
        #[test]
        fn behaves_like_a_set(a in prop::collection::btree_set(any::<u8>(), 0..40), b in prop::collection::btree_set(any::<u8>(), 0..40), value: u8) {
            let all: BTreeSet<u8> = (0..=u8::MAX).collect();
            prop_assert_eq!(set(&a) & set(&b), set(&(&a & &b)));
            prop_assert_eq!(set(&a) | set(&b), set(&(&a | &b)));
            prop_assert_eq!(set(&a) ^ set(&b), set(&(&a ^ &b)));
            prop_assert_eq!(!set(&a), set(&(&all - &a)));
            prop_assert_eq!(set(&a).iter().collect::<BTreeSet<u8>>(), a.clone());
            prop_assert_eq!(usize::from(set(&a).len()), a.len());
            prop_assert_eq!(set(&a).is_empty(), a.is_empty());
            prop_assert_eq!(set(&a).first(), a.first().copied());
            prop_assert_eq!(set(&a).last(), a.last().copied());
            prop_assert_eq!(set(&a).contains(value), a.contains(&value));
            prop_assert_eq!(set(&a).nearest(value), a.iter().copied().min_by_key(|member| member.abs_diff(value)));
            prop_assert_eq!(ByteSet::from_fn(|value| a.contains(&value)), set(&a));
            let mut without = set(&a);
            without.remove(value);
            prop_assert!(!without.contains(value));
            without.insert(value);
            prop_assert_eq!(without, set(&a) | ByteSet::only(value));
        }

        #[test]
        fn ranges_include_both_ends(first: u8, last: u8) {
            prop_assert_eq!(ByteSet::range(first, last), (first..=last).collect());
        }
    }

    #[test]
    fn the_whole_range_is_all() {
        assert_eq!(ByteSet::range(0, u8::MAX), ByteSet::ALL);
        assert_eq!(ByteSet::ALL.len(), 256);
    }
}
