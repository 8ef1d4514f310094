//! The trace of a backward path, to be run forwards on many inputs (phase II).
//!
//! An input is run on the program itself, with concrete values only, so that loops, calls and memory mean what they
//! mean there. Wherever it comes to a checkpoint of the backward path, the conditions of that point are measured on its
//! registers and memory. The closest it ever comes counts; a checkpoint nearer to the target counts more than any that
//! is farther away.

use rustc_hash::FxHashMap;
use secateur_concrete_search::{Fit, Objective, Variable};
use secateur_expr::{Expr, Tape};
use secateur_machine::{Event, Frame, Machine, State as Run, SymbolSource};
use secateur_program::{FuncId, Slot};

use crate::checkpoint::Checkpoint;
use crate::code::Code;
use crate::holes::Hole;
use crate::input::Read;
use crate::search::{Progress, Runner};
use crate::state::{Caller, State};
use crate::tuning::Tuning;

/// How many runs there are between two looks at the clock. This is a constant because it only decides how soon a limit
/// is noticed.
const RUNS_PER_LOOK: u64 = 16;

/// A backward path that came to the start of the program.
pub(crate) struct Trace<'a> {
    machine: Machine,
    tuning: Tuning,
    /// The marks, the nearest to the target first.
    marks: Vec<Mark>,
    /// The numbers of the marks at a point.
    at: FxHashMap<(FuncId, u32), Vec<usize>>,
    /// Functions with marks within blocks.
    stepped: Vec<FuncId>,
    /// The conditions at the start of the program.
    start: InputConditions,
    /// They can be satisfied by what the solver says, so no input that violates them is on this path.
    is_start_required: bool,
    variables: Vec<Variable>,
    runs: u64,
    instructions: u64,
    most_instructions: u64,
    closest: f64,
    /// How many instructions the closest run took.
    closest_instructions: u64,
    runner: &'a mut dyn Runner,
    progress: Progress,
    is_stopped: bool,
}

/// A checkpoint, ready to be measured.
struct Mark {
    callers: Vec<Caller>,
    /// The holes of the conditions, each after those that its address depends on.
    holes: Vec<(u32, Bound)>,
    tape: Tape,
    fits: Vec<Fit>,
}

/// Where the value of a hole comes from.
enum Bound {
    Slot {
        depth: u32,
        slot: Slot,
    },
    Load {
        address: Box<(Tape, Expr)>,
        bytes: u8,
    },
    /// Bytes of the input, counted from what was read before.
    Input {
        offset: u32,
        bytes: u32,
    },
}

/// Conditions on the input alone.
struct InputConditions {
    /// The holes, with their first bytes and how many they have.
    holes: Vec<(u32, u32, u32)>,
    tape: Tape,
    fits: Vec<Fit>,
}

