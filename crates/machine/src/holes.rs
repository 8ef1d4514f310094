//! States of holes: what a stretch of code does, whatever the state before it.
//!
//! A state of holes is made from a real one. Every live slot becomes a hole, and so does every byte of memory when it
//! is first read: a symbol for what the state held there. The guide has the value of each hole in the real state, so
//! the machine goes the same way as the real path; what it computes and decides are expressions over the holes.
//!
//! Where the machine needs a concrete value and the real path had one, it uses that value and records the requirement
//! that the expression evaluates to it.
//!
//! Input bytes are numbered from the start of the stretch on: what was read before is behind holes. So the expressions
//! are the same however much input a path has read.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateur_expr::Expr;
use secateur_path::Path;
use secateur_program::{FuncId, Slot};

use crate::access::read;
use crate::frame::{Callers, Frame};
use crate::machine::Machine;
use crate::memory::{Cell, Footprint, Memory, ObjectId, ObjectKind, Unwritten};
use crate::options::Uninit;
use crate::state::State;
use crate::value::Value;

/// A part of a state that a hole stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Location {
    /// A slot of an active call; frame 0 is the outermost call.
    Slot {
        /// The call.
        frame: u32,
        /// The slot.
        slot: Slot,
    },
    /// At most 8 bytes of an object.
    Bytes {
        /// The object.
        object: ObjectId,
        /// The offset of the first byte.
        offset: u64,
        /// The number of bytes.
        len: u8,
    },
}

/// The holes of a machine. A location is the same hole in every state.
#[derive(Default)]
pub struct Holes {
    locations: Vec<Location>,
    ids: FxHashMap<Location, u32>,
}

impl Holes {
    /// All locations that are a hole, in the order of their numbers.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// The location that a hole stands for.
    pub fn location(&self, hole: u32) -> Option<Location> {
        self.locations.get(hole as usize).copied()
    }

    /// The hole that stands for a location.
    pub fn id(&mut self, location: Location) -> u32 {
        *self.ids.entry(location).or_insert_with(|| {
            self.locations.push(location);
            self.locations.len() as u32 - 1
        })
    }
}

/// A liveness analysis: which slots of a function may still be read.
pub trait LiveSlots {
    /// The slots that are live before an instruction.
    fn live(&self, function: FuncId, pc: u32) -> Rc<[Slot]>;
}

/// What must hold for the code to run as it did, in addition to the decisions on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The condition on holes.
    pub condition: Expr,
    /// Why it is required.
    pub reason: Reason,
}

/// Why a concrete value was needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is the address of a load.
    Load,
    /// It is the address of a store.
    Store,
    /// It decides how the code goes on: which function is called, how much is copied, or an argument of a shim.
    Control,
}

/// What distinguishes a state of holes from a real one.
#[derive(Clone)]
pub struct Abstraction {
    original: Rc<Original>,
    /// How many of the original's calls, from the outermost on, have not run since.
    untouched: u32,
    /// The requirements so far, the oldest first.
    pub requirements: Vec<Requirement>,
    /// Why the behaviour cannot be expressed over holes, if it cannot: then nothing that follows is meaningful.
    pub inexpressible: Option<&'static str>,
}

/// The real state that the state of holes was made from.
struct Original {
    frame: Frame,
    callers: Callers,
    memory: Memory,
    input_len: u32,
    live: Rc<dyn LiveSlots>,
}

impl Original {
    fn frame(&self, index: u32) -> Option<&Frame> {
        frame_at(&self.frame, &self.callers, index)
    }
}

/// An active call by its number; 0 is the outermost.
pub(crate) fn frame_at<'a>(innermost: &'a Frame, callers: &'a Callers, index: u32) -> Option<&'a Frame> {
    match callers.depth().checked_sub(index)? {
        0 => Some(innermost),
        above => callers.iter().nth(above as usize - 1),
    }
}

