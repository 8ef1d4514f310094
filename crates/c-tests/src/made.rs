//! What a function has made itself: text, numbers, structs and lists that its result or what it was given points to.
//!
//! Such an object has another address in every run, but what is in it can be compared, by the type of the pointer that leads to it. How
//! large it is, the memory of the path knows.

use crate::check::{Checker, fold};
use crate::input::elements;
use crate::leaf::{Leaf, Shape, innermost};
use crate::literal::text;
use crate::snapshot::{Area, Owner};
use secateur_program::unit::{TypeId, TypeKind};

/// The longest text that is looked for where a pointer to characters points to.
const MAX_TEXT: u64 = 4096;
/// How many pointers are followed one after the other, such as the nodes of a list.
const MAX_DEPTH: u32 = 16;
/// How many objects are looked into; a test shall be one that people read.
const MAX_OBJECTS: usize = 64;
/// How many elements of an array are compared.
const MAX_ELEMENTS: u64 = 64;

/// An object that was met, and how C gets there.
pub(crate) struct Made {
    /// Its first address.
    object: u64,
    /// Where in it the pointer points that led to it.
    address: u64,
    path: String,
    to: TypeId,
}

impl Checker<'_> {
    /// Compares what a pointer of the given path points to.
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
        // What the C library keeps for itself may be something else in another library.
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
            // A variable may hold much beside the one struct.
            (TypeKind::Struct { .. }, Owner::Global(_)) => (1, None),
            _ => ((rest / size).min(MAX_ELEMENTS), None),
        };
        if rest < size || self.depth >= MAX_DEPTH || self.made.len() >= MAX_OBJECTS {
            return Vec::new();
        }
        let name = if path.starts_with('*') { format!("({path})") } else { path.to_string() };
        self.made.push(Made { object: area.address, address: pointer, path: name.clone(), to });
        let mut pieces = elements(unit, Some(to), count, &name, count * size);
        let mut length = count * size;
        if let Some((member, offset, element)) = flexible {
            let bytes = (rest - offset) / unit.ty(element).size * unit.ty(element).size;
            let bytes = bytes.min(MAX_ELEMENTS * unit.ty(element).size);
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

    /// A text up to its end; characters without an end as far as they go.
    fn characters(&mut self, path: &str, pointer: u64, area: &Area) -> Vec<String> {
        let rest = (area.address + area.size - pointer).min(MAX_TEXT);
        let Some(content) = self.memory.read(pointer, rest) else { return Vec::new() };
        let written = content.written.iter().position(|written| !written).unwrap_or(content.bytes.len());
        let bytes = &content.bytes[..written];
        match bytes.iter().position(|byte| *byte == 0) {
            Some(end) => vec![format!("assert(strcmp((const char *){path}, {}) == 0);", text(&bytes[..end]))],
            None if bytes.is_empty() => Vec::new(),
            None => vec![format!("assert(memcmp({path}, {}, {}) == 0);", text(bytes), bytes.len())],
        }
    }

    /// The last member of a struct if it is an array of numbers without a length: its name, where it is, and what it holds.
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
