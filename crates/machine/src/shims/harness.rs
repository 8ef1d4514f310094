//! How programs declare symbolic input and assumptions: the interfaces of KLEE and SV-COMP.

use std::rc::Rc;

use secateur_expr::Node;
use secateur_path::ChoiceKey;
use secateur_program::{Returns, SlotType, TARGET};
use smallvec::SmallVec;

use super::shim::{CallOperands, F32, F64, INT, LONG};
use super::{Run, Shim};
use crate::access::Access;
use crate::call::{Arguments, Returned};
use crate::decision::{Choice, DecisionKind};
use crate::end::{BugKind, End};
use crate::hazards::{DECIDES, Hazards};
use crate::machine::{Machine, StepResult, end};
use crate::memory::{Object, ObjectEnd, ObjectKind};
use crate::state::State;
use crate::symbols::SymbolSource;
use crate::value::Value;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("klee_make_symbolic", make_symbolic).takes(&[LONG, LONG]).fails_by(make_symbolic_hazards),
    Shim::new("__secateur_data", data).takes(&[LONG, LONG]).fails(Hazards::NONE),
    Shim::new("__VERIFIER_nondet_memory", nondet_memory)
        .takes(&[LONG, LONG])
        .fails_by(|call| call.written(0, call.constant(1))),
    Shim::new("__VERIFIER_nondet_string", nondet_string).fails(Hazards::NONE),
    Shim::new("__VERIFIER_nondet_bool", nondet_bool).fails(Hazards::NONE),
    Shim::new("klee_int", int).fails_by(|call| call.text(0)),
    Shim::new("klee_define_fixed_object", fixed_object),
    Shim::new("klee_range", range)
        .takes(&[INT, INT])
        .fails_by(|call| Hazards::of(&[BugKind::ReachError]) | call.text(2)),
    Shim::new("klee_choose", choose).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("klee_assume", assume).takes(&[LONG]).fails(DECIDES),
    Shim::new("__VERIFIER_assume", assume).takes(&[INT]).fails(DECIDES),
    Shim::new("klee_prefer_cex", ignore).fails(Hazards::NONE),
    Shim::new("klee_posix_prefer_cex", ignore).fails(Hazards::NONE),
    Shim::new("klee_silent_exit", silent_exit).fails(Hazards::NONE).returns(Returns::Never),
    Shim::new("klee_report_error", report_error)
        .takes(&[LONG, INT, LONG])
        .fails_by(|call| Hazards::of(&[BugKind::ReachError]) | call.text(2))
        .returns(Returns::Never),
    Shim::new("reach_error", reach_error).fails(Hazards::of(&[BugKind::ReachError])).returns(Returns::Never),
    Shim::new(TARGET, target).fails(Hazards::of(&[BugKind::ReachError])).returns(Returns::Never),
    Shim::new("__VERIFIER_error", reach_error).fails(Hazards::of(&[BugKind::ReachError])).returns(Returns::Never),
    Shim::new("klee_is_symbolic", is_symbolic).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("klee_is_replay", ignore).fails(Hazards::NONE),
    Shim::new("klee_get_obj_size", object_size).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("klee_get_valuef", get_value).takes(&[F32]).gives(F32).fails(Hazards::NONE),
    Shim::new("klee_get_valued", get_value).takes(&[F64]).gives(F64).fails(Hazards::NONE),
    Shim::new("klee_get_valuel", get_value).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("klee_get_valuell", get_value).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("klee_get_value_i32", get_value).takes(&[INT]).fails(Hazards::NONE),
    Shim::new("klee_get_value_i64", get_value).takes(&[LONG]).fails(Hazards::NONE),
    Shim::new("klee_check_memory_access", check_access).takes(&[LONG, LONG]),
    Shim::new("klee_warning", ignore).fails(Hazards::NONE),
    Shim::new("klee_warning_once", ignore).fails(Hazards::NONE),
    Shim::new("klee_print_expr", ignore).fails(Hazards::NONE),
    Shim::new("klee_print_range", ignore).fails(Hazards::NONE),
    Shim::new("klee_stack_trace", ignore).fails(Hazards::NONE),
    Shim::new("klee_open_merge", ignore).fails(Hazards::NONE),
    Shim::new("klee_close_merge", ignore).fails(Hazards::NONE),
    Shim::new("klee_mark_global", ignore).fails(Hazards::NONE),
    Shim::new("klee_set_forking", ignore).fails(Hazards::NONE),
    Shim::new("__VERIFIER_atomic_begin", ignore).fails(Hazards::NONE),
    Shim::new("__VERIFIER_atomic_end", ignore).fails(Hazards::NONE),
];

