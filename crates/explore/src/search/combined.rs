//! The combination that measures best; docs/search.md has the figures.
//!
//! As long as something of the user's code is uncovered, two strategies take turns: flips close to uncovered code, and flips that are close to it or were found shortly after something new was covered.
//! The first finds a way where the graph shows one; the second stays where something is happening, when what is close in the graph turns out to be out of reach.
//! Once everything is covered the order no longer matters for coverage, and depth first costs least.

use super::depth_first::DepthFirst;
use super::interleaved::Interleaved;
use super::{FlipId, FlipResult, Searcher, by_name};
use crate::flip::FlipInfo;
use crate::view::View;

/// What takes turns.
const GUIDED: &[&str] = &["md2u", "covnew"];

/// Guided as long as there is something to be guided to.
pub(super) struct Combined {
    /// `None` once everything is covered.
    guided: Option<Interleaved>,
    /// Those that were tried already are passed over.
    depth_first: DepthFirst,
    /// What was covered when it was last looked at what is not.
    covered: u64,
}

impl Combined {
    pub(super) fn new(seed: u64) -> Combined {
        let guided = GUIDED.iter().filter_map(|name| by_name(name, seed)).collect();
        Combined { guided: Some(Interleaved::new(guided)), depth_first: DepthFirst::default(), covered: 0 }
    }
}

impl Searcher for Combined {
    fn add(&mut self, id: FlipId, about: &FlipInfo) {
        self.depth_first.add(id, about);
        if let Some(guided) = &mut self.guided {
            guided.add(id, about);
        }
    }

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        let covered = view.coverage.total_newly_covered();
        if self.guided.is_some() && self.covered != covered {
            self.covered = covered;
            let (taken, all) = view.coverage.user_outcomes(view.program());
            if taken == all {
                self.guided = None;
            }
        }
        match &mut self.guided {
            Some(guided) => guided.next(view),
            None => self.depth_first.next(view),
        }
    }

    fn tried(&mut self, id: Option<FlipId>, result: FlipResult) {
        if let Some(guided) = &mut self.guided {
            guided.tried(id, result);
        }
    }
}
