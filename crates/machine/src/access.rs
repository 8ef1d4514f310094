//! Loads and stores: which object an address points to, whether the access is allowed, and what it reads or writes.

use secateur_expr::{BinaryOp, Expr, Node, Pool};
use secateur_path::ChoiceKey;
use secateur_program::{CastOp, object_offset};
use smallvec::{SmallVec, smallvec};

use crate::decision::{Choice, DecisionKind};
use crate::end::BugKind;
use crate::given_up::GivenUp;
use crate::holes::Reason;
use crate::machine::{Machine, StepResult, Stop};
use crate::memory::{Cell, Characters, Elements, Object, ObjectEnd, ObjectId, ObjectKind, Unwritten};
use crate::origins::origins;
use crate::state::State;
use crate::tuning::Tuning;
use crate::unwritten::{Content, chosen, note_write, replaced};
use crate::value::{Value, mask};
use crate::varargs::ARGUMENT_AREA;

/// An address within this distance of 0 counts as a null pointer with an offset. It is a part of the memory model, so
/// it is a constant rather than a tuned number.
pub(crate) const NULL_ZONE: u64 = 1 << 16;
/// An address within this distance of an object is reported as out of bounds of that object. It is a part of the memory
/// model, too.
const NEAR: i64 = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Where an access goes, after all checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResolvedAddress {
    pub object: ObjectId,
    pub offset: Offset,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Offset {
    Concrete(u64),
    Symbolic(Expr),
}

impl Machine {
    /// Loads `bytes` bytes and keeps the lowest `width` bits.
    #[inline]
    pub(crate) fn load(&mut self, state: &mut State, addr: Value, bytes: u8, width: u8) -> StepResult<Value> {
        if addr.expr.is_none() && !addr.uninit() && state.abstraction.is_none() {
            let offset = object_offset(addr.bits);
            if let Some(object) = state.memory.get(ObjectId::of(addr.bits))
                && object.alive
                && offset + u64::from(bytes) <= object.size
            {
                if let Some(value) = object.read_concrete(offset, bytes as usize) {
                    return Ok(Value::concrete(value & mask(width)));
                }
                if let Some(value) = read_written(&mut self.pool, object, offset, bytes) {
                    return Ok(self.lowest_bits(value, bytes, width));
                }
            }
        }
        self.load_slow(state, addr, bytes, width)
    }

    fn load_slow(&mut self, state: &mut State, addr: Value, bytes: u8, width: u8) -> StepResult<Value> {
        let place = self.resolve(state, addr, u64::from(bytes), Access::Read)?;
        let content = match place.offset {
            Offset::Concrete(offset) => self.load_concrete(state, place.object, offset, bytes)?,
            Offset::Symbolic(offset) => self.load_symbolic(state, place.object, offset, bytes)?,
        };
        let value = self.decide_written(state, content, bytes)?;
        Ok(self.lowest_bits(value, bytes, width))
    }

    /// The lowest `width` bits of a value of `bytes` bytes.
    fn lowest_bits(&mut self, value: Value, bytes: u8, width: u8) -> Value {
        if width == bytes * 8 {
            return value;
        }
        let unwritten = self.unwritten.cast(CastOp::Trunc, bytes * 8, width, value);
        match value.expr {
            None => Value { bits: value.bits & mask(width), unwritten, ..value },
            Some(expr) => {
                let expr = self.pool.extract(expr, 0, width);
                Value { unwritten, ..self.value(expr) }
            }
        }
    }

    /// Stores a value of `width` bits as `bytes` bytes.
    #[inline]
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        addr: Value,
        value: Value,
        bytes: u8,
        width: u8,
    ) -> StepResult<()> {
        if addr.expr.is_none() && value.expr.is_none() && !addr.uninit() && !value.uninit() {
            let offset = object_offset(addr.bits);
            if let Some(object) = state.memory.get_mut(ObjectId::of(addr.bits))
                && object.alive
                && object.kind != ObjectKind::Constant
                && object.end.is_none()
                && offset + u64::from(bytes) <= object.size
            {
                object.write_concrete(offset, bytes as usize, value.bits);
                return Ok(());
            }
        }
        self.store_slow(state, addr, value, bytes, width)
    }

    fn store_slow(&mut self, state: &mut State, addr: Value, value: Value, bytes: u8, width: u8) -> StepResult<()> {
        let place = self.resolve(state, addr, u64::from(bytes), Access::Write)?;
        let value = match value.expr {
            Some(expr) if width < bytes * 8 => Value { expr: Some(self.pool.zext(expr, bytes * 8)), ..value },
            _ => value,
        };
        let content = self.to_content(value, width);
        match place.offset {
            Offset::Concrete(offset) => {
                let object = self.object_mut(state, place.object)?;
                write(object, offset, bytes, &content);
                Ok(())
            }
            Offset::Symbolic(offset) => {
                self.check_halt()?;
                self.store_symbolic(state, place.object, offset, &content, bytes)
            }
        }
    }

    /// Finds the object that an address points to and checks that an access of `len` bytes is allowed.
    pub(crate) fn resolve(
        &mut self,
        state: &mut State,
        addr: Value,
        len: u64,
        access: Access,
    ) -> StepResult<ResolvedAddress> {
        self.check_initialised(state, addr, "an address")?;
        let reason = if access == Access::Read { Reason::Load } else { Reason::Store };
        let mut addr = self.settle(state, addr, reason);
        if let Some(expr) = addr.expr
            && !self.address_selectors.is_empty()
            && self.is_selected(state, expr)
        {
            addr = Value::concrete(self.pin(state, addr)?);
        }
        let Some(expr) = addr.expr else {
            self.consult(state, addr.bits);
            return match self.access_error(state, addr.bits, len, access, None) {
                None => {
                    let object = state.memory.find(addr.bits);
                    let place = ResolvedAddress { object, offset: Offset::Concrete(addr.bits - object.address()) };
                    self.check_end(state, place, len, access)?;
                    Ok(place)
                }
                Some(error) => Err(self.access_failure(state, addr.bits, None, error)),
            };
        };
        self.check_base(state, expr, len, access)?;
        let mut address = self.eval(expr);
        let Candidates { objects, complete } = self.candidates(state, expr, address, len);
        objects.iter().for_each(|id| self.consult(state, id.address()));
        let hit = objects.iter().position(|id| self.in_bounds_now(state, *id, address, len));
        let offsets = last_offsets(state, &objects, len);
        let bug = complete.then_some(out_of_bounds(access));
        let taken =
            self.decide(state, DecisionKind::Pointer, |machine| machine.pointer_choices(offsets, expr, hit, bug))?;
        let object = match taken {
            ChoiceKey::Object(address) => Some(ObjectId::of(address)),
            _ if complete => None,
            _ => self.decide_object(state, expr, address, len)?,
        };
        match object {
            Some(object) => {
                // With a recorded choice, the address need not evaluate to one inside this object.
                if !self.in_bounds_now(state, object, address, len) {
                    address = object.address();
                }
                if let Some(error) = self.access_error(state, address, len, access, Some(object)) {
                    return Err(self.access_failure(state, address, Some(object), error));
                }
                let size = state.memory.get(object).map_or(0, |object| object.size);
                let place = match only_offset(&self.pool, self.options.tuning.address_nodes, expr, object, size - len) {
                    Some(offset) => ResolvedAddress { object, offset: Offset::Concrete(offset) },
                    None => {
                        let offset = self.offset_in(expr, object);
                        match self.pool.as_const(offset) {
                            Some(offset) => ResolvedAddress { object, offset: Offset::Concrete(offset as u64) },
                            None => ResolvedAddress { object, offset: Offset::Symbolic(offset) },
                        }
                    }
                };
                self.check_end(state, place, len, access)?;
                Ok(place)
            }
            None => {
                if !complete {
                    state.give_up(&self.program, GivenUp::Pointer);
                }
                let derived_from = objects.first().copied();
                let error = self.access_error(state, address, len, access, derived_from).unwrap_or((
                    out_of_bounds(access),
                    format!(
                        "{} of {len} bytes through a pointer that was derived from an unrelated object",
                        verb(access)
                    ),
                ));
                Err(self.access_failure(state, address, derived_from, error))
            }
        }
    }

    /// Whether an address depends on nothing but selectors of addresses.
    #[cold]
    fn is_selected(&mut self, state: &State, address: Expr) -> bool {
        let address = self.real(state, address);
        let bytes = self.pool.support_bytes(self.pool.support(address));
        !bytes.is_empty() && bytes.iter().all(|byte| self.address_selectors.contains(byte))
    }

    /// Ends the path because an access is not allowed. Where the variable is only declared, it is not known whether it
    /// is.
    #[cold]
    fn access_failure(
        &self,
        state: &State,
        address: u64,
        derived_from: Option<ObjectId>,
        (kind, message): (BugKind, String),
    ) -> Stop {
        let global = |id: ObjectId| self.program.globals.get(id.global()?.index());
        let candidates = [Some(state.memory.nearest(address)), derived_from];
        match candidates.into_iter().flatten().filter_map(global).find(|global| global.external) {
            Some(global) => self.unsupported(state, format!("external variable `{}`", global.name)),
            None => self.bug(state, kind, message),
        }
    }

    /// Checks that the base of a sum is not null: whatever the offset is, the sum does not point to an object.
    fn check_base(&mut self, state: &mut State, address: Expr, len: u64, access: Access) -> StepResult<()> {
        let Some((base, nulls)) = base_with_nulls(&self.pool, &self.options.tuning, address) else { return Ok(()) };
        let mut valid = self.pool.bool(true);
        for null in nulls {
            let null = self.pool.constant(64, u128::from(null));
            let other = self.pool.ne(base, null);
            valid = self.pool.and(valid, other);
        }
        if self.decide_condition(state, DecisionKind::Check, valid, Some(BugKind::NullPointer))? {
            return Ok(());
        }
        Err(self.bug(state, BugKind::NullPointer, null_message(len, access)))
    }

    /// Checks that an access does not pass the end of the object, if that depends on the input.
    #[inline]
    fn check_end(&mut self, state: &mut State, place: ResolvedAddress, len: u64, access: Access) -> StepResult<()> {
        match state.memory.get(place.object).and_then(|object| object.end) {
            None => Ok(()),
            Some(ObjectEnd::AtZero(text)) => self.check_text(state, place, len, access, text),
            Some(ObjectEnd::AtSize(size)) => self.check_size(state, place, len, access, size),
        }
    }

    /// Checks that an access ends within so many bytes.
    fn check_size(
        &mut self,
        state: &mut State,
        place: ResolvedAddress,
        len: u64,
        access: Access,
        size: Expr,
    ) -> StepResult<()> {
        let bytes = self.pool.constant(64, u128::from(len));
        let end = match place.offset {
            Offset::Concrete(offset) => self.pool.constant(64, u128::from(offset + len)),
            Offset::Symbolic(offset) => self.pool.add(offset, bytes),
        };
        let inside = self.pool.ule(end, size);
        let kind = out_of_bounds(access);
        if self.decide_condition(state, DecisionKind::Check, inside, Some(kind))? {
            return Ok(());
        }
        let (end, size) = (self.eval(end), self.eval(size));
        let name = state.memory.get(place.object).map_or("?", |object| &*object.allocated_at.name).to_string();
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let message = format!(
            "{} of {len} byte{} at offset {} of `{name}` ({size} byte{})",
            verb(access),
            plural(len),
            end.wrapping_sub(len),
            plural(size)
        );
        Err(self.bug(state, kind, message))
    }

    /// Checks that an access to a string does not pass its terminator: no character before the last accessed byte is 0.
    fn check_text(
        &mut self,
        state: &mut State,
        place: ResolvedAddress,
        len: u64,
        access: Access,
        text: Characters,
    ) -> StepResult<()> {
        let mut inside = self.pool.bool(true);
        for position in 0..u64::from(text.len) {
            let end = text.start + position + 1;
            let beyond = match place.offset {
                Offset::Concrete(offset) => self.pool.bool(offset + len > end),
                Offset::Symbolic(offset) => {
                    let last = self.pool.constant(64, u128::from(end.saturating_sub(len)));
                    if end >= len { self.pool.ugt(offset, last) } else { self.pool.bool(true) }
                }
            };
            if self.pool.is_false(beyond) {
                continue;
            }
            let character = self.pool.input(text.first + position as u32, 1);
            let zero = self.pool.constant(8, 0);
            let goes_on = self.pool.ne(character, zero);
            let stays = self.pool.not(beyond);
            let fine = self.pool.or(stays, goes_on);
            // One decision per character: facts about single bytes are refuted or implied without a solver.
            if let Offset::Concrete(_) = place.offset {
                self.decide_inside(state, place, fine, access)?;
            } else {
                inside = self.pool.and(inside, fine);
            }
        }
        self.decide_inside(state, place, inside, access)
    }

    fn decide_inside(
        &mut self,
        state: &mut State,
        place: ResolvedAddress,
        inside: Expr,
        access: Access,
    ) -> StepResult<()> {
        let kind = out_of_bounds(access);
        if self.decide_condition(state, DecisionKind::Check, inside, Some(kind))? {
            return Ok(());
        }
        let name = state.memory.get(place.object).map_or("?", |object| &*object.allocated_at.name).to_string();
        Err(self.bug(state, kind, format!("{} past the end of the string `{name}`", verb(access))))
    }

    /// The choices for an address: in bounds of one of the objects, or of none, which is a bug if the list is complete.
    fn pointer_choices(
        &mut self,
        objects: Vec<(ObjectId, Option<u64>)>,
        address: Expr,
        hit: Option<usize>,
        bug: Option<BugKind>,
    ) -> (Choice, SmallVec<[Choice; 1]>) {
        let mut choices = Vec::with_capacity(objects.len() + 1);
        let mut none = self.pool.bool(true);
        let distance = self.options.tuning.witness_distance;
        let mut near = self.pool.bool(false);
        for (id, last_offset) in objects {
            let inside = match last_offset {
                None => self.pool.bool(false),
                Some(last) => {
                    let offset = self.offset_in(address, id);
                    let last_expr = self.pool.constant(64, u128::from(last));
                    let start = self.pool.constant(64, u128::from(distance));
                    let shifted = self.pool.add(offset, start);
                    let reach = self.pool.constant(64, u128::from(last + 2 * distance));
                    let close = self.pool.ule(shifted, reach);
                    near = self.pool.or(near, close);
                    self.pool.ule(offset, last_expr)
                }
            };
            choices.push(Choice::new(inside, ChoiceKey::Object(id.address())));
            let outside = self.pool.not(inside);
            none = self.pool.and(none, outside);
        }
        let mut outside = Choice::new(none, ChoiceKey::Elsewhere);
        outside.prefer = Some(near);
        outside.bug = bug;
        choices.push(outside);
        let chosen = choices.remove(hit.unwrap_or(choices.len() - 1));
        let possible = choices.into_iter().filter(|choice| !self.pool.is_false(choice.condition)).collect();
        (chosen, possible)
    }

    fn offset_in(&mut self, address: Expr, object: ObjectId) -> Expr {
        let base = self.pool.constant(64, u128::from(object.address()));
        self.pool.sub(address, base)
    }

    /// The objects that an address may have been derived from: those that its constants point into. The one that it now
    /// points to comes first.
    fn candidates(&mut self, state: &State, address: Expr, now: u64, len: u64) -> Candidates {
        // Expressions over holes do not show which objects they point to; those of the real path do.
        let address = self.real(state, address);
        let origins = origins(&self.pool, &self.options.tuning, address);
        let is_whole = |leaf: &u64| {
            let id = state.memory.nearest(*leaf);
            id.0 == 0 || state.memory.get(id).is_some()
        };
        let complete = origins.complete && origins.bases.iter().all(is_whole);
        let mut objects = Vec::new();
        for leaf in origins.addresses {
            let id = state.memory.nearest(leaf);
            if id.0 != 0 && !objects.contains(&id) && state.memory.get(id).is_some() {
                objects.push(id);
            }
        }
        let id = state.memory.find(now);
        match objects.iter().position(|candidate| *candidate == id) {
            Some(index) => objects.swap(0, index),
            // An address computed from the input alone is in an object only if the path condition implies it.
            None if objects.is_empty() && complete && self.is_inside(state, address, id, len) => objects.push(id),
            None => {}
        }
        Candidates { objects, complete }
    }

    /// The path condition implies that an access to an address is in bounds of an object.
    fn is_inside(&mut self, state: &State, address: Expr, id: ObjectId, len: u64) -> bool {
        let Some(last) = state.memory.get(id).and_then(|object| object.size.checked_sub(len)) else { return false };
        let inside = self.inside(address, id, last);
        let outside = self.pool.not(inside);
        state.path.refutes(&mut self.pool, outside)
    }

    /// Decides whether an address is in bounds of the object that it now points to. Used where the expression does not
    /// show all the objects that it may point to: the other side stays pending, and an input found for it comes here
    /// again.
    fn decide_object(&mut self, state: &mut State, address: Expr, now: u64, len: u64) -> StepResult<Option<ObjectId>> {
        let here = Some(state.memory.find(now)).filter(|id| self.in_bounds_now(state, *id, now, len));
        loop {
            let decision = state.path.len() as u32;
            let Some(asked) = self.recorded_value(decision).map(ObjectId::of).or(here) else { return Ok(None) };
            let last = state.memory.get(asked).map_or(0, |object| object.size.saturating_sub(len));
            let taken = self.decide(state, DecisionKind::Pointer, |machine| {
                let condition = machine.inside(address, asked, last);
                let negation = machine.pool.not(condition);
                let this = Choice::new(condition, ChoiceKey::Object(asked.address()));
                let other = Choice::new(negation, ChoiceKey::OtherThan(asked.address()));
                if Some(asked) == here { (this, smallvec![other]) } else { (other, smallvec![this]) }
            })?;
            if let ChoiceKey::Object(address) = taken {
                return Ok(Some(ObjectId::of(address)));
            }
        }
    }

    /// The condition that an access is in bounds of an object, where `last` is the last offset at which it may start.
    fn inside(&mut self, address: Expr, object: ObjectId, last: u64) -> Expr {
        let offset = self.offset_in(address, object);
        let last = self.pool.constant(64, u128::from(last));
        self.pool.ule(offset, last)
    }

    fn in_bounds_now(&self, state: &State, id: ObjectId, address: u64, len: u64) -> bool {
        let offset = address.wrapping_sub(id.address());
        state.memory.get(id).is_some_and(|object| object.size >= len && offset <= object.size - len)
    }

    /// What is wrong with an access to a concrete address, if anything. `derived_from` is the object that the address
    /// was derived from, if known.
    fn access_error(
        &self,
        state: &State,
        address: u64,
        len: u64,
        access: Access,
        derived_from: Option<ObjectId>,
    ) -> Option<(BugKind, String)> {
        let verb = verb(access);
        let plural = if len == 1 { "" } else { "s" };
        if is_null(address) {
            return Some((BugKind::NullPointer, null_message(len, access)));
        }
        let offset_in = |id: &ObjectId| address.wrapping_sub(id.address()) as i64;
        let nearest = Some(state.memory.nearest(address));
        let is_near = |id: &ObjectId| state.memory.get(*id).is_some_and(|object| is_near(offset_in(id), object.size));
        let found =
            nearest.filter(is_near).or(derived_from).and_then(|id| Some((offset_in(&id), state.memory.get(id)?)));
        let Some((offset, object)) = found else {
            let message = format!("{verb} of {len} byte{plural} at address {address:#x}, where there is no object");
            return Some((out_of_bounds(access), message));
        };
        let describe =
            |what: &str| format!("{verb} of {len} byte{plural} at offset {offset} of {what}{}", object.describe());
        if !object.alive {
            return Some(match object.kind {
                ObjectKind::Heap => (BugKind::UseAfterFree, describe("freed ")),
                _ => (BugKind::DeadStack, describe("the out-of-scope variable ")),
            });
        }
        if offset < 0 || object.size < len || offset as u64 > object.size - len {
            if access == Access::Read && *object.allocated_at.name == *ARGUMENT_AREA {
                return Some((BugKind::BadCall, "a variable argument is read that was not passed".to_string()));
            }
            return Some((out_of_bounds(access), describe("")));
        }
        if access == Access::Write && object.kind == ObjectKind::Constant {
            return Some((BugKind::ReadOnlyWrite, describe("the constant ")));
        }
        None
    }

    /// Reads at an offset that is in bounds.
    fn load_concrete(&mut self, state: &mut State, id: ObjectId, offset: u64, bytes: u8) -> StepResult<Content> {
        self.read_unwritten(state, id, offset, bytes.into(), bytes.into());
        let object = state.memory.get(id).ok_or_else(|| self.lost_object(state))?;
        Ok(read(&mut self.pool, object, offset, bytes))
    }

    /// Reads at a symbolic offset that is in bounds.
    fn load_symbolic(&mut self, state: &mut State, id: ObjectId, offset: Expr, bytes: u8) -> StepResult<Content> {
        self.check_halt()?;
        let Some(window) = self.window(state, id, offset, bytes)? else {
            let offset = self.pin(state, Value::symbolic(offset))?;
            return self.load_concrete(state, id, offset, bytes);
        };
        self.read_window(state, id, &window, bytes);
        let object = state.memory.get(id).ok_or_else(|| self.lost_object(state))?;
        // Each element is read as a whole, even if the next one starts before its end, so that a pointer stays in one
        // piece.
        let mut contents = Vec::with_capacity(window.count as usize);
        let mut written = true;
        for number in 0..window.count {
            let content = read(&mut self.pool, object, window.offset(number), bytes);
            written &= content.is_written();
            contents.push(match content.value.expr {
                Some(expr) => expr,
                None => self.pool.constant(bytes * 8, u128::from(content.value.bits)),
            });
        }
        let mut unwritten = [Unwritten::No; 8];
        if !written {
            for (part, bytes) in window.parts(bytes).zip(unwritten.chunks_mut(usize::from(window.stride))) {
                self.choose_unwritten(object, &part, bytes);
            }
        }
        let result = self.element_at(&contents, window.index);
        Ok(Content::new(self.value(result), unwritten))
    }

    /// Sets, for each byte of the accessed element, whether it was not written.
    fn choose_unwritten(&mut self, object: &Object, elements: &Elements, unwritten: &mut [Unwritten]) {
        let most = self.options.tuning.symbolic_writes;
        let mut last: Option<(Vec<Unwritten>, Unwritten)> = None;
        for (byte, unwritten) in (0..).zip(unwritten) {
            let all: Vec<Unwritten> =
                (0..elements.count).map(|number| object.unwritten(elements.offset(number) + byte)).collect();
            // The bytes of an element were mostly written together, so one result usually serves for all.
            *unwritten = match &last {
                Some((same, chosen)) if *same == all => *chosen,
                _ => chosen(&mut self.pool, elements, &all, &object.symbolic_writes, most),
            };
            last = Some((all, *unwritten));
        }
    }

    /// The element with a symbolic number, which is in bounds.
    fn element_at(&mut self, elements: &[Expr], number: Expr) -> Expr {
        if elements.len() > self.options.tuning.few_elements {
            let table = self.pool.table(elements);
            return self.pool.select(table, number);
        }
        let mut chosen = elements[0];
        for (index, element) in elements.iter().enumerate().skip(1) {
            let index = self.pool.constant(64, index as u128);
            let here = self.pool.eq(number, index);
            chosen = self.pool.ite(here, *element, chosen);
        }
        chosen
    }

    /// Writes at a symbolic offset that is in bounds: each element that may be accessed becomes a choice between the
    /// new and the old value.
    fn store_symbolic(
        &mut self,
        state: &mut State,
        id: ObjectId,
        offset: Expr,
        content: &Content,
        bytes: u8,
    ) -> StepResult<()> {
        // Conditions for bytes that were never written grow with each write: after some, the offset is decided.
        let most = self.options.tuning.symbolic_writes;
        let is_tangled = state.memory.get(id).is_some_and(|object| object.symbolic_writes.len() > most);
        let window = if is_tangled { None } else { self.window(state, id, offset, bytes)? };
        let Some(window) = window else {
            let offset = self.pin(state, Value::symbolic(offset))?;
            let object = self.object_mut(state, id)?;
            write(object, offset, bytes, content);
            return Ok(());
        };
        self.read_window(state, id, &window, bytes);
        let whole = self.expr(content.value, bytes * 8);
        for (part, elements) in window.parts(bytes).enumerate() {
            let first = part as u8 * elements.stride;
            let new = self.pool.extract(whole, first * 8, elements.stride * 8);
            let mut all_written = true;
            for number in 0..elements.count {
                let at = elements.offset(number);
                let object = state.memory.get(id).ok_or_else(|| self.lost_object(state))?;
                let old = read(&mut self.pool, object, at, elements.stride);
                let old_expr = self.expr(old.value, elements.stride * 8);
                let number = self.pool.constant(64, u128::from(number));
                let here = self.pool.eq(elements.index, number);
                let merged = self.pool.ite(here, new, old_expr);
                let mut unwritten = [Unwritten::No; 8];
                all_written &= old.is_written();
                if !old.is_written() || !content.is_written() {
                    for byte in 0..elements.stride {
                        unwritten[usize::from(byte)] =
                            replaced(&mut self.pool, here, content.unwritten(first + byte), old.unwritten(byte));
                    }
                }
                let merged = Content::new(self.value(merged), unwritten);
                let object = self.object_mut(state, id)?;
                write(object, at, elements.stride, &merged);
            }
            if !all_written {
                note_write(self.object_mut(state, id)?, elements, most);
            }
        }
        Ok(())
    }

    fn read_window(&mut self, state: &mut State, id: ObjectId, window: &Elements, bytes: u8) {
        let len = (window.count - 1) * u64::from(window.stride) + u64::from(bytes);
        self.read_unwritten(state, id, window.start, len, window.stride.into());
    }

    /// Views an object as an array for an access at a symbolic offset; `None` if the array would have too many
    /// elements.
    fn window(&mut self, state: &State, id: ObjectId, offset: Expr, bytes: u8) -> StepResult<Option<Elements>> {
        let size = state.memory.get(id).ok_or_else(|| self.lost_object(state))?.size;
        let last = size - u64::from(bytes);
        let (low, high) = self.pool.unsigned_range(offset);
        let (low, high) = ((low as u64).min(last), (high.min(u128::from(last))) as u64);
        // The wider the stride, the fewer elements. It is the largest power of two modulo which all offsets are known
        // to be equal.
        let mut alignments = (0..=bytes.trailing_zeros() as u8).rev();
        let aligned = alignments.find_map(|bits| match bits {
            0 => Some((0, 0)),
            _ => {
                let below = self.pool.extract(offset, 0, bits);
                Some((bits, self.pool.as_const(below)? as u64))
            }
        });
        let (stride_bits, remainder) = aligned.unwrap_or((0, 0));
        let stride = 1 << stride_bits;
        let step = u64::from(stride);
        // The offset of element n is start + n * stride.
        let start = if low >= remainder { low - (low - remainder) % step } else { remainder };
        let count = if high >= start { (high - start) / step + 1 } else { 1 };
        let parts = u64::from(bytes / stride);
        if count * parts > self.options.max_elements {
            return Ok(None);
        }
        let start_expr = self.pool.constant(64, u128::from(start));
        let relative = self.pool.sub(offset, start_expr);
        let index = if stride > 1 {
            let shift = self.pool.constant(64, u128::from(stride_bits));
            self.pool.lshr(relative, shift)
        } else {
            relative
        };
        Ok(Some(Elements { start, count, stride, index }))
    }

    /// A byte at this symbolic offset can be read and written without concretising the offset.
    pub(crate) fn is_enumerable(&mut self, state: &State, id: ObjectId, offset: Expr) -> StepResult<bool> {
        Ok(self.window(state, id, offset, 1)?.is_some())
    }

    /// Reads one byte of a place whose bounds were checked.
    pub(crate) fn read_place(
        &mut self,
        state: &mut State,
        place: ResolvedAddress,
        position: u64,
    ) -> StepResult<Content> {
        match self.shifted(place, position) {
            Offset::Concrete(offset) => self.load_concrete(state, place.object, offset, 1),
            Offset::Symbolic(offset) => self.load_symbolic(state, place.object, offset, 1),
        }
    }

    /// Writes one byte of a place whose bounds were checked.
    pub(crate) fn write_place(
        &mut self,
        state: &mut State,
        place: ResolvedAddress,
        position: u64,
        content: &Content,
    ) -> StepResult<()> {
        match self.shifted(place, position) {
            Offset::Concrete(offset) => {
                write(self.object_mut(state, place.object)?, offset, 1, content);
                Ok(())
            }
            Offset::Symbolic(offset) => self.store_symbolic(state, place.object, offset, content, 1),
        }
    }

    fn shifted(&mut self, place: ResolvedAddress, position: u64) -> Offset {
        match place.offset {
            Offset::Concrete(offset) => Offset::Concrete(offset + position),
            Offset::Symbolic(expr) => {
                let distance = self.pool.constant(64, u128::from(position));
                Offset::Symbolic(self.pool.add(expr, distance))
            }
        }
    }

    /// The number of bytes from an address to the end of its object: `llvm.objectsize`. The object is decided on; the
    /// offset stays symbolic.
    pub(crate) fn object_size(&mut self, state: &mut State, addr: Value, min: bool) -> StepResult<Value> {
        let unknown = Value::concrete(if min { 0 } else { u64::MAX });
        let addr = self.settle(state, addr, Reason::Control);
        let Some(expr) = addr.expr else {
            self.consult(state, addr.bits);
            let id = state.memory.find(addr.bits);
            if state.memory.get(id).is_none_or(|object| !object.alive) {
                return Ok(unknown);
            }
            let size = self.size_of(state, id)?;
            return Ok(Value::concrete(size.saturating_sub(addr.bits - id.address())));
        };
        let address = self.eval(expr);
        let Candidates { mut objects, .. } = self.candidates(state, expr, address, 0);
        objects.retain(|id| state.memory.get(*id).is_some_and(|object| object.alive));
        let sizes: Vec<u64> = objects.iter().map(|id| state.memory.get(*id).map_or(0, |object| object.size)).collect();
        let mut cases = Vec::new();
        let mut none = self.pool.bool(true);
        for (id, size) in objects.iter().zip(&sizes) {
            let offset = self.offset_in(expr, *id);
            let size = self.pool.constant(64, u128::from(*size));
            let inside = self.pool.ule(offset, size);
            let outside = self.pool.not(inside);
            none = self.pool.and(none, outside);
            cases.push(inside);
        }
        cases.push(none);
        let case = self.decide_case(state, DecisionKind::Pointer, &cases)?;
        let (Some(id), Some(size)) = (objects.get(case), sizes.get(case)) else { return Ok(unknown) };
        let offset = self.offset_in(expr, *id);
        let size = self.pool.constant(64, u128::from(*size));
        let left = self.pool.sub(size, offset);
        Ok(self.value(left))
    }

    /// An object, to change it.
    pub(crate) fn object_mut<'s>(&self, state: &'s mut State, id: ObjectId) -> StepResult<&'s mut Object> {
        if state.memory.get(id).is_none() {
            return Err(self.lost_object(state));
        }
        match state.memory.get_mut(id) {
            Some(object) => Ok(object),
            None => unreachable!("the object exists"),
        }
    }

    /// An object vanished between the check and the access. This is an internal error, reported as an unsupported
    /// construct.
    #[cold]
    pub(crate) fn lost_object(&self, state: &State) -> Stop {
        self.unsupported(state, "an access to an unknown object (internal error)")
    }
}

