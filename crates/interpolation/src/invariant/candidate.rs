//! What may be an invariant of a loop: which locations change, which values they have, and relations between them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use secateur_expr::{Expr, Intervals};
use secateur_machine::{LiveSlots, Location, Machine, ObjectId, State, Value};
use secateur_path::ChoiceKey;
use secateur_program::function_at;

use super::Head;
use super::samples::Sample;
use crate::clauses::{Clauses, Core};
use crate::interpolant::Interpolant;
use crate::tuning::Tuning;

/// Addresses of objects and functions are not lower.
const LOWEST_ADDRESS: u64 = 1 << 20;

/// A candidate for an invariant. All other locations are as at the head.
pub(crate) struct Candidate {
    head: State,
    input: Arc<[u8]>,
    /// The locations that may change.
    pub fields: BTreeMap<Location, Field>,
    /// The variables that may be written. Those of their bytes that are in no field must be as at the head.
    pub touched: BTreeSet<ObjectId>,
    /// The slots that may be read. Those that are no fields must be as at the head.
    slots: Vec<Location>,
    /// Relations: conditions over the holes of fields, and over input that is read in the round, that do not all hold.
    pub relations: Vec<Vec<Expr>>,
    tuning: Tuning,
}

/// A location that may change.
pub(crate) struct Field {
    pub hole: Expr,
    /// Its values; `None` if it has any.
    pub values: Option<BTreeSet<u64>>,
    /// Some of its values are addresses: so its values are listed, or it would not show which objects are meant.
    is_pointer: bool,
}

/// The state that stands for all states of a candidate.
pub(crate) struct Root {
    pub state: State,
    pub input: Vec<u8>,
    /// Which field's byte each input byte is; the first input byte is number `first`.
    pub bytes: Vec<FieldByte>,
    pub first: u32,
}

impl Root {
    /// The input bytes of fields that have few values: where they determine an address, each is tried.
    pub(crate) fn selectors(&self, candidate: &Candidate) -> FxHashSet<u32> {
        let few: FxHashSet<Expr> =
            candidate.fields.values().filter(|field| field.values.is_some()).map(|field| field.hole).collect();
        let is_selector = |byte: &FieldByte| match byte {
            FieldByte::Index(_) => true,
            FieldByte::Part { hole, .. } => few.contains(hole),
        };
        let bytes = (self.first..).zip(&self.bytes);
        bytes.filter(|(_, byte)| is_selector(byte)).map(|(index, _)| index).collect()
    }
}

/// What an input byte of the root means.
#[derive(Clone, Copy)]
pub(crate) enum FieldByte {
    /// The byte of this number of the field with this hole.
    Part { hole: Expr, byte: u8 },
    /// The index of the value that the field at this location has.
    Index(Location),
}

/// Something about the candidate cannot be expressed, or there is too much of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hopeless;

impl Candidate {
    pub(crate) fn new(machine: &mut Machine, head: &Head<'_>, live: &Rc<dyn LiveSlots>, tuning: &Tuning) -> Candidate {
        let slots = machine.live_slots(head.state, &**live);
        Candidate {
            head: head.state.clone(),
            input: Arc::clone(head.input),
            fields: BTreeMap::new(),
            touched: BTreeSet::new(),
            slots,
            relations: Vec::new(),
            tuning: tuning.clone(),
        }
    }

    /// The state at the head.
    pub(crate) fn head(&self) -> &State {
        &self.head
    }

    /// The tuned numbers.
    pub(crate) fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Its input.
    pub(crate) fn input(&self) -> &Arc<[u8]> {
        &self.input
    }

    /// Adds what differs in a state at the head to the fields. Returns whether anything is new.
    pub(crate) fn add_differences(&mut self, machine: &mut Machine, state: &State) -> Result<bool, Hopeless> {
        let before = (self.fields.len(), self.touched.len());
        self.touched.extend(self.head.changed_objects(state));
        for object in self.touched.clone() {
            let bytes = self.head.differing_bytes(&mut machine.pool, state, object);
            self.add_bytes(machine, object, &bytes, state)?;
        }
        for slot in self.slots.clone() {
            let (before, now) = (machine.value_at(&self.head, slot), machine.value_at(state, slot));
            if before != now || before.is_none_or(|(value, _)| value.expr.is_some()) {
                self.add_field(machine, slot)?;
            }
        }
        Ok(before != (self.fields.len(), self.touched.len()))
    }

