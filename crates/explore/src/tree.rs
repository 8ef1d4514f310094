//! The path tree: every decision that could have gone another way, and the status of each of its sides.
//!
//! A node is a decision, its sides are the choices that it offers. A side is pending until its flip is tried, then a
//! path runs along it, and in the end it is closed. A node whose sides are all closed is settled: it is dropped, and
//! the side that leads to it is closed in turn. So it is known at any time which subtrees are explored completely.
//! Unless there is a subscriber, the tree has no more than two nodes for each pending flip and one for each decision of
//! the running path.

use std::collections::BTreeSet;

use secateur_expr::Expr;
use secateur_path::ChoiceKey;
use secateur_program::{FuncId, LocId};
use smallvec::SmallVec;

use crate::flip::Departure;
use crate::search::FlipId;
use secateur_graph::StackId;

/// Identifies a node of the tree. The number of a dropped node is used again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a side of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SideId {
    /// The decision.
    pub node: NodeId,
    /// The index of the choice. The first is the one that the path took which found the decision.
    pub index: u32,
}

/// The point of the program at which a decision is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// The function.
    pub function: FuncId,
    /// The instruction.
    pub pc: u32,
    /// The calls that are active.
    pub stack: StackId,
    /// How many decisions precede it on the path.
    pub ordinal: u32,
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it is.
    pub point: Point,
    /// Its source location; within the C library, that of the call in the user's code.
    pub loc: LocId,
    /// The number of the path that found it.
    pub found_by: u64,
    /// The side that leads to it; `None` for the first decision and for those that another worker has found.
    pub parent: Option<SideId>,
    /// Its choices, in the order in which they were found.
    pub sides: SmallVec<[Side; 2]>,
    /// How many sides are not closed.
    open: u32,
    /// Whether every closed side below was explored completely.
    complete: bool,
}

/// A choice of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// Identifies the choice among those of its decision.
    pub key: ChoiceKey,
    /// Its status.
    pub status: Status,
}

/// The status of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Its flip has not been tried.
    Pending(FlipId),
    /// A path runs along it or is suspended there, or another worker explores it.
    Running,
    /// It leads to another decision.
    Inner(NodeId),
    /// It is finished.
    Closed(Closed),
}

/// How a side was finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// No input takes it.
    Infeasible,
    /// Its only path ended: by an exit of the program, in a bug, or at an assumption that does not hold.
    Ended,
    /// Every side below it is closed, and all were explored completely.
    Explored,
    /// The pruner of this name, which is lossless, dropped it.
    Pruned(&'static str),
    /// Something was skipped and will not be explored.
    Incomplete(Incomplete),
}

/// Why a side is not explored completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// The solver gave no answer.
    Unknown,
    /// Its decision was not reached again. This is an internal error.
    Lost,
    /// The pruner of this name, which may lose coverage or bugs, dropped it.
    Pruned(&'static str),
    /// Another worker tries it, and does not report the result back or has not explored it completely.
    HandedOver,
    /// Its path ended before the program did, or does not represent every input that takes it: something is
    /// unsupported, a limit was hit, or a disabled check fails.
    Path,
    /// Something below it is not explored completely.
    Below,
}

impl Closed {
    fn is_complete(self) -> bool {
        !matches!(self, Closed::Incomplete(_))
    }
}

/// A change of the tree, for subscribers.
#[derive(Clone, PartialEq, Debug)]
pub enum TreeEvent {
    /// A decision was found.
    Found(NodeId),
    /// A side was closed; if it is infeasible, because these conditions of its path contradict it.
    Closed(SideId, Closed, Vec<Expr>),
    /// A node is settled. It is dropped, and its number may be used again.
    Settled {
        /// The node.
        node: NodeId,
        /// The side that led to it.
        parent: Option<SideId>,
        /// Whether everything below was explored completely.
        complete: bool,
    },
}

/// The decisions that are not settled. Searchers and pruners see it as [`View::tree`](crate::View::tree).
///
/// ```
/// # use std::collections::VecDeque;
/// # use secateur_explore::{FlipInfo, Settings, View, explore};
/// # use secateur_explore::search::{FlipId, Searcher};
/// # use secateur_machine::{Machine, Options};
/// # use secateur_solver::Solver;
/// use secateur_explore::tree::{NodeId, Status};
///
/// /// Tries the flip that is closest to the root of the tree.
/// struct FromTheRoot;
///
/// impl Searcher for FromTheRoot {
///     fn add(&mut self, _id: FlipId, _info: &FlipInfo) {}
///
///     fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
///         let mut nodes: VecDeque<NodeId> = view.tree.roots().collect();
///         while let Some(node) = nodes.pop_front() {
///             for side in &view.tree.node(node)?.sides {
///                 match side.status {
///                     Status::Pending(id) => return Some(id),
///                     Status::Inner(child) => nodes.push_back(child),
///                     Status::Running | Status::Closed(_) => {}
///                 }
///             }
///         }
///         None
///     }
/// }
///
/// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
/// # let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/one_branch.rs"));
/// # let mut machine = Machine::new(program, Options::default());
/// # let mut solver = Solver::new(Default::default()).unwrap();
/// let Ok(result) = explore(&mut machine, &mut solver, Settings::new(Box::new(FromTheRoot)), &mut ());
/// assert_eq!(result.counters.completed, 2);
/// ```
#[derive(Default)]
pub struct PathTree {
    /// Boxed, because a vector of large elements would take twice its size while it grows.
    nodes: Vec<Option<Box<Node>>>,
    free: Vec<NodeId>,
    roots: BTreeSet<NodeId>,
    /// The events since they were last taken, if there is a subscriber.
    events: Option<Vec<TreeEvent>>,
    peak: usize,
}

