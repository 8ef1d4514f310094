//! Several strategies in turn (KLEE): each flip is chosen by the next of them, so that they make up for each other's
//! weaknesses.

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;
use rustc_hash::FxHashSet;

/// The strategies, which all know all flips, and whose turn it is.
pub(super) struct Interleaved {
    searchers: Vec<Box<dyn Searcher>>,
    pending: FxHashSet<FlipId>,
    turn: usize,
}

impl Interleaved {
    pub(super) fn new(searchers: Vec<Box<dyn Searcher>>) -> Interleaved {
        Interleaved { searchers, pending: FxHashSet::default(), turn: 0 }
    }
}

impl Searcher for Interleaved {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.pending.insert(id);
        for searcher in &mut self.searchers {
            searcher.add(id, info);
        }
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        for _ in 0..self.searchers.len() {
            let turn = self.turn;
            self.turn = (turn + 1) % self.searchers.len();
            while let Some(id) = self.searchers[turn].next(view) {
                if self.pending.remove(&id) {
                    return Some(id);
                }
            }
        }
        None
    }

    fn spent(&mut self, work: u64) {
        self.searchers.iter_mut().for_each(|searcher| searcher.spent(work));
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        if let Some(id) = id {
            self.pending.remove(&id);
        }
        for searcher in &mut self.searchers {
            searcher.tried(id, result);
        }
    }

    fn makes_inputs(&self) -> bool {
        self.searchers.iter().any(|searcher| searcher.makes_inputs())
    }

    fn fresh_input(&mut self, len: u32) -> Option<Vec<u8>> {
        self.searchers[self.turn].fresh_input(len)
    }
}
