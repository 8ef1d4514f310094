//! The path tree: every decision that a path could have taken another way, and what became of each of its sides.
//!
//! A node is a decision, its sides are the choices that it offers. A side is pending until its flip is tried, then a path runs along it, and in the end it is closed. A node all of
//! whose sides are closed is settled: it is dropped, and the side that led to it is closed in turn. So at any moment it is known which subtrees are explored completely, and the tree
//! has no more than two nodes for each pending flip and one for each decision of the path that runs, unless somebody subscribes to it.

use std::collections::BTreeSet;

use secateur_expr::Expr;
use secateur_path::ChoiceKey;
use secateur_program::{FuncId, LocId};
use smallvec::SmallVec;

use crate::flip::Departure;
use crate::search::FlipId;
use secateur_graph::StackId;

/// A node of the tree. Once a node is dropped, another one may get its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A side of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SideId {
    /// The decision.
    pub node: NodeId,
    /// Which of its choices, by their order. The first is the one that the path took which found the decision.
    pub index: u32,
}

/// The point of the program at which a decision is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// The function.
    pub function: FuncId,
    /// The instruction.
    pub pc: u32,
    /// The calls that are active.
    pub stack: StackId,
    /// How many decisions come before it on the path.
    pub ordinal: u32,
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it is.
    pub point: Point,
    /// Its place in the source; for a decision in the C library, that of the call in the user's code.
    pub loc: LocId,
    /// The number of the path that found it.
    pub found_by: u64,
    /// The side that leads to it; `None` for the first decision of all and for those that another worker has found.
    pub parent: Option<SideId>,
    /// Its choices, in the order in which they were found.
    pub sides: SmallVec<[Side; 2]>,
    /// How many of them are not closed.
    open: u32,
    /// Nothing that is closed below was left out.
    complete: bool,
}

/// A choice of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// Tells it from the others.
    pub key: ChoiceKey,
    /// What became of it.
    pub status: Status,
}

/// What became of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nobody has tried it.
    Pending(FlipId),
    /// A path runs along it.
    Running,
    /// It leads to another decision.
    Inner(NodeId),
    /// Nothing more comes of it.
    Closed(Closed),
}

/// Why nothing more comes of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// No input takes it.
    Infeasible,
    /// Its one path ended: by the program's own means, in a bug, or at an assumption that does not hold.
    Ended,
    /// Every side below it is closed, and nothing was left out.
    Explored,
    /// A pruner took it out and says that it adds nothing.
    Pruned(&'static str),
    /// Something was left out for good.
    Incomplete(Incomplete),
}

/// Why something was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// The solver gave no answer.
    Unknown,
    /// Its place was not found again; this is our own fault.
    Lost,
    /// A pruner took it out that does not promise to lose nothing.
    Pruned(&'static str),
    /// Another worker tries it, and does not report what comes of it.
    HandedOver,
    /// Its path ended before the program did, or does not stand for every input that takes it: something is unsupported, a limit was hit,
    /// or a check fails that is switched off.
    Path,
    /// Something below it was left out.
    Below,
}

impl Closed {
    fn is_complete(self) -> bool {
        !matches!(self, Closed::Incomplete(_))
    }
}

/// What happened to the tree, for those who subscribe to it.
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
        /// Nothing below was left out.
        complete: bool,
    },
}

/// All decisions that are not settled.
#[derive(Default)]
pub struct PathTree {
    nodes: Vec<Option<Node>>,
    free: Vec<NodeId>,
    roots: BTreeSet<NodeId>,
    /// What happened since somebody last asked, if anybody subscribes.
    events: Option<Vec<TreeEvent>>,
    peak: usize,
}

impl PathTree {
    /// From now on, events are kept until they are [taken](PathTree::take_events), and every node stays until it is settled.
    pub fn subscribe(&mut self) {
        self.events.get_or_insert_default();
    }

    /// What happened since the last time, the oldest first. A node that is settled is gone already.
    pub fn take_events(&mut self) -> Vec<TreeEvent> {
        self.events.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The decisions to which no other one leads, in a fixed order.
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        self.roots.iter().copied()
    }

    /// A decision; `None` if it is settled.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())?.as_ref()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Everything is settled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most nodes there have been at once.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Where a path comes from that takes this side.
    pub fn origin(&self, side: SideId) -> Departure {
        let origin = |node: &Node| Departure { parent: node.found_by, depth: node.point.ordinal, loc: node.loc };
        self.node(side.node).map_or(Departure::START, origin)
    }

