//! Lowers one function: gives its values slots, its blocks code, and its edges moves.

use super::Lowering;
use super::shape::{Lowered, Shape, Unsupported};
use crate::code::*;
use crate::llvm::{Block as LlvmBlock, Type, Value};
use crate::names::LocalName;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The code of one function under construction.
pub(crate) struct Builder<'u, 'm> {
    pub(super) unit: &'u mut Lowering<'m>,
    pub(super) function: Value<'m>,
    pub(super) id: FuncId,
    pub(super) body: Body,
    /// The code of each block; joined at the end.
    code: Vec<Vec<(Inst, LocId)>>,
    current: usize,
    loc: LocId,
    values: FxHashMap<Value<'m>, Operand>,
    constants: FxHashMap<Vec<u64>, u32>,
    /// Allocas that live in slots.
    pub(super) locals: FxHashMap<Value<'m>, Slot>,
    /// Loads of such that can read the slot of the local itself.
    pub(super) forwarded: FxHashSet<Value<'m>>,
    /// Names of allocas, from the debug information.
    pub(super) names: FxHashMap<Value<'m>, String>,
    /// Values that are described as variables of the user's, with names and types.
    pub(super) variables: Vec<(Value<'m>, LocalName)>,
    /// Where each edge starts and ends, in terms of LLVM.
    ends: Vec<(LlvmBlock<'m>, LlvmBlock<'m>)>,
}

impl<'u, 'm> Builder<'u, 'm> {
    /// Lowers a function that has a body; also returns its conditional branches, in the order of its code.
    pub(super) fn lower(unit: &'u mut Lowering<'m>, function: Value<'m>, id: FuncId) -> (Body, Vec<Branch>) {
        let blocks = function.blocks();
        let loc = unit.functions[id.index()].loc;
        let mut builder = Builder {
            unit,
            function,
            id,
            body: Body::default(),
            code: vec![Vec::new(); blocks.len()],
            current: 0,
            loc,
            values: FxHashMap::default(),
            constants: FxHashMap::default(),
            locals: FxHashMap::default(),
            forwarded: FxHashSet::default(),
            names: FxHashMap::default(),
            variables: Vec::new(),
            ends: Vec::new(),
        };
        let signature = builder.params();
        builder.find_locals(&blocks);
        for index in block_order(&blocks) {
            builder.current = index;
            builder.loc = loc;
            if let Err(what) = &signature
                && index == 0
            {
                builder.unsupported(what.clone());
            }
            builder.block(blocks[index]);
        }
        builder.finish(&blocks)
    }

    /// Gives the parameters the first slots.
    fn params(&mut self) -> Lowered<()> {
        let result = self.function.value_type().result();
        let mut outcome = self.shape(result).map(|_| ());
        for param in self.function.params() {
            match self.shape(param.ty()) {
                Ok(shape) => {
                    let slot = self.fresh(shape.len());
                    self.values.insert(param, Operand::slot(slot));
                }
                Err(what) => outcome = Err(what),
            }
        }
        outcome
    }

    /// Paths end at what is unsupported. What would follow it is lowered nevertheless: whoever asks where a path may
    /// lead must not take it for code that nothing leads to.
    fn block(&mut self, block: LlvmBlock<'m>) {
        let terminator = block.terminator();
        for instruction in block.instructions() {
            if let Some(loc) = self.unit.locations.instruction(instruction) {
                self.loc = loc;
            }
            if let Err(what) = self.instruction(instruction) {
                self.unsupported(what);
                // Its result may be named later.
                let _ = self.operand(instruction);
                if terminator == Some(instruction) {
                    self.jump_somewhere(instruction);
                }
            }
        }
    }

    /// An instruction that names what is unsupported.
    fn unsupported(&mut self, what: Unsupported) {
        let info = InfoId(self.body.unsupported.len() as u32);
        self.body.unsupported.push(what.0);
        self.emit(Inst::Unsupported { info });
    }

    pub(super) fn shape(&mut self, ty: Type<'m>) -> Lowered<Rc<Shape>> {
        self.unit.shapes.shape(ty)
    }

