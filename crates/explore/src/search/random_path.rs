//! Random path (KLEE): walks from the root of the path tree, to either side with the same probability, until it reaches
//! a pending flip.
//!
//! So a flip near the root is much likelier than one deep in a loop, however many flips the loop has: what has been
//! explored least is favoured. The tree holds only what is not settled, so every step of the walk is a real choice.

use super::{FlipId, Searcher};
use crate::flip::FlipInfo;
use crate::random::Random;
use crate::tree::{PathTree, Status};
use crate::view::View;

/// Random walks through the path tree.
pub(super) struct RandomPath {
    random: Random,
}

impl RandomPath {
    pub(super) fn new(seed: u64) -> RandomPath {
        RandomPath { random: Random::new(seed) }
    }

    /// A pending flip at the end of a random walk; `None` if there is none.
    fn walk(&mut self, tree: &PathTree) -> Option<FlipId> {
        let mut node = self.choose(tree.roots().rev())?;
        loop {
            // The side that was taken when the decision was found comes last, as if the others had been found one after
            // the other before it.
            let (taken, others) = tree.node(node)?.sides.split_first()?;
            let sides = others.iter().chain([taken]).map(|side| side.status);
            match self.choose(sides.filter(|status| !matches!(status, Status::Closed(_))))? {
                Status::Pending(id) => return Some(id),
                Status::Inner(child) => node = child,
                Status::Running | Status::Closed(_) => return None,
            }
        }
    }

    /// Takes each choice in turn with probability one half, and the last one with certainty.
    fn choose<T>(&mut self, choices: impl Iterator<Item = T>) -> Option<T> {
        let mut choices = choices.peekable();
        loop {
            let choice = choices.next()?;
            if choices.peek().is_none() || self.random.number() >> 63 == 0 {
                return Some(choice);
            }
        }
    }
}

impl Searcher for RandomPath {
    fn add(&mut self, _: FlipId, _: &FlipInfo) {}

    fn next(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.walk(view.tree)
    }
}

#[cfg(test)]
mod tests {
    use secateur_path::ChoiceKey;
    use secateur_program::{FuncId, LocId};

    use super::*;
    use crate::tree::{Closed, Found, Point, SideId};
    use secateur_graph::StackId;

    /// Adds nested flips that a path finds before it ends.
    fn find(tree: &mut PathTree, mut side: Option<SideId>, flips: std::ops::Range<u64>) -> Vec<SideId> {
        let mut found = Vec::new();
        for flip in flips {
            let point = Point { function: FuncId(0), pc: 0, stack: StackId(0), ordinal: 0 };
            let decision = Found { point, loc: LocId(0), found_by: 1, taken: ChoiceKey::Side(true) };
            let taken = tree.add_decision(side, decision);
            let other = tree.add_side(taken.node, ChoiceKey::Side(false));
            tree.set_pending(other, FlipId(flip));
            found.push(other);
            side = Some(taken);
        }
        if let Some(side) = side {
            tree.close(side, Closed::Ended, &[]);
        }
        found
    }

    /// The first path finds a hundred flips; every second walk stops at the first of them.
    #[test]
    fn half_of_the_walks_end_at_the_flip_at_the_root() {
        let mut tree = PathTree::default();
        find(&mut tree, None, 0..100);
        let mut counts = [0; 100];
        for seed in 0..1000 {
            if let Some(FlipId(number)) = RandomPath::new(seed).walk(&tree) {
                counts[number as usize] += 1;
            }
        }
        assert!((400..600).contains(&counts[0]), "{counts:?}");
        assert!((150..350).contains(&counts[1]), "{counts:?}");
    }

    /// However flips are nested, each is chosen once, and the tree is empty in the end.
    #[test]
    fn every_flip_is_chosen_once() {
        let (mut tree, mut random) = (PathTree::default(), RandomPath::new(7));
        let mut sides = find(&mut tree, None, 0..10);
        let mut taken = Vec::new();
        while let Some(FlipId(number)) = random.walk(&tree) {
            taken.push(number);
            let count = if taken.len() < 20 { taken.len() as u64 % 4 } else { 0 };
            let (side, next) = (sides[number as usize], sides.len() as u64);
            tree.set_running(side);
            sides.extend(find(&mut tree, Some(side), next..next + count));
        }
        taken.sort_unstable();
        assert_eq!(taken, (0..sides.len() as u64).collect::<Vec<_>>());
        assert!(tree.is_empty());
    }
}
