//! Points at which the input decides how a path goes on.
//!
//! The machine stops *before* an instruction whose effect depends on the input, and reports which case holds for the
//! current input and which others are possible. The driver keeps the alternatives, lets the state take the chosen one,
//! and runs it again; the instruction starts over and finds its decision made. An instruction may need several
//! decisions; it changes nothing before the last one.

use secateur_expr::Expr;
use secateur_path::{ChoiceKey, List};
use secateur_program::BranchId;
use smallvec::SmallVec;

use crate::end::BugKind;

/// A point at which a path could go several ways.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What is decided.
    pub kind: DecisionKind,
    /// The case that holds for the current input.
    pub chosen: Choice,
    /// The other cases. Together with `chosen` they are mutually exclusive and cover every input that the path
    /// condition allows, unless `kind` says otherwise.
    pub alternatives: SmallVec<[Choice; 1]>,
    /// The cases that the path condition refutes, if [`Refuted::Reported`](crate::Refuted) asks for them.
    pub refuted: Vec<Choice>,
}

/// One case of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The condition on the input.
    pub condition: Expr,
    /// Identifies the choice among those of its decision.
    pub key: ChoiceKey,
    /// A condition that makes a better witness if it is satisfiable: an overflow by a few bytes rather than by
    /// gigabytes.
    pub prefer: Option<Expr>,
    /// The check that fails in this case.
    pub bug: Option<BugKind>,
    /// The least length that the data of a libFuzzer harness must have for it, as far as the condition itself says.
    pub length: u32,
    /// The path condition implies the condition, so it need not be added.
    pub implied: bool,
}

/// The values that a path has excluded at decisions on a value, the newest first, each with the number of decisions
/// before it. Which value is tried first depends on the first input, so running the path again with another input needs
/// them.
pub type Exclusions = List<(u32, u64)>;

/// What is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// A conditional branch or switch of the program.
    Branch(BranchId),
    /// A check, e.g. whether a divisor is zero.
    Check,
    /// Which object or function a pointer points to.
    Pointer,
    /// A value that must be concrete, e.g. an allocation size. The alternative is any other value.
    Value,
    /// An assumption of the harness. If it holds, there are no alternatives: inputs that violate it are excluded.
    Assumption,
    /// The shape of formatted text: the sign of a number, how many digits it has, where a string ends.
    Shape,
    /// A value was concretised although others are possible, and those are given up.
    Concretisation,
}

impl Choice {
    /// A choice without a preferred witness that fails no check.
    pub fn new(condition: Expr, key: ChoiceKey) -> Choice {
        Choice { condition, key, prefer: None, bug: None, length: 0, implied: false }
    }
}
