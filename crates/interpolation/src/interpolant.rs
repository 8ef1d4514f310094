//! Interpolants: which states need not be explored, since they would only repeat what was explored.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use secateur_explore::PathAt;
use secateur_expr::{Expr, Intervals, Pool, Valuation};
use secateur_machine::{Footprint, Machine, State, Value};
use secateur_solver::{Answer, Solver};

use crate::clauses::{Clause, Clauses, Core};
use crate::contents::Contents;
use crate::node::core_of;
use crate::tuning::Tuning;
use crate::usage::Usage;

/// A condition on the states at a point of the program.
pub(crate) struct Interpolant {
    clauses: Clauses,
    /// The sets of all clauses on a single hole, one for each hole.
    sets: Vec<(u32, Intervals)>,
    /// The holes of all other clauses.
    holes: Vec<u32>,
    /// The holes of each of their conditions that reads no input.
    holes_of: FxHashMap<Expr, Box<[u32]>>,
    pub footprint: Rc<Footprint>,
    /// The state of the node.
    pub state: State,
    /// The number of the path that found the node.
    pub found_by: u64,
    /// How many paths were explored or subsumed below the node.
    pub paths: u64,
    /// Users have been told what it says.
    pub is_described: Cell<bool>,
    /// Which of the sets a state was last found to violate.
    violated: Cell<usize>,
    pub usage: Usage,
}

/// Whether a state satisfies an interpolant.
pub(crate) enum Satisfied {
    /// It does; these are the clauses, each with the decisions of the state's path that it follows from.
    Yes(Clauses),
    /// It does not, or it could not be shown. `holes` are those of a clause that is violated, if one is.
    No { holes: Vec<u32> },
}

impl Satisfied {
    const NO: Satisfied = Satisfied::No { holes: Vec::new() };
}

/// Inputs that take the same path as the one that is compared, found while comparing: most interpolants that are not
/// satisfied are violated by one of them.
pub(crate) struct Witnesses {
    /// What expressions evaluate to under each of them.
    real: Vec<Valuation>,
    most: usize,
}

impl Witnesses {
    /// None yet.
    pub(crate) fn new(tuning: &Tuning) -> Witnesses {
        Witnesses { real: Vec::new(), most: tuning.witnesses }
    }
}

impl Interpolant {
    pub(crate) fn new(
        machine: &Machine,
        found_by: u64,
        clauses: Clauses,
        footprint: Rc<Footprint>,
        state: State,
        paths: u64,
    ) -> Interpolant {
        let mut sets: Vec<(u32, Intervals)> = Vec::new();
        for (hole, _, values) in clauses.sets() {
            match sets.last_mut() {
                Some((last, known)) if *last == hole => *known = known.intersection(values),
                _ => sets.push((hole, values.clone())),
            }
        }
        let conditions: Vec<Expr> =
            clauses.others().flat_map(|clause: &Clause| clause.conditions.iter().copied()).collect();
        let holes = machine.pool.holes_of_all(&conditions);
        let pool = &machine.pool;
        let without_input =
            conditions.into_iter().filter(|condition| pool.support_bytes(pool.support(*condition)).is_empty());
        let holes_of = without_input.map(|condition| (condition, pool.holes(condition).into())).collect();
        Interpolant {
            clauses,
            sets,
            holes,
            holes_of,
            footprint,
            state,
            found_by,
            paths,
            is_described: Cell::new(false),
            violated: Cell::new(0),
            usage: Usage::default(),
        }
    }

    /// The holes that must have a certain value, each with it.
    pub(crate) fn pinned(&self) -> impl Iterator<Item = (u32, u64)> {
        self.sets.iter().filter_map(|(hole, values)| Some((*hole, values.single()? as u64)))
    }

    pub(crate) fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// Whether every state that satisfies another interpolant satisfies this one, as far as that is easy to see.
    pub(crate) fn is_weaker(&self, other: &Interpolant) -> bool {
        let mut stronger = other.sets.iter();
        // Both are in the order of the holes.
        self.sets.iter().all(|(hole, values)| {
            let other = stronger.by_ref().find(|(other, _)| other >= hole);
            other.is_some_and(|(other, stronger)| other == hole && stronger.is_subset(values))
        }) && self.clauses.others().all(|clause| {
            other.clauses.others().any(|other| other.conditions.iter().all(|one| clause.conditions.contains(one)))
        }) && self.footprint.is_subset(&other.footprint)
            && self.state.is_alike(&other.state, &self.footprint)
    }

