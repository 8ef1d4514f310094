//! Writes the statements that create the input of a test.

use crate::declare::declare;
use crate::leaf::{Leaf, Shape, leaves, padding};
use crate::literal::{scalar, text, zero_terminated};
use crate::place::{Places, Target};
use secateur_program::Unit;
use secateur_program::unit::{TypeId, TypeKind};
use std::collections::BTreeSet;

/// The statements, and the arguments of the call.
pub(crate) struct Input {
    pub(crate) statements: Vec<String>,
    pub(crate) arguments: Vec<String>,
    /// The objects that the statements create: those that can be reached from the arguments.
    pub(crate) objects: BTreeSet<usize>,
}

impl Input {
    pub(crate) fn write(places: Places<'_>) -> Input {
        let unit = places.unit;
        let objects = reachable(places);
        let mut statements = Vec::new();
        for index in &objects {
            let (object, name) = (&unit.objects[*index], &places.names.objects[*index]);
            let declared = object.ty.and_then(|ty| match unit.ty(ty).kind {
                TypeKind::Array { .. } => declare(unit, ty, &format!("(*{name})")),
                _ => declare(unit, ty, &format!("*{name}")),
            });
            statements.push(match (declared, object.ty.and_then(|ty| declare(unit, ty, ""))) {
                (Some(declared), Some(ty)) => format!("{declared} = calloc({}, sizeof({ty}));", object.count),
                _ => format!("unsigned char *{name} = calloc({}, 1);", object.size),
            });
        }
        for index in &objects {
            let before = &places.snapshot.objects[*index].before;
            let object = &unit.objects[*index];
            let name = &places.names.objects[*index];
            if let Some(ty) = object.ty {
                let size = unit.ty(ty).size.max(1) as usize;
                for (number, element) in before.chunks_exact(size).enumerate() {
                    fill_padding(places, ty, name, number * size, element, &mut statements);
                }
            }
            for leaf in elements(unit, object.ty, object.count, name, object.size) {
                assign(places, &leaf, before, &mut statements);
            }
        }
        for (global, seen) in unit.globals.iter().zip(&places.snapshot.globals) {
            let variable = &global.variable;
            if !is_scalar(&unit.ty(variable.ty).kind) {
                statements.push(format!("memset(&{0}, 0, sizeof {0});", variable.name));
            }
            fill(places, variable.ty, &variable.name, &seen.before, &mut statements);
        }
        let mut arguments = Vec::new();
        for (index, param) in unit.params.iter().enumerate() {
            let value = &places.snapshot.arguments[index];
            let (ty, name) = (unit.ty(param.ty), &places.names.params[index]);
            if is_scalar(&ty.kind) {
                let leaf = &leaves(unit, param.ty, name)[0];
                arguments.push(expression(places, leaf, value));
                continue;
            }
            let Some(declared) = declare(unit, param.ty, name) else {
                arguments.push("0".to_string());
                continue;
            };
            statements.push(format!("{declared};"));
            statements.push(format!("memset(&{name}, 0, sizeof {name});"));
            fill(places, param.ty, name, value, &mut statements);
            arguments.push(name.clone());
        }
        Input { statements, arguments, objects }
    }
}

/// Numbers and pointers are written where they are used.
fn is_scalar(kind: &TypeKind) -> bool {
    !matches!(kind, TypeKind::Struct { .. } | TypeKind::Array { .. } | TypeKind::Bytes)
}

/// The objects that can be reached from the arguments and the global variables.
fn reachable(places: Places<'_>) -> BTreeSet<usize> {
    let unit = places.unit;
    let mut found = BTreeSet::new();
    let mut values: Vec<(TypeId, &[u8])> = Vec::new();
    values.extend(unit.params.iter().map(|param| param.ty).zip(places.snapshot.arguments.iter().map(Vec::as_slice)));
    let globals = unit.globals.iter().map(|global| global.variable.ty);
    values.extend(globals.zip(places.snapshot.globals.iter().map(|seen| seen.before.as_slice())));
    while let Some((ty, value)) = values.pop() {
        for leaf in leaves(unit, ty, "").iter().filter(|leaf| matches!(leaf.shape, Shape::Pointer(_))) {
            let Some((Target::Object(index), _)) = places.find(leaf.number(value) as u64) else { continue };
            if !found.insert(index) {
                continue;
            }
            let object = &unit.objects[index];
            let Some(element) = object.ty else { continue };
            let size = unit.ty(element).size.max(1) as usize;
            values.extend(places.snapshot.objects[index].before.chunks_exact(size).map(|bytes| (element, bytes)));
        }
    }
    found
}