    pub(super) fn emit(&mut self, inst: Inst) {
        self.code[self.current].push((inst, self.loc));
    }

    /// The last instruction of the block so far.
    pub(super) fn last(&mut self) -> Option<&mut Inst> {
        self.code[self.current].last_mut().map(|(inst, _)| inst)
    }

    /// New slots in a row.
    pub(super) fn fresh(&mut self, count: u32) -> Slot {
        let slot = Slot(self.body.slots);
        self.body.slots += count;
        slot
    }

    /// Frees a slot; only the newest can be reused.
    pub(super) fn give_back(&mut self, slot: Slot) {
        if slot.0 + 1 == self.body.slots {
            self.body.slots -= 1;
        }
    }

    /// The first unused slot.
    pub(super) fn next_slot(&self) -> Slot {
        Slot(self.body.slots)
    }

    /// The operand of constants in a row.
    pub(super) fn constants(&mut self, slots: &[u64]) -> Operand {
        if let Some(&index) = self.constants.get(slots) {
            return Operand::constant(index);
        }
        let index = self.body.consts.len() as u32;
        self.body.consts.extend_from_slice(slots);
        self.constants.insert(slots.to_vec(), index);
        Operand::constant(index)
    }

    pub(super) fn constant(&mut self, value: u64) -> Operand {
        self.constants(&[value])
    }

    /// The value of a constant operand.
    pub(super) fn known(&self, operand: Operand) -> Option<u64> {
        match operand.kind() {
            OperandKind::Const(index) => self.body.consts.get(index as usize).copied(),
            OperandKind::Slot(_) => None,
        }
    }

    /// Where a value is read.
    pub(super) fn operand(&mut self, value: Value<'m>) -> Lowered<Operand> {
        if let Some(&operand) = self.values.get(&value) {
            return Ok(operand);
        }
        if value.is_constant() {
            let slots = self.unit.constant(value)?;
            let operand = self.constants(&slots);
            self.values.insert(value, operand);
            return Ok(operand);
        }
        // A phi, or (in code that cannot be reached) an instruction whose turn has not come yet.
        let shape = self.shape(value.ty())?;
        let operand = Operand::slot(self.fresh(shape.len()));
        self.values.insert(value, operand);
        Ok(operand)
    }

    /// Where the result of an instruction goes.
    pub(super) fn result(&mut self, instruction: Value<'m>) -> Lowered<Slot> {
        match self.operand(instruction)?.kind() {
            OperandKind::Slot(slot) => Ok(slot),
            OperandKind::Const(_) => Err(Unsupported::new("result in a constant")),
        }
    }

    /// Records that the result of an instruction is what `operand` reads.
    ///
    /// This needs no move: an operand is a constant or the slots of another value, which keep their content for as long
    /// as the result can be used, since whatever could change them comes before the instruction on every path to a use.
    pub(super) fn bind(&mut self, instruction: Value<'m>, operand: Operand) -> Lowered<()> {
        match self.values.get(&instruction) {
            None => {
                self.values.insert(instruction, operand);
            }
            Some(&known) => {
                let shape = self.shape(instruction.ty())?;
                if let OperandKind::Slot(slot) = known.kind() {
                    self.move_slots(slot, operand, shape.len());
                }
            }
        }
        Ok(())
    }

    /// A jump from the block that is lowered.
    pub(super) fn edge(&mut self, from: LlvmBlock<'m>, to: LlvmBlock<'m>) -> EdgeId {
        let target = self.unit.block_index(self.function, to);
        let id = EdgeId(self.body.edges.len() as u32);
        self.body.edges.push(Edge { to: target, pc: 0, moves: Box::default(), sequential: true });
        self.ends.push((from, to));
        id
    }

