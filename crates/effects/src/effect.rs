//! The effect of one segment.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::Expr;
use secateur_machine::{Choice, DecisionKind, End, Event, Footprint, LiveSlots, Machine, Requirement, State};

/// What a segment does, over the holes of its start. Input bytes are numbered from the start of the segment on.
pub struct Effect {
    /// The decisions on the way. On the real path, most of them were certain.
    pub decisions: Vec<EffectDecision>,
    /// What was required beyond them, mostly that pointers point where they did.
    pub requirements: Vec<Requirement>,
    /// How the path ended, if the segment is its last.
    pub ended: Option<End>,
    /// How many instructions were executed.
    pub instructions: u64,
    /// What the segment consults other than by reading what objects contain.
    pub footprint: Footprint,
    /// The state of holes after the segment.
    end: State,
    /// What holes and conditions after the segment are over the state before it, as far as anybody asked.
    contents: FxHashMap<u32, Option<Expr>>,
    carried: FxHashMap<Expr, Option<Expr>>,
}

/// A decision over holes.
pub struct EffectDecision {
    /// What it is about.
    pub kind: DecisionKind,
    /// What the real path took.
    pub chosen: Choice,
    /// What else a state could take.
    pub others: Vec<Choice>,
    /// It is one of the first instruction.
    pub is_first: bool,
}

/// Why a segment has no effect that could be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It does something that cannot be said in terms of holes.
    Inexpressible(&'static str),
    /// On holes, the machine does not go the way of the real path.
    Diverged,
}

impl Effect {
    /// The effect of the `instructions` that a path with this input executes from a state on; with `ends`, of the one
    /// after them as well, which ends the path. The machine follows the same input afterwards as before.
    pub fn of_segment(
        machine: &mut Machine,
        start: &State,
        input: &[u8],
        instructions: u64,
        ends: bool,
        live: Rc<dyn LiveSlots>,
    ) -> Result<Effect, Failure> {
        // Following an input, even the same, forgets what expressions evaluate to.
        let other = (machine.guide.input() != input).then(|| machine.guide.input().to_vec());
        if other.is_some() {
            machine.follow(input.to_vec());
        }
        let state = machine.enter_holes(start, live);
        let result = run(machine, state, instructions, ends);
        machine.leave_holes();
        if let Some(before) = other {
            machine.follow(before);
        }
        result
    }

    /// What a condition or value over the state after the segment is over the state before it. `None` if it speaks of
    /// something that was not there before.
    pub fn carry(&mut self, machine: &mut Machine, expr: Expr) -> Option<Expr> {
        if let Some(known) = self.carried.get(&expr) {
            return *known;
        }
        let carried = self.carry_new(machine, expr);
        self.carried.insert(expr, carried);
        carried
    }

    fn carry_new(&mut self, machine: &mut Machine, expr: Expr) -> Option<Expr> {
        let mut contents = FxHashMap::default();
        for hole in machine.pool.holes(expr) {
            contents.insert(hole, self.content(machine, hole)?);
        }
        // What is read after the segment comes after what is read in it.
        let expr = match self.end.input_len {
            0 => expr,
            read => machine.pool.shift_inputs(&[expr], 0, read)[0],
        };
        Some(machine.pool.substitute(expr, &mut |hole, _| contents.get(&hole).copied()))
    }

    /// What a location holds after the segment, over the state before it.
    pub fn content(&mut self, machine: &mut Machine, hole: u32) -> Option<Expr> {
        if let Some(known) = self.contents.get(&hole) {
            return *known;
        }
        let location = machine.holes.location(hole)?;
        let content = machine.content(&mut self.end, location);
        self.contents.insert(hole, content);
        content
    }

    /// Everything that a state before the segment must satisfy to run the same way.
    pub fn conditions(&self) -> Vec<Expr> {
        let required = self.requirements.iter().map(|requirement| requirement.condition);
        self.end.path.conditions().into_iter().chain(required).collect()
    }

    /// The conditions that were assumed on the way, not decided on.
    pub fn assumed(&self) -> Vec<Expr> {
        let decided: FxHashSet<Expr> = self.decisions.iter().map(|decision| decision.chosen.condition).collect();
        self.end.path.conditions().into_iter().filter(|condition| !decided.contains(condition)).collect()
    }

    /// The state of holes after the segment.
    pub fn end(&mut self) -> &mut State {
        &mut self.end
    }
}

fn run(machine: &mut Machine, mut state: State, instructions: u64, ends: bool) -> Result<Effect, Failure> {
    let first = state.instructions;
    let last = first + instructions;
    let mut decisions = Vec::new();
    let mut ended = None;
    while state.instructions < last + u64::from(ends) && ended.is_none() {
        let before = state.instructions;
        let budget = last + u64::from(ends) - before;
        match machine.run_exactly(&mut state, budget) {
            Event::Decision(decision) => {
                machine.take(&mut state, &decision.chosen);
                let others = decision.alternatives.into_iter().chain(decision.refuted).collect();
                let is_first = state.instructions == first;
                decisions.push(EffectDecision { kind: decision.kind, chosen: decision.chosen, others, is_first });
            }
            // The machine is halted, at the end of the run or for want of memory, and would stay where it is.
            Event::Pause if state.instructions == before => return Err(Failure::Inexpressible("it was halted")),
            Event::Pause => {}
            Event::End(end) => ended = Some(end),
        }
    }
    let Some(abstraction) = &state.abstraction else { return Err(Failure::Diverged) };
    if let Some(what) = abstraction.inexpressible {
        return Err(Failure::Inexpressible(what));
    }
    if ended.is_some() != ends {
        return Err(Failure::Diverged);
    }
    let requirements = abstraction.requirements.clone();
    let footprint = state.memory.footprint();
    Ok(Effect {
        decisions,
        requirements,
        ended,
        instructions,
        footprint,
        end: state,
        contents: FxHashMap::default(),
        carried: FxHashMap::default(),
    })
}
