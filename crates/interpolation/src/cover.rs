//! Paths that are assumed to be covered, for loops that never end.
//!
//! In `while (1) { … }` no node is ever explored completely. So when a path comes to a point where a node above it
//! stands, it is suspended, on the assumption that the node covers it: that its state satisfies the interpolant that
//! the node will have. Once everything else below the node is accounted for, the assumption is checked
//! (`induction.rs`).
//!
//! Which states to compare is learned. At first any node at the same point will do. Where an assumption turns out to be
//! wrong, the locations that it failed for become *relevant* for that point, and from then on a node must agree with a
//! path on all of them. So a state machine is explored once for each of its states, and a loop that counts to a bound
//! is unrolled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::Point;
use secateur_explore::{NodeId, SideId};
use secateur_expr::Valuation;
use secateur_machine::{Machine, State};
use smallvec::SmallVec;

use crate::clauses::Clauses;
use crate::interpolant::content;

/// What the relevant locations of a state evaluate to; `None` for those that it does not have.
pub(crate) type Relevant = SmallVec<[Option<u64>; 4]>;

/// A suspended path. It runs along the side under which it is stored.
pub(crate) struct Leaf {
    pub state: State,
    pub input: Arc<[u8]>,
    /// The node that is assumed to cover it.
    pub target: NodeId,
    /// The clauses of the target's interpolant that its state was shown to satisfy.
    pub proved: Clauses,
}

/// Which nodes may cover which paths, and which paths are suspended.
#[derive(Default)]
pub(crate) struct Covers {
    pub leaves: BTreeMap<SideId, Leaf>,
    by_target: FxHashMap<NodeId, BTreeSet<SideId>>,
    points: FxHashMap<Point, AtPoint>,
    /// What expressions evaluate to under the input of another path.
    values: Valuation,
}

/// What is known about one point.
#[derive(Default)]
struct AtPoint {
    /// The holes of the relevant locations.
    relevant: Vec<u32>,
    /// The nodes at this point, the newest last.
    nodes: FxHashMap<Relevant, Vec<NodeId>>,
    /// No assumption is made here any more: one failed although all relevant locations agreed.
    is_blocked: bool,
}

impl Covers {
    /// The nodes that agree with a state in all that is relevant, the newest last.
    pub(crate) fn candidates(&mut self, machine: &mut Machine, state: &State, input: &Arc<[u8]>) -> Vec<NodeId> {
        let Some(at) = self.points.get(&Point::of(state)).filter(|at| !at.is_blocked) else { return Vec::new() };
        let relevant = relevant(machine, &mut self.values, state, input, &at.relevant);
        at.nodes.get(&relevant).cloned().unwrap_or_default()
    }

    /// A path is suspended.
    pub(crate) fn add_leaf(&mut self, side: SideId, leaf: Leaf) {
        self.by_target.entry(leaf.target).or_default().insert(side);
        self.leaves.insert(side, leaf);
    }

    /// A path is no longer suspended.
    pub(crate) fn remove_leaf(&mut self, side: SideId) -> Option<Leaf> {
        let leaf = self.leaves.remove(&side)?;
        if let Some(sides) = self.by_target.get_mut(&leaf.target) {
            sides.remove(&side);
            if sides.is_empty() {
                self.by_target.remove(&leaf.target);
            }
        }
        Some(leaf)
    }

    /// Whether a node is assumed to cover paths.
    pub(crate) fn is_target(&self, id: NodeId) -> bool {
        self.by_target.contains_key(&id)
    }

    /// The paths that a node is assumed to cover.
    pub(crate) fn covered_by(&self, id: NodeId) -> Vec<SideId> {
        self.by_target.get(&id).into_iter().flatten().copied().collect()
    }

    /// A node was found.
    pub(crate) fn add(&mut self, machine: &mut Machine, id: NodeId, state: &State, input: &Arc<[u8]>) {
        let at = self.points.entry(Point::of(state)).or_default();
        let relevant = relevant(machine, &mut self.values, state, input, &at.relevant);
        at.nodes.entry(relevant).or_default().push(id);
    }

    /// A node is gone.
    pub(crate) fn remove(&mut self, machine: &mut Machine, id: NodeId, state: &State, input: &Arc<[u8]>) {
        let Some(at) = self.points.get_mut(&Point::of(state)) else { return };
        let relevant = relevant(machine, &mut self.values, state, input, &at.relevant);
        if let Some(nodes) = at.nodes.get_mut(&relevant) {
            nodes.retain(|known| *known != id);
            if nodes.is_empty() {
                at.nodes.remove(&relevant);
            }
        }
    }

    /// An assumption at a point was wrong because of the contents of these holes. If none of them is new, no assumption
    /// is made there any more. `nodes` gives the state and input of a node.
    pub(crate) fn refine<'a>(
        &mut self,
        machine: &mut Machine,
        point: Point,
        holes: &[u32],
        nodes: impl Fn(NodeId) -> Option<(&'a State, &'a Arc<[u8]>)>,
    ) {
        let Covers { points, values, .. } = self;
        let at = points.entry(point).or_default();
        let known: FxHashSet<u32> = at.relevant.iter().copied().collect();
        let before = at.relevant.len();
        at.relevant.extend(holes.iter().collect::<BTreeSet<_>>().into_iter().filter(|hole| !known.contains(hole)));
        at.is_blocked |= at.relevant.len() == before;
        let mut ids: Vec<NodeId> = std::mem::take(&mut at.nodes).into_values().flatten().collect();
        ids.sort_unstable_by_key(|id| nodes(*id).map(|(state, _)| state.path.len()));
        for id in ids {
            if let Some((state, input)) = nodes(id) {
                let relevant = relevant(machine, values, state, input, &at.relevant);
                at.nodes.entry(relevant).or_default().push(id);
            }
        }
    }

    /// No assumption is made at a point any more.
    pub(crate) fn block(&mut self, point: Point) {
        self.points.entry(point).or_default().is_blocked = true;
    }

    pub(crate) fn forget(&mut self) {
        self.leaves.clear();
        self.by_target.clear();
        // What is relevant stays so.
        self.points.values_mut().for_each(|at| at.nodes.clear());
        self.values = Valuation::default();
    }
}

fn relevant(
    machine: &mut Machine,
    values: &mut Valuation,
    state: &State,
    input: &Arc<[u8]>,
    holes: &[u32],
) -> Relevant {
    if !holes.is_empty() && values.input() != &**input {
        values.set_input(input.to_vec());
    }
    let value = |hole: &u32| {
        let (value, _) = content(machine, state, *hole)?;
        Some(value.expr.map_or(value.bits, |expr| values.eval(&machine.pool, expr)))
    };
    holes.iter().map(value).collect()
}