    /// Whether what a state holds under its input violates the set of a single hole; counts the sets that were looked
    /// at.
    pub(crate) fn is_violated(
        &self,
        machine: &mut Machine,
        state: &State,
        contents: &mut Contents,
        examined: &mut usize,
    ) -> bool {
        let last = self.violated.get();
        // States mostly differ in the same location.
        let order = (last..self.sets.len()).chain(0..last);
        for index in order {
            *examined += 1;
            let (hole, allowed) = &self.sets[index];
            if contents.get(machine, state, *hole).is_none_or(|bits| !allowed.contains(bits.into())) {
                self.violated.set(index);
                return true;
            }
        }
        false
    }

    /// How many sets and clauses it has.
    pub(crate) fn len(&self) -> usize {
        self.clauses.len()
    }

    /// Compares a state with it, in the order of cost: values, then proofs.
    pub(crate) fn compare(
        &self,
        machine: &mut Machine,
        solver: &mut Solver,
        values: &mut Valuation,
        witnesses: &mut Witnesses,
        path: &PathAt<'_>,
    ) -> Satisfied {
        if !self.state.is_alike(path.state, &self.footprint) {
            return Satisfied::NO;
        }
        // The state's contents that are not concrete.
        let mut symbolic: Vec<(usize, Value, u8)> = Vec::new();
        for (index, (hole, allowed)) in self.sets.iter().enumerate() {
            let Some((value, width)) = content(machine, path.state, *hole) else { return Satisfied::NO };
            let bits = value.expr.map_or(value.bits, |expr| machine.guide.eval(&machine.pool, expr));
            if !allowed.contains(bits.into()) {
                return Satisfied::No { holes: vec![*hole] };
            }
            if value.expr.is_some() {
                symbolic.push((index, value, width));
            }
        }
        let mut contents: FxHashMap<u32, (Value, u8)> = FxHashMap::default();
        for hole in &self.holes {
            let Some(content) = content(machine, path.state, *hole) else { return Satisfied::NO };
            contents.insert(*hole, content);
        }
        let Machine { guide, pool, .. } = machine;
        if let Some(violated) = self.violated_other(pool, &mut guide.values, values, &contents, path) {
            return Satisfied::No { holes: pool.holes_of_all(&violated.conditions) };
        }
        for witness in &mut witnesses.real {
            for (index, value, _) in &symbolic {
                let (hole, allowed) = &self.sets[*index];
                if value.expr.is_some_and(|expr| !allowed.contains(witness.eval_wide(pool, expr))) {
                    return Satisfied::No { holes: vec![*hole] };
                }
            }
            if let Some(violated) = self.violated_other(pool, witness, values, &contents, path) {
                return Satisfied::No { holes: pool.holes_of_all(&violated.conditions) };
            }
        }
        self.prove(machine, solver, witnesses, &Held { symbolic, contents }, values, path)
    }

    /// A clause that is violated under an input of the path.
    fn violated_other(
        &self,
        pool: &Pool,
        real: &mut Valuation,
        values: &mut Valuation,
        contents: &FxHashMap<u32, (Value, u8)>,
        path: &PathAt<'_>,
    ) -> Option<&Clause> {
        if self.holes.is_empty() && self.clauses.others().next().is_none() {
            return None;
        }
        set_holes(pool, real, values, contents, path);
        self.clauses.others().find(|clause| clause.conditions.iter().all(|condition| values.holds(pool, *condition)))
    }

