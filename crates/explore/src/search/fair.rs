//! Makes any strategy fair: the oldest pending flip gets every n-th turn.
//!
//! A strategy that prefers some flips may find more of these for ever, in an infinite loop for example, and never try
//! the others. With this, the k-th oldest flip is tried after at most `k * n` others.

use std::collections::BTreeSet;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// A strategy and the flips that are pending.
pub(super) struct Fair {
    inner: Box<dyn Searcher>,
    pending: BTreeSet<FlipId>,
    turn: u32,
    /// One turn in this many goes to the oldest flip.
    turns: u32,
}

impl Fair {
    pub(super) fn new(inner: Box<dyn Searcher>, turns: u32) -> Fair {
        Fair { inner, pending: BTreeSet::new(), turn: 0, turns }
    }
}

impl Searcher for Fair {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.pending.insert(id);
        self.inner.add(id, info);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.turn = (self.turn + 1) % self.turns;
        if self.turn == 0 {
            return self.pending.pop_first();
        }
        while let Some(id) = self.inner.next(view) {
            if self.pending.remove(&id) {
                return Some(id);
            }
        }
        self.pending.pop_first()
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        if let Some(id) = id {
            self.pending.remove(&id);
        }
        self.inner.tried(id, result);
    }
}
