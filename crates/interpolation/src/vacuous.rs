//! Clauses that hold for every state, given the sets of single holes: they are dropped, so that they are not carried
//! further up. Few programs have any, so only some questions are asked unless they pay.

use rustc_hash::FxHashMap;
use secateur_expr::{Expr, Intervals};
use secateur_machine::Machine;
use secateur_path::Path;
use secateur_solver::{Answer, Solver};

use crate::clauses::{Clause, Clauses};
use crate::tuning::Tuning;

/// What is known about clauses.
#[derive(Default)]
pub(crate) struct Vacuous {
    /// Whether conditions over input in place of holes cannot all hold.
    known: FxHashMap<Expr, bool>,
    asked: u64,
    /// How many clauses were looked at, and how many of them were dropped.
    seen: u64,
    found: u64,
}

impl Vacuous {
    /// Clauses without those that hold for every state, as far as it pays to ask.
    pub(crate) fn drop_if_it_pays(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        clauses: &mut Clauses,
        tuning: &Tuning,
    ) {
        if self.seen <= tuning.vacuous_questions + self.found.saturating_mul(tuning.vacuous_share) {
            solver.with_effort(tuning.vacuous_effort, |solver| self.drop(machine, solver, clauses));
        }
    }

    /// Clauses without those that hold for every state.
    pub(crate) fn drop(&mut self, machine: &mut Machine, solver: &mut Solver, clauses: &mut Clauses) {
        if clauses.others().next().is_none() {
            return;
        }
        let mut sets: FxHashMap<u32, Intervals> = FxHashMap::default();
        for (hole, _, values) in clauses.sets() {
            sets.entry(hole).and_modify(|all| *all = all.intersection(values)).or_insert_with(|| values.clone());
        }
        clauses.retain_others(|clause| {
            let is_vacuous = self.is_vacuous(machine, solver, clause, &sets);
            self.seen += 1;
            self.found += u64::from(is_vacuous);
            !is_vacuous
        });
    }

    /// How many questions were asked.
    pub(crate) fn asked(&self) -> u64 {
        self.asked
    }

    /// Expressions are forgotten.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether the conditions of a clause cannot all hold anyway, given the sets of single holes.
    fn is_vacuous(
        &mut self,
        machine: &mut Machine,
        solver: &mut Solver,
        clause: &Clause,
        sets: &FxHashMap<u32, Intervals>,
    ) -> bool {
        let pool = &mut machine.pool;
        let holes = pool.hole_widths(&clause.conditions);
        // The solver looks for inputs: let each hole be eight bytes of one.
        let mut conditions = pool.shift_inputs(&clause.conditions, 0, 8 * holes.len() as u32);
        let mut inputs: FxHashMap<u32, Expr> = FxHashMap::default();
        for ((hole, width), first) in holes.into_iter().zip((0..).step_by(8)) {
            let input = pool.input(first, width.div_ceil(8));
            let input = pool.extract(input, 0, width);
            if let Some(values) = sets.get(&hole) {
                conditions.push(pool.member(input, values));
            }
            inputs.insert(hole, input);
        }
        let conditions = pool.substitute_all(&conditions, &mut |hole, _| inputs.get(&hole).copied());
        let mut goal = pool.bool(true);
        for condition in conditions {
            goal = pool.and(goal, condition);
        }
        if let Some(known) = self.known.get(&goal) {
            return *known;
        }
        let is_vacuous = match pool.as_const(goal) {
            Some(value) => value == 0,
            None => {
                self.asked += 1;
                match solver.solve(pool, &Path::default(), goal, &[]) {
                    Answer::Unsat(_) => true,
                    Answer::Sat(_) => false,
                    // With more effort there may be an answer.
                    Answer::Unknown(_) => return false,
                }
            }
        };
        self.known.insert(goal, is_vacuous);
        is_vacuous
    }
}