/// The pieces of an object of `size` bytes.
pub(crate) fn elements(unit: &Unit, ty: Option<TypeId>, count: u64, name: &str, size: u64) -> Vec<Leaf> {
    let whole = |shape| Leaf { path: name.to_string(), bit_offset: 0, bits: size * 8, qualified: false, shape };
    let Some(ty) = ty else { return vec![whole(Shape::Bytes)] };
    if count == 1 {
        return leaves(unit, ty, &format!("*{name}"));
    }
    if let [Leaf { shape: Shape::Scalar(element) | Shape::Run { element }, .. }] = leaves(unit, ty, name)[..]
        && !matches!(unit.ty(ty).kind, TypeKind::Struct { .. })
    {
        return vec![whole(Shape::Run { element })];
    }
    let bits = unit.ty(ty).size * 8;
    let each = (0..count).flat_map(|index| {
        let pieces = leaves(unit, ty, &format!("{name}[{index}]")).into_iter();
        pieces.map(move |leaf| Leaf { bit_offset: index * bits + leaf.bit_offset, ..leaf })
    });
    each.collect()
}

/// Assigns a value to a variable, which is all zero unless it is a number.
fn fill(places: Places<'_>, ty: TypeId, name: &str, value: &[u8], statements: &mut Vec<String>) {
    fill_padding(places, ty, &format!("&{name}"), 0, value, statements);
    for leaf in leaves(places.unit, ty, name) {
        if leaf.path == name && is_scalar(&places.unit.ty(ty).kind) {
            statements.push(format!("{name} = {};", expression(places, &leaf, value)));
        } else {
            assign(places, &leaf, value, statements);
        }
    }
}

/// Sets the padding between members, which a function may still read.
fn fill_padding(places: Places<'_>, ty: TypeId, at: &str, offset: usize, value: &[u8], statements: &mut Vec<String>) {
    for (start, bytes) in padding(&leaves(places.unit, ty, ""), value) {
        statements.push(format!("memcpy((char *){at} + {}, {}, {});", offset + start, text(bytes), bytes.len()));
    }
}

/// Assigns a piece, unless it is zero, which is its initial value.
fn assign(places: Places<'_>, leaf: &Leaf, value: &[u8], statements: &mut Vec<String>) {
    let zero = leaf.number(value) == 0 && leaf.bytes(value).iter().all(|byte| *byte == 0);
    if zero {
        return;
    }
    let path = &leaf.path;
    let bytes = leaf.bytes(value);
    match leaf.shape {
        Shape::Pointer(_) | Shape::Scalar(_) if !leaf.qualified => {
            statements.push(format!("{path} = {};", expression(places, leaf, value)));
        }
        Shape::Run { element } if !matches!(places.unit.ty(element).kind, TypeKind::Char { .. }) => {
            statements.push(format!("memcpy({}, {}, {});", leaf.array(), array(places, element, bytes), bytes.len()));
        }
        Shape::Run { .. } => statements.push(match zero_terminated(bytes) {
            Some(start) => format!("strcpy((char *){path}, {});", text(start)),
            None => format!("memcpy({}, {}, {});", leaf.array(), text(bytes), bytes.len()),
        }),
        Shape::Bytes if places.is_object(path) => {
            statements.push(format!("memcpy({path}, {}, {});", text(bytes), bytes.len()));
        }
        _ => statements.push(format!("memcpy((void *)&{path}, {}, {});", text(bytes), bytes.len())),
    }
}

impl Places<'_> {
    /// Whether a path is the name of an object, which is a pointer already.
    pub(crate) fn is_object(&self, path: &str) -> bool {
        self.names.objects.iter().zip(&self.unit.objects).any(|(name, object)| object.ty.is_none() && name == path)
    }
}

/// Numbers as an array; omitted elements at its end are zero.
pub(crate) fn array(places: Places<'_>, element: TypeId, bytes: &[u8]) -> String {
    let ty = places.unit.ty(element);
    let size = ty.size.max(1) as usize;
    let all = bytes.len() / size;
    let used =
        bytes.chunks_exact(size).rposition(|chunk| chunk.iter().any(|byte| *byte != 0)).map_or(1, |last| last + 1);
    let numbers = bytes.chunks_exact(size).take(used);
    let numbers: Vec<String> =
        numbers.map(|chunk| scalar(ty, crate::literal::number(chunk), size as u32 * 8)).collect();
    let name = declare(places.unit, element, &format!("[{all}]")).unwrap_or_default();
    format!("(const {name}){{{}}}", numbers.join(", "))
}

/// The value of a number or pointer.
pub(crate) fn expression(places: Places<'_>, leaf: &Leaf, value: &[u8]) -> String {
    let number = leaf.number(value);
    match leaf.shape {
        Shape::Pointer(ty) => places.expression(number as u64, ty).unwrap_or_else(|| "NULL".to_string()),
        Shape::Scalar(ty) => scalar(places.unit.ty(ty), number, leaf.bits as u32),
        Shape::Run { .. } | Shape::Bytes => "0".to_string(),
    }
}
