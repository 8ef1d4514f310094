//! Copies of states that keep only the live slots of the innermost frame.
//!
//! A function that is a loop around a large `switch` has thousands of slots, of which few are live at any decision. A
//! snapshot with all of them would take tens of kilobytes.

use std::rc::Rc;

use secateur_path::Path;
use secateur_program::{FuncId, Slot};

use crate::state::State;
use crate::value::Value;

/// A state that must be unpacked before it can run. Its innermost frame has the values of the live slots only, one
/// after the other. Which those are is for the owner to know, since they are the same for all states at a point.
#[derive(Clone)]
pub struct PackedState(State);

impl PackedState {
    /// A state with all its slots.
    pub fn whole(state: State) -> PackedState {
        PackedState(state)
    }

    /// A copy of a state with only these slots of its innermost frame. No other slot may be read before it is written.
    pub fn new(state: &mut State, live: &[Slot]) -> PackedState {
        let slots = std::mem::take(&mut state.frame.slots);
        let mut copy = state.clone();
        copy.frame.slots = live.iter().map(|slot| slots[slot.index()]).collect();
        state.frame.slots = slots;
        PackedState(copy)
    }

    /// The state, with zero in all slots that were not kept. `count` is how many slots its innermost frame has, and
    /// `live` are those that were kept, if not all were.
    pub fn unpack(self, count: usize, live: impl FnOnce() -> Rc<[Slot]>) -> State {
        let PackedState(mut state) = self;
        if state.frame.slots.len() == count {
            return state;
        }
        let live = live();
        let mut slots = vec![Value::ZERO; count];
        for (slot, value) in live.iter().zip(&state.frame.slots) {
            slots[slot.index()] = *value;
        }
        state.frame.slots = slots;
        state
    }

    /// The conditions of its path.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The function of its innermost frame, and the instruction.
    pub fn point(&self) -> (FuncId, u32) {
        (self.0.frame.function, self.0.frame.pc)
    }
}
