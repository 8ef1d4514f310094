//! Memory that was never written, where it may have any value: it becomes input when it is first read.

use secateur_program::Program;

use crate::machine::Machine;
use crate::memory::{Cell, ObjectId, Unwritten};
use crate::options::Uninit;
use crate::state::State;
use crate::symbols::SymbolSource;

impl Machine {
    /// Turns the bytes in a range that were never written into input, and unknown ones into holes. An instruction may
    /// do this and start over: the second time, none are left. The range is read in elements of `unit` bytes.
    #[inline]
    pub(crate) fn read_unwritten(&mut self, state: &mut State, id: ObjectId, offset: u64, len: u64, unit: u64) {
        if state.abstraction.is_some() {
            self.read_holes(state, id, offset, len, unit);
        }
        if self.options.uninit == Uninit::Any {
            self.make_unwritten_symbolic(state, id, offset, len);
        }
    }

    #[cold]
    fn make_unwritten_symbolic(&mut self, state: &mut State, id: ObjectId, offset: u64, len: u64) {
        let mut at = offset;
        while at < offset + len {
            let Some(object) = state.memory.get(id).filter(|object| object.alive) else { return };
            let is_written = |byte: &u64| object.unwritten(*byte) != Unwritten::Yes;
            let end = (at..offset + len).find(is_written).unwrap_or(offset + len);
            if end == at {
                at += 1;
                continue;
            }
            let name = format!("uninitialised {}+{at}", object.allocated_at.name);
            let source = SymbolSource::Unwritten { fresh: object.fresh, offset: at };
            let first = self.new_symbol(state, name, source, (end - at) as u32);
            if let Some(object) = state.memory.get_mut_idempotent(id) {
                for (index, byte) in (first..).zip(at..end) {
                    let input = self.pool.input(index, 1);
                    object.set_cell(byte, Cell::new(input, 0));
                }
            }
            at = end;
        }
        #[cfg(debug_assertions)]
        {
            self.before = crate::fingerprint::Fingerprint::of(state);
        }
    }
}

impl State {
    /// Numbers the allocations of the user's code, in order; 0 for allocations of other code. Native replay counts in
    /// the same way.
    pub(crate) fn next_fresh(&mut self, program: &Program) -> u32 {
        if !program.functions[self.frame.function.index()].user {
            return 0;
        }
        self.fresh += 1;
        self.fresh
    }
}