    /// Adds bytes of a variable, in units in which the program reads them. In `state` they differ from the head.
    fn add_bytes(
        &mut self,
        machine: &mut Machine,
        object: ObjectId,
        bytes: &[u64],
        state: &State,
    ) -> Result<(), Hopeless> {
        let wanted: BTreeSet<u64> = bytes.iter().copied().filter(|byte| !self.has_byte(object, *byte)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut units: BTreeMap<u64, u8> = BTreeMap::new();
        for location in machine.holes.locations() {
            if let Location::Bytes { object: other, offset, len } = *location
                && other == object
            {
                let least = units.entry(offset).or_insert(len);
                *least = len.min(*least);
            }
        }
        let mut end = 0;
        for byte in wanted {
            if byte < end {
                continue;
            }
            // The unit that contains the byte, if it does not overlap another field.
            let unit = units.range(..=byte).next_back().filter(|(start, len)| byte < **start + u64::from(**len));
            let (offset, len) = match unit {
                Some((start, len)) if (*start..*start + u64::from(*len)).all(|at| !self.has_byte(object, at)) => {
                    (*start, *len)
                }
                _ => self.natural_unit(machine, object, byte, state),
            };
            end = offset + u64::from(len);
            self.add_field(machine, Location::Bytes { object, offset, len })?;
        }
        Ok(())
    }

    /// The word that contains a byte of which it is not known how the program reads it: an address, or an integer.
    fn natural_unit(&self, machine: &mut Machine, object: ObjectId, byte: u64, state: &State) -> (u64, u8) {
        let size = self.head.variable_size(object).unwrap_or(0);
        let is_free = |offset: u64, len: u8| {
            let end = offset + u64::from(len);
            end <= size && (offset..end).all(|at| !self.has_byte(object, at))
        };
        let (of_8, of_4) = (byte & !7, byte & !3);
        let mut holds_address = |state: &State| {
            let content = machine.value_at(state, Location::Bytes { object, offset: of_8, len: 8 });
            content.and_then(|(value, _)| value.as_concrete()).is_some_and(|bits| is_address(state, bits))
        };
        if is_free(of_8, 8) && (holds_address(&self.head) || holds_address(state)) {
            return (of_8, 8);
        }
        if is_free(of_4, 4) { (of_4, 4) } else { (byte, 1) }
    }

    fn has_byte(&self, object: ObjectId, byte: u64) -> bool {
        let first = Location::Bytes { object, offset: byte.saturating_sub(7), len: 0 };
        let last = Location::Bytes { object, offset: byte, len: u8::MAX };
        self.fields.range(first..=last).any(|(location, _)| match location {
            Location::Bytes { offset, len, .. } => (*offset..offset + u64::from(*len)).contains(&byte),
            Location::Slot { .. } => false,
        })
    }

    fn add_field(&mut self, machine: &mut Machine, location: Location) -> Result<(), Hopeless> {
        if self.fields.contains_key(&location) {
            return Ok(());
        }
        if self.fields.len() * 4 > self.tuning.invariant_bytes {
            return Err(Hopeless);
        }
        let hole = machine.hole_of(&self.head, location).ok_or(Hopeless)?;
        self.fields.insert(location, Field { hole, values: Some(BTreeSet::new()), is_pointer: false });
        Ok(())
    }

    /// The holes of the fields.
    pub(crate) fn holes(&self, machine: &Machine) -> Vec<u32> {
        self.fields.values().filter_map(|field| machine.pool.holes(field.hole).first().copied()).collect()
    }

    /// Allows each field the value that it has in a sample.
    pub(crate) fn allow(&mut self, sample: &[Option<u64>]) -> Result<(), Hopeless> {
        for (field, value) in self.fields.values_mut().zip(sample) {
            match value {
                Some(value) => widen(&self.head, &self.tuning, field, *value)?,
                // It was never written, so it may be anything.
                None => field.values = None,
            }
        }
        Ok(())
    }

    /// Allows a field another value. Returns whether that is new.
    pub(crate) fn widen(&mut self, location: Location, value: u64) -> Result<bool, Hopeless> {
        let Some(field) = self.fields.get_mut(&location) else { return Ok(false) };
        if field.values.as_ref().is_none_or(|values| values.contains(&value)) {
            return Ok(false);
        }
        widen(&self.head, &self.tuning, field, value)?;
        Ok(true)
    }

    /// What the fields hold in a sample; `None` where it was never written.
    pub(crate) fn values_in(&self, machine: &mut Machine, sample: &Sample) -> Vec<Option<u64>> {
        let mut values = secateur_expr::Valuation::new(sample.input.to_vec());
        let value = |location: &Location| {
            let (value, _) = machine.value_at(&sample.state, *location)?;
            Some(value.expr.map_or(value.bits, |expr| values.eval(&machine.pool, expr)))
        };
        self.fields.keys().map(value).collect()
    }

    /// The state that stands for all states of the candidate.
    pub(crate) fn root(&self, machine: &mut Machine) -> Result<Root, Hopeless> {
        let mut state = self.head.clone();
        let first = state.input_len;
        let mut input = self.input.get(..first as usize).unwrap_or_default().to_vec();
        input.resize(first as usize, 0);
        let mut bytes = Vec::new();
        let mut conditions = Vec::new();
        let mut contents = BTreeMap::new();
        let mut head_values = secateur_expr::Valuation::new(self.input.to_vec());
        for (location, field) in &self.fields {
            let now = machine.value_at(&self.head, *location);
            let now =
                now.map_or(0, |(value, _)| value.expr.map_or(value.bits, |expr| head_values.eval(&machine.pool, expr)));
            let choices: Option<Vec<u64>> =
                field.values.as_ref().filter(|_| field.is_pointer).map(|values| values.iter().copied().collect());
            let havoc = machine.havoc(&mut state, *location, choices.as_deref()).ok_or(Hopeless)?;
            contents.insert(field.hole, havoc.content);
            match &choices {
                Some(choices) => {
                    let index = choices.iter().position(|choice| *choice == now).ok_or(Hopeless)?;
                    input.push(index as u8);
                    bytes.push(FieldByte::Index(*location));
                    let selector = machine.pool.input(havoc.first, 1);
                    conditions.push(machine.pool.member(selector, &Intervals::of(0..choices.len() as u128)));
                }
                None => {
                    for byte in 0..havoc.len as u8 {
                        input.push((now >> (8 * byte)) as u8);
                        bytes.push(FieldByte::Part { hole: field.hole, byte });
                    }
                    if let Some(values) = &field.values {
                        conditions.push(machine.pool.member(havoc.content, &intervals(values)));
                    }
                }
            }
        }
        if bytes.len() > self.tuning.invariant_bytes {
            return Err(Hopeless);
        }
        let holes: BTreeMap<u32, Expr> = self
            .fields
            .values()
            .filter_map(|field| Some((machine.pool.holes(field.hole).first().copied()?, *contents.get(&field.hole)?)))
            .collect();
        for relation in &self.relations {
            let shifted = machine.pool.shift_inputs(relation, 0, state.input_len);
            let here = machine.pool.substitute_all(&shifted, &mut |id, _| holes.get(&id).copied());
            let mut all = machine.pool.bool(true);
            for condition in here {
                all = machine.pool.and(all, condition);
            }
            // Input that is read in the round is any, so a relation with such input cannot be assumed as it is.
            if machine.pool.support_bytes(machine.pool.support(all)).iter().all(|byte| *byte < state.input_len) {
                conditions.push(machine.pool.not(all));
            }
        }
        for condition in conditions {
            match machine.pool.as_const(condition) {
                Some(0) => return Err(Hopeless),
                Some(_) => {}
                None => state.path.push(&mut machine.pool, condition, ChoiceKey::Side(true)),
            }
        }
        Ok(Root { state, input, bytes, first })
    }

    /// What a state must satisfy to be one of those that the root stands for.
    pub(crate) fn interpolant(&mut self, machine: &mut Machine, root: &Root) -> Result<Interpolant, Hopeless> {
        let mut clauses = self.clauses(machine)?;
        for (location, value, _) in self.pins(machine)? {
            let hole = hole_number(machine, &self.head, location).ok_or(Hopeless)?;
            clauses.restrict(hole, Core::new(), &Intervals::one(value.into())).map_err(|_| Hopeless)?;
        }
        let footprint = Rc::new(self.head.whole_footprint());
        Ok(Interpolant::new(machine, 0, clauses, footprint, root.state.clone(), 1))
    }

    /// What the candidate says about the fields.
    pub(crate) fn clauses(&self, machine: &mut Machine) -> Result<Clauses, Hopeless> {
        let mut clauses = Clauses::default();
        for (location, field) in &self.fields {
            if let Some(values) = &field.values {
                let hole = hole_number(machine, &self.head, *location).ok_or(Hopeless)?;
                clauses.restrict(hole, Core::new(), &intervals(values)).map_err(|_| Hopeless)?;
            }
        }
        for relation in &self.relations {
            clauses.exclude(&mut machine.pool, relation, Core::new()).map_err(|_| Hopeless)?;
        }
        Ok(clauses)
    }

    /// The locations that must be as at the head, each with its content and its width in bytes. What has no concrete
    /// content at the head becomes a field.
    pub(crate) fn pins(&mut self, machine: &mut Machine) -> Result<Vec<(Location, u64, u8)>, Hopeless> {
        let mut pins = Vec::new();
        for slot in self.slots.clone().into_iter().filter(|slot| !self.fields.contains_key(slot)) {
            match machine.value_at(&self.head, slot) {
                Some((Value { expr: None, bits, .. }, width)) => pins.push((slot, bits, width)),
                _ => return Err(Hopeless),
            }
        }
        for object in &self.touched {
            let Some(size) = self.head.variable_size(*object) else { continue };
            let mut at = 0;
            while at < size {
                let free = (at..size.min(at + 8)).take_while(|byte| !self.has_byte(*object, *byte)).count() as u8;
                if free == 0 {
                    at += 1;
                    continue;
                }
                let location = Location::Bytes { object: *object, offset: at, len: free };
                match machine.value_at(&self.head, location) {
                    Some((Value { expr: None, bits, .. }, width)) => pins.push((location, bits, width)),
                    _ => return Err(Hopeless),
                }
                at += u64::from(free);
            }
        }
        Ok(pins)
    }

    /// Adds as fields what is not concrete at the head, among what may be written or read.
    pub(crate) fn add_unknown(&mut self, machine: &mut Machine) -> Result<(), Hopeless> {
        for slot in self.slots.clone() {
            if machine.value_at(&self.head, slot).is_none_or(|(value, _)| value.expr.is_some()) {
                self.add_field(machine, slot)?;
            }
        }
        for object in self.touched.clone() {
            let size = self.head.variable_size(object).unwrap_or(0);
            if size > self.tuning.invariant_bytes as u64 * 8 {
                return Err(Hopeless);
            }
            let is_unknown = |machine: &mut Machine, offset: u64| {
                let content = machine.value_at(&self.head, Location::Bytes { object, offset, len: 1 });
                content.is_none_or(|(value, _)| value.expr.is_some())
            };
            let bytes: Vec<u64> = (0..size).filter(|byte| is_unknown(machine, *byte)).collect();
            let head = self.head.clone();
            self.add_bytes(machine, object, &bytes, &head)?;
        }
        Ok(())
    }
}

/// The number of a location's hole.
fn hole_number(machine: &mut Machine, head: &State, location: Location) -> Option<u32> {
    let hole = machine.hole_of(head, location)?;
    machine.pool.holes(hole).first().copied()
}

fn widen(head: &State, tuning: &Tuning, field: &mut Field, value: u64) -> Result<(), Hopeless> {
    let Some(values) = &mut field.values else { return Ok(()) };
    if values.insert(value) {
        field.is_pointer |= is_address(head, value);
        let most = if field.is_pointer { tuning.invariant_pointers } else { tuning.invariant_values };
        if values.len() > most {
            if field.is_pointer {
                return Err(Hopeless);
            }
            field.values = None;
        }
    }
    Ok(())
}

/// Whether a number is the address of an object or function.
fn is_address(state: &State, value: u64) -> bool {
    value >= LOWEST_ADDRESS && (state.has_object_at(value) || function_at(value).is_some())
}

/// The values as intervals.
fn intervals(values: &BTreeSet<u64>) -> Intervals {
    Intervals::of(values.iter().map(|value| u128::from(*value)))
}
