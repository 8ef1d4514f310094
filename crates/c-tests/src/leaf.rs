//! Splits a value into the pieces that C can assign and compare.

use crate::literal::number;
use secateur_program::Unit;
use secateur_program::unit::{TypeId, TypeKind};

/// A piece of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// Its C expression, e.g. `list->next`.
    pub(crate) path: String,
    /// Where it is in the value, in bits.
    pub(crate) bit_offset: u64,
    /// How many bits it has.
    pub(crate) bits: u64,
    /// It is `const` or `volatile`: only its bytes can be copied, and only with a cast.
    pub(crate) qualified: bool,
    pub(crate) shape: Shape,
}

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A number.
    Scalar(TypeId),
    /// An array of numbers, whatever its dimensions.
    Run {
        /// The type of the numbers.
        element: TypeId,
    },
    /// A pointer.
    Pointer(TypeId),
    /// Opaque bytes.
    Bytes,
}

impl Leaf {
    /// Its address, for functions that copy and compare bytes; an array is its own address.
    pub(crate) fn array(&self) -> String {
        if self.qualified { format!("(void *){}", self.path) } else { self.path.clone() }
    }

    /// Its bytes; only for what is not a bit-field.
    pub(crate) fn bytes<'v>(&self, value: &'v [u8]) -> &'v [u8] {
        let start = (self.bit_offset / 8) as usize;
        value.get(start..start + (self.bits / 8) as usize).unwrap_or_default()
    }

    /// The bytes that it touches.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        (self.bit_offset / 8) as usize..(self.bit_offset + self.bits).div_ceil(8) as usize
    }

    /// Its value as a number.
    pub(crate) fn number(&self, value: &[u8]) -> u128 {
        let start = (self.bit_offset / 8) as usize;
        let end = ((self.bit_offset + self.bits).div_ceil(8) as usize).min(value.len());
        let shifted = number(value.get(start..end).unwrap_or_default()) >> (self.bit_offset % 8);
        if self.bits < 128 { shifted & ((1 << self.bits) - 1) } else { shifted }
    }
}

/// All pieces of a value of a type that C calls `path`.
pub(crate) fn leaves(unit: &Unit, ty: TypeId, path: &str) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(unit, ty, path, Position::default(), false, &mut found);
    found
}

/// The bytes of a value that belong to no piece, as offset and bytes, unless they are zero.
pub(crate) fn padding<'v>(leaves: &[Leaf], value: &'v [u8]) -> Vec<(usize, &'v [u8])> {
    let mut free = vec![true; value.len()];
    for leaf in leaves {
        let end = (leaf.bit_offset + leaf.bits).div_ceil(8);
        let covered = (leaf.bit_offset / 8).min(end) as usize..(end as usize).min(value.len());
        free.get_mut(covered).unwrap_or_default().fill(false);
    }
    let mut found = Vec::new();
    let mut start = 0;
    for run in free.chunk_by(|a, b| a == b) {
        let bytes = &value[start..start + run.len()];
        if run[0] && bytes.iter().any(|byte| *byte != 0) {
            found.push((start, bytes));
        }
        start += run.len();
    }
    found
}

/// The path of a member; `list[0]` and `*list` are the same, and the latter uses an arrow.
fn member_path(path: &str, name: &str) -> String {
    match path.strip_prefix('*') {
        _ if name.is_empty() => path.to_string(),
        Some(pointer) => format!("{pointer}->{name}"),
        None => format!("{path}.{name}"),
    }
}

/// Where in the value something is, in bits.
#[derive(Clone, Copy, Default)]
struct Position {
    bit_offset: u64,
    /// Where the part that the path names begins: members without a name are not in the path.
    named: u64,
}

impl Position {
    fn at(bit_offset: u64) -> Position {
        Position { bit_offset, named: bit_offset }
    }
}

