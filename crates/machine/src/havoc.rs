//! States whose contents are partly replaced by input: they stand for all states that differ in these locations.
//!
//! A proof by induction runs the body of a loop from such a state. It needs to know which locations a body may have
//! changed, and to give a location any value, or one of a few.

use secateur_expr::{Expr, Pool};
use secateur_program::{FuncId, ObjectId, Slot};

use crate::access::{read, write};
use crate::frame::Frame;
use crate::holes::{LiveSlots, Location, frame_at};
use crate::machine::Machine;
use crate::memory::{Footprint, Object, ObjectKind, Unwritten};
use crate::state::State;
use crate::symbols::SymbolSource;
use crate::unwritten::Content;
use crate::value::Value;

/// A location that was given new input as its content.
#[derive(Clone, Copy, Debug)]
pub struct Havoc {
    /// Its content.
    pub content: Expr,
    /// The first input byte.
    pub first: u32,
    /// The number of input bytes.
    pub len: u32,
}

impl Machine {
    /// Gives a location any value; with `choices`, one of these, which are few. The location must exist. Returns what
    /// it holds from now on. The new input bytes are at the end of the state's input; with `choices`, there is one,
    /// which must be less than their number and is the index of the one that is meant.
    pub fn havoc(&mut self, state: &mut State, location: Location, choices: Option<&[u64]>) -> Option<Havoc> {
        let width = self.location_width(state, location)?;
        let len = choices.map_or(u32::from(width.div_ceil(8)), |_| 1);
        let first = self.new_symbol(state, "the state of a loop".to_string(), SymbolSource::Object, len);
        let content = match choices {
            None => {
                let input = self.pool.input(first, len as u8);
                self.pool.extract(input, 0, width)
            }
            Some(choices) => self.choice_of(first, width, choices)?,
        };
        self.set_content(state, location, Value::symbolic(content))?;
        Some(Havoc { content, first, len })
    }

    /// One of some constants: that whose index an input byte has.
    fn choice_of(&mut self, byte: u32, width: u8, choices: &[u64]) -> Option<Expr> {
        let index = self.pool.input(byte, 1);
        let (last, others) = choices.split_last()?;
        let mut content = self.pool.constant(width, u128::from(*last));
        for (number, value) in others.iter().enumerate().rev() {
            let number = self.pool.constant(8, number as u128);
            let is_meant = self.pool.eq(index, number);
            let value = self.pool.constant(width, u128::from(*value));
            content = self.pool.ite(is_meant, value, content);
        }
        Some(content)
    }

    /// Replaces the content of a location.
    pub fn set_content(&mut self, state: &mut State, location: Location, value: Value) -> Option<()> {
        match location {
            Location::Slot { frame, slot } => state.with_call(frame, |frame| {
                if let Some(content) = frame.slots.get_mut(slot.index()) {
                    *content = value;
                }
            }),
            Location::Bytes { object, offset, len } => {
                let object = state.memory.get_mut(object).filter(|object| object.alive)?;
                (offset.checked_add(u64::from(len))? <= object.size).then_some(())?;
                (offset..offset + u64::from(len)).for_each(|byte| object.set_unwritten(byte, Unwritten::No));
                write(object, offset, len, &Content::written(value));
                Some(())
            }
        }
    }

    /// The slots of all active calls that may still be read.
    pub fn live_slots(&mut self, state: &State, live: &dyn LiveSlots) -> Vec<Location> {
        let mut slots = Vec::new();
        let innermost = state.callers.depth();
        for index in 0..=innermost {
            let Some(frame) = state.call(index) else { continue };
            // A caller resumes after its call instruction.
            let pc = frame.pc + u32::from(index != innermost);
            let is_slot = |slot: &&Slot| self.slot_width(frame.function, **slot).is_some();
            let live = live.live(frame.function, pc);
            slots.extend(live.iter().filter(is_slot).map(|slot| Location::Slot { frame: index, slot: *slot }));
        }
        slots
    }

    /// The hole of a location that no state of holes may have read yet.
    pub fn hole_of(&mut self, state: &State, location: Location) -> Option<Expr> {
        let width = self.location_width(state, location)?;
        let id = self.holes.id(location);
        Some(self.pool.hole(id, width))
    }

    fn location_width(&mut self, state: &State, location: Location) -> Option<u8> {
        match location {
            Location::Slot { frame, slot } => self.slot_width(state.call(frame)?.function, slot),
            Location::Bytes { len, .. } => Some(len * 8),
        }
    }
}

impl State {
    /// An active call by its number; 0 is the outermost.
    pub(crate) fn call(&self, index: u32) -> Option<&Frame> {
        frame_at(&self.frame, &self.callers, index)
    }

    /// The functions of all active calls, each with its instruction.
    pub fn calls(&self) -> impl Iterator<Item = (FuncId, u32)> {
        std::iter::once(&self.frame).chain(self.callers.iter()).map(|frame| (frame.function, frame.pc))
    }

    /// Changes an active call.
    fn with_call(&mut self, index: u32, change: impl FnOnce(&mut Frame)) -> Option<()> {
        let above = self.callers.depth().checked_sub(index)?;
        if above == 0 {
            change(&mut self.frame);
            return Some(());
        }
        let mut popped = Vec::new();
        for _ in 0..above {
            popped.push(self.callers.pop()?);
        }
        if let Some(frame) = popped.last_mut() {
            change(frame);
        }
        popped.into_iter().rev().for_each(|frame| self.callers.push(frame));
        Some(())
    }

    /// The variables that both states have and that are not certainly the same in both.
    pub fn changed_objects(&self, other: &State) -> Vec<ObjectId> {
        self.memory.changed(&other.memory)
    }

    /// The size of a variable, if it is one that the program may change.
    pub fn variable_size(&self, id: ObjectId) -> Option<u64> {
        let object = self.memory.get(id).filter(|object| object.alive && object.kind != ObjectKind::Constant)?;
        Some(object.size)
    }

    /// There is, or was, an object at an address.
    pub fn has_object_at(&self, address: u64) -> bool {
        self.memory.get(self.memory.find(address)).is_some()
    }

    /// Every object and every place of allocation.
    pub fn whole_footprint(&self) -> Footprint {
        self.memory.whole_footprint()
    }

    /// Both states have made the same allocations.
    pub fn has_allocated_as(&self, other: &State) -> bool {
        self.memory.has_allocated_as(&other.memory)
    }

    /// The bytes of a variable that differ between two states, or that one of them has never written.
    pub fn differing_bytes(&self, pool: &mut Pool, other: &State, id: ObjectId) -> Vec<u64> {
        let (Some(a), Some(b)) = (self.memory.get(id), other.memory.get(id)) else { return Vec::new() };
        let is_same = |pool: &mut Pool, at: u64| {
            let written = |object: &Object| object.unwritten(at) == Unwritten::No;
            written(a) && written(b) && read(pool, a, at, 1).value == read(pool, b, at, 1).value
        };
        (0..a.size.min(b.size)).filter(|at| !is_same(pool, *at)).collect()
    }
}
