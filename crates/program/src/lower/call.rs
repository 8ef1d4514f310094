//! Lowers calls of functions.

use super::function::Builder;
use super::shape::{Lowered, Unsupported};
use crate::code::*;
use crate::llvm::Value;

impl<'m> Builder<'_, 'm> {
    pub(super) fn call_inst(&mut self, inst: Value<'m>) -> Lowered<()> {
        let callee = inst.callee();
        if callee.is_inline_asm() {
            return self.inline_asm(inst, callee);
        }
        if callee.is_intrinsic() {
            return self.intrinsic(inst, &callee.name());
        }
        let target = resolve_alias(callee);
        let callee = if target.is_function() && !self.unit.is_absent(target) {
            if target.is_intrinsic() {
                return Err(Unsupported::new(format!("call of `{}` through an alias", target.name())));
            }
            Callee::Direct(self.unit.function_id(target)?)
        } else if let Some(resolver) = target.ifunc_resolver() {
            match constant_result(resolver) {
                Some(chosen) => Callee::Direct(self.unit.function_id(chosen)?),
                // The resolver runs before every call, which has the same result as running it once.
                None => {
                    let resolver = Callee::Direct(self.unit.function_id(resolver)?);
                    let dst = self.fresh(1);
                    let result = Box::new([SlotType::Ptr]);
                    self.push_call(Call { callee: resolver, args: Box::default(), dst, result });
                    Callee::Indirect(Operand::slot(dst))
                }
            }
        } else {
            Callee::Indirect(self.operand(callee)?)
        };
        let mut args = Vec::new();
        for (index, argument) in inst.arguments().into_iter().enumerate() {
            let index = index as u32;
            let by_value = self.unit.by_value(inst.argument_by_value(index), inst.argument_align(index));
            let slots = self.shape(argument.ty())?.slots.clone();
            let signed = inst.argument_is_signed(index);
            args.push(Argument { value: self.operand(argument)?, slots, by_value, signed });
        }
        let result = self.shape(inst.ty())?.slots.clone();
        let dst = if result.is_empty() { Slot(0) } else { self.result(inst)? };
        self.push_call(Call { callee, args: args.into(), dst, result });
        Ok(())
    }

    /// A call with a landing pad for exceptions, which no C function throws.
    pub(super) fn invoke(&mut self, inst: Value<'m>) -> Lowered<()> {
        self.call_inst(inst)?;
        let normal = inst.successors().first().copied().ok_or_else(|| Unsupported::new("malformed invoke"))?;
        let edge = self.edge(inst.parent(), normal);
        self.emit(Inst::Jump { edge });
        Ok(())
    }

    fn push_call(&mut self, call: Call) {
        let info = InfoId(self.body.calls.len() as u32);
        self.body.calls.push(call);
        self.emit(Inst::Call { info });
    }

    /// Calls a function by its name, which need not be declared in the module.
    pub(super) fn call_named(&mut self, name: &str, args: &[(Operand, &[SlotType])], result: &[SlotType]) -> Operand {
        let params: Vec<&[SlotType]> = args.iter().map(|(_, slots)| *slots).collect();
        let callee = Callee::Direct(self.unit.external(name, &params, result));
        let args = args
            .iter()
            .map(|(value, slots)| Argument { value: *value, slots: (*slots).into(), by_value: None, signed: false })
            .collect();
        let dst = if result.is_empty() { Slot(0) } else { self.fresh(result.len() as u32) };
        self.push_call(Call { callee, args, dst, result: result.into() });
        Operand::slot(dst)
    }
}

/// The function that the resolver of an ifunc returns, if it is always the same.
pub(super) fn constant_result(resolver: Value<'_>) -> Option<Value<'_>> {
    let mut result = None;
    for block in resolver.blocks() {
        let terminator = block.terminator()?;
        if terminator.is_return() {
            let value = terminator.operands().next().filter(|value| value.is_function() && !value.is_intrinsic())?;
            if result.is_some_and(|known| known != value) {
                return None;
            }
            result = Some(value);
        }
    }
    result
}

/// The function or variable at the end of a chain of aliases.
fn resolve_alias(value: Value<'_>) -> Value<'_> {
    let mut at = value;
    // LLVM forbids cycles of aliases.
    while let Some(target) = at.aliasee() {
        at = target;
    }
    at
}
