//! Writes the assertions about what a call has done.

use super::input::{array, elements, expression};
use super::leaf::{Leaf, Shape, leaves};
use super::literal::{text, zero_ended};
use super::place::{Places, Target};
use super::snapshot::Memory;
use secateur_program::unit::{TypeId, TypeKind};
use std::collections::BTreeSet;

/// The longest text that is looked for where a pointer to characters points to.
const MAX_TEXT: u64 = 4096;

/// The assertions about the result, the objects that the test has made, and the global variables.
pub(super) fn write(places: Places<'_>, objects: &BTreeSet<usize>, memory: &mut dyn Memory) -> Vec<String> {
    let (unit, snapshot) = (places.unit, places.snapshot);
    let mut lines = Vec::new();
    if let (Some(result), Some(value)) = (&unit.result, &snapshot.result) {
        for leaf in leaves(unit, result.ty, &result.name) {
            check(places, objects, &leaf, value, memory, &mut lines);
        }
    }
    for index in objects {
        let (object, name) = (&unit.objects[*index], &places.names.objects[*index]);
        match &snapshot.objects[*index].after {
            None => lines.push(format!("/* {name} was freed. */")),
            Some(_) if object.constant => {}
            Some(after) => {
                let mut found = Vec::new();
                for (leaf, value) in elements(places, object.ty, object.count, name, after) {
                    check(places, objects, &leaf, value, memory, &mut found);
                }
                lines.extend(fold(name, found));
            }
        }
    }
    for (global, seen) in unit.globals.iter().zip(&snapshot.globals) {
        let Some(after) = &seen.after else { continue };
        for leaf in leaves(unit, global.variable.ty, &global.variable.name) {
            check(places, objects, &leaf, after, memory, &mut lines);
        }
    }
    lines
}

/// Asserts that a piece has its value.
fn check(
    places: Places<'_>,
    objects: &BTreeSet<usize>,
    leaf: &Leaf,
    value: &[u8],
    memory: &mut dyn Memory,
    lines: &mut Vec<String>,
) {
    let (path, bytes) = (&leaf.path, leaf.bytes(value));
    match leaf.shape {
        Shape::Pointer(ty) => lines.extend(check_pointer(places, objects, leaf, ty, value, memory)),
        Shape::Scalar(ty) => match places.unit.ty(ty).kind {
            TypeKind::Float => {
                let same = if leaf.bits == 32 { "unit_same_float" } else { "unit_same_double" };
                lines.push(format!("assert({same}({path}, {}));", expression(places, leaf, value)));
            }
            // A number that is an address is another one in every run.
            _ if leaf.bits == 64 && places.find(leaf.number(value) as u64).is_some() => {
                lines.push(format!("/* {path} is an address. */"));
            }
            _ => lines.push(format!("assert({path} == {});", expression(places, leaf, value))),
        },
        Shape::Run { element } => match (&places.unit.ty(element).kind, zero_ended(bytes)) {
            (TypeKind::Char { .. }, Some(start)) => {
                lines.push(format!("assert(unit_is_text({}, {}, {}));", leaf.array(), text(start), bytes.len()));
            }
            (TypeKind::Char { .. }, None) => {
                lines.push(format!("assert(memcmp({}, {}, {}) == 0);", leaf.array(), text(bytes), bytes.len()));
            }
            (TypeKind::Float, _) => {
                let size = places.unit.ty(element).size;
                let same = if size == 4 { "unit_same_floats" } else { "unit_same_doubles" };
                let count = bytes.len() as u64 / size.max(1);
                lines.push(format!("assert({same}({}, {}, {count}));", leaf.array(), array(places, element, bytes)));
            }
            _ => {
                lines.push(format!("assert(memcmp({path}, {}, {}) == 0);", array(places, element, bytes), bytes.len()))
            }
        },
        Shape::Bytes => {
            // Of the sixteen bytes of a long double, ten are its value.
            let bytes =
                if leaf.bits == 128 && bytes[10..].iter().all(|byte| *byte == 0) { &bytes[..10] } else { bytes };
            let address = if places.is_object(path) { path.clone() } else { format!("&{path}") };
            lines.push(format!("assert(memcmp({address}, {}, {}) == 0);", text(bytes), bytes.len()));
        }
    }
}

