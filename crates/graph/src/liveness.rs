//! Which slots of a function are live before an instruction: their value may still be read before it is overwritten.

use secateur_program::{Block, BlockId, Body, Callee, Edge, Inst, Operand, OperandKind, Slot};

/// The live slots of a function.
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
pub struct Liveness<'a> {
    body: &'a Body,
    /// What is live before the first instruction of each block.
    entries: Vec<SlotSet>,
    /// What is live after each call that may return again, apart from its result, over all such calls: any call may lead back to it.
    after_marks: SlotSet,
}

impl<'a> Liveness<'a> {
    /// The live slots of a body. `may_return_again` tells which calls may return more than once, see [`Graph::may_return_again`](crate::Graph::may_return_again).
    pub fn new(body: &'a Body, may_return_again: impl Fn(Callee) -> bool) -> Liveness<'a> {
        let marks: Vec<u32> = (0..body.code.len() as u32)
            .filter(|pc| matches!(body.code[*pc as usize], Inst::Call { info } if may_return_again(body.calls[info.index()].callee)))
            .collect();
        let none = SlotSet::new(body.slots);
        let mut liveness = Liveness { body, entries: vec![none.clone(); body.blocks.len()], after_marks: none };
        liveness.propagate(body.predecessors(), (0..body.blocks.len() as u32).map(BlockId).collect());
        // What is live after a mark is live at all calls, which may make more live after a mark.
        loop {
            let mut after_marks = liveness.after_marks.clone();
            for pc in &marks {
                let mut live = liveness.before(pc + 1);
                liveness.body.accesses(&body.code[*pc as usize], |_, _| {}, |dst, count| live.remove(dst, count));
                after_marks.add_all(&live);
            }
            if after_marks == liveness.after_marks {
                return liveness;
            }
            liveness.after_marks = after_marks;
            liveness.propagate(body.predecessors(), (0..body.blocks.len() as u32).map(BlockId).collect());
        }
    }

    /// The slots that are live before an instruction.
    pub fn before(&self, pc: u32) -> SlotSet {
        let block = &self.body.blocks[self.body.block_at(pc).index()];
        self.within(block, pc)
    }

    /// The slots that are live before the first instruction of a block. The moves of the edge to it have been done.
    pub fn at_entry(&self, block: BlockId) -> &SlotSet {
        &self.entries[block.index()]
    }

    /// Goes on until no block has more live slots at its entry.
    fn propagate(&mut self, predecessors: Vec<Vec<BlockId>>, mut changed: Vec<BlockId>) {
        let mut is_waiting = vec![true; self.entries.len()];
        // Most blocks follow their predecessors, so that the last are looked at first.
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

    /// What is live before an instruction of a block, from what is live at the entries of the blocks that follow.
    fn within(&self, block: &Block, pc: u32) -> SlotSet {
        let mut live = SlotSet::new(self.body.slots);
        let code = &self.body.code[..block.end as usize];
        for edge in code.last().map_or(Vec::new(), |last| self.body.edges_of(last)) {
            live.add_all(&self.along(&self.body.edges[edge.index()]));
        }
        for inst in code[pc as usize..].iter().rev() {
            self.pass(inst, &mut live);
        }
        live
    }

    /// What is live before the moves of an edge.
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

    /// From what is live after an instruction to what is live before it.
    fn pass(&self, inst: &Inst, live: &mut SlotSet) {
        self.body.accesses(inst, |_, _| {}, |dst, count| live.remove(dst, count));
        self.body.accesses(inst, |src, count| live.add_operand(src, count), |_, _| {});
        if matches!(inst, Inst::Call { .. }) {
            live.add_all(&self.after_marks);
        }
    }
}

/// A set of slots of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotSet(Vec<u64>);

impl SlotSet {
    /// None of so many slots.
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