impl State {
    /// Apart from what slots and objects contain, code that has this footprint runs from another state as from this
    /// one.
    pub fn is_alike(&self, other: &State, footprint: &Footprint) -> bool {
        let is_same = |(a, b): (&Frame, &Frame)| {
            (a.function, a.pc, a.context, &a.objects) == (b.function, b.pc, b.context, &b.objects)
        };
        self.callers.depth() == other.callers.depth()
            && is_same((&self.frame, &other.frame))
            && self.callers.iter().zip(other.callers.iter()).all(is_same)
            && self.decided == other.decided
            && self.phase == other.phase
            && self.rounding == other.rounding
            && self.stack_bytes == other.stack_bytes
            && self.given_up == other.given_up
            && (Rc::ptr_eq(&self.world, &other.world) || self.world == other.world)
            && self.main_arguments == other.main_arguments
            && self.memory.is_alike(&other.memory, footprint)
    }

    /// The innermost call already existed in the real state.
    pub(crate) fn is_original_frame(&self) -> bool {
        let original =
            self.abstraction.as_ref().and_then(|abstraction| abstraction.original.frame(self.callers.depth()));
        original.is_some_and(|frame| frame.serial == self.frame.serial)
    }
}

impl Machine {
    /// Makes a state of holes from a real state, which must follow the current guide. Until [`Machine::leave_holes`],
    /// the machine uses a guide for holes, and real states cannot run.
    pub fn enter_holes(&mut self, state: &State, live: Rc<dyn LiveSlots>) -> State {
        if !self.has_hole_guide {
            std::mem::swap(&mut self.guide, &mut self.other_guide);
            self.has_hole_guide = true;
        }
        let unread = self.other_guide.input().get(state.input_len as usize..).unwrap_or_default();
        self.guide.follow(unread.to_vec());
        self.guide.values.forget_holes();
        let original = Original {
            frame: state.frame.clone(),
            callers: state.callers.clone(),
            memory: state.memory.clone(),
            input_len: state.input_len,
            live,
        };
        let untouched = state.callers.depth() + 1;
        let abstraction =
            Abstraction { original: Rc::new(original), untouched, requirements: Vec::new(), inexpressible: None };
        let mut state = state.clone();
        state.path = Path::default();
        state.exclusions = Default::default();
        state.input_len = 0;
        state.decided.clear();
        state.memory.enter_holes();
        state.abstraction = Some(Box::new(abstraction));
        self.touch_frame(&mut state);
        state
    }

    /// A state of holes at any instruction of the program, in a call without callers. Nothing is known about its slots
    /// and the globals; in the guide, slots are 0 and globals have their initial values.
    pub fn start_anywhere(&mut self, function: FuncId, pc: u32, live: Rc<dyn LiveSlots>) -> State {
        let mut state = self.start(Vec::new());
        state.phase = crate::state::Phase::Main;
        state.frame = self.outermost_frame(&mut state, function, &[]);
        state.frame.pc = pc;
        self.enter_holes(&state, live)
    }

    /// Returns to the guide of real states.
    pub fn leave_holes(&mut self) {
        if self.has_hole_guide {
            std::mem::swap(&mut self.guide, &mut self.other_guide);
            self.has_hole_guide = false;
        }
    }

    /// The content of a location: an expression over the input in a real state, over the initial holes in a state of
    /// holes. `None` if there is no such location, or if it was never written.
    pub fn content(&mut self, state: &mut State, location: Location) -> Option<Expr> {
        match location {
            Location::Slot { frame, slot } => {
                let untouched = state.abstraction.as_ref().is_some_and(|abstraction| frame < abstraction.untouched);
                let frame_here = state.call(frame)?;
                let width = self.slot_width(frame_here.function, slot)?;
                if untouched {
                    let id = self.holes.id(location);
                    return Some(self.pool.hole(id, width));
                }
                let value = *frame_here.slots.get(slot.index())?;
                (!value.uninit()).then(|| self.expr(value, width))
            }
            Location::Bytes { object, offset, len } => {
                let size = state.memory.get(object).filter(|object| object.alive)?.size;
                if offset.checked_add(u64::from(len))? > size {
                    return None;
                }
                self.make_holes(state, object, offset, len.into(), len.into(), true);
                let content = read(&mut self.pool, state.memory.get(object)?, offset, len);
                content.is_written().then(|| self.expr(content.value, len * 8))
            }
        }
    }