impl<'a> Trace<'a> {
    /// The trace of a state at the start of the program. `is_start_required` says that its conditions can hold.
    pub(crate) fn new(
        code: &Code<'_>,
        state: &State,
        is_start_required: bool,
        evaluations: u64,
        runner: &'a mut dyn Runner,
        progress: Progress,
    ) -> Trace<'a> {
        let mut machine = runner.machine();
        machine.is_concrete = true;
        machine.has_concrete_results = true;
        let mut trace = Trace {
            machine,
            tuning: code.tuning.clone(),
            marks: Vec::new(),
            at: FxHashMap::default(),
            stepped: Vec::new(),
            start: InputConditions::new(code, state),
            is_start_required: is_start_required && !state.has_gap,
            variables: Vec::new(),
            runs: 0,
            instructions: 0,
            most_instructions: evaluations.saturating_mul(code.tuning.search_average_instructions),
            closest: f64::INFINITY,
            closest_instructions: 0,
            runner,
            progress,
            is_stopped: false,
        };
        let mut next = state.trace.as_deref();
        let mut checkpoints = Vec::new();
        while let Some(checkpoint) = next {
            checkpoints.push(checkpoint);
            next = checkpoint.next.as_deref();
        }
        for checkpoint in checkpoints.into_iter().rev() {
            trace.mark(code, checkpoint);
        }
        trace
    }

    fn mark(&mut self, code: &Code<'_>, checkpoint: &Checkpoint) {
        let Some(body) = code.body(checkpoint.function) else { return };
        self.at.entry((checkpoint.function, checkpoint.pc)).or_default().push(self.marks.len());
        if body.blocks.iter().all(|block| block.start != checkpoint.pc) {
            self.stepped.push(checkpoint.function);
        }
        self.marks.push(Mark::new(code, checkpoint));
    }

    /// Runs an input, and returns how far it is from the target.
    fn run(&mut self, input: &[u8]) -> f64 {
        let mut state = self.machine.start(input.to_vec());
        let mut closest: Vec<Option<f64>> = vec![None; self.marks.len()];
        let tuning = &self.tuning;
        let most = self.closest_instructions.saturating_mul(tuning.search_growth);
        let most = most.clamp(tuning.search_least_instructions, tuning.search_most_instructions);
        let is_reached = loop {
            // Without `exactly`, it pauses wherever a block begins.
            let event = if self.stepped.contains(&state.frame.function) {
                self.machine.run_exactly(&mut state, 1)
            } else {
                self.machine.run(&mut state, 1)
            };
            match event {
                Event::Decision(decision) => self.machine.take(&mut state, &decision.chosen),
                Event::End(end) => break self.runner.is_reached(&end),
                Event::Pause if state.instructions > most => break false,
                Event::Pause => {
                    let Some(here) = self.at.get(&(state.frame.function, state.frame.pc)) else { continue };
                    for number in here {
                        if let Some(distance) = self.marks[*number].distance(&mut self.machine, &state, input) {
                            let known = &mut closest[*number];
                            *known = Some(known.map_or(distance, |known: f64| known.min(distance)));
                        }
                    }
                }
            }
        };
        self.instructions += state.instructions;
        self.variables = variables(&state, self.tuning.search_block_bytes);
        if is_reached {
            return 0.0;
        }
        let nearest = closest.iter().enumerate().find_map(|(number, distance)| Some((number, (*distance)?)));
        let (level, distance) = nearest.unwrap_or_else(|| (self.marks.len(), self.start.distance(input)));
        // What holds at a mark may be undone later, so 0 alone does not count.
        let distance = 1.0 + level as f64 + distance / (distance + 1.0);
        if distance < self.closest {
            (self.closest, self.closest_instructions) = (distance, state.instructions);
        }
        distance
    }
}

impl Objective for Trace<'_> {
    fn distance(&mut self, input: &[u8]) -> f64 {
        self.runs += 1;
        self.run(input)
    }

    fn is_allowed(&mut self, input: &[u8]) -> bool {
        !self.is_start_required || self.start.distance(input) == 0.0
    }

    fn variables(&self) -> Vec<Variable> {
        self.variables.clone()
    }

    fn goes_on(&mut self) -> bool {
        if self.runs.is_multiple_of(RUNS_PER_LOOK) {
            self.progress.distance = Some(self.closest);
            self.is_stopped = !self.runner.goes_on(&self.progress);
        }
        !self.is_stopped && self.instructions < self.most_instructions
    }
}

impl Mark {
    fn new(code: &Code<'_>, checkpoint: &Checkpoint) -> Mark {
        let mut bound = Bindings { code, reads: checkpoint.reads.as_deref(), holes: Vec::new() };
        // A condition on something that can be anything can hold.
        let conditions: Vec<Expr> =
            checkpoint.conditions.iter().copied().filter(|condition| bound.bind(*condition)).collect();
        let tape = Tape::new(&code.pool, &conditions);
        let fits = conditions.iter().map(|condition| Fit::new(&code.pool, &tape, *condition)).collect();
        Mark { callers: checkpoint.callers.clone(), holes: bound.holes, tape, fits }
    }

    /// How far the conditions are from holding in a state at this point; `None` if its callers are others.
    fn distance(&mut self, machine: &mut Machine, state: &Run, input: &[u8]) -> Option<f64> {
        if !are_callers(&self.callers, state) {
            return None;
        }
        let depth = self.callers.len();
        for number in 0..self.holes.len() {
            let value = match &self.holes[number].1 {
                Bound::Slot { depth: of, slot } => {
                    let above = depth - *of as usize;
                    let frame = if above == 0 { Some(&state.frame) } else { state.callers.iter().nth(above - 1) };
                    let value = frame.and_then(|frame| frame.slots.get(slot.index())).copied();
                    value.map_or(0, |value| match value.expr {
                        None => u128::from(value.bits),
                        Some(expr) => machine.guide.values.eval_wide(&machine.pool, expr),
                    })
                }
                Bound::Input { offset, bytes } => word(input, state.input_len.saturating_add(*offset), *bytes),
                Bound::Load { address, bytes } => {
                    let (tape, address) = &**address;
                    let address = tape.register(*address).map_or(0, |register| tape.value(register)) as u64;
                    let content = machine.peek(state, address, u64::from(*bytes)).unwrap_or_default();
                    content.iter().rev().fold(0, |word, byte| word << 8 | u128::from(byte.value))
                }
            };
            let id = self.holes[number].0;
            for (_, later) in &mut self.holes[number + 1..] {
                if let Bound::Load { address, .. } = later {
                    address.0.set_hole(id, value);
                    address.0.run(&[]);
                }
            }
            self.tape.set_hole(id, value);
        }
        self.tape.run(&[]);
        Some(self.fits.iter().map(|fit| fit.distance(&self.tape)).sum())
    }
}

