//! Lowers what ends a block.

use super::function::Builder;
use super::inst::int_width;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;
use rustc_hash::{FxHashMap, FxHashSet};

impl<'m> Builder<'_, 'm> {
    pub(super) fn branch(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = inst.parent();
        let targets = inst.successors();
        if inst.is_conditional() {
            let cond = self.operand(inst.operand(0))?;
            let then_edge = self.edge(from, targets[0]);
            let else_edge = self.edge(from, targets[1]);
            // The branch gets its number when the blocks are joined.
            self.emit(Inst::Branch { cond, then_edge, else_edge, branch: BranchId(0) });
        } else {
            let edge = self.edge(from, targets[0]);
            self.emit(Inst::Jump { edge });
        }
        Ok(())
    }

    pub(super) fn switch(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = inst.parent();
        let mut width = int_width(inst.operand(0).ty())?;
        let mut value = self.operand(inst.operand(0))?;
        let mut known = FxHashMap::default();
        let mut targets = Vec::new();
        let mut target_of = |this: &mut Self, block| {
            *known.entry(block).or_insert_with(|| {
                targets.push(this.edge(from, block));
                targets.len() as u32 - 1
            })
        };
        let default = inst.successors().first().copied().ok_or_else(|| Unsupported::new("malformed switch"))?;
        target_of(self, default);
        let mut cases = Vec::new();
        for (case, block) in inst.switch_cases() {
            let bits = case.int_bits().ok_or_else(|| Unsupported::new("malformed switch"))?;
            cases.push((bits, target_of(self, block)));
        }
        if width > 64 {
            // Wide values are compared one by one, and the switch is on the target.
            let mut index = self.constant(0);
            for (bits, target) in &mut cases {
                let case = self.int(width, *bits);
                let equal = self.cmp(CmpOp::Eq, width, value, case);
                let taken = self.constant(u64::from(*target));
                index = self.select(64, equal, taken, index);
                *bits = u128::from(*target);
            }
            value = index;
            width = 64;
        }
        let mut cases: Vec<(u64, u32)> = cases.into_iter().map(|(bits, target)| (bits as u64, target)).collect();
        cases.sort_unstable();
        cases.dedup();
        let info = InfoId(self.body.switches.len() as u32);
        self.body.switches.push(Switch {
            width: width as u8,
            cases: cases.into(),
            targets: targets.into(),
            branch: BranchId(0),
        });
        self.emit(Inst::Switch { value, info });
        Ok(())
    }

    pub(super) fn computed_goto(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = inst.parent();
        let addr = self.operand(inst.operand(0))?;
        let mut seen = FxHashSet::default();
        let mut targets = Vec::new();
        for block in inst.successors() {
            if seen.insert(block) {
                let index = self.unit.block_index(self.function, block);
                targets.push((block_address(self.id, index), self.edge(from, block)));
            }
        }
        let info = InfoId(self.body.gotos.len() as u32);
        self.body.gotos.push(targets.into());
        self.emit(Inst::IndirectJump { addr, info });
        Ok(())
    }

    /// Ends a block with what may follow a terminator that is not supported.
    pub(super) fn jump_somewhere(&mut self, inst: Value<'m>) {
        let from = inst.parent();
        let mut seen = FxHashSet::default();
        let mut targets = Vec::new();
        for block in inst.successors() {
            if seen.insert(block) {
                let index = self.unit.block_index(self.function, block);
                targets.push((block_address(self.id, index), self.edge(from, block)));
            }
        }
        if inst.is_return() {
            let info = InfoId(self.body.returns.len() as u32);
            self.body.returns.push(None);
            self.emit(Inst::Return { info });
        } else if !targets.is_empty() {
            let addr = self.constant(0);
            let info = InfoId(self.body.gotos.len() as u32);
            self.body.gotos.push(targets.into());
            self.emit(Inst::IndirectJump { addr, info });
        }
    }

    pub(super) fn return_inst(&mut self, inst: Value<'m>) -> Lowered<()> {
        let value = match inst.operand_count() {
            0 => None,
            _ => {
                let slots = self.shape(inst.operand(0).ty())?.slots.clone();
                let signed = self.function.result_is_signed();
                Some(Argument { value: self.operand(inst.operand(0))?, slots, by_value: None, signed })
            }
        };
        let info = InfoId(self.body.returns.len() as u32);
        self.body.returns.push(value);
        self.emit(Inst::Return { info });
        Ok(())
    }
}
