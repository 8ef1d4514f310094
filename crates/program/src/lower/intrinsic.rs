//! Lowers calls of LLVM's intrinsics.

use super::emit::int_slots;
use super::function::Builder;
use super::inst::int_width;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;

impl<'m> Builder<'_, 'm> {
    pub(super) fn intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<()> {
        let args = inst.arguments();
        // `llvm.smax.v4i32` is `smax` for some types.
        let path = name.strip_prefix("llvm.").unwrap_or(name);
        let mut parts = path.split('.');
        let (first, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        match (first, second) {
            ("dbg", _) => Ok(()),
            ("lifetime", marker) => {
                let pointer = args[1];
                if self.locals.contains_key(&pointer) {
                    return Ok(());
                }
                let addr = self.operand(pointer)?;
                self.emit(if marker == "start" { Inst::LifetimeStart { addr } } else { Inst::LifetimeEnd { addr } });
                Ok(())
            }
            ("memcpy" | "memmove", _) => {
                let dst = self.operand(args[0])?;
                let src = self.operand(args[1])?;
                let len = self.length(args[2])?;
                self.emit(Inst::MemCopy { dst, src, len });
                Ok(())
            }
            ("memset", _) => {
                let dst = self.operand(args[0])?;
                let value = self.operand(args[1])?;
                let len = self.length(args[2])?;
                self.emit(Inst::MemSet { dst, value, len });
                Ok(())
            }
            ("smax", _) => self.int_binary(inst, |this, width, a, b| this.pick(CmpOp::Sgt, width, a, b)),
            ("smin", _) => self.int_binary(inst, |this, width, a, b| this.pick(CmpOp::Slt, width, a, b)),
            ("umax", _) => self.int_binary(inst, |this, width, a, b| this.pick(CmpOp::Ugt, width, a, b)),
            ("umin", _) => self.int_binary(inst, |this, width, a, b| this.pick(CmpOp::Ult, width, a, b)),
            ("assume", _) => {
                let cond = self.operand(args[0])?;
                self.emit(Inst::Assume { cond });
                Ok(())
            }
            _ => Err(Unsupported::new(format!("intrinsic `{name}`"))),
        }
    }

    /// A length of any width, as 64 bits.
    fn length(&mut self, value: Value<'m>) -> Lowered<Operand> {
        let width = int_width(value.ty())?;
        let operand = self.operand(value)?;
        Ok(self.resize(false, width, 64, operand))
    }

    /// An intrinsic on two integers, or on vectors of such.
    fn int_binary(
        &mut self,
        inst: Value<'m>,
        mut each: impl FnMut(&mut Self, u32, Operand, Operand) -> Operand,
    ) -> Lowered<()> {
        let width = int_width(inst.ty().lanes().0)?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let size = int_slots(width);
        self.map_lanes(inst, |this, lane| Ok(each(this, width, a.offset(lane * size), b.offset(lane * size))))
    }
}
