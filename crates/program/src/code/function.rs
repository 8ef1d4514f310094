//! Functions.

use serde::{Deserialize, Serialize};

use super::{Body, LocId, SlotType};

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Its name, if the debug information has it.
    pub name: Box<str>,
    /// Its slots.
    pub slots: Box<[SlotType]>,
    /// For `byval` parameters: size and alignment of what the pointer points to.
    pub by_value: Option<(u64, u32)>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its linker name.
    pub name: Box<str>,
    /// Its parameters; slots are numbered from 0 in this order.
    pub params: Box<[Param]>,
    /// The slots of its result.
    pub result: Box<[SlotType]>,
    /// Takes variable arguments.
    pub variadic: bool,
    /// It is part of the user's program, not of our C library: its branches and lines count for coverage.
    pub user: bool,
    /// It is not `static`: code that is not part of the program may call it by its name.
    pub exported: bool,
    /// `None` if it is only declared: the machine looks for a shim of that name.
    pub body: Option<Body>,
    /// Where it is defined.
    pub loc: LocId,
}

/// Where execution continues after a call of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Returns {
    /// After the call, once.
    #[default]
    Once,
    /// After the call, and again after each jump back to it, as for `setjmp`.
    Twice,
    /// Nowhere: the call ends the path.
    Never,
    /// Where a function that returns twice was called, as for `longjmp`.
    Elsewhere,
    /// After the call, for all that is known: the function is not part of the program, and may call whatever it can
    /// name or has the address of.
    Foreign,
}
