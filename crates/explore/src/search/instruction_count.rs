//! Instruction count, "icnt" (KLEE): the less often an instruction was executed, the likelier are the flips there, by
//! the inverse square of the count. So a loop with thousands of flips does not crowd out a branch that was seen once.
//!
//! Only executions that leave a flip are counted, which are those at which the input could decide.

use rustc_hash::FxHashMap;

use super::weighted::{Measure, UNIT};
use crate::flip::FlipInfo;
use crate::view::View;
use secateur_program::FuncId;

/// How often each instruction left a flip.
#[derive(Default)]
pub(super) struct InstructionCount {
    counts: FxHashMap<(FuncId, u32), u64>,
}

impl Measure for InstructionCount {
    type Key = (FuncId, u32);

    const DEPENDS_ON_COVERAGE: bool = false;

    fn key(&mut self, info: &FlipInfo) -> (FuncId, u32) {
        let instruction = (info.function, info.pc);
        *self.counts.entry(instruction).or_default() += 1;
        instruction
    }

    fn weight(&self, instruction: (FuncId, u32), _: &mut View<'_>) -> u64 {
        // Beyond that count, each weight is the least that there is.
        let count = self.counts.get(&instruction).copied().unwrap_or(1).min(1 << 16);
        UNIT / (count * count)
    }
}
