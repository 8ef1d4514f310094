//! Look-ahead (OSMOSE): drops a flip if nothing of interest can be reached from where it goes: nothing uncovered, and
//! no check that may fail.
//!
//! Its guarantee: a run that ends by itself covers exactly what it covers without look-ahead, and the same checks fail
//! at the same locations, with no more paths. For what is covered stays covered, and a path through a dropped flip
//! could neither have executed anything that was uncovered then, nor have reached an instruction at which a path can
//! end in a bug. A static analysis decides which instructions those are and errs on the safe side, so flips are kept
//! that cannot in fact fail.
//!
//! In OSMOSE only coverage counts. Far more is dropped then, and bugs are lost: a failed assertion or a call of `abort`
//! or `reach_error` is behind a branch, so it is found if that branch can be covered; but a path on which another check
//! could fail may be dropped because all its branches are covered.

use secateur_graph::Reach;
use secateur_machine::BugKind;

use super::{Items, Pruner};
use crate::flip::FlipInfo;
use crate::view::View;

/// What is of interest, and what is known about reaching it.
pub struct Lookahead {
    items: Items,
    reach: Option<Reach>,
}

impl Lookahead {
    /// Keeps the flips that may reach one of these items.
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

    fn prunes(&mut self, info: &FlipInfo, view: &mut View<'_>) -> bool {
        // Until a path has exited normally, no test shows how the program is meant to be used.
        if self.items.bugs && !view.has_exited() {
            return false;
        }
        if let Some(kind) = info.bug {
            return view.has_failed(kind, info.loc) && !(self.items.bugs && is_ambiguous(kind));
        }
        let reach = self.reach.get_or_insert_with(|| view.reach(self.items));
        !view.can_reach(reach, &info.point())
    }
}

/// A pointer outside of the object that it was derived from is predicted as one kind of bug but may be reported as
/// another, such as a null pointer.
fn is_ambiguous(kind: BugKind) -> bool {
    matches!(kind, BugKind::OutOfBoundsRead | BugKind::OutOfBoundsWrite | BugKind::BadCall)
}
