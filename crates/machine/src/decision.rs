//! Where the input decides how a path goes on.
//!
//! The machine stops *before* an instruction whose effect depends on the input in a way that must be fixed, and tells the driver what holds for the
//! current input and what else could hold. The driver keeps the alternatives, lets the state take the chosen one, and runs it again;
//! the instruction starts over and finds its decision made. An instruction may need several decisions; it changes nothing before the last.

use secateur_expr::Expr;
use secateur_path::{ChoiceKey, List};
use secateur_program::BranchId;
use smallvec::SmallVec;

use crate::end::BugKind;

/// A point at which a path could go several ways.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What it is about.
    pub kind: DecisionKind,
    /// What holds for the current input.
    pub chosen: Choice,
    /// What could hold instead; together with `chosen` they exclude each other and cover every input that is still allowed, unless `kind` says otherwise.
    pub alternatives: SmallVec<[Choice; 1]>,
    /// What the path refutes, if [`Refuted::Reported`](crate::Refuted) asks for it.
    pub refuted: Vec<Choice>,
}

/// One way to go on.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The condition on the input.
    pub condition: Expr,
    /// Tells the choices of one decision apart.
    pub key: ChoiceKey,
    /// A condition that makes a better witness, if it can be had: an overflow by a few bytes rather than by gigabytes.
    pub prefer: Option<Expr>,
    /// Going there fails this check.
    pub bug: Option<BugKind>,
    /// The path implies the condition, so it need not be added.
    pub implied: bool,
}

/// The values that were excluded on the way of a path, the newest first, each with the number of decisions before. Which value is asked about first depends on the input that came first, so that
/// whoever wants to run the path again with another input needs to know.
pub type Exclusions = List<(u32, u64)>;

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// A conditional branch or switch of the program.
    Branch(BranchId),
    /// A check, e.g. whether a divisor is zero.
    Check,
    /// Which object or function a pointer points to.
    Pointer,
    /// A value that must be concrete, e.g. an allocation size. The alternative is "any other value".
    Value,
    /// An assumption of the harness; the alternatives of a true one are excluded and not listed.
    Assumption,
    /// The shape of formatted text: the sign of a number, how many digits it has, where a string ends.
    Shape,
    /// A value was fixed although others are possible, and those are given up.
    Concretisation,
}

impl Choice {
    /// A choice without preferences.
    pub fn new(condition: Expr, key: ChoiceKey) -> Choice {
        Choice { condition, key, prefer: None, bug: None, implied: false }
    }
}
