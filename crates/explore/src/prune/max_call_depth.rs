//! Max-CallDepth (OSMOSE): no flips inside of calls that are nested too deeply. The first path through such a call is followed, its alternatives are not.
//!
//! For the test of a function whose helpers are tested elsewhere: the callees still do what they do, but their own branches do not multiply the paths. What only they could lead to
//! is lost.

use super::Pruner;
use crate::flip::FlipInfo;
use crate::view::View;

/// How many calls of the user's functions may be active at a flip, the outermost aside. Calls within the C library do not count.
pub struct MaxCallDepth(pub u32);

impl Pruner for MaxCallDepth {
    fn name(&self) -> &'static str {
        "max-call-depth"
    }

    fn prunes(&mut self, about: &FlipInfo, _: &mut View<'_>) -> bool {
        about.call_depth > self.0
    }
}
