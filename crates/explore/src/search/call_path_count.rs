//! Call-path instruction count, "cpicnt" (KLEE): the fewer instructions were executed on a call stack, the likelier the flips found on it. The same function is so treated apart for
//! each way in which it is called.
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
    /// The path under way, and how many of its instructions are counted.
    counted: (u64, u64),
}

impl Measure for CallPathCount {
    type Key = StackId;

    const DEPENDS_ON_COVERAGE: bool = false;

    fn key(&mut self, about: &FlipInfo) -> StackId {
        let before = if self.counted.0 == about.path { self.counted.1.min(about.instructions) } else { 0 };
        // Of another path it is not known what was executed before its first flip.
        let new = if before == 0 { 1 } else { about.instructions - before };
        self.counted = (about.path, about.instructions);
        *self.counts.entry(about.stack).or_default() += new;
        about.stack
    }

    fn weight(&self, stack: StackId, _: &mut View<'_>) -> u64 {
        UNIT / self.counts.get(&stack).copied().unwrap_or(1).max(1)
    }
}
