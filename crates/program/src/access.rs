//! Which slots an instruction reads and writes.

use crate::code::*;

impl Body {
    /// Calls `read` for each operand of an instruction and `write` for each result, with the number of slots.
    ///
    /// The moves of edges are not part of an instruction: see [`Edge::moves`].
    pub fn accesses(&self, inst: &Inst, mut read: impl FnMut(Operand, u32), mut write: impl FnMut(Slot, u32)) {
        match *inst {
            Inst::Move { dst, src } => {
                read(src, 1);
                write(dst, 1);
            }
            Inst::Bin { dst, a, b, .. }
            | Inst::Cmp { dst, a, b, .. }
            | Inst::Float { dst, a, b, .. }
            | Inst::FloatCmp { dst, a, b, .. } => {
                read(a, 1);
                read(b, 1);
                write(dst, 1);
            }
            Inst::PtrAdd { dst, base, index, .. } => {
                read(base, 1);
                read(index, 1);
                write(dst, 1);
            }
            Inst::Un { dst, a, .. }
            | Inst::Cast { dst, a, .. }
            | Inst::FloatUn { dst, a, .. }
            | Inst::FloatCast { dst, a, .. } => {
                read(a, 1);
                write(dst, 1);
            }
            Inst::Select { dst, cond, a, b, .. } => {
                read(cond, 1);
                read(a, 1);
                read(b, 1);
                write(dst, 1);
            }
            Inst::BinWide { dst, a, b, .. } => {
                read(a, 2);
                read(b, 2);
                write(dst, 2);
            }
            Inst::UnWide { dst, a, .. } => {
                read(a, 2);
                write(dst, 2);
            }
            Inst::CmpWide { dst, a, b, .. } => {
                read(a, 2);
                read(b, 2);
                write(dst, 1);
            }
            Inst::CastWide { from, to, dst, a, .. } => {
                read(a, if from > 64 { 2 } else { 1 });
                write(dst, if to > 64 { 2 } else { 1 });
            }
            Inst::FusedMulAdd { dst, a, b, c, .. } => {
                read(a, 1);
                read(b, 1);
                read(c, 1);
                write(dst, 1);
            }
            Inst::LongDouble { op, dst, a, b } => {
                use LongDoubleOp::*;
                match op {
                    Bin(_) | Cmp(_) => {
                        read(a, 2);
                        read(b, 2);
                    }
                    Un(_) | ToFloat(_) | ToSigned(_) | ToUnsigned(_) => read(a, 2),
                    FromFloat(_) | FromSigned(_) | FromUnsigned(_) => read(a, 1),
                }
                let results = match op {
                    Bin(_) | Un(_) | FromFloat(_) | FromSigned(_) | FromUnsigned(_) => 2,
                    Cmp(_) | ToFloat(_) | ToSigned(_) | ToUnsigned(_) => 1,
                };
                write(dst, results);
            }
            Inst::Load { dst, addr, .. } => {
                read(addr, 1);
                write(dst, 1);
            }
            Inst::Store { addr, src, .. } => {
                read(addr, 1);
                read(src, 1);
            }
            Inst::Alloca { dst, info } => {
                if let Some(count) = self.allocas.get(info.index()).and_then(|alloca| alloca.count) {
                    read(count, 1);
                }
                write(dst, 1);
            }
            Inst::LifetimeEnd { addr } | Inst::LifetimeStart { addr } => read(addr, 1),
            Inst::MemCopy { dst, src, len } => {
                read(dst, 1);
                read(src, 1);
                read(len, 1);
            }
            Inst::MemSet { dst, value, len } => {
                read(dst, 1);
                read(value, 1);
                read(len, 1);
            }
            Inst::ObjectSize { dst, addr, .. } => {
                read(addr, 1);
                write(dst, 1);
            }
            Inst::Call { info } => {
                if let Some(call) = self.calls.get(info.index()) {
                    if let Callee::Indirect(callee) = call.callee {
                        read(callee, 1);
                    }
                    for arg in &call.args {
                        read(arg.value, arg.slots.len() as u32);
                    }
                    write(call.dst, call.result.len() as u32);
                }
            }
            Inst::VaStart { list } => read(list, 1),
            Inst::VaCopy { dst, src } => {
                read(dst, 1);
                read(src, 1);
            }
            Inst::StackSave { dst } => write(dst, 1),
            Inst::StackRestore { saved } => read(saved, 1),
            Inst::Assume { cond } | Inst::Branch { cond, .. } => read(cond, 1),
            Inst::Switch { value, .. } => read(value, 1),
            Inst::IndirectJump { addr, .. } => read(addr, 1),
            Inst::Return { info } => {
                if let Some(Some(value)) = self.returns.get(info.index()) {
                    read(value.value, value.slots.len() as u32);
                }
            }
            Inst::Jump { .. } | Inst::Unreachable | Inst::Unsupported { .. } => {}
        }
    }
}
