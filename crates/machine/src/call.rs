//! Calls and returns, stack objects and by-value parameters.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;
use secateur_expr::Expr;
use secateur_path::ChoiceKey;
use secateur_program::{
    Alloca, Argument, Body, Call, Callee, FuncId, Function, Operand, Program, SlotType, function_at,
};
use smallvec::{SmallVec, smallvec};

use crate::block::Bytes;
use crate::convention::{fits, is_float, same_slots, variable_arguments};
use crate::decision::{Choice, DecisionKind};
use crate::end::{BugKind, End};
use crate::frame::Frame;
use crate::holes::Reason;
use crate::machine::{Machine, StepResult, end};
use crate::memory::{LaneKey, Object, ObjectId, ObjectKind};
use crate::origins::{Origins, origins};
use crate::shims::Shim;
use crate::state::{Phase, State};
use crate::value::Value;

/// The arguments of a call, as a shim sees them.
pub(crate) struct Arguments {
    pub slots: SmallVec<[Value; 8]>,
}

/// How a shim returned.
pub(crate) enum Returned {
    /// It returns nothing, or 0.
    Nothing,
    /// It returns a value of one slot.
    Value(Value),
    /// It returns a value of two slots.
    Pair(Value, Value),
    /// It changed the frames itself.
    Elsewhere,
}

impl Arguments {
    /// The value of a slot; 0 if the call passes fewer.
    pub(crate) fn get(&self, index: usize) -> Value {
        self.slots.get(index).copied().unwrap_or(Value::ZERO)
    }
}

