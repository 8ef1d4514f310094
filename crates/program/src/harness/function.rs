//! A `main` that calls one function with symbolic arguments.
//!
//! - Integers, floats and structs are symbolic byte for byte.
//! - A pointer to characters points to a string of `str_len` symbolic characters, then a zero.
//! - Another pointer points to `array_len` symbolic elements; if nothing says of what, to eight bytes for each.
//! - A pointer to pointers points to `array_len` of them, each made like a parameter of its own, then a null pointer.
//! - A pointer in a struct may be null or point to one element of its own, which the input decides; two levels down it is null.
//! - Pointers to functions, in a parameter, and variable arguments are refused; in a struct such pointers are null.

use super::debug_type::{Node, SourceType, source_params};
use super::{make_symbolic, start_main};
use crate::error::LoadError;
use crate::llvm::{CodeBuilder, Module, Value};
use inkwell::llvm_sys::LLVMIntPredicate;

/// Pointers are followed this deep.
const MAX_DEPTH: u32 = 2;

/// The alignment of what is made: enough for every type of C.
const ALIGN: u32 = 16;

pub(super) fn add(module: &Module<'_>, function: Value<'_>, array_len: u32, str_len: u32) -> Result<(), LoadError> {
    let refused = |reason: String| LoadError::Entry { function: function.name(), reason };
    let ty = function.value_type();
    if ty.is_variadic() {
        return Err(refused("it takes variable arguments".to_string()));
    }
    let name = function.name();
    let known = source_params(function, module.context());
    let build = CodeBuilder::new(module);
    start_main(module, &build);
    let harness = Harness { module, build, array_len: u64::from(array_len.max(1)), str_len: u64::from(str_len) };
    let mut args = Vec::new();
    for (index, param) in function.params().into_iter().enumerate() {
        let number = index as u32;
        let source = known.get(&param);
        let label = match source.map(|source| source.name.clone()).filter(|name| !name.is_empty()) {
            Some(label) => label,
            None if !param.name().is_empty() => param.name(),
            None => format!("arg{}", index + 1),
        };
        let refused = |reason: String| LoadError::Entry { function: name.clone(), reason };
        let param_type = param.ty();
        if !param_type.is_sized() || param_type.is_scalable() {
            return Err(refused(format!("its parameter `{label}` has no fixed size")));
        }
        let pointee = function.param_by_value(number).or_else(|| function.param_struct_return(number));
        if let Some(pointee) = pointee {
            if !pointee.is_sized() || pointee.is_scalable() {
                return Err(refused(format!("its parameter `{label}` has no fixed size")));
            }
            let cell = harness.build.alloca(pointee, ALIGN);
            if function.param_by_value(number).is_some() {
                let size = module.layout().size(pointee);
                harness.fill(cell, source.and_then(|source| source.ty), size, &label, 0);
            }
            args.push(cell);
        } else if param_type.is_pointer() {
            let ty = source.and_then(|source| source.ty).and_then(|ty| ty.resolve(module.context()));
            let to = match ty {
                Some(SourceType::Function) => {
                    return Err(refused(format!("its parameter `{label}` is a pointer to a function")));
                }
                Some(SourceType::Pointer { to }) => to,
                _ => None,
            };
            args.push(harness.buffer(to, &label, 0));
        } else {
            args.push(harness.scalar(param, &label));
        }
    }
    harness.build.call(ty, function, &args);
    harness.build.ret(harness.build.int(32, 0));
    Ok(())
}

struct Harness<'m> {
    module: &'m Module<'m>,
    build: CodeBuilder<'m>,
    array_len: u64,
    str_len: u64,
}

