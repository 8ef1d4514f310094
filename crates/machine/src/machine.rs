//! The machine: what all paths share, and how a path stops for its driver.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{Expr, Node, Pool, Rounding};
use secateur_path::ChoiceKey;
use secateur_program::{FuncId, Program, printable};
use smallvec::{SmallVec, smallvec};

use crate::coverage::CoverageMap;
use crate::decision::{Choice, Decision, DecisionKind, Exclusions};
use crate::end::{Bug, BugKind, End, Limit, Unsupported};
use crate::given_up::GivenUp;
use crate::guide::Guide;
use crate::holes::{Holes, Reason};
use crate::memory::{Memory, ObjectEnd, ObjectId};
use crate::options::{Options, Refuted, Uninit};
use crate::shims::{self, Shim, Signature};
use crate::state::{Phase, State};
use crate::unwritten_bits::UnwrittenSets;
use crate::value::Value;

/// Runs states of one program. Each worker has its own machine.
pub struct Machine {
    /// The program. The inner count is shared by all workers; the outer one is not: every run clones it, and a shared
    /// counter would be contended.
    pub program: Rc<Arc<Program>>,
    /// The expressions of all its states.
    pub pool: Pool,
    /// What the running state follows, usually an input.
    pub guide: Guide,
    /// The holes of its states of holes.
    pub holes: Holes,
    /// The guide that is not in use: that of real states while there is a guide for holes, and the other way round.
    pub(crate) other_guide: Guide,
    pub(crate) has_hole_guide: bool,
    /// A cache of the widths of functions' slots.
    pub(crate) slot_widths: FxHashMap<FuncId, Rc<[Option<u8>]>>,
    /// A shim is running.
    pub(crate) in_shim: bool,
    /// Input bytes that select one of a few addresses: a path decides which one is meant where it accesses it, rather
    /// than to leave the offset open.
    pub address_selectors: FxHashSet<u32>,
    /// What was executed on any path of this machine or of another one of the run.
    pub coverage: CoverageMap,
    /// How many instructions were executed on all paths together.
    pub instructions: u64,
    /// Set from outside to make the machine pause before anything that may take long.
    pub halt: Arc<AtomicBool>,
    pub(crate) options: Options,
    /// The length of the input and the most that it can be, if a libFuzzer harness has one that is symbolic.
    pub(crate) length: Option<(Expr, u64)>,
    /// How long it should become for now.
    pub preferred_length: u64,
    /// Blocks of input bytes are concrete: states that start now follow their input, quickly and with few decisions,
    /// but say nothing about other inputs.
    pub is_concrete: bool,
    /// What functions return is concrete, too: with blocks that are, nothing depends on another input, and a path runs
    /// as fast as it can.
    pub has_concrete_results: bool,
    /// The memory of a program that has not started yet.
    pub(crate) pristine: Memory,
    pub(crate) shims: Vec<Option<&'static Shim>>,
    /// The types of the shims that programs can call.
    pub(crate) signatures: Rc<[Option<Signature>]>,
    /// The function that runs when `main` returns, if the program defines it.
    pub(crate) exit_function: Option<FuncId>,
    /// How many expressions were made in pools that were dropped.
    dropped_expressions: u64,
    /// Whether values that a path determines are computed with as constants.
    uses_determined: bool,
    /// Which bits of registers depend on memory that was never written.
    pub(crate) unwritten: UnwrittenSets,
    /// The rounding mode of the running state.
    pub(crate) rounding: Rounding,
    /// The number of decisions so far of the instruction numbered `ordinal_at`.
    ordinal: u32,
    ordinal_at: u64,
    /// The state before the current instruction.
    #[cfg(debug_assertions)]
    pub(crate) before: crate::fingerprint::Fingerprint,
}

/// Why [`Machine::run`] returned.
#[derive(Debug)]
pub enum Event {
    /// The input decides. Let the state take a choice and run it again.
    Decision(Decision),
    /// The path has ended.
    End(End),
    /// The instruction budget is used up. Run the state again to go on.
    Pause,
}

/// Why an instruction did not complete.
pub(crate) enum Stop {
    Decision(Box<Decision>),
    End(Box<End>),
    /// It was asked to pause, and has changed nothing yet.
    Halt,
}

pub(crate) type StepResult<T> = Result<T, Stop>;

