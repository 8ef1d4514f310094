//! Which pending flips are not tried at all: one file per cut.

mod lookahead;
mod max_call_depth;

pub use lookahead::Lookahead;
pub use max_call_depth::MaxCallDepth;
pub use secateur_graph::Items;

use crate::flip::FlipInfo;
use crate::view::View;

/// Cuts flips off. It sees what is known about them, never a state.
pub trait Pruner: Send {
    /// Its name on the command line and in the summary.
    fn name(&self) -> &'static str;

    /// What it cuts can add neither coverage nor a bug, so that a run is complete without it.
    fn is_lossless(&self) -> bool {
        false
    }

    /// The flip is not worth trying. Asked when it is found, and again when it is about to be tried.
    fn prunes(&mut self, about: &FlipInfo, view: &mut View<'_>) -> bool;
}