impl<'m> Harness<'m> {
    /// A symbolic value of the type of a parameter.
    fn scalar(&self, param: Value<'m>, label: &str) -> Value<'m> {
        let ty = param.ty();
        let size = self.module.layout().store_size(ty);
        // An integer that does not fill its bytes (`_Bool`) is cut out of them.
        let stored = match ty.int_width() {
            Some(width) if width % 8 != 0 => self.module.int_type(size as u32 * 8),
            _ => ty,
        };
        let cell = self.build.alloca(stored, ALIGN);
        self.symbolic(cell, size, label);
        let value = self.build.load(stored, cell);
        match ty.int_width() {
            Some(width) => self.build.resize(value, width),
            None => value,
        }
    }

    /// What a pointer points to.
    fn buffer(&self, to: Option<Node<'m>>, label: &str, depth: u32) -> Value<'m> {
        let context = self.module.context();
        // Inside of something else one element is enough, or there would be too many.
        let count = if depth == 0 { self.array_len } else { 1 };
        match to.and_then(|to| to.resolve(context).map(|ty| (to, ty))) {
            Some((_, SourceType::Char)) => {
                let cell = self.bytes(self.str_len + 1);
                if self.str_len > 0 {
                    self.symbolic(cell, self.str_len, label);
                }
                self.build.store(self.build.int(8, 0), self.build.offset(cell, self.str_len));
                cell
            }
            Some((_, SourceType::Pointer { to })) => {
                let cell = self.bytes((count + 1) * 8);
                for index in 0..count {
                    let value = if depth < MAX_DEPTH {
                        self.buffer(to, &format!("{label}[{index}]"), depth + 1)
                    } else {
                        self.build.null()
                    };
                    self.build.store(value, self.build.offset(cell, index * 8));
                }
                self.build.store(self.build.null(), self.build.offset(cell, count * 8));
                cell
            }
            Some((_, SourceType::Function)) => {
                let cell = self.bytes(8);
                self.build.store(self.build.null(), cell);
                cell
            }
            Some((to, ty)) if ty.size() > 0 => {
                let size = ty.size();
                let cell = self.bytes(size * count);
                self.symbolic(cell, size * count, label);
                for index in 0..count {
                    let label = if count > 1 { format!("{label}[{index}]") } else { label.to_string() };
                    self.pointers(self.build.offset(cell, index * size), to, &label, depth);
                }
                cell
            }
            _ => {
                let cell = self.bytes(8 * count);
                self.symbolic(cell, 8 * count, label);
                cell
            }
        }
    }

    /// Makes an object symbolic and its pointers usable.
    fn fill(&self, cell: Value<'m>, ty: Option<Node<'m>>, size: u64, label: &str, depth: u32) {
        if size > 0 {
            self.symbolic(cell, size, label);
        }
        if let Some(ty) = ty {
            self.pointers(cell, ty, label, depth);
        }
    }

    /// Overwrites the pointers in a symbolic object, which would otherwise be any numbers.
    fn pointers(&self, cell: Value<'m>, ty: Node<'m>, label: &str, depth: u32) {
        match ty.resolve(self.module.context()) {
            Some(SourceType::Struct { members, .. }) => {
                for member in members {
                    let at = self.build.offset(cell, member.offset);
                    self.pointers(at, member.ty, &format!("{label}.{}", member.name), depth);
                }
            }
            Some(SourceType::Pointer { to }) => {
                let value = if depth < MAX_DEPTH {
                    let target = self.buffer(to, label, depth + 1);
                    let choice = self.bytes(1);
                    self.symbolic(choice, 1, &format!("{label}?"));
                    let choice = self.build.load(self.module.int_type(8), choice);
                    let chosen = self.build.compare(LLVMIntPredicate::LLVMIntNE, choice, self.build.int(8, 0));
                    self.build.select(chosen, target, self.build.null())
                } else {
                    self.build.null()
                };
                self.build.store(value, cell);
            }
            Some(SourceType::Function) => self.build.store(self.build.null(), cell),
            Some(SourceType::Array { size, element })
                if matches!(*element, SourceType::Pointer { .. } | SourceType::Function) && size > 0 =>
            {
                self.build.set_zero(cell, size);
            }
            _ => {}
        }
    }

    fn bytes(&self, count: u64) -> Value<'m> {
        self.build.alloca(self.module.array_type(self.module.int_type(8), count), ALIGN)
    }

    fn symbolic(&self, cell: Value<'m>, size: u64, label: &str) {
        cell.set_name(label);
        make_symbolic(self.module, &self.build, cell, self.build.int(64, size), label);
    }
}
