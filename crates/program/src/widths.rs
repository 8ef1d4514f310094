//! How many bits each slot of a function has.
//!
//! Instructions say the widths of what they read and write; a slot that is only moved has the width of its source or
//! destination.

use crate::code::{Body, Callee, Function, Inst, LongDoubleOp, Operand, OperandKind, Slot, SlotType};

const POINTER: u8 = 64;

impl Function {
    /// The width of each slot; `None` for one that no instruction uses as anything but a copy.
    pub fn slot_widths(&self) -> Vec<Option<u8>> {
        let Some(body) = &self.body else { return Vec::new() };
        let mut widths = Widths { body, widths: vec![None; body.slots as usize] };
        let parameters = self.params.iter().flat_map(|param| param.slots.iter());
        for (slot, kind) in (0..).zip(parameters) {
            widths.set(Slot(slot), kind.width());
        }
        for (slot, kind) in &body.locals {
            widths.set(*slot, kind.width());
        }
        body.code.iter().for_each(|inst| widths.inst(inst));
        widths.propagate();
        widths.widths
    }
}

struct Widths<'a> {
    body: &'a Body,
    widths: Vec<Option<u8>>,
}

impl Widths<'_> {
    fn set(&mut self, slot: Slot, width: u8) {
        if let Some(entry) = self.widths.get_mut(slot.index()) {
            debug_assert!(entry.is_none_or(|known| known == width), "slot {slot} has {entry:?} and {width} bits");
            *entry = Some(width);
        }
    }

    fn operand(&mut self, operand: Operand, width: u8) {
        if let OperandKind::Slot(slot) = operand.kind() {
            self.set(slot, width);
        }
    }

    fn operands(&mut self, operands: &[Operand], width: u8) {
        operands.iter().for_each(|operand| self.operand(*operand, width));
    }

    /// A value of several slots.
    fn typed(&mut self, first: Operand, slots: &[SlotType]) {
        for (index, kind) in (0..).zip(slots) {
            self.operand(first.offset(index), kind.width());
        }
    }

    /// An integer of one slot, or of two if it is wider than one.
    fn integer(&mut self, first: Operand, width: u8) {
        if width > 64 {
            self.typed(first, &[SlotType::WideLow, SlotType::WideHigh(width - 64)]);
        } else {
            self.operand(first, width);
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match *inst {
            Inst::Bin { width, dst, a, b, .. } | Inst::Float { width, dst, a, b, .. } => {
                self.operands(&[Operand::slot(dst), a, b], width);
            }
            Inst::Un { width, dst, a, .. } | Inst::FloatUn { width, dst, a, .. } => {
                self.operands(&[Operand::slot(dst), a], width);
            }
            Inst::Cmp { width, dst, a, b, .. } | Inst::FloatCmp { width, dst, a, b, .. } => {
                self.operands(&[a, b], width);
                self.set(dst, 1);
            }
            Inst::Cast { from, to, dst, a, .. }
            | Inst::FloatCast { from, to, dst, a, .. }
            | Inst::CastWide { from, to, dst, a, .. } => {
                self.integer(a, from);
                self.integer(Operand::slot(dst), to);
            }
            Inst::Select { width, dst, cond, a, b } => {
                self.operand(cond, 1);
                self.operands(&[Operand::slot(dst), a, b], width);
            }
            Inst::PtrAdd { dst, base, index, .. } => self.operands(&[Operand::slot(dst), base, index], POINTER),
            Inst::BinWide { width, dst, a, b, .. } => {
                [Operand::slot(dst), a, b].into_iter().for_each(|operand| self.integer(operand, width));
            }
            Inst::UnWide { width, dst, a, .. } => {
                [Operand::slot(dst), a].into_iter().for_each(|operand| self.integer(operand, width));
            }
            Inst::CmpWide { width, dst, a, b, .. } => {
                [a, b].into_iter().for_each(|operand| self.integer(operand, width));
                self.set(dst, 1);
            }
            Inst::FusedMulAdd { width, dst, a, b, c } => self.operands(&[Operand::slot(dst), a, b, c], width),
            Inst::LongDouble { op, dst, a, b } => self.long_double(op, Operand::slot(dst), a, b),
            Inst::Load { dst, addr, width, .. } => {
                self.operand(addr, POINTER);
                self.set(dst, width);
            }
            Inst::Store { addr, src, width, .. } => {
                self.operand(addr, POINTER);
                self.operand(src, width);
            }
            Inst::Alloca { dst, info } => {
                self.set(dst, POINTER);
                if let Some(count) = self.body.allocas.get(info.index()).and_then(|alloca| alloca.count) {
                    self.operand(count, 64);
                }
            }
            Inst::LifetimeEnd { addr } | Inst::LifetimeStart { addr } | Inst::IndirectJump { addr, .. } => {
                self.operand(addr, POINTER);
            }
            Inst::MemCopy { dst, src, len } => self.operands(&[dst, src, len], 64),
            Inst::MemSet { dst, value, len } => {
                self.operands(&[dst, len], 64);
                self.operand(value, 8);
            }
            Inst::ObjectSize { dst, addr, .. } => self.operands(&[Operand::slot(dst), addr], 64),
            Inst::Call { info } => {
                let Some(call) = self.body.calls.get(info.index()) else { return };
                if let Callee::Indirect(callee) = call.callee {
                    self.operand(callee, POINTER);
                }
                call.args.iter().for_each(|argument| self.typed(argument.value, &argument.slots));
                self.typed(Operand::slot(call.dst), &call.result);
            }
            Inst::VaStart { list } => self.operand(list, POINTER),
            Inst::VaCopy { dst, src } => self.operands(&[dst, src], POINTER),
            Inst::StackSave { dst } => self.set(dst, POINTER),
            Inst::StackRestore { saved } => self.operand(saved, POINTER),
            Inst::Assume { cond } | Inst::Branch { cond, .. } => self.operand(cond, 1),
            Inst::Switch { value, info } => {
                if let Some(switch) = self.body.switches.get(info.index()) {
                    self.operand(value, switch.width);
                }
            }
            Inst::Return { info } => {
                if let Some(Some(value)) = self.body.returns.get(info.index()) {
                    self.typed(value.value, &value.slots);
                }
            }
            Inst::Move { .. } | Inst::Jump { .. } | Inst::Unreachable | Inst::Unsupported { .. } => {}
        }
    }

    fn long_double(&mut self, op: LongDoubleOp, dst: Operand, a: Operand, b: Operand) {
        use LongDoubleOp::*;
        const LONG: &[SlotType] = &[SlotType::F80Low, SlotType::F80High];
        match op {
            Bin(_) => [dst, a, b].into_iter().for_each(|operand| self.typed(operand, LONG)),
            Un(_) => [dst, a].into_iter().for_each(|operand| self.typed(operand, LONG)),
            Cmp(_) => {
                [a, b].into_iter().for_each(|operand| self.typed(operand, LONG));
                self.operand(dst, 1);
            }
            FromFloat(width) | FromSigned(width) | FromUnsigned(width) => {
                self.operand(a, width);
                self.typed(dst, LONG);
            }
            ToFloat(width) | ToSigned(width) | ToUnsigned(width) => {
                self.typed(a, LONG);
                self.operand(dst, width);
            }
        }
    }

    /// Both ends of a move have the same width.
    fn propagate(&mut self) {
        let moves = self.body.code.iter().filter_map(|inst| match inst {
            Inst::Move { dst, src } => Some((*dst, *src)),
            _ => None,
        });
        let along_edges = self.body.edges.iter().flat_map(|edge| edge.moves.iter().copied());
        let mut others: Vec<Vec<Slot>> = vec![Vec::new(); self.widths.len()];
        for (dst, src) in moves.chain(along_edges) {
            if let OperandKind::Slot(src) = src.kind() {
                others[dst.index()].push(src);
                others[src.index()].push(dst);
            }
        }
        let slots = (0..self.body.slots).map(Slot);
        let mut known: Vec<Slot> = slots.filter(|slot| self.widths[slot.index()].is_some()).collect();
        while let Some(slot) = known.pop() {
            let width = self.widths[slot.index()];
            for other in std::mem::take(&mut others[slot.index()]) {
                if self.widths[other.index()].is_none() {
                    self.widths[other.index()] = width;
                    known.push(other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{BinOp, BlockId, Edge, FuncId, LocId};

    #[test]
    fn widths_come_from_uses_and_along_moves() {
        // %1 is moved to %2 on an edge, and %2 to %3, which is added to itself; nothing says what %4 is.
        let moved =
            Edge { to: BlockId(0), pc: 0, moves: Box::new([(Slot(2), Operand::slot(Slot(1)))]), sequential: true };
        let add = |dst, a| Inst::Bin { op: BinOp::Add, width: 16, dst, a: Operand::slot(a), b: Operand::slot(a) };
        let code = vec![Inst::Move { dst: Slot(3), src: Operand::slot(Slot(2)) }, add(Slot(3), Slot(3))];
        let wide = [SlotType::WideLow, SlotType::WideHigh(36)];
        let call = crate::code::Call {
            callee: Callee::Direct(FuncId(0)),
            args: Box::default(),
            dst: Slot(5),
            result: Box::new(wide),
        };
        let body = Body { code, edges: vec![moved], slots: 7, calls: vec![call], ..Body::default() };
        let mut function = Function {
            name: "f".into(),
            params: Box::default(),
            result: Box::default(),
            variadic: false,
            user: true,
            exported: true,
            body: Some(body),
            loc: LocId(0),
        };
        assert_eq!(function.slot_widths(), [None, Some(16), Some(16), Some(16), None, None, None]);
        if let Some(body) = &mut function.body {
            body.code.push(Inst::Call { info: crate::code::InfoId(0) });
        }
        assert_eq!(function.slot_widths()[4..], [None, Some(64), Some(36)]);
    }
}
