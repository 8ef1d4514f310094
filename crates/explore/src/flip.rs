//! A pending flip: a decision that could have gone another way, not yet tried.

use std::sync::Arc;

use secateur_graph::{StackId, Start};
use secateur_machine::{BugKind, Choice, DecisionKind, Exclusions, State};
use secateur_path::ChoiceKey;
use secateur_program::{BranchId, FuncId, LocId};

use crate::running::Running;
use crate::tree::SideId;

/// Where a path could have gone another way.
///
/// The input, the depth and the excluded values are enough to find the decision again, on any machine: run the input, exclude those values first,
/// and stop at decision number `depth`. The snapshot only saves doing so.
pub struct Flip {
    /// An input whose path passes the decision.
    pub input: Arc<[u8]>,
    /// Which of the alternatives is meant.
    pub key: ChoiceKey,
    /// The values that were excluded on the way.
    pub exclusions: Exclusions,
    /// What searchers and pruners may know.
    pub info: FlipInfo,
    /// Its side in the path tree.
    pub side: SideId,
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
pub struct FlipInfo {
    /// The number of the path that found it.
    pub path: u64,
    /// How many decisions come before it.
    pub depth: u32,
    /// The function it is in.
    pub function: FuncId,
    /// The instruction it is at.
    pub pc: u32,
    /// Its place in the source; for a flip in the C library, that of the call in the user's code.
    pub loc: LocId,
    /// The calls that are active.
    pub stack: StackId,
    /// How many of them are calls of the user's functions, the outermost aside.
    pub call_depth: u32,
    /// The branch and the outcome that it would take, if it is one.
    pub branch: Option<(BranchId, u32)>,
    /// The check that it would fail, if any.
    pub bug: Option<BugKind>,
    /// How many instructions its path had executed.
    pub instructions: u64,
    /// How many of them after the last one that covered something new.
    pub since_new: u64,
    /// How hard the questions were whose answers led to it; see [`Running::cost`].
    pub cost: u32,
}

/// Where a flip is and where it goes: flips of the same place differ only in how they were reached.
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
    /// The check that it would fail, if any, and where that is reported.
    pub bug: Option<(BugKind, LocId)>,
}

/// Where a path left the one on which its flip was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// The number of the path that was left.
    pub parent: u64,
    /// How many decisions both have in common.
    pub depth: u32,
    /// The place of the decision in which they differ.
    pub loc: LocId,
}

impl Departure {
    /// The first path has left none.
    pub const START: Departure = Departure { parent: 0, depth: 0, loc: LocId(0) };
}

/// Why a flip did not become a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlipEnd {
    /// No input can take it.
    Infeasible,
    /// The solver gave no answer.
    Unknown,
    /// Its decision was not found again; this is our own fault.
    Lost,
    /// A pruner took it out; this is its name.
    Pruned(&'static str),
    /// It was not tried before the run stopped.
    Pending,
}

impl FlipPoint {
    /// Where execution goes on, for questions to the graph.
    pub(crate) fn start(&self) -> Start {
        Start { function: self.function, pc: self.pc, stack: self.stack, branch: self.branch }
    }
}

impl FlipInfo {
    /// What is known about a choice of a state that stopped for a decision.
    pub(crate) fn new(state: &State, at: Position, kind: DecisionKind, choice: &Choice, running: &Running) -> FlipInfo {
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
        }
    }

    /// A flip about which nothing is known.
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
        }
    }

    /// Where it is and where it goes.
    pub fn place(&self) -> FlipPoint {
        FlipPoint {
            function: self.function,
            pc: self.pc,
            stack: self.stack,
            branch: self.branch,
            bug: self.bug.map(|kind| (kind, self.loc)),
        }
    }
}

/// Where a state is, as far as its frame does not tell.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub loc: LocId,
    pub stack: StackId,
    pub call_depth: u32,
}

/// The branch and the outcome that a choice takes, if its decision is that of a branch.
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

    /// A million pending flips without snapshots take a small part of four gigabytes, whatever searchers add to them.
    #[test]
    fn flips_are_small() {
        assert!(size_of::<FlipInfo>() <= 128, "{}", size_of::<FlipInfo>());
        assert!(size_of::<Flip>() <= 192, "{}", size_of::<Flip>());
        assert!(size_of::<FlipPoint>() <= 64, "{}", size_of::<FlipPoint>());
    }
}