impl PathTree {
    /// Keeps events from now on until they are [taken](PathTree::take_events), and every node until it is settled.
    pub fn subscribe(&mut self) {
        self.events.get_or_insert_default();
    }

    /// The events since the last call, the oldest first. Settled nodes are gone already.
    pub fn take_events(&mut self) -> Vec<TreeEvent> {
        self.events.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The decisions that no other one leads to, in a fixed order.
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        self.roots.iter().copied()
    }

    /// A decision; `None` if it is settled.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())?.as_deref()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Whether everything is settled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most nodes there have been at once.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Where a path that takes this side branches off.
    pub fn departure(&self, side: SideId) -> Departure {
        let departure = |node: &Node| Departure { parent: node.found_by, depth: node.point.ordinal, loc: node.loc };
        self.node(side.node).map_or(Departure::START, departure)
    }

    /// Adds a decision to which a path comes along `from`; returns the side that the path takes. `from` is `None` for
    /// the first decision and for those that another worker has found.
    pub(crate) fn add_decision(&mut self, from: Option<SideId>, decision: Found) -> SideId {
        let Found { point, loc, found_by, taken } = decision;
        let sides = SmallVec::from_iter([Side { key: taken, status: Status::Running }]);
        let node = self.insert(Node { point, loc, found_by, parent: from, sides, open: 1, complete: true });
        self.emit(|| TreeEvent::Found(node));
        match from {
            Some(from) => {
                self.set(from, Status::Inner(node));
                self.splice(from.node);
            }
            None => {
                self.roots.insert(node);
            }
        }
        SideId { node, index: 0 }
    }

    /// Adds another choice to a decision that was just found. The caller must set its status next.
    pub(crate) fn add_side(&mut self, node: NodeId, key: ChoiceKey) -> SideId {
        let Some(decision) = self.nodes[node.index()].as_mut() else { return SideId { node, index: 0 } };
        decision.sides.push(Side { key, status: Status::Running });
        decision.open += 1;
        SideId { node, index: decision.sides.len() as u32 - 1 }
    }

    /// Marks a side as pending.
    pub(crate) fn set_pending(&mut self, side: SideId, flip: FlipId) {
        self.set(side, Status::Pending(flip));
    }

    /// Marks a side as explored by the running path.
    pub(crate) fn set_running(&mut self, side: SideId) {
        self.set(side, Status::Running);
    }

    /// Closes a side; if it is infeasible, because of these conditions.
    pub(crate) fn close(&mut self, mut side: SideId, mut how: Closed, core: &[Expr]) {
        self.emit(|| TreeEvent::Closed(side, how, core.to_vec()));
        loop {
            self.set(side, Status::Closed(how));
            let Some(node) = self.nodes.get_mut(side.node.index()).and_then(Option::as_deref_mut) else { return };
            node.open -= 1;
            node.complete &= how.is_complete();
            if node.open > 0 {
                return self.splice(side.node);
            }
            let (parent, complete) = (node.parent, node.complete);
            self.remove(side.node);
            self.emit(|| TreeEvent::Settled { node: side.node, parent, complete });
            let Some(parent) = parent else {
                self.roots.remove(&side.node);
                return;
            };
            how = if complete { Closed::Explored } else { Closed::Incomplete(Incomplete::Below) };
            side = parent;
        }
    }

    /// Removes a node whose only open side leads to another decision: it is never reached again, and walks through the
    /// tree need not pass it.
    fn splice(&mut self, id: NodeId) {
        if self.events.is_some() {
            return;
        }
        let Some(Node { open: 1, sides, parent, complete, .. }) = self.node(id) else { return };
        let Some(child) = sides.iter().find_map(Side::inner) else { return };
        let (parent, complete) = (*parent, *complete);
        if let Some(child) = self.nodes[child.index()].as_mut() {
            child.parent = parent;
            child.complete &= complete;
        }
        match parent {
            Some(parent) => self.set(parent, Status::Inner(child)),
            None => {
                self.roots.remove(&id);
                self.roots.insert(child);
            }
        }
        self.remove(id);
    }