    /// The content of a location of a real state, and its width. `None` as for [`Machine::content`].
    pub fn value_at(&mut self, state: &State, location: Location) -> Option<(Value, u8)> {
        match location {
            Location::Slot { frame, slot } => {
                let frame = state.call(frame)?;
                let value = *frame.slots.get(slot.index())?;
                let width = self.slot_width(frame.function, slot)?;
                (!value.uninit()).then_some((value, width))
            }
            Location::Bytes { object, offset, len } => {
                let object = state.memory.get(object).filter(|object| object.alive)?;
                if offset.checked_add(u64::from(len))? > object.size {
                    return None;
                }
                let content = read(&mut self.pool, object, offset, len);
                content.is_written().then_some((content.value, len * 8))
            }
        }
    }

    /// Called when a call of the original resumes: turns its live slots into holes.
    pub(crate) fn touch_frame(&mut self, state: &mut State) {
        let index = state.callers.depth();
        let Some(abstraction) = state.abstraction.as_mut().filter(|abstraction| index < abstraction.untouched) else {
            return;
        };
        abstraction.untouched = index;
        let original = Rc::clone(&abstraction.original);
        let is_innermost = index == original.callers.depth();
        let Some(frame) = original.frame(index) else { return };
        // A caller resumes after its call instruction.
        let live = original.live.live(frame.function, frame.pc + u32::from(!is_innermost));
        for slot in live.iter() {
            let Some(width) = self.slot_width(frame.function, *slot) else { continue };
            let Some(value) = frame.slots.get(slot.index()) else { continue };
            let hole = self.hole(Location::Slot { frame: index, slot: *slot }, width, *value);
            if let Some(here) = state.frame.slots.get_mut(slot.index()) {
                *here = Value { unwritten: value.unwritten, ..Value::symbolic(hole) };
            }
        }
    }

    /// Turns the bytes in a range that the state of holes has neither read nor written into holes, of `unit` bytes each
    /// if possible.
    pub(crate) fn read_holes(&mut self, state: &mut State, id: ObjectId, offset: u64, len: u64, unit: u64) {
        self.make_holes(state, id, offset, len, unit, false);
    }

    /// With `is_query`, the read is a query about the state and not one of the program's.
    fn make_holes(&mut self, state: &mut State, id: ObjectId, offset: u64, len: u64, unit: u64, is_query: bool) {
        let Some(abstraction) = &state.abstraction else { return };
        let original = Rc::clone(&abstraction.original);
        if !state.memory.is_hole_object(id) {
            return;
        }
        let Some(before) = original.memory.get(id).filter(|object| object.kind != ObjectKind::Constant && object.alive)
        else {
            return;
        };
        if before.end.is_some() && !is_query {
            self.mark_inexpressible(state, "an object whose end depends on the input");
        }
        let mut at = offset;
        while at < offset + len {
            let Some(object) = state.memory.get(id) else { return };
            let is_blank = |byte: &u64| {
                object.unwritten(*byte) == Unwritten::Yes && (is_query || before.unwritten(*byte) == Unwritten::No)
            };
            let most = (unit.min(8) - (at - offset) % unit.min(8)).min(offset + len - at);
            let run = (at..at + most).take_while(is_blank).count() as u8;
            if run == 0 {
                // With `Uninit::Any`, such memory becomes input when it is read, as on the real path.
                let is_zero = self.options.uninit == Uninit::Zero && before.unwritten(at) == Unwritten::Yes;
                let is_mixed = matches!(before.unwritten(at), Unwritten::Partly(_) | Unwritten::If(_));
                if object.unwritten(at) != Unwritten::No && (is_zero || is_mixed) {
                    self.mark_inexpressible(state, "memory that was never written");
                }
                at += 1;
                continue;
            }
            let value = read(&mut self.pool, before, at, run).value;
            let location = Location::Bytes { object: id, offset: at, len: run };
            let hole = self.hole(location, run * 8, value);
            let fixed = (self.in_shim && value.expr.is_none()).then_some(value.bits);
            if let Some(bits) = fixed {
                self.require(state, hole, bits, Reason::Control);
            }
            if let Some(object) = state.memory.get_mut_idempotent(id) {
                match fixed {
                    Some(bits) => object.write_concrete(at, usize::from(run), bits),
                    None => (0..u32::from(run))
                        .for_each(|byte| object.set_cell(at + u64::from(byte), Cell::new(hole, byte))),
                }
            }
            at += u64::from(run);
        }
    }

