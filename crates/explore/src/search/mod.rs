//! In which order pending flips are tried: one file per strategy.

mod breadth_first;
mod call_path_count;
mod combined;
mod control_flow;
mod coverage_new;
mod depth;
mod depth_first;
mod distance;
mod fair;
mod generational;
mod hybrid;
mod instruction_count;
mod interleaved;
mod query_cost;
mod random_path;
mod random_state;
mod solve_first;
mod uniform;
mod weighted;

pub use solve_first::SolveFirst;

use fair::Fair;
use weighted::Weighted;

use crate::flip::FlipInfo;
use crate::view::View;

/// Names a pending flip; numbers grow in the order in which flips are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlipId(pub u64);

/// What came of a flip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlipResult {
    /// No input takes it.
    Infeasible,
    /// The solver did not answer.
    Unanswered,
    /// A pruner took it out.
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

/// Orders pending flips. It sees what is known about them, never a state.
pub trait Searcher: Send {
    /// A flip was found.
    fn add(&mut self, id: FlipId, about: &FlipInfo);

    /// The flip to try next. A flip that is no longer pending may come up: it is passed over.
    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId>;

    /// A flip was tried, whoever has chosen it, or a path has ended that took none (`None`): that of the first input, or one of another worker that handed over flips.
    fn tried(&mut self, _id: Option<FlipId>, _result: FlipResult) {}

    /// It makes inputs of its own; see [`Searcher::fresh_input`].
    fn makes_inputs(&self) -> bool {
        false
    }

    /// An input to run next, in place of a flip. `len` is the length of the longest input that any path has read. The run counts as that of the pending flip that it
    /// takes, if it takes one, so that no path is ever taken twice.
    fn fresh_input(&mut self, _len: u32) -> Option<Vec<u8>> {
        None
    }
}

/// The strategies by name.
pub const NAMES: &[&str] = &[
    "default",
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
pub fn by_name(name: &str, seed: u64) -> Option<Box<dyn Searcher>> {
    Some(match name {
        "default" => Box::new(combined::Combined::new(seed)),
        "dfs" => Box::<depth_first::DepthFirst>::default(),
        "bfs" => Box::<breadth_first::BreadthFirst>::default(),
        "random-path" => Box::new(random_path::RandomPath::new(seed)),
        "random-state" => Box::new(Fair::new(random_state::RandomState::new(seed))),
        "covnew" => Box::new(Fair::new(Weighted::new(coverage_new::CoverageNew, seed))),
        "md2u" => Box::new(Fair::new(Weighted::new(distance::Distance, seed))),
        "depth" => Box::new(Fair::new(Weighted::new(depth::Depth, seed))),
        "icnt" => Box::new(Fair::new(Weighted::new(instruction_count::InstructionCount::default(), seed))),
        "cpicnt" => Box::new(Fair::new(Weighted::new(call_path_count::CallPathCount::default(), seed))),
        "qc" => Box::new(Fair::new(Weighted::new(query_cost::QueryCost, seed))),
        "cfg" => Box::new(Fair::new(control_flow::ControlFlow::new(seed))),
        "urs" => Box::new(Fair::new(uniform::Uniform::new(seed))),
        "generational" => Box::<generational::Generational>::default(),
        "hybrid" => Box::new(hybrid::Hybrid::new(seed)),
        _ => return None,
    })
}

/// The strategies of these names in turn; `None` if there is none of some name.
pub fn by_names(names: &[impl AsRef<str>], seed: u64) -> Option<Box<dyn Searcher>> {
    let mut searchers = names.iter().map(|name| by_name(name.as_ref(), seed)).collect::<Option<Vec<_>>>()?;
    match searchers.len() {
        0 => None,
        1 => searchers.pop(),
        _ => Some(Box::new(interleaved::Interleaved::new(searchers))),
    }
}