    fn prove(
        &self,
        machine: &mut Machine,
        solver: &mut Solver,
        witnesses: &mut Witnesses,
        held: &Held,
        values: &mut Valuation,
        path: &PathAt<'_>,
    ) -> Satisfied {
        let Held { symbolic, contents } = held;
        let mut proved = Clauses::default();
        let mut next = symbolic.iter().peekable();
        for (index, (hole, allowed)) in self.sets.iter().enumerate() {
            let core = match next.next_if(|(at, ..)| *at == index) {
                None => Core::new(),
                Some((_, value, width)) => {
                    let content = machine.expr(*value, *width);
                    let member = machine.pool.member(content, allowed);
                    let outside = machine.pool.not(member);
                    match excluded(machine, solver, witnesses, path, &[outside]) {
                        Some(core) => core,
                        None => return Satisfied::No { holes: vec![*hole] },
                    }
                }
            };
            if proved.restrict(*hole, core, allowed).is_err() {
                return Satisfied::NO;
            }
        }
        if !self.holes.is_empty() {
            // The values may be those of a witness.
            set_holes(&machine.pool, &mut machine.guide.values, values, contents, path);
        }
        let is_fixed = |condition: &Expr| {
            let holes = self.holes_of.get(condition);
            holes.is_some_and(|holes| holes.iter().all(|hole| contents[hole].0.expr.is_none()))
        };
        let (concrete, symbolic): (Vec<&Clause>, Vec<&Clause>) = self.clauses.others().partition(|clause| {
            let mut fixed = clause.conditions.iter().filter(|condition| is_fixed(condition));
            fixed.any(|condition| !values.holds(&machine.pool, *condition))
        });
        for clause in concrete {
            if proved.exclude(&mut machine.pool, &clause.conditions, Core::new()).is_err() {
                return Satisfied::NO;
            }
        }
        if symbolic.is_empty() {
            return Satisfied::Yes(proved);
        }
        let contents: FxHashMap<u32, Expr> =
            contents.iter().map(|(hole, (value, width))| (*hole, machine.expr(*value, *width))).collect();
        for clause in symbolic {
            let shifted = machine.pool.shift_inputs(&clause.conditions, 0, path.state.input_len);
            let here = machine.pool.substitute_all(&shifted, &mut |hole, _| contents.get(&hole).copied());
            let Some(core) = excluded(machine, solver, witnesses, path, &here) else {
                return Satisfied::No { holes: machine.pool.holes_of_all(&clause.conditions) };
            };
            if proved.exclude(&mut machine.pool, &clause.conditions, core).is_err() {
                return Satisfied::NO;
            }
        }
        Satisfied::Yes(proved)
    }
}

/// What a state holds where an interpolant looks.
struct Held {
    /// What is not concrete, by the index of its set.
    symbolic: Vec<(usize, Value, u8)>,
    /// By the hole.
    contents: FxHashMap<u32, (Value, u8)>,
}

/// Gives holes the values that a state holds under an input.
fn set_holes(
    pool: &Pool,
    real: &mut Valuation,
    values: &mut Valuation,
    contents: &FxHashMap<u32, (Value, u8)>,
    path: &PathAt<'_>,
) {
    // Inputs that are read below are any; as far as this input goes, it is tried.
    values.set_input(real.input().get(path.state.input_len as usize..).unwrap_or_default().to_vec());
    values.forget_holes();
    for (hole, (value, _)) in contents {
        let value = value.expr.map_or(value.bits, |expr| real.eval(pool, expr));
        values.add_hole(*hole, value.into());
    }
}

/// What a real state holds at the location of a hole.
pub(crate) fn content(machine: &mut Machine, state: &State, hole: u32) -> Option<(Value, u8)> {
    let location = machine.holes.location(hole)?;
    machine.value_at(state, location)
}

/// The decisions of a path from which it follows that conditions do not all hold.
fn excluded(
    machine: &mut Machine,
    solver: &mut Solver,
    witnesses: &mut Witnesses,
    path: &PathAt<'_>,
    conditions: &[Expr],
) -> Option<Core> {
    let mut goal = machine.pool.bool(true);
    for condition in conditions {
        goal = machine.pool.and(goal, *condition);
    }
    match machine.pool.as_const(goal) {
        Some(0) => return Some(Core::new()),
        Some(_) => return None,
        None => {}
    }
    for condition in conditions {
        if let Some(refutation) = path.state.path.refutation(&mut machine.pool, *condition) {
            let length = path.state.path.len() as u32;
            let mut core: Core = refutation.iter().map(|decided| length - decided.decision).collect();
            core.sort_unstable();
            core.dedup();
            return Some(core);
        }
    }
    match solver.solve(&mut machine.pool, &path.state.path, goal, path.input) {
        Answer::Unsat(core) => Some(core_of(path.state, &core, goal)),
        Answer::Sat(input) => {
            if witnesses.real.len() < witnesses.most {
                witnesses.real.push(Valuation::new(input));
            }
            None
        }
        Answer::Unknown(_) => None,
    }
}
