//! Steps over single instructions and over the edges between blocks.

use std::rc::Rc;

use secateur_expr::Expr;
use secateur_machine::symbolic;
use secateur_program::{BinOp, Body, EdgeId, FuncId, Inst, LocId, Operand, Slot};

use crate::code::Code;
use crate::memory::{Copied, Write, objects};
use crate::search::Obstacle;
use crate::state::State;

/// How many bytes from the start of a variable on its life begins with. Its size is not known here.
const LIFETIME: u64 = 1 << 21;

/// What a step over an instruction leads to.
enum Stepped {
    /// The state before it.
    Before,
    /// Nothing gets past it.
    Never,
    /// It is a call, which is not a single step.
    Call,
}

impl Code<'_> {
    /// Takes a state back to the start of its block, or to the end of a call. Returns false if nothing gets there.
    pub(crate) fn step_back(&mut self, state: &mut State) -> bool {
        let Some(body) = self.body(state.function) else { return false };
        let start = body.blocks[state.block.index()].start;
        while state.pc > start {
            match self.step(state) {
                Stepped::Before => {}
                Stepped::Never => return false,
                Stepped::Call => return true,
            }
        }
        true
    }

    /// The state before an instruction, which is the one before the point of the state.
    fn step(&mut self, state: &mut State) -> Stepped {
        let Some(body) = self.body(state.function) else { return Stepped::Never };
        let pc = state.pc - 1;
        let inst = body.code[pc as usize];
        if matches!(inst, Inst::Call { .. }) {
            return Stepped::Call;
        }
        state.pc = pc;
        match inst {
            // The edge that was taken has its own condition.
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. } => {}
            Inst::Return { .. } => {}
            Inst::Unreachable => return Stepped::Never,
            Inst::Unsupported { info } => {
                // It may do anything. Its result has no other definition, so it stays open.
                self.write_anywhere(state);
                state.deferred += 1;
                let what = body.unsupported.get(info.index()).map(String::as_str).unwrap_or_default();
                let loc = body.locs.get(pc as usize).copied().unwrap_or(LocId(0));
                state.obstacle = Some(Rc::new(Obstacle { why: format!("{what} is not supported"), loc }));
            }
            Inst::Assume { cond } => {
                let cond = self.here(state, cond, 1);
                state.require(&self.pool, cond);
            }
            Inst::Store { addr, src, bytes, width } => {
                let (address, value) = (self.here(state, addr, 64), self.here(state, src, width));
                let value = if width < bytes * 8 { self.pool.zext(value, bytes * 8) } else { value };
                self.write(state, &Write { address, len: bytes.into(), value: Some(value) });
            }
            Inst::MemSet { dst, value, len } => {
                let (address, value, len) =
                    (self.here(state, dst, 64), self.here(state, value, 8), self.here(state, len, 64));
                match self.pool.as_const(len) {
                    Some(len @ 1..=16) => {
                        let all = (1..len).fold(value, |all, _| self.pool.concat(all, value));
                        self.write(state, &Write { address, len: len as u64, value: Some(all) });
                    }
                    Some(len) => self.write(state, &Write { address, len: len as u64, value: None }),
                    None => self.write_anywhere(state),
                }
            }
            Inst::MemCopy { dst, src, len } => self.copy(state, dst, src, len),
            Inst::VaStart { .. } | Inst::VaCopy { .. } => self.write_anywhere(state),
            Inst::LifetimeEnd { .. } | Inst::StackRestore { .. } => {}
            Inst::LifetimeStart { addr } => {
                // Its content is undefined again.
                let address = self.here(state, addr, 64);
                self.write(state, &Write { address, len: LIFETIME, value: None });
            }
            Inst::Alloca { dst, .. } => self.allocate(state, dst, None),
            _ => self.assign(state, body, inst),
        }
        Stepped::Before
    }

    /// The state before an instruction that only sets slots.
    fn assign(&mut self, state: &mut State, body: &Body, inst: Inst) {
        let mut written = Vec::new();
        body.accesses(&inst, |_, _| {}, |slot, count| written.extend((slot.0..slot.0 + count).map(Slot)));
        // Most of the code is irrelevant for the conditions.
        if !written.iter().any(|slot| self.mentions(state, *slot)) {
            self.require_defined(state, inst);
            return;
        }
        let value = self.value(state, inst);
        self.require_defined(state, inst);
        match value {
            Some(value) => self.set_slots(state, &[(written[0], value)]),
            None => {
                state.deferred += 1;
                let values: Vec<(Slot, Expr)> =
                    written.into_iter().map(|slot| (slot, self.holes.free(&mut self.pool, 64))).collect();
                self.set_slots(state, &values);
            }
        }
    }

    /// A path that divides by zero ends there.
    fn require_defined(&mut self, state: &mut State, inst: Inst) {
        if let Inst::Bin { op: BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, width, b, .. } = inst {
            let divisor = self.here(state, b, width);
            let zero = self.pool.constant(width, 0);
            let defined = self.pool.ne(divisor, zero);
            state.require(&self.pool, defined);
        }
    }

    /// What an instruction computes; `None` if that cannot be expressed.
    fn value(&mut self, state: &State, inst: Inst) -> Option<Expr> {
        Some(match inst {
            Inst::Move { src, .. } => self.here(state, src, 64),
            Inst::Bin { op, width, a, b, .. } => {
                let (a, b) = (self.here(state, a, width), self.here(state, b, width));
                symbolic::binary(&mut self.pool, op, a, b)
            }
            Inst::Un { op, width, a, .. } => {
                let a = self.here(state, a, width);
                symbolic::unary(&mut self.pool, op, a)
            }
            Inst::Cmp { op, width, a, b, .. } => {
                let (a, b) = (self.here(state, a, width), self.here(state, b, width));
                symbolic::compare(&mut self.pool, op, a, b)
            }
            Inst::Cast { op, from, to, a, .. } => {
                let a = self.here(state, a, from);
                symbolic::cast(&mut self.pool, op, to, a)
            }
            Inst::Select { width, cond, a, b, .. } => {
                let cond = self.here(state, cond, 1);
                let (a, b) = (self.here(state, a, width), self.here(state, b, width));
                self.pool.ite(cond, a, b)
            }
            Inst::PtrAdd { base, index, scale, .. } => {
                let (base, index) = (self.here(state, base, 64), self.here(state, index, 64));
                let scale = self.pool.constant(64, u128::from(scale));
                let scaled = self.pool.mul(index, scale);
                self.pool.add(base, scaled)
            }
            Inst::Load { addr, bytes, width, .. } => {
                let address = self.here(state, addr, 64);
                let value = self.holes.load(&mut self.pool, address, bytes);
                if width < bytes * 8 { self.pool.extract(value, 0, width) } else { value }
            }
            _ if !self.has_usual_rounding => return None,
            Inst::Float { op, width, a, b, .. } => {
                let (a, b) = (self.here(state, a, width), self.here(state, b, width));
                self.pool.float(op, a, b)
            }
            Inst::FloatUn { op, width, a, .. } => {
                let a = self.here(state, a, width);
                self.pool.float_un(op, a)
            }
            Inst::FloatCmp { cmp, width, a, b, .. } => {
                let (a, b) = (self.here(state, a, width), self.here(state, b, width));
                self.pool.float_cmp(cmp, a, b)
            }
            Inst::FloatCast { op, from, to, a, .. } => {
                let a = self.here(state, a, from);
                self.pool.float_cast(op, a, to)
            }
            Inst::FusedMulAdd { width, a, b, c, .. } => {
                let (a, b, c) = (self.here(state, a, width), self.here(state, b, width), self.here(state, c, width));
                self.pool.fused_mul_add(a, b, c)
            }
            _ => return None,
        })
    }

    /// The value of an operand in the running call.
    pub(crate) fn here(&mut self, state: &State, operand: Operand, width: u8) -> Expr {
        self.operand(state.function, state.depth(), operand, width)
    }

    /// A copy of a few bytes moves them as one value; a longer one is deferred.
    fn copy(&mut self, state: &mut State, dst: Operand, src: Operand, len: Operand) {
        let (to, from, len) = (self.here(state, dst, 64), self.here(state, src, 64), self.here(state, len, 64));
        let Some(len) = self.pool.as_const(len).map(|len| len as u64) else { return self.write_anywhere(state) };
        let objects = objects(self.program, &self.locals, state);
        let mut copied = Copied { objects, to, from, len, deferred: 0 };
        state.rewrite(&mut self.pool, &mut self.holes, &mut copied);
        state.deferred += copied.deferred;
    }

    /// The state before an edge was taken by the terminator at `last`: in front of the terminator.
    pub(crate) fn take_edge(&mut self, state: &mut State, last: u32, edge: EdgeId) {
        let function = state.function;
        let Some(body) = self.body(function) else { return };
        let moves: Vec<(Slot, Expr)> =
            body.edges[edge.index()].moves.iter().map(|(dst, src)| (*dst, self.here(state, *src, 64))).collect();
        if !moves.is_empty() {
            self.set_slots(state, &moves);
        }
        (state.block, state.pc) = (body.block_at(last), last + 1);
        if let Some(condition) = self.edge_condition(state, function, last, edge) {
            state.require(&self.pool, condition);
        }
    }

    /// When the terminator at `last` takes an edge; `None` if nothing can be said.
    pub(crate) fn edge_condition(&mut self, state: &State, function: FuncId, last: u32, edge: EdgeId) -> Option<Expr> {
        let body = self.body(function)?;
        match body.code[last as usize] {
            Inst::Branch { cond, then_edge, else_edge, .. } if then_edge != else_edge => {
                let cond = self.here(state, cond, 1);
                Some(if edge == then_edge { cond } else { self.pool.not(cond) })
            }
            Inst::Switch { value, info } => {
                let switch = &body.switches[info.index()];
                let value = self.here(state, value, switch.width);
                let mut taken = self.pool.bool(false);
                let mut other = self.pool.bool(true);
                for (case, target) in &switch.cases {
                    let case = self.pool.constant(switch.width, u128::from(*case));
                    let is_case = self.pool.eq(value, case);
                    if switch.targets[*target as usize] == edge {
                        taken = self.pool.or(taken, is_case);
                    }
                    let is_not = self.pool.not(is_case);
                    other = self.pool.and(other, is_not);
                }
                if switch.targets.first() == Some(&edge) {
                    taken = self.pool.or(taken, other);
                }
                Some(taken)
            }
            Inst::IndirectJump { addr, info } => {
                let address = self.here(state, addr, 64);
                // What follows something unsupported jumps to no address.
                if self.pool.as_const(address).is_some() {
                    return None;
                }
                let mut taken = self.pool.bool(false);
                for (target, _) in body.gotos[info.index()].iter().filter(|(_, to)| *to == edge) {
                    let target = self.pool.constant(64, u128::from(*target));
                    let is_target = self.pool.eq(address, target);
                    taken = self.pool.or(taken, is_target);
                }
                Some(taken)
            }
            _ => None,
        }
    }
}
