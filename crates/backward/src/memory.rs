//! Memory, backwards: a load stays "the bytes at this address" until a store, an allocation or the start of the program
//! says what they are.

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{BinaryOp, Expr, Node, UnaryOp};
use secateur_machine::START_VARIABLES;
use secateur_program::{FuncId, Global, GlobalId, Inst, ObjectId, Program, Slot};

use crate::code::{Code, FIRST_OBJECT, NUMBERS};
use crate::holes::{Hole, Replacement, Rewrite};
use crate::state::State;

/// Another place where an object might be: neither its number nor more than its alignment is certain.
const ELSEWHERE: ObjectId = ObjectId(FIRST_OBJECT - 1);
const ALIGNMENT: u64 = 16;
/// How deep conditions are looked into. It only bounds the recursion.
const MAX_LEVEL: u32 = 16;

/// The bytes that a store, a copy or an input function writes.
pub(crate) struct Write {
    pub address: Expr,
    pub len: u64,
    /// The value, if all of it is known: `len` bytes.
    pub value: Option<Expr>,
}

/// Replaces loads by what was written before.
struct Stored<'a> {
    objects: Objects<'a>,
    write: &'a Write,
    /// Loads that became free values.
    deferred: u32,
}

impl Replacement for Stored<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, _: u32, _: Slot) -> Option<Expr> {
        None
    }

    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr> {
        let Write { address: to, len, value } = *self.write;
        if self.objects.are_apart(rewrite, address, to) {
            return None;
        }
        let distance = rewrite.pool.sub(address, to);
        if let Some(distance) = rewrite.pool.as_const(distance) {
            let distance = distance as u64 as i64;
            if distance >= len as i64 || distance <= -i64::from(bytes) {
                return None;
            }
            return Some(self.bytes_at(rewrite, address, bytes, distance));
        }
        let before = rewrite.holes.load(rewrite.pool, address, bytes);
        self.deferred += 1;
        let other = rewrite.holes.free(rewrite.pool, bytes * 8);
        let last = rewrite.pool.constant(64, u128::from(bytes) - 1);
        let reach = rewrite.pool.constant(64, u128::from(len) + u128::from(bytes) - 1);
        let shifted = rewrite.pool.add(distance, last);
        let overlaps = rewrite.pool.ult(shifted, reach);
        let mut after = rewrite.pool.ite(overlaps, other, before);
        if let Some(value) = value.filter(|_| len == u64::from(bytes)) {
            self.deferred -= 1;
            let same = rewrite.pool.eq(address, to);
            after = rewrite.pool.ite(same, value, after);
        }
        Some(after)
    }
}

impl Stored<'_> {
    /// The bytes of a load at a known distance from the start of the write, which it overlaps.
    fn bytes_at(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8, distance: i64) -> Expr {
        let Write { len, value, .. } = *self.write;
        if let Some(value) = value
            && distance >= 0
            && distance as u64 + u64::from(bytes) <= len
        {
            return rewrite.pool.extract(value, (distance * 8) as u8, bytes * 8);
        }
        let mut all: Option<Expr> = None;
        for index in 0..bytes {
            let at = distance + i64::from(index);
            let byte = if at < 0 || at as u64 >= len {
                let offset = rewrite.pool.constant(64, u128::from(index));
                let address = rewrite.pool.add(address, offset);
                rewrite.holes.load(rewrite.pool, address, 1)
            } else if let Some(value) = value {
                rewrite.pool.extract(value, (at * 8) as u8, 8)
            } else {
                self.deferred += 1;
                rewrite.holes.free(rewrite.pool, 8)
            };
            all = Some(all.map_or(byte, |low| rewrite.pool.concat(byte, low)));
        }
        all.unwrap_or_else(|| rewrite.pool.bool(false))
    }
}

/// Replaces a slot by the address of an object.
struct Placed<'a> {
    objects: Objects<'a>,
    depth: u32,
    dst: Slot,
    address: Expr,
    /// What is added to addresses of loads, so that the same bytes have the same name wherever the object is.
    moved: Option<Expr>,
}

impl Replacement for Placed<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, depth: u32, slot: Slot) -> Option<Expr> {
        (depth == self.depth && slot == self.dst).then_some(self.address)
    }

    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr> {
        let moved = self.moved?;
        if self.objects.object(rewrite, address) != Some(ELSEWHERE) {
            return None;
        }
        let address = rewrite.pool.add(address, moved);
        Some(rewrite.holes.load(rewrite.pool, address, bytes))
    }
}

/// Replaces the loads of one object, or all of them.
struct Gone<'a> {
    objects: Objects<'a>,
    object: Option<ObjectId>,
    /// What its bytes are; free if it is none.
    value: Option<u8>,
    deferred: u32,
}

