//! Slicing: what neither the target nor a condition depends on is skipped in one step.
//!
//! From a block, execution came through its immediate dominator. If nothing between the two writes what a condition
//! mentions or reads input, it does not matter which way it took, or how often a loop turned: the conditions hold at
//! the end of the dominator as well. That also admits states that would have left the way in between, as for everything
//! that is deferred.

use secateur_expr::Expr;
use secateur_program::{BlockId, Body, FuncId, Inst, Slot};

use crate::code::{Code, Flow};
use crate::holes::Hole;
use crate::state::State;

/// What the conditions of a state mention.
struct Mentioned {
    slots: Vec<Slot>,
    memory: bool,
}

impl Code<'_> {
    /// Moves a state that is at the start of a block up to the end of the highest dominator to which nothing matters.
    /// Returns whether it moved.
    pub(crate) fn skip(&mut self, state: &mut State, flow: &Flow) -> bool {
        let function = state.function;
        let Some(body) = self.body(function) else { return false };
        let mentioned = self.mentioned(state);
        let mut moved = false;
        loop {
            let block = state.block;
            if state.pc != body.blocks[block.index()].start || block == BlockId(0) {
                return moved;
            }
            let Some(dominator) = flow.dominators.immediate(block) else { return moved };
            // A single way in has a condition that is worth knowing, unless it is no branch.
            if flow.entering[block.index()].len() < 2 {
                return moved;
            }
            let Some(between) = self.irrelevant(body, flow, block, dominator, &mentioned) else { return moved };
            let conditions = state.conditions.len();
            self.leave_dominator(state, function, body, dominator, &between, block);
            moved = true;
            // Go on only if the dominator does not matter either, and no condition was added.
            if state.conditions.len() != conditions || !self.is_irrelevant(body, dominator, &mentioned) {
                return moved;
            }
            state.pc = body.blocks[dominator.index()].start;
        }
    }

    fn mentioned(&self, state: &State) -> Mentioned {
        let depth = state.depth();
        let mut slots = Vec::new();
        let mut memory = false;
        for hole in state.holes(&self.pool, &self.holes) {
            match hole {
                Hole::Slot { depth: of, slot } if of == depth => slots.push(slot),
                Hole::Load { .. } => memory = true,
                _ => {}
            }
        }
        slots.sort_unstable();
        Mentioned { slots, memory }
    }

    /// The blocks between a dominator and a block, if none of them matters, nor the edges.
    fn irrelevant(
        &self,
        body: &Body,
        flow: &Flow,
        block: BlockId,
        dominator: BlockId,
        mentioned: &Mentioned,
    ) -> Option<Vec<BlockId>> {
        let mut between: Vec<BlockId> = Vec::new();
        let mut work = vec![block];
        while let Some(to) = work.pop() {
            for (last, edge) in &flow.entering[to.index()] {
                if body.edges[edge.index()].moves.iter().any(|(slot, _)| mentioned.slots.contains(slot)) {
                    return None;
                }
                let from = body.block_at(*last);
                if from == dominator || between.contains(&from) {
                    continue;
                }
                if !self.is_irrelevant(body, from, mentioned) {
                    return None;
                }
                between.push(from);
                work.push(from);
            }
        }
        Some(between)
    }

    fn is_irrelevant(&self, body: &Body, block: BlockId, mentioned: &Mentioned) -> bool {
        let block = &body.blocks[block.index()];
        body.code[block.start as usize..block.end as usize].iter().all(|inst| {
            let mut writes = false;
            body.accesses(
                inst,
                |_, _| {},
                |slot, count| {
                    writes |= (slot.0..slot.0 + count).any(|slot| mentioned.slots.contains(&Slot(slot)));
                },
            );
            let matters = match inst {
                Inst::Call { info } => {
                    let callee = body.calls[info.index()].callee;
                    let effects = self.effects(callee);
                    effects.reads_input || mentioned.memory && effects.writes || self.ends_paths(callee)
                }
                Inst::Alloca { .. } => mentioned.memory,
                inst if inst.writes_memory() => mentioned.memory,
                // What gets past it is a condition.
                Inst::Assume { .. } => true,
                _ => false,
            };
            !writes && !matters
        })
    }

    /// A call of a function of the machine that does not always return: what gets past it is a condition.
    fn ends_paths(&self, callee: secateur_program::Callee) -> bool {
        match callee {
            secateur_program::Callee::Direct(function) => {
                self.body(function).is_none() && crate::call::Shim::of(self.name(function)) == crate::call::Shim::Assume
            }
            secateur_program::Callee::Indirect(_) => true,
        }
    }

    /// Puts a state at the end of a dominator, with the condition that it goes on to one of these blocks.
    fn leave_dominator(
        &mut self,
        state: &mut State,
        function: FuncId,
        body: &Body,
        dominator: BlockId,
        between: &[BlockId],
        block: BlockId,
    ) {
        let last = body.blocks[dominator.index()].end - 1;
        (state.block, state.pc) = (dominator, last + 1);
        let edges = body.edges_of(&body.code[last as usize]);
        let leads = |edge: &secateur_program::EdgeId| {
            let to = body.edges[edge.index()].to;
            to == block || between.contains(&to)
        };
        if edges.iter().all(leads) {
            return;
        }
        let mut any: Option<Expr> = Some(self.pool.bool(false));
        for edge in edges.iter().filter(|edge| leads(edge)) {
            let taken = self.edge_condition(state, function, last, *edge);
            any = any.zip(taken).map(|(any, taken)| self.pool.or(any, taken));
        }
        if let Some(condition) = any {
            state.require(&self.pool, condition);
        }
    }
}