impl Machine {
    /// A machine for a program.
    pub fn new(program: Arc<Program>, options: Options) -> Machine {
        let coverage = CoverageMap::new(&program);
        Machine::sharing(program, options, coverage)
    }

    /// A machine that adds to the coverage of other machines for the same program.
    pub fn sharing(program: Arc<Program>, options: Options, coverage: CoverageMap) -> Machine {
        let shims = shims::resolve(&program);
        Machine {
            pool: Pool::with_tuning(options.expressions.clone()),
            guide: Guide::default(),
            holes: Holes::default(),
            other_guide: Guide::default(),
            has_hole_guide: false,
            slot_widths: FxHashMap::default(),
            in_shim: false,
            address_selectors: FxHashSet::default(),
            coverage,
            instructions: 0,
            pristine: Memory::new(&program, options.tuning.kept_objects),
            signatures: shims::signatures(&shims),
            shims,
            exit_function: program.function("exit").filter(|id| program.functions[id.index()].body.is_some()),
            halt: Arc::default(),
            options,
            length: None,
            preferred_length: u64::MAX,
            is_concrete: false,
            has_concrete_results: false,
            program: Rc::new(program),
            dropped_expressions: 0,
            uses_determined: false,
            unwritten: UnwrittenSets::default(),
            rounding: Rounding::Nearest,
            ordinal: 0,
            ordinal_at: u64::MAX,
            #[cfg(debug_assertions)]
            before: crate::fingerprint::Fingerprint::default(),
        }
    }

    /// Its options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The most bytes that the data of a libFuzzer harness can have, if its size is symbolic.
    pub fn longest_input(&self) -> Option<u64> {
        self.length.map(|(_, most)| most)
    }

    /// Frees all expressions. States that were made before must not be used again.
    pub fn forget_expressions(&mut self) {
        self.dropped_expressions += self.pool.len() as u64;
        self.pool = Pool::with_tuning(self.options.expressions.clone());
        self.length = None;
        self.guide.forget_expressions();
        self.other_guide.forget_expressions();
    }

    /// How many expressions were made so far, by all paths together.
    pub fn expressions(&self) -> u64 {
        self.dropped_expressions + self.pool.len() as u64
    }

    /// From now on, paths that run again exclude these values first, as they did on their first run.
    pub fn exclude(&mut self, exclusions: &Exclusions) {
        self.guide.set_record(exclusions.iter().map(|(decision, value)| (*decision, ChoiceKey::OtherThan(*value))));
    }

    /// Whether a limit was hit, so that whoever uses the machine should come to an end.
    pub fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// Sets what happens to alternatives that the path condition refutes.
    pub fn set_refuted(&mut self, refuted: Refuted) {
        self.options.refuted = refuted;
    }

    /// Sets whether an operand that has the same value for every input of its path becomes a constant. Expressions then
    /// have fewer bytes, and conditions that follow are not decided on. What a path computes is no longer true of other
    /// paths along the same code, so a state of holes would not compute the same.
    pub fn use_determined(&mut self, uses: bool) {
        self.uses_determined = uses;
    }

