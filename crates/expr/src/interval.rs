//! Sets of numbers as unions of intervals.

/// A set of numbers: closed intervals, sorted and disjoint.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Intervals(Vec<(u128, u128)>);

impl Intervals {
    /// All numbers of that many bits.
    pub fn all(width: u8) -> Intervals {
        Intervals::range(0, mask(width))
    }

    /// One number.
    pub fn one(value: u128) -> Intervals {
        Intervals::range(value, value)
    }

    /// These numbers, which must be in ascending order.
    pub fn of(numbers: impl IntoIterator<Item = u128>) -> Intervals {
        let mut intervals: Vec<(u128, u128)> = Vec::new();
        for number in numbers {
            match intervals.last_mut() {
                Some((_, high)) if number <= high.saturating_add(1) => *high = number.max(*high),
                _ => intervals.push((number, number)),
            }
        }
        Intervals(intervals)
    }

    pub(crate) fn range(low: u128, high: u128) -> Intervals {
        Intervals(vec![(low, high)])
    }

    /// It has no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets with more intervals are not worth their cost.
    pub(crate) fn is_small(&self, most: usize) -> bool {
        self.0.len() <= most
    }

    /// The only member, if there is only one.
    pub fn single(&self) -> Option<u128> {
        match self.0[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }

    /// Whether a number is a member.
    pub fn contains(&self, value: u128) -> bool {
        let next = self.0.partition_point(|&(_, high)| high < value);
        self.0.get(next).is_some_and(|&(low, _)| low <= value)
    }

    /// Whether every member of this set is one of another.
    pub fn is_subset(&self, other: &Intervals) -> bool {
        self.0.iter().all(|&(low, high)| other.0.iter().any(|&(from, to)| from <= low && high <= to))
    }

    /// The intervals, in ascending order.
    pub fn parts(&self) -> impl Iterator<Item = (u128, u128)> {
        self.0.iter().copied()
    }

    /// The smallest member that is at least `from`.
    pub fn at_least(&self, from: u128) -> Option<u128> {
        self.0.iter().find(|&&(_, high)| high >= from).map(|&(low, _)| low.max(from))
    }

    /// The member that is nearest to a value.
    pub fn nearest(&self, to: u128) -> Option<u128> {
        self.0.iter().map(|&(low, high)| to.clamp(low, high)).min_by_key(|member| member.abs_diff(to))
    }

    /// How many members it has; at most `u64::MAX`.
    pub fn count(&self) -> u64 {
        let sizes = self.0.iter().map(|&(low, high)| u64::try_from(high - low).unwrap_or(u64::MAX).saturating_add(1));
        sizes.fold(0, u64::saturating_add)
    }

    /// All members, in order.
    pub fn members(&self) -> impl Iterator<Item = u128> {
        self.0.iter().flat_map(|&(low, high)| low..=high)
    }

    /// They have no member in common.
    pub fn is_disjoint(&self, other: &Intervals) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), other.0.get(j)) {
            if a.max(c) <= b.min(d) {
                return false;
            }
            if b < d { i += 1 } else { j += 1 }
        }
        true
    }

    /// The members of both.
    pub fn intersection(&self, other: &Intervals) -> Intervals {
        let mut both = Vec::new();
        let (mut i, mut j) = (0, 0);
        while let (Some(&(a, b)), Some(&(c, d))) = (self.0.get(i), other.0.get(j)) {
            if a.max(c) <= b.min(d) {
                both.push((a.max(c), b.min(d)));
            }
            if b < d { i += 1 } else { j += 1 }
        }
        Intervals(both)
    }

    /// The members of either.
    pub(crate) fn union(&self, other: &Intervals) -> Intervals {
        Intervals::from_parts(self.0.iter().chain(&other.0).copied().collect())
    }

    /// All numbers of that many bits that are not members.
    pub fn complement(&self, width: u8) -> Intervals {
        let mut outside = Vec::new();
        let mut next = Some(0u128);
        for &(low, high) in &self.0 {
            if let Some(start) = next
                && start < low
            {
                outside.push((start, low - 1));
            }
            next = high.checked_add(1);
        }
        if let Some(start) = next
            && start <= mask(width)
        {
            outside.push((start, mask(width)));
        }
        Intervals(outside)
    }

    /// All members plus `by`, modulo 2 to the width.
    pub fn shifted(&self, by: u128, width: u8) -> Intervals {
        let mask = mask(width);
        let mut parts = Vec::new();
        for &(low, high) in &self.0 {
            let (low, high) = (low.wrapping_add(by) & mask, high.wrapping_add(by) & mask);
            if low <= high {
                parts.push((low, high));
            } else {
                parts.extend([(low, mask), (0, high)]);
            }
        }
        Intervals::from_parts(parts)
    }

    /// The bitwise complements of all members.
    pub(crate) fn reflected(&self, width: u8) -> Intervals {
        let mask = mask(width);
        Intervals(self.0.iter().rev().map(|&(low, high)| (mask - high, mask - low)).collect())
    }

    /// All `x` up to `limit` with `x / by` a member; `limit / by` must be at least every member.
    pub(crate) fn multiplied(&self, by: u128, limit: u128) -> Intervals {
        let last = |high: u128| high.checked_mul(by).and_then(|x| x.checked_add(by - 1)).unwrap_or(limit).min(limit);
        Intervals(self.0.iter().map(|&(low, high)| (low * by, last(high))).collect())
    }

    /// All `x` such that `x` followed by the low bits `rest` is a member.
    pub(crate) fn divided(&self, bits: u8, rest: u128) -> Intervals {
        let mut parts = Vec::new();
        for &(low, high) in &self.0 {
            let first = (low >> bits) + u128::from(low & mask(bits) > rest);
            let end = (high >> bits) + u128::from(high & mask(bits) >= rest);
            if first < end {
                parts.push((first, end - 1));
            }
        }
        Intervals::from_parts(parts)
    }

    pub(crate) fn without_last(mut self) -> Intervals {
        match self.0.last_mut() {
            Some((low, high)) if *low < *high => *high -= 1,
            _ => drop(self.0.pop()),
        }
        self
    }

    /// The numbers in any of these closed intervals.
    pub fn from_parts(mut parts: Vec<(u128, u128)>) -> Intervals {
        parts.sort_unstable();
        let mut joined: Vec<(u128, u128)> = Vec::with_capacity(parts.len());
        for (low, high) in parts {
            match joined.last_mut() {
                Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
                _ => joined.push((low, high)),
            }
        }
        Intervals(joined)
    }
}

pub(crate) fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - width)
}

pub(crate) fn sign_bit(width: u8) -> u128 {
    1 << (width - 1)
}
