//! Makes any strategy fair: now and then the oldest pending flip has its turn.
//!
//! A strategy that prefers some flips may find more of these for ever, in a loop without end for example, and never come to the others. With this, the flip
//! that is number n by age is tried after at most `n * TURN` others.

use std::collections::BTreeSet;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// Every flip of this number is the oldest one.
const TURN: u32 = 16;

/// A strategy and the flips that are pending.
pub(super) struct Fair<S> {
    inner: S,
    pending: BTreeSet<FlipId>,
    turn: u32,
}

impl<S: Searcher> Fair<S> {
    pub(super) fn new(inner: S) -> Fair<S> {
        Fair { inner, pending: BTreeSet::new(), turn: 0 }
    }
}

impl<S: Searcher> Searcher for Fair<S> {
    fn add(&mut self, id: FlipId, about: &FlipInfo) {
        self.pending.insert(id);
        self.inner.add(id, about);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.turn = (self.turn + 1) % TURN;
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
