//! What a directed exploration looks for: calls of some functions, or checks of some kinds that fail.

use std::sync::Arc;

use secateur_graph::Distances;
use secateur_machine::BugKind;
use secateur_program::FuncId;

use crate::flip::FlipPoint;
use crate::view::View;

/// A goal of an exploration. Copies share it.
#[derive(Clone, Debug)]
pub struct Goal(Arc<Ends>);

#[derive(Debug)]
struct Ends {
    functions: Vec<FuncId>,
    kinds: Vec<BugKind>,
}

impl Goal {
    /// Calls of any of these functions, and failures of any of these checks wherever they are.
    pub fn new(functions: Vec<FuncId>, kinds: Vec<BugKind>) -> Goal {
        Goal(Arc::new(Ends { functions, kinds }))
    }

    /// The functions whose calls count.
    pub fn functions(&self) -> &[FuncId] {
        &self.0.functions
    }
}

/// The distances to a goal, which are computed when they are first asked for.
pub(crate) struct GoalDistances {
    goal: Goal,
    distances: Option<Distances>,
}

impl GoalDistances {
    pub(crate) fn new(goal: Goal) -> GoalDistances {
        GoalDistances { goal, distances: None }
    }

    /// The least number of instructions from where a flip goes to the goal; `None` if it cannot be reached.
    pub(crate) fn from(&mut self, point: &FlipPoint, view: &mut View<'_>) -> Option<u32> {
        if let Some((kind, _)) = point.bug {
            return self.goal.0.kinds.contains(&kind).then_some(0);
        }
        let functions = &self.goal.0.functions;
        let distances = self.distances.get_or_insert_with(|| view.distances_to_calls(functions));
        view.distance_in(distances, point)
    }
}
