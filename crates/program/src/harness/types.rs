//! Reads C types from the debug information.
//!
//! LLVM's pointers have no pointee type, so debug information is the only source for it.

use crate::llvm::{Context, Metadata};
use crate::unit::{CType, Member, TypeId, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

const ARRAY: u16 = 0x01;
const ENUMERATION: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const STRUCTURE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const UNION: u16 = 0x17;
const BASE: u16 = 0x24;
const CONST: u16 = 0x26;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;
const ATOMIC: u16 = 0x47;

/// Malformed debug information may have cycles where C has none.
const MAX_NESTING: u32 = 64;

/// Types whose objects only the C library can make: `FILE`, `DIR`, `regex_t`, `va_list` and `jmp_buf`. Any other
/// content is of no use to it, and what they consist of differs from one library to the next.
const MADE_BY_LIBC: [&str; 5] = [
    "struct _IO_FILE",
    "struct __dirstream",
    "struct re_pattern_buffer",
    "struct __va_list_tag",
    "struct __jmp_buf_tag",
];

/// The types found so far, each once.
pub(crate) struct Types<'m> {
    context: &'m Context,
    known: FxHashMap<(Metadata<'m>, Option<String>), TypeId>,
    made_by_libc: FxHashSet<TypeId>,
    pub(crate) all: Vec<CType>,
}

/// A type without its qualifiers and other names.
struct Stripped<'m> {
    node: Metadata<'m>,
    /// The first name that a `typedef` gave it.
    name: Option<String>,
    atomic: bool,
    constant: bool,
    volatile: bool,
}

