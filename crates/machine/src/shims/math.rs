//! Mathematical functions: those that the solver knows are operations; the others are called natively and are opaque to it.

use secateur_expr::{NativeFn, Rounding};
use secateur_program::{FloatCmp, FloatOp, FloatUnOp};

use crate::call::{Arguments, Returned};
use crate::machine::{Machine, Outcome};
use crate::state::State;
use crate::value::Value;

/// What a mathematical function does; `1` is its width.
#[derive(Clone, Copy)]
pub(crate) enum Math {
    Unary(FloatUnOp, u8),
    Binary(FloatOp, u8),
    FusedMulAdd(u8),
    /// `fdim`: the positive difference.
    Difference(u8),
    Native(NativeFn, u8),
}

const UNARY: &[(&str, FloatUnOp)] = &[
    ("sqrt", FloatUnOp::Sqrt),
    ("fabs", FloatUnOp::Abs),
    ("floor", FloatUnOp::Floor),
    ("ceil", FloatUnOp::Ceil),
    ("trunc", FloatUnOp::Trunc),
    ("round", FloatUnOp::Round),
    ("roundeven", FloatUnOp::RoundEven),
    ("rint", FloatUnOp::Rint),
    ("nearbyint", FloatUnOp::Rint),
];

const BINARY: &[(&str, FloatOp)] =
    &[("fmin", FloatOp::Min), ("fmax", FloatOp::Max), ("fmod", FloatOp::Rem), ("copysign", FloatOp::CopySign)];

pub(super) fn names() -> impl Iterator<Item = String> {
    let operations =
        UNARY.iter().map(|(name, _)| *name).chain(BINARY.iter().map(|(name, _)| *name)).chain(["fma", "fdim"]);
    let operations = operations.flat_map(|name| ["", "f"].map(|suffix| format!("{name}{suffix}")));
    operations.chain(NativeFn::ALL.iter().flat_map(|function| [32, 64].map(|width| function.name(width).to_string())))
}

pub(super) fn find(name: &str) -> Option<Math> {
    let (base, width) = match name.strip_suffix('f') {
        // `fdim`, `sqrt` and the like do not end in f, and none of the functions here does but for its suffix.
        Some(base) if name != "erf" => (base, 32),
        _ => (name, 64),
    };
    if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == base) {
        return Some(Math::Unary(*op, width));
    }
    if let Some((_, op)) = BINARY.iter().find(|(known, _)| *known == base) {
        return Some(Math::Binary(*op, width));
    }
    match base {
        "fma" => Some(Math::FusedMulAdd(width)),
        "fdim" => Some(Math::Difference(width)),
        _ => NativeFn::from_name(name).map(|(function, width)| Math::Native(function, width)),
    }
}

impl Math {
    /// The width of its arguments and of its result.
    pub(crate) fn width(self) -> u8 {
        match self {
            Math::Unary(_, width) | Math::Binary(_, width) | Math::Native(_, width) => width,
            Math::FusedMulAdd(width) | Math::Difference(width) => width,
        }
    }

    /// How many arguments it takes.
    pub(crate) fn arity(self) -> usize {
        match self {
            Math::Unary(..) => 1,
            Math::Binary(..) | Math::Difference(_) => 2,
            Math::FusedMulAdd(_) => 3,
            Math::Native(function, _) => function.arity(),
        }
    }

    pub(crate) fn call(self, machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
        let (x, y) = (arguments.get(0), arguments.slots.get(1).copied().unwrap_or(Value::ZERO));
        Ok(Returned::Value(match self {
            Math::Unary(op, width) => machine.float_un(op, width, x),
            Math::Binary(op, width) => machine.float(op, width, x, y),
            Math::FusedMulAdd(width) => machine.fused_mul_add(width, x, y, arguments.get(2)),
            Math::Difference(width) => {
                let difference = machine.float(FloatOp::Sub, width, x, y);
                let above = machine.float_cmp(FloatCmp { unordered: true, ..FloatCmp::GREATER }, width, x, y);
                let (condition, difference) = (machine.expr(above, 1), machine.expr(difference, width));
                let zero = machine.pool.constant(width, 0);
                let result = machine.pool.ite(condition, difference, zero);
                machine.value(result)
            }
            // What these give in another mode is not what they give in this process.
            Math::Native(function, width) if machine.rounding != Rounding::Nearest => {
                return Err(machine.unsupported(
                    state,
                    format!("`{}` in a rounding mode other than to nearest", function.name(width)),
                ));
            }
            Math::Native(function, width) => native(machine, state, function, width, &arguments.slots),
        }))
    }
}

fn native(machine: &mut Machine, state: &mut State, function: NativeFn, width: u8, arguments: &[Value]) -> Value {
    let used = &arguments[..function.arity().min(arguments.len())];
    let uninit = used.iter().any(|argument| argument.uninit());
    if used.iter().all(|argument| argument.expr.is_none()) {
        let bits: Vec<u64> = used.iter().map(|argument| argument.bits).collect();
        return Value::concrete(function.call(width, &bits)).tainted(uninit);
    }
    state.native_calls += 1;
    let exprs: Vec<_> = used.iter().map(|argument| machine.expr(*argument, width)).collect();
    let result = machine.pool.native(function, &exprs);
    machine.value(result).tainted(uninit)
}
