//! Locations of a state as the variables of the program that people know.

use secateur_machine::{Location, Machine, State};
use secateur_program::unit::{TypeId, TypeKind};
use secateur_program::{FuncId, ObjectId, Program, function_at, object_offset};

/// How the bits of a variable are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    Signed,
    Unsigned,
    Float,
    Pointer,
}

/// A variable, or a part of one, as C writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variable {
    pub text: String,
    /// Its width in bits.
    pub width: u8,
    /// `None` if its type is not known.
    pub reading: Option<Reading>,
    /// It is a value that the compiler introduced, such as the address of a variable.
    pub is_temporary: bool,
}

/// Names the locations of a state.
pub(crate) struct Variables<'a> {
    machine: &'a Machine,
    state: &'a State,
}

impl<'a> Variables<'a> {
    pub(crate) fn new(machine: &'a Machine, state: &'a State) -> Variables<'a> {
        Variables { machine, state }
    }

    fn program(&self) -> &'a Program {
        &self.machine.program
    }

    /// What a hole stands for.
    pub(crate) fn of_hole(&self, hole: u32) -> Variable {
        match self.machine.holes.location(hole) {
            Some(Location::Slot { frame, slot }) => {
                let function = self.function_of(frame);
                let local = function.and_then(|function| self.program().names.slot(function, slot));
                let name = local.map_or_else(|| format!("%{}", slot.0), |local| local.name.to_string());
                let is_innermost = frame == self.state.callers.depth();
                let widths = function.map(|function| self.program().functions[function.index()].slot_widths());
                let width = widths.and_then(|widths| widths.get(slot.index()).copied().flatten());
                Variable {
                    width: width.unwrap_or(64),
                    text: if is_innermost { name } else { self.qualified(function, &name) },
                    reading: local.and_then(|local| self.reading(local.ty?)),
                    is_temporary: local.is_none(),
                }
            }
            Some(Location::Bytes { object, offset, len }) => self.of_bytes(object, offset, len.into()),
            None => Variable { text: format!("?{hole}"), width: 64, reading: None, is_temporary: true },
        }
    }

    /// What an address points to; `None` if nothing is known there.
    pub(crate) fn of_address(&self, address: u64) -> Option<String> {
        if address == 0 {
            return Some("NULL".to_string());
        }
        if let Some(function) = function_at(address) {
            return self.program().functions.get(function.index()).map(|function| function.name.to_string());
        }
        let object = ObjectId::of(address);
        let (name, _) = self.object(object)?;
        Some(match object_offset(address) {
            0 => format!("&{name}"),
            offset => format!("(char *)&{name} + {offset}"),
        })
    }

    fn of_bytes(&self, object: ObjectId, offset: u64, len: u64) -> Variable {
        let (text, reading) = match self.object(object) {
            None => (format!("memory at {:#x}", object.address() + offset), None),
            Some((name, Some(ty))) => {
                let part = self.program().names.part(ty, offset, len);
                (name + &part.suffix, part.ty.and_then(|ty| self.reading(ty)))
            }
            Some((name, None)) if offset == 0 && self.state.memory.get(object).is_some_and(|all| all.size == len) => {
                (name, None)
            }
            Some((name, None)) if len == 1 => (format!("{name} byte {offset}"), None),
            Some((name, None)) => (format!("{name} bytes {offset} to {}", offset + len - 1), None),
        };
        Variable { text, width: (len * 8) as u8, reading, is_temporary: false }
    }

    /// The name of an object, and its type if it is a variable.
    fn object(&self, id: ObjectId) -> Option<(String, Option<TypeId>)> {
        let names = &self.program().names;
        if let Some(global) = id.global()
            && let Some(known) = self.program().globals.get(global.index())
        {
            return (!known.is_filler()).then(|| (known.name.to_string(), names.global(global)));
        }
        let object = self.state.memory.get(id)?;
        let site = &object.allocated_at;
        if let Some(ty) = names.object(site.function, &site.name, object.size) {
            let is_here = site.function == self.state.frame.function;
            let name = if is_here { site.name.to_string() } else { self.qualified(Some(site.function), &site.name) };
            return Some((name, Some(ty)));
        }
        let line = self.program().locations.get(site.loc.index()).map_or(0, |at| at.line);
        let mut name = site.name.to_string();
        if line > 0 {
            name.push_str(&format!("@{line}"));
        }
        // One place may allocate several objects.
        if object.fresh > 0 {
            name.push_str(&format!("#{}", object.fresh));
        }
        Some((name, None))
    }

    fn qualified(&self, function: Option<FuncId>, name: &str) -> String {
        let function = function.and_then(|function| self.program().functions.get(function.index()));
        function.map_or_else(|| name.to_string(), |function| format!("{}::{name}", function.name))
    }

    /// The function of an active call; 0 is the outermost.
    fn function_of(&self, frame: u32) -> Option<FuncId> {
        match self.state.callers.depth().checked_sub(frame)? {
            0 => Some(self.state.frame.function),
            above => self.state.callers.iter().nth(above as usize - 1).map(|frame| frame.function),
        }
    }

    fn reading(&self, ty: TypeId) -> Option<Reading> {
        match &self.program().names.ty(ty)?.kind {
            TypeKind::Char { signed } | TypeKind::Integer { signed } => {
                Some(if *signed { Reading::Signed } else { Reading::Unsigned })
            }
            TypeKind::Bool => Some(Reading::Unsigned),
            TypeKind::Float => Some(Reading::Float),
            TypeKind::Pointer { .. } | TypeKind::FunctionPointer => Some(Reading::Pointer),
            TypeKind::Struct { .. } | TypeKind::Array { .. } | TypeKind::Bytes => None,
        }
    }
}
