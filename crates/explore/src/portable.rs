//! A flip without everything that belongs to one worker: what threads hand over to each other, and what could go to a disk or another machine.

use std::sync::Arc;

use secateur_machine::Exclusions;
use secateur_path::ChoiceKey;

use crate::flip::{Flip, FlipInfo};
use crate::tree::{Found, PathTree, Point};
use crate::view::Map;
use secateur_graph::Call;

/// A flip on its way from one worker to another. No expression and no state goes with it.
pub struct PortableFlip {
    /// An input whose path passes the decision.
    pub input: Arc<[u8]>,
    /// Which of the alternatives is meant.
    pub key: ChoiceKey,
    /// The values that were excluded on the way, the newest first.
    pub exclusions: Vec<(u32, u64)>,
    /// What is known about it; its stack has a meaning only where it was found.
    pub info: FlipInfo,
    /// The calls that are active, the outermost first.
    pub(crate) calls: Vec<Call>,
}

impl PortableFlip {
    /// The part of a flip that has a meaning everywhere.
    pub(crate) fn new(flip: Flip, map: &Map) -> PortableFlip {
        let calls = map.calls(flip.info.stack);
        let exclusions = flip.exclusions.iter().copied().collect();
        PortableFlip { input: flip.input, key: flip.key, exclusions, info: flip.info, calls }
    }

    /// The flip for a worker with this map and this tree, in which nothing leads to it.
    pub(crate) fn unpack(self, map: &mut Map, tree: &mut PathTree) -> Flip {
        let mut exclusions = Exclusions::default();
        self.exclusions.into_iter().rev().for_each(|exclusion| exclusions.push(exclusion));
        let info = FlipInfo { stack: map.stack(&self.calls), ..self.info };
        let FlipInfo { function, pc, stack, depth: ordinal, loc, path: found_by, .. } = info;
        let point = Point { function, pc, stack, ordinal };
        let side = tree.find(None, Found { point, loc, found_by, taken: self.key });
        Flip { input: self.input, key: self.key, exclusions, info, side, snapshot: None }
    }
}