    /// Joins the blocks, fills in the edges, and numbers the branches.
    /// The names of the user's variables, for which it is known by now where they are.
    fn record_variables(&mut self) {
        let mut found: Vec<LocalName> = Vec::new();
        let mut slots = FxHashSet::default();
        for (value, mut variable) in std::mem::take(&mut self.variables) {
            variable.slot = match (self.locals.get(&value), self.values.get(&value)) {
                (Some(slot), _) => Some(*slot),
                (None, _) if value.is_alloca() => None,
                (None, operand) => match operand.map(|operand| operand.kind()) {
                    Some(OperandKind::Slot(slot)) => Some(slot),
                    _ => continue,
                },
            };
            // A value may be described as several variables in turn.
            if variable.slot.is_none_or(|slot| slots.insert(slot)) {
                found.push(variable);
            }
        }
        if !found.is_empty() {
            let locals = &mut self.unit.locals;
            locals.resize(locals.len().max(self.id.index() + 1), Vec::new());
            locals[self.id.index()] = found;
        }
    }

    fn finish(mut self, blocks: &[LlvmBlock<'m>]) -> (Body, Vec<Branch>) {
        self.record_variables();
        // Each block's phis are read once, however many edges lead to it.
        let mut incoming: FxHashMap<LlvmBlock<'m>, Incoming<'m>> = FxHashMap::default();
        for index in 0..self.ends.len() {
            let (from, to) = self.ends[index];
            let incoming = incoming.entry(to).or_insert_with(|| phis_by_origin(to));
            let phis = incoming.get(&from).map_or(&[][..], Vec::as_slice);
            let (moves, sequential) = order_moves(self.phi_moves(phis));
            let edge = &mut self.body.edges[index];
            edge.moves = moves.into();
            edge.sequential = sequential;
        }
        let mut branches = Vec::new();
        for (index, block) in std::mem::take(&mut self.code).into_iter().enumerate() {
            let start = self.body.code.len() as u32;
            let terminator = blocks[index].terminator();
            for (mut inst, loc) in block {
                let id = BranchId((self.unit.branches.len() + branches.len()) as u32);
                let outcomes = match &mut inst {
                    Inst::Branch { branch, .. } => {
                        *branch = id;
                        Some(2)
                    }
                    Inst::Switch { info, .. } => {
                        let switch = &mut self.body.switches[info.index()];
                        switch.branch = id;
                        Some(switch.targets.len() as u32)
                    }
                    _ => None,
                };
                if let Some(outcomes) = outcomes {
                    let native = terminator.and_then(|terminator| terminator.number(self.unit.kinds.branch));
                    let block = BlockId(index as u32);
                    let by_address = terminator.is_some_and(orders_addresses);
                    branches.push(Branch { function: self.id, block, loc, outcomes, native, by_address });
                    let origin = self.unit.origin(terminator);
                    self.unit.origins.push(origin);
                }
                self.body.code.push(inst);
                self.body.locs.push(loc);
            }
            let successors = self.body.successors_of(self.body.code.last());
            let native = terminator.and_then(|terminator| terminator.number(self.unit.kinds.block));
            self.body.blocks.push(Block { start, end: self.body.code.len() as u32, successors, native });
        }
        for edge in &mut self.body.edges {
            edge.pc = self.body.blocks[edge.to.index()].start;
        }
        (self.body, branches)
    }

    /// The moves of an edge for phis with these values.
    fn phi_moves(&mut self, phis: &[(Value<'m>, Value<'m>)]) -> Vec<(Slot, Operand)> {
        let mut moves = Vec::new();
        for &(phi, value) in phis {
            // A value that cannot be represented ends the path in the block of the phi.
            let (Ok(shape), Ok(dst)) = (self.shape(phi.ty()), self.result(phi)) else { continue };
            if value.is_undefined() {
                continue;
            }
            let Ok(src) = self.operand(value) else { continue };
            for slot in 0..shape.len() {
                let (dst, src) = (Slot(dst.0 + slot), src.offset(slot));
                if src != Operand::slot(dst) {
                    moves.push((dst, src));
                }
            }
        }
        moves
    }
}

/// The phis of a block and their values, by the block that control comes from.
type Incoming<'m> = FxHashMap<LlvmBlock<'m>, Vec<(Value<'m>, Value<'m>)>>;

fn phis_by_origin<'m>(block: LlvmBlock<'m>) -> Incoming<'m> {
    let mut incoming = Incoming::default();
    for phi in block.phis() {
        for (value, from) in phi.incoming() {
            let phis = incoming.entry(from).or_default();
            // A switch may lead to a block in several ways, all with the same value.
            if phis.last().is_none_or(|(last, _)| *last != phi) {
                phis.push((phi, value));
            }
        }
    }
    incoming
}

