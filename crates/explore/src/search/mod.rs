//! The order in which pending flips are tried: one file per strategy.

mod breadth_first;
mod by_place;
mod call_path_count;
mod chains;
mod combined;
mod control_flow;
mod coverage_new;
mod depth;
mod depth_first;
mod distance;
mod fair;
mod frontier;
mod generational;
mod hybrid;
mod instruction_count;
mod interleaved;
mod places;
mod query_cost;
mod random_path;
mod random_state;
mod shares;
mod solve_first;
mod toward;
mod uniform;
mod weighted;

pub use solve_first::SolveFirst;

use fair::Fair;
use weighted::{Measure, Weighted};

use crate::flip::FlipInfo;
use crate::goal::Goal;
use crate::tuning::Tuning;
use crate::view::View;

/// Identifies a pending flip; ids grow in the order in which flips are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlipId(pub u64);

/// The result of trying a flip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlipResult {
    /// No input takes it.
    Infeasible,
    /// The solver did not answer.
    Unanswered,
    /// A pruner dropped it.
    Pruned,
    /// Another worker will try it.
    HandedOver,
    /// Its path has ended.
    Ran {
        /// The number of the path.
        path: u64,
        /// How many branch outcomes and blocks of the user's code the path was the first to execute.
        newly_covered: u64,
    },
}

/// Orders pending flips. It sees a summary of each, never a state.
///
/// ```
/// # use std::collections::VecDeque;
/// # use secateur_explore::{FlipInfo, Settings, View, explore};
/// # use secateur_machine::{Machine, Options};
/// # use secateur_solver::Solver;
/// use secateur_explore::search::{FlipId, Searcher};
///
/// /// Tries flips in the order in which they were found.
/// #[derive(Default)]
/// struct OldestFirst(VecDeque<FlipId>);
///
/// impl Searcher for OldestFirst {
///     fn add(&mut self, id: FlipId, _info: &FlipInfo) {
///         self.0.push_back(id);
///     }
///
///     fn next(&mut self, _view: &mut View<'_>) -> Option<FlipId> {
///         self.0.pop_front()
///     }
/// }
///
/// // int main(void) { return __VERIFIER_nondet_char() == 7 ? 1 : 0; }
/// # let program = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/one_branch.rs"));
/// # let mut machine = Machine::new(program, Options::default());
/// # let mut solver = Solver::new(Default::default()).unwrap();
/// let settings = Settings::new(Box::<OldestFirst>::default());
/// let Ok(result) = explore(&mut machine, &mut solver, settings, &mut ());
/// assert_eq!(result.counters.completed, 2);
/// ```
pub trait Searcher: Send {
    /// A flip was found.
    fn add(&mut self, id: FlipId, info: &FlipInfo);

    /// The flip to try next. A flip that is no longer pending may be returned; it is skipped.
    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId>;

    /// Work was done for the flip that is tried next: about a microsecond for each unit, but counted, so that it is the
    /// same in every run.
    fn spent(&mut self, _work: u64) {}

    /// A flip was tried, whichever strategy chose it. The id is `None` for a path that took no flip: that of the first
    /// input, or one of another worker that gave away flips.
    fn tried(&mut self, _id: Option<FlipId>, _result: FlipResult) {}

    /// Whether it makes inputs of its own; see [`Searcher::fresh_input`].
    fn makes_inputs(&self) -> bool {
        false
    }

    /// An input to run next instead of a flip. `len` is the length of the longest input that any path has read. If the
    /// run takes a pending flip, it becomes the path of that flip, so that no path is ever taken twice.
    fn fresh_input(&mut self, _len: u32) -> Option<Vec<u8>> {
        None
    }
}

/// The names of all strategies.
pub const NAMES: &[&str] = &[
    "default",
    "frontier",
    "dfs",
    "bfs",
    "random-path",
    "random-state",
    "covnew",
    "md2u",
    "depth",
    "icnt",
    "cpicnt",
    "qc",
    "cfg",
    "urs",
    "generational",
    "hybrid",
];

/// The strategy of this name. The seed makes its random choices repeatable.
pub fn by_name(name: &str, seed: u64, tuning: &Tuning) -> Option<Box<dyn Searcher>> {
    Some(match name {
        "default" => Box::new(combined::Combined::new(tuning, seed)),
        // These are fair by themselves, or never.
        "dfs" | "bfs" | "random-path" | "generational" | "hybrid" => unfair_by_name(name, seed, tuning)?,
        _ => Box::new(Fair::new(unfair_by_name(name, seed, tuning)?, tuning.fair_turn)),
    })
}

/// The strategy of this name, which may prefer some flips for ever.
fn unfair_by_name(name: &str, seed: u64, tuning: &Tuning) -> Option<Box<dyn Searcher>> {
    let distance = || distance::Distance { far: tuning.far };
    Some(match name {
        "frontier" => Box::new(frontier::Frontier::new(tuning.frontier_head_start, seed)),
        "dfs" => Box::<depth_first::DepthFirst>::default(),
        "bfs" => Box::<breadth_first::BreadthFirst>::default(),
        "random-path" => Box::new(random_path::RandomPath::new(seed)),
        "random-state" => Box::new(random_state::RandomState::new(seed)),
        "covnew" => weighted(coverage_new::CoverageNew { distance: distance() }, seed, tuning),
        "md2u" => weighted(distance(), seed, tuning),
        "depth" => weighted(depth::Depth, seed, tuning),
        "icnt" => weighted(instruction_count::InstructionCount::default(), seed, tuning),
        "cpicnt" => weighted(call_path_count::CallPathCount::default(), seed, tuning),
        "qc" => weighted(query_cost::QueryCost, seed, tuning),
        "cfg" => Box::new(control_flow::ControlFlow::new(tuning, seed)),
        "urs" => Box::new(uniform::Uniform::new(seed)),
        "generational" => Box::<generational::Generational>::default(),
        "hybrid" => Box::new(hybrid::Hybrid::new(tuning.hybrid_patience, seed)),
        _ => return None,
    })
}

/// The strategies of these names in turn; `None` if one of the names is unknown or there is none.
pub fn by_names(names: &[impl AsRef<str>], seed: u64, tuning: &Tuning) -> Option<Box<dyn Searcher>> {
    let mut searchers = names.iter().map(|name| by_name(name.as_ref(), seed, tuning)).collect::<Option<Vec<_>>>()?;
    match searchers.len() {
        0 => None,
        1 => searchers.pop(),
        _ => Some(Box::new(interleaved::Interleaved::new(searchers))),
    }
}

/// Toward a goal, but fair: other pending flips have their turns, too.
pub fn toward(goal: Goal, tuning: &Tuning) -> Box<dyn Searcher> {
    Box::new(Fair::new(Box::new(toward::Toward::new(goal)), tuning.fair_turn))
}

/// Several strategies in turn.
pub fn in_turn(searchers: Vec<Box<dyn Searcher>>) -> Box<dyn Searcher> {
    Box::new(interleaved::Interleaved::new(searchers))
}

fn weighted(measure: impl Measure + 'static, seed: u64, tuning: &Tuning) -> Box<dyn Searcher> {
    Box::new(Weighted::new(measure, tuning.weight_refresh, seed))
}
