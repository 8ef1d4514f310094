//! Functions that the machine itself implements, one file per group. A program's own definition of the same name has precedence.

mod allocation;
mod control;
mod format;
mod harness;
mod hazards;
mod jump;
mod math;
mod rounding;
mod signature;
mod system;
mod ubsan;

pub(crate) use hazards::hazards;
pub use hazards::returns;
pub(crate) use signature::{Signature, signature};

use std::rc::Rc;

use secateur_program::Program;

use crate::call::{Arguments, Returned};
use crate::machine::{Machine, Outcome};
use crate::state::State;

/// An implemented function.
#[derive(Clone, Copy)]
pub(crate) enum Shim {
    Function(Function),
    Math(math::Math),
    Nondet(harness::Nondet),
    Handler(ubsan::Handler),
}

/// How most of them look.
pub(crate) type Function = fn(&mut Machine, &mut State, &Arguments) -> Outcome<Returned>;

/// A group of functions by name.
type Group = &'static [(&'static str, Function)];

const GROUPS: [Group; 7] = [
    allocation::FUNCTIONS,
    control::FUNCTIONS,
    format::FUNCTIONS,
    harness::FUNCTIONS,
    jump::FUNCTIONS,
    rounding::FUNCTIONS,
    system::FUNCTIONS,
];

/// Groups that are used only if the C library does not define the functions.
const FALLBACKS: [Group; 2] = [control::FALLBACKS, system::FALLBACKS];

/// The names of all functions that the machine implements in place of the C library.
pub fn shim_names() -> Vec<String> {
    let functions = GROUPS.iter().flat_map(|group| group.iter()).map(|(name, _)| name.to_string());
    functions.chain(math::names()).chain(harness::nondet_names()).chain(ubsan::names()).collect()
}

/// The shims of the functions that a program only declares.
pub(crate) fn resolve(program: &Program) -> Vec<Option<Shim>> {
    program.functions.iter().map(|function| if function.body.is_some() { None } else { find(&function.name) }).collect()
}

/// Their types, where they are known.
pub(crate) fn signatures(program: &Program) -> Rc<[Option<Signature>]> {
    let functions = program.functions.iter();
    functions.map(|function| if function.body.is_some() { None } else { signature(&function.name) }).collect()
}

fn find(name: &str) -> Option<Shim> {
    let function = GROUPS.iter().chain(&FALLBACKS).flat_map(|group| group.iter()).find(|(shim, _)| *shim == name);
    if let Some((_, function)) = function {
        return Some(Shim::Function(*function));
    }
    math::find(name)
        .map(Shim::Math)
        .or_else(|| harness::find_nondet(name).map(Shim::Nondet))
        .or_else(|| ubsan::find(name).map(Shim::Handler))
}

impl Shim {
    /// Calls it.
    pub(crate) fn call(self, machine: &mut Machine, state: &mut State, arguments: &Arguments) -> Outcome<Returned> {
        match self {
            Shim::Function(function) => function(machine, state, arguments),
            Shim::Math(math) => math.call(machine, state, arguments),
            Shim::Nondet(nondet) => nondet.call(machine, state),
            Shim::Handler(handler) => handler.call(machine, state, arguments),
        }
    }
}
