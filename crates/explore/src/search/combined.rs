//! The combination that is used unless another is asked for; docs/search.md has the measurements behind it.

use super::{Searcher, by_names};

/// Random walks through the tree of paths and flips close to uncovered code, in turn.
const PARTS: &[&str] = &["random-path", "covnew"];

/// The combination, as one strategy.
pub(super) fn default(seed: u64) -> Box<dyn Searcher> {
    by_names(PARTS, seed).expect("the parts are strategies of this folder")
}
