//! Chains: a text is compared with a word letter by letter, so a flip that makes one letter match leads to a flip at
//! the same place that makes the next one match. Nothing new is covered before the last, and no strategy would choose
//! all of them. So a chain is followed to its end at once: when the path of a flip finds a flip at the same point that
//! goes the same way, that one is next.
//!
//! Every loop over the input makes chains, most of which lead nowhere new. So each point has a few attempts, and as
//! many again whenever a chain of it covered something new.

use rustc_hash::FxHashMap;

use super::FlipId;
use crate::flip::{FlipInfo, FlipPoint};

/// The chain that is being followed, and the points that have had chains.
pub(super) struct Chains {
    /// The flip that is being tried.
    trying: Option<Trying>,
    /// How many chains of each point were in vain since one was not.
    vain: FxHashMap<FlipPoint, u32>,
    longest: u32,
    attempts: u32,
}

struct Trying {
    id: FlipId,
    point: FlipPoint,
    depth: u32,
    /// How many flips of the chain were tried before.
    length: u32,
    /// The next flip of the chain.
    next: Option<(FlipId, u32)>,
}

impl Chains {
    /// A chain has at most `longest` flips, and each point `attempts` chains that cover nothing new.
    pub(super) fn new(longest: u32, attempts: u32) -> Chains {
        Chains { trying: None, vain: FxHashMap::default(), longest, attempts }
    }

    /// A flip is tried next; `follows` if it is the next one of the chain.
    pub(super) fn choose(&mut self, id: FlipId, point: FlipPoint, depth: u32, follows: bool) {
        let length = match &self.trying {
            Some(before) if follows => before.length + 1,
            _ => 0,
        };
        self.trying = Some(Trying { id, point, depth, length, next: None });
    }

    /// A flip was found.
    pub(super) fn found(&mut self, id: FlipId, info: &FlipInfo) {
        if let Some(trying) = &mut self.trying
            && trying.next.is_none()
            && info.depth > trying.depth
            && info.point() == trying.point
        {
            trying.next = Some((id, info.depth));
        }
    }

    /// A flip was tried. Returns the next one of its chain, with its depth, if that is to be tried next.
    pub(super) fn tried(&mut self, id: FlipId, newly_covered: u64) -> Option<(FlipId, FlipPoint, u32)> {
        let trying = self.trying.as_ref().filter(|trying| trying.id == id)?;
        let point = trying.point;
        if newly_covered > 0 && trying.length > 0 {
            self.vain.remove(&point);
        }
        let (next, depth) = match trying.next {
            Some(next) if trying.length < self.longest => next,
            _ => {
                self.trying = None;
                return None;
            }
        };
        if trying.length == 0 {
            let vain = self.vain.entry(point).or_default();
            if *vain >= self.attempts {
                self.trying = None;
                return None;
            }
            *vain += 1;
        }
        Some((next, point, depth))
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
        let point = flip(7, 0).point();
        let mut length = 0;
        chains.choose(FlipId(0), point, 0, false);
        loop {
            chains.found(FlipId(100), &flip(8, length + 1));
            chains.found(FlipId(u64::from(length) + 1), &flip(7, length + 1));
            let newly_covered = u64::from(length == covers_at);
            match chains.tried(FlipId(length.into()), newly_covered) {
                Some((next, point, depth)) => {
                    length += 1;
                    assert_eq!((next, depth), (FlipId(length.into()), length));
                    chains.choose(next, point, depth, true);
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
}
