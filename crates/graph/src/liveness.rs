//! Liveness: a slot is live before an instruction if its value may be read before it is overwritten.

use std::ops::Deref;

use secateur_program::{Block, BlockId, Body, Callee, Edge, Inst, Operand, OperandKind, Slot};

/// The live slots of a function, whose body it borrows or otherwise refers to.
///
/// ```
/// use secateur_graph::Liveness;
/// use secateur_program::{Block, Body, Inst, Operand, Slot};
///
/// // %1 = %0; %0 = %1
/// let code = vec![
///     Inst::Move { dst: Slot(1), src: Operand::slot(Slot(0)) },
///     Inst::Move { dst: Slot(0), src: Operand::slot(Slot(1)) },
///     Inst::Unreachable,
/// ];
/// let blocks = vec![Block { start: 0, end: 3, successors: Box::default(), native: None }];
/// let body = Body { code, blocks, slots: 2, ..Body::default() };
/// let liveness = Liveness::new(&body, |_| false);
/// assert_eq!(liveness.before(0).iter().collect::<Vec<_>>(), [Slot(0)]);
/// assert_eq!(liveness.before(1).iter().collect::<Vec<_>>(), [Slot(1)]);
/// assert!(liveness.before(2).is_empty());
/// ```
pub struct Liveness<B> {
    body: B,
    /// The slots that are live before the first instruction of each block.
    entries: Vec<SlotSet>,
    /// The slots that are live after some call that may return again, without its result. Any call may lead back there.
    after_repeated_returns: SlotSet,
}

impl<B: Deref<Target = Body>> Liveness<B> {
    /// The live slots of a body. `may_return_again` is whether a call may return more than once, see
    /// [`Graph::may_return_again`](crate::Graph::may_return_again).
    pub fn new(body: B, may_return_again: impl Fn(Callee) -> bool) -> Liveness<B> {
        let returns_again = body.calls_in_order().filter(|(_, call)| may_return_again(call.callee));
        let repeated_returns: Vec<u32> = returns_again.map(|(pc, _)| pc).collect();
        let none = SlotSet::new(body.slots);
        let entries = vec![none.clone(); body.blocks.len()];
        let mut liveness = Liveness { body, entries, after_repeated_returns: none };
        liveness.propagate();
        // Slots that are live after a call that returns again are live at all calls, which may make more slots live
        // after it.
        loop {
            let mut after_repeated_returns = liveness.after_repeated_returns.clone();
            for pc in &repeated_returns {
                let mut live = liveness.before(pc + 1);
                let inst = &liveness.body.code[*pc as usize];
                liveness.body.accesses(inst, |_, _| {}, |dst, count| live.remove(dst, count));
                after_repeated_returns.add_all(&live);
            }
            if after_repeated_returns == liveness.after_repeated_returns {
                return liveness;
            }
            liveness.after_repeated_returns = after_repeated_returns;
            liveness.propagate();
        }
    }

    /// The slots that are live before an instruction.
    pub fn before(&self, pc: u32) -> SlotSet {
        let block = &self.body.blocks[self.body.block_at(pc).index()];
        self.within(block, pc)
    }

    /// The slots that are live before the first instruction of a block. The moves of the edge to it precede that.
    pub fn at_entry(&self, block: BlockId) -> &SlotSet {
        &self.entries[block.index()]
    }

    /// Computes the fixed point of the live slots at block entries.
    fn propagate(&mut self) {
        let predecessors = self.body.predecessors();
        let mut changed: Vec<BlockId> = (0..self.body.blocks.len() as u32).map(BlockId).collect();
        let mut is_waiting = vec![true; self.entries.len()];
        // Most blocks follow their predecessors, so the last are visited first.
        while let Some(id) = changed.pop() {
            is_waiting[id.index()] = false;
            let block = &self.body.blocks[id.index()];
            let live = self.within(block, block.start);
            if live != self.entries[id.index()] {
                self.entries[id.index()] = live;
                for before in &predecessors[id.index()] {
                    if !std::mem::replace(&mut is_waiting[before.index()], true) {
                        changed.push(*before);
                    }
                }
            }
        }
    }

    /// The slots that are live before an instruction of a block, given those at the entries of its successors.
    fn within(&self, block: &Block, pc: u32) -> SlotSet {
        let mut live = SlotSet::new(self.body.slots);
        let code = &self.body.code[..block.end as usize];
        for edge in code.last().map_or(Vec::new(), |last| self.body.edges_of(last)) {
            live.add_all(&self.along(&self.body.edges[edge.index()]));
        }
        for inst in code[pc as usize..].iter().rev() {
            self.transfer(inst, &mut live);
        }
        live
    }

    /// The slots that are live before the moves of an edge.
    fn along(&self, edge: &Edge) -> SlotSet {
        let mut live = self.entries[edge.to.index()].clone();
        for (dst, _) in &edge.moves {
            live.remove(*dst, 1);
        }
        for (_, src) in &edge.moves {
            live.add_operand(*src, 1);
        }
        live
    }

    /// The transfer function of an instruction, backwards.
    fn transfer(&self, inst: &Inst, live: &mut SlotSet) {
        self.body.accesses(inst, |_, _| {}, |dst, count| live.remove(dst, count));
        self.body.accesses(inst, |src, count| live.add_operand(src, count), |_, _| {});
        if matches!(inst, Inst::Call { .. }) {
            live.add_all(&self.after_repeated_returns);
        }
    }
}

/// A set of slots of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotSet(Vec<u64>);

impl SlotSet {
    /// The empty set, for a function with that many slots.
    fn new(slots: u32) -> SlotSet {
        SlotSet(vec![0; (slots as usize).div_ceil(64)])
    }

    /// Whether a slot is in it.
    pub fn contains(&self, slot: Slot) -> bool {
        self.0.get(slot.index() / 64).is_some_and(|word| word >> (slot.index() % 64) & 1 == 1)
    }

    /// The slots in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = Slot> {
        (0..self.0.len() as u32 * 64).map(Slot).filter(|slot| self.contains(*slot))
    }

    /// How many slots are in it.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no slot is in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn add_operand(&mut self, operand: Operand, count: u32) {
        if let OperandKind::Slot(first) = operand.kind() {
            for index in first.0..first.0 + count {
                self.0[index as usize / 64] |= 1 << (index % 64);
            }
        }
    }

    fn remove(&mut self, first: Slot, count: u32) {
        for index in first.0..first.0 + count {
            self.0[index as usize / 64] &= !(1 << (index % 64));
        }
    }

    fn add_all(&mut self, others: &SlotSet) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }
}
