//! Instruction count, "icnt" (KLEE): the less often an instruction was executed, the likelier the flips there, by the square of the count. So the tests of a loop that
//! makes thousands of flips do not crowd out a branch that was seen once.
//!
//! Only executions at which the input could decide are counted, which are those that leave a flip.

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

    fn key(&mut self, about: &FlipInfo) -> (FuncId, u32) {
        let instruction = (about.function, about.pc);
        *self.counts.entry(instruction).or_default() += 1;
        instruction
    }

    fn weight(&self, instruction: (FuncId, u32), _: &mut View<'_>) -> u64 {
        let count = self.counts.get(&instruction).copied().unwrap_or(1).min(1 << 16);
        UNIT / (count * count)
    }
}