/// The objects that an address may point into.
struct Candidates {
    objects: Vec<ObjectId>,
    /// The address was derived from no other object.
    complete: bool,
}

/// The address is a null pointer, possibly with a small offset, which may be negative.
fn is_null(address: u64) -> bool {
    address.wrapping_add(NULL_ZONE) < 2 * NULL_ZONE
}

fn null_message(len: u64, access: Access) -> String {
    format!("{} of {len} byte{} through a null pointer", verb(access), if len == 1 { "" } else { "s" })
}

/// If an address is a pointer plus an offset that depends on the input, and the pointer may be null: the pointer and
/// its null values.
fn base_with_nulls(pool: &Pool, tuning: &Tuning, address: Expr) -> Option<(Expr, Vec<u64>)> {
    let Node::Binary(BinaryOp::Add, ..) = pool.node(address) else { return None };
    let mut choices: SmallVec<[Expr; 4]> = SmallVec::new();
    let mut has_offset = false;
    let mut stack: SmallVec<[Expr; 8]> = smallvec![address];
    while let Some(term) = stack.pop() {
        match pool.node(term) {
            Node::Binary(BinaryOp::Add, a, b) => stack.extend([b, a]),
            Node::Ite(..) | Node::Select { .. } => choices.push(term),
            // Most often the base is an object, which cannot be null.
            Node::Const { value, .. } if ObjectId::nearest_to(value as u64).0 != 0 => return None,
            Node::Const { .. } => {}
            _ => has_offset = true,
        }
    }
    let mut bases = Vec::new();
    for term in choices {
        let addresses = origins(pool, tuning, term).addresses;
        if addresses.iter().any(|leaf| !is_null(*leaf) && ObjectId::nearest_to(*leaf).0 != 0) {
            bases.push((term, addresses));
        } else {
            has_offset = true;
        }
    }
    if bases.len() > 1 {
        return None;
    }
    let (base, mut nulls) = bases.pop().filter(|_| has_offset)?;
    nulls.retain(|leaf| is_null(*leaf));
    (!nulls.is_empty()).then_some((base, nulls))
}

