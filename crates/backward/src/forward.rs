//! Meeting in the middle: what must hold at a point is a question that any forward state at that point can answer.
//!
//! Inputs that come close to the target are followed from the start of the program, with expressions over the input,
//! and their states are kept where blocks begin. When backward execution comes to such a point, its holes are filled
//! from the state: registers, memory at addresses that are known there, and the conditions of the path. An answer of
//! the solver is a candidate, which becomes another forward path if it does not reach the target.

use rustc_hash::FxHashMap;
use secateur_expr::Expr;
use secateur_machine::{Event, Location, Machine, State as Run};
use secateur_program::FuncId;
use secateur_solver::{Answer, Solver};

use crate::code::Code;
use crate::holes::Hole;
use crate::state::State;
use crate::trace::{are_callers, place_of};
use crate::tuning::Tuning;

/// The forward paths that were followed so far.
pub(crate) struct Forward {
    machine: Machine,
    solver: Solver,
    tuning: Tuning,
    inputs: Vec<Vec<u8>>,
    /// By function and instruction.
    states: FxHashMap<(FuncId, u32), Vec<Kept>>,
    kept: usize,
    questions: u64,
    /// How many stretches of code between decisions were followed.
    pub segments: u64,
}

/// A state of a forward path.
struct Kept {
    state: Run,
    /// The number of its input.
    input: usize,
}

impl Forward {
    /// No paths yet. The questions get a solver of their own, since the expressions of the machine have a pool of their
    /// own.
    pub(crate) fn new(machine: Machine, mut solver: Solver, tuning: &Tuning) -> Forward {
        solver.set_effort(Some(tuning.forward_effort));
        Forward {
            machine,
            solver,
            tuning: tuning.clone(),
            inputs: Vec::new(),
            states: FxHashMap::default(),
            kept: 0,
            questions: 0,
            segments: 0,
        }
    }

    /// Follows an input.
    pub(crate) fn follow(&mut self, input: &[u8]) {
        if self.inputs.len() >= self.tuning.forward_runs || self.inputs.iter().any(|known| known == input) {
            return;
        }
        let number = self.inputs.len();
        self.inputs.push(input.to_vec());
        self.segments += 1;
        let mut state = self.machine.start(input.to_vec());
        while state.instructions < self.tuning.forward_instructions && self.kept < self.tuning.forward_states {
            // It pauses wherever a block begins.
            match self.machine.run(&mut state, 1) {
                Event::Decision(decision) => {
                    self.machine.take(&mut state, &decision.chosen);
                    self.segments += 1;
                }
                Event::End(_) => return,
                Event::Pause => self.keep(&state, number),
            }
        }
    }

    fn keep(&mut self, state: &Run, input: usize) {
        let here = self.states.entry((state.frame.function, state.frame.pc)).or_default();
        if here.iter().rev().take_while(|kept| kept.input == input).count() < self.tuning.forward_states_per_point {
            here.push(Kept { state: state.clone(), input });
            self.kept += 1;
        }
    }

    /// An input on which a forward path gets to the point of a backward state with its conditions, if one is found.
    pub(crate) fn meet(&mut self, code: &Code<'_>, state: &State) -> Option<Vec<u8>> {
        let Forward { machine, solver, tuning, inputs, states, questions, .. } = self;
        for kept in states.get(&(state.function, state.pc))?.iter().rev().take(tuning.forward_tries) {
            if *questions >= tuning.forward_questions {
                return None;
            }
            if !are_callers(&state.callers, &kept.state) {
                continue;
            }
            let input = &inputs[kept.input];
            machine.guide.follow(input.clone());
            let mut fill =
                Fill { code, machine, run: &kept.state, state, filled: FxHashMap::default(), pins: Vec::new() };
            let Some(conditions) = fill.conditions() else { continue };
            let truth = machine.pool.bool(true);
            let goal = conditions.into_iter().fold(truth, |all, condition| machine.pool.and(all, condition));
            if machine.pool.is_false(goal) || kept.state.path.refutes(&mut machine.pool, goal) {
                continue;
            }
            *questions += 1;
            if let Answer::Sat(found) = solver.solve(&mut machine.pool, &kept.state.path, goal, input) {
                return Some(found);
            }
        }
        None
    }
}

/// Fills the holes of a backward state from a forward one.
struct Fill<'a> {
    code: &'a Code<'a>,
    machine: &'a mut Machine,
    run: &'a Run,
    state: &'a State,
    /// What each hole becomes; nothing if it can be anything.
    filled: FxHashMap<u32, Option<Expr>>,
    /// Addresses that were taken as they are on this path.
    pins: Vec<Expr>,
}

impl Fill<'_> {
    /// The conditions over the input; `None` if the path has no such memory. Those on what can be anything are left
    /// out.
    fn conditions(&mut self) -> Option<Vec<Expr>> {
        let mut filled = Vec::new();
        for condition in &self.state.conditions {
            filled.extend(self.expr(*condition)?);
        }
        filled.append(&mut self.pins);
        Some(filled)
    }

    /// The inner value is `None` if it depends on something that can be anything.
    fn expr(&mut self, e: Expr) -> Option<Option<Expr>> {
        for id in self.code.pool.holes(e) {
            if !self.filled.contains_key(&id) {
                let value = self.hole(id)?;
                self.filled.insert(id, value);
            }
            if self.filled[&id].is_none() {
                return Some(None);
            }
        }
        let pool = &mut self.machine.pool;
        let imported = pool.import(&self.code.pool, &[e])[0];
        let filled = &self.filled;
        Some(Some(pool.substitute(imported, &mut |id, _| filled.get(&id).copied().flatten())))
    }

    fn hole(&mut self, id: u32) -> Option<Option<Expr>> {
        let value = match self.code.holes.kind(id) {
            Hole::Free { .. } => return Some(None),
            Hole::Slot { depth, slot } => {
                let frame = self.run.callers.depth() - self.state.depth() + depth;
                let (value, width) = self.machine.value_at(self.run, Location::Slot { frame, slot })?;
                let value = self.machine.expr(value, width);
                if width < 64 { self.machine.pool.zext(value, 64) } else { value }
            }
            Hole::Input { width, .. } => {
                let offset = if self.state.has_gap { None } else { place_of(&self.state.reads, id) };
                let Some(offset) = offset else { return Some(None) };
                let word = self.machine.pool.input(self.run.input_len + offset, width.div_ceil(8));
                self.machine.pool.extract(word, 0, width)
            }
            Hole::Load { address, bytes } => {
                // As deep as pointers are followed.
                let Some(address) = self.expr(address)? else { return Some(None) };
                let place = self.machine.guide.eval(&self.machine.pool, address);
                if self.machine.pool.as_const(address).is_none() {
                    let constant = self.machine.pool.constant(64, place.into());
                    let pin = self.machine.pool.eq(address, constant);
                    self.pins.push(pin);
                }
                let object = self.run.memory.find(place);
                let offset = place.wrapping_sub(object.address());
                let (value, width) = self.machine.value_at(self.run, Location::Bytes { object, offset, len: bytes })?;
                self.machine.expr(value, width)
            }
        };
        Some(Some(value))
    }
}