    /// Runs a state until the input decides, the path ends, or `budget` instructions have been executed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use secateur_program::*;
    /// use secateur_machine::{End, Event, Machine, Options, State};
    ///
    /// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
    /// # let int: Box<[SlotType]> = Box::new([SlotType::Int(32)]);
    /// # let char: Box<[SlotType]> = Box::new([SlotType::Int(8)]);
    /// # let (read, is_seven) = (Slot(0), Slot(1));
    /// # let value = |index| {
    /// #     Some(Argument { value: Operand::constant(index), slots: int.clone(), by_value: None, signed: true })
    /// # };
    /// # let edge = |to, pc| Edge { to: BlockId(to), pc, moves: Box::default(), sequential: true };
    /// # let block = |start, end, next: &[BlockId]| Block { start, end, successors: next.into(), native: None };
    /// # let body = Body {
    /// #     code: vec![
    /// #         Inst::Call { info: InfoId(0) },
    /// #         Inst::Cmp { op: CmpOp::Eq, width: 8, dst: is_seven, a: Operand::slot(read), b: Operand::constant(0) },
    /// #         Inst::Branch {
    /// #             cond: Operand::slot(is_seven), then_edge: EdgeId(0), else_edge: EdgeId(1), branch: BranchId(0),
    /// #         },
    /// #         Inst::Return { info: InfoId(0) },
    /// #         Inst::Return { info: InfoId(1) },
    /// #     ],
    /// #     locs: vec![LocId(0); 5],
    /// #     blocks: vec![block(0, 3, &[BlockId(1), BlockId(2)]), block(3, 4, &[]), block(4, 5, &[])],
    /// #     slots: 2,
    /// #     consts: vec![7, 1, 0],
    /// #     edges: vec![edge(1, 3), edge(2, 4)],
    /// #     calls: vec![Call {
    /// #         callee: Callee::Direct(FuncId(1)), args: Box::default(), dst: read, result: char.clone(),
    /// #     }],
    /// #     returns: vec![value(1), value(2)],
    /// #     ..Body::default()
    /// # };
    /// # let function = |name: &str, result: &Box<[SlotType]>, body| Function {
    /// #     name: name.into(), params: Box::default(), result: result.clone(), variadic: false, user: true,
    /// #     exported: true, body,
    /// #     loc: LocId(0),
    /// # };
    /// # let program = Program {
    /// #     functions: vec![function("main", &int, Some(body)), function("__VERIFIER_nondet_char", &char, None)],
    /// #     branches: vec![Branch {
    /// #         function: FuncId(0), block: BlockId(0), loc: LocId(0), outcomes: 2, native: Some(0),
    /// #         by_address: false,
    /// #     }],
    /// #     locations: vec![Location::default()],
    /// #     files: vec!["?".to_string()],
    /// #     entry: Some(FuncId(0)),
    /// #     ..Program::default()
    /// # };
    /// # verify(&program).unwrap();
    /// let mut machine = Machine::new(Arc::new(program), Options::default());
    /// let mut state = machine.start(vec![0]);
    /// let next = |machine: &mut Machine, state: &mut State| loop {
    ///     match machine.run(state, 100) {
    ///         Event::Pause => {}
    ///         event => break event,
    ///     }
    /// };
    /// let Event::Decision(decision) = next(&mut machine, &mut state) else {
    ///     panic!("the input decides at the branch")
    /// };
    /// assert_eq!(decision.alternatives.len(), 1);
    /// // Another input that satisfies the alternative, as a solver would find one.
    /// machine.follow(vec![7]);
    /// machine.take(&mut state, &decision.alternatives[0]);
    /// assert!(matches!(next(&mut machine, &mut state), Event::End(End::Exit(1))));
    /// assert_eq!(machine.coverage.user_outcomes(&machine.program), (1, 2));
    /// ```
    pub fn run(&mut self, state: &mut State, budget: u64) -> Event {
        self.run_until(state, budget, Machine::execute::<false>)
    }

    /// As [`Machine::run`], but stops exactly when the budget is used up.
    pub fn run_exactly(&mut self, state: &mut State, budget: u64) -> Event {
        self.run_until(state, budget, Machine::execute::<true>)
    }

    #[inline]
    fn run_until(
        &mut self,
        state: &mut State,
        budget: u64,
        execute: impl FnOnce(&mut Machine, &Program, &mut State, u64) -> StepResult<()>,
    ) -> Event {
        let before = state.instructions;
        let pause = before.saturating_add(budget).min(self.options.max_instructions);
        self.ordinal_at = u64::MAX;
        self.rounding = state.rounding;
        let program = Rc::clone(&self.program);
        let executed = match state.phase {
            Phase::Starting => {
                state.instructions += 1;
                #[cfg(debug_assertions)]
                {
                    self.before = crate::fingerprint::Fingerprint::of(state);
                }
                self.set_up(&program, state)
            }
            _ => execute(self, &program, state, pause),
        };
        let event = match executed {
            Ok(()) if state.instructions >= self.options.max_instructions => {
                Event::End(End::Limit(Limit::Instructions))
            }
            Ok(()) => Event::Pause,
            Err(Stop::End(end)) => Event::End(*end),
            Err(Stop::Halt) => {
                state.instructions -= 1;
                Event::Pause
            }
            Err(Stop::Decision(decision)) => {
                #[cfg(debug_assertions)]
                assert_eq!(
                    self.before,
                    crate::fingerprint::Fingerprint::of(state),
                    "an instruction that stops for a decision has changed something, at {}",
                    program.describe(state.frame.loc(&program))
                );
                // The instruction starts over once the decision is made.
                state.instructions -= 1;
                if state.path.len() >= self.options.max_depth as usize {
                    Event::End(End::Limit(Limit::Depth))
                } else {
                    Event::Decision(*decision)
                }
            }
        };
        self.instructions += state.instructions - before;
        event
    }

