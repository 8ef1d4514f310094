//! What is known of one node of the path tree while something below it is open.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::{Effect, EffectDecision, EffectId};
use secateur_explore::{NodeId, SideId};
use secateur_expr::Expr;
use secateur_machine::{Decision, DecisionKind, Footprint, Machine, State};
use secateur_path::ChoiceKey;

use crate::clauses::{Clauses, Core, Step};

/// A decision, below which something is open.
pub(crate) struct Node {
    /// The number of the path that found it.
    pub found_by: u64,
    /// The state at the decision, before any choice is taken.
    pub state: State,
    /// The input of the path that found it.
    pub input: Arc<[u8]>,
    /// The side that led to it.
    pub from: Option<SideId>,
    pub kind: DecisionKind,
    /// The choices, in the order of the sides.
    pub sides: Vec<Side>,
    /// How many sides are not accounted for.
    pub open: u32,
    /// The conditions of the choices over holes, as far as a segment has shown them.
    pub conditions: FxHashMap<ChoiceKey, Expr>,
    /// What the closed sides have contributed.
    pub clauses: Clauses,
    pub footprint: Footprint,
    /// What is accounted for only if the assumptions about covered leaves hold.
    pub parts: Vec<Part>,
    /// How many paths were explored or subsumed below it so far.
    pub paths: u64,
    /// There will never be an interpolant.
    pub is_half: bool,
}

/// A choice of a decision.
pub(crate) struct Side {
    pub key: ChoiceKey,
    /// Its condition on the input.
    pub condition: Expr,
    pub account: Account,
}

/// How a side is accounted for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Account {
    /// Not yet, or never: what is below it was not recorded.
    Open,
    /// No input takes it, because of these decisions above the node.
    Infeasible(Core),
    /// What is below it has contributed its clauses, or requires none.
    Done,
    /// It is one of the parts.
    Assumed,
}

/// A side of which everything is accounted for if assumptions hold.
pub(crate) struct Part {
    pub effect: EffectId,
    pub step: Step,
    pub below: Below,
    /// The ordinal of the uppermost node that the assumptions are about.
    pub lowest: u32,
}

/// What is at the end of the first segment of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Below {
    /// A node whose sides are all accounted for, some by assumption.
    Node(NodeId),
    /// A path that is assumed to be covered; it runs along this side.
    Leaf(SideId),
}

impl Node {
    pub(crate) fn new(
        found_by: u64,
        state: &State,
        input: &Arc<[u8]>,
        from: Option<SideId>,
        decision: &Decision,
    ) -> Node {
        let choices = std::iter::once(&decision.chosen).chain(&decision.refuted).chain(&decision.alternatives);
        let side = |choice: &secateur_machine::Choice| Side {
            key: choice.key,
            condition: choice.condition,
            account: Account::Open,
        };
        let sides: Vec<Side> = choices.map(side).collect();
        Node {
            found_by,
            state: state.clone(),
            input: Arc::clone(input),
            from,
            kind: decision.kind,
            open: sides.len() as u32,
            sides,
            conditions: FxHashMap::default(),
            clauses: Clauses::default(),
            footprint: Footprint::default(),
            parts: Vec::new(),
            paths: 0,
            is_half: false,
        }
    }

    /// Records how a side is accounted for.
    pub(crate) fn account(&mut self, index: u32, account: Account) {
        if let Some(side) = self.sides.get_mut(index as usize) {
            self.open += u32::from(account == Account::Open);
            self.open -= u32::from(side.account == Account::Open);
            side.account = account;
        }
    }

    /// Records that no input takes a side, because of these conditions of its path.
    pub(crate) fn account_infeasible(&mut self, index: u32, conditions: &[Expr]) {
        if let Some(side) = self.sides.get(index as usize) {
            let core = core_of(&self.state, conditions, side.condition);
            self.account(index, Account::Infeasible(core));
        }
    }

    /// Adds what the first segment of a side says about the state at the node. It has `decisions` decisions. `None` if
    /// something cannot be expressed.
    pub(crate) fn add_segment(
        &mut self,
        machine: &mut Machine,
        index: u32,
        effect: &Effect,
        decisions: u32,
    ) -> Option<Step> {
        let key = self.sides.get(index as usize)?.key;
        let is_real =
            |decision: &EffectDecision| decision.is_first && decision.kind == self.kind && decision.chosen.key == key;
        let position = effect.decisions.iter().position(is_real);
        let taken = match position.map(|position| &effect.decisions[position]) {
            Some(real) => {
                for choice in std::iter::once(&real.chosen).chain(&real.others) {
                    self.conditions.insert(choice.key, choice.condition);
                }
                real.chosen.condition
            }
            // An assumption that holds is not decided on.
            None if self.kind == DecisionKind::Assumption && key == ChoiceKey::Side(true) => {
                *effect.assumed().first()?
            }
            None => return None,
        };
        // What was certain on this path may be otherwise from another state.
        let required = effect.requirements.iter().map(|requirement| requirement.condition);
        let other_decisions = effect.decisions.iter().enumerate().filter(|(index, _)| Some(*index) != position);
        let certain = required.chain(other_decisions.map(|(_, other)| other.chosen.condition));
        for condition in certain {
            let otherwise = machine.pool.not(condition);
            self.clauses.exclude(&mut machine.pool, &[otherwise], Core::new()).ok()?;
        }
        self.footprint.add(&effect.footprint);
        Some(Step { decisions, taken, assumed: effect.assumed() })
    }

    /// Adds the clauses of the infeasible sides; false if a side is not accounted for or cannot be expressed.
    pub(crate) fn close(&mut self, machine: &mut Machine) -> bool {
        if self.is_half {
            return false;
        }
        for side in &self.sides {
            match &side.account {
                Account::Open => return false,
                Account::Done | Account::Assumed => {}
                Account::Infeasible(core) => {
                    let Some(condition) = self.conditions.get(&side.key) else { return false };
                    if self.clauses.exclude(&mut machine.pool, &[*condition], core.clone()).is_err() {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The ordinal of the uppermost node that the assumptions below it are about.
    pub(crate) fn lowest(&self) -> u32 {
        self.parts.iter().map(|part| part.lowest).min().unwrap_or(u32::MAX)
    }

    /// How many decisions come before it on its path.
    pub(crate) fn ordinal(&self) -> u32 {
        self.state.path.len() as u32
    }
}

/// The decisions of a path that conditions come from. `goal` is none of the path's. If a condition is neither, all
/// decisions may be needed.
pub(crate) fn core_of(state: &State, conditions: &[Expr], goal: Expr) -> Core {
    let length = state.path.len() as u32;
    let mut wanted: FxHashSet<Expr> = conditions.iter().copied().filter(|condition| *condition != goal).collect();
    let mut core = Core::new();
    // The newest come first, and cores consist mostly of recent decisions.
    for decided in state.path.decided() {
        if wanted.is_empty() {
            return core;
        }
        if wanted.remove(&decided.condition) {
            core.push(length - decided.decision);
        }
    }
    if !wanted.is_empty() {
        core = state.path.decided().map(|decided| length - decided.decision).collect();
    }
    core.sort_unstable();
    core.dedup();
    core
}
