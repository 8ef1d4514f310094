//! Chains: a text is compared with a word letter by letter, so a flip that makes one letter match leads to a flip at
//! the same place that makes the next one match. Nothing new is covered before the last, and no strategy would choose
//! all of them. So when the path of a flip finds a flip at the same point that goes the same way, that one is next, and
//! so on to the end of the chain.
//!
//! Every loop over the input makes chains, most of which lead nowhere new. So each point has a few attempts, and as
//! many again whenever a chain of it covered something new. Where paths are expensive, chains wait for their part of
//! the work.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::FlipId;
use crate::flip::{FlipInfo, FlipPoint};

/// The chain that is being followed, those that may be, and the points that have had chains.
pub(super) struct Chains {
    /// The flip that is being tried.
    trying: Option<Trying>,
    /// The next flip of the chain that is being followed.
    current: Option<Link>,
    /// The second flips of chains that nobody has followed yet, the oldest first.
    starts: VecDeque<Link>,
    /// How many chains of each point were in vain since one was not.
    vain: FxHashMap<FlipPoint, u32>,
    longest: u32,
    attempts: u32,
}

/// A flip of a chain.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub id: FlipId,
    point: FlipPoint,
    depth: u32,
    /// How many flips of the chain come before it.
    length: u32,
}

struct Trying {
    link: Link,
    /// The next flip of the chain.
    next: Option<Link>,
}

impl Chains {
    /// A chain has at most `longest` flips, and each point `attempts` chains that cover nothing new.
    pub(super) fn new(longest: u32, attempts: u32) -> Chains {
        let (vain, starts) = (FxHashMap::default(), VecDeque::new());
        Chains { trying: None, current: None, starts, vain, longest, attempts }
    }

    /// A flip is tried next that is no part of the chain.
    pub(super) fn choose(&mut self, id: FlipId, point: FlipPoint, depth: u32) {
        self.trying = Some(Trying { link: Link { id, point, depth, length: 0 }, next: None });
    }

    /// The next flip of the chain, or the second one of another chain; it may no longer be pending.
    pub(super) fn next(&mut self) -> Option<Link> {
        if let Some(link) = self.current.take() {
            return Some(link);
        }
        while let Some(link) = self.starts.pop_front() {
            let vain = self.vain.entry(link.point).or_default();
            if *vain < self.attempts {
                *vain += 1;
                return Some(link);
            }
        }
        None
    }

    /// A flip of a chain is tried next.
    pub(super) fn follow(&mut self, link: Link) {
        self.trying = Some(Trying { link, next: None });
    }

    /// A flip was found.
    pub(super) fn found(&mut self, id: FlipId, info: &FlipInfo) {
        if let Some(Trying { link, next: next @ None }) = &mut self.trying
            && info.depth > link.depth
            && info.point() == link.point
            && link.length < self.longest
        {
            *next = Some(Link { id, point: link.point, depth: info.depth, length: link.length + 1 });
        }
    }

    /// A flip was tried.
    pub(super) fn tried(&mut self, id: FlipId, newly_covered: u64) {
        let Some(Trying { link, next }) = self.trying.take_if(|trying| trying.link.id == id) else { return };
        if newly_covered > 0 && link.length > 0 {
            self.vain.remove(&link.point);
        }
        let Some(next) = next else { return };
        if link.length > 0 {
            self.current = Some(next);
        } else if self.vain.get(&link.point).is_none_or(|vain| *vain < self.attempts) {
            self.starts.push_back(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flip(pc: u32, depth: u32) -> FlipInfo {
        FlipInfo { pc, depth, ..FlipInfo::unknown() }
    }

    /// Tries a flip whose path finds another at the same point, again and again; returns how many follow each other.
    fn follow(chains: &mut Chains, covers_at: u32) -> u32 {
        let mut length = 0;
        chains.choose(FlipId(0), flip(7, 0).point(), 0);
        loop {
            chains.found(FlipId(100), &flip(8, length + 1));
            chains.found(FlipId(u64::from(length) + 1), &flip(7, length + 1));
            chains.tried(FlipId(length.into()), u64::from(length == covers_at));
            match chains.next() {
                Some(link) => {
                    length += 1;
                    assert_eq!((link.id, link.depth), (FlipId(length.into()), length));
                    chains.follow(link);
                }
                None => return length,
            }
        }
    }

    #[test]
    fn a_chain_is_followed_up_to_a_length() {
        assert_eq!(follow(&mut Chains::new(12, 2), u32::MAX), 12);
    }

    #[test]
    fn a_point_whose_chains_lead_nowhere_is_given_up() {
        let mut chains = Chains::new(12, 2);
        let lengths: Vec<u32> = (0..4).map(|_| follow(&mut chains, u32::MAX)).collect();
        assert_eq!(lengths, [12, 12, 0, 0]);
        let mut chains = Chains::new(12, 2);
        let lengths: Vec<u32> = (0..4).map(|_| follow(&mut chains, 5)).collect();
        assert_eq!(lengths, [12, 12, 12, 12]);
    }

    #[test]
    fn a_chain_goes_on_after_others_were_tried() {
        let mut chains = Chains::new(12, 2);
        chains.choose(FlipId(0), flip(7, 0).point(), 0);
        chains.found(FlipId(1), &flip(7, 1));
        chains.tried(FlipId(0), 0);
        chains.choose(FlipId(50), flip(9, 3).point(), 3);
        chains.found(FlipId(51), &flip(9, 4));
        chains.tried(FlipId(50), 0);
        let link = chains.next().expect("the first chain");
        assert_eq!(link.id, FlipId(1));
        chains.follow(link);
        chains.found(FlipId(2), &flip(7, 2));
        chains.tried(FlipId(1), 0);
        assert_eq!([chains.next(), chains.next()].map(|link| link.map(|link| link.id.0)), [Some(2), Some(51)]);
    }
}
