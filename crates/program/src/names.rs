//! Names and types of the user's variables, from the debug information: what people read instead of slots and bytes.

use serde::{Deserialize, Serialize};

use crate::code::{FuncId, GlobalId, Slot};
use crate::unit::{CType, TypeId, TypeKind};

/// What is known about the variables of a program. Everything may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    /// All types that occur.
    pub types: Vec<CType>,
    /// The type of global variables, by number.
    pub globals: Vec<Option<TypeId>>,
    /// The local variables of functions, by number of the function.
    pub locals: Vec<Vec<LocalName>>,
}

/// A local variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LocalName {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub ty: Option<TypeId>,
    /// The slot that holds it; `None` if it is an object on the stack.
    pub slot: Option<Slot>,
}

/// A part of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// How C writes it after the name of the variable, e.g. `.next[3]`.
    pub suffix: String,
    /// Its type, if it is all of something.
    pub ty: Option<TypeId>,
}

impl Names {
    /// A type by its number.
    pub fn ty(&self, id: TypeId) -> Option<&CType> {
        self.types.get(id.0 as usize)
    }

    /// The type of a global variable.
    pub fn global(&self, global: GlobalId) -> Option<TypeId> {
        self.globals.get(global.index()).copied().flatten()
    }

    /// The variable that a slot of a function holds.
    pub fn slot(&self, function: FuncId, slot: Slot) -> Option<&LocalName> {
        self.locals.get(function.index())?.iter().find(|local| local.slot == Some(slot))
    }

    /// The type of the object of this size that is a local variable of this name. Variables of one name in several
    /// blocks are distinguished by their sizes alone.
    pub fn object(&self, function: FuncId, name: &str, size: u64) -> Option<TypeId> {
        let locals = self.locals.get(function.index())?;
        let types = locals.iter().filter(|local| &*local.name == name).filter_map(|local| local.ty);
        types.into_iter().find(|ty| self.ty(*ty).is_some_and(|ty| ty.size == size))
    }

    /// The part of a variable of this type that has `len` bytes from `offset` on.
    pub fn part(&self, ty: TypeId, offset: u64, len: u64) -> Part {
        let (mut suffix, mut ty, mut offset) = (String::new(), ty, offset);
        while let Some(known) = self.ty(ty) {
            if offset == 0
                && known.size == len
                && !matches!(&known.kind, TypeKind::Struct { .. } | TypeKind::Array { .. })
            {
                return Part { suffix, ty: Some(ty) };
            }
            match &known.kind {
                TypeKind::Array { element, .. } => {
                    let size = self.ty(*element).map_or(0, |element| element.size);
                    if size == 0 || offset % size + len > size {
                        break;
                    }
                    suffix.push_str(&format!("[{}]", offset / size));
                    (ty, offset) = (*element, offset % size);
                }
                TypeKind::Struct { members } => {
                    let holds = |member: &&crate::unit::Member| {
                        let (start, size) = (member.bit_offset / 8, self.ty(member.ty).map_or(0, |ty| ty.size));
                        member.bit_width.is_none() && start <= offset && offset + len <= start + size
                    };
                    let Some(member) = members.iter().find(holds) else { break };
                    if !member.name.is_empty() {
                        suffix.push('.');
                        suffix.push_str(&member.name);
                    }
                    (ty, offset) = (member.ty, offset - member.bit_offset / 8);
                }
                _ => break,
            }
        }
        let last = offset + len - 1;
        suffix.push_str(&if len == 1 { format!(" byte {offset}") } else { format!(" bytes {offset} to {last}") });
        Part { suffix, ty: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Member;

    /// `struct { char tag; struct { int x, y; } points[3]; unsigned flag : 1; }`
    fn names() -> Names {
        let ty = |size, kind| CType { name: None, size, kind };
        let member = |name: &str, byte: u64, ty: u32| Member {
            name: name.to_string(),
            bit_offset: byte * 8,
            bit_width: None,
            qualified: false,
            ty: TypeId(ty),
        };
        let flag = Member { bit_width: Some(1), ..member("flag", 28, 1) };
        Names {
            types: vec![
                ty(1, TypeKind::Char { signed: true }),
                ty(4, TypeKind::Integer { signed: true }),
                ty(8, TypeKind::Struct { members: vec![member("x", 0, 1), member("y", 4, 1)] }),
                ty(24, TypeKind::Array { element: TypeId(2), count: 3 }),
                ty(32, TypeKind::Struct { members: vec![member("tag", 0, 0), member("points", 4, 3), flag] }),
            ],
            ..Names::default()
        }
    }

    #[test]
    fn parts_are_written_as_in_c() {
        let part = |offset, len| {
            let part = names().part(TypeId(4), offset, len);
            (part.suffix, part.ty.map(|ty| ty.0))
        };
        assert_eq!(part(0, 1), (".tag".to_string(), Some(0)));
        assert_eq!(part(4, 4), (".points[0].x".to_string(), Some(1)));
        assert_eq!(part(24, 4), (".points[2].y".to_string(), Some(1)));
        assert_eq!(part(13, 1), (".points[1].x byte 1".to_string(), None));
        assert_eq!(part(12, 8), (".points[1] bytes 0 to 7".to_string(), None));
        assert_eq!(part(28, 1), (" byte 28".to_string(), None), "a bit-field");
        assert_eq!(part(8, 8), (".points bytes 4 to 11".to_string(), None), "parts of two elements");
    }

    #[test]
    fn variables_of_one_name_are_told_apart_by_size() {
        let local = |ty| LocalName { name: "v".into(), ty: Some(TypeId(ty)), slot: None };
        let names = Names { locals: vec![vec![local(0), local(1)]], ..names() };
        assert_eq!(names.object(FuncId(0), "v", 4), Some(TypeId(1)));
        assert_eq!(names.object(FuncId(0), "v", 1), Some(TypeId(0)));
        assert_eq!(names.object(FuncId(0), "v", 2), None);
        assert_eq!(names.object(FuncId(9), "v", 4), None);
    }
}
