//! Max-CallDepth (OSMOSE): drops flips in calls that are nested too deeply. The first path through such a call is
//! followed, its alternatives are not.
//!
//! It suits the test of a function whose callees are tested elsewhere: they still do their work, but their branches do
//! not multiply the paths. What only their alternatives could reach is lost.

use super::Pruner;
use crate::flip::FlipInfo;
use crate::view::View;

/// How many calls of the user's functions may be active at a flip, not counting the outermost. Calls within the C
/// library do not count.
pub struct MaxCallDepth(pub u32);

impl Pruner for MaxCallDepth {
    fn name(&self) -> &'static str {
        "max-call-depth"
    }

    fn prunes(&mut self, info: &FlipInfo, _: &mut View<'_>) -> bool {
        info.call_depth > self.0
    }
}
