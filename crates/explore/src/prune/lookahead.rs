//! Look-ahead (OSMOSE): a flip is cut if nothing that is not covered yet can be reached from where it goes.
//!
//! What it promises: in a run that ends by itself, exactly what is covered without it is covered with it, and never by more paths. For what is covered once stays covered, and a
//! path through a flip that was cut could have executed nothing that was uncovered then.
//!
//! What it does not promise is every bug. A failed assertion, a call of `abort` or of `reach_error` stands behind a branch, so that it is found if that branch can be
//! covered. A check that may fail at an ordinary instruction is found if a path comes by whose input decides about it: such a flip is cut only after
//! the same check has failed at the same place before. But a path on which the check could fail may itself be cut, because all its branches are covered. So this
//! cut is for tests, not for proofs, and is off unless it is asked for.

use super::{Items, Pruner};
use crate::flip::Summary;
use crate::graph::Reach;
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
        "lookahead"
    }

    fn cuts(&mut self, about: &Summary, view: &mut View<'_>) -> bool {
        if let Some(kind) = about.bug {
            return view.has_failed(kind, about.loc);
        }
        let reach = self.reach.get_or_insert_with(|| view.reach(self.items));
        !view.can_reach(reach, &about.place())
    }
}