fn collect(unit: &Unit, id: TypeId, path: &str, position: Position, qualified: bool, found: &mut Vec<Leaf>) {
    let ty = unit.ty(id);
    let Position { bit_offset, named } = position;
    let mut add = |shape| found.push(Leaf { path: path.to_string(), bit_offset, bits: ty.size * 8, qualified, shape });
    match &ty.kind {
        TypeKind::Char { .. } | TypeKind::Integer { .. } | TypeKind::Bool | TypeKind::Float => add(Shape::Scalar(id)),
        TypeKind::Pointer { .. } | TypeKind::FunctionPointer => add(Shape::Pointer(id)),
        TypeKind::Bytes => {
            // Ten of the sixteen bytes of a long double are its value.
            let bits = if ty.name.as_deref() == Some("long double") { 80 } else { ty.size * 8 };
            found.push(Leaf { path: path.to_string(), bit_offset, bits, qualified, shape: Shape::Bytes });
        }
        TypeKind::Struct { members } => {
            for member in members {
                let unnamed_bytes = member.name.is_empty() && unit.ty(member.ty).kind == TypeKind::Bytes;
                let offset = bit_offset + member.bit_offset;
                let path = match unnamed_bytes {
                    true => format!("((char *)&{path})[{}]", (offset - named) / 8),
                    false => member_path(path, &member.name),
                };
                let named = if member.name.is_empty() { named } else { offset };
                let qualified = qualified || member.qualified;
                match member.bit_width {
                    // A bit-field without a name is padding.
                    Some(bits) if !member.name.is_empty() => {
                        found.push(Leaf { path, bit_offset: offset, bits, qualified, shape: Shape::Scalar(member.ty) });
                    }
                    Some(_) => {}
                    None => collect(unit, member.ty, &path, Position { bit_offset: offset, named }, qualified, found),
                }
            }
        }
        TypeKind::Array { element, count } => match innermost(unit, *element) {
            Some(element) => add(Shape::Run { element }),
            None => {
                let size = unit.ty(*element).size;
                let path = path.strip_prefix('*').map_or_else(|| path.to_string(), |pointer| format!("(*{pointer})"));
                for index in 0..*count {
                    let position = Position::at(bit_offset + index * size * 8);
                    collect(unit, *element, &format!("{path}[{index}]"), position, qualified, found);
                }
            }
        },
    }
}

/// The type of the numbers in an array of arrays of numbers.
pub(crate) fn innermost(unit: &Unit, element: TypeId) -> Option<TypeId> {
    match unit.ty(element).kind {
        TypeKind::Char { .. } | TypeKind::Integer { .. } | TypeKind::Bool | TypeKind::Float => Some(element),
        TypeKind::Array { element, .. } => innermost(unit, element),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::example;

    #[test]
    fn a_struct_is_its_members() {
        let (unit, ids) = example();
        let paths: Vec<String> = leaves(&unit, ids["node"], "*list").into_iter().map(|leaf| leaf.path).collect();
        assert_eq!(paths, ["list->value", "list->flags", "list->next"]);
        let paths: Vec<String> = leaves(&unit, ids["node"], "list[1]").into_iter().map(|leaf| leaf.path).collect();
        assert_eq!(paths, ["list[1].value", "list[1].flags", "list[1].next"]);
        assert_eq!(leaves(&unit, ids["row"], "row").len(), 1, "an array of numbers is one piece");
    }

    #[test]
    fn padding_is_what_no_piece_covers() {
        let (unit, ids) = example();
        let leaves = leaves(&unit, ids["node"], "node");
        assert_eq!(padding(&leaves, &[1; 16]), [(5, &[1, 1, 1][..])]);
        assert_eq!(padding(&leaves, &[0; 16]), []);
    }

    #[test]
    fn bits_are_extracted() {
        let leaf = Leaf { path: "x".into(), bit_offset: 35, bits: 3, qualified: false, shape: Shape::Bytes };
        assert_eq!(leaf.number(&[0, 0, 0, 0, 0b0010_1000, 0, 0, 0]), 0b101);
    }
}
