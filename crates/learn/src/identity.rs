//! Which program weights were learned on.
//!
//! A program is the set of its comparisons with constants and of its calls, each with the function that it is in. Most
//! of them are the same in another version of a program, and hardly any in another program, whatever the names of
//! files.

use std::collections::BTreeSet;

use secateur_program::{Callee, Inst, OperandKind, Program};
use serde::{Deserialize, Serialize};

/// What identifies a program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Identity(BTreeSet<u64>);

impl Identity {
    /// That of a program.
    pub(crate) fn of(program: &Program) -> Identity {
        let mut parts = BTreeSet::new();
        for function in program.functions.iter().filter(|function| function.user) {
            let Some(body) = &function.body else { continue };
            parts.insert(hash(&["function", &function.name]));
            let constant = |operand: secateur_program::Operand| match operand.kind() {
                OperandKind::Const(index) => body.consts.get(index as usize),
                OperandKind::Slot(_) => None,
            };
            for inst in &body.code {
                if let Inst::Cmp { op, width, a, b, .. } = inst
                    && let Some(value) = constant(*a).or_else(|| constant(*b))
                {
                    let words = ["compare", &function.name, &format!("{op:?}"), &width.to_string(), &value.to_string()];
                    parts.insert(hash(&words));
                }
            }
            for call in &body.calls {
                if let Callee::Direct(callee) = call.callee
                    && let Some(callee) = program.functions.get(callee.index())
                {
                    parts.insert(hash(&["call", &function.name, &callee.name]));
                }
            }
        }
        Identity(parts)
    }

    /// The part of what the smaller one of two programs has that the other has, too.
    pub(crate) fn similarity(&self, other: &Identity) -> f64 {
        let smaller = self.0.len().min(other.0.len());
        if smaller == 0 {
            return 0.0;
        }
        self.0.intersection(&other.0).count() as f64 / smaller as f64
    }
}

/// FNV-1a, which is the same everywhere.
fn hash(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(parts: &[u64]) -> Identity {
        Identity(parts.iter().copied().collect())
    }

    #[test]
    fn versions_are_similar_and_programs_are_not() {
        let old = identity(&[1, 2, 3, 4, 5, 6, 7, 8]);
        let new = identity(&[1, 2, 3, 4, 5, 6, 7, 9, 10, 11]);
        assert!(old.similarity(&new) > 0.8 && (old.similarity(&new) - new.similarity(&old)).abs() < 1e-9);
        assert!(old.similarity(&identity(&[1, 20, 21, 22])) < 0.5);
        assert!(old.similarity(&Identity::default()) < 0.5);
    }
}
