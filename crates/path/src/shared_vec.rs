//! A persistent vector: cloning takes constant time, and a change copies only the path to the element.

use std::rc::Rc;

/// Elements in a leaf. Changes copy a whole leaf, so elements should be small.
const LEAF: usize = 16;
/// Children of a branch.
const FAN: usize = 16;

/// An unbounded vector: elements that were never set have the default value.
#[derive(Clone)]
pub(crate) struct SharedVec<T> {
    root: Option<Rc<Node<T>>>,
    /// How many levels of branches are above the leaves.
    height: u32,
}

#[derive(Clone)]
enum Node<T> {
    Leaf([T; LEAF]),
    Branch([Option<Rc<Node<T>>>; FAN]),
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        SharedVec { root: None, height: 0 }
    }
}

impl<T: Clone + Default> SharedVec<T> {
    /// An element; `None` if no element of its leaf was ever set.
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let mut node = self.root.as_deref()?;
        let mut size = self.size();
        let mut index = index as usize;
        if index >= size {
            return None;
        }
        loop {
            match node {
                Node::Leaf(elements) => return elements.get(index),
                Node::Branch(parts) => {
                    size /= FAN;
                    node = parts[index / size].as_deref()?;
                    index %= size;
                }
            }
        }
    }

    /// A mutable reference to an element.
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut T {
        let mut index = index as usize;
        while index >= self.size() {
            self.height += 1;
            if let Some(root) = self.root.take() {
                let mut parts = [const { None }; FAN];
                parts[0] = Some(root);
                self.root = Some(Rc::new(Node::Branch(parts)));
            }
        }
        let mut size = self.size();
        let mut height = self.height;
        let mut place = &mut self.root;
        loop {
            let node = place.get_or_insert_with(|| Rc::new(Node::new(height)));
            match Rc::make_mut(node) {
                Node::Leaf(elements) => return &mut elements[index],
                Node::Branch(parts) => {
                    height -= 1;
                    size /= FAN;
                    place = &mut parts[index / size];
                    index %= size;
                }
            }
        }
    }

    /// How many elements fit at this height.
    fn size(&self) -> usize {
        LEAF * FAN.pow(self.height)
    }
}

impl<T: Default> Node<T> {
    fn new(height: u32) -> Node<T> {
        if height == 0 { Node::Leaf(Default::default()) } else { Node::Branch([const { None }; FAN]) }
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
