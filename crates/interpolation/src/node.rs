//! What is known of one node of the path tree while something below it is open.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_effects::Effect;
use secateur_explore::SideId;
use secateur_expr::Expr;
use secateur_machine::{Decision, DecisionKind, Footprint, Machine, State};
use secateur_path::ChoiceKey;

use crate::clauses::{Clauses, Core, Step};

/// A decision, below which something is open.
pub(crate) struct Node {
    /// The state at the decision, before any choice is taken.
    pub state: State,
    /// The input of the path that found it.
    pub input: Arc<[u8]>,
    /// The side that led to it.
    pub from: Option<SideId>,
    pub kind: DecisionKind,
    /// The choices, in the order of the sides.
    pub sides: Vec<Side>,
    /// The conditions of the choices over holes, as far as a segment has shown them.
    pub conditions: FxHashMap<ChoiceKey, Expr>,
    /// What the closed sides have contributed.
    pub clauses: Clauses,
    pub footprint: Footprint,
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
}

impl Node {
    pub(crate) fn new(state: &State, input: &Arc<[u8]>, from: Option<SideId>, decision: &Decision) -> Node {
        let choices = std::iter::once(&decision.chosen).chain(&decision.refuted).chain(&decision.alternatives);
        let side = |choice: &secateur_machine::Choice| Side {
            key: choice.key,
            condition: choice.condition,
            account: Account::Open,
        };
        Node {
            state: state.clone(),
            input: Arc::clone(input),
            from,
            kind: decision.kind,
            sides: choices.map(side).collect(),
            conditions: FxHashMap::default(),
            clauses: Clauses::default(),
            footprint: Footprint::default(),
            is_half: false,
        }
    }

    /// Records that no input takes a side, because of these conditions of its path.
    pub(crate) fn is_infeasible(&mut self, index: u32, conditions: &[Expr]) {
        if let Some(side) = self.sides.get_mut(index as usize) {
            side.account = Account::Infeasible(core_of(&self.state, conditions, side.condition));
        }
    }

    /// Records that a side needs no clauses.
    pub(crate) fn is_done(&mut self, index: u32) {
        if let Some(side) = self.sides.get_mut(index as usize) {
            side.account = Account::Done;
        }
    }

    /// Adds what a side says about the state at the node: the effect of its first segment, which has `decisions`
    /// decisions, and clauses on the state after that. `None` if something cannot be expressed.
    pub(crate) fn add_side(
        &mut self,
        machine: &mut Machine,
        index: u32,
        effect: &mut Effect,
        decisions: u32,
        below: &Clauses,
        footprint: &Footprint,
    ) -> Option<()> {
        let key = self.sides.get(index as usize)?.key;
        let is_real = |decision: &secateur_effects::EffectDecision| {
            decision.is_first && decision.kind == self.kind && decision.chosen.key == key
        };
        let position = effect.decisions.iter().position(is_real)?;
        let real = &effect.decisions[position];
        let taken = real.chosen.condition;
        for choice in std::iter::once(&real.chosen).chain(&real.others) {
            self.conditions.insert(choice.key, choice.condition);
        }
        // What was certain on this path may be otherwise from another state.
        let required = effect.requirements.iter().map(|requirement| requirement.condition);
        let other_decisions = effect.decisions.iter().enumerate().filter(|(index, _)| *index != position);
        let certain: Vec<Expr> = required.chain(other_decisions.map(|(_, other)| other.chosen.condition)).collect();
        for condition in certain {
            let otherwise = machine.pool.not(condition);
            self.clauses.exclude(&mut machine.pool, &[otherwise], Core::new()).ok()?;
        }
        if below.len() > 0 {
            let assumed = effect.assumed();
            let step = Step { decisions, taken, assumed: &assumed };
            self.clauses.add_carried(machine, effect, &step, below)?;
        }
        self.footprint.add(&effect.footprint);
        self.footprint.add(footprint);
        self.is_done(index);
        Some(())
    }

    /// Adds the clauses of the infeasible sides; false if a side is not accounted for or cannot be expressed.
    pub(crate) fn close(&mut self, machine: &mut Machine) -> bool {
        if self.is_half {
            return false;
        }
        for side in &self.sides {
            match &side.account {
                Account::Open => return false,
                Account::Done => {}
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
