//! Conjunctions of clauses: what an interpolant requires of a state.

use std::collections::{BTreeMap, BTreeSet};

use secateur_effects::Effect;
use secateur_expr::{Expr, Intervals, Pool};
use secateur_machine::{Machine, State};
use smallvec::SmallVec;

use crate::interpolant::content;
use crate::tuning::Tuning;

/// The decisions above a node whose conditions are needed, beside those of the clause, to show that a side is
/// infeasible. Each is the number of decisions from it to the node, so that paths with different beginnings share
/// clauses; ascending.
pub(crate) type Core = SmallVec<[u32; 2]>;

/// Conditions on the state at a node, and on inputs read below it, that do not all hold: else a side could be taken
/// that was infeasible.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Clause {
    /// In ascending order, without repetition; there are at least two, or one that is not about a single hole.
    pub conditions: Vec<Expr>,
    pub core: Core,
}

/// A conjunction of clauses. Those on a single hole are kept as the set of its values that satisfy all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Clauses {
    sets: BTreeMap<(u32, Core), Intervals>,
    others: BTreeSet<Clause>,
}

/// A clause is violated whatever the state: nothing satisfies the conjunction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unsatisfiable;

impl Clauses {
    pub(crate) fn len(&self) -> usize {
        self.sets.len() + self.others.len()
    }

    /// The holes that must have values of a set.
    pub(crate) fn sets(&self) -> impl Iterator<Item = (u32, &Core, &Intervals)> {
        self.sets.iter().map(|((hole, core), values)| (*hole, core, values))
    }

    /// The clauses that are not about a single hole.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Clause> {
        self.others.iter()
    }

    /// Adds the clause that these conditions do not all hold.
    pub(crate) fn exclude(&mut self, pool: &mut Pool, conditions: &[Expr], core: Core) -> Result<(), Unsatisfiable> {
        let mut kept: Vec<Expr> = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match pool.as_const(*condition) {
                Some(0) => return Ok(()),
                Some(_) => {}
                None => kept.push(*condition),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        if kept.is_empty() {
            return Err(Unsatisfiable);
        }
        if let Some((hole, width, excluded)) = on_one_hole(pool, &kept) {
            return self.restrict(hole, core, &excluded.complement(width));
        }
        self.others.insert(Clause { conditions: kept, core });
        Ok(())
    }

    /// Adds the clause that a hole has one of these values.
    pub(crate) fn restrict(&mut self, hole: u32, core: Core, values: &Intervals) -> Result<(), Unsatisfiable> {
        let entry = self.sets.entry((hole, core)).or_insert_with(|| values.clone());
        *entry = entry.intersection(values);
        if entry.is_empty() { Err(Unsatisfiable) } else { Ok(()) }
    }

    /// Drops the clauses on several holes that are not wanted.
    pub(crate) fn retain_others(&mut self, wanted: impl FnMut(&Clause) -> bool) {
        self.others.retain(wanted);
    }

    /// Replaces large clauses, if there are many that are no sets, by the values that the state at the node has where
    /// these are concrete. That is stronger, but its size does not grow with what is below: sums of floating-point
    /// numbers, say, are different clauses for each way to come to them.
    pub(crate) fn pin(&mut self, machine: &mut Machine, state: &State, tuning: &Tuning) {
        if self.others.len() <= tuning.general_clauses {
            return;
        }
        for clause in std::mem::take(&mut self.others) {
            let is_large = machine.pool.operands_first(&clause.conditions, tuning.general_parts).is_none();
            match (is_large && clause.core.is_empty()).then(|| pins(machine, state, &clause)).flatten() {
                Some(pins) => {
                    for (hole, value) in pins {
                        // The state at the node has this value, so that the set is not empty.
                        let _ = self.restrict(hole, Core::new(), &Intervals::one(value.into()));
                    }
                }
                None => {
                    self.others.insert(clause);
                }
            }
        }
    }

    /// The holes that it speaks of, in ascending order.
    pub(crate) fn holes(&self, pool: &Pool) -> Vec<u32> {
        let conditions: Vec<Expr> = self.others.iter().flat_map(|clause| clause.conditions.iter().copied()).collect();
        let mut holes = pool.holes_of_all(&conditions);
        holes.extend(self.sets.keys().map(|(hole, _)| *hole));
        holes.sort_unstable();
        holes.dedup();
        holes
    }

    /// Adds clauses on the state after a segment, expressed over the state before it. `None` if one of them cannot be
    /// expressed, or is violated.
    pub(crate) fn add_carried(
        &mut self,
        machine: &mut Machine,
        effect: &mut Effect,
        step: &Step,
        below: &Clauses,
    ) -> Option<()> {
        for (hole, core, values) in below.sets() {
            let (core, guards) = step.above(core);
            let content = effect.content(machine, hole)?;
            if let Some(value) = machine.pool.as_const(content) {
                // Where the set is left, the guards must not hold.
                if !values.contains(value) {
                    self.exclude(&mut machine.pool, &guards, core).ok()?;
                }
                continue;
            }
            if guards.is_empty()
                && let Some((before, values)) = machine.pool.hole_preimage(content, values.clone())
            {
                self.restrict(before, core, &values).ok()?;
                continue;
            }
            let member = machine.pool.member(content, values);
            let mut conditions = guards;
            conditions.push(machine.pool.not(member));
            self.exclude(&mut machine.pool, &conditions, core).ok()?;
        }
        for clause in below.others() {
            let (core, mut conditions) = step.above(&clause.core);
            for condition in &clause.conditions {
                conditions.push(effect.carry(machine, *condition)?);
            }
            self.exclude(&mut machine.pool, &conditions, core).ok()?;
        }
        Some(())
    }
}

