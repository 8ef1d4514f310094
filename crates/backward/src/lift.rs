//! Loops: entered backwards round by round, or lifted out as a whole.
//!
//! A lifted loop is one function from what it reads to what it writes, which is deferred: any number of rounds is
//! admitted. So if no path comes to a loop that is lifted, none comes to it at all, and its rounds need not be told
//! apart.
//!
//! If that admits too much, the loop is generalised: it is entered, but what changes in each round, such as a counter,
//! can be anything at its header. Then rounds that leave the rest as it is look alike, and one stands for all
//! (`nodes.rs`).

use secateur_expr::Expr;
use secateur_graph::Loop;
use secateur_program::{BlockId, EdgeId, Inst, Slot};

use crate::code::{Code, Flow};
use crate::holes::Hole;
use crate::state::{Loops, State};

/// The states before the header of a loop.
pub(crate) struct BeforeLoop {
    /// Those in front of the loop, whatever its rounds have changed, if that is worth looking at: nothing comes to the
    /// header except from there.
    pub lifted: Option<Vec<State>>,
    /// The state with conditions that rounds have in common, and those before it, if that is worth looking at: again,
    /// nothing comes to the header except from there.
    pub general: Option<(Box<State>, Vec<State>)>,
    /// Those before the edges into the header.
    pub before: Vec<State>,
}

impl Code<'_> {
    /// The states before the header of a loop: from outside, after another round, and with the loop lifted out. Of
    /// those that have entered it in `unroll` rounds, the loop is left out as a whole. `None` if that would lead
    /// nowhere.
    pub(crate) fn before_header(
        &mut self,
        mut state: State,
        flow: &Flow,
        header: &Loop,
        unroll: u32,
    ) -> Option<BeforeLoop> {
        let is_inside = |block: BlockId| header.blocks.binary_search(&block).is_ok();
        let key = (state.depth(), state.function, header.head);
        let rounds = state.visits.get(&key).copied().unwrap_or(0);
        let (mut lifted, mut general) = (None, None);
        match state.loops {
            Loops::Lifted => {
                self.lift(&mut state, header);
                let before = self.before_block(&state, flow, |block| !is_inside(block));
                return Some(BeforeLoop { lifted, general, before });
            }
            Loops::General => {
                self.generalise(&mut state, flow, header);
                if rounds >= unroll || state.conditions.is_empty() {
                    return None;
                }
                state.visits.insert(key, rounds + 1);
                let before = self.before_block(&state, flow, |_| true);
                return Some(BeforeLoop { lifted, general, before });
            }
            // Within the round of another loop, that was tried before.
            Loops::Entered if state.is_in_loop() => {}
            Loops::Entered => {
                let mut whole = state.clone();
                whole.loops = Loops::Lifted;
                self.lift(&mut whole, header);
                lifted = Some(self.before_block(&whole, flow, |block| !is_inside(block)));
                let mut alike = state.clone();
                alike.loops = Loops::General;
                self.generalise(&mut alike, flow, header);
                if !alike.conditions.is_empty() {
                    alike.visits.insert(key, 1);
                    let before = self.before_block(&alike, flow, |_| true);
                    general = Some((Box::new(alike), before));
                }
            }
        }
        let mut outside = state.clone();
        outside.visits.remove(&key);
        let mut before = self.before_block(&outside, flow, |block| !is_inside(block));
        let mut inside = state;
        if rounds < unroll {
            inside.visits.insert(key, rounds + 1);
            before.extend(self.before_block(&inside, flow, is_inside));
        } else {
            inside.visits.remove(&key);
            self.lift(&mut inside, header);
            before.extend(self.before_block(&inside, flow, |block| !is_inside(block)));
        }
        Some(BeforeLoop { lifted, general, before })
    }

    /// Leaves out the conditions on slots that each round of a loop sets anew, such as its counter.
    fn generalise(&mut self, state: &mut State, flow: &Flow, header: &Loop) {
        let Some(body) = self.body(state.function) else { return };
        let inside = |(last, _): &&(u32, EdgeId)| header.blocks.binary_search(&body.block_at(*last)).is_ok();
        let mut carried: Vec<Slot> = Vec::new();
        for (_, edge) in flow.entering[header.head.index()].iter().filter(inside) {
            carried.extend(body.edges[edge.index()].moves.iter().map(|(slot, _)| *slot));
        }
        let depth = state.depth();
        let conditions = std::mem::take(&mut state.conditions);
        for condition in conditions {
            let holes = self.holes_of(condition);
            if holes
                .iter()
                .any(|hole| matches!(hole, Hole::Slot { depth: of, slot } if *of == depth && carried.contains(slot)))
            {
                state.deferred += 1;
            } else {
                state.conditions.push(condition);
            }
        }
    }

    /// The states before each edge into the block of a state, from those blocks that are `wanted`.
    pub(crate) fn before_block(&mut self, state: &State, flow: &Flow, wanted: impl Fn(BlockId) -> bool) -> Vec<State> {
        let Some(body) = self.body(state.function) else { return Vec::new() };
        let entering = &flow.entering[state.block.index()];
        let mut before = Vec::new();
        for (last, edge) in entering.iter().filter(|(last, _)| wanted(body.block_at(*last))) {
            let mut state = state.clone();
            self.take_edge(&mut state, *last, *edge);
            // What the block computes may already contradict the condition of the edge.
            if self.step_back(&mut state) {
                before.push(state);
            }
        }
        before
    }

    /// Makes free whatever any number of rounds of a loop may have changed.
    fn lift(&mut self, state: &mut State, header: &Loop) {
        let Some(body) = self.body(state.function) else { return };
        let mut written: Vec<Slot> = Vec::new();
        let mut writes = false;
        for block in &header.blocks {
            let code = &body.blocks[block.index()];
            for inst in &body.code[code.start as usize..code.end as usize] {
                let add = |slot: Slot, count: u32| written.extend((slot.0..slot.0 + count).map(Slot));
                body.accesses(inst, |_, _| {}, add);
                match inst {
                    Inst::Call { info } => {
                        let effects = self.effects(body.calls[info.index()].callee);
                        writes |= effects.writes;
                        state.has_gap |= effects.reads_input;
                    }
                    inst => writes |= inst.writes_memory(),
                }
                for edge in body.edges_of(inst) {
                    written.extend(body.edges[edge.index()].moves.iter().map(|(slot, _)| *slot));
                }
            }
        }
        written.sort_unstable();
        written.dedup();
        written.retain(|slot| self.mentions(state, *slot));
        let free: Vec<(Slot, Expr)> =
            written.into_iter().map(|slot| (slot, self.holes.free(&mut self.pool, 64))).collect();
        state.deferred += free.len() as u32;
        self.set_slots(state, &free);
        if writes {
            self.write_anywhere(state);
        }
    }
}