/// The longest name of an input; the rest is cut off.
const NAME_LIMIT: u64 = 200;

/// The third argument, the name, may be missing or a null pointer.
fn make_symbolic_hazards(call: &CallOperands<'_>) -> Hazards {
    let filled = call.written(0, call.constant(1));
    if call.len() < 3 || call.constant(2) == Some(0) { filled } else { filled | call.text(2) }
}

fn make_symbolic(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let name = input_name(machine, state, arguments.get(2));
    fill(machine, state, arguments, name)
}

/// The name of an input in tests.
fn input_name(machine: &mut Machine, state: &State, name: Value) -> String {
    let name = machine.message_text(state, name, NAME_LIMIT).to_string();
    if name.is_empty() { "unnamed".to_string() } else { name }
}

fn nondet_memory(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    fill(machine, state, arguments, "__VERIFIER_nondet_memory".to_string())
}

fn fill(machine: &mut Machine, state: &mut State, arguments: &Arguments, name: String) -> StepResult<Returned> {
    let len = machine.pin(state, arguments.get(1))?;
    machine.check_input_limit(state, len)?;
    let (object, offset) = if len == 0 {
        (None, 0)
    } else {
        let (object, offset) = machine.fixed_place(state, arguments.get(0), len, Access::Write)?;
        (Some(object), offset)
    };
    let bytes = machine.next_bytes(state, len as u32)?;
    if let Some(object) = object.and_then(|object| state.memory.get_mut(object)).filter(|_| offset == 0) {
        // The purpose of a heap block says more than the function that allocated it.
        if object.kind == ObjectKind::Heap {
            object.allocated_at.name = Rc::from(&*name);
        }
    }
    machine.new_symbol(state, name, SymbolSource::Object, len as u32);
    if let Some(object) = object {
        machine.write_block(state, object, offset, &bytes)?;
    }
    Ok(Returned::Nothing)
}

/// The data of a libFuzzer harness: an object of symbolic bytes whose size, at most that of the second argument, is
/// decided only where the program looks at it.
fn data(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    const NAME: &str = "data";
    let (size, most) = (arguments.get(0), arguments.get(1).bits);
    let word = size.expr.map(|expr| match machine.pool.node(expr) {
        Node::ZExt(word, _) => (expr, machine.pool.node(word)),
        word => (expr, word),
    });
    let (end, capacity) = match word {
        Some((expr, Node::Input { first, .. })) if machine.check_input_limit(state, most).is_ok() => {
            (Some((expr, first)), most)
        }
        _ => (None, machine.pin(state, size)?),
    };
    machine.check_input_limit(state, capacity)?;
    let bytes = machine.next_bytes(state, capacity as u32)?;
    let allocated_at = state.allocation_site(&machine.program, NAME);
    let object = Object::new(capacity, ObjectKind::Heap, allocated_at, &[], false);
    let id = state.memory.allocate(crate::call::lane_key(&state.frame), object);
    let source = end.map_or(SymbolSource::Object, |(_, first)| SymbolSource::Data(first));
    machine.new_symbol(state, NAME.to_string(), source, capacity as u32);
    machine.write_block(state, id, 0, &bytes)?;
    if let (Some((size, _)), Some(object)) = (end, state.memory.get_mut(id)) {
        object.end = Some(ObjectEnd::AtSize(size));
        machine.length = Some((size, most));
    }
    Ok(Returned::Value(Value::concrete(id.address())))
}

fn fixed_object(machine: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    Err(machine.unsupported(state, "memory at a fixed address (`klee_define_fixed_object`)"))
}

fn int(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    machine.check_input_limit(state, 4)?;
    let name = input_name(machine, state, arguments.get(0));
    let first = machine.new_symbol(state, name, SymbolSource::Object, 4);
    Ok(Returned::Value(Value::symbolic(machine.pool.input(first, 4))))
}