impl<'m> Types<'m> {
    pub(crate) fn new(context: &'m Context) -> Types<'m> {
        Types { context, known: FxHashMap::default(), made_by_libc: FxHashSet::default(), all: Vec::new() }
    }

    pub(crate) fn get(&self, id: TypeId) -> &CType {
        &self.all[id.0 as usize]
    }

    /// Whether two types are the same except for the names of a `typedef`.
    pub(crate) fn is_same(&self, a: TypeId, b: TypeId) -> bool {
        a == b || (self.get(a).kind == self.get(b).kind && self.get(a).size == self.get(b).size)
    }

    /// The type that a pointer points to, if only the C library can make such objects.
    pub(crate) fn pointee_made_by_libc(&self, pointer: TypeId) -> Option<&CType> {
        match self.get(pointer).kind {
            TypeKind::Pointer { to: Some(to), .. } if self.made_by_libc.contains(&to) => Some(self.get(to)),
            _ => None,
        }
    }

    /// Adds a type that no debug information describes.
    pub(crate) fn add(&mut self, size: u64, kind: TypeKind) -> TypeId {
        self.all.push(CType { name: None, size, kind });
        TypeId(self.all.len() as u32 - 1)
    }

    /// The type that a node describes; `None` for `void`.
    pub(crate) fn read(&mut self, node: Metadata<'m>) -> Option<TypeId> {
        self.read_nested(node, 0)
    }

    fn read_nested(&mut self, node: Metadata<'m>, nesting: u32) -> Option<TypeId> {
        let Stripped { node, mut name, atomic, .. } = strip(node, self.context)?;
        if atomic {
            // To C, this is another type than the one without the word, and a pointer to one is none to the other.
            name = name.or_else(|| own_name(node)).map(|name| format!("_Atomic({name})"));
        }
        if nesting > MAX_NESTING {
            return None;
        }
        if let Some(known) = self.known.get(&(node, name.clone())) {
            return Some(*known);
        }
        // Its number must be known before its members are read, since a struct may contain pointers to itself.
        let size = node.type_bits() / 8;
        let id = self.add(size, TypeKind::Bytes);
        self.known.insert((node, name.clone()), id);
        if own_name(node).is_some_and(|name| MADE_BY_LIBC.contains(&name.as_str())) {
            self.made_by_libc.insert(id);
        }
        let kind = self.kind(node, size, nesting);
        let ty = &mut self.all[id.0 as usize];
        ty.name = match kind {
            TypeKind::Pointer { .. } | TypeKind::FunctionPointer | TypeKind::Array { .. } => None,
            _ => name.or_else(|| own_name(node)),
        };
        ty.kind = kind;
        Some(id)
    }

    fn kind(&mut self, node: Metadata<'m>, size: u64, nesting: u32) -> TypeKind {
        let operand = |index: usize| node.operands(self.context).get(index).copied().flatten();
        match node.tag() {
            POINTER => match operand(3).and_then(|to| strip(to, self.context)) {
                Some(to) if to.node.is_function_type() => TypeKind::FunctionPointer,
                Some(Stripped { constant, .. }) => {
                    let to = operand(3).and_then(|to| self.read_nested(to, nesting + 1));
                    TypeKind::Pointer { to, constant }
                }
                None => {
                    TypeKind::Pointer { to: None, constant: operand(3).is_some_and(|to| is_const(to, self.context)) }
                }
            },
            STRUCTURE if size > 0 => {
                let elements = operand(4).map(|list| list.operands(self.context)).unwrap_or_default();
                let members = elements.into_iter().flatten().filter(|element| element.tag() == MEMBER);
                TypeKind::Struct { members: members.filter_map(|member| self.member(member, nesting)).collect() }
            }
            ARRAY if node.is_vector() => TypeKind::Bytes,
            ARRAY => operand(3)
                .zip(operand(4))
                .and_then(|(element, dimensions)| self.array(element, dimensions, nesting))
                .unwrap_or(TypeKind::Bytes),
            ENUMERATION => {
                let signed = operand(3).is_none_or(|base| !base.type_name().starts_with("unsigned"));
                TypeKind::Integer { signed }
            }
            BASE => base_kind(&node.type_name(), size),
            _ => TypeKind::Bytes,
        }
    }

    fn member(&mut self, member: Metadata<'m>, nesting: u32) -> Option<Member> {
        let node = member.operands(self.context).get(3).copied().flatten()?;
        let Stripped { constant, volatile, .. } = strip(node, self.context)?;
        Some(Member {
            name: member.type_name(),
            bit_offset: member.type_offset_bits(),
            bit_width: member.is_bit_field().then(|| member.type_bits()),
            qualified: constant || volatile,
            ty: self.read_nested(node, nesting + 1)?,
        })
    }

    /// An array of arrays for each dimension.
    fn array(&mut self, element: Metadata<'m>, dimensions: Metadata<'m>, nesting: u32) -> Option<TypeKind> {
        let mut element = self.read_nested(element, nesting + 1)?;
        let dimensions = dimensions.operands(self.context);
        let counts = dimensions.into_iter().map(|dimension| {
            let count = dimension?.operands(self.context).first().copied().flatten();
            count?.constant(self.context)
        });
        // The last dimension is that of the innermost array; one without a length has no elements.
        let mut counts: Vec<u64> = counts.map(|count| count.filter(|count| *count < 1 << 31).unwrap_or(0)).collect();
        let outermost = if counts.is_empty() { 0 } else { counts.remove(0) };
        for count in counts.into_iter().rev() {
            let size = self.get(element).size.checked_mul(count)?;
            element = self.add(size, TypeKind::Array { element, count });
        }
        Some(TypeKind::Array { element, count: outermost })
    }
}

/// The name of a type without a `typedef`.
fn own_name(node: Metadata<'_>) -> Option<String> {
    let name = node.type_name();
    let before = match node.tag() {
        STRUCTURE => "struct ",
        UNION => "union ",
        ENUMERATION => "enum ",
        // The compiler distinguishes complex numbers by their size alone.
        BASE if name == "complex" => match node.type_bits() {
            64 => return Some("float _Complex".to_string()),
            128 => return Some("double _Complex".to_string()),
            _ => return Some("long double _Complex".to_string()),
        },
        BASE => "",
        _ => return None,
    };
    (!name.is_empty()).then(|| format!("{before}{name}"))
}

fn base_kind(name: &str, size: u64) -> TypeKind {
    match (name, size) {
        ("char" | "signed char", 1) => TypeKind::Char { signed: true },
        ("unsigned char", 1) => TypeKind::Char { signed: false },
        ("_Bool" | "bool", 1) => TypeKind::Bool,
        ("float", 4) | ("double", 8) => TypeKind::Float,
        (name, 2 | 4 | 8 | 16) if is_integer(name) => TypeKind::Integer { signed: !name.contains("unsigned") },
        _ => TypeKind::Bytes,
    }
}

fn is_integer(name: &str) -> bool {
    let words = ["short", "int", "long", "unsigned", "signed", "__int128"];
    name.split_whitespace().all(|word| words.contains(&word))
}

/// The type behind qualifiers and other names; `None` for `void`.
fn strip<'m>(node: Metadata<'m>, context: &'m Context) -> Option<Stripped<'m>> {
    let mut stripped = Stripped { node, name: None, atomic: false, constant: false, volatile: false };
    for _ in 0..MAX_NESTING {
        match stripped.node.tag() {
            TYPEDEF if stripped.name.is_none() => stripped.name = Some(stripped.node.type_name()),
            CONST => stripped.constant = true,
            VOLATILE => stripped.volatile = true,
            ATOMIC => stripped.atomic = true,
            TYPEDEF | RESTRICT => {}
            _ => return Some(stripped),
        }
        stripped.node = stripped.node.operands(context).get(3).copied().flatten()?;
    }
    None
}

/// Whether `void` is meant with `const` before it.
fn is_const<'m>(node: Metadata<'m>, context: &'m Context) -> bool {
    let mut at = Some(node);
    for _ in 0..MAX_NESTING {
        match at {
            Some(node) if node.tag() == CONST => return true,
            Some(node) => at = node.operands(context).get(3).copied().flatten(),
            None => return false,
        }
    }
    false
}
