//! What a state holds at the locations of holes, under its input. Interpolants of a point mostly speak of the same
//! ones.

use rustc_hash::FxHashMap;
use secateur_machine::{Machine, State};

use crate::interpolant::content;

/// The contents of one state, as far as they were asked for.
#[derive(Default)]
pub(crate) struct Contents {
    known: FxHashMap<u32, Option<u64>>,
}

impl Contents {
    /// What the location of a hole holds; `None` if the state has no such location.
    pub(crate) fn get(&mut self, machine: &mut Machine, state: &State, hole: u32) -> Option<u64> {
        *self.known.entry(hole).or_insert_with(|| {
            let (value, _) = content(machine, state, hole)?;
            Some(value.expr.map_or(value.bits, |expr| machine.guide.eval(&machine.pool, expr)))
        })
    }
}
