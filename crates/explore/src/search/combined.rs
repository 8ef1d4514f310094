//! The combination that is used unless another is asked for; docs/search.md has the measurements behind it.

use super::{Searcher, by_names};

/// Flips close to uncovered code, and flips on call stacks on which little has happened, in turn. The first finds a way where the graph shows one; the second goes where the first
/// sees no difference, as between the calls of one function that compares texts.
const PARTS: &[&str] = &["md2u", "cpicnt"];

/// The combination, as one strategy.
pub(super) fn default(seed: u64) -> Box<dyn Searcher> {
    by_names(PARTS, seed).expect("the parts are strategies of this folder")
}
