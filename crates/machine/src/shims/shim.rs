//! The description of a function that the machine implements: the one place to edit when a function is added.

use secateur_program::{Operand, Param, Returns, SlotType};

use super::{harness, math, ubsan};
use crate::access::Access;
use crate::call::{Arguments, Returned};
use crate::convention::parameter;
use crate::end::BugKind;
use crate::hazards::{Addresses, Hazards};
use crate::machine::{Machine, StepResult};
use crate::state::State;

pub(super) const INT: SlotType = SlotType::Int(32);
/// A 64-bit number or a pointer.
pub(super) const LONG: SlotType = SlotType::Int(64);
pub(super) const F32: SlotType = SlotType::F32;
pub(super) const F64: SlotType = SlotType::F64;

/// A function that the machine implements. Whatever is not stated is assumed conservatively: it takes what it is given,
/// can fail in every way and returns.
#[derive(Clone, Copy)]
pub(crate) struct Shim {
    pub(super) name: &'static str,
    run: Run,
    /// The required parameters; `None` if it takes whatever it is given.
    params: Option<&'static [SlotType]>,
    /// The type of its result.
    result: SlotType,
    hazards: ShimHazards,
    returns: Returns,
    /// It is used only if the C library does not define it.
    pub(super) is_fallback: bool,
}

/// What a shim does.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    Function(Function),
    Math(math::Math),
    Nondet(harness::Nondet),
    Handler(ubsan::Handler),
}

/// The signature of most shims.
pub(crate) type Function = fn(&mut Machine, &mut State, &Arguments) -> StepResult<Returned>;

/// What can go wrong in a call.
#[derive(Clone, Copy)]
enum ShimHazards {
    Fixed(Hazards),
    ByArguments(fn(&CallOperands<'_>) -> Hazards),
}

impl Shim {
    pub(super) const fn new(name: &'static str, function: Function) -> Shim {
        Shim::with(name, Run::Function(function))
    }

    pub(super) const fn with(name: &'static str, run: Run) -> Shim {
        let hazards = ShimHazards::Fixed(Hazards::ANY);
        Shim { name, run, params: None, result: LONG, hazards, returns: Returns::Once, is_fallback: false }
    }

    /// It requires arguments of these types; further ones are passed as they are.
    pub(super) const fn takes(self, params: &'static [SlotType]) -> Shim {
        Shim { params: Some(params), ..self }
    }

    /// Its result has this type.
    pub(super) const fn gives(self, result: SlotType) -> Shim {
        Shim { result, ..self }
    }

    /// Only this can go wrong in any call.
    pub(super) const fn fails(self, hazards: Hazards) -> Shim {
        Shim { hazards: ShimHazards::Fixed(hazards), ..self }
    }

    /// What can go wrong depends on the arguments.
    pub(super) const fn fails_by(self, hazards: fn(&CallOperands<'_>) -> Hazards) -> Shim {
        Shim { hazards: ShimHazards::ByArguments(hazards), ..self }
    }

    /// How a call returns, if not once after the call.
    pub(super) const fn returns(self, returns: Returns) -> Shim {
        Shim { returns, ..self }
    }

    /// It is used only if the C library does not define it.
    pub(super) const fn fallback(self) -> Shim {
        Shim { is_fallback: true, ..self }
    }

    pub(crate) fn call(&self, machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
        match self.run {
            Run::Function(function) => function(machine, state, arguments),
            Run::Math(math) => math.call(machine, state, arguments),
            Run::Nondet(nondet) => nondet.call(machine, state),
            Run::Handler(handler) => handler.call(machine, state, arguments),
        }
    }

    /// Its type, unless it takes whatever it is given.
    pub(crate) fn signature(&self) -> Option<Signature> {
        let params = self.params?.iter().map(|slot| parameter(&[*slot])).collect();
        Some(Signature { params, result: self.result })
    }

    /// What can go wrong in a call with these argument slots.
    pub(crate) fn hazards(&self, arguments: &[Operand], addresses: &Addresses<'_>) -> Hazards {
        match self.hazards {
            ShimHazards::Fixed(hazards) => hazards,
            ShimHazards::ByArguments(hazards) => hazards(&CallOperands { arguments, addresses }),
        }
    }

    /// Some call may fail this check.
    pub(crate) fn may_fail(&self, kind: BugKind) -> bool {
        match self.hazards {
            ShimHazards::Fixed(hazards) => hazards.has(kind),
            ShimHazards::ByArguments(_) => true,
        }
    }

    /// How a call returns.
    pub(crate) fn how_it_returns(&self) -> Returns {
        self.returns
    }
}

/// The required parameters and the result of a function.
pub(crate) struct Signature {
    pub(crate) params: Box<[Param]>,
    pub(crate) result: SlotType,
}

/// The arguments of a call instruction, as far as they are statically known.
pub(super) struct CallOperands<'a> {
    arguments: &'a [Operand],
    addresses: &'a Addresses<'a>,
}

impl CallOperands<'_> {
    /// The number of argument slots.
    pub(super) fn len(&self) -> usize {
        self.arguments.len()
    }

    /// The value of a slot, if it is a constant.
    pub(super) fn constant(&self, index: usize) -> Option<u64> {
        self.addresses.constant(*self.arguments.get(index)?)
    }

    /// What can go wrong when the string that a slot points to is read.
    pub(super) fn text(&self, index: usize) -> Hazards {
        self.arguments.get(index).map_or(Hazards::ANY, |text| self.addresses.text_hazards(*text))
    }

    /// What can go wrong when `len` bytes are written where a slot points to.
    pub(super) fn written(&self, index: usize, len: Option<u64>) -> Hazards {
        self.arguments.get(index).map_or(Hazards::ANY, |place| self.addresses.hazards(*place, len, Access::Write))
    }
}
