//! What one worker tells another about a side that it has explored for it.
//!
//! Expressions belong to the pool of one worker, and holes to its machine. So conditions travel in a pool of their own,
//! and holes with the locations that they stand for.

use rustc_hash::FxHashMap;
use secateur_expr::{Expr, Intervals, Pool};
use secateur_machine::{Footprint, Location, Machine};
use secateur_path::ChoiceKey;

use crate::clauses::Core;
use crate::node::{Account, Node};

/// How a side of a node is accounted for.
pub(crate) enum PortableAccount {
    /// No input takes it, because of these decisions above the node.
    Infeasible(Core),
    /// What is below it requires this of the state at the node.
    Done(Box<Requirements>),
}

/// What a state at a node must satisfy, for one of the sides of the node.
pub(crate) struct Requirements {
    /// The pool of all conditions.
    pool: Pool,
    /// What the holes of these conditions and of the sets stand for.
    locations: Vec<(u32, Location)>,
    sets: Vec<(u32, Core, Intervals)>,
    /// Conditions that do not all hold.
    others: Vec<(Vec<Expr>, Core)>,
    /// The conditions of the choices of the node.
    choices: Vec<(ChoiceKey, Expr)>,
    footprint: Footprint,
    paths: u64,
}

impl PortableAccount {
    /// How the only side of a node is accounted for; `None` if it is not.
    pub(crate) fn of(machine: &Machine, node: &Node) -> Option<PortableAccount> {
        match &node.sides.first()?.account {
            Account::Infeasible(core) => Some(PortableAccount::Infeasible(core.clone())),
            Account::Done if node.parts.is_empty() => Requirements::of(machine, node).map(PortableAccount::Done),
            Account::Done | Account::Assumed | Account::Open => None,
        }
    }

    /// Adds it to a side of the same node of another worker. `None` if that is not possible.
    pub(crate) fn add_to(&self, machine: &mut Machine, node: &mut Node, index: u32) -> Option<()> {
        let account = match self {
            PortableAccount::Infeasible(core) => Account::Infeasible(core.clone()),
            PortableAccount::Done(requirements) => {
                requirements.add_to(machine, node)?;
                Account::Done
            }
        };
        node.account(index, account);
        Some(())
    }
}

impl Requirements {
    fn of(machine: &Machine, node: &Node) -> Option<Box<Requirements>> {
        let mut roots: Vec<Expr> = Vec::new();
        let mut choices: Vec<(ChoiceKey, Expr)> = node.conditions.iter().map(|(key, expr)| (*key, *expr)).collect();
        roots.extend(choices.iter().map(|(_, condition)| *condition));
        roots.extend(node.clauses.others().flat_map(|clause| &clause.conditions));
        let mut pool = Pool::with_tuning(machine.pool.tuning().clone());
        let copies: FxHashMap<Expr, Expr> = roots.iter().copied().zip(pool.import(&machine.pool, &roots)).collect();
        let copy = |expr: &Expr| copies.get(expr).copied();
        for (_, condition) in &mut choices {
            *condition = copy(condition)?;
        }
        let mut others = Vec::new();
        for clause in node.clauses.others() {
            others.push((clause.conditions.iter().map(copy).collect::<Option<Vec<Expr>>>()?, clause.core.clone()));
        }
        let sets: Vec<_> = node.clauses.sets().map(|(hole, core, set)| (hole, core.clone(), set.clone())).collect();
        let mut holes = machine.pool.holes_of_all(&roots);
        holes.extend(sets.iter().map(|(hole, ..)| *hole));
        let location = |hole: u32| Some((hole, machine.holes.location(hole)?));
        let locations = holes.into_iter().map(location).collect::<Option<Vec<_>>>()?;
        let (footprint, paths) = (node.footprint.clone(), node.paths);
        Some(Box::new(Requirements { pool, locations, sets, others, choices, footprint, paths }))
    }