/// A pointer is null, or points to a place that the test knows, or to text, or just somewhere.
fn check_pointer(
    places: Places<'_>,
    objects: &BTreeSet<usize>,
    leaf: &Leaf,
    ty: TypeId,
    value: &[u8],
    memory: &mut dyn Memory,
) -> Vec<String> {
    let (path, pointer) = (&leaf.path, leaf.number(value) as u64);
    let known = match places.find(pointer) {
        Some((Target::Object(index), _)) => objects.contains(&index) && places.snapshot.objects[index].after.is_some(),
        Some((Target::Global(_), _)) => true,
        None => pointer == 0,
    };
    let place = if known { places.expression(pointer, ty) } else { None };
    if let Some(place) = place {
        return vec![format!("assert({path} == {place});")];
    }
    let mut lines = vec![format!("assert({path} != NULL);")];
    if let TypeKind::Pointer { to: Some(to), .. } = places.unit.ty(ty).kind
        && matches!(places.unit.ty(to).kind, TypeKind::Char { .. })
        && let Some(found) = string(pointer, memory)
    {
        lines.push(format!("assert(strcmp((const char *){path}, {}) == 0);", text(&found)));
    }
    lines
}

/// The text at an address.
fn string(address: u64, memory: &mut dyn Memory) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    for offset in 0..MAX_TEXT {
        match memory.read(address.checked_add(offset)?, 1)?[..] {
            [0] => return Some(found),
            [byte] => found.push(byte),
            _ => return None,
        }
    }
    None
}

/// Writes what is the same for consecutive elements of an array as one loop.
fn fold(name: &str, lines: Vec<String>) -> Vec<String> {
    let mut groups: Vec<(u64, u64, Vec<String>)> = Vec::new();
    for line in lines {
        let start = format!("{name}[");
        let parts = line.split_once(&start).and_then(|(before, rest)| {
            let (index, after) = rest.split_once(']')?;
            Some((index.parse::<u64>().ok()?, format!("{before}{start}\u{0}]{after}")))
        });
        let Some((index, pattern)) = parts else {
            groups.push((u64::MAX, u64::MAX, vec![line]));
            continue;
        };
        match groups.last_mut() {
            Some((_, last, patterns)) if *last == index => patterns.push(pattern),
            _ => groups.push((index, index, vec![pattern])),
        }
    }
    let mut folded: Vec<(u64, u64, Vec<String>)> = Vec::new();
    for (first, last, patterns) in groups {
        match folded.last_mut() {
            Some((_, end, same)) if first != u64::MAX && first == end.wrapping_add(1) && *same == patterns => {
                *end = last
            }
            _ => folded.push((first, last, patterns)),
        }
    }
    let mut written = Vec::new();
    for (first, last, patterns) in folded {
        if first == last {
            written.extend(patterns.iter().map(|pattern| pattern.replace('\u{0}', &first.to_string())));
            continue;
        }
        written.push(format!("for (int i = {first}; i <= {last}; i++) {{"));
        written.extend(patterns.iter().map(|pattern| format!("  {}", pattern.replace('\u{0}', "i"))));
        written.push("}".to_string());
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_elements_are_checked_in_a_loop() {
        let lines = ["assert(a[0].x == 1);", "assert(a[1].x == 0);", "assert(a[2].x == 0);", "assert(a[3].x == 0);"];
        let folded = fold("a", lines.map(str::to_string).to_vec());
        let expected = ["assert(a[0].x == 1);", "for (int i = 1; i <= 3; i++) {", "  assert(a[i].x == 0);", "}"];
        assert_eq!(folded, expected);
        assert_eq!(fold("a", vec!["assert(*a == 1);".to_string()]), ["assert(*a == 1);"]);
    }
}
