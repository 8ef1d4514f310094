//! In which order pending flips are tried: one file per strategy.

mod breadth_first;
mod depth_first;

use crate::flip::Summary;

/// Names a pending flip; numbers grow in the order in which flips are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlipId(pub u64);

/// Orders pending flips. It sees what is known about them, never a state.
pub trait Searcher {
    /// A flip was found.
    fn add(&mut self, id: FlipId, about: &Summary);

    /// The flip to try next; it is no longer pending.
    fn next(&mut self) -> Option<FlipId>;
}

/// The strategies by name.
pub const NAMES: &[&str] = &["dfs", "bfs"];

/// The strategy of this name.
pub fn by_name(name: &str) -> Option<Box<dyn Searcher>> {
    match name {
        "dfs" => Some(Box::<depth_first::DepthFirst>::default()),
        "bfs" => Some(Box::<breadth_first::BreadthFirst>::default()),
        _ => None,
    }
}
