//! A pending flip: an alternative of a decision that has not been tried yet.

use std::rc::Rc;
use std::sync::Arc;

use secateur_graph::{StackId, Start};
use secateur_machine::{BugKind, Choice, DecisionKind, Exclusions, PackedState, State};
use secateur_path::ChoiceKey;
use secateur_program::{BranchId, FuncId, LocId};
use serde::{Deserialize, Serialize};

use crate::event::ClosedFlip;
use crate::names::Name;
use crate::running::RunningPath;
use crate::selection::Mark;
use crate::tree::SideId;

/// An alternative of a decision on an explored path.
///
/// The input, the depth and the excluded values are enough to rebuild the state before the decision on any machine: run
/// the input with these values excluded up to decision number `depth`. The snapshot only saves this work.
pub struct Flip {
    /// An input whose path makes the decision.
    pub input: Arc<[u8]>,
    /// Which of the alternatives it is.
    pub key: ChoiceKey,
    /// The identity of the path once it has taken it.
    pub identity: u64,
    /// The values that were excluded on the path.
    pub exclusions: Exclusions,
    /// What searchers and pruners see of it.
    pub info: FlipInfo,
    /// The side of the path tree that it would explore.
    pub side: SideId,
    /// The state before the decision, unless it was dropped.
    pub snapshot: Option<Box<Snapshot>>,
}

/// A state before a decision, with the choice to take.
pub struct Snapshot {
    /// The state, whose path conditions the choice must be consistent with. All alternatives of the decision share it:
    /// a `switch` may have dozens.
    pub state: Rc<PackedState>,
    /// The choice.
    pub choice: Choice,
}

/// What is known about a pending flip without looking at its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FlipInfo {
    /// The number of the path that found it.
    pub path: u64,
    /// How many decisions precede it.
    pub depth: u32,
    /// The function it is in.
    pub function: FuncId,
    /// The instruction it is at.
    pub pc: u32,
    /// Its source location; within the C library, that of the call in the user's code.
    pub loc: LocId,
    /// The calls that are active.
    pub stack: StackId,
    /// How many of them are calls of the user's functions, not counting the outermost.
    pub call_depth: u32,
    /// The branch and the outcome that it would take, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// The check that it would fail, if any.
    pub bug: Option<BugKind>,
    /// How many instructions its path had executed before it.
    pub instructions: u64,
    /// How many of them came after the last one that covered something new.
    pub since_new: u64,
    /// How hard the questions were that led to it; see [`RunningPath::cost`].
    pub cost: u32,
    /// The least length of the data of a libFuzzer harness that it needs, as far as its own condition says.
    pub length: u32,
    /// What the selection knows of it, if there is one. It means nothing elsewhere.
    #[serde(skip)]
    pub mark: Mark,
}

/// The point of the program at which a flip is, and where it goes. Flips with the same point differ only in the path to
/// it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlipPoint {
    /// The function it is in.
    pub function: FuncId,
    /// The instruction it is at.
    pub pc: u32,
    /// The calls that are active.
    pub stack: StackId,
    /// The branch and the outcome that it would take, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// The check that it would fail, if any, and the location at which it is reported.
    pub bug: Option<(BugKind, LocId)>,
}

/// Where a path branched off from the one on which its flip was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Departure {
    /// The number of that path.
    pub parent: u64,
    /// How many decisions both paths share.
    pub depth: u32,
    /// The source location of the decision in which they differ.
    pub loc: LocId,
}

impl Departure {
    /// The first path branches off from no other.
    pub const START: Departure = Departure { parent: 0, depth: 0, loc: LocId(0) };
}

/// Why a flip did not become a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FlipEnd {
    /// No input takes it.
    Infeasible,
    /// The solver gave no answer.
    Unknown,
    /// Its decision was not reached again. This is an internal error.
    Lost,
    /// A pruner dropped it.
    Pruned {
        /// The name of the pruner.
        #[serde(with = "crate::names")]
        by: Name,
        /// Whether it could add neither coverage nor a bug.
        lossless: bool,
    },
    /// It was still pending when the run stopped.
    Pending,
}

impl FlipInfo {
    /// The flip, if it does not become a path for this reason.
    pub fn closed_by(&self, end: FlipEnd) -> ClosedFlip {
        let departure = Departure { parent: self.path, depth: self.depth, loc: self.loc };
        ClosedFlip { departure, branch: self.branch, end }
    }
}

impl FlipPoint {
    /// Where execution would continue, for questions to the graph.
    pub(crate) fn start(&self) -> Start {
        Start { function: self.function, pc: self.pc, stack: self.stack, branch: self.branch }
    }
}

impl FlipInfo {
    /// Describes a choice of a state that stopped at a decision.
    pub(crate) fn new(
        state: &State,
        at: Position,
        kind: DecisionKind,
        choice: &Choice,
        running: &RunningPath,
    ) -> FlipInfo {
        FlipInfo {
            path: running.number,
            depth: state.path.len() as u32,
            function: state.frame.function,
            pc: state.frame.pc,
            loc: at.loc,
            stack: at.stack,
            call_depth: at.call_depth,
            branch: branch_outcome(kind, choice.key),
            bug: choice.bug,
            instructions: state.instructions,
            since_new: running.since_new(state.instructions),
            cost: running.cost,
            length: choice.length,
            mark: Mark::START,
        }
    }

    /// A flip for tests that do not look at it.
    #[cfg(test)]
    pub(crate) fn unknown() -> FlipInfo {
        FlipInfo {
            path: 1,
            depth: 0,
            function: FuncId(0),
            pc: 0,
            loc: LocId(0),
            stack: StackId(0),
            call_depth: 0,
            branch: None,
            bug: None,
            instructions: 0,
            since_new: 0,
            cost: 0,
            length: 0,
            mark: Mark::START,
        }
    }

    /// The point of the program at which it is, and where it goes.
    pub fn point(&self) -> FlipPoint {
        FlipPoint {
            function: self.function,
            pc: self.pc,
            stack: self.stack,
            branch: self.branch,
            bug: self.bug.map(|kind| (kind, self.loc)),
        }
    }
}

/// The part of a state's position that is not in its frame.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub loc: LocId,
    pub stack: StackId,
    pub call_depth: u32,
}

/// The branch and the outcome that a choice takes, if its decision is a branch.
pub(crate) fn branch_outcome(kind: DecisionKind, key: ChoiceKey) -> Option<(BranchId, u32)> {
    match (kind, key) {
        (DecisionKind::Branch(branch), ChoiceKey::Side(holds)) => Some((branch, u32::from(holds))),
        (DecisionKind::Branch(branch), ChoiceKey::Target(target)) => Some((branch, target)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A million pending flips without snapshots fit into a small part of four gigabytes, including what searchers
    /// store.
    #[test]
    fn flips_are_small() {
        assert!(size_of::<FlipInfo>() <= 128, "{}", size_of::<FlipInfo>());
        assert!(size_of::<Flip>() <= 192, "{}", size_of::<Flip>());
        if !cfg!(debug_assertions) {
            // The allocator's next size is 640.
            let counts = 2 * size_of::<usize>();
            assert!(size_of::<PackedState>() + counts <= 512, "{}", size_of::<PackedState>());
            assert!(size_of::<Snapshot>() <= 64, "{}", size_of::<Snapshot>());
        }
        assert!(size_of::<FlipPoint>() <= 64, "{}", size_of::<FlipPoint>());
    }
}
