//! Which input bytes an expression depends on: interned sets of byte numbers.
//!
//! A set is stored as its maximal ranges, because code that iterates over its input makes many large but contiguous
//! sets. The list of members is computed on demand.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

/// A set of input bytes of one [`Pool`](crate::Pool). Equal sets are equal handles.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Support(u32);

impl Support {
    /// The empty set.
    pub const EMPTY: Support = Support(0);

    /// The number of the set; 0 for the empty set.
    #[inline]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Byte numbers from the first to before the second.
type Range = (u32, u32);

#[derive(Debug)]
struct Set {
    ranges: Box<[Range]>,
    /// Bit `i % 64` is set for each member `i`: sets whose masks are disjoint are disjoint.
    mask: u64,
    members: OnceCell<Box<[u32]>>,
}

/// All sets of a pool.
#[derive(Debug)]
pub(crate) struct Supports {
    sets: Vec<Set>,
    ids: FxHashMap<Box<[Range]>, Support>,
    unions: FxHashMap<(Support, Support), Support>,
    bytes: usize,
}

impl Supports {
    pub(crate) fn new() -> Supports {
        let mut supports =
            Supports { sets: Vec::new(), ids: FxHashMap::default(), unions: FxHashMap::default(), bytes: 0 };
        supports.intern(Vec::new());
        supports
    }

    /// The set of `first .. end`.
    pub(crate) fn range(&mut self, first: u32, end: u32) -> Support {
        self.intern(vec![(first, end)])
    }

    pub(crate) fn members(&self, set: Support) -> &[u32] {
        let set = &self.sets[set.0 as usize];
        set.members.get_or_init(|| set.ranges.iter().flat_map(|&(first, end)| first..end).collect())
    }

    /// The only member of a set with one member.
    pub(crate) fn single(&self, set: Support) -> Option<u32> {
        match *self.sets[set.0 as usize].ranges {
            [(first, end)] if end - first == 1 => Some(first),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn union(&mut self, a: Support, b: Support) -> Support {
        if a == b || b == Support::EMPTY {
            return a;
        }
        if a == Support::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let merged = merge(&self.sets[a.0 as usize].ranges, &self.sets[b.0 as usize].ranges);
        let union = self.intern(merged);
        self.unions.insert(key, union);
        union
    }

    pub(crate) fn intersects(&self, a: Support, b: Support) -> bool {
        let (a, b) = (&self.sets[a.0 as usize], &self.sets[b.0 as usize]);
        if a.mask & b.mask == 0 {
            return false;
        }
        let (mut i, mut j) = (0, 0);
        while let (Some(x), Some(y)) = (a.ranges.get(i), b.ranges.get(j)) {
            if x.1 <= y.0 {
                i += 1;
            } else if y.1 <= x.0 {
                j += 1;
            } else {
                return true;
            }
        }
        false
    }

    /// The approximate memory use in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes + self.unions.capacity() * (size_of::<(Support, Support)>() + size_of::<Support>() + 1)
    }

    fn intern(&mut self, ranges: Vec<Range>) -> Support {
        if let Some(&known) = self.ids.get(ranges.as_slice()) {
            return known;
        }
        let ranges = ranges.into_boxed_slice();
        let mask = ranges.iter().fold(0, |mask, &range| mask | range_mask(range));
        let support = Support(u32::try_from(self.sets.len()).expect("sets need memory, so there are fewer than 2^32"));
        self.bytes += 2 * size_of_val(&*ranges) + size_of::<Set>() + size_of::<(Box<[Range]>, Support)>();
        self.sets.push(Set { ranges: ranges.clone(), mask, members: OnceCell::new() });
        self.ids.insert(ranges, support);
        support
    }
}

fn range_mask((first, end): Range) -> u64 {
    if end - first >= 64 { u64::MAX } else { ((1 << (end - first)) - 1u64).rotate_left(first % 64) }
}

/// The ranges of the union; adjacent ranges are merged.
fn merge(a: &[Range], b: &[Range]) -> Vec<Range> {
    let mut merged: Vec<Range> = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let take_a = j == b.len() || (i < a.len() && a[i].0 <= b[j].0);
        let next = if take_a { a[i] } else { b[j] };
        if take_a {
            i += 1
        } else {
            j += 1
        }
        match merged.last_mut() {
            Some(last) if next.0 <= last.1 => last.1 = last.1.max(next.1),
            _ => merged.push(next),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_ranges_are_merged() {
        let mut supports = Supports::new();
        let [a, b, c] = [(0, 2), (2, 4), (9, 10)].map(|(first, end)| supports.range(first, end));
        let ab = supports.union(a, b);
        assert_eq!(ab, supports.range(0, 4));
        let all = supports.union(ab, c);
        assert_eq!(supports.members(all), [0, 1, 2, 3, 9]);
        assert_eq!(supports.union(c, ab), all);
        assert_eq!(supports.union(all, Support::EMPTY), all);
        assert_eq!(supports.single(c), Some(9));
        assert_eq!(supports.single(all), None);
    }

    #[test]
    fn intersection_is_exact() {
        let mut supports = Supports::new();
        let low = supports.range(0, 1);
        let aliased = supports.range(64, 65);
        assert!(!supports.intersects(low, aliased), "same mask, other bytes");
        assert!(!supports.intersects(low, Support::EMPTY));
        let both = supports.union(low, aliased);
        let between = supports.range(1, 64);
        assert!(!supports.intersects(both, between));
        let wide = supports.range(60, 200);
        assert!(supports.intersects(both, wide));
    }
}
