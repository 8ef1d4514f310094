//! What could not be modelled, by place.

use std::collections::BTreeMap;

use secateur_machine::Unsupported as UnsupportedEnd;
use secateur_program::Program;
use secateur_report::Unsupported;

use crate::place::innermost_user;

/// Constructs with their places, and the number of paths that ended there.
#[derive(Default)]
pub(crate) struct UnsupportedPlaces(BTreeMap<(String, String), u64>);

impl UnsupportedPlaces {
    /// A path ended at something unsupported.
    pub(crate) fn add(&mut self, program: &Program, path: u64, end: &UnsupportedEnd) {
        let at = program.describe(innermost_user(program, &end.stack));
        let paths = self.0.entry((end.what.clone(), at)).or_insert_with_key(|(what, at)| {
            tracing::warn!(path, at, "unsupported: {what}");
            0
        });
        *paths += 1;
    }

    /// All of them, in the order of their names.
    pub(crate) fn list(self) -> Vec<Unsupported> {
        self.0.into_iter().map(|((what, at), paths)| Unsupported { what, at, paths }).collect()
    }
}

#[cfg(test)]
mod tests {
    use secateur_program::{FuncId, LocId};

    use super::*;
    use crate::place::tests::program;

    #[test]
    fn paths_are_counted_by_construct_and_place() {
        let mut places = UnsupportedPlaces::default();
        for (what, loc) in [("fork", 3), ("asm", 1), ("fork", 3)] {
            let stack = vec![(FuncId(1), LocId(loc))];
            places.add(&program(), 1, &UnsupportedEnd { what: what.to_string(), stack });
        }
        let list: Vec<_> = places.list().into_iter().map(|place| (place.what, place.at, place.paths)).collect();
        let expected = [("asm", "a.c:5", 1), ("fork", "a.c:9", 2)];
        assert_eq!(list, expected.map(|(what, at, paths)| (what.to_string(), at.to_string(), paths)));
    }
}