/// An `int` from `begin` up to but not including `end`.
///
/// The index of the new input is known, so its bounds are decided on before it is created.
fn range(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    machine.check_input_limit(state, 4)?;
    let (begin, end_) = (arguments.get(0), arguments.get(1));
    let (begin, end_) = (machine.expr(begin, 32), machine.expr(end_, 32));
    let ordered = machine.pool.slt(begin, end_);
    if !machine.decide_condition(state, DecisionKind::Check, ordered, Some(BugKind::ReachError))? {
        return Err(machine.bug(state, BugKind::ReachError, "klee_range is called with an empty range"));
    }
    let name = input_name(machine, state, arguments.get(2));
    let value = machine.pool.input(state.input_len, 4);
    let (above, below) = (machine.pool.sle(begin, value), machine.pool.slt(value, end_));
    let inside = machine.pool.and(above, below);
    let allowed = holds(machine, state, inside)?;
    machine.new_symbol(state, name, SymbolSource::Object, 4);
    require_allowed(allowed)?;
    Ok(Returned::Value(Value::symbolic(value)))
}

fn choose(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    machine.check_input_limit(state, 8)?;
    let count = machine.expr(arguments.get(0), 64);
    let value = machine.pool.input(state.input_len, 8);
    let below = machine.pool.ult(value, count);
    let allowed = holds(machine, state, below)?;
    machine.new_symbol(state, "klee_choose".to_string(), SymbolSource::Object, 8);
    require_allowed(allowed)?;
    Ok(Returned::Value(Value::symbolic(value)))
}

fn nondet_bool(machine: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    machine.check_input_limit(state, 1)?;
    let value = machine.pool.input(state.input_len, 1);
    let one = machine.pool.constant(8, 1);
    let valid = machine.pool.ule(value, one);
    let allowed = holds(machine, state, valid)?;
    machine.new_symbol(state, "__VERIFIER_nondet_bool".to_string(), SymbolSource::Nondet("bool"), 1);
    require_allowed(allowed)?;
    let bit = machine.pool.extract(value, 0, 1);
    Ok(Returned::Value(Value::symbolic(bit)))
}

fn nondet_string(machine: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    let len = machine.options.tuning.nondet_string;
    machine.check_input_limit(state, u64::from(len))?;
    let name = "__VERIFIER_nondet_string";
    let first = machine.new_symbol(state, name.to_string(), SymbolSource::Object, len);
    let allocated_at = state.allocation_site(&machine.program, name);
    let object = Object::new(u64::from(len) + 1, ObjectKind::Global, allocated_at, &[], false);
    let id = state.memory.allocate(crate::call::lane_key(&state.frame), object);
    let bytes = machine.symbolic_bytes(first, len);
    machine.write_block(state, id, 0, &bytes)?;
    Ok(Returned::Value(Value::concrete(id.address())))
}

fn assume(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let condition = arguments.get(0);
    machine.check_initialised(state, condition, "an assumption")?;
    match condition.expr {
        None if condition.bits == 0 => Err(end(End::Assumed)),
        None => Ok(Returned::Nothing),
        Some(expr) => {
            let zero = machine.pool.constant(machine.pool.width(expr), 0);
            let nonzero = machine.pool.ne(expr, zero);
            let allowed = holds(machine, state, nonzero)?;
            require_allowed(allowed)?;
            Ok(Returned::Nothing)
        }
    }
}

/// Whether an assumption holds. If it does, there is no alternative. If not, the inputs for which it holds are the
/// alternative, and the path must end.
fn holds(machine: &mut Machine, state: &mut State, condition: secateur_expr::Expr) -> StepResult<bool> {
    if let Some(bits) = machine.pool.as_const(condition) {
        return Ok(bits == 1);
    }
    let taken = machine.decide(state, DecisionKind::Assumption, |machine| {
        let yes = Choice::new(condition, ChoiceKey::Side(true));
        if machine.eval(condition) == 1 {
            return (yes, SmallVec::new());
        }
        let no = Choice::new(machine.pool.not(condition), ChoiceKey::Side(false));
        (no, smallvec::smallvec![yes])
    })?;
    Ok(taken == ChoiceKey::Side(true))
}

/// Ends a path on which an assumption does not hold.
fn require_allowed(allowed: bool) -> StepResult<()> {
    if allowed { Ok(()) } else { Err(end(End::Assumed)) }
}

fn silent_exit(_: &mut Machine, _: &mut State, _: &Arguments) -> StepResult<Returned> {
    Err(end(End::Assumed))
}

fn report_error(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let text = machine.message_text(state, arguments.get(2), NAME_LIMIT);
    Err(machine.bug(state, BugKind::ReachError, text.to_string()))
}