    /// Stops the instruction if a pause was requested. Called before any work that may take much longer than an
    /// instruction, and before that work changes anything.
    #[inline]
    pub(crate) fn check_halt(&self) -> StepResult<()> {
        if self.halt.load(Ordering::Relaxed) { Err(Stop::Halt) } else { Ok(()) }
    }

    /// What an expression evaluates to under the guide. A path may depend on the result only after a
    /// [decision](Machine::decide).
    #[inline]
    pub(crate) fn eval(&mut self, expr: Expr) -> u64 {
        self.guide.eval(&self.pool, expr)
    }

    /// [`Machine::eval`] for a value that may be concrete.
    #[inline]
    pub(crate) fn eval_value(&mut self, value: Value) -> u64 {
        match value.expr {
            None => value.bits,
            Some(expr) => self.eval(expr),
        }
    }

    /// The exit status under the current input. The path has ended, so nothing on it can depend on the status.
    pub(crate) fn final_status(&mut self, value: Value) -> i32 {
        self.eval_value(value) as i32 & 0xff
    }

    /// A value as an expression of this width.
    #[inline]
    pub fn expr(&mut self, value: Value, width: u8) -> Expr {
        match value.expr {
            Some(expr) => expr,
            None => self.pool.constant(width, u128::from(value.bits)),
        }
    }

    /// An expression as a value: concrete if it is a constant.
    #[inline]
    pub(crate) fn value(&self, expr: Expr) -> Value {
        match self.pool.as_const(expr) {
            Some(bits) => Value::concrete(bits as u64),
            None => Value::symbolic(expr),
        }
    }

    /// An operand as a constant, if every input of the path gives it the same value. Only after the last decision of an
    /// instruction: it is run again after each, and must come to the others in the same way.
    #[inline]
    pub(crate) fn determined(&mut self, state: &State, value: Value) -> Value {
        match value.expr {
            Some(expr) if self.uses_determined && state.path.determines(&self.pool, expr) => {
                Value { expr: None, bits: self.eval(expr), ..value }
            }
            _ => value,
        }
    }

    /// Makes a decision unless the current instruction has already made it, and returns the choice that was taken.
    /// `choices` returns the choice that holds under the guide's values, and the alternatives.
    pub(crate) fn decide(
        &mut self,
        state: &mut State,
        kind: DecisionKind,
        choices: impl FnOnce(&mut Machine) -> (Choice, SmallVec<[Choice; 1]>),
    ) -> StepResult<ChoiceKey> {
        if self.ordinal_at != state.instructions {
            self.ordinal_at = state.instructions;
            self.ordinal = 0;
        }
        if state.decided_at != state.instructions {
            state.decided_at = state.instructions;
            state.decided.clear();
        }
        let ordinal = self.ordinal;
        self.ordinal += 1;
        if let Some(taken) = state.decided.get(ordinal as usize) {
            return Ok(*taken);
        }
        let (mut chosen, mut alternatives) = choices(self);
        if let Some(recorded) = self.guide.recorded(state.path.len() as u32)
            && chosen.key != recorded
            && let Some(other) = alternatives.iter_mut().find(|choice| choice.key == recorded)
        {
            std::mem::swap(&mut chosen, other);
        }
        let all = alternatives.len();
        let mut refuted = Vec::new();
        if self.options.refuted != Refuted::Offered {
            alternatives.retain(|choice| {
                let is_refuted = state.path.refutes(&mut self.pool, choice.condition);
                if is_refuted && self.options.refuted == Refuted::Reported {
                    refuted.push(*choice);
                }
                !is_refuted
            });
            state.refuted += (all - alternatives.len()) as u32;
            chosen.implied = all > 0 && alternatives.is_empty();
        }
        alternatives.retain(|choice| match choice.bug {
            Some(kind) if !self.options.checks(kind) => {
                state.ignored += 1;
                state.give_up(&self.program, GivenUp::Check(kind));
                false
            }
            _ => true,
        });
        if let Some((length, most)) = self.length {
            self.consider_length(length, most, &mut alternatives);
        }
        if !alternatives.is_empty() || !refuted.is_empty() {
            return Err(Stop::Decision(Box::new(Decision { kind, chosen, alternatives, refuted })));
        }
        // The driver has nothing to decide.
        if state.path.len() >= self.options.max_depth as usize {
            return Err(end(End::Limit(Limit::Depth)));
        }
        self.take(state, &chosen);
        Ok(chosen.key)
    }

