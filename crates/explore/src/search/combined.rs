//! The combination that measures best; docs/search.md has the figures.
//!
//! While some of the user's code is uncovered, two strategies take turns: flips close to uncovered code, and flips that
//! are close to it or were found shortly after something new was covered. The first finds a way where the graph shows
//! one; the second explores where coverage is still growing, in case what is close in the graph is infeasible. Once
//! everything is covered, the order no longer matters for coverage, and depth first costs least.

use super::depth_first::DepthFirst;
use super::interleaved::Interleaved;
use super::{FlipId, FlipResult, Searcher, by_name};
use crate::flip::FlipInfo;
use crate::tuning::Tuning;
use crate::view::View;

/// The strategies that take turns.
const GUIDED: &[&str] = &["md2u", "covnew"];

/// Guided while anything is uncovered, depth first afterwards.
pub(super) struct Combined {
    /// `None` once everything is covered.
    guided: Option<Interleaved>,
    /// It may return flips that are no longer pending; they are skipped.
    depth_first: DepthFirst,
    /// How much was covered when the branch outcomes were last counted.
    covered: u64,
}

impl Combined {
    pub(super) fn new(tuning: &Tuning, seed: u64) -> Combined {
        let guided = GUIDED.iter().filter_map(|name| by_name(name, seed, tuning)).collect();
        Combined { guided: Some(Interleaved::new(guided)), depth_first: DepthFirst::default(), covered: 0 }
    }
}

impl Searcher for Combined {
    fn add(&mut self, id: FlipId, info: &FlipInfo) {
        self.depth_first.add(id, info);
        if let Some(guided) = &mut self.guided {
            guided.add(id, info);
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
