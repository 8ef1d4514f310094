//! Mathematical functions. Those that the solver supports are operations; the others are called natively and opaque to
//! it. Those that set `errno` are called by functions of the C library, which do that.

use secateur_expr::{NativeFn, Rounding};
use secateur_program::{FloatCmp, FloatOp, FloatUnOp};

use super::shim::{F32, F64};
use super::{Run, Shim};
use crate::call::{Arguments, Returned};
use crate::hazards::Hazards;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::value::Value;

/// What a mathematical function computes, with the width of its operands.
#[derive(Clone, Copy)]
pub(crate) enum Math {
    Unary(FloatUnOp, u8),
    Binary(FloatOp, u8),
    FusedMulAdd(u8),
    /// `fdim`: the positive difference.
    Difference(u8),
    Native(NativeFn, u8),
}

macro_rules! operations {
    ($($name:literal => $operation:expr;)*) => {
        /// The names for `double` and for `float`, and the function for a width.
        const OPERATIONS: &[([&str; 2], fn(u8) -> Math)] = &[$(([$name, concat!($name, "f")], $operation),)*];
    };
}

operations! {
    "__secateur_sqrt" => |width| Math::Unary(FloatUnOp::Sqrt, width);
    "fabs" => |width| Math::Unary(FloatUnOp::Abs, width);
    "floor" => |width| Math::Unary(FloatUnOp::Floor, width);
    "ceil" => |width| Math::Unary(FloatUnOp::Ceil, width);
    "trunc" => |width| Math::Unary(FloatUnOp::Trunc, width);
    "round" => |width| Math::Unary(FloatUnOp::Round, width);
    "roundeven" => |width| Math::Unary(FloatUnOp::RoundEven, width);
    "rint" => |width| Math::Unary(FloatUnOp::Rint, width);
    "nearbyint" => |width| Math::Unary(FloatUnOp::Rint, width);
    "fmin" => |width| Math::Binary(FloatOp::Min, width);
    "fmax" => |width| Math::Binary(FloatOp::Max, width);
    "__secateur_fmod" => |width| Math::Binary(FloatOp::Rem, width);
    "copysign" => |width| Math::Binary(FloatOp::CopySign, width);
    "fma" => Math::FusedMulAdd;
    "__secateur_fdim" => Math::Difference;
}

/// All of them, for `float` and `double`.
pub(super) fn shims() -> impl Iterator<Item = Shim> {
    let operations = OPERATIONS.iter().flat_map(|([double, float], of)| [(*double, of(64)), (*float, of(32))]);
    let native = NativeFn::ALL
        .iter()
        .flat_map(|function| [32, 64].map(|width| (function.internal_name(width), Math::Native(*function, width))));
    operations.map(|(name, math)| math.shim(name, Hazards::NONE)).chain(
        // Native functions support only one rounding mode.
        native.map(|(name, math)| math.shim(name, Hazards::UNSUPPORTED)),
    )
}

impl Math {
    fn shim(self, name: &'static str, hazards: Hazards) -> Shim {
        let params = if self.width() == 32 { &[F32; 3] } else { &[F64; 3] };
        Shim::with(name, Run::Math(self)).takes(&params[..self.arity()]).gives(params[0]).fails(hazards)
    }

    /// The width of its arguments and its result, in bits.
    fn width(self) -> u8 {
        match self {
            Math::Unary(_, width) | Math::Binary(_, width) | Math::Native(_, width) => width,
            Math::FusedMulAdd(width) | Math::Difference(width) => width,
        }
    }

    /// How many arguments it takes.
    fn arity(self) -> usize {
        match self {
            Math::Unary(..) => 1,
            Math::Binary(..) | Math::Difference(_) => 2,
            Math::FusedMulAdd(_) => 3,
            Math::Native(function, _) => function.arity(),
        }
    }

    pub(crate) fn call(self, machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
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
            // In this process, native functions round to nearest.
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
