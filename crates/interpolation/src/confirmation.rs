//! Greedy confirmation: completes nodes out of turn.
//!
//! Orders of search other than depth-first leave many nodes with one side that is accounted for and another that is
//! pending: such a node has no interpolant. So the other sides are tried next, and so are those that are found on the
//! way; each point of the program is visited once, so that the cost stays in proportion to the length of a path.

use rustc_hash::FxHashSet;
use secateur_effects::Point;
use secateur_explore::SideId;

/// The sides that are to be completed.
#[derive(Default)]
pub(crate) struct Confirmation {
    sides: Vec<SideId>,
    visited: FxHashSet<Point>,
}

impl Confirmation {
    /// A node at this point has a side that is accounted for, and these are open.
    pub(crate) fn add(&mut self, point: Point, open: impl Iterator<Item = SideId>) {
        if self.visited.insert(point) {
            self.sides.extend(open);
        }
    }

    /// The next side. After the last, every point may be visited again.
    pub(crate) fn next(&mut self) -> Option<SideId> {
        let next = self.sides.pop();
        if next.is_none() {
            self.visited.clear();
        }
        next
    }

    pub(crate) fn clear(&mut self) {
        self.sides.clear();
        self.visited.clear();
    }
}