/// What a path decides from one node to the next.
pub(crate) struct Step {
    /// How many decisions, counting that of the node.
    pub decisions: u32,
    /// The condition of the choice that is taken at the node.
    pub taken: Expr,
    /// What is assumed on the way.
    pub assumed: Vec<Expr>,
}

impl Step {
    /// What a core below the segment is above it, and the conditions of the segment that it needs.
    fn above(&self, core: &Core) -> (Core, Vec<Expr>) {
        let mut conditions = Vec::new();
        if core.contains(&self.decisions) {
            conditions.push(self.taken);
        }
        if core.iter().any(|distance| *distance < self.decisions) {
            conditions.extend(&self.assumed);
        }
        let above = core.iter().filter(|distance| **distance > self.decisions);
        (above.map(|distance| distance - self.decisions).collect(), conditions)
    }
}

/// Values of holes in a state with which a condition of a clause does not hold, whatever else does.
fn pins(machine: &mut Machine, state: &State, clause: &Clause) -> Option<Vec<(u32, u64)>> {
    clause.conditions.iter().find_map(|condition| {
        let mut pins = Vec::new();
        let mut values: BTreeMap<u32, Expr> = BTreeMap::new();
        for (hole, width) in machine.pool.hole_widths(&[*condition]) {
            let (value, _) = content(machine, state, hole)?;
            let bits = value.as_concrete()?;
            pins.push((hole, bits));
            values.insert(hole, machine.pool.constant(width, bits.into()));
        }
        let known = machine.pool.substitute(*condition, &mut |hole, _| values.get(&hole).copied());
        (machine.pool.as_const(known) == Some(0)).then_some(pins)
    })
}

/// The hole that conditions are about, its width, and the values for which all of them hold.
fn on_one_hole(pool: &mut Pool, conditions: &[Expr]) -> Option<(u32, u8, Intervals)> {
    let mut found: Option<(u32, u8, Intervals)> = None;
    for condition in conditions {
        let (hole, restriction) = pool.hole_restriction(*condition)?;
        found = match found {
            None => Some((hole, pool.width(restriction.word), restriction.values.clone())),
            Some((known, width, values)) if known == hole => {
                Some((hole, width, values.intersection(&restriction.values)))
            }
            Some(_) => return None,
        };
    }
    found
}
