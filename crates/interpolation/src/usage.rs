//! How useful an interpolant has been, so that the least useful go first when memory is short.

use std::cell::Cell;

/// What is known about the use of an interpolant.
#[derive(Default)]
pub(crate) struct Usage {
    /// How many paths it ended.
    hits: Cell<u64>,
    /// How many interpolants were found before it.
    pub age: u64,
}

impl Usage {
    /// For one that was found after `age` others.
    pub(crate) fn new(age: u64) -> Usage {
        Usage { hits: Cell::new(0), age }
    }

    /// It ended a path.
    pub(crate) fn hit(&self) {
        self.hits.set(self.hits.get().saturating_add(1));
    }

    /// How much it has saved, if each path that it ended stands for this many.
    pub(crate) fn saved(&self, paths: u64) -> u64 {
        self.hits.get().saturating_mul(paths.max(1))
    }
}