/// An address at this offset was most likely meant to be in an object of this size.
pub(crate) fn is_near(offset: i64, size: u64) -> bool {
    (-NEAR..=size as i64 + NEAR).contains(&offset)
}

fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
    }
}

fn out_of_bounds(access: Access) -> BugKind {
    match access {
        Access::Read => BugKind::OutOfBoundsRead,
        Access::Write => BugKind::OutOfBoundsWrite,
    }
}

/// For each object, the last offset at which an access of `len` bytes is in bounds; `None` if the object is too small.
fn last_offsets(state: &State, ids: &[ObjectId], len: u64) -> Vec<(ObjectId, Option<u64>)> {
    ids.iter().map(|id| (*id, state.memory.get(*id).and_then(|object| object.size.checked_sub(len)))).collect()
}

/// The only offset up to `last` at which an address can be in an object, if there is just one. A pointer that may be
/// null has one such offset where it is not null.
fn only_offset(pool: &Pool, most_nodes: usize, address: Expr, object: ObjectId, last: u64) -> Option<u64> {
    let mut only = None;
    let mut stack = vec![(address, 0u64)];
    for _ in 0..most_nodes {
        let Some((expr, added)) = stack.pop() else { return only };
        if let Some(bits) = pool.as_const(expr) {
            let offset = (bits as u64).wrapping_add(added).wrapping_sub(object.address());
            if offset <= last && only.replace(offset).is_some_and(|other| other != offset) {
                return None;
            }
            continue;
        }
        match pool.node(expr) {
            Node::Ite(_, a, b) => stack.extend([(b, added), (a, added)]),
            Node::Binary(BinaryOp::Add, a, b) => {
                let (constant, rest) = if pool.as_const(a).is_some() { (a, b) } else { (b, a) };
                stack.push((rest, added.wrapping_add(pool.as_const(constant)? as u64)));
            }
            _ => return None,
        }
    }
    None
}

