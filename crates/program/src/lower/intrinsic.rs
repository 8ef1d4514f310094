//! Lowers calls of LLVM's intrinsics: memory, variable arguments, hints; arithmetic is in `integer` and `math`.

use super::function::Builder;
use super::inst::int_width;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;

impl<'m> Builder<'_, 'm> {
    pub(super) fn intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<()> {
        let args = inst.arguments();
        // `llvm.sadd.sat.v4i32` is `sadd`, `sat` and then the types.
        let path = name.strip_prefix("llvm.").unwrap_or(name);
        let parts: Vec<&str> = path.split('.').collect();
        let part = |index: usize| parts.get(index).copied().unwrap_or("");
        let unsupported = || Unsupported::new(format!("intrinsic `{name}`"));
        match (part(0), part(1)) {
            // Hints to the compiler.
            ("dbg" | "donothing" | "sideeffect" | "prefetch" | "pcmarker" | "codeview" | "pseudoprobe", _)
            | ("experimental", "noalias")
            | ("var", "annotation")
            | ("va_end" | "instrprof", _)
            | ("invariant", "end") => Ok(()),
            ("invariant", "start") => {
                let token = self.constant(0);
                self.bind(inst, token)
            }
            ("expect" | "ssa" | "annotation" | "canonicalize", _)
            | ("launder" | "strip", "invariant")
            | ("ptr", "annotation")
            | ("arithmetic", "fence")
            | ("threadlocal", "address") => {
                let operand = self.operand(args[0])?;
                self.bind(inst, operand)
            }
            // Whether the compiler knows a value; it did not.
            ("is", "constant") => self.bind_int(inst, 0),
            ("allow", _) | ("type" | "public", "test" | "type") => self.bind_int(inst, 1),
            ("get", "rounding") | ("flt", "rounds") => {
                let mode = self.call_named("__secateur_flt_rounds", &[], &[SlotType::Int(32)]);
                self.bind(inst, mode)
            }
            ("get", "dynamic") => self.bind_int(inst, 0),
            ("assume", _) => {
                let cond = self.operand(args[0])?;
                self.emit(Inst::Assume { cond });
                Ok(())
            }
            ("ubsantrap", _) => {
                let number = self.operand(args[0])?;
                self.call_named("llvm.ubsantrap", &[(number, &[SlotType::Int(8)])], &[]);
                Ok(())
            }
            ("trap" | "debugtrap", _) => {
                self.call_named("llvm.trap", &[], &[]);
                Ok(())
            }

            ("lifetime", marker) => {
                let pointer = args[1];
                if self.locals.contains_key(&pointer) {
                    return Ok(());
                }
                let addr = self.operand(pointer)?;
                self.emit(if marker == "start" { Inst::LifetimeStart { addr } } else { Inst::LifetimeEnd { addr } });
                Ok(())
            }
            ("memcpy" | "memmove", second) if second != "element" => {
                let dst = self.operand(args[0])?;
                let src = self.operand(args[1])?;
                let len = self.length(args[2])?;
                self.emit(Inst::MemCopy { dst, src, len });
                Ok(())
            }
            ("memset", second) if second != "element" => {
                let dst = self.operand(args[0])?;
                let value = self.operand(args[1])?;
                let len = self.length(args[2])?;
                self.emit(Inst::MemSet { dst, value, len });
                Ok(())
            }
            ("objectsize", _) => {
                let addr = self.operand(args[0])?;
                let min = args[1].int_bits() == Some(1);
                let size = self.fresh(1);
                self.emit(Inst::ObjectSize { dst: size, addr, min });
                let width = int_width(inst.ty())?;
                let size = self.resize(false, 64, width, Operand::slot(size));
                self.bind(inst, size)
            }
            ("ptrmask", _) => {
                let pointer = self.operand(args[0])?;
                let mask = self.operand(args[1])?;
                self.map_lanes(inst, |this, lane| Ok(this.bin(BinOp::And, 64, pointer.offset(lane), mask.offset(lane))))
            }
            ("load", "relative") => self.load_relative(inst),
            ("va_start", _) => {
                let list = self.operand(args[0])?;
                self.emit(Inst::VaStart { list });
                Ok(())
            }
            ("va_copy", _) => {
                let dst = self.operand(args[0])?;
                let src = self.operand(args[1])?;
                self.emit(Inst::VaCopy { dst, src });
                Ok(())
            }
            ("stacksave", _) => {
                let dst = self.result(inst)?;
                self.emit(Inst::StackSave { dst });
                Ok(())
            }
            ("stackrestore", _) => {
                let saved = self.operand(args[0])?;
                self.emit(Inst::StackRestore { saved });
                Ok(())
            }
            ("masked", "load") => self.masked_load(inst),
            ("masked", "store") => self.masked_store(inst),
            ("vector", "reduce") => self.reduce(inst, part(2)),
            ("vector", "reverse") => {
                let (element, lanes) = inst.ty().lanes();
                let size = self.shape(element)?.len();
                let operand = self.operand(args[0])?;
                self.map_lanes(inst, |_, lane| Ok(operand.offset((lanes - 1 - lane) * size)))
            }
            ("x86", _) => {
                let is_known = self.x86_intrinsic(inst, path.strip_prefix("x86.").unwrap_or(path))?;
                if is_known { Ok(()) } else { Err(unsupported()) }
            }
            ("experimental", "constrained") => self.constrained(inst, part(2)),
            (first, second) => {
                if self.integer_intrinsic(inst, first, second)? || self.math_intrinsic(inst, first, second)? {
                    return Ok(());
                }
                Err(unsupported())
            }
        }
    }

    fn bind_int(&mut self, inst: Value<'m>, value: u128) -> Lowered<()> {
        let width = int_width(inst.ty())?;
        let operand = self.int(width, value);
        self.bind(inst, operand)
    }

    /// A length of any width, as 64 bits.
    fn length(&mut self, value: Value<'m>) -> Lowered<Operand> {
        let width = int_width(value.ty())?;
        let operand = self.operand(value)?;
        Ok(self.resize(false, width, 64, operand))
    }

    /// Loads the lanes that a constant mask selects.
    fn masked_load(&mut self, inst: Value<'m>) -> Lowered<()> {
        let args = inst.arguments();
        let (element, lanes) = inst.ty().lanes();
        let mask = self.constant_mask(args[2])?;
        let size = self.shape(element)?.len();
        self.unit.sized(element)?;
        let stride = self.unit.shapes.layout().size(element);
        let addr = self.operand(args[0])?;
        let other = self.operand(args[3])?;
        let dst = self.result(inst)?;
        for lane in 0..lanes {
            let to = Slot(dst.0 + lane * size);
            if mask[lane as usize] {
                let addr = self.pointer_plus(addr, u64::from(lane) * stride);
                self.load_to(to, element, addr)?;
            } else {
                self.move_slots(to, other.offset(lane * size), size);
            }
        }
        Ok(())
    }

    /// Stores the lanes that a constant mask selects.
    fn masked_store(&mut self, inst: Value<'m>) -> Lowered<()> {
        let args = inst.arguments();
        let (element, lanes) = args[0].ty().lanes();
        let mask = self.constant_mask(args[3])?;
        let size = self.shape(element)?.len();
        self.unit.sized(element)?;
        let stride = self.unit.shapes.layout().size(element);
        let value = self.operand(args[0])?;
        let addr = self.operand(args[1])?;
        for lane in (0..lanes).filter(|lane| mask[*lane as usize]) {
            let addr = self.pointer_plus(addr, u64::from(lane) * stride);
            self.store(element, addr, value.offset(lane * size))?;
        }
        Ok(())
    }

    fn constant_mask(&mut self, mask: Value<'m>) -> Lowered<Vec<bool>> {
        if !mask.is_constant() {
            return Err(Unsupported::new("masked access with a mask that is not constant"));
        }
        Ok(self.unit.constant(mask)?.into_iter().map(|bit| bit != 0).collect())
    }

    /// Loads an address from a table that holds, after lowering, positions in [`super::Lowering::relative`].
    fn load_relative(&mut self, inst: Value<'m>) -> Lowered<()> {
        let args = inst.arguments();
        let base = self.operand(args[0])?;
        let width = int_width(args[1].ty())?;
        let offset = self.operand(args[1])?;
        let offset = self.resize(true, width, 64, offset);
        let entry = self.fresh(1);
        self.emit(Inst::PtrAdd { dst: entry, base, index: offset, scale: 1 });
        let position = self.fresh(1);
        self.emit(Inst::Load { dst: position, addr: Operand::slot(entry), bytes: 4, width: 32 });
        let position = self.cast(CastOp::ZExt, 32, 64, Operand::slot(position));
        let table = self.unit.relative_table();
        let table = self.constant(table);
        let addr = self.fresh(1);
        self.emit(Inst::PtrAdd { dst: addr, base: table, index: position, scale: 1 });
        let dst = self.result(inst)?;
        self.emit(Inst::Load { dst, addr: Operand::slot(addr), bytes: 8, width: 64 });
        Ok(())
    }

    /// Folds the lanes of a vector into one value.
    fn reduce(&mut self, inst: Value<'m>, operation: &str) -> Lowered<()> {
        let args = inst.arguments();
        // `fadd` and `fmul` start with a given value.
        let (start, vector) = match args[..] {
            [vector] => (None, vector),
            [start, vector] => (Some(start), vector),
            _ => return Err(Unsupported::new("unknown reduction")),
        };
        let (element, lanes) = vector.ty().lanes();
        let size = self.shape(element)?.len();
        let operand = self.operand(vector)?;
        let (mut value, first) = match start {
            Some(start) => (self.operand(start)?, 0),
            None => (operand, 1),
        };
        for lane in first..lanes {
            let next = operand.offset(lane * size);
            value = if operation.starts_with('f') {
                self.float_reduction(operation, element, value, next)?
            } else {
                self.int_reduction(operation, int_width(element)?, value, next)?
            };
        }
        self.bind(inst, value)
    }

    fn int_reduction(&mut self, operation: &str, width: u32, a: Operand, b: Operand) -> Lowered<Operand> {
        Ok(match operation {
            "add" => self.bin(BinOp::Add, width, a, b),
            "mul" => self.bin(BinOp::Mul, width, a, b),
            "and" => self.bin(BinOp::And, width, a, b),
            "or" => self.bin(BinOp::Or, width, a, b),
            "xor" => self.bin(BinOp::Xor, width, a, b),
            "smax" => self.pick(CmpOp::Sgt, width, a, b),
            "smin" => self.pick(CmpOp::Slt, width, a, b),
            "umax" => self.pick(CmpOp::Ugt, width, a, b),
            "umin" => self.pick(CmpOp::Ult, width, a, b),
            _ => return Err(Unsupported::new(format!("reduction `{operation}`"))),
        })
    }
}