    /// In a state of holes, replaces an expression by the concrete value that the real path had here, and requires that
    /// value. Any other value is unchanged.
    #[inline]
    pub(crate) fn settle(&mut self, state: &mut State, value: Value, reason: Reason) -> Value {
        match value.expr {
            Some(expr) if state.abstraction.is_some() => self.settle_holes(state, value, expr, reason),
            _ => value,
        }
    }

    #[cold]
    fn settle_holes(&mut self, state: &mut State, value: Value, expr: Expr, reason: Reason) -> Value {
        let real = self.real(state, expr);
        let Some(bits) = self.pool.as_const(real) else { return value };
        self.require(state, expr, bits as u64, reason);
        Value { expr: None, bits: bits as u64, ..value }
    }

    /// Replaces the holes of an expression by what the real state held there, an expression over the input.
    pub(crate) fn real(&mut self, state: &State, expr: Expr) -> Expr {
        let Some(abstraction) = state.abstraction.as_ref().filter(|_| self.pool.has_hole(expr)) else { return expr };
        let original = Rc::clone(&abstraction.original);
        let expr = self.pool.shift_inputs(&[expr], 0, original.input_len)[0];
        let mut substitution = FxHashMap::default();
        for hole in self.pool.holes(expr) {
            if let Some(location) = self.holes.location(hole)
                && let Some((value, width)) = self.original_value(&original, location)
            {
                substitution.insert(hole, self.expr(value, width));
            }
        }
        self.pool.substitute(expr, &mut |hole, _| substitution.get(&hole).copied())
    }

    /// What the real state held at a location, and its width.
    fn original_value(&mut self, original: &Original, location: Location) -> Option<(Value, u8)> {
        match location {
            Location::Slot { frame, slot } => {
                let frame = original.frame(frame)?;
                Some((*frame.slots.get(slot.index())?, self.slot_width(frame.function, slot)?))
            }
            Location::Bytes { object, offset, len } => {
                Some((read(&mut self.pool, original.memory.get(object)?, offset, len).value, len * 8))
            }
        }
    }

    /// Notes that the code consults an object other than by reading its content: whether it is alive, and how large.
    #[inline]
    pub(crate) fn consult(&self, state: &mut State, address: u64) {
        if state.abstraction.is_some() {
            let id = state.memory.nearest(address);
            state.memory.is_hole_object(id);
        }
    }

    /// Notes that the behaviour from here on cannot be expressed over holes.
    pub(crate) fn mark_inexpressible(&self, state: &mut State, what: &'static str) {
        if let Some(abstraction) = &mut state.abstraction {
            abstraction.inexpressible.get_or_insert(what);
        }
    }

    fn require(&mut self, state: &mut State, expr: Expr, bits: u64, reason: Reason) {
        let constant = self.pool.constant(self.pool.width(expr), u128::from(bits));
        let requirement = Requirement { condition: self.pool.eq(expr, constant), reason };
        let recent = self.options.tuning.recent_requirements;
        if let Some(abstraction) = &mut state.abstraction
            // An instruction that starts over requires the same again.
            && !abstraction.requirements.iter().rev().take(recent).any(|known| *known == requirement)
        {
            abstraction.requirements.push(requirement);
        }
    }

    /// The hole of a location. Its value on the real path is given to the guide.
    fn hole(&mut self, location: Location, width: u8, real: Value) -> Expr {
        let id = self.holes.id(location);
        if self.has_hole_guide {
            let value = real.expr.map_or(real.bits, |expr| self.other_guide.eval(&self.pool, expr));
            self.guide.values.add_hole(id, value.into());
        }
        self.pool.hole(id, width)
    }

    pub(crate) fn slot_width(&mut self, function: FuncId, slot: Slot) -> Option<u8> {
        let widths = self
            .slot_widths
            .entry(function)
            .or_insert_with(|| Rc::from(self.program.functions[function.index()].slot_widths()));
        widths.get(slot.index()).copied().flatten()
    }
}
