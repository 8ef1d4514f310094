//! The decisions that a state has taken: a list that all states with a common past share.

use secateur_expr::Expr;

use crate::list::List;

/// The conditions that the input of a path satisfies.
#[derive(Clone, Default)]
pub struct Path {
    steps: List<Step>,
}

#[derive(Clone, Copy)]
struct Step {
    condition: Expr,
    length: u32,
    identity: u64,
}

impl Path {
    /// Adds a decision. `outcome` tells it from the others that were possible at the same point.
    pub fn push(&mut self, condition: Expr, outcome: u32) {
        let identity = self.identity_with(outcome);
        let length = self.len() as u32 + 1;
        self.steps.push(Step { condition, length, identity });
    }

    /// How many decisions were taken.
    pub fn len(&self) -> usize {
        self.steps.first().map_or(0, |step| step.length as usize)
    }

    /// No decision was taken.
    pub fn is_empty(&self) -> bool {
        self.steps.first().is_none()
    }

    /// Names the sequence of outcomes: the same in every run, on every machine.
    pub fn identity(&self) -> u64 {
        self.steps.first().map_or(0, |step| step.identity)
    }

    /// The identity that the path would have after one more decision.
    pub fn identity_with(&self, outcome: u32) -> u64 {
        extend_identity(self.identity(), outcome)
    }

    /// The conditions, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = Expr> {
        self.steps.iter().map(|step| step.condition)
    }

    /// The conditions, oldest first.
    pub fn conditions(&self) -> Vec<Expr> {
        let mut conditions = Vec::with_capacity(self.len());
        conditions.extend(self.newest_first());
        conditions.reverse();
        conditions
    }
}

fn extend_identity(identity: u64, outcome: u32) -> u64 {
    let mixed = (identity ^ (u64::from(outcome) + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 29
}
