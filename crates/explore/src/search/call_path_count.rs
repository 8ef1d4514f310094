//! Call-path instruction count, "cpicnt" (KLEE): the fewer instructions were executed on a call stack, the likelier are
//! the flips found on it. So a function counts separately for each way in which it is called.
//!
//! The instructions between two flips of a path are counted for the stack of the second.

use rustc_hash::FxHashMap;
use secateur_graph::StackId;

use super::weighted::{Measure, UNIT};
use crate::flip::FlipInfo;
use crate::view::View;

/// How many instructions were executed on each stack.
#[derive(Default)]
pub(super) struct CallPathCount {
    counts: FxHashMap<StackId, u64>,
    /// The running path, and how many of its instructions are counted.
    counted: (u64, u64),
}

impl Measure for CallPathCount {
    type Key = StackId;

    const DEPENDS_ON_COVERAGE: bool = false;

    fn key(&mut self, info: &FlipInfo) -> StackId {
        let before = if self.counted.0 == info.path { self.counted.1.min(info.instructions) } else { 0 };
        // What another path executed before its first flip is unknown.
        let new = if before == 0 { 1 } else { info.instructions - before };
        self.counted = (info.path, info.instructions);
        *self.counts.entry(info.stack).or_default() += new;
        info.stack
    }

    fn weight(&self, stack: StackId, _: &mut View<'_>) -> u64 {
        UNIT / self.counts.get(&stack).copied().unwrap_or(1).max(1)
    }
}
