//! Loops: entered backwards round by round, or lifted out as a whole.
//!
//! A lifted loop is one function from what it reads to what it writes, which is deferred: any number of rounds is
//! admitted. So if no path comes to a loop that is lifted, none comes to it at all, and its rounds need not be told
//! apart.

use secateur_expr::Expr;
use secateur_graph::Loop;
use secateur_program::{BlockId, Inst, Slot};

use crate::code::{Code, Flow, writes_memory};
use crate::state::State;

/// The states before the header of a loop.
pub(crate) struct BeforeLoop {
    /// Those in front of the loop, whatever its rounds have changed, if that is worth looking at: nothing comes to the
    /// header except from there.
    pub lifted: Option<Vec<State>>,
    /// Those before the edges into the header.
    pub before: Vec<State>,
}

impl Code<'_> {
    /// The states before the header of a loop: from outside, after another round, and with the loop lifted out. Of
    /// those that have entered it in `unroll` rounds, the loop is left out as a whole.
    pub(crate) fn before_header(&mut self, state: State, flow: &Flow, header: &Loop, unroll: u32) -> BeforeLoop {
        let is_inside = |block: BlockId| header.blocks.binary_search(&block).is_ok();
        let key = (state.depth(), state.function, header.head);
        let rounds = state.visits.get(&key).copied().unwrap_or(0);
        let mut lifted = None;
        // Within the round of another loop, lifting that one was tried before.
        if state.lifts_loops || !state.is_in_loop() {
            let mut whole = state.clone();
            whole.lifts_loops = true;
            self.lift(&mut whole, header);
            let outside = self.before_block(&whole, flow, |block| !is_inside(block));
            if state.lifts_loops {
                return BeforeLoop { lifted: None, before: outside };
            }
            lifted = Some(outside);
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
        BeforeLoop { lifted, before }
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
                    inst => writes |= writes_memory(inst),
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
