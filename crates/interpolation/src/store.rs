//! The interpolants that were found, by point of the program and by the values that they require.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::Point;
use secateur_machine::{Machine, State};
use smallvec::SmallVec;

use crate::contents::Contents;
use crate::interpolant::Interpolant;
use crate::tuning::Tuning;
use crate::usage::Usage;

/// The values of some holes.
type Values = SmallVec<[u64; 4]>;

/// All interpolants. Those of a point are grouped by the holes that they require to have certain values: a state is
/// only compared with those whose values it has, which one look-up for each group finds.
#[derive(Default)]
pub(crate) struct Store {
    points: FxHashMap<Point, Vec<Group>>,
    /// How many interpolants were added so far.
    added: u64,
    /// How many clauses were looked at to find those that are redundant, and those that states may satisfy.
    examined: usize,
}

struct Group {
    holes: Vec<u32>,
    by_values: FxHashMap<Values, Vec<Rc<Interpolant>>>,
}

impl Store {
    /// Adds an interpolant, in place of those that it makes redundant.
    pub(crate) fn add(&mut self, mut interpolant: Interpolant) -> Rc<Interpolant> {
        interpolant.usage = Usage::new(self.added);
        self.added += 1;
        let (holes, values): (Vec<u32>, Values) = interpolant.pinned().unzip();
        let groups = self.points.entry(Point::of(&interpolant.state)).or_default();
        let index = groups.iter().position(|group| group.holes == holes).unwrap_or_else(|| {
            groups.push(Group { holes, by_values: FxHashMap::default() });
            groups.len() - 1
        });
        let alike = groups[index].by_values.entry(values).or_default();
        self.examined += alike.len() * (1 + interpolant.len());
        alike.retain(|known| !interpolant.is_weaker(known));
        let interpolant = Rc::new(interpolant);
        alike.push(Rc::clone(&interpolant));
        interpolant
    }

    /// The interpolants that a state may satisfy, the newest of each group first, and at most `most` of each.
    pub(crate) fn candidates(
        &mut self,
        machine: &mut Machine,
        state: &State,
        contents: &mut Contents,
        most: usize,
    ) -> Vec<Rc<Interpolant>> {
        let Some(groups) = self.points.get(&Point::of(state)) else { return Vec::new() };
        let mut candidates = Vec::new();
        for group in groups {
            self.examined += 1 + group.holes.len();
            let values: Option<Values> = group.holes.iter().map(|hole| contents.get(machine, state, *hole)).collect();
            let known = values.and_then(|values| group.by_values.get(&values));
            candidates.extend(known.into_iter().flatten().rev().take(most).cloned());
        }
        candidates
    }

    /// How many clauses were looked at since the last call.
    pub(crate) fn examined(&mut self) -> usize {
        std::mem::take(&mut self.examined)
    }

    /// Drops the less useful: those that saved the least, and of these the oldest. The newest stay, since they had
    /// little time to be of use. Returns how many were dropped; none if there are few.
    pub(crate) fn drop_useless(&mut self, tuning: &Tuning) -> usize {
        let all = || self.points.values().flatten().flat_map(|group| group.by_values.values().flatten());
        let mut order: Vec<(u64, u64)> = all().map(|known| (known.usage.saved(known.paths), known.usage.age)).collect();
        if order.len() < tuning.few_kept {
            return 0;
        }
        order.sort_unstable_by_key(|(_, age)| *age);
        let part = |share: f64| (order.len() as f64 * share) as usize;
        let (newest, dropped) = (part(tuning.relief_newest), part(tuning.relief_dropped).max(1));
        order.truncate(order.len() - newest);
        order.sort_unstable();
        order.truncate(dropped);
        let dropped: FxHashSet<u64> = order.into_iter().map(|(_, age)| age).collect();
        for groups in self.points.values_mut() {
            for group in groups.iter_mut() {
                for alike in group.by_values.values_mut() {
                    alike.retain(|known| !dropped.contains(&known.usage.age));
                }
                group.by_values.retain(|_, alike| !alike.is_empty());
            }
            groups.retain(|group| !group.by_values.is_empty());
        }
        self.points.retain(|_, groups| !groups.is_empty());
        dropped.len()
    }

    pub(crate) fn clear(&mut self) {
        self.points.clear();
    }
}

#[cfg(test)]
mod tests {
    use secateur_expr::Intervals;
    use secateur_machine::Footprint;

    use super::*;
    use crate::account::tests::worker;
    use crate::clauses::{Clauses, Core};

    /// Those that ended paths and the newest stay; of the others, the oldest go first.
    #[test]
    fn the_least_useful_go_first() {
        let (machine, node) = worker(&[0]);
        let mut store = Store::default();
        for value in 0..100 {
            let mut clauses = Clauses::default();
            clauses.restrict(0, Core::new(), &Intervals::one(value)).unwrap();
            let state = node.state.clone();
            let known = store.add(Interpolant::new(&machine, 1, clauses, Rc::new(Footprint::default()), state, 3));
            if value % 10 == 0 {
                known.usage.hit();
            }
        }
        assert_eq!(store.drop_useless(&Tuning::default()), 50);
        let left = |store: &Store| {
            let all = store.points.values().flatten().flat_map(|group| group.by_values.values().flatten());
            let mut ages: Vec<u64> = all.map(|known| known.usage.age).collect();
            ages.sort_unstable();
            ages
        };
        let expected: Vec<u64> = (0..100).filter(|age| age % 10 == 0 || *age > 55).collect();
        assert_eq!(left(&store), expected);
        assert_eq!(store.drop_useless(&Tuning::default()), 0, "so few are not worth dropping");
        assert_eq!(left(&store), expected);
    }
}
