//! Ends paths when everything that can follow is accounted for.
//!
//! Whoever decides this learns what happens to the path tree, and is asked at every decision of a path.

use std::sync::Arc;

use secateur_machine::{Choice, Decision, DecisionKind, End, Machine, State};
use secateur_program::Program;
use secateur_solver::Solver;
use serde::{Deserialize, Serialize};

use crate::loan::Account;
use crate::tree::{Closed, NodeId, SideId, TreeEvent};

/// Makes one for a worker.
pub type MakeSubsumption = Arc<dyn Fn(&Arc<Program>) -> Box<dyn Subsumption> + Send + Sync>;

/// What covers a subsumed path: a node of the path tree below which everything is accounted for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cover {
    /// The number of the path that found the node.
    pub path: u64,
    /// How many decisions precede it.
    pub depth: u32,
    /// What a state must satisfy to be covered, in terms of the program's variables. Given once for each node, and only
    /// for the first ones, since it takes time.
    pub text: Option<String>,
}

/// A path at a decision or at its end.
pub struct PathAt<'a> {
    /// Its number.
    pub number: u64,
    /// The side of the tree along which it runs; `None` before its first decision.
    pub from: Option<SideId>,
    /// Its state. At a decision, no choice is taken yet.
    pub state: &'a State,
    /// Its input, which the machine follows.
    pub input: &'a Arc<[u8]>,
}

/// What is said of a path that has come to a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It goes on.
    Open,
    /// No continuation can add coverage or a bug, because of this node.
    Subsumed(Cover),
    /// The same holds for everything below a node above it, because of a proof.
    Proved {
        /// The node.
        node: NodeId,
        /// What covers the path.
        cover: Cover,
    },
    /// That is so on an assumption, which is checked later: the path waits for its [`Resolution`].
    Suspended,
}

/// What becomes of a suspended path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolution {
    /// No continuation can add coverage or a bug, because of this node.
    Covered(Cover),
    /// It goes on.
    Resumed,
}

/// Knows which states need not be explored.
///
/// It may run the machine and ask the solver, but leaves the machine's guide as it was.
pub trait Subsumption {
    /// Its name, as for pruners.
    fn name(&self) -> &'static str;

    /// A path goes on to its next decision. Returns whether it will be at work there. It only begins to be at work
    /// here: where it is not, the machine may leave out of decisions what the path refutes.
    fn prepare(&mut self, machine: &Machine, solver: &Solver) -> bool;

    /// Whether it is at work.
    fn is_active(&self) -> bool;

    /// A path has come to a decision.
    fn compare(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> Verdict;

    /// The decision became a node of the tree.
    fn found(&mut self, machine: &mut Machine, node: NodeId, path: &PathAt<'_>, decision: &Decision);

    /// A path has ended, and its side is closed next, in this way.
    fn ended(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>, end: &End, closed: Closed);

    /// The path along this side is suspended.
    fn suspended(&mut self, machine: &mut Machine, solver: &mut Solver, side: SideId);

    /// Something happened to the tree.
    fn update(&mut self, machine: &mut Machine, solver: &mut Solver, events: Vec<TreeEvent>);

    /// A side that is worth completing next: another side of its node is accounted for. It may be pending no longer.
    fn wanted(&mut self) -> Option<SideId>;

    /// Inputs that were found to fail a check since the last call. They are run, so that the bug is reported.
    fn failing_inputs(&mut self) -> Vec<Vec<u8>>;

    /// What became of suspended paths since the last call, each named by the side along which it runs.
    fn resolutions(&mut self) -> Vec<(SideId, Resolution)>;

    /// A suspended path goes on although it is not known whether it must, and is not to be suspended there again.
    fn release(&mut self, side: SideId);

    /// Whether a pending side may be handed over to another worker, which knows nothing of the nodes above it.
    fn may_hand_over(&self, side: SideId) -> bool;

    /// A side that another worker has found will be explored here: the path is at its decision, with this choice.
    fn borrowed(&mut self, side: SideId, path: &PathAt<'_>, kind: DecisionKind, choice: &Choice);

    /// Everything below a node that another worker has found is explored: how its side is accounted for, for the other
    /// worker; `None` if it is not.
    fn account(&mut self, machine: &Machine, node: NodeId) -> Option<Account>;

    /// Another worker has explored a side, and this is how it is accounted for, if it is. The side is closed next.
    fn returned(&mut self, machine: &mut Machine, solver: &mut Solver, side: SideId, account: Option<Account>);

    /// Memory is short: drops about half of what is known, the least useful first, which only loses subsumption.
    /// Returns how many parts were dropped; none if there are few.
    fn relieve(&mut self, machine: &mut Machine) -> usize;

    /// Expressions and states of the machine are forgotten: whatever refers to them must go, too. All suspended paths
    /// are resumed.
    fn forget(&mut self);
}
