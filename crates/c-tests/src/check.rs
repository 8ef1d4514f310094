//! Writes the assertions about the effects of a call.

use crate::input::{array, elements, expression};
use crate::leaf::{Leaf, Shape, leaves};
use crate::literal::{text, zero_terminated};
use crate::made::Made;
use crate::place::{Places, Target};
use crate::snapshot::{Content, Memory};
use crate::tuning::Tuning;
use secateur_program::unit::{TypeId, TypeKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// Numbers this close to zero are not addresses on any machine, so a pointer may be made of them: `(void *)-1`.
const NEVER_AN_ADDRESS: Range<i64> = -4095..4096;

/// The assertions about the result, the objects that the test created, and the global variables.
pub(crate) fn write(
    places: Places<'_>,
    tuning: &Tuning,
    objects: &BTreeSet<usize>,
    memory: &mut dyn Memory,
) -> Vec<String> {
    let (unit, snapshot) = (places.unit, places.snapshot);
    let mut checker = Checker { places, tuning, objects, memory, made: Vec::new(), depth: 0 };
    let mut lines = Vec::new();
    if let (Some(result), Some(value)) = (&unit.result, &snapshot.result) {
        lines.extend(checker.pieces(&leaves(unit, result.ty, &result.name), value));
        if !lines.iter().any(|line| line.starts_with("assert(")) {
            // Nothing about the result is the same in every run; the compiler would warn that it is unused.
            lines.push(format!("(void){};", result.name));
        }
    }
    for index in objects {
        let (object, name) = (&unit.objects[*index], &places.names.objects[*index]);
        match &snapshot.objects[*index].after {
            None => lines.push(format!("/* {name} was freed. */")),
            Some(_) if object.constant => {}
            Some(after) => {
                let found = checker.pieces(&elements(unit, object.ty, object.count, name, object.size), after);
                lines.extend(fold(name, found));
            }
        }
    }
    for (global, seen) in unit.globals.iter().zip(&snapshot.globals) {
        let Some(after) = &seen.after else { continue };
        lines.extend(checker.pieces(&leaves(unit, global.variable.ty, &global.variable.name), after));
    }
    lines
}

/// Writes assertions, and records what they already cover.
pub(crate) struct Checker<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) tuning: &'a Tuning,
    /// The objects that the test created.
    objects: &'a BTreeSet<usize>,
    pub(crate) memory: &'a mut dyn Memory,
    /// The objects that the function created, as far as they were reached.
    pub(crate) made: Vec<Made>,
    /// How many pointers were followed to get here.
    pub(crate) depth: u32,
}

