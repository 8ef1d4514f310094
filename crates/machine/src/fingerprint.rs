//! Checks, in debug builds, that an instruction which stops for a decision has changed nothing: it runs again once the
//! decision is made.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::state::State;

/// Everything in a state that an instruction can change, as numbers that are cheap to compute before every instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fingerprint {
    function: u32,
    pc: u32,
    slots: u64,
    stack_objects: usize,
    callers: u32,
    memory_changes: u64,
    symbols: usize,
    input_len: u32,
    written: usize,
    branches: u64,
    serial: u64,
}

impl Fingerprint {
    pub(crate) fn of(state: &State) -> Fingerprint {
        let mut slots = FxHasher::default();
        for slot in &state.frame.slots {
            (slot.bits, slot.expr, slot.unwritten).hash(&mut slots);
        }
        Fingerprint {
            function: state.frame.function.0,
            pc: state.frame.pc,
            slots: slots.finish(),
            stack_objects: state.frame.objects.len(),
            callers: state.callers.depth(),
            memory_changes: state.memory.changes(),
            symbols: state.symbols.len(),
            input_len: state.input_len,
            written: state.output.len(),
            branches: state.trace.count(),
            serial: state.next_serial,
        }
    }
}