    /// A path that runs along `from` comes to a decision; gives the side that it takes. `from` is `None` before the first decision of all, and for decisions that another worker has
    /// found.
    pub(crate) fn find(&mut self, from: Option<SideId>, decision: Found) -> SideId {
        let Found { point, loc, found_by, taken } = decision;
        let sides = SmallVec::from_iter([Side { key: taken, status: Status::Running }]);
        let node = self.insert(Node { point, loc, found_by, parent: from, sides, open: 1, complete: true });
        self.tell(|| TreeEvent::Found(node));
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

    /// Adds another choice to a decision that was just found. It must be said next what becomes of it.
    pub(crate) fn add_side(&mut self, node: NodeId, key: ChoiceKey) -> SideId {
        let Some(decision) = self.nodes[node.index()].as_mut() else { return SideId { node, index: 0 } };
        decision.sides.push(Side { key, status: Status::Running });
        decision.open += 1;
        SideId { node, index: decision.sides.len() as u32 - 1 }
    }

    /// A side waits for its flip to be tried.
    pub(crate) fn suspend(&mut self, side: SideId, flip: FlipId) {
        self.set(side, Status::Pending(flip));
    }

    /// A path runs along a side.
    pub(crate) fn run(&mut self, side: SideId) {
        self.set(side, Status::Running);
    }

    /// Nothing more comes of a side; of an infeasible one, because these conditions contradict it.
    pub(crate) fn close(&mut self, mut side: SideId, mut how: Closed, core: &[Expr]) {
        self.tell(|| TreeEvent::Closed(side, how, core.to_vec()));
        loop {
            self.set(side, Status::Closed(how));
            let Some(node) = self.nodes.get_mut(side.node.index()).and_then(Option::as_mut) else { return };
            node.open -= 1;
            node.complete &= how.is_complete();
            if node.open > 0 {
                return self.splice(side.node);
            }
            let (parent, complete) = (node.parent, node.complete);
            self.remove(side.node);
            self.tell(|| TreeEvent::Settled { node: side.node, parent, complete });
            let Some(parent) = parent else {
                self.roots.remove(&side.node);
                return;
            };
            how = if complete { Closed::Explored } else { Closed::Incomplete(Incomplete::Below) };
            side = parent;
        }
    }

    /// Takes out a node whose only open side leads to another decision: nobody can come to it again, and walks through the tree need not pass it.
    fn splice(&mut self, id: NodeId) {
        if self.events.is_some() {
            return;
        }
        let Some(Node { open: 1, sides, parent, complete, .. }) = &self.nodes[id.index()] else { return };
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
        let node = self.nodes.get_mut(side.node.index()).and_then(Option::as_mut);
        if let Some(side) = node.and_then(|node| node.sides.get_mut(side.index as usize)) {
            side.status = status;
        }
    }

    fn tell(&mut self, event: impl FnOnce() -> TreeEvent) {
        if let Some(events) = &mut self.events {
            events.push(event());
        }
    }
}

/// A decision that a path has come to, with the choice that it takes.
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

    /// Comes to a decision and leaves its other side for later.
    fn find(tree: &mut PathTree, from: Option<SideId>, ordinal: u32, path: u64, flip: u64) -> (SideId, SideId) {
        let taken = tree.find(from, found(ordinal, path));
        let other = tree.add_side(taken.node, RIGHT);
        tree.suspend(other, FlipId(flip));
        (taken, other)
    }

    /// Three decisions below each other, depth first: as soon as the last path ends, nothing is left.
    #[test]
    fn what_is_settled_is_dropped() {
        let mut tree = PathTree::default();
        let (a, other_a) = find(&mut tree, None, 0, 1, 0);
        let (b, other_b) = find(&mut tree, Some(a), 1, 1, 1);
        let (c, other_c) = find(&mut tree, Some(b), 2, 1, 2);
        tree.close(c, Closed::Ended, &[]);
        assert_eq!((tree.len(), tree.roots().next()), (3, Some(a.node)));
        assert_eq!(tree.origin(other_c), Departure { parent: 1, depth: 2, loc: LocId(2) });
        tree.run(other_c);
        tree.close(other_c, Closed::Ended, &[]);
        assert_eq!(tree.len(), 2, "the last decision is settled");
        assert_eq!(tree.node(b.node).unwrap().sides[0].status, Status::Closed(Closed::Explored));
        tree.close(other_b, Closed::Infeasible, &[]);
        tree.close(other_a, Closed::Incomplete(Incomplete::Unknown), &[]);
        assert!(tree.is_empty() && tree.roots().next().is_none());
        assert_eq!(tree.peak(), 3);
    }

    /// A decision whose other side is closed is passed over, and what was left out there is not forgotten.
    #[test]
    fn decisions_with_one_open_side_are_spliced() {
        let mut tree = PathTree::default();
        let (a, other_a) = find(&mut tree, None, 0, 1, 0);
        let (b, _) = find(&mut tree, Some(a), 1, 1, 1);
        tree.close(other_a, Closed::Incomplete(Incomplete::Lost), &[]);
        assert_eq!((tree.len(), tree.roots().next()), (1, Some(b.node)));
        let rest = tree.node(b.node).unwrap();
        assert_eq!((rest.parent, rest.complete), (None, false));
        // A long path on which every other side turns out to be infeasible takes no room.
        let mut at = b;
        for ordinal in 2..1000 {
            let taken = tree.find(Some(at), found(ordinal, 1));
            let other = tree.add_side(taken.node, RIGHT);
            tree.close(other, Closed::Infeasible, &[]);
            at = taken;
        }
        assert_eq!((tree.len(), tree.peak()), (2, 3));
    }

    #[test]
    fn subscribers_see_everything_and_whether_it_is_complete() {
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
