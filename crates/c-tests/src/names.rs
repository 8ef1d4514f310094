//! The names of the variables in a test.

use secateur_program::Unit;
use std::collections::BTreeSet;

/// A name for each object and parameter, all different.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Names {
    pub(crate) params: Vec<String>,
    pub(crate) objects: Vec<String>,
}

impl Names {
    /// A parameter and the object that it points to share a name, as only one of them becomes a variable. Names that a
    /// test itself refers to are not used: the function, types, and global variables.
    pub(crate) fn of(unit: &Unit) -> Names {
        let mut taken: BTreeSet<String> = ["result", "i", &unit.function].map(str::to_string).into();
        taken.extend(unit.types.iter().filter_map(|ty| ty.name.clone()));
        taken.extend(unit.globals.iter().map(|global| global.variable.name.clone()));
        let params: Vec<String> =
            unit.params.iter().map(|param| unique(&identifier(&param.name), &mut taken)).collect();
        let objects = unit.objects.iter().map(|object| {
            let param = unit.params.iter().position(|param| param.name == object.label);
            param.map_or_else(|| unique(&identifier(&object.label), &mut taken), |index| params[index].clone())
        });
        let objects = objects.collect();
        Names { params, objects }
    }
}

fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.to_string();
    while !taken.insert(candidate.clone()) {
        candidate.push('_');
    }
    candidate
}

/// `list.next[2]` becomes `list_next_2`.
fn identifier(label: &str) -> String {
    let mut name = String::new();
    for letter in label.chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            name.push(letter);
        } else if !name.ends_with('_') && letter != ']' {
            name.push('_');
        }
    }
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_identifiers() {
        assert_eq!(identifier("list.next"), "list_next");
        assert_eq!(identifier("words[2]"), "words_2");
        assert_eq!(identifier("table[1].key"), "table_1_key");
    }

    #[test]
    fn no_name_is_used_twice() {
        let mut taken = BTreeSet::from(["f".to_string()]);
        assert_eq!([unique("f", &mut taken), unique("f", &mut taken), unique("g", &mut taken)], ["f_", "f__", "g"]);
    }
}