    /// Notes which length each alternative needs. Where one allows a longer input, prefers one of twice the length, up
    /// to the preferred one: a long input shows more of what the program does with it than the shortest that is
    /// possible, and growing byte by byte would take long.
    fn consider_length(&mut self, length: Expr, most: u64, alternatives: &mut [Choice]) {
        let now = self.eval(length);
        let wanted = now.saturating_mul(2).max(self.options.tuning.least_length).min(most).min(self.preferred_length);
        let wanted = u128::from(wanted);
        for choice in alternatives {
            let restriction = self.pool.restriction(choice.condition);
            let restriction = restriction.filter(|found| self.is_length(found.word, length, most));
            let Some(values) = restriction.as_ref().map(|found| &found.values) else { continue };
            choice.length = values.at_least(0).and_then(|least| least.try_into().ok()).unwrap_or(0);
            let is_free = choice.prefer.is_none() && choice.bug.is_none();
            if is_free && wanted > u128::from(now) && values.at_least(wanted).is_some() {
                let wanted = self.pool.constant(64, wanted);
                choice.prefer = Some(self.pool.ule(wanted, length));
            }
        }
    }

    /// Whether a word is the length, which is at most `most`: all of its bytes, or those that are not always zero,
    /// since many programs keep lengths in an `unsigned` or an `int`.
    fn is_length(&self, word: Expr, length: Expr, most: u64) -> bool {
        let length = if let Node::ZExt(length, _) = self.pool.node(length) { length } else { length };
        match (self.pool.node(word), self.pool.node(length)) {
            (Node::Input { first, bytes }, Node::Input { first: start, .. }) => {
                first == start && most.checked_shr(8 * u32::from(bytes)).unwrap_or(0) == 0
            }
            _ => word == length,
        }
    }

    /// Makes a state take one of the choices of the decision that stopped it.
    pub fn take(&mut self, state: &mut State, choice: &Choice) {
        if let ChoiceKey::OtherThan(value) = choice.key {
            state.exclusions.push((state.path.len() as u32, value));
        }
        if choice.implied {
            state.path.push_implied(choice.key);
        } else {
            state.path.push(&mut self.pool, choice.condition, choice.key);
        }
        state.decided.push(choice.key);
    }

    /// Decides whether a condition holds. `bug` is the check that fails if it does not.
    pub(crate) fn decide_condition(
        &mut self,
        state: &mut State,
        kind: DecisionKind,
        condition: Expr,
        bug: Option<BugKind>,
    ) -> StepResult<bool> {
        if let Some(bits) = self.pool.as_const(condition) {
            return Ok(bits == 1);
        }
        let taken = self.decide(state, kind, |machine| {
            let holds = machine.eval(condition) == 1;
            let negation = machine.pool.not(condition);
            let (yes, mut no) =
                (Choice::new(condition, ChoiceKey::Side(true)), Choice::new(negation, ChoiceKey::Side(false)));
            no.bug = bug;
            if holds { (yes, smallvec![no]) } else { (no, smallvec![yes]) }
        })?;
        Ok(taken == ChoiceKey::Side(true))
    }

    /// Decides which of several conditions holds. They must be mutually exclusive and cover all cases.
    pub(crate) fn decide_case(&mut self, state: &mut State, kind: DecisionKind, cases: &[Expr]) -> StepResult<usize> {
        let taken = self.decide(state, kind, |machine| {
            let taken = cases.iter().position(|case| machine.eval(*case) == 1).unwrap_or(0);
            let choice = |index: usize| Choice::new(cases[index], ChoiceKey::Target(index as u32));
            let possible = |index: &usize| *index != taken && !machine.pool.is_false(cases[*index]);
            (choice(taken), (0..cases.len()).filter(possible).map(choice).collect())
        })?;
        Ok(taken.target().unwrap_or(0) as usize)
    }