impl Replacement for Gone<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, _: u32, _: Slot) -> Option<Expr> {
        None
    }

    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr> {
        if self.object.is_some() && self.objects.object(rewrite, address) != self.object {
            return None;
        }
        match self.value {
            Some(byte) => Some(rewrite.pool.constant(bytes * 8, repeated(byte, bytes))),
            None => {
                self.deferred += 1;
                Some(rewrite.holes.free(rewrite.pool, bytes * 8))
            }
        }
    }
}

fn repeated(byte: u8, bytes: u8) -> u128 {
    (0..bytes).fold(0, |value, _| value << 8 | u128::from(byte))
}

/// The variables of a state that are known to be objects of their own.
pub(crate) struct Objects<'a> {
    globals: &'a [Global],
    /// The slots with addresses of local variables, by function.
    locals: &'a FxHashSet<(FuncId, Slot)>,
    /// The functions of the calls that are known, the outermost first.
    functions: Vec<FuncId>,
}

/// What an address was computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// A constant of this object.
    Object(ObjectId),
    /// A local variable whose address is in a slot.
    Local { depth: u32, slot: Slot },
}

impl Objects<'_> {
    /// The object that an address was computed from, if that is known. An access outside of it ends the path. If
    /// something else that is added may be a pointer, a constant may be an offset, however large.
    fn base(&self, rewrite: &Rewrite<'_>, address: Expr) -> Option<Base> {
        let mut local = None;
        let sum = self.sum(rewrite, address, &mut local, 0)?;
        let object = sum.map(|sum| ObjectId::nearest_to(sum as u64)).filter(|object| object.0 > 0);
        match (object, local) {
            (Some(object), None) => Some(Base::Object(first_number(self.globals, object))),
            (None, Some((depth, slot))) => Some(Base::Local { depth, slot }),
            _ => None,
        }
    }

    /// The largest constant that is added up in an address, `Some(None)` if there is none; `None` if something may be a
    /// pointer, other than one to a local variable.
    fn sum(
        &self,
        rewrite: &Rewrite<'_>,
        address: Expr,
        local: &mut Option<(u32, Slot)>,
        level: u32,
    ) -> Option<Option<u128>> {
        match rewrite.pool.node(address) {
            Node::Const { value, .. } => Some(Some(value)),
            Node::Binary(BinaryOp::Add, a, b) if level < 8 => {
                Some(self.sum(rewrite, a, local, level + 1)?.max(self.sum(rewrite, b, local, level + 1)?))
            }
            // A narrow number, or a multiple of one, is an index.
            Node::ZExt(..) | Node::SExt(..) | Node::Binary(BinaryOp::Mul | BinaryOp::Shl, ..) => Some(None),
            Node::Concat(high, low) => {
                let is_constant = |part| rewrite.pool.as_const(part).is_some();
                (is_constant(low) || is_constant(high)).then_some(None)
            }
            Node::Hole { id, .. } => match rewrite.holes.kind(id) {
                Hole::Slot { depth, slot } if local.is_none() => {
                    let function = self.functions.get(depth as usize)?;
                    self.locals.contains(&(*function, slot)).then(|| {
                        *local = Some((depth, slot));
                        None
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Two addresses are in different objects.
    pub(crate) fn are_apart(&self, rewrite: &Rewrite<'_>, a: Expr, b: Expr) -> bool {
        self.base(rewrite, a).zip(self.base(rewrite, b)).is_some_and(|(a, b)| a != b)
    }

    /// The object that a constant in an address says.
    fn object(&self, rewrite: &Rewrite<'_>, address: Expr) -> Option<ObjectId> {
        match self.base(rewrite, address)? {
            Base::Object(object) => Some(object),
            Base::Local { .. } => None,
        }
    }
}

/// The first number of an object that may have several.
fn first_number(globals: &[Global], object: ObjectId) -> ObjectId {
    if object.0 >= FIRST_OBJECT {
        return ObjectId(object.0 - (object.0 - FIRST_OBJECT) % NUMBERS);
    }
    let Some(GlobalId(mut id)) = object.global() else { return object };
    while id > 0 && globals.get(id as usize).is_some_and(Global::is_filler) {
        id -= 1;
    }
    ObjectId::of_global(GlobalId(id))
}

/// The variables of a state.
pub(crate) fn objects<'a>(program: &'a Program, locals: &'a FxHashSet<(FuncId, Slot)>, state: &State) -> Objects<'a> {
    let functions = state.callers.iter().map(|caller| caller.function).chain([state.function]).collect();
    Objects { globals: &program.globals, locals, functions }
}

/// The slots that only ever hold the address of a local variable, by function.
pub(crate) fn locals(program: &Program) -> FxHashSet<(FuncId, Slot)> {
    let mut locals = FxHashSet::default();
    for (index, function) in program.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        let mut writers: FxHashMap<Slot, u32> = FxHashMap::default();
        for inst in &body.code {
            body.accesses(
                inst,
                |_, _| {},
                |slot, count| {
                    (slot.0..slot.0 + count).for_each(|slot| *writers.entry(Slot(slot)).or_default() += 1);
                },
            );
        }
        let moves = body.edges.iter().flat_map(|edge| edge.moves.iter());
        moves.for_each(|(slot, _)| *writers.entry(*slot).or_default() += 1);
        let own = body.code.iter().filter_map(|inst| match inst {
            Inst::Alloca { dst, .. } if writers.get(dst) == Some(&1) => Some((FuncId(index as u32), *dst)),
            _ => None,
        });
        locals.extend(own);
    }
    locals
}

impl Code<'_> {
    /// The state before a write.
    pub(crate) fn write(&mut self, state: &mut State, write: &Write) {
        let objects = objects(self.program, &self.locals, state);
        let mut stored = Stored { objects, write, deferred: 0 };
        state.rewrite(&mut self.pool, &mut self.holes, &mut stored);
        state.deferred += stored.deferred;
    }

    /// The state before something that may have written anywhere.
    pub(crate) fn write_anywhere(&mut self, state: &mut State) {
        let objects = objects(self.program, &self.locals, state);
        let mut gone = Gone { objects, object: None, value: None, deferred: 0 };
        state.rewrite(&mut self.pool, &mut self.holes, &mut gone);
        state.deferred += gone.deferred;
    }

    /// The state before the allocation of an object whose address a slot gets. Its bytes are `value`, or anything.
    pub(crate) fn allocate(&mut self, state: &mut State, dst: Slot, value: Option<u8>) {
        if !self.mentions(state, dst) {
            return;
        }
        let object = self.new_object();
        self.place(state, dst, object);
        self.end_of_life(state, object, value);
    }

    /// Gives the address of an object to a slot. Its number is made up, so conditions that depend on which it is say
    /// nothing: they are left out.
    fn place(&mut self, state: &mut State, dst: Slot, object: ObjectId) {
        let depth = state.depth();
        let before = std::mem::take(&mut state.conditions);
        let address = |at: u64| u128::from(at);
        let here = self.pool.constant(64, address(object.address()));
        let there = self.pool.constant(64, address(ELSEWHERE.address() + ALIGNMENT));
        let slot = self.holes.slot(&mut self.pool, depth, dst);
        let Node::Hole { id, .. } = self.pool.node(slot) else { return };
        let own = || objects(self.program, &self.locals, state);
        let mut by_here = Placed { objects: own(), depth, dst, address: here, moved: None };
        let moved = self.pool.sub(here, there);
        let mut by_there = Placed { objects: own(), depth, dst, address: there, moved: Some(moved) };
        let mut is_new = state.is_new;
        for condition in &before {
            let mut rewrite = Rewrite::new(&mut self.pool, &mut self.holes);
            let placed = rewrite.apply(*condition, &mut by_here);
            let is_kept = !self.pool.holes(*condition).contains(&id) || self.is_placeless(*condition, id, 0) || {
                let mut rewrite = Rewrite::new(&mut self.pool, &mut self.holes);
                rewrite.apply(*condition, &mut by_there) == placed
            };
            if is_kept {
                state.require(&self.pool, placed);
                is_new |= placed != *condition;
            } else {
                state.deferred += 1;
            }
        }
        state.is_new = is_new;
        let mut rewrite = Rewrite::new(&mut self.pool, &mut self.holes);
        state.values.iter_mut().for_each(|value| *value = rewrite.apply(*value, &mut by_here));
    }

    /// A condition only asks whether the pointer in a hole equals others.
    fn is_placeless(&self, condition: Expr, hole: u32, level: u32) -> bool {
        if !self.pool.holes(condition).contains(&hole) {
            return true;
        }
        let is_placeless = |e| level < MAX_LEVEL && self.is_placeless(e, hole, level + 1);
        match self.pool.node(condition) {
            Node::Unary(UnaryOp::Not, a) => is_placeless(a),
            Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.pool.width(condition) == 1 && is_placeless(a) && is_placeless(b)
            }
            Node::Binary(BinaryOp::Eq, a, b) => {
                self.is_pointer(a, hole, level) && self.is_pointer(b, hole, level)
                    || self.pool.width(a) == 1 && is_placeless(a) && is_placeless(b)
            }
            _ => false,
        }
    }

    /// An expression is a pointer in a hole, with an offset at most.
    fn is_pointer(&self, e: Expr, hole: u32, level: u32) -> bool {
        match self.pool.node(e) {
            Node::Const { .. } => true,
            Node::Hole { id, .. } => !matches!(self.holes.kind(id), Hole::Input { .. }),
            Node::Binary(BinaryOp::Add, a, b) => {
                let with_offset = |a, b| self.pool.as_const(a).is_some() && self.is_pointer(b, hole, level);
                with_offset(a, b) || with_offset(b, a)
            }
            Node::Ite(c, a, b) if level < MAX_LEVEL => {
                self.is_placeless(c, hole, level + 1)
                    && self.is_pointer(a, hole, level + 1)
                    && self.is_pointer(b, hole, level + 1)
            }
            _ => false,
        }
    }

    /// The content of an object before it existed does not matter: its first content is `value`, or anything.
    pub(crate) fn end_of_life(&mut self, state: &mut State, object: ObjectId, value: Option<u8>) {
        let objects = objects(self.program, &self.locals, state);
        let mut gone = Gone { objects, object: Some(object), value, deferred: 0 };
        // What was never written can be anything; that defers nothing.
        state.rewrite(&mut self.pool, &mut self.holes, &mut gone);
    }

    /// The state at the start of the program: memory has its initial content.
    pub(crate) fn start_memory(&mut self, state: &mut State) {
        let mut initial = Initial {
            objects: objects(self.program, &self.locals, state),
            globals: &self.program.globals,
            has_constructors: !self.program.constructors.is_empty(),
            most_bytes: self.tuning.table_bytes,
            deferred: 0,
        };
        state.rewrite(&mut self.pool, &mut self.holes, &mut initial);
        state.deferred += initial.deferred;
    }
}

/// Replaces loads by the initial values of globals.
struct Initial<'a> {
    objects: Objects<'a>,
    globals: &'a [Global],
    has_constructors: bool,
    /// The size of the largest global whose bytes a symbolic index selects from.
    most_bytes: u64,
    deferred: u32,
}

impl Replacement for Initial<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, _: u32, _: Slot) -> Option<Expr> {
        None
    }

    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr> {
        let object = self.objects.object(rewrite, address);
        let global = object.and_then(ObjectId::global).and_then(|GlobalId(id)| self.globals.get(id as usize));
        let known = global.filter(|global| !START_VARIABLES.contains(&&*global.name));
        let known = known.filter(|global| !global.external && (global.constant || !self.has_constructors));
        let value = known.zip(object).and_then(|(global, object)| {
            let base = rewrite.pool.constant(64, u128::from(object.address()));
            let offset = rewrite.pool.sub(address, base);
            let byte = |at: u64| global.init.get(at as usize).copied().unwrap_or(0);
            if let Some(offset) = rewrite.pool.as_const(offset) {
                let offset = u64::try_from(offset).ok().filter(|offset| offset + u64::from(bytes) <= global.size)?;
                let value =
                    (0..u64::from(bytes)).rev().fold(0, |value, index| value << 8 | u128::from(byte(offset + index)));
                return Some(rewrite.pool.constant(bytes * 8, value));
            }
            (global.size <= self.most_bytes).then(|| {
                let elements: Vec<Expr> =
                    (0..global.size).map(|at| rewrite.pool.constant(8, u128::from(byte(at)))).collect();
                let table = rewrite.pool.table(&elements);
                let mut all: Option<Expr> = None;
                for index in 0..bytes {
                    let more = rewrite.pool.constant(64, u128::from(index));
                    let at = rewrite.pool.add(offset, more);
                    let byte = rewrite.pool.select(table, at);
                    all = Some(all.map_or(byte, |low| rewrite.pool.concat(byte, low)));
                }
                all.unwrap_or_else(|| rewrite.pool.bool(false))
            })
        });
        Some(value.unwrap_or_else(|| {
            self.deferred += 1;
            rewrite.holes.free(rewrite.pool, bytes * 8)
        }))
    }
}

/// Replaces the loads of a range by loads of where it was copied from.
pub(crate) struct Copied<'a> {
    pub objects: Objects<'a>,
    pub to: Expr,
    pub from: Expr,
    pub len: u64,
    pub deferred: u32,
}

impl Replacement for Copied<'_> {
    fn slot(&mut self, _: &mut Rewrite<'_>, _: u32, _: Slot) -> Option<Expr> {
        None
    }

    fn load(&mut self, rewrite: &mut Rewrite<'_>, address: Expr, bytes: u8) -> Option<Expr> {
        if self.objects.are_apart(rewrite, address, self.to) {
            return None;
        }
        let distance = rewrite.pool.sub(address, self.to);
        let known = rewrite.pool.as_const(distance).map(|distance| distance as u64 as i64);
        match known {
            Some(at) if at >= self.len as i64 || at <= -i64::from(bytes) => None,
            Some(at) if at >= 0 && at as u64 + u64::from(bytes) <= self.len => {
                let source = rewrite.pool.add(self.from, distance);
                Some(rewrite.holes.load(rewrite.pool, source, bytes))
            }
            _ => {
                self.deferred += 1;
                Some(rewrite.holes.free(rewrite.pool, bytes * 8))
            }
        }
    }
}