/// Orders parallel moves so that they can be done one after the other, if possible.
fn order_moves(mut moves: Vec<(Slot, Operand)>) -> (Vec<(Slot, Operand)>, bool) {
    let mut ordered = Vec::with_capacity(moves.len());
    loop {
        let read: FxHashSet<Operand> = moves.iter().map(|(_, src)| *src).collect();
        let before = ordered.len();
        moves.retain(|&(dst, src)| {
            let free = !read.contains(&Operand::slot(dst));
            if free {
                ordered.push((dst, src));
            }
            !free
        });
        if moves.is_empty() {
            return (ordered, true);
        }
        if ordered.len() == before {
            // Only cycles remain.
            ordered.append(&mut moves);
            return (ordered, false);
        }
    }
}

/// The blocks in reverse post-order, so that definitions come before uses; unreachable blocks come last.
fn block_order(blocks: &[LlvmBlock<'_>]) -> Vec<usize> {
    let indices: FxHashMap<_, _> = blocks.iter().enumerate().map(|(index, block)| (*block, index)).collect();
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| {
            let blocks = block.terminator().map(|terminator| terminator.successors()).unwrap_or_default();
            blocks.iter().filter_map(|block| indices.get(block).copied()).collect()
        })
        .collect();
    let mut seen = vec![false; blocks.len()];
    let mut post_order = Vec::with_capacity(blocks.len());
    let mut stack = Vec::new();
    if !blocks.is_empty() {
        seen[0] = true;
        stack.push((0, 0));
    }
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&successor) => {
                *next += 1;
                if !seen[successor] {
                    seen[successor] = true;
                    stack.push((successor, 0));
                }
            }
            None => {
                post_order.push(*block);
                stack.pop();
            }
        }
    }
    post_order.reverse();
    post_order.extend((0..blocks.len()).filter(|block| !seen[*block]));
    post_order
}

/// Whether a branch depends on which of two addresses is higher.
fn orders_addresses(terminator: Value<'_>) -> bool {
    // Conditions that are put together of many others are not followed to their end.
    const MOST_VALUES: usize = 16;
    if !terminator.is_branch() {
        return false;
    }
    let is_address = |value: Value<'_>| {
        value.ty().is_pointer() || value.is_instruction() && value.opcode() == Some(LLVMOpcode::LLVMPtrToInt)
    };
    let mut values: Vec<Value<'_>> = terminator.operands().take(1).collect();
    for _ in 0..MOST_VALUES {
        let Some(value) = values.pop() else { break };
        if !value.is_instruction() {
            continue;
        }
        match value.opcode() {
            Some(LLVMOpcode::LLVMICmp) => {
                let is_order =
                    !matches!(value.int_predicate(), LLVMIntPredicate::LLVMIntEQ | LLVMIntPredicate::LLVMIntNE);
                if is_order && value.operands().all(is_address) {
                    return true;
                }
            }
            Some(
                LLVMOpcode::LLVMAnd
                | LLVMOpcode::LLVMOr
                | LLVMOpcode::LLVMXor
                | LLVMOpcode::LLVMSelect
                | LLVMOpcode::LLVMFreeze,
            ) => values.extend(value.operands()),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(list: &[(u32, u32)]) -> Vec<(Slot, Operand)> {
        list.iter().map(|&(dst, src)| (Slot(dst), Operand::slot(Slot(src)))).collect()
    }

    #[test]
    fn a_chain_of_moves_is_put_in_order() {
        let (ordered, sequential) = order_moves(moves(&[(1, 0), (2, 1), (3, 2)]));
        assert!(sequential);
        assert_eq!(ordered, moves(&[(3, 2), (2, 1), (1, 0)]));
    }

    #[test]
    fn a_swap_stays_parallel() {
        let (ordered, sequential) = order_moves(moves(&[(1, 2), (2, 1), (3, 1)]));
        assert!(!sequential);
        assert_eq!(ordered, moves(&[(3, 1), (1, 2), (2, 1)]));
    }
}
