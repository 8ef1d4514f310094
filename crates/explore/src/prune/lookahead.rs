//! Look-ahead (OSMOSE): a flip is cut if nothing that is worth a path can be reached from where it goes: nothing uncovered, and no check that may fail.
//!
//! What it promises: in a run that ends by itself, exactly what is covered without it is covered with it, and the same checks fail at the same places, never by
//! more paths. For what is covered once stays covered, and a path through a flip that was cut could neither have executed anything that was uncovered then nor
//! have come to an instruction at which a path can end in a bug. Which instructions those are is known before anything runs, so that
//! much is kept that can in fact not fail.
//!
//! As OSMOSE has it, only coverage counts. Then far more is cut, and bugs are lost: a failed assertion, a call of `abort` or of `reach_error` still stands behind a
//! branch, so that it is found if that branch can be covered; but a path on which another check could fail may be cut, because all its
//! branches are covered.

use secateur_graph::Reach;
use secateur_machine::BugKind;

use super::{Items, Pruner};
use crate::flip::FlipInfo;
use crate::view::View;

/// What is still worth reaching, and what is known about it.
pub struct Lookahead {
    items: Items,
    reach: Option<Reach>,
}

impl Lookahead {
    /// Keeps the flips from which one of these items may be reached.
    pub fn new(items: Items) -> Lookahead {
        Lookahead { items, reach: None }
    }
}

impl Pruner for Lookahead {
    fn name(&self) -> &'static str {
        if self.items.bugs { "lookahead" } else { "lookahead=coverage" }
    }

    fn is_lossless(&self) -> bool {
        self.items == Items::ALL
    }

    fn prunes(&mut self, about: &FlipInfo, view: &mut View<'_>) -> bool {
        // Until a path has ended normally there is no test that shows how the program is meant to be used.
        if self.items.bugs && !view.has_exited() {
            return false;
        }
        if let Some(kind) = about.bug {
            return view.has_failed(kind, about.loc) && !(self.items.bugs && names_one_of_several(kind));
        }
        let reach = self.reach.get_or_insert_with(|| view.reach(self.items));
        !view.can_reach(reach, &about.place())
    }
}

/// A pointer that points to nothing it was made from is announced as one kind of bug and may turn out to be another, a null pointer for instance.
fn names_one_of_several(kind: BugKind) -> bool {
    matches!(kind, BugKind::OutOfBoundsRead | BugKind::OutOfBoundsWrite | BugKind::BadCall)
}
