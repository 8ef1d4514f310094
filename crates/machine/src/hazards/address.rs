//! Addresses that are certainly in bounds: a variable plus an offset whose range is small enough.

use rustc_hash::FxHashSet;
use secateur_program::{
    Alloca, BinOp, Body, CastOp, Function, GlobalId, Inst, ObjectId, Operand, OperandKind, Program, Slot,
    global_address,
};

use super::{DECIDES, Hazards};
use crate::access::Access;
use crate::end::BugKind;
use crate::value::mask;

/// The hazards of a read through any pointer.
pub(crate) const READ: Hazards = Hazards::of(&[
    BugKind::OutOfBoundsRead,
    // A read of a variable argument that was not passed.
    BugKind::BadCall,
    BugKind::NullPointer,
    BugKind::UseAfterFree,
    BugKind::DeadStack,
    BugKind::Uninitialised,
]);

/// The hazards of a write through any pointer.
pub(crate) const WRITE: Hazards = Hazards::of(&[
    BugKind::OutOfBoundsWrite,
    BugKind::ReadOnlyWrite,
    BugKind::NullPointer,
    BugKind::UseAfterFree,
    BugKind::DeadStack,
    BugKind::Uninitialised,
]);

/// What is known about the slots of one function that hold addresses.
pub(crate) struct Addresses<'a> {
    program: &'a Program,
    body: &'a Body,
    /// The instruction that writes a slot, if there is exactly one and it is executed before every read of the slot.
    definitions: Vec<Option<&'a Inst>>,
    /// For each block, the variables whose lifetime may have ended at its start.
    ended: Vec<FxHashSet<Slot>>,
    /// The same at the current instruction.
    ended_now: FxHashSet<Slot>,
    /// Some function may return a second time, so a lifetime that ends anywhere may have ended everywhere.
    returns_twice: bool,
    /// It is unknown which variables' lifetimes end.
    unclear: bool,
    /// How many definitions are followed to find what an address points to.
    steps: u32,
}

/// Where an address points to: into a variable, at an offset within a range.
struct Region {
    variable: Variable,
    size: u64,
    first: u64,
    last: u64,
    /// The address is computed from constants only.
    fixed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    Global(GlobalId),
    Local(Slot),
}

