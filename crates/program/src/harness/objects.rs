//! Creates symbolic values of C types in memory, and the objects that their pointers point to.
//!
//! - Numbers and characters are symbolic byte for byte; a `_Bool` is 0 or 1.
//! - A pointer is null or points to an object of its own; one symbolic byte decides. This is a selection, not a branch,
//!   so it costs nothing until the function looks at the pointer.
//! - Objects are on the heap, so that a function may free them. Each leaves a record of its address and its initial
//!   bytes.

use super::make_symbolic;
use super::types::Types;
use crate::llvm::{CodeBuilder, Module, Type, Value};
use crate::options::UnitOptions;
use crate::tuning::Tuning;
use crate::unit::{OBJECT_BYTES, TypeId, TypeKind, UnitObject};
use inkwell::llvm_sys::LLVMIntPredicate;
use std::cell::Cell;

/// The alignment of objects: enough for every C type.
pub(super) const ALIGN: u32 = 16;

/// Creates values.
pub(super) struct Maker<'m> {
    pub(super) module: &'m Module<'m>,
    pub(super) build: CodeBuilder<'m>,
    pub(super) types: Types<'m>,
    pub(super) objects: Vec<UnitObject>,
    /// How many symbolic inputs there are.
    pub(super) inputs: Cell<usize>,
    options: UnitOptions,
    /// The most objects that are made; further pointers are null.
    most: usize,
}

