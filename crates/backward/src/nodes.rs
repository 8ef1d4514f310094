//! The tree of states: which are refuted because everything that may precede them is.
//!
//! A state at the same point as one that it leads to, with at least the same conditions, need not be looked at: a path
//! that comes there has satisfied the conditions of the other one, with less of it left to the start of the program. So
//! such a state counts as refuted as far as the states up to the other one are concerned. This is how rounds of a loop
//! are proved by induction.

use secateur_expr::Expr;
use secateur_program::{BlockId, FuncId};

use crate::state::{Caller, State};

/// A point with its known callers, where conditions can be compared.
#[derive(PartialEq, Eq, Hash, Clone)]
pub(crate) struct Point {
    function: FuncId,
    pc: u32,
    block: BlockId,
    callers: Vec<Caller>,
}

impl Point {
    pub(crate) fn of(state: &State) -> Point {
        Point { function: state.function, pc: state.pc, block: state.block, callers: state.callers.clone() }
    }
}

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeId(usize);

/// A state whose predecessors are looked at, or were.
struct Node {
    parent: Option<NodeId>,
    /// How many predecessors are not refuted, those that are not known included.
    open: usize,
    /// The number of nodes between it and the root.
    level: u32,
    /// The least level of the nodes in whose favour something below it was left out.
    depends: u32,
    /// If it is refuted, its parent is, whatever becomes of the others below that.
    covers: bool,
    point: Point,
    conditions: Vec<Expr>,
}

/// Instead of a level: nothing was left out.
const NOTHING: u32 = u32::MAX;

/// All nodes.
#[derive(Default)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    /// Some node was closed while others below it were open.
    has_covered: bool,
}

impl Nodes {
    /// Adds a node, which is open itself until [`Nodes::close`] is called for it.
    pub(crate) fn add(&mut self, parent: Option<NodeId>, state: &State) -> NodeId {
        if let Some(NodeId(parent)) = parent {
            self.nodes[parent].open += 1;
        }
        self.push(parent, state, false)
    }

    /// Adds a node that admits whatever its parent does: if it is refuted, so is its parent; if it is lost, nothing
    /// follows.
    pub(crate) fn add_cover(&mut self, parent: NodeId, state: &State) -> NodeId {
        self.push(Some(parent), state, true)
    }

    fn push(&mut self, parent: Option<NodeId>, state: &State, covers: bool) -> NodeId {
        let (point, conditions) = (Point::of(state), state.conditions.clone());
        let level = parent.map_or(0, |NodeId(parent)| self.nodes[parent].level + 1);
        self.nodes.push(Node { parent, open: 1, level, depends: NOTHING, covers, point, conditions });
        NodeId(self.nodes.len() - 1)
    }

    /// Leaves out a predecessor of a node if the node or one that it leads to admits all that it does; returns whether.
    pub(crate) fn leaves_out(&mut self, NodeId(node): NodeId, state: &State) -> bool {
        let point = Point::of(state);
        let mut next = Some(NodeId(node));
        while let Some(NodeId(at)) = next {
            let known = &self.nodes[at];
            // The root is no state, and what is refuted has no conditions left.
            if known.parent.is_some()
                && known.open > 0
                && known.point == point
                && is_subset(&known.conditions, &state.conditions)
            {
                let level = known.level;
                let depends = &mut self.nodes[node].depends;
                *depends = level.min(*depends);
                return true;
            }
            next = known.parent;
        }
        false
    }

    /// One of the predecessors of a node is refuted, or the node is known not to have others. Returns the conditions
    /// that no path satisfies therefore, with their points.
    pub(crate) fn close(&mut self, node: NodeId) -> Vec<(Point, Vec<Expr>)> {
        let mut refuted = Vec::new();
        let mut next = Some(node);
        while let Some(NodeId(at)) = next {
            let node = &mut self.nodes[at];
            if node.open == 0 {
                break;
            }
            node.open -= 1;
            if node.open > 0 {
                break;
            }
            let conditions = std::mem::take(&mut node.conditions);
            // Otherwise it is refuted only if another one is.
            if node.depends >= node.level {
                refuted.push((node.point.clone(), conditions));
            } else if let Some(NodeId(parent)) = node.parent {
                let depends = node.depends;
                let parent = &mut self.nodes[parent].depends;
                *parent = depends.min(*parent);
            }
            let node = &self.nodes[at];
            next = node.parent;
            if node.covers
                && let Some(NodeId(parent)) = next
            {
                let parent = &mut self.nodes[parent];
                self.has_covered |= parent.open > 1;
                // It is refuted, whatever is open below it.
                parent.open = parent.open.min(1);
            }
        }
        refuted
    }

    /// Not all that may precede a node is known, so it stays open, unless there is another way to refute it.
    pub(crate) fn lose(&mut self, NodeId(node): NodeId) {
        self.nodes[node].open += 1;
    }

    /// The states from a node to the target, the target first.
    pub(crate) fn path(&self, node: NodeId) -> Vec<State> {
        let mut states = Vec::new();
        let mut next = Some(node);
        while let Some(NodeId(at)) = next {
            let Node { parent, point, conditions, .. } = &self.nodes[at];
            let mut state = State::at(point.function, point.block, point.pc);
            state.callers.clone_from(&point.callers);
            state.conditions.clone_from(conditions);
            states.push(state);
            next = *parent;
        }
        // The root is no state.
        states.pop();
        states.reverse();
        states
    }

    /// The node is refuted.
    pub(crate) fn is_closed(&self, NodeId(node): NodeId) -> bool {
        self.nodes[node].open == 0
    }

    /// The node or one that it leads to is refuted, so it does not matter.
    pub(crate) fn is_settled(&self, node: NodeId) -> bool {
        if !self.has_covered {
            return false;
        }
        let mut next = Some(node);
        while let Some(NodeId(at)) = next {
            if self.nodes[at].open == 0 {
                return true;
            }
            next = self.nodes[at].parent;
        }
        false
    }

    /// Some predecessors of the node are not refuted.
    pub(crate) fn is_open(&self, NodeId(node): NodeId) -> bool {
        self.nodes[node].open > 0
    }
}

/// Both are sorted.
pub(crate) fn is_subset(small: &[Expr], large: &[Expr]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|condition| rest.any(|other| other == condition))
}
