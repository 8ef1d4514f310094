//! Ends paths when everything that can follow is accounted for.
//!
//! Whoever decides this learns what happens to the path tree, and is asked at every decision of a path.

use std::sync::Arc;

use secateur_machine::{Decision, End, Machine, State};
use secateur_program::Program;
use secateur_solver::Solver;

use crate::tree::{NodeId, SideId, TreeEvent};

/// Makes one for a worker.
pub type MakeSubsumption = fn(&Arc<Program>) -> Box<dyn Subsumption>;

/// What covers a subsumed path: a node of the path tree below which everything is accounted for.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// Knows which states need not be explored.
///
/// It may run the machine and ask the solver, but leaves the machine's guide as it was.
pub trait Subsumption {
    /// Its name, as for pruners.
    fn name(&self) -> &'static str;

    /// A path has come to a decision: returns what covers it if no continuation can add coverage or a bug.
    fn subsumes(&mut self, machine: &mut Machine, solver: &mut Solver, path: &PathAt<'_>) -> Option<Cover>;

    /// The decision became a node of the tree.
    fn found(&mut self, node: NodeId, path: &PathAt<'_>, decision: &Decision);

    /// A path has ended. Its side is closed next.
    fn ended(&mut self, machine: &mut Machine, path: &PathAt<'_>, end: &End);

    /// Something happened to the tree.
    fn update(&mut self, machine: &mut Machine, events: Vec<TreeEvent>);

    /// Expressions and states of the machine are forgotten: whatever refers to them must go, too.
    fn forget(&mut self);
}
