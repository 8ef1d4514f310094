//! Steps over calls: into the callee, or over it; and out of a function to its callers.

use secateur_expr::Expr;
use secateur_program::{Argument, Call, Callee, FuncId, Inst, Returns, Slot, function_address};

use crate::code::{Code, is_harmless, native};
use crate::holes::{Hole, Replacement, Rewrite};
use crate::state::{Caller, State};

/// What a function that the machine implements means for backward execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shim {
    /// It returns a value of the input.
    Value,
    /// It fills memory with input.
    Memory,
    /// It ends the path unless its argument is true.
    Assume,
    /// Only what it returns matters, and that is not known.
    Harmless,
    /// It may do anything.
    Opaque,
}

impl Shim {
    pub(crate) fn of(name: &str) -> Shim {
        match name {
            "klee_assume" | "__VERIFIER_assume" => Shim::Assume,
            "klee_make_symbolic" | "__VERIFIER_nondet_memory" => Shim::Memory,
            "klee_int" => Shim::Value,
            "__VERIFIER_nondet_string" | "__VERIFIER_nondet_int128" | "__VERIFIER_nondet_uint128" => Shim::Opaque,
            name if name.starts_with("__VERIFIER_nondet_") => Shim::Value,
            name if is_harmless(name) => Shim::Harmless,
            _ => Shim::Opaque,
        }
    }
}

/// Replaces all slots of the innermost call by arguments, or by anything.
struct Entered<'a> {
    depth: u32,
    arguments: &'a [(Slot, Expr)],
}

impl Replacement for Entered<'_> {
    fn slot(&mut self, rewrite: &mut Rewrite<'_>, depth: u32, slot: Slot) -> Option<Expr> {
        if depth != self.depth {
            return None;
        }
        let argument = self.arguments.iter().find(|(param, _)| *param == slot);
        Some(argument.map_or_else(|| rewrite.holes.free(rewrite.pool, 64), |(_, value)| *value))
    }

    fn load(&mut self, _: &mut Rewrite<'_>, _: Expr, _: u8) -> Option<Expr> {
        None
    }
}