fn reach_error(machine: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    Err(machine.bug(state, BugKind::ReachError, "the error function is called"))
}

fn target(machine: &mut Machine, state: &mut State, _: &Arguments) -> StepResult<Returned> {
    Err(machine.bug(state, BugKind::ReachError, "the target is reached"))
}

/// The native program cannot answer this, so the answer is part of the test.
fn is_symbolic(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    machine.mark_inexpressible(state, "klee_is_symbolic");
    let answer = arguments.get(0).expr.is_some();
    machine.new_symbol(state, "klee_is_symbolic".to_string(), SymbolSource::Answer(answer), 0);
    Ok(Returned::Value(Value::concrete(u64::from(answer))))
}

fn object_size(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    Ok(Returned::Value(machine.object_size(state, arguments.get(0), true)?))
}

/// Returns one possible value of an expression and gives up the others, so that a replay computes the same.
fn get_value(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    Ok(Returned::Value(Value::concrete(machine.concretise(state, arguments.get(0))?)))
}

fn check_access(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let len = machine.pin(state, arguments.get(1))?;
    machine.resolve(state, arguments.get(0), len, Access::Read)?;
    Ok(Returned::Nothing)
}

fn ignore(_: &mut Machine, _: &mut State, _: &Arguments) -> StepResult<Returned> {
    Ok(Returned::Nothing)
}

/// A function `__VERIFIER_nondet_T`: its name, the C type and its size.
#[derive(Clone, Copy)]
pub(crate) struct Nondet {
    name: &'static str,
    c_type: &'static str,
    bytes: u8,
}

macro_rules! nondet {
    ($($suffix:literal, $c_type:literal, $bytes:literal;)*) => {
        const NONDET: &[Nondet] =
            &[$(Nondet { name: concat!("__VERIFIER_nondet_", $suffix), c_type: $c_type, bytes: $bytes },)*];
    };
}

nondet! {
    "char", "char", 1;
    "schar", "signed char", 1;
    "uchar", "unsigned char", 1;
    "unsigned_char", "unsigned char", 1;
    "short", "short", 2;
    "ushort", "unsigned short", 2;
    "int", "int", 4;
    "uint", "unsigned int", 4;
    "unsigned", "unsigned int", 4;
    "long", "long", 8;
    "ulong", "unsigned long", 8;
    "longlong", "long long", 8;
    "ulonglong", "unsigned long long", 8;
    "int128", "__int128", 16;
    "uint128", "unsigned __int128", 16;
    "size_t", "unsigned long", 8;
    "s8", "signed char", 1;
    "s16", "short", 2;
    "s32", "int", 4;
    "s64", "long long", 8;
    "u8", "unsigned char", 1;
    "u16", "unsigned short", 2;
    "u32", "unsigned int", 4;
    "U32", "unsigned int", 4;
    "u64", "unsigned long long", 8;
    "float", "float", 4;
    "double", "double", 8;
    "pointer", "void *", 8;
    "pchar", "char *", 8;
    "loff_t", "long long", 8;
    "pthread_t", "unsigned long", 8;
    "sector_t", "unsigned long", 8;
}

/// The functions `__VERIFIER_nondet_T`.
pub(super) fn nondets() -> impl Iterator<Item = Shim> {
    NONDET.iter().map(|nondet| {
        Shim::with(nondet.name, Run::Nondet(*nondet)).takes(&[]).gives(nondet.result()).fails(Hazards::NONE)
    })
}

impl Nondet {
    /// The type of its first slot; a 128-bit number has two slots of 64 bits.
    pub(crate) fn result(self) -> SlotType {
        match self.c_type {
            "float" => SlotType::F32,
            "double" => SlotType::F64,
            _ => SlotType::Int(8 * self.bytes.min(8)),
        }
    }

    pub(crate) fn call(self, machine: &mut Machine, state: &mut State) -> StepResult<Returned> {
        machine.check_input_limit(state, u64::from(self.bytes))?;
        let source = SymbolSource::Nondet(self.c_type);
        let first = machine.new_symbol(state, self.name.to_string(), source, u32::from(self.bytes));
        if self.bytes == 16 {
            let (low, high) = (machine.pool.input(first, 8), machine.pool.input(first + 8, 8));
            return Ok(Returned::Pair(Value::symbolic(low), Value::symbolic(high)));
        }
        Ok(Returned::Value(Value::symbolic(machine.pool.input(first, self.bytes))))
    }
}