/// Reads up to 8 bytes at a concrete offset that is in bounds.
pub(crate) fn read(pool: &mut Pool, object: &Object, offset: u64, bytes: u8) -> Content {
    if let Some(bits) = object.read_concrete(offset, bytes as usize) {
        return Content::written(Value::concrete(bits));
    }
    let value = read_value(pool, object, offset, bytes);
    if !object.has_uninit(offset, bytes.into()) {
        return Content::written(value);
    }
    let mut unwritten = [Unwritten::No; 8];
    for (position, unwritten) in (offset..offset + u64::from(bytes)).zip(&mut unwritten) {
        *unwritten = object.unwritten(position);
    }
    Content::new(value, unwritten)
}

/// What a read in bounds finds, if every byte certainly was written and where the object ends does not depend on the
/// input.
fn read_written(pool: &mut Pool, object: &Object, offset: u64, bytes: u8) -> Option<Value> {
    let is_plain = object.end.is_none() && !object.has_uninit(offset, bytes.into());
    is_plain.then(|| read_value(pool, object, offset, bytes))
}

/// The bytes at an offset, whether they were written or not.
fn read_value(pool: &mut Pool, object: &Object, offset: u64, bytes: u8) -> Value {
    let mut result: Option<Expr> = None;
    let mut at = 0;
    while at < bytes {
        let position = offset + u64::from(at);
        let mut len = 1;
        let part = match object.cell(position).get() {
            Some((expr, first)) => {
                while at + len < bytes
                    && object.cell(position + u64::from(len)) == Cell::new(expr, first + u32::from(len))
                    && (first as u8 + len) * 8 < pool.width(expr)
                {
                    len += 1;
                }
                pool.extract(expr, first as u8 * 8, len * 8)
            }
            None => {
                let mut bits = u64::from(object.byte(position));
                while at + len < bytes && object.cell(position + u64::from(len)) == Cell::NONE {
                    bits |= u64::from(object.byte(position + u64::from(len))) << (8 * len);
                    len += 1;
                }
                pool.constant(len * 8, u128::from(bits))
            }
        };
        result = Some(match result {
            None => part,
            Some(low) => pool.concat(part, low),
        });
        at += len;
    }
    match result {
        None => Value::ZERO,
        Some(expr) => match pool.as_const(expr) {
            Some(bits) => Value::concrete(bits as u64),
            None => Value::symbolic(expr),
        },
    }
}

/// Writes up to 8 bytes at a concrete offset that is in bounds; an expression has exactly that width.
pub(crate) fn write(object: &mut Object, offset: u64, bytes: u8, content: &Content) {
    match content.value.expr {
        None => object.write_concrete(offset, bytes as usize, content.value.bits),
        Some(expr) => {
            for byte in 0..bytes {
                object.set_cell(offset + u64::from(byte), Cell::new(expr, u32::from(byte)));
            }
        }
    }
    if !content.is_written() {
        (0..bytes).for_each(|byte| object.set_unwritten(offset + u64::from(byte), content.unwritten(byte)));
    }
}