impl<'m> Maker<'m> {
    pub(super) fn new(module: &'m Module<'m>, types: Types<'m>, options: &UnitOptions, tuning: &Tuning) -> Maker<'m> {
        let build = CodeBuilder::new(module);
        Maker {
            module,
            build,
            types,
            objects: Vec::new(),
            inputs: Cell::new(0),
            options: options.clone(),
            most: tuning.unit_objects,
        }
    }

    /// Fills memory with a symbolic value.
    pub(super) fn fill(&mut self, cell: Value<'m>, ty: TypeId, label: &str) {
        self.make(cell, ty, 1, label);
        self.complete(cell, ty, label, 0);
    }

    /// Stores a pointer to a new object; the pointer is never null.
    pub(super) fn point(&mut self, cell: Value<'m>, to: Option<TypeId>, constant: bool, label: &str) {
        let target = self.object(to, constant, label, 1);
        self.build.store(target, cell);
    }

    /// Makes elements symbolic, unless each is just a pointer.
    fn make(&self, cell: Value<'m>, ty: TypeId, count: u64, label: &str) {
        let ty = self.types.get(ty);
        let size = ty.size.saturating_mul(count);
        if size > 0 && !matches!(ty.kind, TypeKind::Pointer { .. } | TypeKind::FunctionPointer) {
            self.symbolic(cell, size, label);
        }
    }

    /// Overwrites parts that cannot have arbitrary values: pointers and truth values.
    fn complete(&mut self, cell: Value<'m>, ty: TypeId, label: &str, depth: u32) {
        if !self.is_incomplete(ty) {
            return;
        }
        match self.types.get(ty).kind.clone() {
            TypeKind::Bool => {
                let byte = self.build.load(self.module.int_type(8), cell);
                self.build.store(self.build.and(byte, self.build.int(8, 1)), cell);
            }
            TypeKind::FunctionPointer => self.build.store(self.build.null(), cell),
            TypeKind::Pointer { .. } if self.types.pointee_made_by_libc(ty).is_some() => {
                self.build.store(self.build.null(), cell);
            }
            TypeKind::Pointer { to, constant } => {
                let value = if depth < self.options.pointer_depth && self.objects.len() < self.most {
                    let target = self.object(to, constant, label, depth + 1);
                    self.choose(target, label)
                } else {
                    self.build.null()
                };
                self.build.store(value, cell);
            }
            TypeKind::Struct { members } => {
                for member in members.into_iter().filter(|member| member.bit_width.is_none()) {
                    let at = self.build.offset(cell, member.bit_offset / 8);
                    let dot = if member.name.is_empty() { "" } else { "." };
                    self.complete(at, member.ty, &format!("{label}{dot}{}", member.name), depth);
                }
            }
            TypeKind::Array { element, count } => self.complete_elements(cell, element, count, label, depth),
            TypeKind::Char { .. } | TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Bytes => {}
        }
    }

    /// Only the pointers in the first elements of an array are followed.
    fn complete_elements(&mut self, cell: Value<'m>, element: TypeId, count: u64, label: &str, depth: u32) {
        let size = self.types.get(element).size;
        for index in 0..count {
            let at = self.build.offset(cell, index * size);
            let depth = if index < self.array_len() { depth } else { u32::MAX };
            self.complete(at, element, &format!("{label}[{index}]"), depth);
        }
    }

    /// Whether a type has parts that cannot have arbitrary values.
    fn is_incomplete(&self, ty: TypeId) -> bool {
        match &self.types.get(ty).kind {
            TypeKind::Bool | TypeKind::Pointer { .. } | TypeKind::FunctionPointer => true,
            TypeKind::Struct { members } => members.iter().any(|member| self.is_incomplete(member.ty)),
            TypeKind::Array { element, .. } => self.is_incomplete(*element),
            TypeKind::Char { .. } | TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Bytes => false,
        }
    }

    /// The target or a null pointer, depending on the input.
    fn choose(&self, target: Value<'m>, label: &str) -> Value<'m> {
        let choice = self.build.alloca(self.bytes(1), 1);
        self.symbolic(choice, 1, &format!("{label}?"));
        let choice = self.build.load(self.module.int_type(8), choice);
        let chosen = self.build.compare(LLVMIntPredicate::LLVMIntNE, choice, self.build.int(8, 0));
        self.build.select(chosen, target, self.build.null())
    }

    /// Creates an object for a pointer; returns its address.
    fn object(&mut self, to: Option<TypeId>, constant: bool, label: &str, depth: u32) -> Value<'m> {
        let array_len = self.array_len();
        // Where the type has no size or no name, a test can only refer to bytes.
        let to = to.filter(|to| self.is_usable(*to));
        let kind = to.map(|to| self.types.get(to).kind.clone());
        let element = to.map_or(8, |to| self.types.get(to).size);
        let count = match (&kind, to) {
            (Some(TypeKind::Char { .. }), _) => u64::from(self.options.str_len) + 1,
            (Some(TypeKind::Pointer { .. } | TypeKind::FunctionPointer), _) => array_len + 1,
            (Some(TypeKind::Struct { .. }), Some(to)) if depth > 1 || self.contains_pointer_to(to, to) => 1,
            _ => array_len,
        };
        let size = element * count;
        let record = format!("__secateur.object.{}", self.objects.len());
        let cell = self.allocate(size);
        self.objects.push(UnitObject {
            label: label.to_string(),
            ty: to,
            count: if to.is_some() { count } else { size },
            size,
            constant,
            record: record.clone(),
        });
        match (kind, to) {
            (Some(TypeKind::Char { .. }), _) => {
                if size > 1 {
                    self.symbolic(cell, size - 1, label);
                }
                self.build.store(self.build.int(8, 0), self.build.offset(cell, size - 1));
            }
            (Some(TypeKind::Pointer { .. } | TypeKind::FunctionPointer), Some(to)) => {
                self.complete_elements(cell, to, count - 1, label, depth);
                self.build.store(self.build.null(), self.build.offset(cell, size - element));
            }
            (Some(_), Some(to)) => {
                self.make(cell, to, count, label);
                if count == 1 {
                    self.complete(cell, to, label, depth);
                } else if self.is_incomplete(to) {
                    self.complete_elements(cell, to, count, label, depth);
                }
            }
            _ => self.symbolic(cell, size, label),
        }
        let record = self.module.add_bytes(&record, OBJECT_BYTES + size, ALIGN);
        self.build.store(cell, record);
        self.build.copy(self.build.offset(record, OBJECT_BYTES), cell, size);
        cell
    }

    fn is_usable(&self, ty: TypeId) -> bool {
        let ty = self.types.get(ty);
        ty.size > 0
            && match ty.kind {
                TypeKind::Array { element, .. } => self.is_usable(element),
                TypeKind::Pointer { .. } | TypeKind::FunctionPointer => true,
                _ => ty.name.is_some(),
            }
    }

    /// Whether a struct contains a pointer to `target`, directly or through structs and pointers: then it is a node of
    /// a list or tree.
    fn contains_pointer_to(&self, ty: TypeId, target: TypeId) -> bool {
        let mut seen = vec![ty];
        let mut next = 0;
        while let Some(at) = seen.get(next).copied() {
            next += 1;
            let reached: Vec<TypeId> = match &self.types.get(at).kind {
                TypeKind::Struct { members } => members.iter().map(|member| member.ty).collect(),
                TypeKind::Array { element, .. } => vec![*element],
                TypeKind::Pointer { to: Some(to), .. } => {
                    if self.types.is_same(*to, target) {
                        return true;
                    }
                    vec![*to]
                }
                _ => Vec::new(),
            };
            seen.extend(reached.into_iter().filter(|ty| !seen.contains(ty)).collect::<Vec<_>>());
        }
        false
    }

    fn allocate(&self, size: u64) -> Value<'m> {
        let malloc = self.module.function_type(self.module.pointer_type(), &[self.module.int_type(64)]);
        self.build.call(malloc, self.module.declare("malloc", malloc), &[self.build.int(64, size)])
    }

    fn array_len(&self) -> u64 {
        u64::from(self.options.array_len.max(1))
    }

    pub(super) fn bytes(&self, count: u64) -> Type<'m> {
        self.module.array_type(self.module.int_type(8), count)
    }

    fn symbolic(&self, cell: Value<'m>, size: u64, label: &str) {
        self.inputs.set(self.inputs.get() + 1);
        make_symbolic(self.module, &self.build, cell, self.build.int(64, size), label);
    }
}
