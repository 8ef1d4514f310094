//! A persistent singly linked list: tails are shared, so pushing and cloning take constant time.

use std::rc::Rc;

/// A list, newest element first.
pub struct List<T> {
    head: Option<Rc<Node<T>>>,
}

struct Node<T> {
    /// `None` only after the element was moved out of a node that is being freed.
    item: Option<T>,
    next: Option<Rc<Node<T>>>,
}

impl<T> List<T> {
    /// Adds an element in front.
    pub fn push(&mut self, item: T) {
        self.head = Some(Rc::new(Node { item: Some(item), next: self.head.take() }));
    }

    /// The newest element.
    pub fn first(&self) -> Option<&T> {
        self.head.as_ref().and_then(|node| node.item.as_ref())
    }

    /// From the newest to the oldest.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut next = self.head.as_deref();
        std::iter::from_fn(move || {
            let node = next?;
            next = node.next.as_deref();
            node.item.as_ref()
        })
    }
}

impl<T: Clone> List<T> {
    /// Removes the newest element, which is copied if it is shared.
    pub fn pop(&mut self) -> Option<T> {
        let node = self.head.take()?;
        match Rc::try_unwrap(node) {
            Ok(mut node) => {
                self.head = node.next.take();
                node.item.take()
            }
            Err(shared) => {
                self.head = shared.next.clone();
                shared.item.clone()
            }
        }
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        List { head: self.head.clone() }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { head: None }
    }
}

impl<T> Drop for Node<T> {
    /// Frees a long list without recursion, which could overflow the stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.next.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_and_do_not_disturb_each_other() {
        let mut a = List::default();
        a.push(1);
        a.push(2);
        let mut b = a.clone();
        assert_eq!(b.pop(), Some(2));
        b.push(3);
        assert_eq!(a.iter().copied().collect::<Vec<_>>(), [2, 1]);
        assert_eq!(b.iter().copied().collect::<Vec<_>>(), [3, 1]);
        assert_eq!((b.pop(), b.pop(), b.pop()), (Some(3), Some(1), None));
    }

    #[test]
    fn a_long_list_is_freed_without_recursion() {
        let mut list = List::default();
        for i in 0..1_000_000 {
            list.push(i);
        }
        let shared = list.clone();
        drop(list);
        assert_eq!(shared.first(), Some(&999_999));
    }
}
