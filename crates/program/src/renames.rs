//! Symbols that the linker was told to take for others, by `--wrap` and `--defsym`.

use crate::llvm::{Module, Value};

/// For names that a file uses but does not define: what they mean.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Renames(Vec<(String, String)>);

impl Renames {
    /// Takes in an option as `secateur cc` records it; whether it is one that can be followed.
    pub(crate) fn add(&mut self, option: &str) -> bool {
        let is_name = |text: &str| {
            !text.starts_with(|first: char| first.is_ascii_digit())
                && !text.is_empty()
                && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.$".contains(letter))
        };
        if let Some(name) = option.strip_prefix("--wrap=") {
            self.0.push((name.to_string(), format!("__wrap_{name}")));
            self.0.push((format!("__real_{name}"), name.to_string()));
            return true;
        }
        match option.strip_prefix("--defsym=").and_then(|definition| definition.split_once('=')) {
            Some((name, meaning)) if is_name(meaning) => {
                self.0.push((name.to_string(), meaning.to_string()));
                true
            }
            _ => false,
        }
    }

    /// What a module uses but does not define gets the name that it means.
    pub(crate) fn apply(&self, module: &Module<'_>) {
        let find = |name: &str| module.function(name).or_else(|| module.global(name));
        let mut found: Vec<(Value<'_>, &str)> = Vec::new();
        for (name, meaning) in &self.0 {
            if let Some(value) = find(name).filter(|value| value.is_declaration()) {
                // Meanings may be names that others have had: all old names go first.
                value.set_name(&format!("__secateur_renamed_{}", found.len()));
                found.push((value, meaning));
            }
        }
        for (value, meaning) in found {
            match find(meaning) {
                Some(other) => value.replace_uses_with(other),
                None => value.set_name(meaning),
            }
        }
    }
}
