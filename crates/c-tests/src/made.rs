//! What a function created itself: text, numbers, structs and lists that its result or its arguments point to.
//!
//! The address of such an object differs from run to run, but its content can be compared, by the type of the pointer
//! that leads to it. Its size is known from the memory of the path.

use crate::check::{Checker, fold};
use crate::input::elements;
use crate::leaf::{Leaf, Shape, innermost};
use crate::literal::text;
use crate::snapshot::{Area, Owner};
use secateur_program::unit::{TypeId, TypeKind};

/// An object that was reached, and the C expression for it.
pub(crate) struct Made {
    /// Its first address.
    object: u64,
    /// The offset of the pointer that led to it.
    address: u64,
    path: String,
    to: TypeId,
}

impl Checker<'_> {
    /// Compares what the pointer at the given path points to.
    pub(crate) fn pointed_to(&mut self, path: &str, pointer: u64, to: Option<TypeId>, area: &Area) -> Vec<String> {
        let unit = self.places.unit;
        let Some(to) = to else { return Vec::new() };
        let own = match &area.owner {
            Owner::Program => true,
            Owner::Library => false,
            Owner::Global(name) => unit.own_globals.contains(name),
        };
        if matches!(unit.ty(to).kind, TypeKind::Char { .. }) && (own || area.owner == Owner::Library) {
            return self.characters(path, pointer, area);
        }
        let size = unit.ty(to).size;
        // Internal data of the C library may differ in another library.
        if !own || size == 0 {
            return Vec::new();
        }
        if let Some(known) = self.made.iter().find(|made| made.object == area.address) {
            let (same, there) = (known.address == pointer && known.to == to, &known.path);
            let distance = pointer.wrapping_sub(known.address) as i64;
            return vec![if same {
                format!("assert({path} == {there});")
            } else {
                format!("assert((const char *){path} == (const char *){there} + {distance});")
            }];
        }
        let rest = area.address + area.size - pointer;
        let (count, flexible) = match (&unit.ty(to).kind, &area.owner) {
            (TypeKind::Struct { .. }, _) if self.flexible_member(to).is_some() => (1, self.flexible_member(to)),
            // A variable may hold much more than the one struct.
            (TypeKind::Struct { .. }, Owner::Global(_)) => (1, None),
            _ => ((rest / size).min(self.tuning.elements), None),
        };
        if rest < size || self.depth >= self.tuning.depth || self.made.len() >= self.tuning.objects {
            return Vec::new();
        }
        let name = if path.starts_with('*') { format!("({path})") } else { path.to_string() };
        self.made.push(Made { object: area.address, address: pointer, path: name.clone(), to });
        let mut pieces = elements(unit, Some(to), count, &name, count * size);
        let mut length = count * size;
        if let Some((member, offset, element)) = flexible {
            let bytes = (rest - offset) / unit.ty(element).size * unit.ty(element).size;
            let bytes = bytes.min(self.tuning.elements * unit.ty(element).size);
            length = length.max(offset + bytes);
            pieces.push(Leaf {
                path: format!("{name}->{member}"),
                bit_offset: offset * 8,
                bits: bytes * 8,
                qualified: false,
                shape: Shape::Run { element },
            });
        }
        let Some(content) = self.memory.read(pointer, length) else { return Vec::new() };
        self.depth += 1;
        let lines = self.pieces(&pieces, &content);
        self.depth -= 1;
        fold(&name, lines)
    }

    /// A text up to its terminator, or all characters if there is none.
    fn characters(&mut self, path: &str, pointer: u64, area: &Area) -> Vec<String> {
        let rest = (area.address + area.size - pointer).min(self.tuning.text);
        let Some(content) = self.memory.read(pointer, rest) else { return Vec::new() };
        let written = content.written.iter().position(|written| !written).unwrap_or(content.bytes.len());
        let bytes = &content.bytes[..written];
        match bytes.iter().position(|byte| *byte == 0) {
            Some(end) => vec![format!("assert(strcmp((const char *){path}, {}) == 0);", text(&bytes[..end]))],
            None if bytes.is_empty() => Vec::new(),
            None => vec![format!("assert(memcmp({path}, {}, {}) == 0);", text(bytes), bytes.len())],
        }
    }

    /// The flexible array member of a struct if it holds numbers: its name, its offset, and its content.
    fn flexible_member(&self, ty: TypeId) -> Option<(String, u64, TypeId)> {
        let unit = self.places.unit;
        let TypeKind::Struct { members } = &unit.ty(ty).kind else { return None };
        let last = members.last()?;
        match unit.ty(last.ty).kind {
            TypeKind::Array { element, count: 0 } => {
                Some((last.name.clone(), last.bit_offset / 8, innermost(unit, element)?))
            }
            _ => None,
        }
    }
}
