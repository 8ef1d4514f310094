//! Merging: a few blocks without loops, calls and stores are one step, with a value for each slot that depends on the
//! way.
//!
//! Where a join is taken back to its dominator, each slot that a condition mentions becomes a choice between what the
//! ways in between leave in it. So a sequence of branches is one state instead of one for each combination of sides,
//! and expressions grow with the code, not with the number of paths.

use rustc_hash::FxHashMap;
use secateur_expr::Expr;
use secateur_program::{BlockId, Body, Inst, Slot};

use crate::code::{Code, Flow};
use crate::holes::Hole;
use crate::state::State;

/// What the ways from a point to the join leave in the slots, and the condition that one of them is taken.
#[derive(Clone)]
struct Ways {
    values: Vec<Expr>,
    condition: Expr,
    deferred: u32,
}

/// The blocks from a dominator to a join.
struct Region<'a> {
    body: &'a Body,
    join: BlockId,
    blocks: Vec<BlockId>,
    /// For blocks that are done.
    ways: FxHashMap<BlockId, Ways>,
}

impl Code<'_> {
    /// Takes a state from the start of a join to the end of its dominator, if the blocks in between can be merged.
    pub(crate) fn merge(&mut self, state: &mut State, flow: &Flow) -> bool {
        let Some(body) = self.body(state.function) else { return false };
        let join = state.block;
        if flow.entering[join.index()].len() < 2 {
            return false;
        }
        let Some(dominator) = flow.dominators.immediate(join) else { return false };
        let most = self.tuning.merge_blocks;
        let Some(blocks) = pure_between(body, flow, join, dominator, most) else { return false };
        let depth = state.depth();
        let mut slots: Vec<Slot> = Vec::new();
        for hole in state.holes(&self.pool, &self.holes) {
            if let Hole::Slot { depth: of, slot } = hole
                && of == depth
            {
                slots.push(slot);
            }
        }
        let values = slots.iter().map(|slot| self.holes.slot(&mut self.pool, depth, *slot)).collect();
        let at_join = Ways { values, condition: self.pool.bool(true), deferred: 0 };
        let mut region = Region { body, join, blocks, ways: FxHashMap::default() };
        region.ways.insert(join, at_join);
        // Every block comes after those that it leads to, since there are no loops.
        for block in region.blocks.clone() {
            let Some(ways) = self.ways_from(state, &region, block, true) else { return false };
            region.ways.insert(block, ways);
        }
        let Some(Ways { values, condition, deferred }) = self.ways_from(state, &region, dominator, false) else {
            return false;
        };
        let values: Vec<(Slot, Expr)> = slots.into_iter().zip(values).collect();
        self.set_slots(state, &values);
        state.require(&self.pool, condition);
        state.deferred += deferred;
        (state.block, state.pc) = (dominator, body.blocks[dominator.index()].end);
        true
    }

    /// The ways from the end of a block, or with `whole` from its start.
    fn ways_from(&mut self, state: &State, region: &Region<'_>, block: BlockId, whole: bool) -> Option<Ways> {
        let last = region.body.blocks[block.index()].end - 1;
        let mut all: Option<Ways> = None;
        for edge in region.body.edges_of(&region.body.code[last as usize]) {
            let to = region.body.edges[edge.index()].to;
            let Some(onwards) = region.ways.get(&to).filter(|_| to == region.join || region.blocks.contains(&to))
            else {
                continue;
            };
            let mut way = self.carrier(state, to, region.body.blocks[to.index()].start, onwards);
            // The edge's condition is kept apart from those that follow.
            self.take_edge(&mut way, last, edge);
            let taken = way.conditions.iter().fold(self.pool.bool(true), |all, condition| {
                // Folding keeps the order of the list, so equal conditions stay equal expressions.
                self.pool.and(all, *condition)
            });
            let condition = way.values.pop()?;
            let condition = self.pool.and(taken, condition);
            let way = Ways { values: way.values, condition, deferred: way.deferred };
            all = Some(match all {
                None => way,
                Some(other) => self.either(way, other),
            });
        }
        let all = all?;
        if !whole {
            return Some(all);
        }
        let mut before = self.carrier(state, block, last + 1, &all);
        if !self.step_back(&mut before) {
            return None;
        }
        let required = before.conditions.iter().fold(self.pool.bool(true), |all, one| self.pool.and(all, *one));
        let condition = before.values.pop()?;
        let condition = self.pool.and(required, condition);
        Some(Ways { values: before.values, condition, deferred: before.deferred })
    }

    /// A state without conditions that carries the values and the condition of ways.
    fn carrier(&self, state: &State, block: BlockId, pc: u32, ways: &Ways) -> State {
        let mut carrier = State::at(state.function, block, pc);
        carrier.callers.clone_from(&state.callers);
        carrier.values.clone_from(&ways.values);
        carrier.values.push(ways.condition);
        carrier.deferred = ways.deferred;
        carrier
    }

    /// The first ways where their condition holds, else the others.
    fn either(&mut self, first: Ways, other: Ways) -> Ways {
        let values = first.values.iter().zip(&other.values);
        let values = values.map(|(a, b)| self.pool.ite(first.condition, *a, *b)).collect();
        let condition = self.pool.or(first.condition, other.condition);
        Ways { values, condition, deferred: first.deferred.max(other.deferred) }
    }
}

/// The blocks between a dominator and a join, each after those that it leads to, if they only compute.
fn pure_between(body: &Body, flow: &Flow, join: BlockId, dominator: BlockId, most: usize) -> Option<Vec<BlockId>> {
    let mut blocks: Vec<BlockId> = Vec::new();
    let mut work = vec![join];
    while let Some(to) = work.pop() {
        for (last, _) in &flow.entering[to.index()] {
            let from = body.block_at(*last);
            if from == dominator || blocks.contains(&from) {
                continue;
            }
            if from == join || blocks.len() >= most || !is_pure(body, from) {
                return None;
            }
            blocks.push(from);
            work.push(from);
        }
    }
    // The dominator must not be entered again from within.
    let inside = |block: &BlockId| blocks.contains(block);
    if blocks.iter().any(|block| body.blocks[block.index()].successors.contains(&dominator)) {
        return None;
    }
    let mut sorted: Vec<BlockId> = Vec::new();
    while sorted.len() < blocks.len() {
        let is_next = |block: &&BlockId| {
            let successors = &body.blocks[block.index()].successors;
            !sorted.contains(block) && successors.iter().all(|next| !inside(next) || sorted.contains(next))
        };
        // If there is none, there is a loop.
        let next = *blocks.iter().find(is_next)?;
        sorted.push(next);
    }
    Some(sorted)
}

/// A block only sets slots.
fn is_pure(body: &Body, block: BlockId) -> bool {
    let block = &body.blocks[block.index()];
    body.code[block.start as usize..block.end as usize].iter().all(|inst| {
        !matches!(
            inst,
            Inst::Call { .. }
                | Inst::Store { .. }
                | Inst::Alloca { .. }
                | Inst::MemCopy { .. }
                | Inst::MemSet { .. }
                | Inst::VaStart { .. }
                | Inst::VaCopy { .. }
                | Inst::LifetimeStart { .. }
                | Inst::LifetimeEnd { .. }
                | Inst::StackSave { .. }
                | Inst::StackRestore { .. }
                | Inst::IndirectJump { .. }
                | Inst::Unreachable
                | Inst::Unsupported { .. }
        )
    })
}