impl<'a> Addresses<'a> {
    pub fn new(
        program: &'a Program,
        function: &Function,
        body: &'a Body,
        returns_twice: bool,
        steps: u32,
    ) -> Addresses<'a> {
        let mut addresses = Addresses {
            program,
            body,
            definitions: definitions(function, body),
            ended: vec![FxHashSet::default(); body.blocks.len()],
            ended_now: FxHashSet::default(),
            returns_twice,
            unclear: false,
            steps,
        };
        addresses.find_ends();
        addresses
    }

    /// What may go wrong with an access of `len` bytes, or of any number of bytes if `len` is `None`.
    pub fn hazards(&self, address: Operand, len: Option<u64>, access: Access) -> Hazards {
        let any = match access {
            Access::Read => READ,
            Access::Write => WRITE,
        };
        let (Some(region), Some(len)) = (self.region(address, self.steps), len) else { return any };
        if region.last.checked_add(len).is_none_or(|end| end > region.size) {
            return any;
        }
        let constant = match region.variable {
            Variable::Global(global) => self.program.globals[global.index()].constant,
            Variable::Local(slot) if self.unclear || self.ended_now.contains(&slot) => return any,
            Variable::Local(_) => false,
        };
        if constant && access == Access::Write {
            return any;
        }
        // An offset that is not constant may depend on uninitialised memory.
        if region.fixed { Hazards::NONE } else { DECIDES }
    }

    /// What may go wrong when a string is read up to its terminator.
    pub fn text_hazards(&self, address: Operand) -> Hazards {
        let Some(Region { variable: Variable::Global(global), size, first, fixed: true, .. }) =
            self.region(address, self.steps)
        else {
            return READ;
        };
        let global = &self.program.globals[global.index()];
        let rest = global.init.get(first as usize..).unwrap_or_default();
        let ends = rest.contains(&0) || (global.init.len() as u64) < size && first < size;
        if global.constant && ends { Hazards::NONE } else { READ }
    }

    /// The value of a constant.
    pub fn constant(&self, operand: Operand) -> Option<u64> {
        match operand.kind() {
            OperandKind::Const(index) => self.body.consts.get(index as usize).copied(),
            OperandKind::Slot(_) => None,
        }
    }

    /// The size of a local variable, if it is constant.
    pub fn size_of(&self, alloca: &Alloca) -> Option<u64> {
        let count = match alloca.count {
            Some(count) => self.constant(count)?,
            None => 1,
        };
        alloca.element_size.checked_mul(count)
    }

    /// Moves to the start of a block.
    pub fn enter(&mut self, block: usize) {
        self.ended_now = self.ended[block].clone();
    }

    /// Moves past an instruction.
    pub fn pass(&mut self, inst: &Inst) {
        let mut ended = std::mem::take(&mut self.ended_now);
        self.apply(inst, &mut ended);
        self.ended_now = ended;
    }

    fn region(&self, address: Operand, steps: u32) -> Option<Region> {
        let slot = match address.kind() {
            OperandKind::Const(_) => return self.global_region(self.constant(address)?),
            OperandKind::Slot(slot) => slot,
        };
        match *self.definition(slot)? {
            Inst::Alloca { info, .. } => {
                let size = self.size_of(&self.body.allocas[info.index()])?;
                Some(Region { variable: Variable::Local(slot), size, first: 0, last: 0, fixed: true })
            }
            Inst::Move { src, .. } => self.region(src, steps.checked_sub(1)?),
            Inst::PtrAdd { base, index, scale, .. } => {
                let region = self.region(base, steps.checked_sub(1)?)?;
                let (least, most) = self.range(index, self.steps)?;
                let offset = |index: u64| index.checked_mul(u64::from(scale));
                Some(Region {
                    first: region.first.checked_add(offset(least)?)?,
                    last: region.last.checked_add(offset(most)?)?,
                    fixed: region.fixed && self.constant(index).is_some(),
                    ..region
                })
            }
            _ => None,
        }
    }

    fn global_region(&self, address: u64) -> Option<Region> {
        let id = ObjectId::of(address).global()?;
        let global = self.program.globals.get(id.index()).filter(|global| !global.external)?;
        let offset = address - global_address(id);
        Some(Region { variable: Variable::Global(id), size: global.size, first: offset, last: offset, fixed: true })
    }

    /// The least and the greatest value of a 64-bit operand, if its definition shows them.
    fn range(&self, operand: Operand, steps: u32) -> Option<(u64, u64)> {
        if let Some(value) = self.constant(operand) {
            return Some((value, value));
        }
        let OperandKind::Slot(slot) = operand.kind() else { return None };
        let steps = steps.checked_sub(1)?;
        match *self.definition(slot)? {
            Inst::Move { src, .. } => self.range(src, steps),
            Inst::Cast { op: CastOp::ZExt, from, a, .. } => self.range(a, steps).or(Some((0, mask(from)))),
            // Sign extension keeps a nonnegative number.
            Inst::Cast { op: CastOp::SExt, from, a, .. } => {
                self.range(a, steps).filter(|(_, most)| *most <= mask(from) >> 1)
            }
            Inst::Bin { op: BinOp::And, a, b, .. } => {
                let most = [a, b].into_iter().filter_map(|side| Some(self.range(side, steps)?.1)).min()?;
                Some((0, most))
            }
            Inst::Bin { op: BinOp::URem, b, .. } => Some((0, self.constant(b)?.checked_sub(1)?)),
            _ => None,
        }
    }

    fn definition(&self, slot: Slot) -> Option<&'a Inst> {
        *self.definitions.get(slot.index())?
    }

    /// Finds the variables whose lifetime may have ended at the start of each block.
    fn find_ends(&mut self) {
        let body = self.body;
        let is_end = |inst: &Inst| matches!(inst, Inst::LifetimeEnd { .. } | Inst::StackRestore { .. });
        if !body.code.iter().any(is_end) {
            return;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in 0..body.blocks.len() {
                let code = body.blocks[block].start as usize..body.blocks[block].end as usize;
                let mut ended = self.ended[block].clone();
                body.code[code].iter().for_each(|inst| self.apply(inst, &mut ended));
                for next in &body.blocks[block].successors {
                    let before = self.ended[next.index()].len();
                    self.ended[next.index()].extend(&ended);
                    changed |= self.ended[next.index()].len() > before;
                }
            }
        }
        if self.returns_twice {
            let all: FxHashSet<Slot> = self.ended.iter().flatten().copied().collect();
            self.ended.fill(all);
        }
    }

    /// Applies the effect of an instruction to the set of variables whose lifetime may have ended.
    fn apply(&mut self, inst: &Inst, ended: &mut FxHashSet<Slot>) {
        match *inst {
            Inst::LifetimeEnd { addr } => match self.region(addr, self.steps) {
                Some(Region { variable: Variable::Local(slot), .. }) => {
                    ended.insert(slot);
                }
                _ => self.unclear = true,
            },
            Inst::LifetimeStart { addr } if !self.returns_twice => {
                if let Some(Region { variable: Variable::Local(slot), .. }) = self.region(addr, self.steps) {
                    ended.remove(&slot);
                }
            }
            // Which variables a stack restore frees is not tracked.
            Inst::StackRestore { .. } => self.unclear = true,
            Inst::Alloca { dst, .. } if !self.returns_twice => {
                ended.remove(&dst);
            }
            _ => {}
        }
    }
}

/// The instruction that writes each slot, if there is exactly one. Slots of local variables are left out, as they can
/// be read before they are written.
fn definitions<'a>(function: &Function, body: &'a Body) -> Vec<Option<&'a Inst>> {
    let parameters = function.params.iter().map(|param| param.slots.len()).sum();
    let mut writes = vec![0u32; body.slots as usize];
    let mut definitions = vec![None; body.slots as usize];
    writes.iter_mut().take(parameters).for_each(|writes| *writes += 1);
    let locals = body.locals.iter().map(|(slot, _)| *slot);
    let moves = body.edges.iter().flat_map(|edge| edge.moves.iter().map(|(slot, _)| *slot));
    for slot in locals.chain(moves) {
        writes[slot.index()] += 1;
    }
    for inst in &body.code {
        body.accesses(
            inst,
            |_, _| {},
            |slot, count| {
                for slot in slot.0..slot.0 + count {
                    writes[slot as usize] += 1;
                    definitions[slot as usize] = Some(inst);
                }
            },
        );
    }
    for (definition, writes) in definitions.iter_mut().zip(writes) {
        if writes != 1 {
            *definition = None;
        }
    }
    definitions
}