    /// Makes a value concrete; any other value is left as an alternative.
    pub(crate) fn pin(&mut self, state: &mut State, value: Value) -> StepResult<u64> {
        self.check_initialised(state, value, "a value that must be concrete")?;
        let value = self.settle(state, value, Reason::Control);
        let Some(expr) = value.expr else { return Ok(value.bits) };
        // A state that took "any other value" runs this again under another input and decides once more.
        loop {
            let decision = state.path.len() as u32;
            let taken = self.decide(state, DecisionKind::Value, |machine| {
                let bits = machine.eval(expr);
                let asked = machine.recorded_value(decision).unwrap_or(bits);
                let constant = machine.pool.constant(machine.pool.width(expr), u128::from(asked));
                let condition = machine.pool.eq(expr, constant);
                let negation = machine.pool.not(condition);
                let this = Choice::new(condition, ChoiceKey::Value(asked));
                let other = Choice::new(negation, ChoiceKey::OtherThan(asked));
                if asked == bits { (this, smallvec![other]) } else { (other, smallvec![this]) }
            })?;
            if let ChoiceKey::Value(bits) = taken {
                return Ok(bits);
            }
        }
    }

    /// The size of an object, made concrete.
    pub(crate) fn size_of(&mut self, state: &mut State, id: ObjectId) -> StepResult<u64> {
        let Some(object) = state.memory.get(id) else { return Ok(0) };
        match object.end {
            Some(ObjectEnd::AtSize(size)) => self.pin(state, Value::symbolic(size)),
            _ => Ok(object.size),
        }
    }

    /// The value that was tried at a decision when the path first ran.
    pub(crate) fn recorded_value(&self, decision: u32) -> Option<u64> {
        match self.guide.recorded(decision)? {
            ChoiceKey::Value(value) | ChoiceKey::OtherThan(value) | ChoiceKey::Object(value) => Some(value),
            _ => None,
        }
    }

    /// Makes a value concrete and gives up all others, if there are any. Its instruction makes no other decision.
    pub(crate) fn concretise(&mut self, state: &mut State, value: Value) -> StepResult<u64> {
        let value = self.settle(state, value, Reason::Control);
        let Some(expr) = value.expr else { return Ok(value.bits) };
        // Once it was decided on, there is always only one.
        let has_decided = state.decided_at == state.instructions && !state.decided.is_empty();
        if !has_decided && state.path.determines(&self.pool, expr) {
            return Ok(self.eval(expr));
        }
        let taken = self.decide(state, DecisionKind::Concretisation, |machine| {
            let bits = machine.eval(expr);
            let constant = machine.pool.constant(machine.pool.width(expr), u128::from(bits));
            (Choice::new(machine.pool.eq(expr, constant), ChoiceKey::Value(bits)), SmallVec::new())
        })?;
        state.give_up(&self.program, GivenUp::Value);
        Ok(taken.value().unwrap_or(0))
    }

    /// Called where the path depends on a value, which should not have been computed from uninitialised memory.
    #[inline(always)]
    pub(crate) fn check_initialised(&self, state: &mut State, value: Value, what: &str) -> StepResult<()> {
        if value.uninit() { self.uninitialised(state, what) } else { Ok(()) }
    }

    #[cold]
    fn uninitialised(&self, state: &mut State, what: &str) -> StepResult<()> {
        if self.options.checks(BugKind::Uninitialised) {
            return Err(self.bug(state, BugKind::Uninitialised, format!("{what} depends on uninitialised memory")));
        }
        state.give_up(
            &self.program,
            match self.options.uninit {
                Uninit::Zero => GivenUp::Uninitialised,
                // Memory became input when it was read, but not what a register holds by chance.
                Uninit::Any => GivenUp::Result,
            },
        );
        Ok(())
    }

    /// Ends the path with a bug, or as ignored if the check is disabled.
    #[cold]
    pub(crate) fn bug(&self, state: &State, kind: BugKind, message: impl Into<String>) -> Stop {
        if !self.options.checks(kind) {
            return end(End::Ignored(kind));
        }
        Stop::End(Box::new(End::Bug(Box::new(Bug {
            kind,
            message: printable(message.into()),
            stack: state.stack(&self.program),
        }))))
    }

    /// Ends the path because something is not modelled.
    #[cold]
    pub(crate) fn unsupported(&self, state: &State, what: impl Into<String>) -> Stop {
        Stop::End(Box::new(End::Unsupported(Box::new(Unsupported {
            what: what.into(),
            stack: state.stack(&self.program),
        }))))
    }
}

pub(crate) fn end(end: End) -> Stop {
    Stop::End(Box::new(end))
}