    fn insert(&mut self, node: Node) -> NodeId {
        let node = Box::new(node);
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.index()] = Some(node);
                id
            }
            None => {
                self.nodes.push(Some(node));
                NodeId(self.nodes.len() as u32 - 1)
            }
        };
        self.peak = self.peak.max(self.len());
        id
    }

    fn remove(&mut self, id: NodeId) {
        self.nodes[id.index()] = None;
        self.free.push(id);
    }

    fn set(&mut self, side: SideId, status: Status) {
        let node = self.nodes.get_mut(side.node.index()).and_then(Option::as_deref_mut);
        if let Some(side) = node.and_then(|node| node.sides.get_mut(side.index as usize)) {
            side.status = status;
        }
    }

    fn emit(&mut self, event: impl FnOnce() -> TreeEvent) {
        if let Some(events) = &mut self.events {
            events.push(event());
        }
    }
}

/// A decision that a path has reached, with the choice that it takes.
pub(crate) struct Found {
    pub point: Point,
    pub loc: LocId,
    pub found_by: u64,
    pub taken: ChoiceKey,
}

impl Side {
    /// The decision that it leads to.
    pub fn inner(&self) -> Option<NodeId> {
        match self.status {
            Status::Inner(node) => Some(node),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: ChoiceKey = ChoiceKey::Side(false);
    const RIGHT: ChoiceKey = ChoiceKey::Side(true);

    fn found(ordinal: u32, found_by: u64) -> Found {
        let point = Point { function: FuncId(0), pc: ordinal, stack: StackId(0), ordinal };
        Found { point, loc: LocId(ordinal), found_by, taken: LEFT }
    }

    /// Adds a decision and leaves its other side pending.
    fn find(tree: &mut PathTree, from: Option<SideId>, ordinal: u32, path: u64, flip: u64) -> (SideId, SideId) {
        let taken = tree.add_decision(from, found(ordinal, path));
        let other = tree.add_side(taken.node, RIGHT);
        tree.set_pending(other, FlipId(flip));
        (taken, other)
    }

    /// Three nested decisions, depth first: when the last path ends, the tree is empty.
    #[test]
    fn settled_nodes_are_dropped() {
        let mut tree = PathTree::default();
        let (a, other_a) = find(&mut tree, None, 0, 1, 0);
        let (b, other_b) = find(&mut tree, Some(a), 1, 1, 1);
        let (c, other_c) = find(&mut tree, Some(b), 2, 1, 2);
        tree.close(c, Closed::Ended, &[]);
        assert_eq!((tree.len(), tree.roots().next()), (3, Some(a.node)));
        assert_eq!(tree.departure(other_c), Departure { parent: 1, depth: 2, loc: LocId(2) });
        tree.set_running(other_c);
        tree.close(other_c, Closed::Ended, &[]);
        assert_eq!(tree.len(), 2, "the last decision is settled");
        assert_eq!(tree.node(b.node).unwrap().sides[0].status, Status::Closed(Closed::Explored));
        tree.close(other_b, Closed::Infeasible, &[]);
        tree.close(other_a, Closed::Incomplete(Incomplete::Unknown), &[]);
        assert!(tree.is_empty() && tree.roots().next().is_none());
        assert_eq!(tree.peak(), 3);
    }

    /// A decision whose other side is closed is removed, and the child remembers that something was skipped there.
    #[test]
    fn decisions_with_one_open_side_are_spliced() {
        let mut tree = PathTree::default();
        let (a, other_a) = find(&mut tree, None, 0, 1, 0);
        let (b, _) = find(&mut tree, Some(a), 1, 1, 1);
        tree.close(other_a, Closed::Incomplete(Incomplete::Lost), &[]);
        assert_eq!((tree.len(), tree.roots().next()), (1, Some(b.node)));
        let child = tree.node(b.node).unwrap();
        assert_eq!((child.parent, child.complete), (None, false));
        // A long path on which every other side turns out to be infeasible takes no memory.
        let mut at = b;
        for ordinal in 2..1000 {
            let taken = tree.add_decision(Some(at), found(ordinal, 1));
            let other = tree.add_side(taken.node, RIGHT);
            tree.close(other, Closed::Infeasible, &[]);
            at = taken;
        }
        assert_eq!((tree.len(), tree.peak()), (2, 3));
    }

    #[test]
    fn subscribers_get_every_event() {
        let mut tree = PathTree::default();
        tree.subscribe();
        let (a, other_a) = find(&mut tree, None, 0, 1, 0);
        let (b, other_b) = find(&mut tree, Some(a), 1, 1, 1);
        tree.close(other_b, Closed::Infeasible, &[]);
        tree.close(b, Closed::Ended, &[]);
        tree.close(other_a, Closed::Incomplete(Incomplete::Path), &[]);
        let expected = [
            TreeEvent::Found(a.node),
            TreeEvent::Found(b.node),
            TreeEvent::Closed(other_b, Closed::Infeasible, Vec::new()),
            TreeEvent::Closed(b, Closed::Ended, Vec::new()),
            TreeEvent::Settled { node: b.node, parent: Some(a), complete: true },
            TreeEvent::Closed(other_a, Closed::Incomplete(Incomplete::Path), Vec::new()),
            TreeEvent::Settled { node: a.node, parent: None, complete: false },
        ];
        assert_eq!(tree.take_events(), expected);
        assert!(tree.is_empty());
    }

    #[test]
    fn nodes_are_small() {
        assert!(size_of::<Option<Node>>() <= 152, "{}", size_of::<Option<Node>>());
    }
}
