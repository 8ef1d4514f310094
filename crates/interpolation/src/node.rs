//! What is known of one node of the path tree while something below it is open.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_explore::SideId;
use secateur_expr::Expr;
use secateur_machine::{Decision, DecisionKind, Footprint, State};
use secateur_path::ChoiceKey;

use crate::clause::Clause;

/// A decision, below which something is open.
pub(crate) struct Node {
    /// The state at the decision, before any choice is taken.
    pub state: State,
    /// The input of the path that found it.
    pub input: Arc<[u8]>,
    /// The side that led to it.
    pub from: Option<SideId>,
    pub kind: DecisionKind,
    /// The choices in the order of the sides, each with its condition on the input.
    pub sides: Vec<(ChoiceKey, Expr)>,
    /// The conditions of the choices over holes, as far as a segment has shown them.
    pub conditions: FxHashMap<ChoiceKey, Expr>,
    /// The sides that are infeasible, each with the decisions whose conditions show it.
    pub infeasible: Vec<(ChoiceKey, Vec<u32>)>,
    /// What the closed sides have contributed.
    pub clauses: FxHashSet<Clause>,
    pub footprint: Footprint,
    /// There will never be an interpolant.
    pub is_half: bool,
}

impl Node {
    pub(crate) fn new(state: &State, input: &Arc<[u8]>, from: Option<SideId>, decision: &Decision) -> Node {
        let choices = std::iter::once(&decision.chosen).chain(&decision.refuted).chain(&decision.alternatives);
        Node {
            state: state.clone(),
            input: Arc::clone(input),
            from,
            kind: decision.kind,
            sides: choices.map(|choice| (choice.key, choice.condition)).collect(),
            conditions: FxHashMap::default(),
            infeasible: Vec::new(),
            clauses: FxHashSet::default(),
            footprint: Footprint::default(),
            is_half: false,
        }
    }

    /// How many decisions come before it on its path.
    pub(crate) fn ordinal(&self) -> u32 {
        self.state.path.len() as u32
    }

    /// The decisions that these conditions come from. What is not one of the path's conditions is the side itself; if it
    /// is neither, all decisions may be needed.
    pub(crate) fn decisions_of(&self, core: &[Expr], side: Expr) -> Vec<u32> {
        decisions_of(&self.state, core, &[side])
    }
}

/// The decisions of a path that the conditions of a core come from. `others` are conditions of the core that are none
/// of the path's.
pub(crate) fn decisions_of(state: &State, core: &[Expr], others: &[Expr]) -> Vec<u32> {
    let wanted: FxHashSet<Expr> = core.iter().copied().filter(|condition| !others.contains(condition)).collect();
    let mut found: Vec<u32> = Vec::new();
    let mut seen: FxHashSet<Expr> = FxHashSet::default();
    for decided in state.path.decided().filter(|decided| wanted.contains(&decided.condition)) {
        if seen.insert(decided.condition) {
            found.push(decided.decision);
        }
    }
    if seen.len() < wanted.len() {
        found = state.path.decided().map(|decided| decided.decision).collect();
    }
    found.sort_unstable();
    found
}
