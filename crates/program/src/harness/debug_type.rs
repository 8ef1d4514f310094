//! What the debug information says about the parameters of a function and their types.
//!
//! LLVM's own pointers do not say what they point to, so this is the only source for it.

use crate::llvm::{Context, Metadata, Value};
use rustc_hash::FxHashMap;

const ARRAY: u16 = 0x01;
const POINTER: u16 = 0x0f;
const MEMBER: u16 = 0x0d;
const STRUCTURE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const CONST: u16 = 0x26;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;
const ATOMIC: u16 = 0x47;

/// A C type, as far as it matters for making values of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SourceType<'m> {
    /// A byte of text.
    Char,
    /// Something without pointers that we look into.
    Plain { size: u64 },
    /// A struct: where its members are.
    Struct { size: u64, members: Vec<Member<'m>> },
    /// An array.
    Array { size: u64, element: Box<SourceType<'m>> },
    /// A pointer; `None` if to `void`, or to something that is not defined.
    Pointer { to: Option<Node<'m>> },
    /// A pointer to a function.
    Function,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member<'m> {
    pub(super) name: String,
    pub(super) offset: u64,
    pub(super) ty: Node<'m>,
}

/// A type that is looked at only when needed, since types may contain themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Node<'m>(Metadata<'m>);

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("type")
    }
}

impl SourceType<'_> {
    /// The size in bytes; 0 if unknown.
    pub(super) fn size(&self) -> u64 {
        match self {
            SourceType::Char => 1,
            SourceType::Plain { size } | SourceType::Struct { size, .. } | SourceType::Array { size, .. } => *size,
            SourceType::Pointer { .. } | SourceType::Function => 8,
        }
    }
}

impl<'m> Node<'m> {
    /// What type it is; `None` for `void`.
    pub(super) fn resolve(self, context: &'m Context) -> Option<SourceType<'m>> {
        let node = strip(self.0, context)?;
        let size = node.type_bits() / 8;
        let operand = |index: usize| node.operands(context).get(index).copied().flatten();
        Some(match node.tag() {
            POINTER => match operand(3).and_then(|to| strip(to, context)) {
                None => SourceType::Pointer { to: None },
                Some(to) if to.is_function_type() => SourceType::Function,
                Some(to) => SourceType::Pointer { to: Some(Node(to)) },
            },
            STRUCTURE => {
                let elements = operand(4).map(|list| list.operands(context)).unwrap_or_default();
                let members = elements.into_iter().flatten().filter(|element| element.tag() == MEMBER);
                let members = members.filter_map(|member| {
                    let ty = member.operands(context).get(3).copied().flatten()?;
                    Some(Member { name: member.type_name(), offset: member.type_offset_bits() / 8, ty: Node(ty) })
                });
                SourceType::Struct { size, members: members.collect() }
            }
            ARRAY => match operand(3).and_then(|element| Node(element).resolve(context)) {
                Some(element) => SourceType::Array { size, element: Box::new(element) },
                None => SourceType::Plain { size },
            },
            _ if size == 1 && matches!(node.type_name().as_str(), "char" | "signed char" | "unsigned char") => {
                SourceType::Char
            }
            _ => SourceType::Plain { size },
        })
    }
}

/// The type behind qualifiers and other names; `None` for `void`.
fn strip<'m>(node: Metadata<'m>, context: &'m Context) -> Option<Metadata<'m>> {
    let mut at = node;
    // Malformed debug information may have cycles.
    for _ in 0..64 {
        if !matches!(at.tag(), TYPEDEF | CONST | VOLATILE | RESTRICT | ATOMIC) {
            return Some(at);
        }
        at = at.operands(context).get(3).copied().flatten()?;
    }
    None
}

/// A parameter as in the source.
#[derive(Clone, Debug)]
pub(super) struct SourceParam<'m> {
    pub(super) name: String,
    pub(super) ty: Option<Node<'m>>,
}

/// What is known about the parameters of a function, by their LLVM values.
pub(super) fn source_params<'m>(function: Value<'m>, context: &'m Context) -> FxHashMap<Value<'m>, SourceParam<'m>> {
    let mut known = FxHashMap::default();
    let params = function.params();
    for call in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let Some((value, variable)) = call.described() else { continue };
        if !variable.is_parameter(context) {
            continue;
        }
        // A parameter is described itself, or by the variable on the stack that it is stored to.
        let param = if params.contains(&value) {
            Some(value)
        } else {
            let mut stores = value.users().into_iter().filter(|user| user.is_store() && user.operand(1) == value);
            stores.find(|store| params.contains(&store.operand(0))).map(|store| store.operand(0))
        };
        let Some(param) = param else { continue };
        let name = variable.variable_name(context).unwrap_or_default();
        let ty = variable.variable_type(context).map(Node);
        known.entry(param).or_insert(SourceParam { name, ty });
    }
    // Whatever the optimiser left undescribed is found by its position, if each parameter is still one.
    let types = signature(function, context);
    let visible: Vec<Value<'m>> = params.into_iter().filter(|param| !function.is_struct_return(*param)).collect();
    if types.len() == visible.len() {
        for (param, ty) in visible.into_iter().zip(types) {
            known.entry(param).or_insert(SourceParam { name: param.name(), ty: ty.map(Node) });
        }
    }
    known
}

/// The types of the parameters in the source.
fn signature<'m>(function: Value<'m>, context: &'m Context) -> Vec<Option<Metadata<'m>>> {
    let operand = |node: Metadata<'m>, index: usize| node.operands(context).get(index).copied().flatten();
    function
        .subprogram()
        .and_then(|subprogram| operand(subprogram, 4))
        .and_then(|ty| operand(ty, 3))
        .map(|list| list.operands(context).into_iter().skip(1).collect())
        .unwrap_or_default()
}
