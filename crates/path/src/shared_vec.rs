//! A persistent vector: cloning takes constant time, and a change copies only the path to the element.

use std::rc::Rc;

/// How many bits of an index each level resolves.
const BITS: u32 = 2;
/// Elements in a leaf, and children of a branch. A change copies a node of each level, so they are small.
const FAN: usize = 1 << BITS;

/// An unbounded vector: elements that were never set have the default value.
#[derive(Clone)]
pub(crate) struct SharedVec<T> {
    root: Option<Rc<Node<T>>>,
    /// By how many bits an index is shifted at the root: [`BITS`] for each level of branches above the leaves.
    shift: u32,
}

#[derive(Clone)]
enum Node<T> {
    Leaf([T; FAN]),
    Branch([Option<Rc<Node<T>>>; FAN]),
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        SharedVec { root: None, shift: 0 }
    }
}

impl<T: Clone + Default> SharedVec<T> {
    /// An element; `None` if no element of its leaf was ever set.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let mut node = self.root.as_deref()?;
        let mut shift = self.shift;
        if !fits(index, shift) {
            return None;
        }
        loop {
            match node {
                Node::Leaf(elements) => return Some(&elements[part(index, 0)]),
                Node::Branch(parts) => node = parts[part(index, shift)].as_deref()?,
            }
            shift -= BITS;
        }
    }

    /// A mutable reference to an element.
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut T {
        while !fits(index, self.shift) {
            self.shift += BITS;
            if let Some(root) = self.root.take() {
                let mut parts = [const { None }; FAN];
                parts[0] = Some(root);
                self.root = Some(Rc::new(Node::Branch(parts)));
            }
        }
        let mut shift = self.shift;
        let mut place = &mut self.root;
        loop {
            let node = place.get_or_insert_with(|| Rc::new(Node::new(shift)));
            match Rc::make_mut(node) {
                Node::Leaf(elements) => return &mut elements[part(index, 0)],
                Node::Branch(parts) => place = &mut parts[part(index, shift)],
            }
            shift -= BITS;
        }
    }
}

/// Whether a tree whose root shifts by so many bits has room for an index.
#[inline]
fn fits(index: u32, shift: u32) -> bool {
    index >> shift < FAN as u32
}

/// The part of a node that an index belongs to.
#[inline]
fn part(index: u32, shift: u32) -> usize {
    (index >> shift) as usize % FAN
}

impl<T: Default> Node<T> {
    fn new(shift: u32) -> Node<T> {
        if shift == 0 { Node::Leaf(Default::default()) } else { Node::Branch([const { None }; FAN]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn behaves_like_a_vector_and_clones_are_independent(changes in prop::collection::vec((0..5000u32, any::<u16>()), 0..60)) {
            let mut vector = SharedVec::default();
            let mut model = HashMap::new();
            let mut copies = Vec::new();
            for (index, value) in changes {
                copies.push((vector.clone(), model.clone()));
                *vector.get_mut(index) = value;
                model.insert(index, value);
            }
            copies.push((vector, model));
            for (vector, model) in copies {
                for index in (0..5000).chain([70_000, u32::MAX]) {
                    let expected = model.get(&index).copied().unwrap_or(0);
                    prop_assert_eq!(vector.get(index).copied().unwrap_or(0), expected);
                }
            }
        }
    }
}