impl Code<'_> {
    /// The states before the call in front of a state's point: at the returns of the callee, or before the call.
    pub(crate) fn step_call(&mut self, mut state: State, unroll: u32) -> Vec<State> {
        let Some(body) = self.body(state.function) else { return Vec::new() };
        let pc = state.pc - 1;
        let Inst::Call { info } = body.code[pc as usize] else { return Vec::new() };
        let call = &body.calls[info.index()];
        let callee = match call.callee {
            Callee::Direct(callee) => callee,
            Callee::Indirect(_) => {
                state.pc = pc;
                self.skip_call(&mut state, call, true);
                return vec![state];
            }
        };
        if self.body(callee).is_none() {
            state.pc = pc;
            return if self.step_shim(&mut state, call, callee) { vec![state] } else { Vec::new() };
        }
        let effects = self.effects(call.callee);
        let holes = state.holes(&self.pool, &self.holes);
        let depth = state.depth();
        let is_read = |slot: &Slot| holes.contains(&Hole::Slot { depth, slot: *slot });
        let uses_result = results(call).iter().any(is_read);
        let uses_memory = holes.iter().any(|hole| matches!(hole, Hole::Load { .. }));
        let matters = uses_result || uses_memory && effects.writes || effects.reads_input;
        if !matters {
            state.pc = pc;
            return vec![state];
        }
        let active = state.callers.iter().filter(|caller| caller.function == callee).count() as u32;
        if state.callers.len() >= self.tuning.call_depth || active > unroll || self.name(callee) == "exit" {
            state.pc = pc;
            self.skip_call(&mut state, call, effects.reads_input);
            return vec![state];
        }
        self.enter(&state, call, callee, pc)
    }

    /// The states in front of each return of a callee.
    fn enter(&mut self, state: &State, call: &Call, callee: FuncId, pc: u32) -> Vec<State> {
        let Some(body) = self.body(callee) else { return Vec::new() };
        let mut before = Vec::new();
        for (at, inst) in body.code.iter().enumerate() {
            let Inst::Return { info } = inst else { continue };
            let mut inside = state.clone();
            inside.callers.push(Caller { function: state.function, pc });
            let depth = inside.depth();
            let returned = body.returns[info.index()].as_ref();
            let values: Vec<(Slot, Expr)> = (0..)
                .zip(results(call))
                .map(|(index, slot)| {
                    let value = match returned.filter(|value| index < value.slots.len() as u32) {
                        Some(value) => self.operand(callee, depth, value.value.offset(index), 64),
                        None => self.holes.free(&mut self.pool, 64),
                    };
                    (slot, value)
                })
                .collect();
            let by = &mut crate::state::Slots { depth: state.depth(), values: &values };
            inside.rewrite(&mut self.pool, &mut self.holes, by);
            let at = at as u32;
            (inside.function, inside.block, inside.pc) = (callee, body.block_at(at), at);
            before.push(inside);
        }
        before
    }

    /// Makes free whatever a call may have changed.
    fn skip_call(&mut self, state: &mut State, call: &Call, reads_input: bool) {
        state.deferred += 1;
        state.has_gap |= reads_input;
        let values: Vec<(Slot, Expr)> =
            results(call).into_iter().map(|slot| (slot, self.holes.free(&mut self.pool, 64))).collect();
        self.set_slots(state, &values);
        if self.effects(call.callee).writes {
            self.write_anywhere(state);
        }
    }

    /// The state before a call of a function of the machine; false if it never returns.
    fn step_shim(&mut self, state: &mut State, call: &Call, callee: FuncId) -> bool {
        let name = self.name(callee);
        if secateur_machine::returns(name) == Returns::Never || secateur_machine::returns(name) == Returns::Elsewhere {
            return false;
        }
        let argument = |index: usize| call.args.get(index).map(|argument| argument.value);
        match Shim::of(name) {
            Shim::Assume => {
                if let Some(Argument { value, slots, .. }) = call.args.first() {
                    let width = slots.first().map_or(32, |slot| slot.width());
                    let value = self.here(state, *value, width);
                    let zero = self.pool.constant(width, 0);
                    let holds = self.pool.ne(value, zero);
                    state.require(&self.pool, holds);
                }
            }
            Shim::Value => match call.result.as_ref() {
                [slot] => {
                    let width = slot.width();
                    self.read_value(state, call.dst, u32::from(width.div_ceil(8)), width);
                }
                _ => state.has_gap = true,
            },
            Shim::Memory => {
                let address = argument(0).map(|address| self.here(state, address, 64));
                let len = argument(1).map(|len| self.here(state, len, 64)).and_then(|len| self.pool.as_const(len));
                match address.zip(len) {
                    Some((address, len)) => self.read_memory(state, address, len as u64),
                    None => self.skip_call(state, call, true),
                }
            }
            Shim::Harmless => {
                if let Some((function, width)) = native(name)
                    && call.args.len() == function.arity()
                {
                    let arguments: Vec<Expr> =
                        call.args.iter().map(|argument| self.here(state, argument.value, width)).collect();
                    let value = self.pool.native(function, &arguments);
                    self.set_slots(state, &[(call.dst, value)]);
                } else {
                    self.skip_call(state, call, false);
                }
            }
            Shim::Opaque => {
                let reads_input = self.effects(call.callee).reads_input;
                self.skip_call(state, call, reads_input);
            }
        }
        true
    }

    /// The state before the call that led to the entry of the running function.
    pub(crate) fn leave(&mut self, mut state: State) -> Option<State> {
        let caller = state.callers.last().copied()?;
        let callee = state.function;
        let depth = state.depth();
        self.pass_arguments(&mut state, callee, caller, depth, depth - 1);
        state.callers.pop();
        self.place_before(&mut state, caller);
        Some(state)
    }

    /// The state before a call that may have led to the entry of the outermost known function.
    pub(crate) fn leave_to(&mut self, mut state: State, caller: Caller, is_indirect: bool) -> State {
        let callee = state.function;
        self.pass_arguments(&mut state, callee, caller, 0, 0);
        self.place_before(&mut state, caller);
        if is_indirect
            && let Some(body) = self.body(caller.function)
            && let Inst::Call { info } = body.code[caller.pc as usize]
            && let Callee::Indirect(pointer) = body.calls[info.index()].callee
        {
            let pointer = self.here(&state, pointer, 64);
            let address = self.pool.constant(64, u128::from(function_address(callee)));
            let is_meant = self.pool.eq(pointer, address);
            state.require(&self.pool, is_meant);
        }
        state
    }

    fn place_before(&self, state: &mut State, caller: Caller) {
        (state.function, state.pc) = (caller.function, caller.pc);
        if let Some(body) = self.body(caller.function) {
            state.block = body.block_at(caller.pc);
        }
    }

    /// Replaces the parameters of a callee at `depth` by the arguments of a call, and its other slots by anything.
    fn pass_arguments(&mut self, state: &mut State, callee: FuncId, caller: Caller, depth: u32, caller_depth: u32) {
        let Some(body) = self.body(caller.function) else { return };
        let Inst::Call { info } = body.code[caller.pc as usize] else { return };
        let call = &body.calls[info.index()];
        let params = &self.program.functions[callee.index()].params;
        let mut arguments = Vec::new();
        let mut slot = 0;
        for (index, param) in params.iter().enumerate() {
            let argument = call.args.get(index).filter(|argument| {
                // A copy of what the argument points to is another object.
                argument.slots.len() == param.slots.len() && param.by_value.is_none() && argument.by_value.is_none()
            });
            for part in 0..param.slots.len() as u32 {
                if let Some(argument) = argument {
                    let value = self.operand(caller.function, caller_depth, argument.value.offset(part), 64);
                    arguments.push((Slot(slot), value));
                }
                slot += 1;
            }
        }
        let by = &mut Entered { depth, arguments: &arguments };
        state.rewrite(&mut self.pool, &mut self.holes, by);
    }

    /// The state at the start of the program.
    pub(crate) fn start(&mut self, state: &mut State) {
        let by = &mut Entered { depth: 0, arguments: &[] };
        state.rewrite(&mut self.pool, &mut self.holes, by);
        self.start_memory(state);
    }
}

/// The slots of the result of a call.
fn results(call: &Call) -> Vec<Slot> {
    (call.dst.0..call.dst.0 + call.result.len() as u32).map(Slot).collect()
}
