//! The interpolants that ended paths, as the report lists them.

use std::collections::BTreeMap;

use secateur_explore::EndedPath;
use secateur_program::Program;
use secateur_report::Interpolant;

use crate::place::innermost_user;

/// The interpolants that were described, by node of the path tree: the path that found it, and how many decisions
/// precede it.
#[derive(Default)]
pub(crate) struct Interpolants(BTreeMap<(u64, u32), Interpolant>);

impl Interpolants {
    /// A path has ended; if it was subsumed, its interpolant has covered one more.
    pub(crate) fn path_ended(&mut self, program: &Program, path: &EndedPath) {
        let Some(cover) = &path.cover else { return };
        let node = (cover.path, cover.depth);
        if let Some(text) = &cover.text {
            let loc = innermost_user(program, &path.cut_off_at);
            let (file, line) = program.locations.get(loc.index()).map_or((0, 0), |at| (at.file, at.line));
            let (path, depth) = node;
            self.0.insert(node, Interpolant { file, line, text: text.clone(), path, depth, covers: 0 });
        }
        if let Some(interpolant) = self.0.get_mut(&node) {
            interpolant.covers += 1;
        }
    }

    /// All of them, those that covered the most paths first.
    pub(crate) fn list(self) -> Vec<Interpolant> {
        let mut list: Vec<Interpolant> = self.0.into_values().collect();
        list.sort_by_key(|interpolant| std::cmp::Reverse(interpolant.covers));
        list
    }
}

#[cfg(test)]
mod tests {
    use secateur_explore::{Cover, Departure};
    use secateur_machine::{End, Limit};
    use secateur_program::{FuncId, LocId};

    use super::*;
    use crate::place::tests::program;

    #[test]
    fn paths_are_counted_by_what_covers_them() {
        let mut interpolants = Interpolants::default();
        let covers = [(1, 3, Some("x <= 3")), (1, 5, Some("x == 0")), (1, 5, None), (9, 9, None)];
        for (path, depth, text) in covers {
            interpolants.path_ended(
                &program(),
                &EndedPath {
                    number: 20,
                    departure: Departure::START,
                    end: End::Limit(Limit::Subsumed),
                    decisions: 6,
                    instructions: 100,
                    has_input: true,
                    cut_off_at: vec![(FuncId(1), LocId(3))],
                    cover: Some(Cover { path, depth, text: text.map(str::to_string) }),
                    identity: 7,
                    covered: Vec::new(),
                },
            );
        }
        let list: Vec<_> =
            interpolants.list().into_iter().map(|entry| (entry.text, entry.line, entry.covers)).collect();
        assert_eq!(list, [("x == 0".to_string(), 9, 2), ("x <= 3".to_string(), 9, 1)]);
    }
}