impl Checker<'_> {
    /// Asserts the values of all pieces of a value.
    pub(crate) fn pieces(&mut self, leaves: &[Leaf], value: &Content) -> Vec<String> {
        let mut lines = Vec::new();
        for leaf in leaves {
            self.piece(leaf, value, &mut lines);
        }
        lines
    }

    fn piece(&mut self, leaf: &Leaf, value: &Content, lines: &mut Vec<String>) {
        let (places, path, bytes) = (self.places, &leaf.path, leaf.bytes(&value.bytes));
        let written = value.written.get(leaf.range()).unwrap_or_default();
        match leaf.shape {
            Shape::Run { element } => {
                let size = (places.unit.ty(element).size as usize).max(1);
                for range in self.fixed(bytes, written, size) {
                    lines.push(check_run(places, leaf, element, bytes, range));
                }
            }
            Shape::Bytes => {
                let address = if places.is_object(path) { path.clone() } else { format!("&{path}") };
                for range in self.fixed(bytes, written, 1) {
                    let (at, bytes) = (offset(&address, range.start), &bytes[range]);
                    lines.push(format!("assert(memcmp({at}, {}, {}) == 0);", text(bytes), bytes.len()));
                }
            }
            // A value that depends on unwritten memory differs from run to run.
            _ if written.contains(&false) => {}
            Shape::Pointer(ty) => lines.extend(self.pointer(leaf, ty, &value.bytes)),
            Shape::Scalar(ty) => match places.unit.ty(ty).kind {
                TypeKind::Float => {
                    let same = if leaf.bits == 32 { "unit_same_float" } else { "unit_same_double" };
                    lines.push(format!("assert({same}({path}, {}));", expression(places, leaf, &value.bytes)));
                }
                _ if leaf.bits == 64 && self.is_address(leaf.number(&value.bytes) as u64) => {
                    lines.push(format!("/* {path} is an address. */"));
                }
                _ => lines.push(format!("assert({path} == {});", expression(places, leaf, &value.bytes))),
            },
        }
    }

    /// A number that is an address differs from run to run.
    fn is_address(&mut self, number: u64) -> bool {
        self.places.find(number).is_some() || self.memory.is_address(number)
    }

    /// The longest ranges of whole elements that are the same in every run: without addresses and unwritten memory.
    fn fixed(&mut self, bytes: &[u8], written: &[bool], size: usize) -> Vec<Range<usize>> {
        let mut fixed = written.to_vec();
        for (word, at) in bytes.chunks_exact(8).zip((0..).step_by(8)) {
            if (size == 1 || size == 8) && self.is_address(crate::literal::number(word) as u64) {
                fixed[at..at + 8].fill(false);
            }
        }
        let elements: Vec<bool> = fixed.chunks_exact(size).map(|element| !element.contains(&false)).collect();
        let mut start = 0;
        let mut found = Vec::new();
        for run in elements.chunk_by(|a, b| a == b) {
            if run[0] {
                found.push(start * size..(start + run.len()) * size);
            }
            start += run.len();
        }
        found
    }

    /// A pointer is null, or points to an object that the test knows, or to one that the function created.
    fn pointer(&mut self, leaf: &Leaf, ty: TypeId, value: &[u8]) -> Vec<String> {
        let (places, path, pointer) = (self.places, &leaf.path, leaf.number(value) as u64);
        let known = match places.find(pointer) {
            Some((Target::Object(index), _)) => {
                self.objects.contains(&index) && places.snapshot.objects[index].after.is_some()
            }
            Some((Target::Global(_), _)) => true,
            None => pointer == 0,
        };
        let place = if known { places.expression(pointer, ty) } else { None };
        if let Some(place) = place {
            return vec![format!("assert({path} == {place});")];
        }
        let TypeKind::Pointer { to, .. } = places.unit.ty(ty).kind else {
            return vec![format!("assert({path} != NULL);")];
        };
        if NEVER_AN_ADDRESS.contains(&(pointer as i64)) {
            return vec![format!("assert({path} == (void *){});", pointer as i64)];
        }
        let Some(area) = self.memory.area(pointer) else {
            return vec![format!("/* {path} points to something that is gone. */")];
        };
        let mut lines = vec![format!("assert({path} != NULL);")];
        lines.extend(self.pointed_to(path, pointer, to, &area));
        lines
    }
}

/// Asserts the values of a range of an array of numbers.
fn check_run(places: Places<'_>, leaf: &Leaf, element: TypeId, bytes: &[u8], range: Range<usize>) -> String {
    let at = if range == (0..bytes.len()) { leaf.array() } else { offset(&leaf.path, range.start) };
    let bytes = &bytes[range];
    match (&places.unit.ty(element).kind, zero_terminated(bytes)) {
        (TypeKind::Char { .. }, Some(start)) => {
            format!("assert(unit_is_text({at}, {}, {}));", text(start), bytes.len())
        }
        (TypeKind::Char { .. }, None) => {
            format!("assert(memcmp({at}, {}, {}) == 0);", text(bytes), bytes.len())
        }
        (TypeKind::Float, _) => {
            let size = places.unit.ty(element).size;
            let same = if size == 4 { "unit_same_floats" } else { "unit_same_doubles" };
            let count = bytes.len() as u64 / size.max(1);
            format!("assert({same}({at}, {}, {count}));", array(places, element, bytes))
        }
        _ => format!("assert(memcmp({at}, {}, {}) == 0);", array(places, element, bytes), bytes.len()),
    }
}

/// An address at an offset from another one.
fn offset(address: &str, bytes: usize) -> String {
    if bytes == 0 { address.to_string() } else { format!("(const char *){address} + {bytes}") }
}

/// Merges equal assertions about consecutive elements of an array into one loop.
pub(crate) fn fold(name: &str, lines: Vec<String>) -> Vec<String> {
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