/// The innermost callers of a forward state are these, given with the outermost first.
pub(crate) fn are_callers(callers: &[Caller], state: &Run) -> bool {
    let is_caller = |(caller, frame): (&Caller, &Frame)| caller.function == frame.function && caller.pc == frame.pc;
    state.callers.depth() as usize >= callers.len() && callers.iter().rev().zip(state.callers.iter()).all(is_caller)
}

/// Collects where the values of holes come from.
struct Bindings<'a> {
    code: &'a Code<'a>,
    reads: Option<&'a [Read]>,
    holes: Vec<(u32, Bound)>,
}

impl Bindings<'_> {
    /// Finds the values of all holes of an expression; false if some can be anything.
    fn bind(&mut self, e: Expr) -> bool {
        self.code.pool.holes(e).into_iter().all(|id| self.bind_hole(id))
    }

    fn bind_hole(&mut self, id: u32) -> bool {
        if self.holes.iter().any(|(known, _)| *known == id) {
            return true;
        }
        let bound = match self.code.holes.kind(id) {
            Hole::Free { .. } => return false,
            Hole::Slot { depth, slot } => Bound::Slot { depth, slot },
            Hole::Load { address, bytes } => {
                // As deep as pointers are followed.
                if !self.bind(address) {
                    return false;
                }
                let mut tape = Tape::new(&self.code.pool, &[address]);
                tape.run(&[]);
                Bound::Load { address: Box::new((tape, address)), bytes }
            }
            Hole::Input { width, .. } => {
                let Some(offset) = self.reads.and_then(|reads| place_of(reads, id)) else { return false };
                Bound::Input { offset, bytes: u32::from(width.div_ceil(8)) }
            }
        };
        self.holes.push((id, bound));
        true
    }
}

/// The first byte of a hole in what is read from a point on.
pub(crate) fn place_of(reads: &[Read], hole: u32) -> Option<u32> {
    let mut first = 0;
    for read in reads.iter().rev() {
        if let Some((_, offset)) = read.parts.iter().find(|(part, _)| *part == hole) {
            return Some(first + offset);
        }
        first += read.bytes;
    }
    None
}

impl InputConditions {
    fn new(code: &Code<'_>, state: &State) -> InputConditions {
        let mut bound = Bindings { code, reads: Some(&state.reads), holes: Vec::new() };
        let conditions: Vec<Expr> =
            state.conditions.iter().copied().filter(|condition| bound.bind(*condition)).collect();
        let input = |(id, bound): (u32, Bound)| match bound {
            Bound::Input { offset, bytes } => Some((id, offset, bytes)),
            _ => None,
        };
        let tape = Tape::new(&code.pool, &conditions);
        let fits = conditions.iter().map(|condition| Fit::new(&code.pool, &tape, *condition)).collect();
        InputConditions { holes: bound.holes.into_iter().filter_map(input).collect(), tape, fits }
    }

    fn distance(&mut self, input: &[u8]) -> f64 {
        for (id, first, bytes) in &self.holes {
            self.tape.set_hole(*id, word(input, *first, *bytes));
        }
        self.tape.run(&[]);
        self.fits.iter().map(|fit| fit.distance(&self.tape)).sum()
    }
}

fn word(input: &[u8], first: u32, bytes: u32) -> u128 {
    let byte = |at: u32| u128::from(input.get(at as usize).copied().unwrap_or(0));
    (0..bytes).rev().fold(0, |word, index| word << 8 | byte(first.saturating_add(index)))
}

/// What a run has read from the input: numbers, or the first bytes of larger blocks.
fn variables(state: &Run, of_block: u32) -> Vec<Variable> {
    let mut variables = Vec::new();
    for symbol in state.symbols.in_order() {
        let is_float = matches!(symbol.source, SymbolSource::Nondet("float" | "double"));
        match symbol.len {
            0 => {}
            1..=8 => variables.push(Variable { first: symbol.first, bytes: symbol.len as u8, is_float }),
            len => {
                let bytes = symbol.first..symbol.first + len.min(of_block);
                variables.extend(bytes.map(|first| Variable { first, bytes: 1, is_float: false }));
            }
        }
    }
    variables
}
