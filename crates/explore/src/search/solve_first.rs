//! Solve first (OSMOSE): when a strategy chooses a flip of a path, all flips of that path are tried at once, those with
//! the fewest decisions before them first, before the strategy chooses again.
//!
//! So distant parts of the program are covered early, and pruners that ask what is still uncovered can drop more.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{FlipId, FlipResult, Searcher};
use crate::flip::FlipInfo;
use crate::view::View;

/// A strategy, and the flips of each path.
pub struct SolveFirst {
    inner: Box<dyn Searcher>,
    /// The path on which each pending flip was found.
    path_of: FxHashMap<FlipId, u64>,
    /// The flips of each path in the order in which they were found, which is by depth. Some may have been tried.
    paths: FxHashMap<u64, VecDeque<FlipId>>,
    /// The remaining flips of the path whose turn it is.
    current: VecDeque<FlipId>,
}

impl SolveFirst {
    /// Tries all flips of a path at once, the paths in the order of another strategy.
    pub fn new(inner: Box<dyn Searcher>) -> SolveFirst {
        SolveFirst { inner, path_of: FxHashMap::default(), paths: FxHashMap::default(), current: VecDeque::new() }
    }
}

impl Searcher for SolveFirst {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.path_of.insert(id, info.path);
        self.paths.entry(info.path).or_default().push_back(id);
        self.inner.add(id, info);
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        loop {
            if let Some(id) = self.current.pop_front() {
                if self.path_of.remove(&id).is_some() {
                    return Some(id);
                }
                continue;
            }
            let chosen = self.inner.next(view)?;
            if let Some(path) = self.path_of.get(&chosen) {
                self.current = self.paths.remove(path).unwrap_or_default();
            }
        }
    }

    fn spent(&mut self, work: u64) {
        self.inner.spent(work);
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        if let Some(id) = id {
            self.path_of.remove(&id);
        }
        self.inner.tried(id, result);
    }

    fn makes_inputs(&self) -> bool {
        self.inner.makes_inputs()
    }

    fn fresh_input(&mut self, len: u32) -> Option<Vec<u8>> {
        if self.current.is_empty() { self.inner.fresh_input(len) } else { None }
    }
}
