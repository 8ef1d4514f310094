//! A pending flip: a decision that could have gone another way, not yet tried.

use std::rc::Rc;

use secateur_machine::{BugKind, Choice, DecisionKind, State};
use secateur_program::{BranchId, FuncId, LocId};

/// Where a path could have gone another way.
///
/// The input and the depth are enough to find the place again, on any machine: run the input and stop at decision number `depth`.
/// The snapshot only saves doing so.
pub struct Flip {
    /// An input whose path passes the decision.
    pub input: Rc<[u8]>,
    /// The number of the path on which it was found.
    pub parent: u64,
    /// How many decisions come before it.
    pub depth: u32,
    /// Which of the alternatives is meant.
    pub outcome: u32,
    /// What searchers and pruners may know.
    pub summary: Summary,
    /// The state before the decision, and the choice to take.
    pub snapshot: Option<Box<Snapshot>>,
}

/// A state before a decision, and the choice to take.
pub struct Snapshot {
    /// The state; its path is what the chosen alternative must be consistent with.
    pub state: State,
    /// The alternative.
    pub choice: Choice,
}

/// What is known about a pending flip without looking at its state.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How many decisions come before it.
    pub depth: u32,
    /// The function it is in.
    pub function: FuncId,
    /// Its place in the source.
    pub loc: LocId,
    /// The branch and the outcome that it would take, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// The check that it would fail, if any.
    pub bug: Option<BugKind>,
    /// How many instructions its path had executed.
    pub instructions: u64,
}

impl Summary {
    /// What is known about a choice of a state that stopped for a decision.
    pub fn new(state: &State, loc: LocId, kind: DecisionKind, choice: &Choice) -> Summary {
        Summary {
            depth: state.path.len() as u32,
            function: state.frame.function,
            loc,
            branch: match kind {
                DecisionKind::Branch(branch) => Some((branch, choice.outcome)),
                _ => None,
            },
            bug: choice.bug,
            instructions: state.instructions,
        }
    }
}
