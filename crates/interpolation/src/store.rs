//! The interpolants that were found, by point of the program and by the values that they require.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateur_effects::Point;
use secateur_machine::{Machine, State};
use smallvec::SmallVec;

use crate::interpolant::{Interpolant, content};

/// The values of some holes.
type Values = SmallVec<[u64; 4]>;

/// All interpolants. Those of a point are grouped by the holes that they require to have certain values: a state is only
/// compared with those whose values it has, which one look-up for each group finds.
#[derive(Default)]
pub(crate) struct Store {
    points: FxHashMap<Point, Vec<Group>>,
}

struct Group {
    holes: Vec<u32>,
    by_values: FxHashMap<Values, Vec<Rc<Interpolant>>>,
}

impl Store {
    /// Adds an interpolant, in place of those that it makes redundant.
    pub(crate) fn add(&mut self, interpolant: Interpolant) -> Rc<Interpolant> {
        let (holes, values): (Vec<u32>, Values) = interpolant.pinned().unzip();
        let groups = self.points.entry(Point::of(&interpolant.state)).or_default();
        let index = groups.iter().position(|group| group.holes == holes).unwrap_or_else(|| {
            groups.push(Group { holes, by_values: FxHashMap::default() });
            groups.len() - 1
        });
        let alike = groups[index].by_values.entry(values).or_default();
        alike.retain(|known| !interpolant.is_weaker(known));
        let interpolant = Rc::new(interpolant);
        alike.push(Rc::clone(&interpolant));
        interpolant
    }

    /// The interpolants that a state may satisfy, the newest of each group first, and at most `most` of each.
    pub(crate) fn candidates(&self, machine: &mut Machine, state: &State, most: usize) -> Vec<Rc<Interpolant>> {
        let Some(groups) = self.points.get(&Point::of(state)) else { return Vec::new() };
        let mut candidates = Vec::new();
        for group in groups {
            let value = |hole: &u32| {
                let (value, _) = content(machine, state, *hole)?;
                Some(value.expr.map_or(value.bits, |expr| machine.guide.eval(&machine.pool, expr)))
            };
            let values: Option<Values> = group.holes.iter().map(value).collect();
            let known = values.and_then(|values| group.by_values.get(&values));
            candidates.extend(known.into_iter().flatten().rev().take(most).cloned());
        }
        candidates
    }

    pub(crate) fn clear(&mut self) {
        self.points.clear();
    }
}