    fn add_to(&self, machine: &mut Machine, node: &mut Node) -> Option<()> {
        let holes: FxHashMap<u32, u32> =
            self.locations.iter().map(|(hole, location)| (*hole, machine.holes.id(*location))).collect();
        let mut roots: Vec<Expr> = self.choices.iter().map(|(_, condition)| *condition).collect();
        roots.extend(self.others.iter().flat_map(|(conditions, _)| conditions));
        let pool = &mut machine.pool;
        let imported = pool.import(&self.pool, &roots);
        let mut named: FxHashMap<u32, Expr> = FxHashMap::default();
        for (hole, width) in pool.hole_widths(&imported) {
            named.insert(hole, pool.hole(*holes.get(&hole)?, width));
        }
        let imported = pool.substitute_all(&imported, &mut |hole, _| named.get(&hole).copied());
        let copies: FxHashMap<Expr, Expr> = roots.into_iter().zip(imported).collect();
        for (key, condition) in &self.choices {
            node.conditions.insert(*key, *copies.get(condition)?);
        }
        for (hole, core, values) in &self.sets {
            node.clauses.restrict(*holes.get(hole)?, core.clone(), values).ok()?;
        }
        for (conditions, core) in &self.others {
            let conditions: Vec<Expr> = conditions.iter().map(|one| copies.get(one).copied()).collect::<Option<_>>()?;
            node.clauses.exclude(pool, &conditions, core.clone()).ok()?;
        }
        node.footprint.add(&self.footprint);
        node.paths = node.paths.saturating_add(self.paths);
        Some(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use secateur_expr::{Intervals, Valuation};
    use secateur_machine::{Choice, Decision, DecisionKind, Options};
    use secateur_program::Slot;

    use super::*;

    fn slot(slot: u32) -> Location {
        Location::Slot { frame: 0, slot: Slot(slot) }
    }

    /// A machine that has met the locations of these slots in this order, and a node with one side.
    #[allow(clippy::borrowed_box)] // In the program of the examples.
    pub(crate) fn worker(slots: &[u32]) -> (Machine, Node) {
        let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../explore/tests/support/one_branch.rs"));
        let mut machine = Machine::new(program, Options::default());
        for number in slots {
            machine.holes.id(slot(*number));
        }
        let state = machine.start(Vec::new());
        let chosen = Choice::new(machine.pool.bool(true), ChoiceKey::Side(true));
        let decision =
            Decision { kind: DecisionKind::Check, chosen, alternatives: Default::default(), refuted: Vec::new() };
        let node = Node::new(1, &state, &Arc::from([]), None, &decision);
        (machine, node)
    }

    /// What holes stand for is the same for both workers, although their numbers are not.
    #[test]
    fn requirements_mean_the_same_to_another_worker() {
        let (mut machine, mut node) = worker(&[0, 1, 2]);
        let pool = &mut machine.pool;
        let (first, second, byte) = (pool.hole(1, 32), pool.hole(2, 32), pool.input(0, 4));
        let sum = pool.add(first, byte);
        let condition = pool.slt(sum, second);
        let choice = pool.ult(second, first);
        node.conditions.insert(ChoiceKey::Side(false), choice);
        node.clauses.exclude(pool, &[condition], Core::from_slice(&[3])).unwrap();
        node.clauses.restrict(1, Core::new(), &Intervals::one(7)).unwrap();
        node.paths = 5;
        node.account(0, Account::Done);
        let account = PortableAccount::of(&machine, &node).unwrap();

        let (mut other, mut here) = worker(&[2, 9, 1]);
        account.add_to(&mut other, &mut here, 0).unwrap();
        assert_eq!((here.open, here.paths), (0, 5));
        let sets: Vec<_> = here.clauses.sets().map(|(hole, core, set)| (hole, core.len(), set.single())).collect();
        assert_eq!(sets, [(2, 0, Some(7))]);
        let clause = here.clauses.others().next().unwrap();
        assert_eq!((clause.core.as_slice(), clause.conditions.len()), (&[3][..], 1));
        let choice = here.conditions[&ChoiceKey::Side(false)];
        for (one, two, read) in [(7, 8, 0), (7, 8, 1), (9, 8, 0), (9, 8, 255)] {
            let mut values = Valuation::new(vec![read, 0, 0, 0]);
            values.add_hole(2, one);
            values.add_hole(0, two);
            assert_eq!(values.holds(&other.pool, clause.conditions[0]), one + u128::from(read) < two);
            assert_eq!(values.holds(&other.pool, choice), two < one);
        }
    }

    #[test]
    fn what_is_open_has_no_account() {
        let (machine, mut node) = worker(&[]);
        assert!(PortableAccount::of(&machine, &node).is_none());
        node.account(0, Account::Infeasible(Core::from_slice(&[2])));
        let account = PortableAccount::of(&machine, &node);
        assert!(matches!(account, Some(PortableAccount::Infeasible(core)) if core.as_slice() == [2]));
    }
}
