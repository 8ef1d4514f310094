//! Random path (KLEE): walks from the root of the tree of paths and goes to either side with the same chance until it comes to a pending flip.
//!
//! A flip near the root is so much likelier than one deep in a loop, however many the loop has made: what has been explored least is favoured. Sides below which nothing is
//! pending are taken out of the tree, so that every step of the walk is a real choice, and n pending flips take 2n nodes.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{FlipId, Searcher, Tried};
use crate::flip::Summary;
use crate::random::Random;
use crate::view::View;

/// A node of the tree; an index that is recycled.
type Node = u32;

/// The tree of paths, as far as something is pending below.
pub(super) struct RandomPath {
    nodes: Vec<TreeNode>,
    free: Vec<Node>,
    root: Option<Node>,
    /// In order, so that there is a first one.
    pending: BTreeMap<FlipId, Node>,
    /// Where the flips go that paths under way will find, by the flips that those paths took.
    under_way: FxHashMap<Option<FlipId>, Node>,
    random: Random,
}

struct TreeNode {
    parent: Option<Node>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Pending(FlipId),
    UnderWay,
    Inner(Node, Node),
}

impl RandomPath {
    pub(super) fn new(seed: u64) -> RandomPath {
        RandomPath {
            nodes: vec![TreeNode { parent: None, kind: Kind::UnderWay }],
            free: Vec::new(),
            root: Some(0),
            pending: BTreeMap::new(),
            under_way: FxHashMap::from_iter([(None, 0)]),
            random: Random::new(seed),
        }
    }

    fn make(&mut self, parent: Option<Node>, kind: Kind) -> Node {
        let node = TreeNode { parent, kind };
        match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as Node - 1
            }
        }
    }

    /// The place of the path that took a flip; the flip is pending no longer.
    fn place_of(&mut self, origin: Option<FlipId>) -> Option<Node> {
        if let Some(node) = origin.and_then(|id| self.pending.remove(&id)) {
            self.nodes[node as usize].kind = Kind::UnderWay;
            self.under_way.insert(origin, node);
        }
        self.under_way.get(&origin).copied()
    }

    /// Takes a leaf out; its sibling takes the place of their parent.
    fn remove(&mut self, leaf: Node) {
        self.free.push(leaf);
        let Some(parent) = self.nodes[leaf as usize].parent else {
            self.root = None;
            return;
        };
        let TreeNode { parent: above, kind: Kind::Inner(left, right) } = self.nodes[parent as usize] else { return };
        let sibling = if left == leaf { right } else { left };
        self.nodes[sibling as usize].parent = above;
        match above {
            None => self.root = Some(sibling),
            Some(above) => {
                if let Kind::Inner(left, right) = &mut self.nodes[above as usize].kind {
                    *(if *left == parent { left } else { right }) = sibling;
                }
            }
        }
        self.free.push(parent);
    }

    /// A pending flip at the end of a random walk; `None` if it comes to a path that is under way.
    fn walk(&mut self) -> Option<FlipId> {
        let mut node = self.root?;
        loop {
            match self.nodes[node as usize].kind {
                Kind::Pending(id) => return Some(id),
                Kind::UnderWay => return None,
                Kind::Inner(left, right) => node = if self.random.number() >> 63 == 0 { left } else { right },
            }
        }
    }
}

impl Searcher for RandomPath {
    fn add(&mut self, id: FlipId, about: &Summary) {
        let place = match self.place_of(about.origin) {
            Some(place) => place,
            // A path that nobody has told of goes beside all others.
            None => {
                let place = self.make(None, Kind::UnderWay);
                if let Some(root) = self.root {
                    let above = self.make(None, Kind::Inner(root, place));
                    self.nodes[root as usize].parent = Some(above);
                    self.nodes[place as usize].parent = Some(above);
                    self.root = Some(above);
                } else {
                    self.root = Some(place);
                }
                place
            }
        };
        let flip = self.make(Some(place), Kind::Pending(id));
        let rest = self.make(Some(place), Kind::UnderWay);
        self.nodes[place as usize].kind = Kind::Inner(flip, rest);
        self.under_way.insert(about.origin, rest);
        self.pending.insert(id, flip);
    }

    fn next(&mut self, _: &mut View<'_>) -> Option<FlipId> {
        let id = self.walk().or_else(|| self.pending.first_key_value().map(|(id, _)| *id))?;
        self.place_of(Some(id));
        Some(id)
    }

    fn tried(&mut self, id: Option<FlipId>, _: Tried) {
        if let Some(place) = self.place_of(id) {
            self.under_way.remove(&id);
            self.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flip(origin: Option<FlipId>) -> Summary {
        Summary { origin, ..Summary::unknown() }
    }

    /// The first path finds a hundred flips one below the other; the walk stops at the first of them every second time.
    #[test]
    fn the_flip_at_the_root_has_half_of_the_chances() {
        let mut counts = [0; 100];
        for seed in 0..1000 {
            let mut tree = RandomPath::new(seed);
            (0..100).for_each(|number| tree.add(FlipId(number), &flip(None)));
            tree.tried(None, Tried::Ran { news: 1 });
            if let Some(FlipId(number)) = tree.walk() {
                counts[number as usize] += 1;
            }
        }
        assert!((400..600).contains(&counts[0]), "{counts:?}");
        assert!((150..350).contains(&counts[1]), "{counts:?}");
    }

    /// Whatever is found below whatever, each flip comes up once, and nothing is left of the tree.
    #[test]
    fn every_flip_comes_up_once() {
        let mut tree = RandomPath::new(7);
        let mut added = 0;
        let mut find = |tree: &mut RandomPath, origin, count| {
            for _ in 0..count {
                tree.add(FlipId(added), &flip(origin));
                added += 1;
            }
            tree.tried(origin, Tried::Ran { news: 0 });
        };
        find(&mut tree, None, 10);
        let mut taken = Vec::new();
        while let Some(id) = tree.walk() {
            taken.push(id);
            let count = if taken.len() < 20 { taken.len() % 4 } else { 0 };
            find(&mut tree, Some(id), count);
        }
        taken.sort_unstable();
        assert_eq!(taken, (0..added).map(FlipId).collect::<Vec<_>>());
        assert!(tree.root.is_none() && tree.pending.is_empty() && tree.under_way.is_empty());
        assert_eq!(tree.free.len(), tree.nodes.len());
    }
}
