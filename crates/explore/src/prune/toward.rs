//! Drops flips from which the goal cannot be reached, whatever the input.
//!
//! Its guarantee: a run that ends by itself reaches the goal if any execution does. For the graph has an edge for
//! whatever a step may lead to, so no path through a dropped flip gets to the goal.

use super::Pruner;
use crate::flip::FlipInfo;
use crate::goal::{Goal, GoalDistances};
use crate::view::View;

/// Keeps what may lead to a goal.
pub struct Toward(GoalDistances);

impl Toward {
    /// Keeps what may lead to this goal.
    pub fn new(goal: Goal) -> Toward {
        Toward(GoalDistances::new(goal))
    }
}

impl Pruner for Toward {
    fn name(&self) -> &'static str {
        "target"
    }

    fn is_lossless(&self) -> bool {
        true
    }

    fn prunes(&mut self, info: &FlipInfo, view: &mut View<'_>) -> bool {
        self.0.from(&info.point(), view).is_none()
    }
}