impl Machine {
    /// Executes a call; returns true if the innermost frame has changed.
    pub(crate) fn call(&mut self, program: &Program, body: &Body, call: &Call, state: &mut State) -> StepResult<bool> {
        let callee = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(operand) => self.indirect_callee(program, body, state, operand)?,
        };
        let function = &program.functions[callee.index()];
        let count = call.args.iter().map(|arg| arg.slots.len()).sum();
        let mut slots: SmallVec<[Value; 8]> = SmallVec::with_capacity(count);
        for argument in &call.args {
            for index in 0..argument.slots.len() as u32 {
                slots.push(state.frame.operand(body, argument.value.offset(index)));
            }
        }
        if let Some(shim) = self.shims[callee.index()] {
            self.check_halt()?;
            return self.call_shim(callee, function, shim, call, slots, state);
        }
        if function.body.is_none() {
            return Err(self.unsupported(state, format!("external function `{}`", function.name)));
        }
        self.enter(state, callee, function, &call.args, slots)?;
        Ok(true)
    }

    /// Calls a function that the machine implements; returns true if the innermost frame has changed.
    fn call_shim(
        &mut self,
        callee: FuncId,
        function: &Function,
        shim: &Shim,
        call: &Call,
        mut slots: SmallVec<[Value; 8]>,
        state: &mut State,
    ) -> StepResult<bool> {
        let signatures = Rc::clone(&self.signatures);
        let signature = signatures[callee.index()].as_ref();
        if let Some(signature) = signature
            && !fits(&call.args, &signature.params)
        {
            let mut conformed = self.conform(state, &function.name, &signature.params, &call.args, &slots)?;
            // Arguments after the required parameters are optional.
            conformed.extend(slots.into_iter().skip(signature.params.len()));
            slots = conformed;
        }
        if state.abstraction.is_some() {
            for value in &mut slots {
                *value = self.settle(state, *value, Reason::Control);
                self.consult(state, value.bits);
            }
            self.in_shim = true;
        }
        let returned = shim.call(self, state, &Arguments { slots });
        self.in_shim = false;
        let mut values: SmallVec<[Value; 4]> = match returned? {
            Returned::Elsewhere => return Ok(true),
            Returned::Nothing => smallvec![Value::ZERO; call.result.len()],
            Returned::Value(value) => smallvec![value],
            Returned::Pair(low, high) => smallvec![low, high],
        };
        if self.has_concrete_results {
            for value in &mut values {
                *value = Value { bits: self.eval_value(*value), expr: None, ..*value };
            }
        }
        let result = signature.map_or_else(|| function.result.first().copied(), |signature| Some(signature.result));
        for (index, slot) in call.result.iter().enumerate() {
            let value = match values.get(index) {
                // Floating-point results are in other registers than integers.
                Some(value) if result.is_none_or(|result| is_float(&result) == is_float(slot)) => {
                    self.resize(*value, *slot, *slot, false)
                }
                _ => Value::ZERO.tainted(self.options.track_uninit),
            };
            state.frame.slots[call.dst.index() + index] = value;
        }
        state.frame.pc += 1;
        Ok(false)
    }

    /// Pushes a frame for the callee.
    fn enter(
        &mut self,
        state: &mut State,
        callee: FuncId,
        function: &Function,
        args: &[Argument],
        mut slots: SmallVec<[Value; 8]>,
    ) -> StepResult<()> {
        if state.callers.depth() >= self.options.max_frames {
            let message = format!("`{}` is called while {} calls are active", function.name, self.options.max_frames);
            return Err(self.bug(state, BugKind::StackOverflow, message));
        }
        let varargs = variable_arguments(function, args, &slots).map(Rc::new);
        if fits(args, &function.params) {
            slots.truncate(function.params.iter().map(|param| param.slots.len()).sum());
        } else {
            slots = self.conform(state, &function.name, &function.params, args, &slots)?;
        }
        let copies = self.copy_by_value(state, function, &mut slots)?;
        let context = extend_context(state.frame.context, state.frame.function, state.frame.pc);
        let frame = self.new_frame(state, callee, function, &slots, context);
        let caller = std::mem::replace(&mut state.frame, frame);
        state.frame.varargs = varargs;
        state.frame.objects = copies;
        state.callers.push(caller);
        Ok(())
    }

    /// A frame at the start of a function.
    fn new_frame(
        &mut self,
        state: &mut State,
        callee: FuncId,
        function: &Function,
        arguments: &[Value],
        context: u64,
    ) -> Frame {
        let count = function.body.as_ref().map_or(0, |body| body.slots as usize).max(arguments.len());
        let mut slots = Vec::with_capacity(count);
        slots.extend_from_slice(arguments);
        slots.resize(count, Value::ZERO);
        if self.options.track_uninit
            && let Some(body) = &function.body
        {
            for (slot, _) in &body.locals {
                slots[slot.index()] = Value::ZERO.tainted(true);
            }
        }
        self.coverage.enter(callee, secateur_program::BlockId(0), function.user);
        state.next_serial += 1;
        Frame {
            function: callee,
            pc: 0,
            slots,
            objects: SmallVec::new(),
            varargs: None,
            context,
            serial: state.next_serial,
        }
    }

    /// A frame at the start of `function`, without a caller.
    pub(crate) fn outermost_frame(&mut self, state: &mut State, function: FuncId, arguments: &[Value]) -> Frame {
        let program = Rc::clone(&self.program);
        let described = &program.functions[function.index()];
        let params = described.params.iter().flat_map(|param| &param.slots);
        // `main` may be declared with any parameters; those that the system does not pass are 0.
        let slots: Vec<Value> = params
            .enumerate()
            .map(|(index, slot)| match arguments.get(index) {
                Some(value) => self.resize(*value, SlotType::Int(64), *slot, false),
                None => Value::ZERO,
            })
            .collect();
        self.new_frame(state, function, described, &slots, u64::from(function.0) + 1)
    }

    /// Copies the arguments that are passed by value; the copies belong to the callee's frame.
    fn copy_by_value(
        &mut self,
        state: &mut State,
        function: &Function,
        slots: &mut [Value],
    ) -> StepResult<SmallVec<[ObjectId; 4]>> {
        // Reading them may need decisions, so all are read before anything is allocated.
        let mut sources: SmallVec<[Bytes; 2]> = SmallVec::new();
        let mut position = 0;
        for param in &function.params {
            if let Some((size, _)) = param.by_value {
                sources.push(self.read_block(state, slots[position], size)?);
            }
            position += param.slots.len();
        }
        let mut copies = SmallVec::new();
        let mut sources = sources.into_iter();
        let mut position = 0;
        // A variable argument that is passed by value is copied by `va_start`.
        for (index, param) in function.params.iter().enumerate() {
            if let Some((size, _)) = param.by_value
                && let Some(bytes) = sources.next()
            {
                let allocated_at = state.allocation_site(&self.program, &param.name);
                let lane_key = LaneKey {
                    // No instruction of the program has this number.
                    instruction: 1 << 63 | index as u64,
                    context: extend_context(state.frame.context, state.frame.function, state.frame.pc),
                };
                let copy =
                    state.memory.allocate(lane_key, Object::new(size, ObjectKind::Stack, allocated_at, &[], false));
                self.write_block(state, copy, 0, &bytes)?;
                state.stack_bytes += size;
                slots[position] = Value::concrete(copy.address());
                copies.push(copy);
            }
            position += param.slots.len();
        }
        Ok(copies)
    }

    /// Decides which function a pointer points to.
    fn indirect_callee(
        &mut self,
        program: &Program,
        body: &Body,
        state: &mut State,
        operand: Operand,
    ) -> StepResult<FuncId> {
        let pointer = state.frame.operand(body, operand);
        self.check_initialised(state, pointer, "the called address")?;
        let pointer = self.settle(state, pointer, Reason::Control);
        let mut address = self.eval_value(pointer);
        if let Some(expr) = pointer.expr {
            let Origins { mut addresses, complete, .. } = {
                let real = self.real(state, expr);
                origins(&self.pool, &self.options.tuning, real)
            };
            addresses.retain(|leaf| function_at(*leaf).is_some() || *leaf == 0);
            let is_known = addresses.contains(&address);
            address = self.decide_code(state, expr, addresses)?;
            if !complete && !is_known {
                self.pin(state, pointer)?;
            }
        }
        let Some(callee) = function_at(address).filter(|id| id.index() < program.functions.len()) else {
            let (kind, message) = if address == 0 {
                (BugKind::NullPointer, "call through a null pointer".to_string())
            } else {
                (BugKind::BadCall, format!("call of address {address:#x}, which is not a function"))
            };
            return Err(self.bug(state, kind, message));
        };
        Ok(callee)
    }

    /// Decides which of these code addresses a pointer is, or that it is none of them, which is a bug. Returns the
    /// address.
    pub(crate) fn decide_code(
        &mut self,
        state: &mut State,
        pointer: Expr,
        places: impl IntoIterator<Item = u64>,
    ) -> StepResult<u64> {
        let address = self.eval(pointer);
        let taken = self.decide(state, DecisionKind::Pointer, |machine| {
            let mut none = machine.pool.bool(true);
            let mut chosen = None;
            let mut alternatives: SmallVec<[Choice; 1]> = smallvec![];
            for place in places {
                let constant = machine.pool.constant(64, u128::from(place));
                let same = machine.pool.eq(pointer, constant);
                let different = machine.pool.not(same);
                none = machine.pool.and(none, different);
                let choice = Choice::new(same, ChoiceKey::Code(place));
                if place == address {
                    chosen = Some(choice);
                } else if !machine.pool.is_false(same) {
                    alternatives.push(choice);
                }
            }
            let mut wild = Choice::new(none, ChoiceKey::Elsewhere);
            wild.bug = Some(BugKind::BadCall);
            match chosen {
                Some(choice) => {
                    if !machine.pool.is_false(none) {
                        alternatives.push(wild);
                    }
                    (choice, alternatives)
                }
                None => (wild, alternatives),
            }
        })?;
        Ok(if let ChoiceKey::Code(place) = taken { place } else { address })
    }

    /// Returns from the innermost frame.
    pub(crate) fn return_from(
        &mut self,
        program: &Program,
        body: &Body,
        value: Option<&Argument>,
        state: &mut State,
    ) -> StepResult<()> {
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        if let Some(argument) = value {
            for index in 0..argument.slots.len() as u32 {
                values.push(state.frame.operand(body, argument.value.offset(index)));
            }
        }
        let Some(caller) = state.callers.pop() else {
            let first = value.and_then(|value| Some((*value.slots.first()?, *values.first()?)));
            return self.outermost_returned(program, state, first);
        };
        let left = std::mem::replace(&mut state.frame, caller);
        self.touch_frame(state);
        for object in left.objects.into_iter().rev() {
            self.end_stack_object(state, Some(object));
        }
        let frame = &mut state.frame;
        let call = program.functions[frame.function.index()].body.as_ref().and_then(|body| body.call_at(frame.pc));
        if let Some(call) = call.filter(|call| !call.result.is_empty()) {
            if value.is_none_or(|value| !same_slots(&value.slots, &call.result)) {
                values = self.conform_result(value, &values, &call.result);
            }
            frame.slots[call.dst.index()..][..values.len()].copy_from_slice(&values);
        }
        frame.pc += 1;
        Ok(())
    }

    /// A constructor, `main` or `exit` returned: starts what comes next.
    fn outermost_returned(
        &mut self,
        program: &Program,
        state: &mut State,
        value: Option<(SlotType, Value)>,
    ) -> StepResult<()> {
        for object in std::mem::take(&mut state.frame.objects).into_iter().rev() {
            self.end_stack_object(state, Some(object));
        }
        match state.phase {
            Phase::Constructor(index) => {
                self.begin_phase(program, state, index + 1);
                Ok(())
            }
            Phase::Main => {
                let status = match value {
                    Some((slot, value)) => self.resize(value, slot, SlotType::Int(32), false),
                    None => Value::ZERO,
                };
                self.check_initialised(state, status, "the exit status")?;
                match self.exit_function {
                    Some(exit) => {
                        state.phase = Phase::Exiting;
                        state.frame = self.outermost_frame(state, exit, &[status]);
                        Ok(())
                    }
                    None => Err(self.exit(state, status)?),
                }
            }
            Phase::Starting | Phase::Exiting => Err(end(End::Exit(0))),
        }
    }

    /// Starts the constructor with this index, or `main` after the last one.
    pub(crate) fn begin_phase(&mut self, program: &Program, state: &mut State, constructor: u32) {
        // The system passes the same arguments to all of them.
        let arguments = state.main_arguments.clone();
        if let Some(function) = program.constructors.get(constructor as usize) {
            state.phase = Phase::Constructor(constructor);
            state.frame = self.outermost_frame(state, *function, &arguments);
        } else if let Some(entry) = program.entry {
            state.phase = Phase::Main;
            state.frame = self.outermost_frame(state, entry, &arguments);
        }
    }

    /// Allocates a stack object and returns its address.
    pub(crate) fn alloca(&mut self, body: &Body, state: &mut State, alloca: &Alloca) -> StepResult<u64> {
        let count = match alloca.count {
            None => 1,
            Some(operand) => {
                let count = state.frame.operand(body, operand);
                self.pin(state, count)?
            }
        };
        let room = self.options.max_stack.saturating_sub(state.stack_bytes);
        let Some(size) = alloca.element_size.checked_mul(count).filter(|size| *size <= room) else {
            let message = format!(
                "`{}` takes {count} times {} bytes, and the stack has room for {room} more",
                alloca.name, alloca.element_size
            );
            return Err(self.bug(state, BugKind::StackOverflow, message));
        };
        state.stack_bytes += size;
        let allocated_at = state.allocation_site(&self.program, &alloca.name);
        let mut object = Object::new(size, ObjectKind::Stack, allocated_at, &[], self.options.track_uninit);
        object.fresh = state.next_fresh(&self.program);
        let id = state.memory.allocate(lane_key(&state.frame), object);
        state.frame.objects.push(id);
        Ok(id.address())
    }

    pub(crate) fn end_stack_object(&mut self, state: &mut State, object: Option<ObjectId>) {
        if let Some(object) = object.and_then(|id| state.memory.get_mut(id)) {
            state.stack_bytes = state.stack_bytes.saturating_sub(object.size);
            object.kill();
        }
    }

    /// Starts or ends the lifetime of a local variable.
    pub(crate) fn lifetime(&mut self, state: &mut State, addr: Value, starts: bool) -> StepResult<()> {
        let address = self.pin(state, addr)?;
        let id = state.memory.find(address);
        let track_uninit = self.options.track_uninit;
        let fresh = if starts { state.next_fresh(&self.program) } else { 0 };
        if let Some(object) = state.memory.get_mut(id)
            && object.kind == ObjectKind::Stack
        {
            if starts {
                *object = Object::new(object.size, ObjectKind::Stack, object.allocated_at.clone(), &[], track_uninit);
                object.fresh = fresh;
            } else {
                object.kill();
            }
        }
        Ok(())
    }
}

/// The lane of what the current instruction allocates.
pub(crate) fn lane_key(frame: &Frame) -> LaneKey {
    LaneKey { instruction: u64::from(frame.function.0) << 32 | u64::from(frame.pc), context: frame.context }
}

fn extend_context(context: u64, function: FuncId, pc: u32) -> u64 {
    let mut hasher = FxHasher::default();
    (context, function, pc).hash(&mut hasher);
    hasher.finish()
}
